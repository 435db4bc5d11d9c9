"""`tiki evaluate DIR`: how well pictures are read and whole games refereed, as tables."""

import argparse
import json
import re
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import cv2

from companion.apps.evaluation.cards import evaluate_cards, is_labelled
from companion.apps.evaluation.games import evaluate_film, evaluate_variations
from companion.apps.evaluation.hands import evaluate_hands, has_hands
from companion.apps.evaluation.pictures import Tally, evaluate, evaluate_altered, sessions
from companion.apps.evaluation.simulated_host import FilmTally
from companion.apps.evaluation.sweeps import evaluate_sweeps, has_sweeps
from companion.cli.evaluate_virtual import add_options, drawn_films, refuse_alone
from companion.cli.failure import Failure
from companion.recording import BadRecording, Recording

HEADINGS: Final = (
    "game", "difficulty", "settled", "read", "abstained", "wrong", "hand or motion", "believed",
    "time / imdecode", "tiles anew",
)  # fmt: skip
FILM_HEADINGS: Final = (
    "game", "games", "refused", "moves", "right", "missed", "asked", "wrong", "without a tap",
    "illegal", "named", "believed", "false alarms", "as recorded", "stuck", "time / imdecode",
    "95 %", "judging",
)  # fmt: skip
CARD_HEADINGS: Final = (
    "cards of the deck", "right", "wrong", "card seen, not named", "no card seen",
    "others and none", "taken for one of the deck", "ms", "95 %",
)  # fmt: skip

HAND_HEADINGS: Final = (
    "hands", "named whole", "cards", "right", "wrong", "unknown", "unnoticed", "needlessly open",
    "ms", "95 %",
)  # fmt: skip

SWEEP_HEADINGS: Final = (
    "hands", "all named in 5 s", "cards", "right", "wrong", "pictures", "ms", "95 %",
)  # fmt: skip


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "evaluate",
        help="count what is read and refereed correctly, wrongly, or not at all",
        description="Compares all sessions in a folder and below with their truth.jsonl and prints"
        " a table, either of single pictures that are read or of whole games that are refereed."
        " A folder with a labels.jsonl has photographs of single cards, of hands or of"
        " a phone moved across hands, and a table of its own."
        " Exit status 1 if anything was read wrongly or a move was accepted that was not made.",
    )
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR")
    parser.add_argument(
        "--altered",
        type=_numbers,
        metavar="FIRST-LAST",
        help="alter the light, focus, angle and so on, once for each number; whole games also lose"
        " some pictures; the same number always gives the same alteration",
    )
    parser.add_argument(
        "--faults", action="store_true", help="name each picture that was not read correctly"
    )
    parser.add_argument(
        "--pictures", action="store_true", help="also read whole games as single pictures"
    )
    parser.add_argument(
        "--json", action="store_true", help="whole games alone, a line of JSON for each kind"
    )
    add_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the tables; exit status 1 if anything was wrong, or taken for what it was not."""
    if not arguments.virtual:
        refuse_alone(arguments)
        return _evaluate(arguments)
    with drawn_films(arguments) as folder:
        arguments.folder = folder
        return _evaluate(arguments)


def _evaluate(arguments: argparse.Namespace) -> int:
    cv2.setNumThreads(1)  # one core, as the ratios say
    try:
        if arguments.json:
            return _evaluate_as_json(arguments.folder, arguments.altered)
        if has_sweeps(arguments.folder):
            return _evaluate_sweeps(arguments.folder, arguments.faults)
        if has_hands(arguments.folder):
            return _evaluate_hands(arguments.folder, arguments.faults)
        if is_labelled(arguments.folder):
            return _evaluate_cards(arguments.folder, arguments.faults)
        found = sessions(arguments.folder)
        films = [] if arguments.pictures else [each for each in found if each.replay]
        pictures = [each for each in found if each not in films]
        failed = False
        if pictures:
            failed |= _evaluate_pictures(pictures, arguments.altered, arguments.faults)
        if films:
            if pictures:
                print()
            failed |= _evaluate_films(films, arguments.altered, arguments.faults)
    except BadRecording as error:
        raise Failure(str(error)) from None
    return 1 if failed else 0


def _evaluate_cards(folder: Path, faults: bool) -> int:
    """Print the table of single cards in photographs; return 1 if anything is wrong."""
    tally = evaluate_cards(folder)
    _print_headings(CARD_HEADINGS)
    lost = tally.deck - tally.right - tally.wrong - tally.located
    times = tally.times_ms
    right = f"{tally.right} ({tally.right / max(tally.deck, 1):.1%})"
    cells = (
        tally.deck, right, tally.wrong, tally.located, lost, tally.foreign, tally.taken,
        _median(times), _high(times),
    )  # fmt: skip
    _print_line(cells)
    if tally.unreadable:
        print(f"\n{tally.unreadable} pictures could not be decoded.")
    if faults:
        print("", *tally.faults, sep="\n")
    return 1 if tally.wrong or tally.taken or tally.unreadable else 0


def _evaluate_hands(folder: Path, faults: bool) -> int:
    """Print the table of hands in photographs; return 1 if anything is wrong."""
    tally = evaluate_hands(folder)
    _print_headings(HAND_HEADINGS)
    whole = f"{tally.whole} ({tally.whole / max(tally.hands, 1):.1%})"
    right = f"{tally.right} ({tally.right / max(tally.cards, 1):.1%})"
    cells = (
        tally.hands, whole, tally.cards, right, tally.wrong, tally.unknown, tally.unnoticed,
        tally.needless, _median(tally.times_ms), _high(tally.times_ms),
    )  # fmt: skip
    _print_line(cells)
    if tally.unreadable:
        print(f"\n{tally.unreadable} pictures could not be decoded.")
    if faults:
        print("", *tally.faults, sep="\n")
    return 1 if tally.wrong or tally.unreadable else 0


def _evaluate_sweeps(folder: Path, faults: bool) -> int:
    """Print the table of hands that a phone is moved across; return 1 if anything is wrong."""
    tally = evaluate_sweeps(folder)
    _print_headings(SWEEP_HEADINGS)
    whole = f"{tally.whole} ({tally.whole / max(tally.hands, 1):.1%})"
    right = f"{tally.right} ({tally.right / max(tally.cards, 1):.1%})"
    cells = (
        tally.hands, whole, tally.cards, right, tally.wrong, _median(tally.pictures),
        _median(tally.times_ms), _high(tally.times_ms),
    )  # fmt: skip
    _print_line(cells)
    if faults:
        print("", *tally.faults, sep="\n")
    return 1 if tally.wrong else 0


def _evaluate_pictures(
    recordings: Sequence[Recording], altered: range | None, faults: bool
) -> bool:
    """Print the table of single pictures; return whether anything is wrong."""
    total = Tally()
    groups: dict[tuple[str, str], Tally] = {}
    for recording in recordings:
        tally = evaluate_altered(recording, altered) if altered else evaluate(recording)
        groups.setdefault((recording.game, recording.difficulty), Tally()).add(tally)
        total.add(tally)
    _print_headings(HEADINGS)
    for (game, difficulty), tally in groups.items():
        _print_row(game, difficulty, tally)
    _print_row("all", "", total)
    if total.unreadable:
        print(f"\n{total.unreadable} pictures could not be decoded.")
    if total.uncalibrated:
        print(
            "\nNothing could be read from these; they count as abstained:",
            *total.uncalibrated,
            sep="\n",
        )
    if faults:
        print("", *total.faults, sep="\n")
    return bool(total.wrong or total.believed or total.unreadable or total.uncalibrated)


def _evaluate_films(recordings: Sequence[Recording], altered: range | None, faults: bool) -> bool:
    """Print the table of whole games; return whether anything is wrong."""
    groups, total = _tallies(recordings, altered)
    _print_headings(FILM_HEADINGS)
    for game, tally in groups.items():
        _print_film_row(game, tally)
    if len(groups) > 1:
        _print_film_row("all", total)
    if total.unreadable:
        print(f"\n{total.unreadable} pictures could not be decoded.")
    if faults:
        print("", *total.faults, sep="\n")
    return _is_faulty(total)


def _evaluate_as_json(folder: Path, altered: range | None) -> int:
    """Print what the table of whole games says as JSON; return 1 if anything is wrong."""
    films = [each for each in sessions(folder) if each.replay]
    if not films:
        raise Failure(f"there is no whole game in {folder}; without --json pictures are counted")
    groups, total = _tallies(films, altered)
    for game, tally in {**groups, "all": total}.items():
        counts = {"game": game, **asdict(tally)}
        for name in ("ratios", "judging"):
            counts[name] = {"median": _median(counts[name]), "95": _high(counts[name])}
        print(json.dumps(counts, ensure_ascii=False))
    return 1 if _is_faulty(total) else 0


def _is_faulty(total: FilmTally) -> bool:
    return bool(total.wrong or total.believed or total.stuck or total.refused or total.unreadable)


def _tallies(
    recordings: Sequence[Recording], altered: range | None
) -> tuple[dict[str, FilmTally], FilmTally]:
    """Play all games; return the counts of each kind, and of all."""
    total = FilmTally()
    groups: dict[str, FilmTally] = {}
    for recording in recordings:
        for tally in _films(recording, altered):
            groups.setdefault(recording.game, FilmTally()).add(tally)
            total.add(tally)
    return groups, total


def _films(recording: Recording, altered: range | None) -> Iterable[FilmTally]:
    if altered is None:
        return [evaluate_film(recording)]
    return evaluate_variations(recording, altered)


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
    _print_line(cells)


def _print_film_row(game: str, tally: FilmTally) -> None:
    cells = (
        game, tally.games, tally.refused, tally.moves, tally.right, tally.moves - tally.right,
        tally.asked, tally.wrong, f"{tally.by_itself:.1%}", tally.illegal, tally.named,
        tally.believed, tally.alarms, tally.as_recorded, tally.stuck, _median(tally.ratios),
        _high(tally.ratios), _median(tally.judging),
    )  # fmt: skip
    _print_line(cells)


def _print_headings(headings: Sequence[str]) -> None:
    _print_line(headings)
    print(f"|{'|'.join('---' for _ in headings)}|")


def _print_line(cells: Iterable[object]) -> None:
    print(f"| {' | '.join(map(_text, cells))} |")


def _text(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return "-" if cell is None else str(cell)


def _median(times: list[float]) -> float | None:
    return round(statistics.median(times), 2) if times else None


def _high(times: list[float]) -> float | None:
    """Return what 95 of 100 of *times* do not exceed."""
    return round(statistics.quantiles(times, n=20)[-1], 2) if len(times) > 1 else None
