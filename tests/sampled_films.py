"""Films written again with one colour for a pixel, for two or for four, and how large they are.

`python -m tests.sampled_films OUT WIDTH QUALITY FOLDER...` scales the pictures of each folder down
to WIDTH, so that their own JPEG hardly shows any more, and writes them as OUT/420, OUT/422 and
OUT/444, which `tiki evaluate` reads. The table has kilobytes a picture, and how far colours are off
from the scaled picture: of Cr, in levels, root mean square and in one pixel of 200.
"""

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture, decode, load_frame

SAMPLINGS: Final = {
    "420": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420,
    "422": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422,
    "444": cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
}
RED: Final = 1
"""Cr, of what OpenCV calls YCrCb."""


def scale(picture: Picture, width_px: int) -> Picture:
    """Return *picture* at that width."""
    height, width = picture.shape[:2]
    size_px = width_px, round(height * width_px / width)
    return np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), np.uint8)


def pack(picture: Picture, quality: int, sampling: int) -> bytes:
    """Return a JPEG of *picture*."""
    chosen = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    return cv2.imencode(".jpg", picture, chosen)[1].tobytes()


def find_errors(picture: Picture, packed: bytes) -> tuple[float, float]:
    """Return how far the red of *packed* is off: the mean square, and what one in 200 exceeds."""
    found = decode(packed, "packed")
    pair = [cv2.cvtColor(each, cv2.COLOR_BGR2YCrCb)[..., RED] for each in (picture, found)]
    off = np.abs(pair[0].astype(float) - pair[1])
    return float((off**2).mean()), float(np.percentile(off, 99.5))


def main(out: Path, width_px: int, quality: int, folders: Sequence[Path]) -> None:
    """Write the films, and print the table."""
    print("| sampling | kB a picture | colour off, rms | one pixel of 200 |")
    print("|---|---|---|---|")
    for name, sampling in SAMPLINGS.items():
        sizes, errors = [], []
        for folder in folders:
            target = out / name / folder.name
            target.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.glob("*.jpg")):
                picture = scale(load_frame(path).picture, width_px)
                packed = pack(picture, quality, sampling)
                (target / path.name).write_bytes(packed)
                sizes.append(len(packed) / 1000)
                errors.append(find_errors(picture, packed))
            for text in ("session.json", "truth.jsonl"):
                shutil.copy(folder / text, target / text)
        squares, most = np.mean(errors, axis=0)
        print(f"| {name} | {np.mean(sizes):.0f} | {squares**0.5:.2f} | {most:.1f} |", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), [*map(Path, sys.argv[4:])])
