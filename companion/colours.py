"""Learned colours on disk: the picture they were learned from, and what lay on the table in it.

They are kept beside the log, so that a game taken up after a power cut can be read at once.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cv2

from companion.eyes import Reader
from companion.files import write_whole
from vision.frame import BadPicture, Frame, load_frame

JPEG_QUALITY: Final = 95


def keep_colours(log: Path, frame: Frame, truth: Mapping[str, Any]) -> None:
    """Keep *frame*, which shows *truth*, beside the log file; whole or not at all.

    Raises OSError if the disk refuses.
    """
    _, encoded = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_whole(_picture(log), encoded.tobytes())
    write_whole(_truth(log), json.dumps(dict(truth)).encode())


def recall_colours(log: Path, reader: Reader) -> bool:
    """Teach *reader* what was kept beside the log file; False if nothing it can use was."""
    try:
        truth = json.loads(_truth(log).read_bytes())
        reader.calibrate(load_frame(_picture(log)), truth)
    except (OSError, ValueError, KeyError, TypeError, BadPicture):
        return False
    return True


def _picture(log: Path) -> Path:
    return log.with_suffix(".colours.jpg")


def _truth(log: Path) -> Path:
    return log.with_suffix(".colours.json")
