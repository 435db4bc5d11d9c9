"""The turn clock: how long each seat has had its turn, where the people want to know.

Time of play stands still while the game is paused, or waits for an answer or for the log. It is
measured by a clock that only runs forward, and logged with each act (`TurnTimed`), so that neither
a restart nor a wrong date changes it. Before its first act no game and no round has begun, and that
time is nobody's; nor is that between the last act and a restart.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeVar

from companion.referee.game import Playing
from companion.session.events import TurnTimed
from companion.session.history import Act, History
from companion.session.session import Session

S = TypeVar("S")
A = TypeVar("A")

LIMITS_S: Final = (0, 30, 60, 120, 180, 300)
"""How long a turn may last before a gentle sign; 0 for no limit."""


@dataclass(frozen=True, slots=True)
class TurnTimes:
    """How long each seat has had its turn so far, in whole seconds.

    turn_s: how long this turn has lasted.  limit_s: after which there is a sign, 0 for none.
    is_running: whether time goes by.
    """

    seats_s: tuple[int, ...]
    turn_s: int
    limit_s: int
    is_running: bool


class TurnClock:
    """Measures the time of play in one session after another.

    now: a clock that only runs forward, in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._session: Session[Any, Any] | None = None
        self._limit_s: int | None = None
        self._played_s = self._begun_s = 0.0
        self._since_s: float | None = None
        self._known = 0
        self._due: dict[int, float] = {}
        self._spent: tuple[tuple[int, int] | None, Sequence[float]] = (None, ())
        self._signalled_s: float | None = None

    @property
    def played_s(self) -> float:
        """The time of play of this session."""
        running_s = 0.0 if self._since_s is None else self._now() - self._since_s
        return self._played_s + running_s

    def follow(
        self,
        session: Session[Any, Any],
        game: Playing[Any, Any],
        limit_s: int | None,
        *,
        stands: bool,
    ) -> tuple[TurnTimed, ...]:
        """Follow *session*, and return what is to be logged of its newest acts.

        It is returned again until it is in the log.
        limit_s: as of `TurnTimes`; None for no clock.  stands: whether the game waits.
        """
        if session is not self._session or (limit_s is None) != (self._limit_s is None):
            self._begin(session)
        self._limit_s = limit_s
        if limit_s is None:
            return ()
        self._played_s = played_s = self.played_s
        known, self._known = self._known, len(session.entries)
        newest = [act.seq for act in session.history.acts if act.seq > known and not act.secret]
        stamps = _stamps(session)
        self._due |= dict.fromkeys(newest, round(played_s, 2))
        self._due = {
            seq: at_s for seq, at_s in self._due.items() if seq <= self._known and seq not in stamps
        }
        stands = stands or _is_between(session.history, game)
        self._since_s = None if stands else self._now()
        return tuple(TurnTimed(seq, at_s) for seq, at_s in self._due.items())

    def _begin(self, session: Session[Any, Any]) -> None:
        """Go on where the log of *session* ends."""
        self._session, self._known = session, len(session.entries)
        self._played_s = self._begun_s = max(_stamps(session).values(), default=0.0)
        self._since_s, self._due, self._spent = None, {}, (None, ())
        self._signalled_s = None

    def times(self, session: Session[Any, Any], game: Playing[Any, Any]) -> TurnTimes | None:
        """Return how the time goes in *session*, None if it has no clock."""
        if self._limit_s is None or session is not self._session:
            return None
        stamps, history = self._due | _stamps(session), session.history
        mark = (len(session.entries), len(self._due))
        if mark != self._spent[0]:
            self._spent = mark, _spent_s(session, game, stamps)
        seats_s = list(self._spent[1])
        turn_s, seat = 0.0, game.expected(session.state)
        if not _is_between(history, game):
            if seat is not None and seat < len(seats_s):
                newest = next(act for act in reversed(history.acts) if not act.secret)
                newest_s = self._time_of(newest, stamps)
                seats_s[seat] += max(0.0, self.played_s - newest_s)
            turn_s = max(0.0, self.played_s - self._turn_began_s(history, game, stamps))
        limit_s, is_running = self._limit_s, self._since_s is not None and seat is not None
        return TurnTimes(tuple(map(int, seats_s)), int(turn_s), limit_s, is_running)

    def is_overdue(self, session: Session[Any, Any], game: Playing[Any, Any]) -> bool:
        """Return once of each turn that it has lasted for longer than the limit."""
        times = self.times(session, game)
        if times is None or not times.is_running or not 0 < times.limit_s <= times.turn_s:
            return False
        began_s = self._turn_began_s(session.history, game, self._due | _stamps(session))
        is_new, self._signalled_s = began_s != self._signalled_s, began_s
        return is_new

    def _turn_began_s(
        self, history: History[Any, Any], game: Playing[Any, Any], stamps: Mapping[int, float]
    ) -> float:
        """Return when the present turn began: a seat has moved, or chance has named another."""
        began_s = self._begun_s
        for place in reversed(range(len(history.acts))):
            act = history.acts[place]
            before, after = (_state(history, at) for at in (place, place + 1))
            if act.secret:
                continue
            began_s = self._time_of(act, stamps)
            if act.seat is not None or game.expected(before) != game.expected(after):
                break
        return began_s

    def _time_of(self, act: Act, stamps: Mapping[int, float]) -> float:
        """Return when *act* was made; when the clock was switched on, if that was later."""
        known_s = _stamp(act, stamps)
        return self._begun_s if known_s is None else known_s


def spent_s(session: Session[Any, Any], game: Playing[Any, Any]) -> Sequence[float]:
    """Return how long each seat has had its turn up to the newest act, () if nothing was timed."""
    stamps = _stamps(session)
    return _spent_s(session, game, stamps) if stamps else ()


def _spent_s(
    session: Session[Any, Any], game: Playing[Any, Any], stamps: Mapping[int, float]
) -> list[float]:
    spent, history = [0.0] * len(session.header.players), session.history
    # What seats enter for themselves has no time of its own, lest that tell of it.
    marks = [place for place, act in enumerate(history.acts) if not act.secret]
    for before, place in pairwise(marks):
        began_s, ended_s = (_stamp(history.acts[at], stamps) for at in (before, place))
        seat = game.expected(_state(history, place))
        if began_s is None or ended_s is None or seat is None or seat >= len(spent):
            continue
        if not _is_between(history, game, place):
            spent[seat] += max(0.0, ended_s - began_s)
    return spent


def _is_between(
    history: History[Any, Any], game: Playing[Any, Any], place: int | None = None
) -> bool:
    """Return whether no round was going on after *place* acts, by default now."""
    newest = len(history.acts)
    after = newest if place is None else place
    before = after
    while before and history.acts[before - 1].secret:  # what seats enter for themselves is no play
        before -= 1
    if before == 0 or (after == newest and game.rules.outcome(history.state) is not None):
        return True
    rounds = {game.round_number(_state(history, at)) for at in (before - 1, after)}
    return len(rounds) > 1


def _state(history: History[S, A], place: int) -> S:
    """Return the likeliest state after *place* acts."""
    return history.positions[place][0].state


def _stamps(session: Session[Any, Any]) -> dict[int, float]:
    """Return the time of play at which each timed entry was made."""
    return {
        entry.event.entry: entry.event.played_s
        for entry in session.entries
        if isinstance(entry.event, TurnTimed)
    }


def _stamp(act: Act, stamps: Mapping[int, float]) -> float | None:
    """Return when *act* was made; when what it stands in the place of was, if that is known."""
    if act.replaces is not None and (found := _stamp(act.replaces, stamps)) is not None:
        return found
    return stamps.get(act.seq)
