"""A flat sheet that is found again by its outline, when all that is printed on it may be covered.

Where its edges are seen against the table, each small push and turn is tried: cards and hands hide
parts of the outline, but nothing else has one like it.  The camera is taken to be at rest.
"""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.marker_template import to_grey
from vision.geometry.pose import Points

STEP_MM: Final = 6.0
"""Between samples of the outline."""
END_SHARE: Final = 0.08
"""Of each side, what is left out at either end: corners were dragged, and may be round."""
MIN_CONTRAST: Final = 0.06
"""Of an edge, in natural logarithms of the light: noise stays below."""
MIN_SIDES, MIN_SAMPLES = 3, 40
"""An outline of fewer says too little of a push along the others."""
MAX_PUSH_MM, MAX_TURN_DEG = 44.0, 10.0
MARGIN_MM: Final = 96.0
"""Around the sheet, as far as its corners may go."""
COARSE: Final = (4.0, 9)
FINE: Final = (1.5, 3)
"""How far from the outline either side is looked at in mm, and the smoothing before in pixels."""
CLIMBS: Final = ((2.0, 0.5), (1.0, 0.25), (0.5, 0.125), (0.25, 0.0625))
"""Steps in mm and degrees by which a place is improved."""
CLEAR, MIN_SEEN = 0.75, 0.5
"""Share of the outline that is seen where the sheet clearly lies, and at least; two sides are half
of it, along which it may have gone."""
MIN_GAIN: Final = 0.15
"""By how much more of it has to be seen where it is said to have gone."""
STAYS: Final = 0.01
"""The same for each step by which a place is improved."""

Place = NDArray[np.float64]
"""(3,) how far a sheet was pushed, x and y in mm, and by how many degrees it was turned."""


class Outline:
    """The outline of one sheet, in one camera's view.

    plane: homography (3, 3) from mm of the table to pixels.  corners: (4, 2) of the sheet in mm.
    """

    def __init__(self, picture: Picture, plane: Points, corners: Points) -> None:
        self._low = corners.min(axis=0) - MARGIN_MM
        self._size = np.ceil(corners.max(axis=0) + MARGIN_MM - self._low).astype(int)
        self._to_mm = np.linalg.inv(plane)
        self._middle = corners.mean(axis=0)
        self._points, self._normals, self._sides = _sample(corners)
        self._levels = [np.ones(len(self._points))] * 2
        rectified = self._rectify(picture)
        self._levels = [self._edges(rectified, how, np.zeros((1, 3)))[0] for how in (COARSE, FINE)]
        self._is_edge = np.abs(self._levels[0]) >= MIN_CONTRAST
        # The corners may have been dragged beside the edges.
        self._first = self._last = np.zeros(3)
        if self.is_seen:
            self._first = self._last = self._climb(rectified, np.zeros(3))
            self._levels[1] = self._edges(rectified, FINE, self._first[None])[0]

    @property
    def is_seen(self) -> bool:
        """Whether enough of the sheet's edges can be seen against the table."""
        sides = np.bincount(self._sides[self._is_edge], minlength=4)
        is_side = np.count_nonzero(sides >= MIN_SAMPLES / 8) >= MIN_SIDES
        return bool(is_side and self._is_edge.sum() >= MIN_SAMPLES)

    def find_move(self, picture: Picture) -> Points | None:
        """Return how points of the table in mm have moved with the sheet, (3, 3).

        None if too little of the outline is seen.
        """
        rectified = self._rectify(picture)
        here = self._climb(rectified, self._last)
        seen = float(self._scores(rectified, FINE, here[None])[0])
        if seen < CLEAR:
            there = self._search(rectified)
            elsewhere = float(self._scores(rectified, FINE, there[None])[0])
            if elsewhere >= seen + MIN_GAIN:
                here, seen = there, elsewhere
        if seen < MIN_SEEN:
            return None
        self._last = here
        back, forth = (_motion(place, self._middle) for place in (self._first, here))
        return np.asarray(forth @ np.linalg.inv(back), np.float64)

    def _rectify(self, picture: Picture) -> NDArray[np.float32]:
        """Return the table around the sheet from above, a pixel a millimetre, in log levels."""
        shift = np.array([[1.0, 0.0, -self._low[0]], [0.0, 1.0, -self._low[1]], [0.0, 0.0, 1.0]])
        width, height = (int(side) for side in self._size)
        grey = to_grey(picture).astype(np.float32)
        seen = cv2.warpPerspective(
            grey, shift @ self._to_mm, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(np.log(seen + 8.0), np.float32)

    def _edges(
        self, rectified: NDArray[np.float32], how: tuple[float, int], places: Points
    ) -> Points:
        """Return by how much it is brighter within than without, (n, samples), at n *places*."""
        reach, smooth_px = how
        smooth = np.asarray(cv2.blur(rectified, (smooth_px, smooth_px)), np.float32)
        turn = np.exp(1j * np.radians(places[:, 2]))[:, None]
        shift = (places[:, :2] @ [1, 1j])[:, None]
        middle = complex(*self._middle)
        points = (self._points @ [1, 1j] - middle) * turn + middle + shift
        off = self._normals @ [1, 1j] * turn * reach
        inner, outer = (
            self._levels_at(smooth, np.asarray(points + way, np.complex128)) for way in (-off, off)
        )
        return inner - outer

    def _levels_at(self, smooth: NDArray[np.float32], points: NDArray[np.complex128]) -> Points:
        width, height = self._size
        columns = np.clip(np.rint(points.real - self._low[0]), 0, width - 1).astype(int)
        rows = np.clip(np.rint(points.imag - self._low[1]), 0, height - 1).astype(int)
        return np.asarray(smooth[rows, columns], np.float64)

    def _scores(
        self, rectified: NDArray[np.float32], how: tuple[float, int], places: Points
    ) -> Points:
        """Return the share (n,) of the outline's edges that are seen at each of n *places*."""
        usual = self._levels[0 if how is COARSE else 1]
        is_edge = self._is_edge & (np.abs(usual) >= MIN_CONTRAST / 2)
        edges = self._edges(rectified, how, places)[:, is_edge] / usual[is_edge]
        return np.asarray(np.clip(edges, 0.0, 1.0).mean(axis=1))

    def _climb(self, rectified: NDArray[np.float32], place: Place) -> Place:
        """Return the place near *place* at which most of the outline is seen."""
        ways = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3), axis=-1).reshape(-1, 3)
        for mm, deg in CLIMBS:
            for _ in range(4):
                places = place + ways * [mm, mm, deg]
                scores = self._scores(rectified, FINE, places)
                best = places[int((scores + STAYS * ~ways.any(axis=1)).argmax())]
                if (best == place).all():
                    break
                place = best
        return place

    def _search(self, rectified: NDArray[np.float32]) -> Place:
        """Return the place of all at which most of the outline is seen."""
        way = np.arange(-MAX_PUSH_MM, MAX_PUSH_MM + 1, COARSE[0])
        turns = np.arange(-MAX_TURN_DEG, MAX_TURN_DEG + 0.1)
        grid = np.stack(np.meshgrid(way, way), axis=-1).reshape(-1, 2)
        best, place = -1.0, self._first
        for turn in turns:
            places = self._first + np.column_stack([grid, np.full(len(grid), turn)])
            scores = self._scores(rectified, COARSE, places)
            if scores.max() > best:
                best, place = float(scores.max()), places[int(scores.argmax())]
        return self._climb(rectified, place)


def _sample(corners: Points) -> tuple[Points, Points, NDArray[np.intp]]:
    """Return points (n, 2) along a rectangle's sides, their normals outwards, and their sides."""
    points, normals, sides = [], [], []
    for side, (start, end) in enumerate(zip(corners, np.roll(corners, -1, axis=0), strict=True)):
        count = max(2, int(np.linalg.norm(end - start) * (1 - 2 * END_SHARE) / STEP_MM))
        along = np.linspace(END_SHARE, 1 - END_SHARE, count)[:, None]
        across = np.array([end[1] - start[1], start[0] - end[0]])
        across *= np.sign(across @ ((start + end) / 2 - corners.mean(axis=0)))
        points.append(start + along * (end - start))
        normals.append(np.broadcast_to(across / np.linalg.norm(across), (count, 2)))
        sides.append(np.full(count, side))
    return np.concatenate(points), np.concatenate(normals), np.concatenate(sides)


def _motion(place: Place, middle: Points) -> Points:
    """Return (3, 3) how points in mm move that are pushed and turned about *middle*."""
    turn = np.exp(1j * np.radians(place[2]))
    rotation = np.array([[turn.real, -turn.imag], [turn.imag, turn.real]])
    shift = middle + place[:2] - rotation @ middle
    return np.vstack([np.column_stack([rotation, shift]), [0.0, 0.0, 1.0]])
