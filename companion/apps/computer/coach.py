"""The coach: for whoever wants it, a good move and why, on that player's own phone.

It is off until a seat asks for it, all at the table see that it is on, and it looks at nothing but
what that seat knows.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias
from weakref import WeakKeyDictionary

from companion.apps.computer.engine import EngineLost, Task
from companion.apps.computer.tasks import knows_enough, task_of, words_of
from companion.files import write_whole
from companion.language.message import say
from companion.referee.intention import Intention
from companion.referee.live_session import LiveSession

Choose: TypeAlias = Callable[[Task], Awaitable[Any]]
LEVEL: Final = "strong"
_coaches: Final[WeakKeyDictionary[LiveSession, "Coach"]] = WeakKeyDictionary()


def coach_of(live_session: LiveSession) -> "Coach":
    """Return the coach at the table of *live_session*."""
    if live_session not in _coaches:
        _coaches[live_session] = Coach(live_session, live_session.log.beside("coach.json"))
    return _coaches[live_session]


@dataclass(frozen=True, slots=True)
class Hint:
    """A good move for a seat.

    action: its text.  words: what it is.  reason: why, "" if there is nothing to say.
    share, next_share: of 100 tries how many were won with it, and with the next best; None where
    there is no other.  is_secret: whether it follows from a hand, so that the lights keep it.
    """

    action: str
    words: str
    reason: str
    share: int
    next_share: int | None
    is_secret: bool = False


class Coach:
    """Who has hints on, and the hint for whoever of them has the turn.

    file: keeps that over a restart; None keeps nothing.
    """

    def __init__(self, live_session: LiveSession, file: Path | None) -> None:
        self._live = live_session
        self._file = file
        self._session = live_session.session.number
        self._asked: tuple[int, int, int] | None = None
        self._shown: Intention | None = None
        self.hint: Hint | None = None
        self._load()

    def switch(self, seat: int, *, is_on: bool) -> None:
        """Let *seat* have hints from now on, or no longer."""
        seats = self._live.coached - {seat}
        self._live.coached = seats | {seat} if is_on else seats
        self._asked = self.hint = None
        self._save()
        self._live.changed()

    def hint_for(self, seat: int) -> Hint | None:
        """Return the hint that *seat* has at this moment, None if it has none."""
        session = self._live.session
        return self.hint if self._asked == (session.number, session.next_seq, seat) else None

    def light(self, seat: int) -> None:
        """Let the lights show the hint of *seat* until somebody moves."""
        live, hint = self._live, self.hint_for(seat)
        if hint is None or hint.is_secret:
            return
        state, rules = live.session.state, live.game.rules
        places = live.game.touched(state, rules.parse_action(hint.action))
        name = live.header.players[seat]
        words = say("A hint for {player}: {action}", player=name, action=hint.words)
        self._shown = Intention(seat, live.game.public(hint.action), words, hint.words, places)
        live.mean(self._shown)

    async def follow(self, choose: Choose) -> None:
        """Have a hint ready for every coached seat that has the turn, until cancelled."""
        changed = asyncio.Event()
        changed.set()
        search: asyncio.Task[None] | None = None
        with self._live.on_change.heard_by(changed.set):
            async with asyncio.TaskGroup() as searches:
                while await changed.wait():
                    changed.clear()
                    if (asked := self._due()) == self._asked:
                        continue
                    self._forget()
                    self._asked = asked
                    if search is not None:
                        search.cancel()
                    if asked is not None:
                        search = searches.create_task(self._search(choose, asked))

    def _due(self) -> tuple[int, int, int] | None:
        """Return for which moment and seat a hint is wanted now."""
        live = self._live
        if live.session.number != self._session:
            is_same, self._session = live.header.resumes == self._session, live.session.number
            people = live.coached.difference(live.header.computer_seats)
            live.coached = people if is_same else frozenset()
            self._save()
        seat = live.game.rules.turn(live.session.state)
        if seat not in live.coached or not knows_enough(live, seat):
            return None
        return live.session.number, live.session.next_seq, seat

    def _forget(self) -> None:
        self.hint = None
        if self._shown is not None and self._live.intention is self._shown:
            self._live.mean(None)
        self._shown = None

    async def _search(self, choose: Choose, asked: tuple[int, int, int]) -> None:
        live, seat = self._live, asked[2]
        try:
            choice = await choose(task_of(live, seat, LEVEL))
        except EngineLost:
            return
        if self._due() != asked:
            return
        game, players, state = live.game, live.header.players, live.session.state
        action = game.rules.parse_action(choice.action)
        reason = game.reason(state, action, players)
        shares = [round(100 * share) for _, share in choice.values]
        self.hint = Hint(
            choice.action,
            words_of(live, choice.action),
            reason.message if reason else "",
            shares[0] if shares else 0,
            shares[1] if len(shares) > 1 else None,
            is_secret=bool(game.own_hand(state, seat)),
        )
        live.changed()

    def _load(self) -> None:
        if self._file is None:
            return
        with suppress(OSError, ValueError, TypeError, KeyError):
            kept = json.loads(self._file.read_text())
            if kept["session"] == self._session:
                self._live.coached = frozenset(map(int, kept["seats"]))

    def _save(self) -> None:
        if self._file is not None:
            kept = {"session": self._session, "seats": sorted(self._live.coached)}
            with suppress(OSError):  # then hints are off after a restart, as they are at first
                write_whole(self._file, json.dumps(kept).encode())
