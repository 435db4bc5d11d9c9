"""What the eyes say about the table, in words: standard library only, no pixels.

A reader turns one picture into one `Observation`. It keeps the evidence for every class in every
place, so that who judges (the referee) can weigh it against what the rules allow. *Not seeing* is
an answer, never an exception.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

EMPTY: Final = "empty"
HIDDEN: Final = "hidden"

Table: TypeAlias = tuple[str | None, ...]
"""What lies in each place of a game, one class a place, such as "tac 3"; None is not known."""


class Status(StrEnum):
    """How much one picture of the table is worth."""

    OK = "ok"  # at rest, everything in view, every slot named
    UNSETTLED = "unsettled"  # a hand, a gap or a blur: wait for the next picture
    NO_MAT = "no_mat"  # the corner tiles are not in view
    UNREADABLE = "unreadable"  # the file or the camera gave no picture


class Reason(StrEnum):
    """Why a picture gave no reading."""

    HAND = "hand"  # somebody reaches over the table
    HIDDEN = "hidden"  # something covers a place: a hand, a taller column, the lamp's mirror image
    GAP = "gap"  # an empty slot above a piece: a move in progress
    UNCLEAR = "unclear"  # no slot is covered, but one cannot be named with confidence
    MOTION = "motion"  # the picture still changes
    UNTAUGHT = "untaught"  # this game is read only after a picture whose truth is known
    TILES = "tiles"  # too few corner tiles found
    PICTURE = "picture"  # no picture could be decoded


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well each class explains one slot: probabilities that sum to 1.

    The classes are the pieces' names, `EMPTY` and `HIDDEN`. A class that is missing has
    probability 0.

    >>> Evidence({"nani": 0.9, "empty": 0.08, "hidden": 0.02}).best
    'nani'
    """

    probabilities: Mapping[str, float]

    @property
    def best(self) -> str:
        """The likeliest class."""
        return max(self.probabilities, key=self.probabilities.__getitem__)

    def of(self, name: str) -> float:
        """Return the probability of class *name*, 0.0 to 1.0."""
        return self.probabilities.get(name, 0.0)

    def list_likely(self, least: float, most: int) -> list[tuple[str, float]]:
        """Return what is at least as likely as *least* with its probability, likeliest first.

        most: how many classes at most.

        >>> Evidence({"empty": 0.02, "tac 2": 0.28, "tac 3": 0.7}).list_likely(0.05, 3)
        [('tac 3', 0.7), ('tac 2', 0.28)]
        """
        ordered = sorted(self.probabilities.items(), key=lambda each: each[1], reverse=True)
        return [each for each in ordered[:most] if each[1] >= least]


@dataclass(frozen=True, slots=True)
class Pointing:
    """An idol's arm at rest: it points to *deg*, 0 at the mat's top, clockwise from above."""

    deg: float


@dataclass(frozen=True, slots=True)
class Tilted:
    """A balance board: how steeply it stands, and in which direction it hangs down.

    deg: 0 for level.  towards_deg: 0 to the mat's top, clockwise from above.  has_toppled: whether
    it hangs as it never does in play.
    """

    deg: float
    towards_deg: float
    has_toppled: bool


Glimpse: TypeAlias = Pointing | Tilted
"""What a picture shows beside what lies in the places."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One picture of a game's table, read.

    places: evidence for each place of the game, in the order of its layout; empty unless the tiles
        were found.
    unchanged: for each place, 0.0 to 1.0, how surely it looks as it did in the picture *since*,
        0.5 where the looks do not tell; empty if the reader does not compare.
    since: the picture with which this one was compared, "" if with none.
    facts: what else is seen for certain, whatever the status.
    reading: what lies there, in the form that `tiki read` prints for the game; only with status OK.
    confidence: 0.0 to 1.0, that of the least certain place; 0.0 without a reading.
    doubtful: which places kept the picture from being read; empty if it was, or if none alone did.
    arms: where arms come in over the board, as mat sides ("near", "right", "far", "left"); empty if
        none was seen.
    """

    frame: str
    status: Status
    places: tuple[Evidence, ...] = ()
    reading: Mapping[str, Any] | None = None
    confidence: float = 0.0
    reason: Reason | None = None
    doubtful: tuple[int, ...] = ()
    arms: frozenset[str] = frozenset()
    unchanged: tuple[float, ...] = ()
    since: str = ""
    facts: tuple[Glimpse, ...] = ()
