"""The lens of a camera: its angle and distortion, measured from corner tiles in view.

Tiles are true squares, but people lay them: each may lie a little beside its place, and a little
askew. One view of a plane from straight above tells nothing of the focal length, and a centre that
is some pixels off moves it by much in a slanted one. So all of that is fitted together, each with
what is known of it beforehand (maximum a posteriori by Gauss and Newton; the views as in Zhang, A
Flexible New Technique for Camera Calibration, 2000). The error of the focal length comes from the
same fit.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.distortion import Distortion
from vision.geometry.layout import Mat
from vision.geometry.marker_tracking import lay_tiles
from vision.geometry.pose import (
    FLIP_Y,
    Markers,
    Points,
    begin_pose,
    camera_matrix,
    to_opencv_points,
)
from vision.geometry.session_values import (
    TILES_PER_MAT,
    USUAL_HFOV_DEG,
    take_distortion,
    take_number,
)
from vision.geometry.table_view import TableView

USUAL_ERROR: Final = 0.4
"""Standard error of the focal length of a usual lens: from 47 to 89 degrees."""
UNSURE_ERROR: Final = 0.13
"""Up to this error of the focal length every shipped game was followed as with the true one."""
CORNER_SIGMA_PX: Final = 0.3
"""Standard error of a tile's corner in a picture of the working size."""
CENTRE_SIGMA: Final = 0.01
"""Standard error of the principal point, as a share of the longer side, in a cheap module."""
DISTORTION_SIGMA: Final = 0.1
"""Standard error of the first radial coefficient, before anything was measured."""
PLACE_SIGMA_MM, ASKEW_SIGMA = 1.0, math.radians(1.0)
"""How exactly people lay a tile: in millimetres along each edge, and turned."""
STARTS_DEG: Final = (45.0, 66.0, 95.0)
"""The fit begins at each of these angles, and the best end counts."""
STEPS: Final = 25
BENT: Final = 3.0
"""A lens bends lines if k1 differs from 0 by so many of its standard errors,"""
MIN_BEND: Final = 0.04
"""and if it moves the middle of the picture's edge by this share: readers do as well with less."""
MAX_MISFIT: Final = 3.0
"""Root mean square of the residuals, in their standard errors: more is no such lens."""


@dataclass(frozen=True, slots=True)
class Lens:
    """What is known of a lens.

    hfov_deg: field of view along the longer side of the picture, were it free of distortion.
    error: standard error of the focal length, as a share of it.
    k1: first radial coefficient as OpenCV has it; 0 for a pinhole, and where it is not surely far
        from one.
    """

    hfov_deg: float = USUAL_HFOV_DEG
    error: float = USUAL_ERROR
    k1: float = 0.0

    @property
    def distortion(self) -> Distortion:
        """How it shows the world."""
        return Distortion(self.hfov_deg, self.k1)

    def to_json(self) -> dict[str, float]:
        """Return the same for a session.json."""
        return {"hfov_deg": round(self.hfov_deg, 3), "error": round(self.error, 4), "k1": self.k1}


UNKNOWN: Final = Lens()


def parse_lens(session: Mapping[str, Any]) -> Lens | None:
    """Return the lens that a session.json tells, None if it tells none; raises BadLayout.

    An angle without an error was told by somebody who knows.
    """
    distortion = take_distortion(session)
    image = session.get("image", {})
    if "hfov_deg" not in image:
        return None
    error = take_number(image, "image.error", "a number") if "error" in image else 0.0
    return Lens(distortion.hfov_deg, error, distortion.k1)


def with_lens(session: Mapping[str, Any], lens: Lens) -> dict[str, Any]:
    """Return *session* with what is known of the lens."""
    image = {**session.get("image", {}), **lens.to_json()}
    return {**session, "image": image}


def with_focal_factor(lens: Lens, factor: float) -> Lens:
    """Return *lens* as it would be with a focal length *factor* times as long.

    What it bends in pixels stays the same.
    """
    half = math.tan(math.radians(lens.hfov_deg) / 2.0) / factor
    hfov_deg = math.degrees(2.0 * math.atan(half))
    return Lens(hfov_deg, lens.error, lens.k1 * factor**2)


class NoSuchLens(ValueError):
    """Tiles that no lens of this kind would show so; one line says what may be wrong."""


@dataclass(slots=True)
class _Fit:
    """Where a fit stands: see the module's text.

    tiles: (n, 3) by which each tile lies beside its place, in mm and radians.
    cost: the sum of all squared residuals.  normal, slope: of the normal equations for a step.
    """

    log_focal: float
    centre: Points
    k1: float
    views: list[Points]
    tiles: Points
    cost: float = math.inf
    normal: Points = field(default_factory=lambda: np.eye(1))
    slope: Points = field(default_factory=lambda: np.zeros(1))


def measure_lens(
    views: Sequence[Markers],
    shape: tuple[int, ...],
    prior: Lens = UNKNOWN,
    corner_sigma_px: float = CORNER_SIGMA_PX,
) -> Lens:
    """Return the lens by which tiles are seen as in *views*, pictures of one *shape*.

    The tiles lie still, or one lies in the hand: each view has its own pose.  What they miss the
    fit by, where that is more than *corner_sigma_px* explains, makes the error larger.
    prior: what is known without them.  Raises NoSuchLens.
    """
    seen = [view for view in views if len(view.seen) >= 1]
    if not seen:
        return prior
    problem = _Problem(seen, shape, prior, corner_sigma_px)
    fits = [problem.solve(start) for start in dict.fromkeys((prior.hfov_deg, *STARTS_DEG))]
    best = min((each for each in fits if each is not None), key=lambda fit: fit.cost, default=None)
    lens = None if best is None else problem.describe(best)
    if lens is None:
        raise NoSuchLens(
            "no lens shows four flat tiles like this; lay all of them flat, and use a camera that"
            " sees less than 120 degrees"
        )
    return lens


def measure_view(view: TableView, mat: Mat, prior: Lens = UNKNOWN) -> Lens:
    """Return the lens by which *view* shows the tiles of *mat*; *prior* if it does not show all.

    Raises NoSuchLens.
    """
    seen = view.find_tiles(mat.marker_ids, TILES_PER_MAT)
    if len(seen) < TILES_PER_MAT or mat.fit is not None:
        return prior
    return measure_lens([Markers(seen, lay_tiles(mat))], view.shape, prior)


class _Problem:
    """Fits a lens to *views*."""

    def __init__(
        self, views: Sequence[Markers], shape: tuple[int, ...], prior: Lens, corner_sigma_px: float
    ) -> None:
        self._views = views
        self._sigma_px = corner_sigma_px
        self._shape = shape
        self._prior = prior
        self._ids = sorted({tile for view in views for tile in view.seen})
        self._side_px = float(max(shape[:2]))
        matrix = camera_matrix(prior.hfov_deg, shape)
        self._middle, self._log_focal = matrix[:2, 2], math.log(matrix[0, 0])
        self.count = sum(8 * len(view.seen) for view in views)
        # What is known beforehand of lens and tiles is as many residuals as parameters.
        self.freedom = self.count - 6 * len(views)

    def solve(self, hfov_deg: float) -> _Fit | None:
        """Return where the fit ends that begins at *hfov_deg*, None if it has no beginning."""
        matrix = camera_matrix(hfov_deg, self._shape)
        poses = [begin_pose(matrix, view) for view in self._views]
        begun = [pose for pose in poses if pose is not None]
        if len(begun) < len(poses):
            return None
        tiles = np.zeros((len(self._ids), 3))
        fit = _Fit(math.log(matrix[0, 0]), self._middle.copy(), self._prior.k1, begun, tiles)
        self._weigh(fit)
        damping = 1e-3
        for _ in range(STEPS):
            damped = fit.normal + damping * np.diag(np.diag(fit.normal))
            moved = self._move(fit, np.linalg.solve(damped, fit.slope).astype(np.float64))
            self._weigh(moved)
            if not moved.cost < fit.cost:
                damping *= 10.0
                continue
            done = fit.cost - moved.cost < 1e-6 * fit.cost
            fit = moved
            damping /= 10.0
            if done:
                break
        return fit

    def describe(self, fit: _Fit) -> Lens | None:
        """Return what *fit* tells of the lens, None if there can be no such lens."""
        focal_px = math.exp(fit.log_focal)
        hfov_deg = math.degrees(2.0 * math.atan(self._side_px / 2.0 / focal_px))
        if math.sqrt(fit.cost / self.count) > MAX_MISFIT:
            return None
        spread = max(1.0, fit.cost / self.freedom)
        variances = spread * np.linalg.inv(fit.normal)
        # Angle and distortion may be known together alone, so k1 is judged at the angle found.
        bend = variances[3, 3] - variances[0, 3] ** 2 / variances[0, 0]
        is_sure = abs(fit.k1) > BENT * math.sqrt(bend)
        is_much = abs(fit.k1) * (self._side_px / 2.0 / focal_px) ** 2 > MIN_BEND
        k1 = float(fit.k1) if is_sure and is_much else 0.0
        if not Distortion(hfov_deg, k1).is_possible:
            return None
        return Lens(hfov_deg, math.sqrt(float(variances[0, 0])), k1)

    def _weigh(self, fit: _Fit) -> None:
        errors, jacobian = self._linearise(fit)
        fit.cost = float(errors @ errors)
        fit.normal, fit.slope = jacobian.T @ jacobian, jacobian.T @ errors

    def _move(self, fit: _Fit, step: Points) -> _Fit:
        views = [view - step[4 + 6 * at : 10 + 6 * at] for at, view in enumerate(fit.views)]
        tiles = fit.tiles - step[4 + 6 * len(views) :].reshape(-1, 3)
        return _Fit(fit.log_focal - step[0], fit.centre - step[1:3], fit.k1 - step[3], views, tiles)

    def _linearise(self, fit: _Fit) -> tuple[Points, Points]:
        """Return the residuals (m,) in standard errors, and their Jacobian (m, parameters)."""
        first_tile = 4 + 6 * len(fit.views)
        width = first_tile + fit.tiles.size
        focal_px = math.exp(fit.log_focal)
        matrix = np.array([[focal_px, 0, fit.centre[0]], [0, focal_px, fit.centre[1]], [0, 0, 1.0]])
        distortion = np.array([fit.k1, 0.0, 0.0, 0.0])
        rows, columns = [], []
        for at, (view, pose) in enumerate(zip(self._views, fit.views, strict=True)):
            rotation = np.asarray(cv2.Rodrigues(pose[:3])[0])
            for tile, seen in view.seen.items():
                place = self._ids.index(tile)
                flat, by_tile = _lay(view.known[tile], fit.tiles[place])
                pixels, jacobian = cv2.projectPoints(
                    to_opencv_points(flat), pose[:3], pose[3:], matrix, distortion
                )
                part = np.zeros((8, width))
                part[:, 0] = focal_px * (jacobian[:, 6] + jacobian[:, 7])
                part[:, 1:3] = jacobian[:, 8:10]
                part[:, 3] = jacobian[:, 10]
                part[:, 4 + 6 * at : 10 + 6 * at] = jacobian[:, :6]
                # A point that moves in its frame moves in the camera's by the rotation.
                by_point = jacobian[:, 3:6] @ (rotation @ FLIP_Y)[:, :2]
                begin = first_tile + 3 * place
                part[:, begin : begin + 3] = np.einsum(
                    "cij,cjk->cik", by_point.reshape(4, 2, 2), by_tile
                ).reshape(8, 3)
                rows.append((pixels.reshape(-1, 2) - seen).ravel() / self._sigma_px)
                columns.append(part / self._sigma_px)
        known, by_known = self._weigh_prior(fit, first_tile, width)
        return np.concatenate([*rows, known]), np.concatenate([*columns, by_known])

    def _weigh_prior(self, fit: _Fit, first_tile: int, width: int) -> tuple[Points, Points]:
        """Return the same of what is known beforehand: of all parameters but the poses."""
        sigmas = np.ones(width)
        known = np.zeros(width, bool)
        values = np.zeros(width)
        known[:4], known[first_tile:] = True, True
        values[0], sigmas[0] = fit.log_focal - self._log_focal, self._prior.error
        values[1:3], sigmas[1:3] = fit.centre - self._middle, CENTRE_SIGMA * self._side_px
        values[3], sigmas[3] = fit.k1 - self._prior.k1, DISTORTION_SIGMA
        values[first_tile:] = fit.tiles.ravel()
        sigmas[first_tile:] = np.tile((PLACE_SIGMA_MM, PLACE_SIGMA_MM, ASKEW_SIGMA), len(self._ids))
        return (values / sigmas)[known], np.diag(1.0 / sigmas)[known]


def _lay(corners: Points, beside: Points) -> tuple[Points, NDArray[np.float64]]:
    """Return a tile's *corners* (4, 2) laid *beside* (3,) their place, and by what each moves.

    That is (4, 2, 3): by millimetres right and down, and by radians.
    """
    middle = corners.mean(axis=0)
    cosine, sine = math.cos(beside[2]), math.sin(beside[2])
    turn = np.array([[cosine, -sine], [sine, cosine]])
    by_angle = np.array([[-sine, -cosine], [cosine, -sine]])
    arms = corners - middle
    moved = np.zeros((4, 2, 3))
    moved[:, 0, 0] = moved[:, 1, 1] = 1.0
    moved[:, :, 2] = arms @ by_angle.T
    return arms @ turn.T + middle + beside[:2], moved
