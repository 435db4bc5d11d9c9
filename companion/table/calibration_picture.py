"""Calibration pictures on disk: each with the known table that it shows, and how it was taken.

They are saved beside the log, one for each game and camera, so that a game resumed after a power
cut can be read at once. The text names its picture, and is replaced last: a disk that fills up in
between leaves the old pair as it was.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from companion.files import write_whole
from companion.table.readers import Reader
from vision.capture.colour_origin import ColourOrigin, parse_origin
from vision.capture.exposure_lock import Controls, parse_controls
from vision.capture.frame import BadPicture, Frame, encode, load_frame
from vision.geometry.corner_fit import parse_fit

JPEG_QUALITY: Final = 95
FORMAT: Final = 2
_CAMERA: Final = "camera"
_ORIGINS: Final = "colours"
_TURNS: Final = ("", "-b")
"""Two names in turn, so that the picture that the text names is never written over."""


@dataclass(frozen=True, slots=True)
class SavedCalibration:
    """A picture whose truth is known.

    controls: what the camera was held at when it took it.
    fit: how the table was fitted by its corners, as a session.json says it; None by its tiles.
    origins: how its colours came, and in which other ways it was tried out since, newest last; ()
        if nobody noted that.
    """

    frame: Frame
    truth: Mapping[str, Any]
    controls: Controls
    fit: Mapping[str, Any] | None = None
    origins: tuple[ColourOrigin, ...] = ()


def save_calibration_picture(log: Path, game: str, known: SavedCalibration, rig: str = "") -> None:
    """Keep what is *known* of *game* beside the log file; whole or not at all.

    rig: the camera's.  Raises OSError if the disk refuses; then what was saved before still is.
    """
    text = _text(log, game, rig)
    old = _picture_of(text)
    new = next(each for each in (_picture(text, turn) for turn in _TURNS) if each != old)
    write_whole(new, encode(known.frame.picture, JPEG_QUALITY))
    said = {
        "format": FORMAT,
        "picture": new.name,
        "truth": dict(known.truth),
        _CAMERA: dict(known.controls),
        _ORIGINS: [asdict(origin) for origin in known.origins],
    }
    if known.fit is not None:
        said["fit"] = known.fit
    write_whole(text, json.dumps(said).encode())
    for other in (_picture(text, turn) for turn in _TURNS):
        if other != new:
            other.unlink(missing_ok=True)


def save_origins(log: Path, game: str, known: SavedCalibration, rig: str = "") -> None:
    """Note beside the kept picture of *game* the last way in which its colours came.

    Nothing is noted beside another picture.  Raises OSError or ValueError.
    """
    text = _text(log, game, rig)
    said, origins = json.loads(text.read_bytes()), [asdict(origin) for origin in known.origins]
    # JSON has lists where there were tuples.
    if said.get(_ORIGINS, []) == json.loads(json.dumps(origins[:-1])):
        write_whole(text, json.dumps(said | {_ORIGINS: origins}).encode())


def load_calibration(log: Path, game: str, rig: str = "") -> SavedCalibration | None:
    """Return what was saved of *game* beside the log, None if there is nothing that can be used."""
    text = _text(log, game, rig)
    try:
        known = json.loads(text.read_bytes())
        if known["format"] != FORMAT:
            return None
        frame = load_frame(text.with_name(Path(known["picture"]).name))
        controls = parse_controls(known[_CAMERA])
        origins = tuple(map(parse_origin, known.get(_ORIGINS, ())))
        return SavedCalibration(frame, dict(known["truth"]), controls, known.get("fit"), origins)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BadPicture):
        return None


def load_fit(log: Path, game: str, rig: str = "") -> Mapping[str, Any] | None:
    """Return how the table of *game* was fitted by its corners, None by its tiles or never."""
    try:
        known = json.loads(_text(log, game, rig).read_bytes())
        fit = known.get("fit") if known.get("format") == FORMAT else None
        parse_fit({"fit": fit})
    except (OSError, ValueError, AttributeError):
        return None
    return fit


def calibrate(reader: Reader, known: SavedCalibration | None) -> Controls | None:
    """Calibrate *reader* with what is *known*, and return what the camera was held at.

    None if it cannot be calibrated with that.
    """
    if known is None:
        return None
    try:
        reader.calibrate(known.frame, known.truth)
    except (ValueError, KeyError, TypeError, AttributeError):  # the truth may be a file's
        return None
    return known.controls


def _picture_of(text: Path) -> Path | None:
    """Return the picture that *text* names, None if it names none."""
    try:
        return text.with_name(Path(json.loads(text.read_bytes())["picture"]).name)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _text(log: Path, game: str, rig: str) -> Path:
    return log.with_suffix(f".{game}@{rig}.colours.json" if rig else f".{game}.colours.json")


def _picture(text: Path, turn: str) -> Path:
    stem = text.name.removesuffix(".colours.json")
    return text.with_name(f"{stem}{turn}.colours.jpg")
