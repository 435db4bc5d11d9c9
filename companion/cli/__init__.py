"""The `tiki` command and its subcommands, one module each.

They read what was typed, call the rooms below and print the answer. They may import every room;
nothing imports them.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from companion.cli.closed_pipe import ended_by_reader
from companion.cli.failure import Failure
from companion.cli.signals import StopRequest
from companion.cli.version import NEWER, print_version

SERVING: Final = frozenset(("run", "record", "demo", "hub"))
"""Commands that go on until a signal stops them."""

OWN: Final = ("companion", "firmware", "hardware", "vision")
MISSING: Final = (
    "the package {name} is missing, which this needs; install all that a table needs: ./run, or"
    " pip install 'tiki-companion[table]'"
)
MODULES: Final = {
    "run": ("run", "record", "demo"),
    "hub": ("hub",),
    "setup": ("setup",),
    "tell": ("tell",),
    "replay": ("replay",),
    "read": ("read",),
    "evaluate": ("evaluate",),
    "rules": ("rules",),
    "log": ("log",),
    "backup": ("backup", "restore"),
    "printing": ("print",),
    "doctor": ("doctor",),
    "lights": ("lights",),
    "pico": ("pico",),
}
"""The commands of each module, in the order of the help."""


def build_parser(word: str = "") -> argparse.ArgumentParser:
    """Return the parser of the whole command line; of one command alone if *word* is one.

    The commands are imported here, so that --version answers before OpenCV has been loaded, and
    `tiki run` before what only `tiki evaluate` needs.
    """
    parser = argparse.ArgumentParser(
        prog="tiki", description="Watches real board games, knows the rules and keeps the score."
    )
    parser.add_argument(
        "--version",
        action="store_true",
        help=f"say which version this is; with {NEWER} also whether there is a newer release",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    wanted = [module for module, known in MODULES.items() if word in known] or list(MODULES)
    for module in wanted:
        import_module(f"{__name__}.{module}").add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    status = 0
    with ended_by_reader():
        if SERVING.intersection(words[:1]):
            with StopRequest() as stop:
                status = _run(words, argparse.Namespace(stop=stop))
        else:
            status = _run(words, argparse.Namespace())
    return status


def _run(words: Sequence[str], known: argparse.Namespace) -> int:
    try:
        if words[:1] == ["--version"]:
            print_version(words)
            return 0
        chosen = build_parser(words[0] if words else "").parse_args(words, known)
        status: int = chosen.run(chosen)
    except Failure as failure:
        print(f"tiki: {failure}", file=sys.stderr)
        return failure.status
    except ModuleNotFoundError as error:
        print(f"tiki: {_missing(error)}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return status


def _missing(error: ModuleNotFoundError) -> str:
    """Return which package is missing and what brings it; raises *error* if it is none of those."""
    package = (error.name or "").partition(".")[0]
    if not package or package in OWN or package in sys.stdlib_module_names:
        raise error
    return MISSING.format(name=package)
