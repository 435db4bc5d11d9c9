"""`tiki pico install|update|status`: the firmware of the Pico in the idol's foot."""

import argparse
import json
import shlex
import shutil
import textwrap
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Final

from companion.cli.failure import Failure
from companion.config import BadConfig, Config, load_config, pin_plan
from firmware.version import VERSION
from firmware.wire import PROTOCOL
from hardware.device import HardwareError
from hardware.pico.bootloader import find_waiting, put_circuitpython
from hardware.pico.condition import NO_DRIVE, Condition, examine
from hardware.pico.drive import BOARDS, CIRCUITPY, BadDrive, Volume, Volumes, read_board
from hardware.pico.greeting import find_ports, restart
from hardware.pico.installation import Report, install, read_manifest
from hardware.pico.ports import NoPico
from hardware.pico.release import Wiring, released_files
from hardware.pico.session import Settled
from hardware.pico.troubles import REPLUG

STEPS: Final = """\
The first time:
  1. Download CircuitPython for your board, a file that ends in .uf2:
     https://circuitpython.org/board/raspberry_pi_pico/  (or _pico_w, _pico2, _pico2_w)
  2. Unplug the Pico, hold its BOOTSEL button down, plug it in, let go.
  3. ./run pico install --config tiki.toml --circuitpython FILE.uf2
  4. Unplug the Pico and plug it in again.
  5. ./run pico status --config tiki.toml
After a new version of the companion, or a change of your wires:
     ./run pico update --config tiki.toml
"""
_INDENT: Final = 13
_MAX_WIDTH_CHARS: Final = 100


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "pico",
        help="put the firmware onto the Pico in the idol's foot, or see how it is",
        description="Puts the companion's firmware onto a Raspberry Pi Pico and keeps it up to"
        " date.\nFiles on it that are not the companion's are never lost.",
        epilog=STEPS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    words = parser.add_subparsers(metavar="WORD", required=True)
    _add_words(words)


def _add_words(words: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    put = words.add_parser(
        "install",
        help="put the firmware, your wiring and Adafruit's library onto the Pico",
        description="Writes what the Pico lacks, and nothing else.\nIf it was interrupted, run it"
        " again.",
        epilog=STEPS,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    renew = words.add_parser(
        "update",
        help="bring the firmware and the wiring that are on the Pico up to date",
        description="Writes what has changed, in the firmware or in your wires, and restarts the"
        " Pico.",
    )
    see = words.add_parser(
        "status",
        help="say what is on the Pico, and what to do next",
        description="Looks at the Pico and changes nothing. Exit status 1 if something is to be"
        " done.",
    )
    put.add_argument(
        "--circuitpython",
        type=Path,
        metavar="FILE.uf2",
        help="CircuitPython, for a Pico in its bootloader (BOOTSEL held while it was plugged in)",
    )
    see.add_argument("--json", action="store_true", help="one JSON object for programs")
    for each, run in ((put, run_install), (renew, run_update), (see, run_status)):
        each.add_argument(
            "--config", type=Path, metavar="FILE", help="the settings, which name the wires"
        )
        each.add_argument(
            "--drive",
            type=Path,
            metavar="DIR",
            help=f"the folder of the Pico's drive, {CIRCUITPY}, where it is not found by itself",
        )
        each.set_defaults(run=run)


def run_install(arguments: argparse.Namespace) -> int:
    """Put the firmware onto the Pico."""
    return _put(arguments, _drive)


def run_update(arguments: argparse.Namespace) -> int:
    """Renew the firmware on the Pico, if it is ours."""
    return _put(arguments, _existing_drive, is_update=True)


def _put(
    arguments: argparse.Namespace,
    find: Callable[[argparse.Namespace, Volumes], Volume],
    *,
    is_update: bool = False,
) -> int:
    config = _config(arguments.config)
    wiring = _required_wiring(config, arguments.config)
    volumes = Volumes()
    try:
        files = released_files(wiring)
        with volumes.opened(find(arguments, volumes)) as folder:
            if is_update and not read_manifest(folder).version:
                read_board(folder)
                raise BadDrive(
                    f"the drive {folder} has no firmware of the companion yet; put it there:"
                    f" ./run pico install{_words(arguments.config)}"
                )
            report = _install(folder, files)
    except HardwareError as error:
        raise Failure(str(error)) from None
    _tell(report)
    _restart(config, report)
    return 0


def run_status(arguments: argparse.Namespace) -> int:
    """Say how the Pico is; return 1 if something is to be done."""
    config = _config(arguments.config)
    wiring = _wiring(config) if config.pins.board == "pico" else None
    found = examine(Volumes(), wiring, arguments.drive, config.pins.port)
    words = _words(arguments.config)
    if arguments.json:
        print(json.dumps(found.to_json(words)))
    else:
        width = min(shutil.get_terminal_size((80, 24)).columns, _MAX_WIDTH_CHARS)
        for name, text in _lines(found):
            print(_fill(f"{name:<{_INDENT}}{text}", width))
        step = found.next_step(words)
        print()
        print(_fill(f"Next: {step}" if step else "Nothing to do.", width, indent=0))
    return int(bool(found.next_step(words)))


def _fill(text: str, width: int, indent: int = _INDENT) -> str:
    """Return *text* as lines of at most *width* letters; what is to be typed is never cut."""
    return textwrap.fill(
        text,
        width,
        subsequent_indent=" " * indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def _config(path: Path | None) -> Config:
    try:
        return load_config(path)
    except (BadConfig, HardwareError) as error:
        raise Failure(str(error)) from None


def _wiring(config: Config) -> Wiring:
    return Wiring.of(pin_plan(config), config.lights.lights)


def _required_wiring(config: Config, path: Path | None) -> Wiring:
    if path is None:
        raise Failure("your wires are taken from your settings file; name it: --config tiki.toml")
    if config.pins.board != "pico":
        raise Failure(
            f'{path} has its wires on the header; for a Pico write board = "pico" under [pins]'
        )
    return _wiring(config)


def _words(path: Path | None) -> str:
    return f" --config {shlex.quote(str(path or 'tiki.toml'))}"


def _drive(arguments: argparse.Namespace, volumes: Volumes) -> Volume:
    """Return CIRCUITPY, after CircuitPython was put onto the Pico if that is wanted."""
    if arguments.circuitpython is None:
        return _existing_drive(arguments, volumes)
    print(f"Copying {arguments.circuitpython.name} to the Pico, which takes up to a minute ...")
    return put_circuitpython(arguments.circuitpython, volumes, arguments.drive)


def _existing_drive(arguments: argparse.Namespace, volumes: Volumes) -> Volume:
    if arguments.drive is not None:
        return Volume(Path("DEVICE"), arguments.drive)
    volume = volumes.find(CIRCUITPY)
    if volume is None:
        waiting = find_waiting(volumes)
        raise BadDrive(waiting.next_step if waiting else NO_DRIVE)
    return volume


def _install(folder: Path, files: Mapping[str, bytes]) -> Report:
    board = read_board(folder)
    if board.trouble:
        raise BadDrive(board.trouble)
    report = install(folder, files, VERSION)
    print(f"{BOARDS[board.name]} with CircuitPython {board.version} at {folder}:")
    return report


def _tell(report: Report) -> None:
    for old, new in report.kept:
        print(f"  {old} was not the companion's and is now {new}")
    for name in report.removed:
        print(f"  {name} is no longer needed and was removed")
    if report.written:
        files = "1 file" if len(report.written) == 1 else f"{len(report.written)} files"
        print(f"  {files} of firmware {VERSION} written and read back")
    elif not report.removed and not report.kept:
        print(f"  firmware {VERSION} is complete, nothing was written")


def _restart(config: Config, report: Report) -> None:
    """Have the Pico start with what was written."""
    if not report.written and not report.removed:
        return
    try:
        hello = restart(lambda: find_ports(config.pins.port))
    except NoPico:
        print(f"Now {REPLUG}, and it starts with it.")
    else:
        print(f"The Pico has restarted and answers: firmware {hello.firmware}.")


def _lines(found: Condition) -> Iterator[tuple[str, str]]:
    """Yield what is known, by name."""
    hello, drive = found.hello, found.drive
    answer = f"firmware {hello.firmware} answers, started by {hello.reason}" if hello else ""
    if found.busy:
        answer = f"in use by {', '.join(found.busy)}; stop it, and the Pico can be asked"
    yield "port", f"{found.node}: {answer}" if answer else found.silence.partition(": ")[0]
    if found.console:
        yield "console", " | ".join(found.console)
    if found.waiting:
        yield "bootloader", f"an {found.waiting.chip.name} waits for CircuitPython"
    board = hello.board if hello else drive.board.name if drive else ""
    if board:
        version = f", CircuitPython {drive.board.version}" if drive else ""
        yield "board", f"{BOARDS.get(board, board)}{version}"
    unknown = "not known which is" if found.busy else "none"
    yield "firmware", f"{found.firmware_there or unknown} there, {VERSION} here"
    if hello:
        yield "protocol", f"{hello.protocol} there, {PROTOCOL} here"
    if found.wiring_there:
        same = found.wiring == found.wiring_there
        yield "wires", f"{found.wiring_there}{'; as in your settings' if same else ''}"
    if found.answer and found.answer.now:
        yield "now", _describe(found.answer.now, found.answer.events)
    if found.wiring and found.wiring != found.wiring_there:
        yield "settings", str(found.wiring)
    if drive is None:
        yield "drive", found.no_drive
        return
    there = drive.installed
    changes = [
        f"{what}: {', '.join(names)}"
        for what, names in (
            ("to write", there.differing),
            ("not ours", there.strangers),
            ("to remove", there.obsolete),
        )
        if names
    ]
    yield "drive", f"{drive.folder}; {'; '.join(changes) or 'complete'}; {drive.free:,} bytes free"


def _describe(now: Settled, events: int) -> str:
    """Return how the wires stand, for people who try them one by one."""
    closed = ", ".join(str(pin) for pin, is_closed in now.closed.items() if is_closed)
    return (
        f"closed: {f'GP {closed}' if closed else 'none'}; idol at {now.position} steps; {events}"
        f" changes since its start, {now.lost} lost"
    )
