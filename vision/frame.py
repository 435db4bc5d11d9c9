"""One picture, and when it was taken."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Picture: TypeAlias = NDArray[np.uint8]

JPEG_START: Final = b"\xff\xd8"
JPEG_END: Final = b"\xff\xd9"
TAIL_BYTES: Final = 4096
"""Some cameras pad a file after the end marker; more than this is no padding."""


class BadPicture(ValueError):
    """A file that gives no picture: one line says which, why, and what to do."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture with its name and time.

    picture: (height, width, 3) uint8, blue green red, 0 dark to 255 bright.
    taken_s: seconds on the camera's own monotonic clock.
    """

    name: str
    picture: Picture
    taken_s: float


def load_frame(path: Path | str, taken_s: float = 0.0) -> Frame:
    """Return the picture in file *path*, upright as its EXIF orientation says.

    Raises BadPicture for a file that is missing, no picture, or broken off: half a picture with
    grey below would read as an empty table.
    """
    path = Path(path)
    try:
        encoded = path.read_bytes()
    except OSError as error:
        raise BadPicture(f"{path}: {error.strerror or error}; check the path") from error
    return Frame(path.name, decode(encoded, str(path)), taken_s)


def decode(encoded: bytes, name: str) -> Picture:
    """Return the picture that the bytes of a JPEG, PNG or other image file hold.

    Raises BadPicture, its message opening with *name*.
    """
    if not encoded:
        raise BadPicture(f"{name}: the file is empty; take the picture again")
    if encoded.startswith(JPEG_START) and JPEG_END not in encoded[-TAIL_BYTES:]:
        raise BadPicture(f"{name}: the JPEG breaks off before its end; copy or take it again")
    try:
        picture = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise BadPicture(f"{name}: cannot be decoded ({error.err}); take it again") from error
    if picture is None:
        raise BadPicture(f"{name}: not a picture that can be decoded; JPEG or PNG would be right")
    return np.ascontiguousarray(picture, dtype=np.uint8)
