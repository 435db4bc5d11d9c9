"""Reading game records: every line is checked, and the whole game is played again by the rules."""

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final, NoReturn

import msgspec

from companion.referee.bookkeeping import result_of
from companion.referee.game import Game
from companion.referee.game_record import (
    VERSION,
    GameRecord,
    RecordHeader,
    header_of,
    public_of,
    whole,
)
from companion.referee.notices import Result, notice_to_json
from companion.registry import GAMES, game_of
from companion.rules.base import RulesError
from companion.session.events import (
    BadEvent,
    Entry,
    MoveAccepted,
    RoundScored,
    SessionClosed,
    TableAdopted,
    event_from_json,
)
from companion.session.history import History, ReplayError
from companion.session.log import Log
from companion.validation import Misfit, convert, find_misfit, one_line

MAX_BYTES: Final = 8 * 1024 * 1024
"""A record of a thousand moves has some 300 kB."""
MAX_NAME_CHARS: Final = 40
IMPORTED: Final = "imported from a game record"
NO_RECORD: Final = "this is not a game record; docs/game-record.md says what one looks like"


class BadRecord(ValueError):
    """A file that is no game record, or a damaged one; one line that says where and why."""


def read_record(data: bytes) -> GameRecord:
    """Return the record in *data*, which the rules have followed from its first line to its last.

    Raises BadRecord.
    """
    if len(data) > MAX_BYTES:
        raise BadRecord(f"line 1: a game record has at most {MAX_BYTES} bytes")
    lines = list(_objects(data))
    if not lines:
        raise BadRecord(f"line 1: it is empty; {NO_RECORD}")
    header = _header(lines[0])
    if not header.complete:
        _refuse(
            1,
            "it leaves out cards or ranks that only some players knew, so it cannot be played"
            " again; ask the host for the full record",
        )
    game = _game(header)
    if len(lines) < 2 or lines[-1].get("type") != Result.type:
        _refuse(len(lines), "the record ends without its result; get the file again")
    history = _start(game, header)
    entries = []
    for number, line in enumerate(lines[1:-1], start=2):
        entry = _entry(line, number)
        _take(game, history, entry, number)
        entries.append(entry)
    result = result_of(game, history.state, history)
    if json.loads(json.dumps(notice_to_json(result))) != lines[-1]:
        _refuse(len(lines), "its result is not what the rules make of the game before it")
    return GameRecord(header, tuple(entries), result, whole if header.full else public_of(game))


def import_record(log: Log, record: GameRecord) -> int:
    """Add the game to *log*, put away as a past one, and return its number; raises LogError."""
    with log.transaction():
        number = log.open_session(header_of(record.header).to_json(), record.header.opened_at)
        for entry in record.entries:
            log.append(number, entry.seq, entry.event, entry.at)
        log.append(number, len(record.entries) + 1, SessionClosed(IMPORTED))
    return number


def _refuse(number: int, reason: object) -> NoReturn:
    raise BadRecord(f"line {number}: {one_line(str(reason))}")


def _objects(data: bytes) -> Iterator[dict[str, Any]]:
    """Yield the JSON object of each line."""
    for number, text in enumerate(data.splitlines(), start=1):
        try:
            found = json.loads(text.decode("utf-8"), parse_constant=_no_number)
        except (ValueError, RecursionError):
            reason = NO_RECORD if number == 1 else "it is not JSON; the file is damaged"
            _refuse(number, reason)
        if not isinstance(found, dict):
            _refuse(number, NO_RECORD if number == 1 else "it is not a JSON object")
        yield found


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _header(line: Mapping[str, Any]) -> RecordHeader:
    if line.get("type") != "game":
        _refuse(1, NO_RECORD)
    version = line.get("version")
    if version != VERSION:
        _refuse(1, f"it is a record of format {version!r}, but this version reads {VERSION}")
    try:
        header = msgspec.convert(line, RecordHeader)
    except msgspec.ValidationError:
        rest = {name: value for name, value in line.items() if name != "type"}
        _refuse(1, find_misfit(RecordHeader, rest))
    _check_time(header.opened_at, "opened_at", 1)
    for name in header.players:
        if not name or len(name) > MAX_NAME_CHARS or not name.isprintable():
            _refuse(1, f"{name!r} is not a player's name")
    return header


def _game(header: RecordHeader) -> Game[Any, Any]:
    if header.game not in GAMES:
        _refuse(1, f"the game {header.game!r} is not known; the known ones: {', '.join(GAMES)}")
    game: Game[Any, Any] = game_of(header.game)
    seats = len(header.players)
    if seats not in game.seats:
        _refuse(1, f"{game.title} is not for {seats} players")
    return game


def _start(game: Game[Any, Any], header: RecordHeader) -> History[Any, Any]:
    try:
        state = game.rules.initial(len(header.players), header.options, header.setup)
    except RulesError as error:
        _refuse(1, error)
    return History(game, state)


def _entry(line: Mapping[str, Any], number: int) -> Entry:
    body = dict(line)
    seq, at = body.pop("seq", None), body.pop("at", None)
    if seq != number - 1 or isinstance(seq, bool):
        _refuse(
            number,
            f"its seq is {seq!r}, not {number - 1}: a line is missing, or there is one too many",
        )
    if body.get("type") in (RoundScored.__struct_config__.tag, TableAdopted.__struct_config__.tag):
        body.setdefault("table", ())  # which the stream leaves out where nothing lies on the table
    try:
        event = event_from_json(body)
    except BadEvent as error:
        _refuse(number, error)
    if isinstance(event, SessionClosed):
        _refuse(number, "a record has no such event")
    return Entry(number - 1, _check_time(at, "at", number), event)


def _check_time(text: object, name: str, number: int) -> str:
    try:
        is_known = datetime.fromisoformat(convert(name, str, text)).tzinfo is not None
    except (Misfit, ValueError):
        is_known = False
    if not is_known:
        _refuse(number, f"{name} is {text!r}; it must be a time like 2026-01-31T20:15:00.000+00:00")
    return str(text)


def _take(game: Game[Any, Any], history: History[Any, Any], entry: Entry, number: int) -> None:
    event = entry.event
    try:
        if isinstance(event, MoveAccepted):
            seat = game.actor(history.state, game.rules.parse_action(event.action))
            seats = range(len(game.scores(history.state)))
            if event.seat not in seats or seat not in (None, event.seat):
                _refuse(number, f"seat {event.seat} could not do that then")
        history.take(entry)
    except BadRecord:
        raise
    except (RulesError, ReplayError) as error:
        _refuse(number, error)
    except Exception as error:  # noqa: BLE001 - the rules trust a log, and this may be any file
        _refuse(number, f"the rules cannot follow it ({type(error).__name__})")
    if isinstance(event, RoundScored) and event != game.last_round(history.state):
        _refuse(number, "those are not the points that the rules give for that round")
