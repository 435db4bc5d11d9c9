"""Facts: what sensors and buttons found out, in the referee's words."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from companion.session.events import SpinObserved

TowerWord: TypeAlias = Literal["still", "wobble", "lean", "topple"]
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


Fact: TypeAlias = TowerFact | SpinFact | ButtonFact | TimeFact
