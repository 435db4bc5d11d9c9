"""How far a small piece's colour is off in a JPEG: `python -m tests.block_colours`.

A red square on green, at every place on the JPEG's grid; its colour as the mean of its middle 4 x 4
pixels, and as that of the middle of the block of chroma which covers most of it.
"""

from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture

RED, GREEN = (40, 40, 200), (60, 140, 60)
QUALITY: Final = 90
CHROMA: Final = {
    "4:2:0": (cv2.IMWRITE_JPEG_SAMPLING_FACTOR_420, 16, 16),
    "4:2:2": (cv2.IMWRITE_JPEG_SAMPLING_FACTOR_422, 16, 8),
    "4:4:4": (cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444, 8, 8),
}
"""The sampling factor, and what one block of chroma covers, in pixels."""
LEFT, SIDE_PX = 32, 96


def photograph(side_px: int, x: int, y: int, factor: int) -> Picture:
    """Return a picture of a square of that side at (x, y), as it comes out of a JPEG."""
    picture = np.full((SIDE_PX, SIDE_PX, 3), GREEN, np.uint8)
    picture[y : y + side_px, x : x + side_px] = RED
    how = [cv2.IMWRITE_JPEG_QUALITY, QUALITY, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, factor]
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, how)[1], cv2.IMREAD_COLOR))


def largest_block(
    side_px: int, x: int, y: int, wide: int, high: int
) -> tuple[tuple[int, int], bool]:
    """Return the middle of what the square shares most with one block, and if that is all of it."""
    across, down = (
        max(
            (
                (min(start + size, at + side_px) - max(start, at), max(start, at))
                for start in range(0, SIDE_PX, size)
            ),
        )
        for at, size in ((x, wide), (y, high))
    )
    middle = across[1] + across[0] // 2, down[1] + down[0] // 2
    return middle, (across[0], down[0]) == (wide, high)


def error_at(picture: Picture, x: int, y: int) -> float:
    """Return by how many levels the 4 x 4 pixels around (x, y) are off, in the worst channel."""
    seen = picture[y - 2 : y + 2, x - 2 : x + 2].reshape(-1, 3).mean(axis=0)
    return float(np.abs(seen - RED).max())


def main() -> None:
    """Print the table."""
    print("| side | chroma | middle, median | worst | largest block, median | worst | whole |")
    for side_px in (12, 16, 20, 24, 32):
        for name, (factor, wide, high) in CHROMA.items():
            middles, blocks, whole = [], [], 0
            for x in range(LEFT, LEFT + 16):
                for y in range(LEFT, LEFT + 16):
                    picture = photograph(side_px, x, y, factor)
                    middles.append(error_at(picture, x + side_px // 2, y + side_px // 2))
                    place, is_whole = largest_block(side_px, x, y, wide, high)
                    blocks.append(error_at(picture, *place))
                    whole += is_whole
            figures = (np.median(middles), max(middles), np.median(blocks), max(blocks))
            told = " | ".join(f"{each:.1f}" for each in figures)
            print(f"| {side_px} | {name} | {told} | {whole / len(blocks):.0%} |")


if __name__ == "__main__":
    main()
