"""Observations: what readers report of one picture of the table. Standard library only, no pixels.

An observation keeps the probability of every class in every place, so that the referee can combine
it with what the rules allow. *Not seen* is an answer, never an exception.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

EMPTY: Final = "empty"
HIDDEN: Final = "hidden"

Table: TypeAlias = tuple[str | None, ...]
"""The class in each place of a game, such as "tac 3"; None where it is unknown."""


class Status(StrEnum):
    """Whether a picture could be read."""

    OK = "ok"  # at rest, and every place recognised with confidence
    UNSETTLED = "unsettled"  # a hand, a gap or a blur: wait for the next picture
    NO_MAT = "no_mat"  # the corner tiles are not in view
    UNREADABLE = "unreadable"  # the file or the camera gave no picture


class Reason(StrEnum):
    """Why a picture gave no reading."""

    HAND = "hand"  # an arm is over the table
    HIDDEN = "hidden"  # a place is occluded: by a hand, a taller column, a specular reflection
    GAP = "gap"  # an empty slot above a piece: a move in progress
    UNCLEAR = "unclear"  # no place is occluded, but one is not recognised with confidence
    MOTION = "motion"  # the picture still changes
    NOT_CALIBRATED = "untaught"  # not calibrated, and this game is read only when it is
    TILES = "tiles"  # too few corner tiles found
    PICTURE = "picture"  # no picture could be decoded


@dataclass(frozen=True, slots=True)
class Evidence:
    """The posterior of the classes in one place: probabilities that sum to 1.

    The classes are the pieces' names, `EMPTY` and `HIDDEN`; one that is missing has probability 0.

    >>> Evidence({"nani": 0.9, "empty": 0.08, "hidden": 0.02}).best
    'nani'
    """

    probabilities: Mapping[str, float]

    @property
    def best(self) -> str:
        """The most probable class."""
        return max(self.probabilities, key=self.probabilities.__getitem__)

    def of(self, name: str) -> float:
        """Return the probability of class *name*, 0.0 to 1.0."""
        return self.probabilities.get(name, 0.0)

    def list_likely(self, min_probability: float, max_classes: int) -> list[tuple[str, float]]:
        """Return the classes of at least *min_probability* with it, most probable first.

        >>> Evidence({"empty": 0.02, "tac 2": 0.28, "tac 3": 0.7}).list_likely(0.05, 3)
        [('tac 3', 0.7), ('tac 2', 0.28)]
        """
        ordered = sorted(self.probabilities.items(), key=lambda each: each[1], reverse=True)
        return [each for each in ordered[:max_classes] if each[1] >= min_probability]


@dataclass(frozen=True, slots=True)
class Pointing:
    """The direction of an idol's arm at rest: *deg* is 0 at the mat's top, clockwise from above."""

    deg: float


@dataclass(frozen=True, slots=True)
class Tilted:
    """The tilt of a balance board.

    deg: 0 for level.  towards_deg: in which direction it is lowest, 0 at the mat's top, clockwise
    from above.  has_toppled: whether it tilts more than it can in play.
    """

    deg: float
    towards_deg: float
    has_toppled: bool


Glimpse: TypeAlias = Pointing | Tilted
"""What a picture shows besides the classes in the places."""


@dataclass(frozen=True, slots=True)
class Observation:
    """What one picture of a game's table shows.

    places: evidence for each place of the game, in the order of its layout; empty unless the tiles
        were found.
    unchanged: for each place the probability that it is as in the picture *since*, 0.5 where that
        is unknown; empty if the reader does not compare.
    since: the picture with which this one was compared, "" if with none.
    facts: what else is certain, whatever the status.
    reading: what lies there, in the form that `tiki read` prints for the game; only with status OK.
    confidence: 0.0 to 1.0, that of the least certain place; 0.0 without a reading.
    doubtful: the places that kept the picture from being read; empty if it was, or if none alone
        did.
    arms: the mat sides from which arms reach over the board ("near", "right", "far", "left"); empty
        if none was seen.
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
