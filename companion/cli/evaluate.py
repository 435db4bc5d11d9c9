"""`tiki evaluate DIR`: accuracy, abstentions, wrong readings and time, as a table."""

import argparse
import re
import statistics
from pathlib import Path
from typing import Final

import cv2

from companion.cli.failure import Failure
from companion.evaluation import Tally, evaluate, evaluate_altered, sessions
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
    parser.add_argument(
        "--altered",
        type=_numbers,
        metavar="FIRST-LAST",
        help="read each picture in other light, out of focus, turned and the like, once for each"
        " number; the same number alters it alike",
    )
    parser.add_argument("--faults", action="store_true", help="name each picture not read rightly")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the table; exit status 1 if a reading was wrong or a hand was not noticed."""
    cv2.setNumThreads(1)  # one core, as the ratios say
    total = Tally()
    groups: dict[tuple[str, str], Tally] = {}
    try:
        for recording in sessions(arguments.folder):
            tally = (
                evaluate_altered(recording, arguments.altered)
                if arguments.altered
                else evaluate(recording)
            )
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
    if total.untaught:
        print("\nNothing is read of these, which counts as abstained:", *total.untaught, sep="\n")
    if arguments.faults:
        print("", *total.faults, sep="\n")
    failed = total.wrong or total.believed or total.unreadable or total.untaught
    return 1 if failed else 0


def _numbers(given: str) -> range:
    """Return the numbers from the first to the last, as in 1-20."""
    found = re.fullmatch(r"(\d{1,6})-(\d{1,6})", given)
    if not found or int(found[1]) > int(found[2]):
        raise argparse.ArgumentTypeError(
            f"{given} is not two numbers, the lower first; write for example 1-20"
        )
    return range(int(found[1]), int(found[2]) + 1)


def _print_row(game: str, difficulty: str, tally: Tally) -> None:
    abstained = tally.settled - tally.read - tally.wrong
    cells = (
        game, difficulty, tally.settled, f"{tally.read} ({tally.share:.1%})", abstained,
        tally.wrong, tally.busy, tally.believed, _median(tally.ratios), _median(tally.anew),
    )  # fmt: skip
    print(f"| {' | '.join(map(str, cells))} |")


def _median(times: list[float]) -> str:
    return f"{statistics.median(times):.2f}" if times else "-"
