"""Tracking of the four corner tiles, and with them of the camera's pose.

Once a pose is known, each picture is only checked for the tiles still being where they were; the
whole picture is searched for markers only when they are not.
"""

from collections.abc import Collection, Mapping
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.geometry.layout import Mat, Rig
from vision.geometry.marker_corners import refine_corners
from vision.geometry.marker_template import MarkerTemplate, crop_template
from vision.geometry.pose import Markers, Points, Pose, camera_matrix, fit_pose, unproject
from vision.geometry.session_values import TILES_PER_MAT
from vision.geometry.table_view import TableView

CORNER_NAMES: Final = ("top left", "top right", "bottom right", "bottom left")
"""Where a mat's four tiles lie, in their order."""
STILL_MARGINS_PX: Final = (5, 1, 0)
MOVED_MARGINS_PX: Final = (18, 10, *STILL_MARGINS_PX)
"""How far around its old place a tile is searched, in pixels of its template, by a camera at rest
and by one that was bumped; the first margin that lies within the picture."""
MAX_STILL_SHIFT_PX: Final = 1.2
"""A tile that has moved further means that the camera has."""
MOST_MISSED: Final = 8
"""So many pictures are searched closely once no tile is found where some were: then all are
covered, or the board has fallen, and a close look takes ten times as long."""
MIN_TILES: Final = 3
"""Tiles that give a pose: each may be a little askew."""
MIN_MEASURED_TILES: Final = 2
"""Tiles that give one once they were measured, on a table that cannot tilt, if they lie opposite
each other: by two of one side, the far end of a board is a millimetre or two off."""
MAX_RESIDUAL_MM: Final = 4.0
"""Residual of a pose from nominal tiles: 1 mm and 2 degrees askew, seen by a pinhole model, come
to 2."""
MAX_PAIR_RESIDUAL_MM: Final = 1.0
"""The same from only two tiles, which were measured before."""
MAX_PRINTED_RESIDUAL: Final = 0.03
"""The same from measured markers printed on a board, in marker sides; 0.02 in plain view."""
MAX_SQUARE_ERROR: Final = 0.033
"""Distance of a printed marker's corners from a square's, in its sides: 0.03 in poor pictures,
more where something covers a corner."""


class MarkerTracker:
    """Tracks the pose of one camera over one mat, from picture to picture.

    It measures where the tiles really lie on the table, so that later two or three of them give
    the very same pose as all four.
    """

    def __init__(self, layout: Rig, tilts: bool = False, wanted: int = MIN_TILES) -> None:
        """*tilts*: whether the board that carries the markers may tilt by itself.

        Then three must be seen, since about two it may have turned.  *wanted*: so many tiles are
        searched for closely before a pose is known.
        """
        self._layout = layout
        self._tilts = tilts
        self._wanted = wanted
        self._min_tiles = MIN_TILES if tilts else MIN_MEASURED_TILES
        self._nominal = lay_tiles(layout.mat)
        self._measured: dict[int, Points] = {}
        self._pose: Pose | None = None
        self._missed = 0
        self._shape: tuple[int, ...] = (0, 0)
        self._templates: dict[int, MarkerTemplate] = {}
        self._seen: Mapping[int, Points] = {}

    def locate(self, view: TableView) -> Pose | None:
        """Return the camera's pose in *view*, or None if too few tiles are in it."""
        pose = None if view.is_too_small else self._locate(view)
        self._missed = self._missed + 1 if pose is None else 0
        return pose

    def list_detected(self) -> Markers:
        """Return the tiles that were found when they were last searched for."""
        return self._with_known(self._seen)

    def explain(self) -> str:
        """Return why there was no pose when the tiles were last searched for, and what to do."""
        tiles = "board markers" if self._tilts else "corner tiles"
        if len(self._seen) >= MIN_TILES:
            return (
                f"the {tiles} do not form the expected rectangle; lay all four flat in their places"
            )
        each = zip(CORNER_NAMES, self._layout.mat.marker_ids, strict=True)
        unseen = ", ".join(corner for corner, tile in each if tile not in self._seen)
        return (
            f"too few {tiles} in view (not seen: {unseen}); uncover all four, and see that the"
            " camera shows them whole and sharp"
        )

    def _locate(self, view: TableView) -> Pose | None:
        if self._pose is None or view.shape[:2] != self._shape:
            return self._detect_pose(view, fallback=None)
        matching, moved = self._match_templates(view.picture)
        if matching >= self._min_tiles and not moved:
            return self._pose
        still_holds = matching > 0 and not moved and not self._tilts
        return self._detect_pose(view, fallback=self._pose if still_holds else None)

    def _detect_pose(self, view: TableView, fallback: Pose | None) -> Pose | None:
        """Return the pose by tiles searched for in *view*, or *fallback* if there is none."""
        seen = self._detect_near(view)
        if len(seen) < TILES_PER_MAT:
            seen = self._search(view)
        if self._tilts:
            seen = self._reject_distorted(seen, view.shape)
        self._seen = seen
        pose = self._solve(seen, view.shape)
        if pose is None:
            return fallback
        if len(seen) == TILES_PER_MAT or not self._measured:
            self._measured = {tile: unproject(pose, corners) for tile, corners in seen.items()}
        self._pose = pose
        self._shape = view.shape[:2]
        self._templates = {
            tile: template
            for tile, corners in seen.items()
            if (template := crop_template(view.picture, corners)) is not None
        }
        return pose

    def _match_templates(self, picture: Picture) -> tuple[int, bool]:
        """Return how many tiles are where they were, up to enough, and whether one has moved.

        Opposite tiles first: a camera cannot move and leave two of them in place.
        """
        matching = 0
        ids = self._layout.mat.marker_ids
        for tile in ids[::2] + ids[1::2]:
            if matching == self._min_tiles:
                break
            template = self._templates.get(tile)
            shift = None if template is None else template.find_shift(picture, STILL_MARGINS_PX)
            if shift is None:
                continue
            if np.linalg.norm(shift) > MAX_STILL_SHIFT_PX:
                return matching, True
            matching += 1
        return matching, False

    def _detect_near(self, view: TableView) -> Mapping[int, Points]:
        """Return the corners (4, 2) of all tiles if each is found near its old place, else {}.

        After a bump this is far cheaper than to search the picture for markers.
        """
        if view.shape[:2] != self._shape or len(self._templates) < TILES_PER_MAT:
            return {}
        shifts = []
        for template in self._templates.values():
            shift = template.find_shift(view.picture, MOVED_MARGINS_PX)
            if shift is None:
                return {}
            shifts.append(shift)
        old = np.stack([template.corners for template in self._templates.values()])
        corners = refine_corners(view.picture, _move_corners(old, np.stack(shifts)))
        return dict(zip(self._templates, corners, strict=True))

    def _search(self, view: TableView) -> Mapping[int, Points]:
        """Return the corners (4, 2) of tiles anywhere in *view*, if it can of enough of them."""
        tiles = self._nominal.keys()
        if self._measured and self._missed >= MOST_MISSED and not view.find_markers(tiles):
            return {}
        seen = view.find_tiles(tiles, self._min_tiles if self._measured else self._wanted)
        if len(seen) < MIN_TILES and not self._lie_opposite(seen):
            seen = view.find_tiles(tiles, MIN_TILES)
        return seen

    def _reject_distorted(
        self, seen: Mapping[int, Points], shape: tuple[int, ...]
    ) -> Mapping[int, Points]:
        """Return those of the seen tiles that are square on their plane.

        Where something covers a corner, an edge of that may be taken for the tile's.
        """
        nominal = {tile: self._nominal[tile] for tile in seen}
        pose = fit_pose(camera_matrix(self._layout.hfov_deg, shape), Markers(seen, nominal))
        if pose is None:
            return seen
        errors = {tile: _square_error(unproject(pose, seen[tile])) for tile in seen}
        worst = max(errors, key=errors.__getitem__)
        if errors[worst] <= MAX_SQUARE_ERROR:
            return seen
        # One distorted tile spoils the pose, by which the others seem distorted too.
        return self._reject_distorted(_without(seen, worst), shape)

    def _lie_opposite(self, seen: Collection[int]) -> bool:
        ids = self._layout.mat.marker_ids
        return set(seen) in (set(ids[::2]), set(ids[1::2]))

    def _with_known(self, seen: Mapping[int, Points]) -> Markers:
        """Return *seen* tiles and where they lie in mm: as measured, else nominal."""
        return Markers(seen, {tile: self._measured.get(tile, self._nominal[tile]) for tile in seen})

    def _solve(self, seen: Mapping[int, Points], shape: tuple[int, ...]) -> Pose | None:
        """Return the pose that fits the seen tiles; one that was pushed, of four, is left out."""
        if len(seen) < self._min_tiles:
            return None
        matrix = camera_matrix(self._layout.hfov_deg, shape)
        markers = self._with_known(seen)
        are_measured = set(seen) <= set(self._measured)
        max_residual_mm = MAX_RESIDUAL_MM
        if self._tilts and are_measured:
            # Nobody pushes what is printed on a board: it is where it was measured.
            max_residual_mm = MAX_PRINTED_RESIDUAL * self._layout.mat.marker_mm
        elif len(seen) == MIN_MEASURED_TILES:
            max_residual_mm = MAX_PAIR_RESIDUAL_MM
        pose = fit_pose(matrix, markers)
        if pose is not None and pose.residual_mm > max_residual_mm and len(seen) == TILES_PER_MAT:
            # The pose that the other three agree on is the true one.
            poses = (
                fit_pose(matrix, Markers(_without(seen, tile), _without(markers.known, tile)))
                for tile in seen
            )
            pose = min(
                (p for p in poses if p is not None), key=lambda p: p.residual_mm, default=None
            )
        if pose is None or pose.residual_mm > max_residual_mm:
            return None
        if len(seen) < MIN_TILES and not (are_measured and self._lie_opposite(seen)):
            return None
        return _warp_to_markers(pose, markers) if are_measured else pose


def _move_corners(old: Points, shifts: Points) -> Points:
    """Return tile corners *old* (n, 4, 2), shifted and turned as the tiles' centres were.

    shifts: (n, 2) in pixels, of each centre.
    """
    centres = old.mean(axis=1)
    # To turn and scale a plane is to multiply by a complex number.
    apart = (centres - centres.mean(axis=0)) @ [1, 1j]
    turn = 1.0 + np.vdot(apart, shifts @ [1, 1j]) / np.vdot(apart, apart)
    matrix = np.array([[turn.real, turn.imag], [-turn.imag, turn.real]])
    return np.asarray((old - centres[:, None]) @ matrix + (centres + shifts)[:, None], np.float64)


def _warp_to_markers(pose: Pose, markers: Markers) -> Pose:
    """Return the pose, warped so that the table's plane meets three or more *markers* exactly.

    The lens is not quite a pinhole: without this, a moved camera would see the board a millimetre
    beside where it was before.
    """
    if len(markers.seen) < MIN_TILES:
        return pose
    pixels, flat = markers.stack_corners()
    exact, _ = cv2.findHomography(flat, pixels)
    warp = np.asarray(exact, np.float64) @ np.linalg.inv(pose.homography(0.0))
    return Pose(warp / warp[2, 2] @ pose.projection, pose.residual_mm)


def _without(tiles: Mapping[int, Points], left_out: int) -> dict[int, Points]:
    return {tile: corners for tile, corners in tiles.items() if tile != left_out}


def lay_tiles(mat: Mat) -> dict[int, Points]:
    """Return each tile's corners (4, 2) in mm if it lay perfectly, in ArUco's order."""
    half = mat.marker_mm / 2.0
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    centres = zip(mat.marker_ids, mat.centres, strict=True)
    return {tile: square + np.array(centre) for tile, centre in centres}


def _square_error(corners: Points) -> float:
    """Return the largest distance of *corners* (4, 2) from the nearest square's, in its sides.

    >>> square = np.array([[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]])
    >>> moved = square + [[0.0, 0.0], [0.0, 0.0], [4.0, 0.0], [0.0, 0.0]]
    >>> [round(_square_error(corners), 2) for corners in (square, moved)]
    [0.0, 0.05]
    """
    around = (corners - corners.mean(axis=0)) @ [1, 1j]
    # A square is one complex number, turned by right angles.
    turns = 1j ** np.arange(len(corners))
    corner = np.vdot(turns, around) / len(corners)
    side = max(float(np.abs(corner)) * np.sqrt(2.0), 1e-9)
    return float(np.abs(around - corner * turns).max() / side)
