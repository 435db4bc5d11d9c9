"""Transient notices: what happens at the table right now, shown for a few seconds."""

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, Literal, TypeAlias

TransientNoticeKind: TypeAlias = Literal[
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
    "slow",
    "remark",
]

PERSISTENT_KINDS: Final = frozenset(("between", "paused"))
"""Kinds that stand until someone answers; all others pass by themselves."""


@dataclass(frozen=True, slots=True)
class TransientNotice:
    """Something that is announced now, beside whose turn it is.

    kind: "topple" the tower fell; "knock" the table was hit, which has no effect; "wobble" the
        tower sways or leans; "spin" the idol chose; "void_spin" it turned less than once; "between"
        it stopped between two seats; "distrusted" steps of the spin were lost; "countdown" someone
        has to hurry; "paused" the game waits; "uno" someone called it; "slow" a turn
        has lasted for as long as the people have said; "remark" only words.
    seats: whom it concerns; both where the idol stopped between two.
    angle_deg: where the idol points, clockwise from its zero, from 0 to below 360.
    words: one plain line for display and voice, without a secret.
    """

    type: ClassVar[str] = "moment"
    kind: TransientNoticeKind
    seats: tuple[int, ...] = ()
    angle_deg: float | None = None
    seconds_left: int | None = None
    words: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the notice as the event stream sends it, `type` first."""
        return {"type": self.type, **asdict(self), "seats": list(self.seats)}


def remarked(words: str, *seats: int) -> TransientNotice:
    """Return a notice of words alone."""
    return TransientNotice("remark", seats, words=words)
