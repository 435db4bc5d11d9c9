"""`tiki read`: what single pictures show, one JSON line each."""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias

from companion.cli.failure import Failure
from companion.eyes import GAME, look, reader_for
from companion.recording import BadRecording, Recording, load_recording
from vision.line import LineReader
from vision.sight import Sight

PICTURES: Final = frozenset((".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"))
Job: TypeAlias = tuple[LineReader, Path, str]  # who reads, the picture, and its name in the output


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "read",
        help="say what pictures show",
        description="Says what each picture shows, one JSON line each. In a folder with a"
        " session.json the colours are learned from its calibration frame.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="DIR_OR_IMAGE")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each picture; exit status 1 if one could not be decoded."""
    troubles = 0
    readers: dict[Path, LineReader] = {}
    several = len(arguments.paths) > 1
    for path in arguments.paths:
        for reader, picture, name in _jobs(path, readers, several):
            sight, spent_ms, trouble = look(reader, picture)
            print(json.dumps(sight_to_json(name, sight, spent_ms)), flush=True)
            if trouble:
                troubles += 1
                print(f"tiki: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


def sight_to_json(name: str, sight: Sight, spent_ms: float) -> dict[str, Any]:
    """Return *sight* as `tiki read` prints it; *spent_ms* is without decoding the file."""
    found: dict[str, Any] = {
        "file": name,
        "status": sight.status.value,
        "reading": {"line": list(sight.line)} if sight.line is not None else None,
        "confidence": round(sight.confidence, 4),
        "ms": round(spent_ms, 2),
    }
    if sight.reason is not None:
        found["reason"] = sight.reason.value
    return found


def _jobs(path: Path, readers: dict[Path, LineReader], several: bool) -> Iterator[Job]:
    """Yield the pictures of *path*: itself, or those of the folder that it is."""
    if not path.is_dir():
        yield _reader(path.parent, readers), path, str(path)
        return
    if (path / "session.json").exists():
        recording = _recording(path)
        first = (recording.calibration[0],) if recording.calibration else ()
        names = sorted((*first, *recording.frames))
    else:
        names = sorted(each.name for each in path.iterdir() if each.suffix.lower() in PICTURES)
        if not names:
            raise Failure(f"{path} has neither a session.json nor pictures to read")
    reader = _reader(path, readers)
    for name in names:
        yield reader, path / name, str(path / name) if several else name


def _reader(folder: Path, readers: dict[Path, LineReader]) -> LineReader:
    """Return the reader for the pictures of *folder*: taught, if it is a session of the game."""
    if folder not in readers:
        if (folder / "session.json").exists():
            try:
                readers[folder] = reader_for(_recording(folder))
            except BadRecording as error:
                raise Failure(str(error)) from None
        else:
            readers[folder] = LineReader()
    return readers[folder]


def _recording(folder: Path) -> Recording:
    try:
        recording = load_recording(folder)
    except BadRecording as error:
        raise Failure(str(error)) from None
    if recording.game != GAME:
        raise Failure(f"{folder} is of {recording.game}; only {GAME} can be read so far")
    return recording
