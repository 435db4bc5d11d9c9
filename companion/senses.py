"""The senses: what sensors and buttons found out, put to the referee in its own words.

Facts come on the event loop, one after the other. While the game is paused none of them counts but
the pause button itself.
"""

from typing import Any

from companion.referee.moments import Moment
from companion.referee.scribe import Scribe
from companion.referee.sitting import Sitting
from companion.rules.base import RulesError
from companion.session.events import SpinObserved
from companion.session.history import ReplayError
from hardware.facts import Fact, Pressed, Spun, TowerMoved, Troubled


class Senses:
    """Puts facts to the referee of a sitting."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting
        self._last_spin: tuple[float, int] | None = None  # its time, and the entry it led to

    def hear(self, fact: Fact) -> None:
        """Let *fact* count for what the rules make of it.  Raises LogError."""
        match fact:
            case Troubled(device, trouble):
                self._sitting.report(device, trouble)
            case Pressed("pause"):
                self._sitting.pause()
            case _ if not self._sitting.paused:
                try:
                    self._judge(fact)
                except (RulesError, ReplayError) as error:
                    self._remark(f"{str(error)[:1].upper()}{str(error)[1:]}")
                self._sitting.changed()
            case _:
                pass

    def _judge(self, fact: TowerMoved | Spun | Pressed | Troubled) -> None:
        scribe, players = self._sitting.scribe, self._sitting.header.players
        match fact:
            case Pressed("undo"):
                self._sitting.referee.undo()
                self._remark("Taken back")
            case Pressed(button, seat) if seat is None or seat >= len(players):
                self._remark(f"Nobody sits where the button {button} was pressed")
            case _ if scribe is None:
                self._remark("This game is watched by the camera; sensors count for nothing")
            case Pressed(button, int(seat)):
                scribe.hear_button(button, seat)
            case TowerMoved(state, _, knocked):
                if not scribe.hear_tower(state, knocked):
                    self._remark("This game has no tower")
            case Spun():
                self._hear_spin(fact, scribe)

    def _hear_spin(self, spun: Spun, scribe: Scribe[Any, Any]) -> None:
        state = self._sitting.session.state
        is_wanted = scribe.waiting is not None and scribe.waiting.reason == "spin"
        seen = SpinObserved(
            angle_deg=round(spun.angle_deg % 360, 1),
            turns=round(spun.turns, 2),
            clockwise=spun.clockwise,
            seats=spun.seats,
            trusted=spun.trusted,
            void=spun.void,
            spinner=scribe.table.expected(state) if is_wanted else None,
        )
        last = scribe.newest()
        before_s, led_to = self._last_spin or (None, None)
        if not spun.trusted and spun.at_s == before_s:  # withdrawn: its zero had been wrong
            if last is None or last.seq != led_to:
                self._sitting.session.append(seen)
                self._remark(f"{spun.reason} Play went on meanwhile: put it right on the desk")
                return
            scribe.undo()
        if not scribe.hear_spin(seen, spun.reason):
            self._remark("This game has no idol")
        newest = scribe.newest()
        self._last_spin = (spun.at_s, newest.seq) if newest and newest != last else None

    def _remark(self, words: str) -> None:
        self._sitting.show(Moment("remark", words=words))
