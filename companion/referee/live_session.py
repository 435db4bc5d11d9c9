"""The session in play with its log, its referee, and the feed that publishes both."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from companion.language.message import say, say_count
from companion.listeners import Listeners
from companion.referee.countdown import Countdown, clock_words, phase_began, spent_s
from companion.referee.facts import TimeFact, TowerFact
from companion.referee.feed import Feed, Position
from companion.referee.game import Game, People, Table
from companion.referee.intention import Intention
from companion.referee.notices import Notice, Waiting, notice_to_json
from companion.referee.referee import Referee
from companion.referee.transient_notices import TransientNotice
from companion.referee.turn_clock import TurnClock, TurnTimes
from companion.registry import GAMES, game_of
from companion.session.events import Entry, SessionClosed, public_json
from companion.session.log import Log, LogError
from companion.session.session import Header, Session
from vision.observation import Observation

PAUSED: Final = TransientNotice("paused", words=say("Paused: sensors and camera are ignored"))
NOT_SAVED: Final = "not_saved"
"""The reason to wait while the log cannot be written: nothing new counts until it can."""
_NOT_SAVED: Final = Waiting(None, NOT_SAVED, say("The game cannot be saved"))
SHOWN_AGAIN_S: Final = 10
"""Pages count a turn's seconds themselves, and are told so often how many there are."""
HURRY_S: Final = 10
"""So many seconds before its end a timed game tells everyone to hurry."""


class LiveSession:
    """One table and what is played at it; resumes an unfinished session of the same log.

    transient_notice: what happens right now, None most of the time.  paused: whether what is seen
    and sensed is ignored; what people enter still counts.  countdown: of a game that is timed.
    intention: what the companion means to do for a seat that it plays itself, None for nothing.
    coached: the seats that are given hints.
    turn_clock: of a game whose turns are timed.  turn_limit_s: returns for the game of a name how
    many seconds a turn may last before a gentle sign, 0 for any, None where turns are not timed.
    on_change: tells after everything that may have changed what is shown, if only for a moment.
    on_entry: tells of every entry of the log, of whatever session.
    on_transient_notice: tells of every notice as it begins.
    on_game: tells the name of the game when another session begins.
    on_accepted_frame: tells the name of each picture that shows what the log has, and that table.
    """

    referee: Referee[Any, Any]

    def __init__(
        self,
        log: Log,
        header: Header,
        secrets: Sequence[str | None] = (),
        countdown: Countdown | None = None,
        turn_clock: TurnClock | None = None,
    ) -> None:
        """Take up the unfinished session of *log*, or open one with *header*.

        secrets: by seat, what it enters for itself in the first round.
        Raises LogError.
        """
        self.log = log
        self.feed = Feed()
        self.transient_notice: TransientNotice | None = None
        self.intention: Intention | None = None
        self.coached: frozenset[int] = frozenset()
        self.paused = False
        self.countdown = countdown or Countdown()
        self.turn_clock = turn_clock or TurnClock()
        self.turn_limit_s: Callable[[str], int | None] = lambda _game: None
        self._ticked: int | None = None
        self._turn_ticked = 0
        self.on_change: Listeners[[]] = Listeners()
        self.on_entry: Listeners[Entry] = Listeners()
        self.on_transient_notice: Listeners[TransientNotice] = Listeners()
        self.on_game: Listeners[str] = Listeners()
        self.on_accepted_frame: Listeners[str, Table] = Listeners()
        self._troubles: dict[str, str] = {}
        number = log.unfinished()
        self.resumed = number is not None
        with log.transaction():
            if number is None:
                number = log.open_session(header.to_json())
            same = Header.from_json(log.header(number)) == header
            self._take_up(number, secrets if same else ())
        self._keep_time(spent_s(self.session, self.game))
        log.on_trouble = self._report_log
        log.on_moved = partial(self.report, "the log's file")

    @property
    def session(self) -> Session[Any, Any]:
        """The session in play."""
        return self.referee.session

    @property
    def game(self) -> Game[Any, Any]:
        """The game in play."""
        return self.referee.game

    @property
    def header(self) -> Header:
        """What the session in play was opened with."""
        return self.session.header

    @property
    def has_tower(self) -> bool:
        """Whether the game has a tower that may fall, and is told of it."""
        still, people = TowerFact("still"), People(self.header.players)
        return self.game.on_fact(self.session.state, still, people) is not None

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with devices at this moment, each in one line with its remedy."""
        return tuple(self._troubles.values())

    @property
    def waiting(self) -> Waiting | None:
        """What is waited for: that the log can be written, else what the referee waits for."""
        return _NOT_SAVED if self.log.trouble else self.referee.waiting

    def observe(self, observation: Observation) -> None:
        """Let the referee judge *observation*, unless the game is paused.  Raises LogError."""
        if not self.paused:
            self.referee.observe(observation)
            self.changed()

    def pause(self) -> None:
        """Ignore what is seen and sensed from now on, or no longer."""
        self.paused = not self.paused
        self._show(PAUSED if self.paused else None)
        self.changed()

    def tick(self) -> None:
        """Tell how the time goes in a timed game; called about twice a second.

        Raises LogError or RulesError, and the next call tries once more.
        """
        self._tick_turn()
        left = self.countdown.seconds_left
        if left is None or not self.countdown.is_running or left == self._ticked:
            return
        if left == 0:
            self.referee.on_fact(TimeFact())
        elif left <= HURRY_S:
            self._show(
                TransientNotice(
                    "countdown",
                    seconds_left=left,
                    words=say_count("{number} second left", "{number} seconds left", left),
                )
            )
        self._ticked = left
        self.changed()

    def _tick_turn(self) -> None:
        """Tell how long a turn takes, and give a sign once if that is longer than was wanted."""
        times, seat = self.turn_times, self.game.expected(self.session.state)
        if times is None or not times.is_running or seat is None:
            return
        if self.turn_clock.is_overdue(self.session, self.game):
            name, limit = self.header.players[seat], clock_words(times.limit_s)
            words = say("{player} has had {time}", player=name, time=limit)
            self.show(TransientNotice("slow", (seat,), words=words))
        elif times.turn_s // SHOWN_AGAIN_S != self._turn_ticked:
            self._turn_ticked = times.turn_s // SHOWN_AGAIN_S
            self.changed()

    @property
    def turn_times(self) -> TurnTimes | None:
        """How long each seat has had its turn, None where turns are not timed."""
        return self.turn_clock.times(self.session, self.game)

    def show(self, transient_notice: TransientNotice) -> None:
        """Show *transient_notice* until another replaces it."""
        self._show(transient_notice)
        self.changed()

    def mean(self, intention: Intention | None) -> None:
        """Let *intention* be what the companion means to do."""
        if intention != self.intention:
            self.intention = intention
            self.changed()

    def forget(self, transient_notice: TransientNotice) -> None:
        """End *transient_notice*, if it is not over already."""
        if self.transient_notice is transient_notice:
            self._show(None)
            self.changed()

    def report(self, device: str, trouble: str) -> None:
        """Keep what is wrong with *device*; "" says that all is well again."""
        self._troubles.pop(device, None)
        if trouble:
            prefix = f"{device}: "
            if not trouble.startswith(prefix):
                trouble = say("{device}: {trouble}", device=device, trouble=trouble)
            self._troubles[device] = trouble
        self.changed()

    def renew(self, header: Header, reason: str, secrets: Sequence[str | None] = ()) -> None:
        """Put the session in play away and open another with *header*.

        Raises LogError, and nothing has changed then.
        """
        with self._putting_away(reason):
            self._take_up(self.log.open_session(header.to_json()), secrets)

    def resume(
        self,
        number: int,
        reason: str,
        *,
        reopen: bool = False,
        computers: Sequence[str] | None = None,
    ) -> None:
        """Put the session in play away and go on with session *number*, in a session of its own.

        So the log has one order, and whoever follows it is told all entries of the game again.
        reopen: what ended it is taken back, as an entry of its own.  computers: see `Header`; None
        for those of before.
        Raises ReplayError if there is nothing to take back, LogError; nothing has changed then.
        """
        header = replace(Header.from_json(self.log.header(number)), resumes=number)
        if computers is not None:
            header = replace(header, computers=tuple(computers) if any(computers) else ())

        def publish(entries: Sequence[Entry]) -> None:
            for entry in entries:
                self.feed.publish(public_json(entry, self.game.public), self.session.number)

        with self._putting_away(reason):
            self._take_up(self.log.copy_session(number, header.to_json()), ())
            self.log.when_written(partial(publish, tuple(self.session.entries)))
            if reopen:
                self.referee.undo()

    def rename_players(self, rename: Callable[[Sequence[str]], Sequence[str]]) -> None:
        """Give the players of all games other names, and let the old ones be gone from the log.

        rename: returns the names of one game's players, by seat.
        Raises LogError, and nothing has changed then.
        """
        self.log.rewrite_headers(partial(_renamed, rename))
        self.session.header = Header.from_json(self.log.header(self.session.number))
        self.feed.forget_notices()
        self.referee.say_anew()
        self.changed()

    @contextmanager
    def _putting_away(self, reason: str) -> Iterator[None]:
        """Put the session in play away for the one that is taken up meanwhile, or for none."""
        before = self.referee

        def put_back() -> None:
            self.referee = before

        with self.log.transaction(put_back):
            self.session.append(SessionClosed(reason))
            yield
            self.log.when_written(self._begin)

    def changed(self) -> None:
        """Tell whoever shows the table that it may look different now."""
        self._keep_time()
        self.on_change.tell()

    def _take_up(self, number: int, secrets: Sequence[str | None]) -> None:
        """Take up session *number*, and enter those *secrets* of its first round that it lacks."""
        name = Header.from_json(self.log.header(number)).game
        if name not in GAMES:
            raise LogError(
                f"{self.log.path} holds a game of {name}, which this version does not support;"
                " choose another file for the log"
            )
        game: Game[Any, Any] = game_of(name)
        session: Session[Any, Any] = Session(self.log, number, game)
        session.on_entry.add(partial(self._publish_entry, game, number))
        newest = session.entries[-1].at if session.entries else ""
        position = Position(number, len(session.entries))
        self.log.when_written(partial(self.feed.begin, position, newest))
        told = self.on_accepted_frame.tell
        self.referee = Referee(session, game, self._publish_notice, self._show, told)
        known = {seat for round_number, seat in session.history.secrets if round_number == 1}
        if game.round_number(session.state) == 1:
            for seat, action in enumerate(secrets):
                if action and seat not in known:
                    self.referee.enter_secret(seat, action)

    def _begin(self) -> None:
        """Let everyone know that another session has begun."""
        self.paused = False
        self._show(None)
        self._keep_time(spent_s(self.session, self.game))
        self._ticked = self.countdown.seconds_left  # a time that was up does not end it again
        self.changed()
        self.on_game.tell(self.header.game)

    def _keep_time(self, spent_s: float = 0.0) -> None:
        """Let the clock follow the game; *spent_s* as for `Countdown.follow`."""
        self.countdown.follow(
            self.game.time_limit_s(self.session.state),
            paused=self.paused,
            phase=(self.session.number, phase_began(self.session, self.game)),
            spent_s=spent_s,
        )
        self._time_turns()

    def _time_turns(self) -> None:
        """Let the turn clock follow the game, and log what it says of the newest acts."""
        stands = self.paused or bool(self.log.trouble) or self.referee.question is not None
        limit_s = self.turn_limit_s(self.game.name)
        timed = self.turn_clock.follow(self.session, self.game, limit_s, stands=stands)
        if timed and not self.log.trouble:
            with suppress(LogError), self.session.together():  # which all pages show
                for each in timed:
                    self.session.append(each)

    def _show(self, transient_notice: TransientNotice | None) -> None:
        if transient_notice is None and self.paused:
            transient_notice = PAUSED
        self.transient_notice = transient_notice
        if transient_notice is not None:
            self.feed.publish(transient_notice.to_json())
            self.on_transient_notice.tell(transient_notice)

    def _report_log(self, trouble: str) -> None:
        """Let everyone know that nothing can be saved, or that it can again."""
        if trouble:
            self._publish_notice(_NOT_SAVED)
            trouble += "; then the game goes on by itself"
        self.report("the log", trouble)

    def _publish_entry(self, game: Game[Any, Any], number: int, entry: Entry) -> None:
        self.feed.publish(public_json(entry, game.public), number)
        self.on_entry.tell(entry)

    def _publish_notice(self, notice: Notice) -> None:
        self.feed.publish(notice_to_json(notice))


def _renamed(rename: Callable[[Sequence[str]], Sequence[str]], text: str) -> str:
    """Return the header *text* with other names; one that cannot be read stays as it is."""
    try:
        header = json.loads(text)
        names = msgspec.convert(header["players"], list[str])
    except (ValueError, KeyError, TypeError, RecursionError):
        return text
    return json.dumps({**header, "players": list(rename(names))})
