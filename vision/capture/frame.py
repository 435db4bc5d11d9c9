"""One picture and when it was taken; decoding and encoding of picture files."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image

Picture: TypeAlias = NDArray[np.uint8]
T = TypeVar("T")

START_AND_END_MARKERS: Final = {
    "JPEG": (b"\xff\xd8", b"\xff\xd9"),
    "PNG": (b"\x89PNG\r\n", b"IEND"),
}
FULL_COLOUR: Final = (cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444)
"""A colour for each pixel. Left to itself OpenCV keeps one for each four (4:2:0), and a small piece
has the colour of where it lies among them."""
MAX_PADDING_BYTES: Final = 4096
"""Some cameras pad a file after its end marker, up to a block of their storage."""
# OpenCV is silenced: our own one-line message says what is wrong with a file. OpenCV 4 and 5 have
# this function in two places.
_set_log_level = getattr(cv2, "setLogLevel", None) or cv2.utils.logging.setLogLevel
_set_log_level(0)


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
    _made: dict[Any, Any] = field(default_factory=dict, init=False, repr=False, compare=False)

    def once(self, make: Callable[["Frame"], T]) -> T:
        """Return what *make* makes of this frame: made once, and the same for all who ask."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made


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


def size_of_jpeg(encoded: bytes) -> tuple[int, int]:
    """Return width and height in pixels as the header of a JPEG claims them; nothing is decoded.

    Raises BadPicture if it is none.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(BytesIO(encoded), formats=["JPEG"]) as image:
                size = image.size
    except (OSError, ValueError, Image.DecompressionBombError):
        size = (0, 0)
    if not all(size):
        raise BadPicture("not a JPEG; send one")
    return size


def decode(encoded: bytes, name: str) -> Picture:
    """Return the picture that the bytes of a JPEG, PNG or other image file hold.

    Raises BadPicture, its message opening with *name*.
    """
    if not encoded:
        raise BadPicture(f"{name}: the file is empty; take the picture again")
    for kind, (start, end) in START_AND_END_MARKERS.items():
        if encoded.startswith(start) and end not in encoded[-MAX_PADDING_BYTES:]:
            raise BadPicture(
                f"{name}: the {kind} is incomplete; copy it again or take a new picture"
            )
    problem = _check_header(encoded)
    if problem:
        raise BadPicture(f"{name}: {problem}")
    try:
        picture = cv2.imdecode(np.frombuffer(encoded, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise BadPicture(f"{name}: cannot be decoded ({error.err}); take it again") from error
    if picture is None:
        raise BadPicture(f"{name}: not a picture that can be decoded; use JPEG or PNG")
    return np.ascontiguousarray(picture, dtype=np.uint8)


def encode(picture: Picture, quality: int, max_width_px: int | None = None) -> bytes:
    """Return a JPEG of *picture* that readers may be shown, with a colour for each pixel.

    quality: from 1 to 100.  max_width_px: a wider one is scaled down to that.
    """
    height, width = picture.shape[:2]
    if max_width_px is not None and width > max_width_px:
        size_px = (max_width_px, max(1, round(height * max_width_px / width)))
        smaller = cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA)
    else:
        smaller = picture
    _, data = cv2.imencode(".jpg", smaller, [cv2.IMWRITE_JPEG_QUALITY, quality, *FULL_COLOUR])
    return data.tobytes()


def _check_header(encoded: bytes) -> str | None:
    """Return why a picture with this header must not be decoded, or None.

    A few hundred bytes of PNG can claim billions of pixels and fill the memory; Pillow warns from
    89 million on.  A palette falsifies the colours that it lacks.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(BytesIO(encoded)) as image:
                has_palette = image.mode == "P"
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return f"has more than {Image.MAX_IMAGE_PIXELS} pixels; scale it down"
    except (OSError, ValueError):
        return None  # a format that Pillow does not know; OpenCV may
    if has_palette:
        return "has at most 256 colours; use JPEG or a PNG in full colour"
    return None
