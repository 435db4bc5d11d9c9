"""Estimate heights by registering columns' tops with known tops of the same colour.

A top that is a level nearer to the camera looks larger by one or two hundredths. All tops of one
colour are alike but for their rotation, so the scale between two of them (`image_registration.py`)
says how much nearer one is. Known are the tops of the calibration picture, and in each picture
those whose heights are certain.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.cues.image_registration import SearchImage, Template, register
from vision.columns.cues.rotation_search import SEARCH_PX, TEMPLATE_HALF_RADII, TEMPLATE_PX
from vision.columns.grid import TALLEST, Column, Grid
from vision.columns.patches import View
from vision.geometry.pose import Points, build_grids

Odds: TypeAlias = NDArray[np.float64]
"""(n, TALLEST): how likely each height of n columns is."""

MAX_REFERENCES: Final = 8
"""Each top is registered with so many known tops, those seen from the most similar directions..."""
FIRST_REFERENCES: Final = 3
"""...with so many of them first, which spares half the pairs and changes no reading..."""
MIN_POSTERIOR_TO_STOP: Final = 0.985
"""...if the posterior of a height reaches this then."""
MIN_REFERENCES: Final = 2
"""A single pair may err for reasons of its own."""
MIN_INNER_SHARE: Final = 0.06
"""Tops of one colour whose middles tell less of the scale are plain: 0.09 to 0.18 with faces, 0.01
to 0.04 without. Only outlines are left of them, to which the piece below adds."""
MAX_HEIGHT_ERROR_LEVELS: Final = 1.5
"""How wrong the assumed height of a column may be for its top to be found."""
TYPICAL_SIGMA_LEVELS: Final = 0.03
"""The uncertainty of a registration that counts as one in `PairErrorModel`."""
MIN_SIGMA_LEVELS: Final = 1e-3
"""Added to it, so that its logarithm is finite."""
OUTLIER_DENSITY: Final = 0.1
"""Probability density, per level, of what an outlier says: about uniform over the heights."""
NORMAL_NODES: Final = np.linspace(-2.4, 2.4, 9)
"""Where standard normal distributions are evaluated to integrate over them."""
HEIGHTS: Final = np.arange(1, TALLEST + 1)


@dataclass(frozen=True, slots=True)
class HeightMeasurement:
    """What a known top says of a column's height.

    height: as measured, in levels.  sigma: its standard deviation by the registration's residuals.
    view_angle_difference: tangent of the angle between the directions of view of both tops.
    """

    height: float
    sigma: float
    view_angle_difference: float


@dataclass(frozen=True, slots=True)
class PairErrorModel:
    """The distribution of measurements' errors in levels; fitted by likelihood on rendered tables.

    sigma: standard deviation of a pair with TYPICAL_SIGMA_LEVELS and one direction of view.
    sigma_exponent: the power of a pair's own uncertainty by which that grows.  view_angle_gain: by
    which power of e it grows with the difference of view angles.  column_log_spread: by which power
    of e all pairs of a column are better or worse.  outlier_share: of the pairs.
    independent_share: weight of each of several pairs.  common_sigma: standard deviation of the
    error that all pairs of a column have in common, since pieces differ and lenses distort.
    """

    sigma: float
    sigma_exponent: float
    view_angle_gain: float
    column_log_spread: float
    outlier_share: float
    independent_share: float
    common_sigma: float

    def predict_sigma(self, measurement: HeightMeasurement) -> float:
        """Return the standard deviation of a measurement's error in levels."""
        uncertainty = math.log((measurement.sigma + MIN_SIGMA_LEVELS) / TYPICAL_SIGMA_LEVELS)
        angle = self.view_angle_gain * measurement.view_angle_difference
        return self.sigma * math.exp(self.sigma_exponent * uncertainty + angle)

    def likelihood(self, heights: Odds, sigmas: Odds) -> Odds:
        """Return the likelihood of each height (TALLEST,), given what pairs measured (n,).

        sigmas: (n,) of each pair.  How well pairs agree shows whether this column's are better or
        worse.
        """
        spreads = sigmas[:, None] * np.exp(self.column_log_spread * NORMAL_NODES)
        spreads = spreads[:, :, None, None]
        expected = HEIGHTS + self.common_sigma * NORMAL_NODES[:, None]
        errors = (heights[:, None, None, None] - expected) / spreads
        inliers = (1.0 - self.outlier_share) * np.exp(-0.5 * errors**2)
        density = inliers / (math.sqrt(2 * math.pi) * spreads)
        outliers = self.outlier_share * OUTLIER_DENSITY
        total = self.independent_share * np.log(density + outliers).sum(axis=0)
        total -= 0.5 * (NORMAL_NODES[:, None, None] ** 2 + NORMAL_NODES[:, None] ** 2)
        likely = np.exp(total - total.max()).sum(axis=(0, 1))
        return np.asarray(likely / likely.sum())


@dataclass(frozen=True, eq=False)
class Top:
    """A top as one *view* shows it.

    centre_mm: (3,) in the view's pose, if the column has the height that is assumed.  radius_mm: of
    a piece.  view_tangents: (2,) of the angle of view against the vertical, along both sides of the
    board.  levels_to_camera: the distance below the camera in levels.  level_px: a level in pixels
    of the template.
    """

    column: Column
    view: View
    centre_mm: Points
    radius_mm: float
    view_tangents: Points
    levels_to_camera: float
    level_px: float

    @cached_property
    def template(self) -> Template:
        """What other tops are registered with."""
        return Template(self._crop(TEMPLATE_PX))

    @cached_property
    def search_image(self) -> SearchImage:
        """What is registered with other tops: it lies aside if the assumed height is wrong."""
        across, down = MAX_HEIGHT_ERROR_LEVELS * self.level_px * self.view_tangents
        return SearchImage(self._crop(SEARCH_PX), (across, down))

    def _crop(self, side_px: int) -> Picture:
        return crop_top(self.view, self.centre_mm, self.radius_mm, side_px)


@dataclass(frozen=True, slots=True)
class TopPair:
    """A *top* and a *known* one with which it is to be registered; see `HeightMeasurement`."""

    top: Top
    known: Top
    view_angle_difference: float


class TopRegistration:
    """Estimates the heights of the columns on one grid by known tops."""

    def __init__(self, grid: Grid, floor_z: float, errors: PairErrorModel) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z, self._errors = grid, floor_z, errors
        self._known: list[Top] = []
        self._plain: frozenset[int] = frozenset()

    def learn(self, view: View, columns: Sequence[Column]) -> None:
        """Make the tops of *columns* in *view* the known ones, and see which are plain."""
        self._known = find_tops(view, self._grid, self._floor_z, columns)
        shares: dict[int, list[float]] = {}
        for top in self._known:
            shares.setdefault(top.column.colour, []).append(top.template.inner_share)
        self._plain = frozenset(
            colour for colour, each in shares.items() if np.median(each) < MIN_INNER_SHARE
        )

    def estimate(
        self,
        view: View,
        uncertain: Sequence[Column],
        certain: Sequence[Column],
        prior: Odds | None = None,
    ) -> Odds:
        """Return the likelihood of each height of the *uncertain* columns (n, TALLEST).

        uncertain: with their likeliest heights; of plain tops all heights are as likely.  certain:
        other columns of *view* whose heights are beyond doubt.  prior: (n, TALLEST) by other cues;
        the clearer it is, the fewer known tops are registered.
        """
        known = [*self._known, *find_tops(view, self._grid, self._floor_z, certain)]
        tops = find_tops(view, self._grid, self._floor_z, uncertain)
        pairs = [
            [] if top.column.colour in self._plain else choose_references(top, known)
            for top in tops
        ]
        likely = np.full((len(pairs), TALLEST), 1.0 / TALLEST)
        measured: list[list[HeightMeasurement]] = [[] for _ in pairs]
        unclear = [at for at, each in enumerate(pairs) if len(each) >= MIN_REFERENCES]
        for part in (slice(FIRST_REFERENCES), slice(FIRST_REFERENCES, MAX_REFERENCES)):
            found = iter(measure_pairs([pair for at in unclear for pair in pairs[at][part]]))
            for at in unclear:
                measured[at] += islice(found, len(pairs[at][part]))
                heights = np.array([each.height for each in measured[at]])
                sigmas = np.array([self._errors.predict_sigma(each) for each in measured[at]])
                likely[at] = self._errors.likelihood(heights, sigmas)
            posterior = likely if prior is None else likely * prior
            clear = posterior.max(axis=1) >= MIN_POSTERIOR_TO_STOP * posterior.sum(axis=1)
            unclear = [at for at in unclear if not clear[at]]
        return likely


def choose_references(top: Top, known: Sequence[Top]) -> list[TopPair]:
    """Return *top* with those of *known* tops that are seen most alike, these first; not itself."""
    pairs = [
        TopPair(top, other, float(np.hypot(*(top.view_tangents - other.view_tangents))))
        for other in known
        if other.column.colour == top.column.colour
        and not (other.view.picture is top.view.picture and other.column.cell == top.column.cell)
    ]
    return sorted(pairs, key=lambda pair: pair.view_angle_difference)[:MAX_REFERENCES]


def measure_pairs(pairs: Sequence[TopPair]) -> list[HeightMeasurement]:
    """Return the height of each pair's top as registration with the known one measures it."""
    alignments = register([(pair.known.template, pair.top.search_image) for pair in pairs])
    return [
        HeightMeasurement(
            pair.top.column.height + (1.0 - 1.0 / alignment.scale) * pair.top.levels_to_camera,
            alignment.sigma * pair.top.levels_to_camera,
            pair.view_angle_difference,
        )
        for pair, alignment in zip(pairs, alignments, strict=True)
    ]


def find_tops(view: View, grid: Grid, floor_z: float, columns: Sequence[Column]) -> list[Top]:
    """Return the tops of *columns* that stand in *view* on a grid, *floor_z* mm above its pose."""
    figure, camera = grid.figure, view.pose.camera
    level_px = figure.pitch / figure.radius * TEMPLATE_PX / (2.0 * TEMPLATE_HALF_RADII)
    tops = []
    for column in columns:
        top_mm = floor_z + figure.rise_mm(column.height)
        centre = np.array([*grid.cells[column.cell], top_mm])
        below_mm = float(camera[2]) - top_mm
        tangents = (centre[:2] - camera[:2]) / below_mm
        levels = below_mm / figure.pitch
        tops.append(Top(column, view, centre, figure.radius, tangents, levels, level_px))
    return tops


def crop_top(view: View, centre_mm: Points, radius_mm: float, side_px: int) -> Picture:
    """Return (side_px, side_px, 3): the plane of a top with *centre_mm* (3,), rectified.

    radius_mm: of a piece, of which half of TEMPLATE_PX shows TEMPLATE_HALF_RADII.
    """
    step_mm = 2.0 * TEMPLATE_HALF_RADII * radius_mm / TEMPLATE_PX
    first = centre_mm[None, :2] - step_mm * (side_px - 1) / 2.0
    right, down = step_mm * np.eye(2)[:, None]
    plane = view.pose.homography(float(centre_mm[2]))
    x, y = build_grids(plane, first, down, right, (side_px, side_px))[:, 0]
    return np.asarray(cv2.remap(view.picture, x, y, cv2.INTER_CUBIC), np.uint8)
