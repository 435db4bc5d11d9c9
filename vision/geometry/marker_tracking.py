"""Find the four corner tiles, and from them where the camera stands.

A tile is searched for in the whole picture only when it must be; once the camera's pose is known,
each picture is merely checked for the tiles still being where they were.
"""

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import Rig
from vision.geometry.marker_corners import refine_corners
from vision.geometry.marker_template import MarkerTemplate, crop_template, to_grey
from vision.geometry.pose import Markers, Points, Pose, fit_pose, lens_of, to_table
from vision.geometry.session_values import TILES_PER_MAT

SMALLEST_SIDE_PX: Final = 64
CORNERS: Final = ("top left", "top right", "bottom right", "bottom left")
"""Where a mat's four tiles lie, in their order."""
MARKERS: Final = 50
"""How many different markers DICT_4X4_50 has."""
THRESHOLD_WINDOW_PX: Final = 31
HALF_WINDOW_PX: Final = 15
FINE_WINDOWS_PX: Final = (17, 7)
"""Tried too where some tiles are seen, but not enough: beside the others it may be as dark."""
SEARCH_PX: Final = 5
"""How far a remembered tile may have wandered, in pixels of its patch."""
STILL_PX: Final = 1.2
"""A known tile further than this from its place means that the camera has moved."""
TRUST_MM: Final = 4.0
"""Greatest misfit of a pose: tiles 1 mm and 2 degrees off, seen by a simple lens, come to 2."""
PRINTED: Final = 0.03
"""Greatest misfit of a pose from measured markers of a board that tilts, in sides of a marker; in
plain view it is 0.02 at most."""
TINY_MM: Final = 1e-9
CROOKED: Final = 0.033
"""Corners of a board's marker in plain view lie within this share of its side from a square's: 0.03
at most in poor pictures."""
NEAR_PX: Final = (18, 10)
"""After a bump a tile is first looked for so far around its old place, in pixels of its patch; less
far where the picture ends."""
LEAST_PX: Final = (1, 0)
AS_COMPLEX: Final = np.array([1.0, 1.0j])
ENOUGH, ENOUGH_TILTING = 2, 3
"""Known tiles that must be seen in their places for a known pose to hold."""
FEWEST_TO_BEND: Final = 3
TRUST_TWO_MM: Final = 1.0
"""Greatest misfit of a pose from only two tiles, whose places were measured before."""


class MarkerTracker:
    """Knows the pose of one camera over one mat, from picture to picture.

    Between poses it keeps where the tiles really lie on the table, so that later two or three of
    them give the very same pose as all four.
    """

    def __init__(self, layout: Rig, tilts: bool = False) -> None:
        """*tilts*: whether what carries the tiles may tilt by itself.

        Then three must be seen, and be where they were for a known pose to hold: about two, it
        may have turned.
        """
        self._layout = layout
        self._tilts = tilts
        self._enough = ENOUGH_TILTING if tilts else ENOUGH
        self._nominal = _nominal_corners(layout)
        self._measured: dict[int, Points] = {}
        self._pose: Pose | None = None
        self._shape: tuple[int, int] = (0, 0)
        self._patches: dict[int, MarkerTemplate] = {}
        self._seen: Mapping[int, Points] = {}

    def locate(self, picture: Picture) -> Pose | None:
        """Return the camera's pose in *picture*, or None if too few tiles are in view."""
        shape = (picture.shape[0], picture.shape[1])
        if min(shape) < SMALLEST_SIDE_PX:
            return None
        if self._pose is not None and shape == self._shape:
            agreeing, moved = self._check(picture)
            if agreeing >= self._enough and not moved:
                return self._pose
            return self._locate_anew(picture, agreeing > 0 and not moved and not self._tilts)
        return self._locate_anew(picture, known_holds=False)

    def list_seen(self) -> Markers:
        """Return the tiles that were in view when they were last looked for."""
        return Markers(self._seen, self._recall(self._seen))

    def explain(self) -> str:
        """Return why there was no pose when the tiles were last looked for, and what to do."""
        tiles = "board markers" if self._tilts else "corner tiles"
        if len(self._seen) >= FEWEST_TO_BEND:
            return f"{tiles} do not form the expected rectangle; lay all four flat in their places"
        each = zip(CORNERS, self._layout.mat.marker_ids, strict=True)
        unseen = ", ".join(corner for corner, tile in each if tile not in self._seen)
        return (
            f"too few {tiles} in view (not seen: {unseen}); uncover all four, and see that the"
            " camera shows them whole and sharp"
        )

    def _locate_anew(self, picture: Picture, known_holds: bool) -> Pose | None:
        seen = self._detect_near(picture)
        if len(seen) < TILES_PER_MAT:
            seen = self._detect(to_grey(picture))
        if self._tilts:
            seen = self._leave_out_crooked(seen, picture.shape)
        self._seen = seen
        pose = self._solve(seen, picture.shape)
        if pose is None:
            return self._pose if known_holds else None
        if len(seen) == TILES_PER_MAT or not self._measured:
            self._measured = _measure(pose, seen)
        self._pose = pose
        self._shape = (picture.shape[0], picture.shape[1])
        self._patches = {
            tile: patch
            for tile, corners in seen.items()
            if (patch := crop_template(picture, corners)) is not None
        }
        return pose

    def _check(self, picture: Picture) -> tuple[int, bool]:
        """Return how many known tiles are where they were, and whether one has moved.

        As many as are enough are looked at, opposite ones first: a camera cannot move and leave
        two of them in place.
        """
        agreeing = 0
        ids = self._layout.mat.marker_ids
        for tile in ids[::2] + ids[1::2]:
            if agreeing == self._enough:
                break
            patch = self._patches.get(tile)
            if patch is None:
                continue
            shift = patch.find(picture, (SEARCH_PX, *LEAST_PX))
            if shift is None:
                continue
            if np.linalg.norm(shift) > STILL_PX:
                return agreeing, True
            agreeing += 1
        return agreeing, False

    def _detect_near(self, picture: Picture) -> Mapping[int, Points]:
        """Return the corners of all tiles if each is still about where it was last found.

        A bump moves all tiles a little: to look for what each looked like is cheaper than to
        search the picture for markers. Where one is not seen, nothing is returned.
        """
        shape = (picture.shape[0], picture.shape[1])
        if shape != self._shape or len(self._patches) < TILES_PER_MAT:
            return {}
        shifts = []
        for patch in self._patches.values():
            shift = patch.find(picture, (*NEAR_PX, SEARCH_PX, *LEAST_PX))
            if shift is None:
                return {}
            shifts.append(shift)
        old = np.stack([patch.corners for patch in self._patches.values()])
        corners = refine_corners(picture, _move(old, np.stack(shifts)))
        return dict(zip(self._patches, corners, strict=True))

    def _detect(self, grey: NDArray[np.uint8]) -> Mapping[int, Points]:
        """Return the corners (4, 2) in pixels of each tile of this mat in the picture."""
        enough = self._enough if self._measured else FEWEST_TO_BEND
        found = _find_markers(grey, self._nominal.keys(), enough)
        if not found:
            return {}
        corners = refine_corners(grey, np.stack(list(found.values())))
        return dict(zip(found, corners, strict=True))

    def _leave_out_crooked(
        self, seen: Mapping[int, Points], shape: tuple[int, ...]
    ) -> Mapping[int, Points]:
        """Return those of the seen tiles that are square on their plane.

        Where something covers a corner, an edge of that may be taken for the tile's.
        """
        lens = lens_of(self._layout.hfov_deg, shape)
        pose = fit_pose(lens, seen, {tile: self._nominal[tile] for tile in seen})
        if pose is None:
            return seen
        crooked = {tile: _measure_crookedness(to_table(pose, seen[tile])) for tile in seen}
        worst = max(crooked, key=crooked.__getitem__)
        if crooked[worst] <= CROOKED:
            return seen
        # One crooked tile bends the pose, by which the others seem crooked too.
        return self._leave_out_crooked(_without(seen, worst), shape)

    def _recall(self, tiles: Iterable[int]) -> dict[int, Points]:
        """Return where *tiles* lie, corners (4, 2) in mm: as measured, or as they should."""
        return {tile: self._measured.get(tile, self._nominal[tile]) for tile in tiles}

    def _solve(self, seen: Mapping[int, Points], shape: tuple[int, ...]) -> Pose | None:
        """Return the pose that fits the seen tiles; one bad tile of four is left out."""
        if len(seen) < self._enough:
            return None
        lens = lens_of(self._layout.hfov_deg, shape)
        known = self._recall(seen)
        trust_mm = TRUST_MM
        if self._tilts and set(seen) <= set(self._measured):
            # Nobody pushes what is printed on a board: it is where it was measured.
            trust_mm = PRINTED * self._layout.mat.marker_mm
        pose = fit_pose(lens, seen, known)
        if pose is not None and pose.spread_mm > trust_mm and len(seen) == TILES_PER_MAT:
            # A tile was pushed: the pose that the other three agree on is the true one.
            poses = (fit_pose(lens, _without(seen, tile), _without(known, tile)) for tile in seen)
            pose = min((p for p in poses if p is not None), key=lambda p: p.spread_mm, default=None)
        if pose is None or pose.spread_mm > trust_mm:
            return None
        if len(seen) == 2 and (
            pose.spread_mm > TRUST_TWO_MM or not set(seen) <= set(self._measured)
        ):
            return None
        return _fasten(pose, seen, known) if set(seen) <= set(self._measured) else pose


def detect_markers(picture: Picture) -> frozenset[int]:
    """Return the numbers of all tiles in the picture, whichever game's they are.

    picture: blue, green, red; one smaller than 64 pixels shows none.
    """
    if min(picture.shape[:2]) < SMALLEST_SIDE_PX:
        return frozenset()
    return frozenset(_find_markers(to_grey(picture), range(MARKERS)))


def _move(old: Points, shifts: Points) -> Points:
    """Return the corners *old* (n, 4, 2) of tiles, shifted by its own way and turned as all were.

    shifts: (n, 2) of each tile's middle.
    """
    middles = old.mean(axis=1)
    away = (middles - middles.mean(axis=0)) @ AS_COMPLEX
    # What turns and scales the plane about a point is a product with one complex number.
    turn = 1.0 + np.vdot(away, shifts @ AS_COMPLEX) / np.vdot(away, away)
    about = np.array([[turn.real, turn.imag], [-turn.imag, turn.real]])
    return np.asarray((old - middles[:, None]) @ about + (middles + shifts)[:, None], np.float64)


def _find_markers(
    grey: NDArray[np.uint8], wanted: Collection[int], enough: int = 0
) -> dict[int, Points]:
    """Return the rough corners (4, 2) in pixels of the *wanted* markers.

    enough: with fewer, but some, they are looked for more thoroughly.
    """
    half = cv2.resize(grey, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    found = _markers(np.asarray(half, np.uint8), wanted, HALF_WINDOW_PX, 2.0)
    if len(found) < TILES_PER_MAT:
        found = _markers(grey, wanted, THRESHOLD_WINDOW_PX, 1.0) | found
    for window in FINE_WINDOWS_PX:
        if 0 < len(found) < enough:
            found = _markers(grey, wanted, window, 1.0) | found
    return found


def _markers(
    grey: NDArray[np.uint8], wanted: Collection[int], window: int, scale: float
) -> dict[int, Points]:
    corners, ids, _ = _detector(window).detectMarkers(grey)
    # Half a pixel: a pixel's centre moves when the picture is scaled.
    found: dict[int, Points] = {}
    # Without a marker ids is None, whatever OpenCV's types say, and corners is empty.
    for number, corner in zip(np.atleast_1d(ids).ravel(), corners, strict=False):
        tile = int(number)
        if tile in wanted and tile not in found:
            found[tile] = (np.asarray(corner, np.float64).reshape(4, 2) + 0.5) * scale - 0.5
    return found


def _fasten(pose: Pose, seen: Mapping[int, Points], known: Mapping[int, Points]) -> Pose:
    """Return the pose bent so that the table meets the tiles exactly where they were measured.

    The lens is not quite what the pose assumes: without this, a moved camera would see the board a
    millimetre beside where it was before.
    """
    if len(seen) < FEWEST_TO_BEND:
        return pose
    pixels, flat = Markers(seen, known).list_corners()
    table, _ = cv2.findHomography(flat, pixels)
    bend = np.asarray(table, np.float64) @ np.linalg.inv(pose.plane(0.0))
    return Pose(bend / bend[2, 2] @ pose.projection, pose.spread_mm)


def _without(tiles: Mapping[int, Points], left_out: int) -> dict[int, Points]:
    return {tile: corners for tile, corners in tiles.items() if tile != left_out}


def _nominal_corners(layout: Rig) -> dict[int, Points]:
    """Return each tile's corners (4, 2) in mm if it lay perfectly, in ArUco's order."""
    half = layout.mat.marker_mm / 2.0
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    centres = zip(layout.mat.marker_ids, layout.mat.centres, strict=True)
    return {tile: square + np.array(centre) for tile, centre in centres}


@cache
def _detector(window_px: int) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    # One window instead of three: paper in room light needs no search over scales.
    parameters.adaptiveThreshWinSizeMin = window_px
    parameters.adaptiveThreshWinSizeMax = window_px
    parameters.adaptiveThreshWinSizeStep = 10
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.ArucoDetector(dictionary, parameters)


def _measure_crookedness(corners: Points) -> float:
    """Return how far *corners* (4, 2) lie from the nearest square's at most, in sides of it.

    >>> square = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]])
    >>> moved = square + [[0.0, 0.0], [0.0, 0.0], [4.0, 0.0], [0.0, 0.0]]
    >>> [round(_measure_crookedness(corners), 2) for corners in (square, moved)]
    [0.0, 0.05]
    """
    around = (corners - corners.mean(axis=0)) @ AS_COMPLEX
    # A square is one complex number, turned by right angles.
    turns = 1j ** np.arange(len(corners))
    corner = np.vdot(turns, around) / len(corners)
    side = max(float(np.abs(corner)) * np.sqrt(2.0), TINY_MM)
    return float(np.abs(around - corner * turns).max() / side)


def _measure(pose: Pose, seen: Mapping[int, Points]) -> dict[int, Points]:
    return {tile: to_table(pose, corners) for tile, corners in seen.items()}
