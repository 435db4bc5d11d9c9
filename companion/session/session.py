"""A session: one game at the table, its log and the game as it stands."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, Generic, Self, TypeVar

import msgspec

from companion.listeners import Listeners
from companion.rules.base import RulesError
from companion.session.events import Entry, Event, MoveCorrected, RoundScored, SecretEntered
from companion.session.history import Folded, History, ReplayError
from companion.session.log import Log, LogError
from companion.validation import find_misfit

S = TypeVar("S")
A = TypeVar("A")

HEADER_VERSION: Final = 1


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a session was opened with; all that a replay needs beside the entries.

    players: names by seat.  sides: where each seat sits ("near", "right", "far", "left"), or ().
    options: every named option of the rules with its value.  setup: see the rules' `initial`.
    bearings_deg: where each seat is, seen from the middle of the mat, in degrees clockwise from its
        top, or () if it follows from the sides.
    colours: which each seat has chosen, "" for none, where the game's own pieces do not say; or ().
    resumes: the number of the session that this one goes on with, 0 for a game from its beginning.
    computers: by seat, the level at which the companion plays it itself, "" for a person; or ().
    """

    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    setup: Mapping[str, Any] = msgspec.field(default_factory=dict)
    sides: tuple[str, ...] = ()
    version: int = HEADER_VERSION
    bearings_deg: tuple[float, ...] = ()
    colours: tuple[str, ...] = ()
    resumes: int = 0
    computers: tuple[str, ...] = ()

    @property
    def computer_seats(self) -> tuple[int, ...]:
        """The seats that the companion plays itself."""
        return tuple(filter(self.is_computer, range(len(self.players))))

    def is_computer(self, seat: int) -> bool:
        """Return whether the companion plays *seat* itself."""
        return bool(self.level_of(seat))

    def level_of(self, seat: int) -> str:
        """Return the level at which the companion plays *seat* itself, "" for a person."""
        return self.computers[seat] if 0 <= seat < len(self.computers) else ""

    def to_json(self) -> dict[str, Any]:
        """Return the header as the log keeps it; without what came later and is not used."""
        found: dict[str, Any] = msgspec.to_builtins(self)
        unused = [name for name in ("colours", "resumes", "computers") if not found[name]]
        return {name: value for name, value in found.items() if name not in unused}

    @classmethod
    def from_json(cls, thing: Mapping[str, Any]) -> Self:
        """Return the header that to_json made *thing* of; raises LogError."""
        version = thing.get("version", HEADER_VERSION)
        if version != HEADER_VERSION:
            raise _not_understood(f"format {version!r}, this version reads {HEADER_VERSION}")
        try:
            return msgspec.convert(thing, cls)
        except msgspec.ValidationError:
            raise _not_understood(find_misfit(cls, thing)) from None


def _not_understood(reason: str) -> LogError:
    return LogError(
        f"the log's newest session has a header that cannot be read ({reason}); use"
        " the version that wrote it, or choose another file for the log"
    )


class Session(Generic[S, A]):
    """The log of one game at the table, and the game that follows from it.

    Every change is an entry. `on_entry` tells of it when it is on the disk, together with all that
    belongs to it.
    """

    def __init__(self, log: Log, number: int, game: Folded[S, A]) -> None:
        """Take up session *number* of *log*; raises LogError if the rules no longer allow it."""
        self.log = log
        self.number = number
        self.rules = game.rules
        self.header = Header.from_json(log.header(number))
        self.entries = log.entries(number)
        self.on_entry: Listeners[Entry] = Listeners()
        try:
            seats = len(self.header.players)
            start = self.rules.initial(seats, self.header.options, self.header.setup)
            self.history = History(game, start)
            self.history.follow(self.entries)
        except (ReplayError, RulesError) as error:
            raise LogError(
                f"{log.path}, session {number} does not replay: {error}; use the version"
                " that wrote it, or choose another file for the log"
            ) from None

    @property
    def state(self) -> S:
        """The game as it stands; where two forms of a move are open, the likelier."""
        return self.history.state

    @property
    def scorings(self) -> dict[int, RoundScored]:
        """By its number, the scoring of each round that counts: the last one.

        A move of an earlier round may have been corrected.
        """
        return {
            entry.event.round: entry.event
            for entry in self.entries
            if isinstance(entry.event, RoundScored)
        }

    @property
    def next_seq(self) -> int:
        """The number that the next entry gets."""
        return len(self.entries) + 1

    def append(self, event: Event) -> Entry:
        """Accept *event*.

        Raises ReplayError if the rules refuse it, LogError if it cannot be written; in both cases
        nothing has changed.
        """
        with self.together():
            trial = self.history.copy()
            trial.take(Entry(self.next_seq, "", event))
            entry = self.log.append(self.number, self.next_seq, event)
            self.entries.append(entry)
            self.history = trial
            self.log.when_written(partial(self.on_entry.tell, entry))
        return entry

    @contextmanager
    def together(self, undo: Callable[[], None] = lambda: None) -> Iterator[None]:
        """Let all that is accepted meanwhile count together, or nothing of it.

        undo: puts back what else has changed; called if nothing counts.  Raises LogError.
        """
        history, known = self.history, len(self.entries)

        def put_back() -> None:
            self.history = history
            del self.entries[known:]
            undo()

        with self.log.transaction(put_back):
            yield

    def correct(self, seq: int, action: str) -> Entry:
        """Put *action* in the place of the move number *seq*, and all later moves on top of it.

        Raises ReplayError if that or a later move is then not legal.
        """
        return self.append(MoveCorrected(seq, action))

    def enter_secret(self, seat: int, number: int, action: str) -> Entry:
        """Keep what *seat* enters for itself in round *number*, from 1; raises ReplayError."""
        return self.append(SecretEntered(seat, number, action))
