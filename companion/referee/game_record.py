"""Game records: a whole game as lines of JSON, to keep, to send to others and to take back in.

docs/game-record.md has the format. A record holds what everyone may know; the full record of a
finished game also what only one seat knew.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import msgspec

from companion import __version__
from companion.referee.bookkeeping import result_of
from companion.referee.game import Game
from companion.referee.known_secrets import has_known_secrets
from companion.referee.notices import Result, notice_to_json
from companion.referee.past import GameCourse
from companion.rules.base import RulesError
from companion.session.events import (
    ChanceObserved,
    Entry,
    Event,
    MoveAccepted,
    MoveCorrected,
    MoveResolved,
    MoveUndone,
    SecretEntered,
    SessionClosed,
    TurnTimed,
    event_to_json,
    public_json,
)
from companion.session.history import History, ReplayError
from companion.session.session import Header

S = TypeVar("S")
A = TypeVar("A")

VERSION: Final = 1
_REFERS: Final = {"undo": "undone", "resolved": "settles", "corrected": "corrects"}


class RecordHeader(
    msgspec.Struct, frozen=True, tag_field="type", tag="game", forbid_unknown_fields=True
):
    """The first line of a record: who played what, and by which options.

    version: of the format.  companion: the version that wrote it.
    players, options, setup, sides, bearings_deg, colours: as in the log's header; what of a set-up
    only one seat knew is left out unless the record is full.
    opened_at: when the game began, ISO 8601 in UTC.
    full: whether it also has what only one seat knew.
    complete: whether the game can be played again from it; without hidden cards that the companion
        knew, it may not be.
    """

    version: int
    companion: str
    game: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    setup: Mapping[str, Any]
    opened_at: str
    sides: tuple[str, ...] = ()
    bearings_deg: tuple[float, ...] = ()
    colours: tuple[str, ...] = ()
    full: bool = False
    complete: bool = True


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A record in parts.

    entries: numbered from 1 without gaps.  result: see `bookkeeping.result_of`.
    """

    header: RecordHeader
    entries: tuple[Entry, ...]
    result: Result
    show: Callable[[Entry], Mapping[str, Any]]

    def lines(self) -> Iterator[dict[str, Any]]:
        """Yield the record line by line: the header, the entries, the result."""
        yield msgspec.to_builtins(self.header)
        for entry in self.entries:
            yield dict(self.show(entry))
        yield notice_to_json(self.result)


def record_of(course: GameCourse[Any, Any], opened_at: str, *, full: bool = False) -> GameRecord:
    """Return the record of a game; *full*: with what only one seat knew, for a finished game."""
    session, game, known = course.session, course.game, course.session.header
    entries = tuple(_all_entries(session.entries) if full else _open_entries(course))
    setup = {name: known.setup[name] for name in known.setup if full or name in game.open_setup}
    header = RecordHeader(
        VERSION,
        __version__,
        known.game,
        known.players,
        known.options,
        setup,
        opened_at,
        known.sides,
        known.bearings_deg,
        known.colours,
        full=full,
    )
    if not _is_complete(course, header, entries):
        header = msgspec.structs.replace(header, complete=False)
    result = result_of(game, session.state, session.history)
    return GameRecord(header, entries, result, whole if full else public_of(game))


def _is_complete(
    course: GameCourse[S, A], header: RecordHeader, entries: tuple[Entry, ...]
) -> bool:
    """Return whether the game follows from its record as it stands."""
    game, session = course.game, course.session
    try:
        history = follow(game, header, entries)
    except (ReplayError, RulesError):
        return False
    is_same = game.view(history.state) == game.view(session.state)
    return is_same and result_of(game, history.state, history) == result_of(
        game, session.state, session.history
    )


def public_of(game: Game[Any, Any]) -> Callable[[Entry], dict[str, Any]]:
    """Return how entries are shown that everyone may read."""
    return lambda entry: public_json(entry, game.public)


def whole(entry: Entry) -> dict[str, Any]:
    """Return all of *entry*, secrets among it."""
    body = event_to_json(entry.event)
    return {"type": body.pop("type"), "seq": entry.seq, **body, "at": entry.at}


def follow(game: Game[S, A], header: RecordHeader, entries: tuple[Entry, ...]) -> History[S, A]:
    """Return the game that follows from a record; raises RulesError or ReplayError."""
    start = game.rules.initial(len(header.players), header.options, header.setup)
    history = History(game, start)
    history.follow(entries)
    return history


def header_of(header: RecordHeader) -> Header:
    """Return what a session of the recorded game is opened with."""
    return Header(
        game=header.game,
        players=header.players,
        options=header.options,
        setup=header.setup,
        sides=header.sides,
        bearings_deg=header.bearings_deg,
        colours=header.colours,
    )


def _all_entries(entries: list[Entry]) -> Iterator[Entry]:
    """Yield all that happened in the game; that the session was closed is no part of it."""
    return (entry for entry in entries if not isinstance(entry.event, SessionClosed))


def _open_entries(course: GameCourse[S, A]) -> Iterator[Entry]:
    """Yield the entries as they would be if the companion had known no secret."""
    session, game = course.session, course.game
    header, numbers, count = session.header, dict[int, int](), 0
    start = session.rules.initial(len(header.players), header.options, header.setup)
    history = History(game, start)
    knows = has_known_secrets(game, session.history)
    for entry in session.entries:
        before = history.state
        if knows:
            history.take(entry)
        event = _open_event(game, entry.event, numbers)
        if event is None:
            continue
        shown: tuple[str, ...] = ()
        if knows and isinstance(entry.event, MoveAccepted | ChanceObserved):
            action = session.rules.parse_action(entry.event.action)
            shown = tuple(map(session.rules.format_action, game.disclosed(before, action)))
        numbers[entry.seq] = count + 1
        for count, each in enumerate(_with_shown(event, shown), start=count + 1):  # noqa: B020
            yield Entry(count, entry.at, each)


def _with_shown(event: Event, shown: tuple[str, ...]) -> Iterator[Event]:
    """Yield *event* and after it what it has shown; the table is the one after all of it."""
    if not shown or not isinstance(event, MoveAccepted | ChanceObserved):
        yield event
        return
    yield msgspec.structs.replace(event, table=None, also=())
    for place, action in enumerate(shown, start=1):
        table = event.table if place == len(shown) else None
        yield ChanceObserved(action, event.frame, event.by, table=table)


def _open_event(game: Game[Any, Any], event: Event, numbers: Mapping[int, int]) -> Event | None:
    """Return *event* as everyone may read it, None if there is nothing to read.

    numbers: the number in the record of each entry so far that is in it, by that in the log.
    """
    match event:
        case SecretEntered() | SessionClosed():
            return None
        case TurnTimed(entry=seq):
            return msgspec.structs.replace(event, entry=numbers[seq]) if seq in numbers else None
        case MoveUndone() | MoveResolved() | MoveCorrected():
            name = _REFERS[event.type]
            meant = getattr(event, name)
            later = [new for old, new in numbers.items() if old >= meant]
            if not later:
                return None
            changed = {name: later[0], "action": game.public(event.action)}
            return msgspec.structs.replace(event, **changed)
        case MoveAccepted() | ChanceObserved():
            action = game.public(event.action)
            try:
                game.rules.parse_action(action)
            except RulesError:  # a hand that was named: all that is open of it is that it was
                return None
            also = tuple(dict.fromkeys(map(game.public, event.also)))
            return msgspec.structs.replace(
                event, action=action, also=tuple(each for each in also if each != action)
            )
    return event
