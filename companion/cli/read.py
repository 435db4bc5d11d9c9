"""`tiki read`: what single pictures show, one JSON line each."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from companion.apps.cards.card_photos import read_file
from companion.apps.cards.hand_photos import read_hand_file
from companion.cli.failure import Failure
from companion.recording import BadRecording, load_recording
from companion.table.numeric_fault import find_numeric_fault
from companion.table.reader_opening import open_reader, read_standalone
from companion.table.readers import read_picture_timed
from vision.capture.frame import Frame
from vision.observation import Evidence, Observation

PICTURES: Final = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"))
MIN_PROBABILITY: Final = 0.02
"""What a place holds less likely than this is not mentioned, nor more than MAX_CANDIDATES."""
MAX_CANDIDATES: Final = 3
Read: TypeAlias = Callable[[Frame], Observation]
ReadCards: TypeAlias = Callable[[Path], tuple[dict[str, Any], str | None]]
Job: TypeAlias = tuple[Read, Path, str]  # who reads, the picture, and its name in the output


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "read",
        help="print what pictures show",
        description="Prints what each picture shows, one JSON line per picture. In a folder with a"
        " session.json the reader is calibrated from its calibration frame. Elsewhere the corner"
        " tiles choose the game, and default colours are used.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="DIR_OR_IMAGE")
    only = parser.add_mutually_exclusive_group()
    only.add_argument(
        "--card",
        action="store_true",
        help="read the one UNO card that each picture shows, held or lying anywhere, without a mat",
    )
    only.add_argument(
        "--hand",
        action="store_true",
        help="read all UNO cards of a hand that each picture shows, fanned or laid out, and add up"
        " their points",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each picture; exit status 1 if a picture or a session cannot be used."""
    if (fault := find_numeric_fault()) is not None:
        raise Failure(fault)
    troubles = 0
    known: dict[Path, Read] = {}
    several = len(arguments.paths) > 1
    for path in arguments.paths:
        try:
            if arguments.card or arguments.hand:
                read = read_file if arguments.card else read_hand_file
                troubles += sum(not _print_card(read, *each) for each in _pictures(path, several))
                continue
            for job in _jobs(path, known, several):
                troubles += not _print_observation(*job)
        except BadRecording as error:
            troubles += 1
            print(f"tiki: {error}", file=sys.stderr)
    return 1 if troubles else 0


def _print_observation(read: Read, picture: Path, name: str) -> bool:
    """Print what *picture* shows; return whether it could be decoded."""
    found, spent_ms, trouble = read_picture_timed(read, picture)
    print(json.dumps(observation_to_json(name, found, spent_ms)), flush=True)
    if trouble:
        print(f"tiki: {trouble}", file=sys.stderr)
    return trouble is None


def _print_card(read: ReadCards, picture: Path, name: str) -> bool:
    """Print which card or cards *picture* shows; return whether it could be decoded."""
    line, trouble = read(picture)
    print(json.dumps({"file": name, **line}), flush=True)
    if trouble:
        print(f"tiki: {trouble}", file=sys.stderr)
    return trouble is None


def observation_to_json(name: str, found: Observation, spent_ms: float) -> dict[str, Any]:
    """Return *found* as `tiki read` prints it; *spent_ms* is without decoding the file."""
    line: dict[str, Any] = {
        "file": name,
        "status": found.status.value,
        "reading": found.reading,
        "confidence": round(found.confidence, 4),
        "ms": round(spent_ms, 2),
    }
    if found.reason is not None:
        line["reason"] = found.reason.value
    if found.doubtful:
        line["doubtful"] = [
            {"slot": at, "candidates": _list_candidates(found.places[at])} for at in found.doubtful
        ]
    return line


def _list_candidates(place: Evidence) -> dict[str, float]:
    """Return what a place may hold, likeliest first, each with its probability."""
    return {
        name: round(likely, 2)
        for name, likely in place.list_likely(MIN_PROBABILITY, MAX_CANDIDATES)
    }


def _jobs(path: Path, known: dict[Path, Read], several: bool) -> Iterator[Job]:
    """Yield the pictures of *path*: itself, or those of the folder that it is; or BadRecording."""
    if not path.is_dir() or not (path / "session.json").exists():
        folder = path if path.is_dir() else path.parent
        yield from ((_read(folder, known), *each) for each in _pictures(path, several))
        return
    recording = load_recording(path)
    first = (recording.calibration[0],) if recording.calibration else ()
    read = _read(path, known)
    for name in sorted((*first, *recording.frames)):
        yield read, path / name, str(path / name) if several else name


def _pictures(path: Path, several: bool) -> Iterator[tuple[Path, str]]:
    """Yield the picture *path*, or those of the folder that it is, each with its name."""
    if not path.is_dir():
        yield path, str(path)
        return
    names = sorted(each.name for each in path.iterdir() if each.suffix.lower() in PICTURES)
    if not names:
        raise BadRecording(f"{path} has neither a session.json nor pictures to read")
    for name in names:
        yield path / name, str(path / name) if several else name


def _read(folder: Path, known: dict[Path, Read]) -> Read:
    """Return what reads the pictures of *folder*: a calibrated reader, if it is a session."""
    if not (folder / "session.json").exists():
        return read_standalone
    if folder not in known:
        known[folder] = open_reader(load_recording(folder)).read
    return known[folder]
