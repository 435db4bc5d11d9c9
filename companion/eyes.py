"""The eyes set up for one table: the game's reader, shown the picture whose truth is known."""

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from companion.recording import BadRecording, Recording
from vision.card_layout import parse_pile_layout, parse_uno_layout
from vision.discard import UnoReader
from vision.frame import BadPicture, Frame, load_frame
from vision.grid import parse_stacks, parse_tower
from vision.layout import BadLayout, parse_layout
from vision.line import LineReader
from vision.piles import PileReader
from vision.sight import Look, Reason, Sight, Status
from vision.stacks import StackReader
from vision.tower import TowerReader


class Eyes(Protocol):
    """A reader of one game's table."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a picture whose *truth* is known, in the form of truth.jsonl.

        Raises a ValueError that says in one line why it cannot.
        """

    def read(self, frame: Frame) -> Look:
        """Return what *frame* shows."""


E = TypeVar("E", bound=Eyes)


class LineEyes:
    """Tiki Topple's line, in the form that all games share."""

    def __init__(self, reader: LineReader) -> None:
        self.reader = reader

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn the line in *truth*."""
        self.reader.calibrate(frame, tuple(truth["line"]))

    def read(self, frame: Frame) -> Look:
        """Return the line that *frame* shows."""
        sight = self.reader.read(frame)
        reading = {"line": list(sight.line)} if sight.line is not None else None
        return Look(sight.frame, sight.status, reading, sight.slots, sight.confidence, sight.reason)


def _line_eyes(description: Mapping[str, Any]) -> LineEyes:
    return LineEyes(LineReader(parse_layout(description)))


# How each game's reader is made from a session.json; what is not here cannot be read yet.
EYES: Final[dict[str, Callable[[Mapping[str, Any]], Eyes]]] = {
    "tiki_topple": _line_eyes,
    "tactiki": lambda description: StackReader(parse_stacks(description)),
    "topple": lambda description: TowerReader(parse_tower(description)),
    "tippi_toppi": lambda description: PileReader(parse_pile_layout(description)),
    "uno_tiki": lambda description: UnoReader(parse_uno_layout(description)),
}


def eyes_for(recording: Recording) -> Eyes:
    """Return the eyes for *recording*'s game, taught by its calibration frame.

    Raises BadRecording if the game cannot be read, or if the frame or the layout cannot be used.
    """
    if recording.game not in EYES:
        games = ", ".join(EYES)
        raise BadRecording(
            f"{recording.folder} is of {recording.game}; what can be read so far: {games}"
        )
    return _taught(recording, EYES[recording.game])


def reader_for(recording: Recording) -> LineReader:
    """Return the reader of a line of tikis, taught by the recording's calibration frame.

    Raises BadRecording as `eyes_for` does.
    """
    if recording.game != "tiki_topple":
        raise BadRecording(f"{recording.folder} is of {recording.game}, which has no line")
    return _taught(recording, _line_eyes).reader


def _taught(recording: Recording, make: Callable[[Mapping[str, Any]], E]) -> E:
    try:
        eyes = make(recording.description)
    except BadLayout as error:
        raise BadRecording(f"{recording.folder / 'session.json'}: {error}") from None
    if recording.calibration is not None:
        name, truth = recording.calibration
        try:
            eyes.calibrate(load_frame(recording.path(name)), truth)
        except (ValueError, KeyError, TypeError) as error:
            raise BadRecording(f"the calibration frame: {error}") from None
    return eyes


def look(reader: LineReader, path: Path) -> tuple[Sight, str | None]:
    """Return what line the picture at *path* shows, and what is wrong with the file, if it is."""
    try:
        return reader.read(load_frame(path)), None
    except BadPicture as error:
        return Sight(path.name, Status.UNREADABLE, reason=Reason.PICTURE), str(error)


def look_timed(eyes: Eyes, path: Path) -> tuple[Look, float, str | None]:
    """Return what the picture at *path* shows, how long reading took in ms, and what is wrong.

    The time is that of the reader alone; the file was decoded before.
    """
    try:
        frame = load_frame(path)
    except BadPicture as error:
        return Look(path.name, Status.UNREADABLE, reason=Reason.PICTURE), 0.0, str(error)
    began = time.perf_counter()
    found = eyes.read(frame)
    return found, 1000 * (time.perf_counter() - began), None
