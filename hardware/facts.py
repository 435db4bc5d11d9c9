"""Facts: what sensors and buttons have detected.

Frozen, without pixels or pins; times are seconds of a steady clock, angles degrees clockwise as
seen from above, 0 where the idol's zero is.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Tower: TypeAlias = Literal["still", "wobble", "lean", "topple"]
"""States of a tower; only a topple is an event of a game."""


@dataclass(frozen=True, slots=True)
class TowerMoved:
    """The tower began to wobble, leans, fell, or stands still again.

    knocked: the table was hit; a knock is a wobble that came from outside, never a topple.
    """

    state: Tower
    at_s: float
    knocked: bool = False


@dataclass(frozen=True, slots=True)
class Spun:
    """The idol was spun and has come to rest.

    angle_deg: where it points, from 0 to below 360.  turns: revolutions of the whole spin, never
    negative.  clockwise: the way it turned.  trusted: no step was lost that could matter.
    seats: one seat, two if it stopped in the margin between them, none if the spin is void (less
        than a full turn), not trusted, or if no seats are calibrated.
    reason: one plain line why there is no seat, or ""; it differs for void and unreliable spins.
    void: it turned less than once, and is to be repeated.
    """

    angle_deg: float
    turns: float
    clockwise: bool
    trusted: bool
    seats: tuple[int, ...]
    at_s: float
    void: bool = False
    reason: str = ""


Button: TypeAlias = Literal["done", "uno", "me", "undo", "pause"]


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed; *seat* is whose it is, None for undo and pause, which are everyone's.

    done: my turn is over.  uno: I call "UNO!".  me: it was me who knocked it over.
    """

    button: Button
    seat: int | None
    at_s: float


@dataclass(frozen=True, slots=True)
class Troubled:
    """A device went wrong or came back.

    trouble: one line with the remedy, "" once all is well again.
    """

    device: str
    trouble: str
    at_s: float


Fact: TypeAlias = TowerMoved | Spun | Pressed | Troubled
