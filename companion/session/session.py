"""A session: one sitting at the table, its log and the game as it stands."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Generic, Self, TypeVar

from companion.rules.base import Rules
from companion.session.events import Entry, Event, MoveCorrected, MoveUndone, SecretEntered
from companion.session.history import History, ReplayError
from companion.session.log import Log, LogError

S = TypeVar("S")
A = TypeVar("A")

HEADER_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Header:
    """What a session was opened with; all that a replay needs beside the entries.

    players: names by seat.  sides: where each seat sits ("near", "right", "far", "left"), or ().
    options: every named option of the rules with its value.  setup: see the rules' `initial`.
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    setup: Mapping[str, Any] = field(default_factory=dict)
    sides: tuple[str, ...] = ()
    version: int = HEADER_VERSION

    def to_json(self) -> dict[str, Any]:
        """Return the header as the log keeps it."""
        return asdict(self)

    @classmethod
    def from_json(cls, thing: Mapping[str, Any]) -> Self:
        """Return the header that to_json made *thing* of; raises LogError."""
        try:
            return cls(
                **{**thing, "players": tuple(thing["players"]), "sides": tuple(thing["sides"])}
            )
        except (TypeError, KeyError) as error:
            raise LogError(f"the session's header cannot be understood: {error}") from None


class Session(Generic[S, A]):
    """The log of one sitting, and the game that follows from it.

    Every change is an entry: on the disk first, then in the game, then told to the listeners.
    """

    def __init__(
        self,
        log: Log,
        number: int,
        rules: Rules[S, A],
        shown: Callable[[S], tuple[str, ...]],
    ) -> None:
        """Take up session *number* of *log*; raises LogError if the rules no longer allow it."""
        self.log = log
        self.number = number
        self.rules = rules
        self.header = Header.from_json(log.header(number))
        start = rules.initial(len(self.header.players), self.header.options, self.header.setup)
        self.entries = log.entries(number)
        self.history = History(rules, start, shown)
        self.listeners: list[Callable[[Entry], None]] = []
        try:
            self.history.follow(self.entries)
        except ReplayError as error:
            raise LogError(f"{log.path}, session {number} does not replay: {error}") from None

    @property
    def state(self) -> S:
        """The game as it stands; where two forms of a move are open, the likelier."""
        return self.history.state

    @property
    def next_seq(self) -> int:
        """The number that the next entry gets."""
        return len(self.entries) + 1

    def append(self, event: Event) -> Entry:
        """Accept *event*.

        Raises ReplayError if the rules refuse it, LogError if it cannot be written; in both cases
        nothing has changed.
        """
        trial = self.history.copy()
        trial.take(Entry(self.next_seq, "", event))
        entry = self.log.append(self.number, self.next_seq, event)
        self.entries.append(entry)
        self.history = trial
        for listener in self.listeners:
            listener(entry)
        return entry

    def undo(self, frame: str | None = None) -> Entry:
        """Take back the newest move; raises ReplayError if there is none."""
        last = self.history.last_move()
        if last is None:
            raise ReplayError("there is no move to take back")
        return self.append(MoveUndone(last.seq, last.forms[0], frame))

    def correct(self, seq: int, action: str) -> Entry:
        """Put *action* in the place of the move number *seq*, and all later moves on top of it.

        Raises ReplayError if that or a later move is then not legal.
        """
        return self.append(MoveCorrected(seq, action))

    def enter_secret(self, seat: int, number: int, action: str) -> Entry:
        """Keep what *seat* will show at the end of round *number*, from 1."""
        return self.append(SecretEntered(seat, number, action))
