"""The markers that the camera looks for, drawn without a seam."""

from collections.abc import Iterator
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.apps.printing.paper import Page

CELLS: Final = 6
"""On a side: four of the code, and the black edge around them."""


def draw_marker(page: Page, left: float, top: float, side: float, number: int) -> None:
    """Draw marker *number* of DICT_4X4_50; *side*: of its black square in mm."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    black = cv2.aruco.generateImageMarker(dictionary, number, CELLS) == 0
    cell = side / CELLS
    # Runs across and runs down overlap, so that no printer leaves a white line between two.
    page.fill(
        box
        for turned, cells in ((False, black), (True, black.T))
        for row, first, count in _runs(cells)
        for box in [_box(left, top, cell, (row, first, count), turned=turned)]
    )


def _runs(cells: NDArray[np.bool_]) -> Iterator[tuple[int, int, int]]:
    """Yield row, first cell and length of each run of black cells.

    >>> list(_runs(np.array([[True, True, False], [False, True, False]])))
    [(0, 0, 2), (1, 1, 1)]
    """
    for number, row in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
        for first, end in zip(edges[::2], edges[1::2], strict=True):
            yield number, int(first), int(end - first)


def _box(
    left: float, top: float, cell: float, run: tuple[int, int, int], *, turned: bool
) -> tuple[float, float, float, float]:
    row, first, count = run
    if turned:
        return left + row * cell, top + first * cell, cell, count * cell
    return left + first * cell, top + row * cell, count * cell, cell
