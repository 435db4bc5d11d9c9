"""`tiki evaluate --virtual`: whole games that a browser draws, made to be judged like films.

What draws them is a developer's tool (`rendering/virtual_films.py`), which no table has; it is
started as a program of its own.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import companion
from companion.cli.failure import Failure
from companion.registry import GAMES

SOURCES: Final = Path(companion.__file__).parents[1]
FILMS: Final = 20
OPTIONS: Final = ("games", "films", "seed", "moves", "plain", "keep")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add what `--virtual` takes to *parser*."""
    drawn = [name for name, entry in GAMES.items() if entry.has_mat]
    virtual = parser.add_argument_group(
        "games that a browser draws",
        "Needs the sources, playwright and Chromium: ./run evaluate --virtual. Without a DIR;"
        " whole games are played at random, in homes of all kinds.",
    )
    virtual.add_argument(
        "--virtual", action="store_true", help="draw games as the virtual table does; judge them"
    )
    virtual.add_argument(
        "--games", nargs="+", choices=drawn, metavar="GAME", help="some of them: %(choices)s"
    )
    virtual.add_argument(
        "--films", type=int, metavar="N", help=f"so many of each game; {FILMS} if not given"
    )
    virtual.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="of the first film, the next has two more; even ones are to develop with, odd ones"
        " to judge by; 1 if not given",
    )
    virtual.add_argument("--moves", type=int, metavar="N", help="so many in a game")
    virtual.add_argument("--plain", action="store_true", default=None, help="all in the usual room")
    virtual.add_argument(
        "--keep", type=Path, metavar="DIR", help="leave the films there; those there are not redone"
    )


@contextmanager
def drawn_films(arguments: argparse.Namespace) -> Iterator[Path]:
    """Have the films drawn; give the folder that they are in.  Raises Failure."""
    if arguments.folder is not None:
        raise Failure(
            f"--virtual makes its own films, so {arguments.folder} has no place; to leave them"
            f" there: --virtual --keep {arguments.folder}"
        )
    if not (SOURCES / "rendering" / "virtual_films.py").is_file():
        raise Failure(
            "--virtual needs the sources of the companion, which are not here; get them, and type"
            " ./run evaluate --virtual"
        )
    with tempfile.TemporaryDirectory(prefix="tiki-virtual-") as scratch:
        folder = Path(scratch) if arguments.keep is None else arguments.keep
        _draw(folder, arguments)
        yield folder


def refuse_alone(arguments: argparse.Namespace) -> None:
    """Raise Failure if what only `--virtual` takes is given without it, or no DIR is."""
    given = [name for name in OPTIONS if getattr(arguments, name) is not None]
    if given:
        raise Failure(f"--{given[0]} goes with --virtual only; add that, or leave it out")
    if arguments.folder is None:
        raise Failure("name a folder with sessions, such as companion/recordings; or --virtual")


def _draw(folder: Path, arguments: argparse.Namespace) -> None:
    words = [sys.executable, "-P", "-m", "rendering.virtual_films", str(folder)]
    words += ["--games", *arguments.games] if arguments.games else []
    for name in ("films", "seed", "moves"):
        value = getattr(arguments, name)
        words += [] if value is None else [f"--{name}", str(value)]
    words += ["--plain"] if arguments.plain else []
    environment = {**os.environ, "PYTHONPATH": str(SOURCES)}
    done = subprocess.run(words, env=environment, check=False)  # noqa: S603 - our own program
    if done.returncode:
        raise Failure("the films were not drawn; the line above says why", 1)
