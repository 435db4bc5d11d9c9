"""Learned colours on disk: the picture they were learned from and the line that stood in it.

They are kept beside the log, so that a game taken up after a power cut can be read at once.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2

from companion.files import write_whole
from vision.frame import BadPicture, Frame, load_frame
from vision.line import BadCalibration, LineReader

JPEG_QUALITY: Final = 95


def keep_colours(log: Path, frame: Frame, line: Sequence[str]) -> None:
    """Keep *frame*, in which *line* stands, beside the log file; whole or not at all.

    Raises OSError if the disk refuses.
    """
    _, encoded = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_whole(_picture(log), encoded.tobytes())
    write_whole(_line(log), json.dumps({"line": list(line)}).encode())


def recall_colours(log: Path, reader: LineReader) -> bool:
    """Teach *reader* what was kept beside the log file; False if nothing usable was."""
    try:
        line = json.loads(_line(log).read_bytes())["line"]
        reader.calibrate(load_frame(_picture(log)), line)
    except (OSError, ValueError, KeyError, TypeError, BadPicture, BadCalibration):
        return False
    return True


def _picture(log: Path) -> Path:
    return log.with_suffix(".colours.jpg")


def _line(log: Path) -> Path:
    return log.with_suffix(".colours.json")
