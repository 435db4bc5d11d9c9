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
    """

    def __init__(self, log: Log, header: Header, secrets: Sequence[str | None] = ()) -> None:
        """Take up the unfinished session of *log*, or open one with *header*.

        secrets: by seat, the action that will show a new session's secret of the first round.
        Raises LogError.
        """
        self.log = log
        self.feed = Feed()
        self.on_change: list[Callable[[], None]] = []
        number = log.unfinished()
        self.resumed = number is not None
        if number is None:
            self._open(header, secrets)
        else:
            self.referee = self._referee(number)

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
        self._open(header, secrets)
        self.changed()

    def changed(self) -> None:
        """Tell whoever shows the table that it may look different now."""
        for listener in self.on_change:
            listener()

    def _open(self, header: Header, secrets: Sequence[str | None]) -> None:
        self.referee = self._referee(self.log.open_session(header.to_json()))
        for seat, action in enumerate(secrets):
            if action:
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

    def _tell_notice(self, notice: Notice) -> None:
        self.feed.tell(notice_to_json(notice))
