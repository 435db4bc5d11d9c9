"""One picture of a table as all look at it: at working size, with the markers that are in it.

Reader, view watch, tile check and set-up share the view of a frame, so that a picture is scaled
once and searched for markers once, whoever asks first.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Frame, Picture
from vision.geometry.distortion import Distortion
from vision.geometry.marker_corners import refine_closely, refine_corners
from vision.geometry.marker_template import to_grey
from vision.geometry.pose import Points
from vision.geometry.session_values import TILES_PER_MAT

MAX_PICTURE_SIDE_PX: Final = 2200
"""Longer pictures are halved until they fit: sampled at 1 mm, more pixels would only alias."""
MIN_PICTURE_SIDE_PX: Final = 64
"""Smaller pictures show no marker that could be decoded: 6 cells of some pixels each."""
THRESHOLD_WINDOW_PX: Final = 31
"""Window of the adaptive threshold: wider than a tile's white paper."""
CLOSER_LOOKS: Final = ((17, 1.0), (7, 1.0), (31, 0.5), (17, 0.5))
"""Windows and scales that are tried where some tiles are found, but not enough: others may lie at
the edge of a shadow, or be small, and are found in twice as many pixels: OpenCV takes their edges
from whole ones."""
MAX_DOUBLED_SIDE_PX: Final = 1600
"""Longer pictures show tiles in pixels enough."""
CELL_PX: Final = 8
"""A marker is decoded from its cells at this size: at four pixels, as OpenCV has it, blur closes
the cells of a small one."""
CELL_MARGIN: Final = 0.33
"""Share of a cell that is left out at each side, where its neighbours shine in."""
LIGHT: Final = np.asarray(np.linspace(0.0, 1.0, 256) ** 2.2 * 255.0, np.float32)
"""The light that a grey level stands for, by the curve that cameras follow more or less."""


class TableView:
    """A picture of a table, and the markers in it, searched for when they are first asked for.

    picture: (rows, columns, 3) uint8, halved until its longer side is at most MAX_PICTURE_SIDE_PX;
        of a grey one, all three channels are the same.
    """

    def __init__(self, picture: Picture) -> None:
        self.picture = _scale_down(picture)
        self._decoded: dict[tuple[int, float], list[tuple[int, Points]]] = {}
        self._refined: dict[tuple[int, ...], Mapping[int, Points]] = {}

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows, columns and channels of the picture."""
        return self.picture.shape

    @property
    def is_too_small(self) -> bool:
        """Whether no marker could be decoded in so few pixels."""
        return min(self.shape[:2]) < MIN_PICTURE_SIDE_PX

    @cached_property
    def grey(self) -> NDArray[np.uint8]:
        """The grey levels (rows, columns)."""
        return to_grey(self.picture)

    def find_markers(self, wanted: Collection[int], min_found: int = 0) -> Mapping[int, Points]:
        """Return the rough corners (4, 2) in pixels of those of the *wanted* markers in view.

        min_found: if fewer are found, and any marker is in view, `CLOSER_LOOKS` are tried.
        """
        if self.is_too_small:
            return {}
        found = self._decode(wanted, THRESHOLD_WINDOW_PX // 2, 2.0)
        if len(found) < TILES_PER_MAT:
            found = self._decode(wanted, THRESHOLD_WINDOW_PX) | found
        for window_px, scale in CLOSER_LOOKS:
            is_large = scale < 1.0 and max(self.shape) > MAX_DOUBLED_SIDE_PX
            if len(found) < min_found and any(self._decoded.values()) and not is_large:
                found = self._decode(wanted, window_px, scale) | found
        return found

    def find_tiles(self, wanted: Collection[int], min_found: int = 0) -> Mapping[int, Points]:
        """Return the same, but refined where possible.

        A small tile's rough corners may be further off than its edges are searched for, by half of
        the picture's pixels; such a tile is found again by all of them.
        """
        found = self.find_markers(wanted, min_found)
        tiles = tuple(found)
        if found and tiles not in self._refined:
            corners = self._refine(found)
            rough = [tile for tile in found if np.array_equal(corners[tile], found[tile])]
            again = self._decode(rough, THRESHOLD_WINDOW_PX) if rough else {}
            self._refined[tiles] = corners | self._refine(again) if again else corners
        return self._refined[tiles] if found else {}

    def find_each_marker(self) -> list[Points]:
        """Return the corners (4, 2) of every marker in view, of one number or not.

        Refined by the light itself: by its levels white seems to spread over black.
        """
        if self.is_too_small:
            return []
        rough = [corners for _, corners in self._search(THRESHOLD_WINDOW_PX // 2, 2.0)]
        light = LIGHT[self.grey]
        return list(refine_closely(light, np.stack(rough))) if rough else []

    def _refine(self, rough: Mapping[int, Points]) -> dict[int, Points]:
        corners = refine_corners(self.grey, np.stack(list(rough.values())))
        return dict(zip(rough, corners, strict=True))

    def _decode(
        self, wanted: Collection[int], window_px: int, scale: float = 1.0
    ) -> dict[int, Points]:
        """Return the rough corners (4, 2) of the *wanted* markers, in the picture's pixels.

        scale: of its pixels for one of those that are searched.
        """
        found: dict[int, Points] = {}
        for tile, corners in self._search(window_px, scale):
            if tile in wanted:
                found.setdefault(tile, corners)
        return found

    def _search(self, window_px: int, scale: float) -> list[tuple[int, Points]]:
        """Return all markers, searched for once."""
        if (window_px, scale) not in self._decoded:
            grey = self.grey
            if scale != 1.0:
                step, way = 1.0 / scale, cv2.INTER_AREA if scale > 1.0 else cv2.INTER_CUBIC
                resized = cv2.resize(grey, None, fx=step, fy=step, interpolation=way)
                grey = np.asarray(resized, np.uint8)
            self._decoded[window_px, scale] = _threshold_and_decode(grey, window_px, scale)
        return self._decoded[window_px, scale]


def view_of(frame: Frame) -> TableView:
    """Return the view of *frame*: the same for all who ask."""
    return frame.once(_make_view)


def _make_view(frame: Frame) -> TableView:
    return TableView(frame.picture)


class StraightFrame(Frame):
    """A frame at working size, as a pinhole would have taken it."""


def straighten(frame: Frame, distortion: Distortion) -> Frame:
    """Return *frame* without *distortion*: the same for all who ask, itself if there is none."""
    if distortion.k1 == 0.0 or isinstance(frame, StraightFrame):
        return frame
    return frame.once(_Straighten(distortion))


@dataclass(frozen=True, slots=True)
class _Straighten:
    distortion: Distortion

    def __call__(self, frame: Frame) -> StraightFrame:
        picture = self.distortion.straighten(view_of(frame).picture, MAX_PICTURE_SIDE_PX)
        return StraightFrame(frame.name, picture, frame.taken_s)


def _scale_down(picture: Picture) -> Picture:
    if picture.ndim != 3:
        picture = np.asarray(cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR), np.uint8)
    while max(picture.shape[:2]) > MAX_PICTURE_SIDE_PX:
        size = max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2)
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return picture


def _threshold_and_decode(
    grey: NDArray[np.uint8], window_px: int, scale: float
) -> list[tuple[int, Points]]:
    """Return number and corners (4, 2) of all markers, in pixels of a picture *scale* larger."""
    corners, ids, _ = _detector(window_px).detectMarkers(grey)
    found: list[tuple[int, Points]] = []
    # Without a marker ids is None, whatever OpenCV's types say, and corners is empty.
    for number, corner in zip(np.atleast_1d(ids).ravel(), corners, strict=False):
        # Half a pixel: a pixel's centre moves when the picture is scaled.
        pixels = (np.asarray(corner, np.float64).reshape(4, 2) + 0.5) * scale - 0.5
        found.append((int(number), pixels))
    return found


@cache
def _detector(window_px: int) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # One window instead of three: paper in room light needs no search over scales.
    parameters.adaptiveThreshWinSizeMin = window_px
    parameters.adaptiveThreshWinSizeMax = window_px
    parameters.adaptiveThreshWinSizeStep = 10
    parameters.perspectiveRemovePixelPerCell = CELL_PX
    parameters.perspectiveRemoveIgnoredMarginPerCell = CELL_MARGIN
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.ArucoDetector(dictionary, parameters)
