"""`tiki evaluate DIR`: accuracy, abstentions, wrong readings and time, as a table."""

import argparse
from pathlib import Path
from typing import Final

import cv2

from companion.cli.failure import Failure
from companion.evaluation import Tally, evaluate, sessions
from companion.recording import BadRecording

HEADINGS: Final = (
    "game", "difficulty", "settled", "read", "abstained", "wrong", "hand or motion", "believed",
    "time / imdecode", "tiles anew",
)  # fmt: skip


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "evaluate",
        help="count right, wrong and no readings",
        description="Reads all sessions in a folder and below, compares with their truth.jsonl and"
        " prints a table. Exit status 1 if anything was read wrongly.",
    )
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--faults", action="store_true", help="name each picture not read rightly")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the table; exit status 1 if a reading was wrong or a hand was not noticed."""
    cv2.setNumThreads(1)  # one core, as the ratios say
    total = Tally()
    groups: dict[tuple[str, str], Tally] = {}
    try:
        for recording in sessions(arguments.folder):
            tally = evaluate(recording)
            groups.setdefault((recording.game, recording.difficulty), Tally()).add(tally)
            total.add(tally)
    except BadRecording as error:
        raise Failure(str(error)) from None
    print(f"| {' | '.join(HEADINGS)} |")
    print(f"|{'|'.join('---' for _ in HEADINGS)}|")
    for (game, difficulty), tally in groups.items():
        _print_row(game, difficulty, tally)
    _print_row("all", "", total)
    if total.unreadable:
        print(f"\n{total.unreadable} pictures could not be decoded.")
    if arguments.faults:
        print("", *total.faults, sep="\n")
    return 1 if total.wrong or total.believed or total.unreadable else 0


def _print_row(game: str, difficulty: str, tally: Tally) -> None:
    abstained = tally.settled - tally.read - tally.wrong
    cells = (
        game, difficulty, tally.settled, f"{tally.read} ({tally.share:.1%})", abstained,
        tally.wrong, tally.busy, tally.believed, f"{tally.ratio:.2f}", f"{tally.ratio_anew:.2f}",
    )  # fmt: skip
    print(f"| {' | '.join(map(str, cells))} |")
