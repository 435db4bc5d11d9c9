"""The eyes set up for one table: a reader that has been shown the known line."""

import time
from pathlib import Path
from typing import Final

from companion.recording import BadRecording, Recording
from vision.frame import BadPicture, load_frame
from vision.layout import BadLayout, parse_layout
from vision.line import LineReader
from vision.sight import Reason, Sight, Status

GAME: Final = "tiki_topple"


def reader_for(recording: Recording) -> LineReader:
    """Return a reader taught by the recording's calibration frame.

    Raises BadRecording if that frame or the layout cannot be used.
    """
    if recording.game != GAME:
        raise BadRecording(
            f"{recording.folder} is of {recording.game}; {GAME} alone can be read so far"
        )
    try:
        reader = LineReader(parse_layout(recording.description))
    except BadLayout as error:
        raise BadRecording(f"{recording.folder / 'session.json'}: {error}") from None
    if recording.calibration is not None:
        name, line = recording.calibration
        try:
            reader.calibrate(load_frame(recording.path(name)), line)
        except ValueError as error:
            raise BadRecording(f"the calibration frame: {error}") from None
    return reader


def look(reader: LineReader, path: Path) -> tuple[Sight, float, str | None]:
    """Return what the picture at *path* shows, how long reading took in ms, and what is wrong.

    The time is that of the reader alone; the file was decoded before.
    """
    try:
        frame = load_frame(path)
    except BadPicture as error:
        return Sight(path.name, Status.UNREADABLE, reason=Reason.PICTURE), 0.0, str(error)
    began = time.perf_counter()
    sight = reader.read(frame)
    return sight, 1000 * (time.perf_counter() - began), None
