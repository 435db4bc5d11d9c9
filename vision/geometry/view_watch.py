"""Changes of the view during a game: a bumped camera, a pushed board, a tile that slid away.

The first picture that shows three tiles is the one to compare with; after a change that has been
found, the newest is. Wherever the camera stands, the tiles lie as they lay on the table; one that
does not has slid, see `tile_agreement`.  Whether camera or board moved is told by the table around
the mat, if it has any pattern.

A board that was fitted by its corners is compared by these.  A board that people turned end for end
looks the same by its corners, and one that was pushed while hands covered two of them is only seen
once they have gone; a plain board of its table's colour may not be found again after a push of more
than a few centimetres.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.layout import BareRig, Rig
from vision.geometry.marker_template import MarkerTemplate, crop_template
from vision.geometry.marker_tracking import (
    MAX_STILL_SHIFT_PX,
    MIN_TILES,
    STILL_MARGINS_PX,
    MarkerTracker,
)
from vision.geometry.pose import Points, Pose, camera_matrix, unproject
from vision.geometry.session_values import TILES_PER_MAT
from vision.geometry.table_tracking import track_table
from vision.geometry.table_view import TableView
from vision.geometry.tile_agreement import MIN_AGREEING, MIN_SHIFT_MM, Agreement, find_agreement
from vision.geometry.zoom import find_zoom

MAX_ATTEMPTS: Final = 4
"""Pictures at rest in which a tile is looked for that the first one did not show."""
SAME_CHANGE_MM: Final = 1.0
"""Two pictures in a row show the same change if they agree so well."""
AROUND_PX: Final = 256
"""Width of the pictures by which what is around the mat is compared."""
MIN_AROUND: Final = 0.1
"""Share of the picture that has to be around the mat."""
MAX_RESIDUAL_RATIO: Final = 0.75
"""The better explanation leaves less than this share of what the other leaves."""
MIN_PATTERN_LEVELS: Final = 1.0
"""What a plain table leaves either way is a camera's noise."""

OTHER_SHAPE: Final = 0.02
"""By this share of their proportions pictures differ that are not only scaled and rounded."""


class Mover(StrEnum):
    """What has moved."""

    CAMERA = "camera"
    BOARD = "board"
    EITHER = "either"
    TILE = "tile"
    ZOOM = "zoom"
    SHAPE = "shape"


@dataclass(frozen=True, slots=True)
class ViewChange:
    """How the view of the mat has changed.

    dx_mm, dy_mm: how far what moved did so on the table, x to the right and y towards the near
        player; of a camera that was turned, what it looks at.
    turn_deg: by how much it was turned as well, clockwise from above.
    tile: of a tile, its number among the mat's four, from the top left clockwise.
    """

    mover: Mover
    dx_mm: float
    dy_mm: float
    turn_deg: float = 0.0
    tile: int | None = None

    @property
    def shift_mm(self) -> float:
        """How far it moved."""
        return float(np.hypot(self.dx_mm, self.dy_mm))

    def agrees_with(self, other: "ViewChange") -> bool:
        """Return whether *other* is the same change, seen again."""
        apart = np.hypot(self.dx_mm - other.dx_mm, self.dy_mm - other.dy_mm)
        return self.tile == other.tile and bool(apart < SAME_CHANGE_MM)


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """One picture: its tiles' corners in pixels by marker id, how they look, and all in grey.

    pose: None if the tiles do not lie as they should.  scale: pixels of *grey* for one of the
    picture.
    """

    shape: tuple[int, ...]
    corners: Mapping[int, Points]
    templates: tuple[MarkerTemplate, ...]
    pose: Pose | None
    grey: NDArray[np.float32]
    scale: float

    @property
    def is_whole(self) -> bool:
        """Whether all four tiles are seen."""
        return len(self.templates) == TILES_PER_MAT

    @property
    def may_be_first(self) -> bool:
        """Whether others can be compared with it."""
        return self.pose is not None and len(self.templates) >= MIN_TILES

    def is_seen_in(self, picture: Picture) -> bool:
        """Return whether each tile is where it was."""
        if picture.shape != self.shape:
            return False
        shifts = (template.find_shift(picture, STILL_MARGINS_PX) for template in self.templates)
        return all(
            shift is not None and float(np.linalg.norm(shift)) <= MAX_STILL_SHIFT_PX
            for shift in shifts
        )


@dataclass(frozen=True, slots=True)
class _Finding:
    """What two pictures show: how the view changed, and which tile slid; None if nothing did.

    is_plain: whether all that could be asked agrees on it.
    """

    change: ViewChange | None
    slid: ViewChange | None
    is_plain: bool

    def agrees_with(self, other: "_Finding") -> bool:
        """Return whether *other* is the same, found again."""
        pairs = ((self.change, other.change), (self.slid, other.slid))
        return all(
            one is another is None
            or (one is not None and another is not None and one.agrees_with(another))
            for one, another in pairs
        )


NOTHING: Final = _Finding(None, None, is_plain=False)


class ViewWatch:
    """Compares the pictures of one table, at rest, with each other.

    slid: the tile that is not where it was, None if all are.
    corners: (4, 2) of each tile that the newest picture shows, in pixels by marker id.
    """

    def __init__(self, rig: Rig) -> None:
        self.slid: ViewChange | None = None
        self.corners: Mapping[int, Points] = {}
        self._rig = _flat(rig)
        self._ids = rig.mat.marker_ids if rig.mat.fit is None else tuple(range(TILES_PER_MAT))
        self._tracker = track_table(self._rig)
        self._extent = np.array(rig.mat.centres, np.float64)
        self._reference: _View | None = None
        self._suspected: _Finding | None = None
        self._told: ViewChange | None = None
        self._tries = 0

    def restart(self) -> None:
        """Compare with the next picture from now on; that of the fit, if there is one."""
        self._tracker = track_table(self._rig)
        self._forget()

    def _forget(self) -> None:
        self._reference = self._suspected = self._told = self.slid = None

    def look(self, seen: TableView) -> ViewChange | None:
        """Return how the view has changed, None if it has not; `slid` is up to date then.

        What four tiles agree on is told at once, anything else when two pictures in a row show it:
        a hand over a tile's edge may look like it. A single tile shows nothing.
        """
        reference = self._reference
        if reference is not None and reference.is_seen_in(seen.picture):
            self._suspected = self._told = self.slid = None
            self.corners = reference.corners
            self._complete(reference, seen)
            return None
        view = self._view(seen)
        self.corners = {} if view is None else view.corners
        if view is None:
            return None
        if reference is None or reference.shape != view.shape:
            self._reference = view if view.may_be_first else None
            self._tries = MAX_ATTEMPTS
            if reference is None or _are_alike(reference.shape, view.shape):
                return None
            return ViewChange(Mover.SHAPE, 0.0, 0.0)
        suspected, self._suspected = self._suspected, self._compare(reference, view)
        finding = self._suspected
        if not (finding.is_plain or (suspected is not None and finding.agrees_with(suspected))):
            return None
        if finding.is_plain or finding.slid is not None:
            self.slid = finding.slid
        return None if finding.change is None else self._tell(finding.change, view)

    def _complete(self, reference: _View, seen: TableView) -> None:
        """Look a few times whether *seen* shows a tile that *reference* does not."""
        if reference.is_whole or not self._tries:
            return
        self._tries -= 1
        view = self._view(seen)
        if view is not None and view.is_whole and view.may_be_first:
            self._reference = view

    def _tell(self, change: ViewChange, view: _View) -> ViewChange | None:
        """Return a *change* that is certain, unless it was told before; compare with *view* then.

        Where tiles are hidden or have slid, there is nothing better to compare with yet: the next
        picture shows the same.
        """
        known = 0 if self._reference is None else len(self._reference.templates)
        if view.may_be_first and len(view.templates) >= known and self.slid is None:
            self._forget()
            self._reference = view
            return change
        told, self._told = self._told, change
        return None if told is not None and change.agrees_with(told) else change

    def _view(self, seen: TableView) -> _View | None:
        """Return what *seen* shows, None if that are too few tiles."""
        # By tiles, one that remembers nothing: it must not take a tile for where it was.
        fresh = MarkerTracker(self._rig, wanted=TILES_PER_MAT)
        tracker = fresh if self._rig.mat.fit is None else self._tracker
        pose = tracker.locate(seen)
        corners = dict(tracker.list_detected().seen)
        if len(corners) < MIN_AGREEING:
            return None
        templates = (crop_template(seen.picture, each) for each in corners.values())
        scale = AROUND_PX / seen.shape[1]
        size = (AROUND_PX, max(1, round(seen.shape[0] * scale)))
        grey = cv2.blur(cv2.resize(seen.grey, size, interpolation=cv2.INTER_AREA), (3, 3))
        return _View(
            seen.shape,
            corners,
            tuple(template for template in templates if template is not None),
            pose,
            np.asarray(grey, np.float32),
            scale,
        )

    def _compare(self, old: _View, new: _View) -> _Finding:
        """Return how *new* differs from *old*, which has a pose."""
        assert old.pose is not None
        if self._rig.mat.fit is not None:
            # A board has its corners for good.
            assert new.pose is not None
            change = self._view_change(old, new, old.pose, new.pose)
            return _Finding(change, None, new.is_whole)
        matrix = camera_matrix(self._rig.hfov_deg, new.shape)
        if find_zoom(matrix, old.pose, old.corners, new.corners) is not None:
            turned = ViewChange(Mover.ZOOM, 0.0, 0.0)
            return _Finding(turned, None, len(new.corners) == TILES_PER_MAT)
        agreement = find_agreement(matrix, old.pose, old.corners, new.corners)
        if agreement is None:
            return NOTHING
        change = self._view_change(old, new, old.pose, agreement.pose)
        is_plain = len(agreement.tiles) == TILES_PER_MAT
        return _Finding(change, self._name_slid(agreement), is_plain)

    def _name_slid(self, agreement: Agreement) -> ViewChange | None:
        """Return the tile that has slid furthest, None if none has."""
        if not agreement.slid:
            return None
        tile, (dx, dy) = max(agreement.slid.items(), key=lambda each: np.linalg.norm(each[1]))
        return ViewChange(Mover.TILE, float(dx), float(dy), tile=self._ids.index(tile))

    def _view_change(self, old: _View, new: _View, before: Pose, after: Pose) -> ViewChange | None:
        """Return how the view changed from pose *before* to pose *after*, None if it did not."""
        flat = np.column_stack([self._extent, np.zeros(len(self._extent))])
        mover = _find_mover(old, new, after.homography(0.0) @ np.linalg.inv(before.homography(0.0)))
        # What the camera sees now where it saw the mat's corners, or where it sees these now.
        first, then = (before, after) if mover is Mover.CAMERA else (after, before)
        there = unproject(then, first.project(flat))
        if float(np.linalg.norm(there - self._extent, axis=1).max()) < MIN_SHIFT_MM:
            return None
        dx, dy = (there - self._extent).mean(axis=0)
        around = (self._extent - self._extent.mean(axis=0)) @ [1, 1j]
        turned = np.vdot(around, (there - there.mean(axis=0)) @ [1, 1j])
        turn_deg = float(np.degrees(np.angle(turned)))
        return ViewChange(mover, float(dx), float(dy), turn_deg)


def _flat(rig: Rig) -> Rig:
    """Return *rig* with the corners that it may be fitted by on the plane that is compared."""
    fit = rig.mat.fit
    if fit is None or fit.tilts:
        return rig
    return BareRig(replace(rig.mat, fit=replace(fit, z_mm=0.0)), rig.hfov_deg)


def _find_mover(old: _View, new: _View, moved: Points) -> Mover:
    """Return what moved: what is around the mat went with it, or stayed."""
    height, width = old.grey.shape
    to_small = np.diag([old.scale, old.scale, 1.0])
    small = to_small @ moved @ np.linalg.inv(to_small)
    outside = _outside(old) & _outside(new)
    warped = np.asarray(cv2.warpPerspective(old.grey, small, (width, height)), np.float32)
    filled = cv2.warpPerspective(np.ones_like(old.grey), small, (width, height)) > 0.99
    outside &= filled
    if np.count_nonzero(outside) < MIN_AROUND * outside.size:
        return Mover.EITHER
    went, stayed = (_difference(new.grey, other, outside) for other in (warped, old.grey))
    if max(went, stayed) < MIN_PATTERN_LEVELS:
        return Mover.EITHER
    if went < MAX_RESIDUAL_RATIO * stayed:
        return Mover.CAMERA
    return Mover.BOARD if stayed < MAX_RESIDUAL_RATIO * went else Mover.EITHER


def _difference(
    one: NDArray[np.float32], other: NDArray[np.float32], where: NDArray[np.bool_]
) -> float:
    """Return the mean absolute difference of grey levels, whatever the light as a whole did.

    Nor does a lens count that is darker towards its edges, and stays so whatever moves.
    """
    height, width = one.shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j]
    smooth = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=-1)[where]
    apart = (one - other)[where].astype(np.float64)
    coefficients, *_ = np.linalg.lstsq(smooth, apart, rcond=None)
    return float(np.abs(apart - smooth @ coefficients).mean())


def _outside(view: _View) -> NDArray[np.bool_]:
    """Return a mask of what lies outside the tiles."""
    corners = np.concatenate(list(view.corners.values())) * view.scale
    mask = np.zeros(view.grey.shape, np.uint8)
    hull = cv2.convexHull(corners.astype(np.float32)).astype(np.int32)
    cv2.fillConvexPoly(mask, hull, 1)
    grown = cv2.dilate(mask, np.ones((9, 9), np.uint8))
    return np.asarray(grown == 0)


def _are_alike(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Return whether pictures of two shapes have the same proportions, upright or not.

    A lens is known by its angle along the longer side.
    """
    ratio, other_ratio = (max(shape[:2]) / min(shape[:2]) for shape in (one, other))
    return abs(ratio / other_ratio - 1.0) < OTHER_SHAPE
