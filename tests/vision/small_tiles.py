"""Pictures of corner tiles whose corners are known, as a small camera takes them.

`python -m tests.vision.small_tiles` prints how many are found, and how far off their corners are:
by the product, and by OpenCV's own refinements.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import cv2
import numpy as np

from rendering.prints import MARKER_MM, TILE_MM, draw_tile
from vision.capture.frame import Picture
from vision.geometry.pose import Points
from vision.geometry.table_view import TableView

SIZE_PX: Final = (640, 480)
FINER: Final = 4
BLACK, WHITE, TABLE = 25.0, 225.0, 150
CENTRES: Final = ((120, 110), (520, 110), (520, 370), (120, 370))
STRAY_PX: Final = 30.0
BLUR_PX: Final = 0.7
NOISE: Final = 2.0
OPENCV: Final = {
    "none": cv2.aruco.CORNER_REFINE_NONE,
    "contour": cv2.aruco.CORNER_REFINE_CONTOUR,
    "subpix": cv2.aruco.CORNER_REFINE_SUBPIX,
}


def photograph_tiles(
    seed: int, side_px: float, tiles: Sequence[int] = (0, 1, 2, 3), blur_px: float = BLUR_PX
) -> tuple[Picture, dict[int, Points]]:
    """Return a picture of four tiles, turned in any way, and their corners (4, 2) in pixels."""
    random = np.random.default_rng([seed, round(4 * side_px)])
    fine = np.full((SIZE_PX[1] * FINER, SIZE_PX[0] * FINER), TABLE, np.uint8)
    truth = {}
    for tile, centre in zip(tiles, CENTRES, strict=True):
        truth[tile] = _corners(
            np.array(centre) + random.uniform(-1, 1, 2) * STRAY_PX, side_px, random
        )
        _lay(fine, tile, truth[tile])
    small = cv2.resize(fine, SIZE_PX, interpolation=cv2.INTER_AREA).astype(np.float64)
    seen = np.asarray(cv2.GaussianBlur(small, (0, 0), blur_px))
    grey = np.clip(seen + random.normal(0.0, NOISE, seen.shape), 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), np.uint8), truth


def _corners(centre: Points, side_px: float, random: np.random.Generator) -> Points:
    turn = random.uniform(0, 2 * np.pi)
    ends = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * side_px / 2
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return np.asarray(ends @ rotation + centre, np.float64)


def _lay(fine: Picture, tile: int, corners: Points) -> None:
    """Draw *tile* into a picture FINER times as large, its marker's corners where they are told."""
    paper = BLACK + (draw_tile(tile)[..., 0] / 255.0) * (WHITE - BLACK)
    rim = (TILE_MM - MARKER_MM) / 2 / TILE_MM * len(paper)
    low, high = rim - 0.5, len(paper) - rim - 0.5
    drawn = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    there = ((corners + 0.5) * FINER - 0.5).astype(np.float32)
    warp = cv2.getPerspectiveTransform(drawn, there)
    shape = fine.shape[1], fine.shape[0]
    cv2.warpPerspective(
        paper.astype(np.uint8),
        warp,
        shape,
        dst=fine,
        flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_TRANSPARENT,
    )


def find_by_product(picture: Picture, tiles: Sequence[int]) -> Mapping[int, Points]:
    """Return the corners (4, 2) of each tile that the product finds."""
    return TableView(picture).find_tiles(tiles, len(tiles))


def find_by_opencv(picture: Picture, method: int) -> Mapping[int, Points]:
    """Return the same as OpenCV finds them by itself, with a refinement of its own."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = method
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(picture)
    numbers = [int(each) for each in np.atleast_1d(ids).ravel()] if corners else []
    return {
        number: np.asarray(corner, np.float64).reshape(4, 2)
        for number, corner in zip(numbers, corners, strict=True)
    }


def count_whole(side_px: float, pictures: int, blur_px: float = BLUR_PX) -> int:
    """Return in how many pictures the product finds all four tiles."""
    whole = 0
    for seed in range(pictures):
        picture, truth = photograph_tiles(seed, side_px, blur_px=blur_px)
        whole += len(find_by_product(picture, list(truth))) == len(truth)
    return whole


def errors_px(found: Mapping[int, Points], truth: Mapping[int, Points]) -> Iterator[float]:
    """Yield how far each corner that was found is from where it is."""
    for tile in found.keys() & truth.keys():
        yield from np.linalg.norm(found[tile] - truth[tile], axis=1)


def _print_corners(pictures: int = 50) -> None:
    print("| side | " + " | ".join(("product", *OPENCV)) + " |")
    for side_px in (16, 24, 32, 64):
        off: dict[str, list[float]] = {"product": [], **{name: [] for name in OPENCV}}
        for seed in range(pictures):
            picture, truth = photograph_tiles(seed, side_px)
            off["product"] += errors_px(find_by_product(picture, list(truth)), truth)
            for name, method in OPENCV.items():
                off[name] += errors_px(find_by_opencv(picture, method), truth)
        cells = (f"{np.median(each):.2f} ({len(each) // 4})" for each in off.values())
        print(f"| {side_px} | " + " | ".join(cells) + " |")


def main() -> None:
    """Print both tables."""
    _print_corners()
    for blur_px in (BLUR_PX, 1.5, 2.0, 2.5):
        found = [
            f"{side}: {count_whole(side, 60, blur_px)}" for side in (14, 16, 18, 20, 22, 30, 42)
        ]
        print(f"all four of 60 pictures, blur {blur_px}: " + ", ".join(found))


if __name__ == "__main__":
    main()
