"""The sensor adapter: translates facts of sensors and buttons into the referee's.

Facts come on the event loop, one after the other. While the game is paused all of them are ignored
but the pause button itself.
"""

from typing import Final

from companion.language.message import capitalised, message_of, say, sequence
from companion.listeners import Listeners
from companion.referee.facts import FELL, ButtonFact, Fact, SpinFact, TowerFact
from companion.referee.live_session import LiveSession
from companion.referee.transient_notices import TransientNotice
from companion.rules.base import RulesError
from companion.session.events import SpinObserved
from companion.session.history import ReplayError
from hardware import facts
from hardware.facts import Pressed, Spun, TowerMoved, Troubled

SPIN_REASON = "spin"
"""The word by which a game says that it waits for a spin, see `Game.wants`."""
TILT = "tilt"
"""How the names of the tower's switches begin."""

UNUSED: Final = {
    "buttons": say("This game does not use the buttons"),
    "idol": say("This game does not use the idol"),
}


class SensorAdapter:
    """Passes facts to the referee of the session in play.

    on_fall: told when a switch reports that the tower has fallen.
    """

    def __init__(self, live_session: LiveSession) -> None:
        self._live_session = live_session
        self.on_fall: Listeners[[]] = Listeners()
        self._last_spin: tuple[float, int] | None = None  # its time, and the entry it led to
        self._tilt_troubles: dict[str, str] = {}
        live_session.on_game.add(self._follow_game)

    def handle(self, fact: facts.Fact) -> None:
        """Apply *fact* as the rules define.  Raises LogError."""
        match fact:
            case Troubled(device, trouble):
                self._report(device, trouble)
            case Pressed("pause"):
                self._live_session.pause()
            case _ if not self._live_session.paused:
                try:
                    self._judge(fact)
                except (RulesError, ReplayError) as error:
                    self._remark(capitalised(message_of(error)))
                self._live_session.changed()
            case _:
                pass

    def _judge(self, fact: TowerMoved | Spun | Pressed | Troubled) -> None:
        seats = len(self._live_session.header.players)
        match fact:
            case Pressed("undo"):
                self._live_session.referee.undo()
                self._remark(say("Taken back"))
            case Pressed("done" | "uno" | "me" as button, int(seat)) if seat < seats:
                self._pass_on(ButtonFact(button, seat), "buttons")
            case Pressed(button):
                self._remark(
                    say("Button {button} was pressed, but no player sits there", button=button)
                )
            case TowerMoved(state, _, knocked):
                if state == FELL:
                    self.on_fall.tell()
                self._live_session.referee.on_fact(TowerFact(state, knocked))
            case Spun():
                self._handle_spin(fact)

    def _report(self, device: str, trouble: str) -> None:
        """Report what is wrong with *device*; with the tower's switches where there is a tower."""
        if device.startswith(TILT):
            self._tilt_troubles[device] = trouble
            trouble = trouble if self._live_session.has_tower else ""
        self._live_session.report(device, trouble)

    def _follow_game(self, _: str) -> None:
        """Report the tower's switches anew, now that another game is on."""
        for device, trouble in self._tilt_troubles.items():
            self._report(device, trouble)

    def _pass_on(self, fact: Fact, device: str) -> None:
        if not self._live_session.referee.on_fact(fact):
            self._remark(UNUSED[device])

    def _handle_spin(self, spun: Spun) -> None:
        referee = self._live_session.referee
        is_wanted = referee.waiting is not None and referee.waiting.reason == SPIN_REASON
        seen = SpinObserved(
            angle_deg=round(spun.angle_deg % 360, 1),
            turns=round(spun.turns, 2),
            clockwise=spun.clockwise,
            seats=spun.seats,
            trusted=spun.trusted,
            void=spun.void,
            spinner=referee.game.expected(referee.session.state) if is_wanted else None,
        )
        last = referee.newest()
        before_s, led_to = self._last_spin or (None, None)
        is_withdrawn = not spun.trusted and spun.at_s == before_s  # its zero had been wrong
        if is_withdrawn and (last is None or last.seq != led_to):
            referee.session.append(seen)
            self._remark(
                sequence(
                    [
                        spun.reason,
                        say("Play has continued since; correct it on the host’s desk"),
                    ]
                )
            )
            return
        with referee.together():
            if is_withdrawn:
                referee.undo()
            self._pass_on(SpinFact(seen, spun.reason), "idol")
        newest = referee.newest()
        self._last_spin = (spun.at_s, newest.seq) if newest and newest != last else None

    def _remark(self, words: str) -> None:
        self._live_session.show(TransientNotice("remark", words=words))
