"""Calibration pictures on disk: each with the known table that it shows, and how it was taken.

They are saved beside the log, one for each game, so that a game resumed after a power cut can be
read at once.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import cv2

from companion.files import write_whole
from companion.watching.readers import Reader
from vision.capture.exposure_lock import Controls, parse_controls
from vision.capture.frame import BadPicture, Frame, load_frame

JPEG_QUALITY: Final = 95
_CAMERA: Final = "camera"


def save_calibration_picture(
    log: Path, game: str, frame: Frame, truth: Mapping[str, Any], controls: Controls
) -> None:
    """Keep *frame*, which shows *truth* of *game*, beside the log file; whole or not at all.

    controls: what the camera was held at when it took it.  Raises OSError if the disk refuses.
    """
    _, encoded = cv2.imencode(".jpg", frame.picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_whole(_picture(log, game), encoded.tobytes())
    known = {**truth, _CAMERA: dict(controls)}
    write_whole(_truth(log, game), json.dumps(known).encode())


def calibrate_from_saved(log: Path, game: str, reader: Reader) -> Controls | None:
    """Calibrate *reader* with what was saved of *game* beside the log; None if nothing is usable.

    Returns what the camera was held at, which earlier versions did not save; nor did they say of
    which game the colours were, of which they kept one.
    """
    for name in (game, ""):
        try:
            truth = json.loads(_truth(log, name).read_bytes())
            controls = parse_controls(truth.pop(_CAMERA, {}))
            reader.calibrate(load_frame(_picture(log, name)), truth)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, BadPicture):
            continue
        return controls
    return None


def _picture(log: Path, game: str) -> Path:
    return log.with_suffix(f".{game}.colours.jpg" if game else ".colours.jpg")


def _truth(log: Path, game: str) -> Path:
    return log.with_suffix(f".{game}.colours.json" if game else ".colours.json")
