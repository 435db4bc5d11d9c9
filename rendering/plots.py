"""What happens in a film: a game played at random, as tables that come to rest in turn."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeVar

from rendering.prints import Random
from rendering.rules_process import RulesProcess

T = TypeVar("T")

Table: TypeAlias = dict[str, Any]
"""What lies where, as the film's set (`film_columns.py`, `film_cards.py`) puts it up."""

NAMES: Final = ("Ada", "Ben", "Cleo", "Dan")
SIDES: Final = {
    2: ("near", "far"),
    3: ("near", "left", "right"),
    4: ("near", "left", "far", "right"),
}
"""Where players sit, clockwise from the near one."""


@dataclass(slots=True)
class Beat:
    """A table at rest.

    seat: whose hand has brought it about, None for the host's.  place: where that hand was.
    during: the table while the hand was there.  held: what the hand held.  marks: what truth.jsonl
    says of it besides.  told, sensed: what was said before the next hand came, by people and by
    sensors.
    """

    table: Table
    seat: int | None = None
    place: Any = None
    during: Table | None = None
    held: str | None = None
    marks: dict[str, Any] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    sensed: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Plot:
    """A whole game: the table that teaches, the start, then one beat for each move.

    sides: where each seat sits.  replay: what session.json says of the game, without what was said.
    """

    game: str
    sides: tuple[str, ...]
    beats: list[Beat]
    replay: dict[str, Any] = field(default_factory=dict)


class Faults:
    """Before which moves a rule is broken; made: how many have been made."""

    def __init__(self, random: Random, moves: int, share: float) -> None:
        """Draw a *share* of so many *moves*, at least one unless it is nothing."""
        self.made = 0
        count = min(moves, max(1, round(share * moves))) if share else 0
        self._coming = sorted(int(at) for at in random.permutation(moves)[:count])

    @property
    def is_due(self) -> bool:
        """Whether a wrong move is to come before the next, made being so many already."""
        return bool(self._coming) and self.made >= self._coming[0]

    def done(self) -> None:
        """Note that one was broken; where none could be, it waits for the next move."""
        self._coming.pop(0)


def pick(random: Random, things: Sequence[T], weights: Sequence[float] | None = None) -> T:
    """Return one of *things* by chance, each as likely as its weight says."""
    odds = None if weights is None else [weight / sum(weights) for weight in weights]
    return things[int(random.choice(len(things), p=odds))]


def seats_words(sides: Sequence[str]) -> str:
    """Return where everybody sits, in the words of a session.json.

    >>> seats_words(("near", "far"))
    'player 0 near, 1 far'
    """
    return "player " + ", ".join(f"{seat} {side}" for seat, side in enumerate(sides))


def add_fault(beats: list[Beat], fault: Beat, why: str, before: Any) -> dict[str, Any]:
    """Add a table that the rules forbid to *beats*; return the marks of the corrected one.

    before: the truth of the last legal table.
    """
    fault.marks |= {"illegal": True, "why": why, "legal_before": before}
    beats.append(fault)
    return {"corrected": True, "legal_before": before}


def finish(plot: Plot, rules: RulesProcess, moves: int, opening: dict[str, Any]) -> Plot:
    """Return *plot* with its replay filled in: *opening*, the actions and how it ended."""
    state, outcome = rules.state, rules.outcome
    ended: dict[str, Any] = {"final_scores": state["scores"], "winners": []}
    if outcome is None:
        ended |= {"unfinished": True, "end_reason": "stopped"}
    else:
        ended = {"final_scores": outcome["scores"], "winners": outcome["winners"]}
        ended["end_reason"] = ended["ended_by"] = outcome["ended_by"]
    plot.replay = {**opening, "moves": moves, **ended, "actions": rules.actions}
    return plot
