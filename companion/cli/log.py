"""`tiki log check` verifies a log; `tiki log recover` saves what is left of a damaged one."""

import argparse
from collections.abc import Iterator
from pathlib import Path

from companion.cli.failure import Failure
from companion.config import BadConfig, load_config, log_path
from companion.session.log import LogError
from companion.session.recovery import check, recover
from companion.session.salvage import Salvage


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command with its two parts to *commands*."""
    parser = commands.add_parser(
        "log",
        help="check a file of saved games, or save what is left of a damaged one",
        description="Checks the file in which games are saved, or writes what is left of a damaged"
        " one to a new file. Stop the companion first.",
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
    recovering.add_argument("new", type=Path, metavar="NEW", help="a file that is not there yet")
    recovering.set_defaults(run=run_recover)


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
