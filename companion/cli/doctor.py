"""`tiki doctor`: what keeps the table from working, and what to do about it."""

import argparse
import json
import shlex
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from companion.apps.doctor.bundle import bundle_of, pictures_of, saved_games
from companion.apps.doctor.examination import CHECKS, Check, Examine, examine
from companion.apps.doctor.machine import LocalMachine, Machine
from companion.apps.doctor.requirements import Requirements, read_requirements
from companion.apps.doctor.verdict import Status, failed, ok
from companion.apps.mqtt.broker_check import check_broker
from companion.cli.failure import Failure
from companion.cli.light_order import show_and_ask
from companion.config import BadConfig, Config, frames_folder, load_config, log_path
from companion.files import write_whole
from hardware.device import HardwareError

MAX_WIDTH_CHARS: Final = 100
MIN_WIDTH_CHARS: Final = 50
_INDENT: Final = 25
# The doctor's own package knows the machine alone.
ALL_CHECKS: Final[Mapping[str, Examine]] = {**CHECKS, "broker": check_broker}


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "doctor",
        help="check camera, pins, buses, disk and power, and say what to do",
        description="Looks at this machine and changes nothing; --lights alone lights something."
        " Exit status 1 if a check failed.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="the settings of the table")
    parser.add_argument("--json", action="store_true", help="one JSON object for programs")
    parser.add_argument(
        "--bundle",
        type=Path,
        metavar="FILE.zip",
        help="also write everything that helps to find a fault into one file, without secrets",
    )
    parser.add_argument(
        "--with-frames",
        action="store_true",
        help="include the kept pictures of the table in the bundle; they may show hands and people",
    )
    parser.add_argument(
        "--lights",
        action="store_true",
        help="instead light the first three lights in red, green and blue, ask what you"
        " see, and say what lights.order must be; not while the companion runs",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Examine this machine; return 1 if anything failed."""
    bundle = arguments.bundle
    if arguments.lights:
        if arguments.json or bundle is not None or arguments.with_frames:
            raise Failure("--lights goes with --config alone; leave the others out")
        return show_and_ask(arguments.config, LocalMachine())
    if arguments.with_frames and bundle is None:
        raise Failure("--with-frames is for a bundle; name its file with --bundle")
    if bundle is not None and bundle.exists():
        raise Failure(f"{bundle} exists already; name a new file")
    checks = consult(LocalMachine(), arguments.config)
    if arguments.json:
        print(json.dumps({"checks": [check.to_json() for check in checks]}))
    else:
        width = shutil.get_terminal_size((80, 24)).columns
        again = "./run doctor" + (
            f" --config {shlex.quote(str(arguments.config))}" if arguments.config else ""
        )
        print(describe(checks, again, width))
    if bundle is not None:
        write_bundle(bundle, checks, arguments.config, with_frames=arguments.with_frames)
        print(f"{bundle} was written; README.txt in it says what it has", file=sys.stderr)
    return int(any(check.verdict.status == "failed" for check in checks))


def write_bundle(
    target: Path, checks: Sequence[Check], path: Path | None, *, with_frames: bool
) -> None:
    """Write the support bundle of the table in the config at *path*; raises Failure."""
    try:
        config = load_config(path)
    except (BadConfig, HardwareError):  # which the checks say
        config = Config()
    log = log_path(config)
    pictures = [*pictures_of(frames_folder(log))] if with_frames else []
    try:
        write_whole(target, bundle_of(config, checks, [*saved_games(log)], pictures))
    except OSError as error:
        raise Failure(f"{target} cannot be written: {error.strerror}; name another file") from None


def consult(machine: Machine, path: Path | None) -> tuple[Check, ...]:
    """Return what *machine* lacks for the table in the config at *path*, None for the default.

    A config that cannot be used has failed as a check of its own; the rest goes by the default.
    """
    try:
        requirements = _requirements(load_config(path))
        verdict = ok(f"{path} is valid" if path else "none given, all settings at their defaults")
    except (BadConfig, HardwareError) as error:
        requirements = _requirements(Config())
        what, _, remedy = str(error).partition("; ")
        verdict = failed(
            what, remedy or "correct that line; deploy/tiki.toml explains every setting"
        )
    return (Check("config", verdict), *examine(machine, requirements, ALL_CHECKS))


def _requirements(config: Config) -> Requirements:
    return read_requirements(config, log_path(config))


def describe(checks: Sequence[Check], again: str, width: int = MAX_WIDTH_CHARS) -> str:
    """Return *checks* for people, lines of at most *width* letters.

    again: what to type once all is done.
    """
    width = min(max(width, MIN_WIDTH_CHARS), MAX_WIDTH_CHARS)
    lines = []
    for name, verdict in checks:
        head = f"{_shown(verdict.status):<11}{name:<14}"
        lines += _wrap(head, verdict.detail, width)
    broken = [check for check in checks if check.verdict.status == "failed"]
    lines.append("")
    if not broken:
        simulated = [check.name for check in checks if check.verdict.status == "simulated"]
        lines += _wrap("", "Nothing failed." + _describe_simulated(simulated), width)
        return "\n".join(lines)
    count = f"{len(broken)} of {len(checks)} checks failed. What to do, from the top:"
    lines += [*_wrap("", count, width), ""]
    remedies: dict[str, list[str]] = {}
    for name, verdict in broken:
        remedies.setdefault(verdict.remedy, []).append(name)
    for number, (remedy, names) in enumerate(remedies.items(), 1):
        lines += _wrap(f"{number:>2}. {', '.join(names)}: ", remedy, width, hang=4)
    return "\n".join([*lines, "", f"Then run it again: {again}"])


def _shown(status: Status) -> str:
    return "FAILED" if status == "failed" else status


def _describe_simulated(simulated: Sequence[str]) -> str:
    if not simulated:
        return " Start playing: ./run run"
    return f" Simulated: {', '.join(simulated)}; docs/build-your-own.md has the real ones."


def _wrap(head: str, text: str, width: int, hang: int = _INDENT) -> list[str]:
    return textwrap.wrap(
        head + text,
        width,
        subsequent_indent=" " * (hang if head else 0),
        break_on_hyphens=False,
        drop_whitespace=True,
    )
