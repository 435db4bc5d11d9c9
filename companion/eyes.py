"""The eyes set up for one table: a reader that has been shown the known line."""

from pathlib import Path
from typing import Final

from companion.recording import BadRecording, Recording
from vision.frame import BadPicture, Frame, load_frame
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


def look(reader: LineReader, path: Path) -> tuple[Sight, str | None]:
    """Return what the picture at *path* shows, and what is wrong with the file, if it is."""
    try:
        frame = load_frame(path)
    except BadPicture as error:
        return Sight(path.name, Status.UNREADABLE, reason=Reason.PICTURE), str(error)
    return reader.read(Frame(path.name, frame.picture, frame.taken_s)), None
