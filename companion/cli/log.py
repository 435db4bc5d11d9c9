"""`tiki log`: a log is verified, saved from damage or rid of old games; records come and go."""

import argparse
import contextlib
import json
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from companion.cli.failure import Failure
from companion.config import BadConfig, frames_folder, load_config, log_path
from companion.referee.game_record import record_of
from companion.referee.past import open_course
from companion.referee.record_reading import MAX_BYTES, BadRecord, import_record, read_record
from companion.session.log import Log, LogError
from companion.session.log_errors import is_there
from companion.session.pruning import find_old, prune
from companion.session.recovery import check, recover
from companion.session.salvage import Salvage


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command with its two parts to *commands*."""
    parser = commands.add_parser(
        "log",
        help="check saved games, save what is left of damaged ones, export, import, remove them",
        description="Checks the file in which games are saved, writes what is left of a damaged"
        " one to a new file, exports and imports games, and removes old ones. Stop the companion"
        " first.",
    )
    parts = parser.add_subparsers(metavar="COMMAND", required=True)
    checking = parts.add_parser(
        "check",
        help="verify every checksum of a log; tiki run does that each time it starts",
        description="Verifies every checksum of a log, as tiki run does each time it starts.",
    )
    checking.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help="default: the one that tiki run uses"
    )
    checking.add_argument(
        "--config", type=Path, metavar="FILE", help="the settings that tiki run is started with"
    )
    checking.set_defaults(run=run_check)
    recovering = parts.add_parser(
        "recover",
        help="write what can be read of a damaged log to a new file",
        description="Writes what can be read of a damaged log to a new file, and says what was"
        " saved and what was not. The damaged file stays as it is.",
    )
    recovering.add_argument("file", type=Path, metavar="FILE", help="the damaged log")
    recovering.add_argument("new", type=Path, metavar="NEW", help="a new file")
    recovering.set_defaults(run=run_recover)
    _add_record_parsers(parts)
    pruning = parts.add_parser(
        "prune",
        help="remove old games: tiki log prune --before 2026-01-01",
        description="Lists the games that began before a day; with --delete it removes them and"
        " their kept pictures. The newest game and the one in progress always stay. Removed games"
        " are gone from past games and statistics too, so run tiki backup first to keep them.",
    )
    pruning.add_argument(
        "--before", type=_day, required=True, metavar="DATE", help="a day, such as 2026-01-31"
    )
    pruning.add_argument("--delete", action="store_true", help="remove them, do not just list them")
    _add_places(pruning)
    pruning.set_defaults(run=run_prune)


def _day(text: str) -> str:
    """Return *text* if it is a day; raises ArgumentTypeError."""
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no day; write it like 2026-01-31") from None


def _add_places(part: argparse.ArgumentParser) -> None:
    part.add_argument("--config", type=Path, metavar="FILE", help="the settings of tiki run")
    part.add_argument(
        "--log", type=Path, metavar="FILE", help="the saved games; default: those of tiki run"
    )


def _add_record_parsers(parts: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    exporting = parts.add_parser(
        "export",
        help="print a game as a record of JSON lines: tiki log export 12 > game.jsonl",
        description="Prints a game as lines of JSON, as docs/game-record.md has them. It holds what"
        " everyone at the table may know.",
    )
    exporting.add_argument(
        "session", type=int, nargs="?", metavar="SESSION", help="its number; default: the newest"
    )
    exporting.add_argument(
        "--full",
        action="store_true",
        help="of a finished game, also the hidden cards and ranks that the companion knew",
    )
    exporting.set_defaults(run=run_export)
    importing = parts.add_parser(
        "import",
        help="add a game from a record to the past games",
        description="Plays the game of a record again by the rules and adds it to the past games. A"
        " damaged record is refused with the line where the damage is.",
    )
    importing.add_argument("record", type=Path, metavar="FILE", help="a record")
    importing.set_defaults(run=run_import)
    for part in (exporting, importing):
        _add_places(part)


def run_check(arguments: argparse.Namespace) -> int:
    """Check a log, and print how much it holds."""
    try:
        file = arguments.file or log_path(load_config(arguments.config))
        print(f"{file}: {check(file)}, undamaged")
    except (BadConfig, LogError) as error:
        raise Failure(str(error)) from None
    return 0


def run_recover(arguments: argparse.Namespace) -> int:
    """Recover a log, and print what was saved and what was not."""
    try:
        found = recover(arguments.file, arguments.new)
    except LogError as error:
        raise Failure(str(error)) from None
    print(f"{arguments.new}: {found.extent} saved")
    for line in _losses(found):
        print(line)
    print(f"{arguments.file} is as it was. To play on: tiki run --log {arguments.new}")
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    """Print the record of a game."""
    try:
        path = _log_of(arguments)
        if not is_there(path):
            raise Failure(
                f"there is no {path}, so no game has been saved there; name it with --log"
            )
        with Log(path, is_changed=False) as log:
            opened = log.opened()
            number = max(opened, default=0) if arguments.session is None else arguments.session
            if number not in opened:
                raise Failure(_no_game(path, arguments.session, len(opened)))
            course = open_course(log, number)
            if arguments.full and not course.is_over:
                raise Failure(f"game {number} is not finished; leave --full out")
            record = record_of(course, opened[number], full=arguments.full)
    except (BadConfig, LogError) as error:
        raise Failure(str(error)) from None
    for line in record.lines():
        print(json.dumps(line, ensure_ascii=False))
    return 0


def _no_game(path: Path, asked: int | None, count: int) -> str:
    if asked is None:
        return f"no game has been saved in {path} yet"
    games = "1 game" if count == 1 else f"{count} games"
    return f"there is no game {asked} in {path}; it has {games}, numbered from 1"


def run_import(arguments: argparse.Namespace) -> int:
    """Add the game of a record to the log."""
    source = arguments.record
    try:
        with source.open("rb") as file:
            record = read_record(file.read(MAX_BYTES + 1))
        path = _log_of(arguments)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with Log(path) as log:
            number = import_record(log, record)
    except BadRecord as error:
        raise Failure(f"{source}, {error}") from None
    except (BadConfig, LogError) as error:
        raise Failure(str(error)) from None
    except OSError as error:
        raise Failure(f"{source} cannot be read: {error.strerror}") from None
    names = ", ".join(record.header.players)
    print(f"{path}: game {number} was added: {record.header.game}, {names}")
    return 0


def run_prune(arguments: argparse.Namespace) -> int:
    """Say which games are old, and remove them if that is asked for."""
    try:
        path = _log_of(arguments)
        found = (prune if arguments.delete else find_old)(path, arguments.before)
    except (BadConfig, LogError) as error:
        raise Failure(str(error)) from None
    count = len(found.numbers)
    if not count:
        print(f"{path}: no game that can be removed began before {arguments.before}")
        return 0
    games = "1 game" if count == 1 else f"{count} games"
    which = f"{games} of {found.extent.sessions}, begun from {found.oldest[:10]} to"
    if not arguments.delete:
        print(f"{path}: {which} {found.newest[:10]}, can be removed: add --delete")
        print("They would be gone from past games and statistics; tiki backup keeps a copy.")
        return 0
    pictures = _remove_pictures(path, found.numbers)
    kept = f" and {pictures} kept pictures" if pictures else ""
    print(f"{path}: {which} {found.newest[:10]},{kept} removed")
    return 0


def _remove_pictures(log: Path, numbers: Sequence[int]) -> int:
    """Remove the kept pictures of the sessions *numbers*, and return how many there were."""
    count = 0
    for number in numbers:
        for picture in frames_folder(log).glob(f"{number}-*.jpg"):
            with contextlib.suppress(OSError):
                picture.unlink()
                count += 1
    return count


def _log_of(arguments: argparse.Namespace) -> Path:
    """Return the log that is meant; raises BadConfig."""
    return arguments.log or log_path(load_config(arguments.config))


def _losses(found: Salvage) -> Iterator[str]:
    """Yield a line for everything that is known to be lost; what nothing is left of is not."""
    for session in found.sessions:
        saved = len(session.entries)
        if session.is_doubtful:
            yield f"Game {session.number}: its players or options may not be as they were"
        if session.left_out:
            yield (
                f"Game {session.number}: entry {saved + 1} is lost; of those after it,"
                f" {session.left_out} can be read, but not played on from"
            )
    for number, entries in found.headless.items():
        yield f"Game {number}: its players and options are lost; {entries} of its entries are left"
