"""Printed pages as pictures, and what an eye that knows nothing of us measures on them."""

from collections.abc import Iterator
from itertools import combinations

import cv2
import numpy as np
import pypdfium2
from numpy.typing import NDArray

from vision.capture.frame import Picture

PX_PER_MM = 8
INCH_MM = 25.4


def render(pdf: bytes, px_per_mm: float = PX_PER_MM) -> list[Picture]:
    """Return each page as a picture, as a printer would put it on paper."""
    with pypdfium2.PdfDocument(pdf) as document:
        scale = px_per_mm * INCH_MM / 72
        return [
            np.ascontiguousarray(page.render(scale=scale, rev_byteorder=False).to_numpy()[..., :3])
            for page in document
        ]


def scaled(page: Picture, across: float, down: float) -> Picture:
    """Return *page* as a printer prints it that does not print at true scale."""
    height, width = page.shape[:2]
    size = (round(width * across), round(height * down))
    return np.asarray(cv2.resize(page, size, interpolation=cv2.INTER_AREA), np.uint8)


def page_sizes(pdf: bytes) -> list[tuple[float, float]]:
    """Return width and height of each page in mm."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [
            (page.get_width() * INCH_MM / 72, page.get_height() * INCH_MM / 72) for page in document
        ]


def texts(pdf: bytes) -> list[str]:
    """Return all words of each page, single blanks between them."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]


def markers(page: Picture, px_per_mm: float = PX_PER_MM) -> dict[int, NDArray[np.float64]]:
    """Return the corners (4, 2) of each marker in mm on the page; one that is there twice fails."""
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(page)
    # Without a marker ids is None, whatever OpenCV's types say, and corners is empty.
    found = list(zip(np.atleast_1d(ids).ravel(), corners, strict=False))
    assert len(found) == len({int(number) for number, _ in found}), ids
    return {
        int(number): (np.asarray(corner, np.float64)[0] + 0.5) / px_per_mm
        for number, corner in found
    }


def ruler_lengths(page: Picture, px_per_mm: float = PX_PER_MM) -> tuple[float, float]:
    """Return how long the rulers across and down are in mm: their longest unbroken thin lines.

    Each runs through the middles of its first and last tick, which are as thick as itself.
    """
    dark = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) < 128
    height, width = dark.shape
    low = dark[int(height * 0.8) :, : int(width * 0.65)]
    left = dark[:, : int(width * 0.14)]
    return (
        max(map(_longest_run, low)) / px_per_mm - 0.2,
        max(map(_longest_run, left.T)) / px_per_mm - 0.2,
    )


def _longest_run(line: NDArray[np.bool_]) -> int:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], line.astype(np.int8), [0]])))
    return max(
        (int(end - first) for first, end in zip(edges[::2], edges[1::2], strict=True)), default=0
    )


def margins(page: Picture, px_per_mm: float = PX_PER_MM) -> tuple[float, float, float, float]:
    """Return how much white paper is left of, above, right of and below all ink, in mm."""
    rows, columns = np.nonzero(cv2.cvtColor(page, cv2.COLOR_BGR2GRAY) < 250)
    height, width = page.shape[:2]
    return (
        columns.min() / px_per_mm,
        rows.min() / px_per_mm,
        (width - 1 - columns.max()) / px_per_mm,
        (height - 1 - rows.max()) / px_per_mm,
    )


def overlapping_words(pdf: bytes) -> list[str]:
    """Return the lines of text that run into each other, two by two."""
    return [" | ".join(pair) for page in _lines(pdf) for pair in _overlaps(page)]


def _lines(pdf: bytes) -> Iterator[list[tuple[str, tuple[float, float, float, float]]]]:
    """Yield the lines of each page: their words; left, bottom, right and top in points."""
    with pypdfium2.PdfDocument(pdf) as document:
        for page in document:
            words = page.get_textpage()
            boxes = [words.get_rect(number) for number in range(words.count_rects())]
            yield [(words.get_text_bounded(*box), box) for box in boxes]


def _overlaps(
    lines: list[tuple[str, tuple[float, float, float, float]]],
) -> Iterator[tuple[str, str]]:
    for (one, first), (other, second) in combinations(lines, 2):
        across = min(first[2], second[2]) - max(first[0], second[0])
        down = min(first[3], second[3]) - max(first[1], second[1])
        if across > 0.3 and down > 0.3:
            yield one, other
