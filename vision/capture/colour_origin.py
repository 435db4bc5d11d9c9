"""How the colours of a camera's pictures come: who decodes them, from what.

The same red may come out another one in another release, codec or size: of a stream in H.264 that
is tagged BT.709, OpenCV reads 200, 40, 40 as 185, 23, 41 up to 4.12 and as it is from 4.13 on
(`findings/opencv_h264_colour_tag.sh`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import cv2

OPENCV: Final = f"OpenCV {cv2.__version__}"


@dataclass(frozen=True, slots=True)
class ColourOrigin:
    """How colours came.

    source: "picamera2", "device", "stream", "file" or "phone".
    decoder: the library that made colours of what the camera sent, with its release.
    backend: by which of its parts, such as "V4L2" or "FFMPEG"; "" where there is but one.
    codec: in which form the pictures came, such as "MJPG" or "h264".
    size_px: width and height of the pictures.
    """

    source: str
    decoder: str
    backend: str
    codec: str
    size_px: tuple[int, int]

    def parts(self) -> tuple[str, ...]:
        """Return what may differ, in the words of people who know cameras.

        >>> ColourOrigin("stream", "OpenCV 5.0.0", "FFMPEG", "h264", (1280, 720)).parts()
        ('OpenCV 5.0.0', 'FFMPEG', 'h264', '1280 × 720', 'stream')
        """
        width, height = self.size_px
        return self.decoder, self.backend, self.codec, f"{width} × {height}", self.source


def differing_parts(before: ColourOrigin, now: ColourOrigin) -> tuple[str, str]:
    """Return in which parts two differ: those of the first, and those of the other.

    >>> old = ColourOrigin("stream", "OpenCV 4.12.0", "FFMPEG", "h264", (1280, 720))
    >>> differing_parts(old, ColourOrigin("stream", "OpenCV 5.0.0", "FFMPEG", "h264", (1280, 720)))
    ('OpenCV 4.12.0', 'OpenCV 5.0.0')
    """
    pairs = [pair for pair in zip(before.parts(), now.parts(), strict=True) if pair[0] != pair[1]]
    olds, news = zip(*pairs, strict=True) if pairs else ((), ())
    return ", ".join(filter(None, olds)), ", ".join(filter(None, news))


def parse_origin(said: Mapping[str, Any]) -> ColourOrigin:
    """Return what `dataclasses.asdict` made of one; raises ValueError, KeyError or TypeError."""
    width, height = said["size_px"]
    source, decoder = str(said["source"]), str(said["decoder"])
    backend, codec = str(said["backend"]), str(said["codec"])
    return ColourOrigin(source, decoder, backend, codec, (int(width), int(height)))


def codec_of(fourcc: float) -> str:
    """Return the four letters that OpenCV gives as a number, "" if it does not know them.

    >>> codec_of(cv2.VideoWriter.fourcc(*"MJPG")), codec_of(0.0), codec_of(-1.0)
    ('MJPG', '', '')
    """
    if fourcc <= 0.0:
        return ""
    letters = int(fourcc).to_bytes(8, "little")[:4].decode("latin-1")
    return letters.strip() if letters.isascii() and letters.isprintable() else ""
