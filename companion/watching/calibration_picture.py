"""Calibration pictures on disk: each with the known table that it shows.

They are saved beside the log, one for each game, so that a game resumed after a power cut can be
read at once.
"""

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cv2

from companion.files import write_whole
from companion.watching.readers import Reader
from vision.capture.frame import BadPicture, Frame, load_frame

JPEG_QUALITY: Final = 95
logger = logging.getLogger(__name__)


def save_calibration_picture(log: Path, game: str, frame: Frame, truth: Mapping[str, Any]) -> None:
    """Keep *frame*, which shows *truth* of *game*, beside the log file; whole or not at all.

    Raises OSError if the disk refuses.
    """
    _, encoded = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_whole(_picture(log, game), encoded.tobytes())
    write_whole(_truth(log, game), json.dumps(dict(truth)).encode())


def calibrate_from_saved(log: Path, game: str, reader: Reader) -> bool:
    """Calibrate *reader* with what was saved of *game* beside the log; False if nothing is usable.

    Earlier versions kept the colours of one game only, and did not say of which.
    """
    for name in (game, ""):
        try:
            truth = json.loads(_truth(log, name).read_bytes())
            reader.calibrate(load_frame(_picture(log, name)), truth)
        except (OSError, ValueError, KeyError, TypeError, BadPicture):
            continue
        return True
    return False


def _picture(log: Path, game: str) -> Path:
    return log.with_suffix(f".{game}.colours.jpg" if game else ".colours.jpg")


def _truth(log: Path, game: str) -> Path:
    return log.with_suffix(f".{game}.colours.json" if game else ".colours.json")


def warn_of(trouble: str | None) -> None:
    """Log what went wrong while the camera was calibrated, if anything did."""
    if trouble:
        logger.warning("%s", trouble)
