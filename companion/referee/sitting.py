"""A sitting: the log, the session in play, its referee, and the feed that tells of them."""

from collections.abc import Callable, Sequence
from typing import Any

from companion.referee.feed import Feed
from companion.referee.notices import Notice, notice_to_json
from companion.referee.referee import Referee
from companion.referee.tables import TABLES
from companion.session.events import Entry, SessionClosed, public_json
from companion.session.log import Log, LogError
from companion.session.session import Header, Session
from vision.sight import Sight


class Sitting:
    """One table and what is played at it; resumes an unfinished session of the same log.

    on_change: called after everything that may have changed what is shown, if only for a moment.
    on_entry: called with every entry of the log, of whatever session.
    """

    def __init__(self, log: Log, header: Header, secrets: Sequence[str | None] = ()) -> None:
        """Take up the unfinished session of *log*, or open one with *header*.

        secrets: by seat, the action that will show its secret of the first round.
        Raises LogError.
        """
        self.log = log
        self.feed = Feed()
        self.on_change: list[Callable[[], None]] = []
        self.on_entry: list[Callable[[Entry], None]] = []
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

    def observe(self, sight: Sight) -> None:
        """Let the referee judge *sight*."""
        self.referee.observe(sight)
        self.changed()

    def renew(self, header: Header, reason: str, secrets: Sequence[str | None] = ()) -> None:
        """Put the session in play away and open another with *header*; raises LogError."""
        self.session.append(SessionClosed(reason))
        self._take_up(self.log.open_session(header.to_json()), secrets)
        self.changed()

    def changed(self) -> None:
        """Tell whoever shows the table that it may look different now."""
        for listener in self.on_change:
            listener()

    def _take_up(self, number: int, secrets: Sequence[str | None]) -> None:
        """Take up session *number*, and enter those *secrets* of its first round that it lacks."""
        self.referee = self._referee(number)
        known = {seat for round_number, seat in self.session.history.secrets if round_number == 1}
        if self.referee.table.round_number(self.session.state) == 1:
            for seat, action in enumerate(secrets):
                if action and seat not in known:
                    self.referee.enter_secret(seat, action)

    def _referee(self, number: int) -> Referee[Any, Any]:
        header = Header.from_json(self.log.header(number))
        if header.game not in TABLES:
            raise LogError(
                f"{self.log.path} holds a game of {header.game}, which this version does not know"
            )
        table = TABLES[header.game]()
        session = Session(self.log, number, table.rules, table.shown)
        session.listeners.append(self._tell_entry)
        return Referee(session, table, self._tell_notice)

    def _tell_entry(self, entry: Entry) -> None:
        self.feed.tell(public_json(entry))
        for listener in self.on_entry:
            listener(entry)

    def _tell_notice(self, notice: Notice) -> None:
        self.feed.tell(notice_to_json(notice))
