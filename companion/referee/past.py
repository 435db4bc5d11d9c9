"""The past of a game: the table as it stood after any step, for whoever looks back.

A step is one act that still counts and that everyone has seen: a move, a die, a starting line.
What was taken back is no step, and a corrected move is what it was corrected to.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

from companion.listeners import Listeners
from companion.referee.game import Game
from companion.referee.live_session import LiveSession
from companion.referee.referee import Referee
from companion.registry import GAMES, game_of
from companion.session.events import Entry, RoundScored
from companion.session.log import Log, LogError
from companion.session.log_errors import MEMORY
from companion.session.session import Header, Session

S = TypeVar("S")
A = TypeVar("A")

MAX_KEPT: Final = 4
"""So many past games stay in memory: each has been played again by the rules to be shown."""


class PastSession(Session[S, A]):
    """A session as it stood after its first *acts* acts.

    Its log is one of its own that keeps nothing, so that nothing done to it can reach the game.
    """

    def __init__(self, log: Log, number: int, whole: Session[S, A], acts: int) -> None:
        self.log = log
        self.number = number
        self.rules = whole.rules
        self.header = whole.header
        self.on_entry = Listeners()
        self.history = whole.history.until(acts)
        self.entries = _entries_until(whole, acts)


class PastLiveSession(LiveSession):
    """What pages, lights and scoreboard are made of, as it was at one step of *whole*."""

    def __init__(self, whole: Session[Any, Any], game: Game[Any, Any], acts: int) -> None:
        self._whole, self._game, self._acts = whole, game, acts
        super().__init__(Log(MEMORY), whole.header)

    def _take_up(self, number: int, secrets: Sequence[str | None]) -> None:
        del secrets
        session = PastSession(self.log, number, self._whole, self._acts)
        self.referee = Referee(session, self._game)

    def _keep_time(self, spent_s: float = 0.0) -> None:
        """Let no clock run: that time is over."""


class GameCourse(Generic[S, A]):
    """A whole game, finished or not, as a course of steps.

    session: with all of its log.  acts: by step, from 0, how many acts count when it is over; 0 is
    the beginning.
    """

    def __init__(self, session: Session[S, A], game: Game[S, A]) -> None:
        self.session = session
        self.game = game

    @cached_property
    def acts(self) -> tuple[int, ...]:
        """By step, how many acts count; acts that nobody saw belong to the step before."""
        seen = [place for place, act in enumerate(self.session.history.acts) if not act.secret]
        return (*seen, len(self.session.history.acts))

    @property
    def steps(self) -> int:
        """How many steps the game has so far."""
        return len(self.acts) - 1

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end."""
        return self.session.rules.outcome(self.session.state) is not None

    @contextmanager
    def at(self, step: int) -> Iterator[LiveSession]:
        """Give the table as it stood after *step*, from 0 to `steps`; it is closed afterwards."""
        past = PastLiveSession(self.session, self.game, self.acts[step])
        try:
            yield past
        finally:
            past.log.close()


def open_course(log: Log, number: int) -> GameCourse[Any, Any]:
    """Return the course of session *number*; raises LogError if it cannot be read or replayed."""
    name = Header.from_json(log.header(number)).game
    if name not in GAMES:
        raise LogError(f"{log.path}, session {number} is a game of {name}, which is not known here")
    game: Game[Any, Any] = game_of(name)
    return GameCourse(Session(log, number, game), game)


class PastGames:
    """The games of the log by number, the one in play among them.

    A past game never changes, so those that were asked for last are kept.
    """

    def __init__(self, live_session: LiveSession) -> None:
        self._live_session = live_session
        self._kept: OrderedDict[tuple[str, int], GameCourse[Any, Any]] = OrderedDict()

    def course(self, number: int) -> GameCourse[Any, Any]:
        """Return game *number*; raises LogError if it cannot be read."""
        live_session = self._live_session
        if number == live_session.session.number:
            return GameCourse(live_session.session, live_session.game)
        key = (live_session.log.path, number)
        if key not in self._kept:
            self._kept[key] = open_course(live_session.log, number)
        self._kept.move_to_end(key)
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]


def _entries_until(whole: Session[Any, Any], acts: int) -> list[Entry]:
    """Return the entries that came before the act after *acts*, each round with its last scoring.

    A move that was corrected later has counted as it does now from the beginning.
    """
    later = whole.history.acts[acts:]
    kept = whole.entries[: later[0].seq - 1] if later else whole.entries
    last = whole.scorings
    return [
        Entry(entry.seq, entry.at, last[entry.event.round])
        if isinstance(entry.event, RoundScored)
        else entry
        for entry in kept
    ]
