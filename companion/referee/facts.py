"""Facts: what sensors, buttons and the camera found out, in the referee's words."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from companion.session.events import SpinObserved
from vision.observation import Glimpse, Table

TowerWord: TypeAlias = Literal["still", "wobble", "lean", "topple"]
FELL: Final = "topple"
ButtonWord: TypeAlias = Literal["done", "uno", "me"]


@dataclass(frozen=True, slots=True)
class TowerFact:
    """How the tower stands now; *knocked*: the table was hit, and the tower came to rest again."""

    word: TowerWord
    knocked: bool = False


@dataclass(frozen=True, slots=True)
class SpinFact:
    """The idol was spun; *reason*: why the spin names no seat, in words."""

    spin: SpinObserved
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ButtonFact:
    """The button at *seat* was pressed; undo and pause are the same in every game."""

    button: ButtonWord
    seat: int


@dataclass(frozen=True, slots=True)
class TimeFact:
    """The time that the game gives for a phase is over."""


@dataclass(frozen=True, slots=True)
class SeenFact:
    """What a picture shows beside the places.

    now: what it shows.  before: what the last picture with such a glimpse showed, None if none did.
    since: the texts of what the log got between the two, the newest last.
    """

    now: Glimpse
    before: Glimpse | None = None
    since: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Traces:
    """What may speak for a play of which no picture shows what it left.

    refused: the table that was called wrong until now, () if none was.
    table: what seems to lie in each place; None where that is unknown; () if nothing was seen.
    facts: what the picture shows beside the places.
    last_move: the text of what a player did last, "" if nobody has done anything.
    """

    refused: Table = ()
    table: Table = ()
    facts: tuple[SeenFact, ...] = ()
    last_move: str = ""


Fact: TypeAlias = TowerFact | SpinFact | ButtonFact | TimeFact | SeenFact
