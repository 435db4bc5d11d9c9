"""A sitting: the log, the session in play, its referee, and the feed that tells of them."""

from collections.abc import Callable, Sequence
from typing import Any

from companion.referee.arbiter import Arbiter
from companion.referee.feed import Feed
from companion.referee.games import GAMES, SEEN, TOLD
from companion.referee.moments import Moment
from companion.referee.notices import Notice, notice_to_json
from companion.referee.referee import Referee
from companion.referee.scribe import Scribe
from companion.session.events import Entry, SessionClosed, public_json
from companion.session.log import Log, LogError
from companion.session.session import Header, Session
from vision.sight import Sight

PAUSED = Moment("paused", words="Paused: sensors and camera count for nothing")


class Sitting:
    """One table and what is played at it; resumes an unfinished session of the same log.

    moment: what happens right now, None most of the time.  paused: whether what is seen and heard
    counts for nothing; what people tap still does.
    on_change: called after everything that may have changed what is shown, if only for a moment.
    on_entry: called with every entry of the log, of whatever session.
    on_moment: called with every moment as it begins.
    """

    referee: Arbiter

    def __init__(self, log: Log, header: Header, secrets: Sequence[str | None] = ()) -> None:
        """Take up the unfinished session of *log*, or open one with *header*.

        secrets: by seat, the action that will show its secret of the first round.
        Raises LogError.
        """
        self.log = log
        self.feed = Feed()
        self.moment: Moment | None = None
        self.paused = False
        self.on_change: list[Callable[[], None]] = []
        self.on_entry: list[Callable[[Entry], None]] = []
        self.on_moment: list[Callable[[Moment], None]] = []
        self._troubles: dict[str, str] = {}
        number = log.unfinished()
        self.resumed = number is not None
        if number is None:
            number = log.open_session(header.to_json())
        same = Header.from_json(log.header(number)) == header
        self._take_up(number, secrets if same else ())

    @property
    def session(self) -> Session[Any, Any]:
        """The session in play."""
        return self.referee.session

    @property
    def header(self) -> Header:
        """What the session in play was opened with."""
        return self.session.header

    @property
    def scribe(self) -> Scribe[Any, Any] | None:
        """The referee, if it is one that is told; None if it sees the table."""
        return self.referee if isinstance(self.referee, Scribe) else None

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with devices at this moment, each in one line with its remedy."""
        return tuple(self._troubles.values())

    def observe(self, sight: Sight) -> None:
        """Let the referee judge *sight*, if it is one that sees and the game is not paused."""
        if isinstance(self.referee, Referee) and not self.paused:
            self.referee.observe(sight)
            self.changed()

    def pause(self) -> None:
        """Let what is seen and heard count for nothing, or again for something."""
        self.paused = not self.paused
        self._show(PAUSED if self.paused else None)
        self.changed()

    def show(self, moment: Moment) -> None:
        """Tell the table of *moment*."""
        self._show(moment)
        self.changed()

    def forget(self, moment: Moment) -> None:
        """End *moment*, if it is not over already."""
        if self.moment is moment:
            self._show(None)
            self.changed()

    def report(self, device: str, trouble: str) -> None:
        """Keep what is wrong with *device*; "" says that all is well again."""
        self._troubles.pop(device, None)
        if trouble:
            self._troubles[device] = f"{device}: {trouble.removeprefix(f'{device}: ')}"
        self.changed()

    def renew(self, header: Header, reason: str, secrets: Sequence[str | None] = ()) -> None:
        """Put the session in play away and open another with *header*; raises LogError."""
        self.session.append(SessionClosed(reason))
        self.paused = False
        self._show(None)
        self._take_up(self.log.open_session(header.to_json()), secrets)
        self.changed()

    def changed(self) -> None:
        """Tell whoever shows the table that it may look different now."""
        for listener in self.on_change:
            listener()

    def _take_up(self, number: int, secrets: Sequence[str | None]) -> None:
        """Take up session *number*, and enter those *secrets* of its first round that it lacks."""
        self.referee = self._referee(number)
        if not isinstance(self.referee, Referee):
            return
        known = {seat for round_number, seat in self.session.history.secrets if round_number == 1}
        if self.referee.table.round_number(self.session.state) == 1:
            for seat, action in enumerate(secrets):
                if action and seat not in known:
                    self.referee.enter_secret(seat, action)

    def _referee(self, number: int) -> Arbiter:
        game = Header.from_json(self.log.header(number)).game
        if game not in GAMES:
            raise LogError(
                f"{self.log.path} holds a game of {game}, which this version does not know"
            )
        table = GAMES[game]()
        session: Session[Any, Any] = Session(self.log, number, table.rules, table.shown)
        session.listeners.append(self._tell_entry)
        if game in TOLD:
            return Scribe(session, TOLD[game](), self._tell_notice, self._show)
        return Referee(session, SEEN[game](), self._tell_notice)

    def _show(self, moment: Moment | None) -> None:
        if moment is None and self.paused:
            moment = PAUSED
        self.moment = moment
        if moment is not None:
            self.feed.tell(moment.to_json())
            for listener in self.on_moment:
                listener(moment)

    def _tell_entry(self, entry: Entry) -> None:
        self.feed.tell(public_json(entry))
        for listener in self.on_entry:
            listener(entry)

    def _tell_notice(self, notice: Notice) -> None:
        self.feed.tell(notice_to_json(notice))
