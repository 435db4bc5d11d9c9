"""Simulated sensors: tilt, idol and buttons moved by words, for a table without any of them."""

import time
from collections.abc import Callable
from typing import Final

from hardware.facts import Button, Fact, Pressed, Spun, TowerMoved
from hardware.sectors import TURN_DEG, Sectors

BUTTONS: Final[tuple[Button, ...]] = ("done", "uno", "me", "undo", "pause")
STEP_DEG: Final = 1.0
USAGE: Final = (
    "words are 'topple', 'knock', 'wobble', 'lean', 'still', 'spin 137 1.5' (degrees, turns) or"
    " 'press uno 1' (done, uno or me and a seat; undo or pause alone)"
)


def even_sectors(seats: int) -> Sectors:
    """Return *seats* evenly round the idol, clockwise from seat 0 at 0 degrees."""
    return Sectors({seat: seat * TURN_DEG / seats for seat in range(seats)}, STEP_DEG)


class UnknownCommand(ValueError):
    """Words that no simulated sensor understands; says which it does."""


class SimulatedSensors:
    """Makes facts of words and reports them, as real sensors would.

    seats: returns how many sit around the idol, as `even_sectors` has it.
    on_fact: called with each fact, on the caller's thread.  clock: a steady one, in seconds.
    """

    def __init__(
        self,
        seats: Callable[[], int],
        on_fact: Callable[[Fact], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seats = seats
        self._on_fact = on_fact
        self._clock = clock

    def simulate(self, words: str) -> None:
        """Report the fact that *words* describe; raises UnknownCommand.

        >>> SimulatedSensors(lambda: 4, print, clock=lambda: 0.0).simulate("press undo")
        Pressed(button='undo', seat=None, at_s=0.0)
        """
        self._on_fact(self._fact(words.split()))

    def start(self) -> None:
        """Do nothing: words come when they come."""

    def close(self) -> None:
        """Do nothing: there is nothing to let go of."""

    def _fact(self, words: list[str]) -> Fact:
        at_s = self._clock()
        match words:
            case ["topple" | "wobble" | "lean" | "still" as state]:
                return TowerMoved(state, at_s)
            case ["knock"]:
                return TowerMoved("wobble", at_s, knocked=True)
            case ["press", "undo" | "pause" as button]:
                return Pressed(button, None, at_s)
            case ["press", "done" | "uno" | "me" as button, seat] if seat in self._names():
                return Pressed(button, int(seat), at_s)
            case ["spin", angle, turns]:
                try:
                    return self._spun(float(angle), float(turns), at_s)
                except ValueError:
                    pass
        raise UnknownCommand(f"'{' '.join(words)[:60]}' is not something a sensor reports; {USAGE}")

    def _names(self) -> tuple[str, ...]:
        return tuple(map(str, range(self._seats())))

    def _spun(self, angle_deg: float, turns: float, at_s: float) -> Spun:
        if not (abs(angle_deg) < 1e6 and abs(turns) < 1e3):
            raise ValueError(angle_deg)
        void = abs(turns) < 1
        return Spun(
            angle_deg=angle_deg % 360,
            turns=abs(turns),
            clockwise=turns >= 0,
            trusted=True,
            seats=() if void else even_sectors(self._seats()).seats_at(angle_deg % 360),
            at_s=at_s,
            void=void,
            reason="less than a full turn" if void else "",
        )
