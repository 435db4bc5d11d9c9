"""Moments: what happens at the table right now, for a few seconds, beside whose turn it is."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias

MomentKind: TypeAlias = Literal[
    "topple",
    "knock",
    "wobble",
    "spin",
    "void_spin",
    "between",
    "distrusted",
    "countdown",
    "paused",
    "uno",
    "remark",
]

LASTING: Final = frozenset(("between", "paused"))
"""Kinds that stand until someone answers; all others pass by themselves."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that the table is told now, beside whose turn it is.

    kind: "topple" the tower fell; "knock" the table was hit, which has no effect; "wobble" the
        tower sways or leans; "spin" the idol chose; "void_spin" it turned less than once; "between"
        it stopped between two seats; "distrusted" steps of the spin were lost; "countdown" someone
        has to hurry; "paused" the game waits; "uno" someone called it; "remark" only words.
    seats: whom it concerns; both where the idol stopped between two.
    angle_deg: where the idol points, clockwise from its zero, from 0 to below 360.
    words: one plain line for display and voice, without a secret.
    """

    type: ClassVar[str] = "moment"
    kind: MomentKind
    seats: tuple[int, ...] = ()
    angle_deg: float | None = None
    seconds_left: int | None = None
    words: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the moment as the event stream tells it, `type` first."""
        return {"type": self.type, **asdict(self), "seats": list(self.seats)}
