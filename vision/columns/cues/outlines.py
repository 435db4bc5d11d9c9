"""Tell how high columns are by how large their tops look, since what is nearer looks larger.

Seen from straight above, a column shows nothing but its top, and a level more makes that larger by
a hundredth or two. A network finds where a top ends, ray by ray around its middle, and says how far
each ray is to be trusted; a circle through these ends is then measured. How large the tops of each
paint look is learned from the picture of known columns.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import TALLEST, Column, Grid
from vision.columns.patches import Patches, View
from vision.geometry.pose import Points, Pose
from vision.inference import load_network, softmax, to_nchw

Odds: TypeAlias = NDArray[np.float64]

ANGLES: Final = 48
"""How many rays a strip has; the first lies next to the way that columns lean, away from the foot
of the camera."""
PLACES: Final = 64
"""How many places each ray has."""
INNER, OUTER = 0.45, 1.55
"""Where rays begin and end, in radii of a piece."""
HINTS: Final = 3
EVERY: Final = 2
"""The network tells ends for every second ray; shown a strip's mirror image, for the others."""
RISE_MM: Final = 4.0
"""The network is told by how much of the table a level appears further out, in units of this."""
TRUST: Final = 100.0
"""What the network says of its trust in a ray is in units of this, as one over a variance."""
TRUST_LIMITS: Final = (0.5, 4000.5)
STEPS: Final = 4
STEP: Final = 0.4
"""How far one step of the fit may go."""
LEAST_ROOT: Final = 0.01
COMMON, OWN, ALIKE = 0.7, 0.4, 0.3
"""By how many levels all tops, those of a paint, and any one usually look nearer than they are."""
SPREAD: Final = 0.1
HEED: Final = 0.9
"""How far a top's size is usually off, in levels, and which share of its fit's own doubt counts."""
TAIL: Final = 4.0
"""Degrees of freedom of the distribution of sizes: some are far off."""
FLOOR: Final = 0.005
"""No height is ruled out by size alone."""

OUT: Final = INNER + (OUTER - INNER) * (np.arange(PLACES) + 0.5) / PLACES
"""How far out each place is, in radii of a piece."""
TURNS: Final = 2.0 * np.pi * (np.arange(ANGLES) + 0.5) / ANGLES
"""Where each ray points, in radians from the way that columns lean."""
_RAYS: Final = np.column_stack([np.cos(TURNS), np.sin(TURNS)])
_ENDS: Final = np.column_stack([_RAYS, np.ones(ANGLES)])


@dataclass(frozen=True, slots=True, eq=False)
class Circles:
    """What was measured of some tops, in radii of a piece.

    radii, doubts: (n,) how large they look, and by how much that may be off.  middles: (n, 2) where
    their middles lie, along the first ray and across it.
    """

    radii: NDArray[np.float64]
    doubts: NDArray[np.float64]
    middles: Points


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """How large the top of a *column* looks, and where.

    nearer: by how many levels it looks nearer than it would be if the column were as high as it is
    thought to be, and doubt: by how much that may be off.  middle_mm: (2,) where its middle lies in
    the plane that the top would be in.
    """

    column: Column
    nearer: float
    doubt: float
    middle_mm: Points


class Outlines:
    """Tells by the size of their tops how high the columns on one grid are."""

    def __init__(self, grid: Grid, floor_z: float, weights: Path) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand.

        weights: of a network that has learned the outlines of these pieces.
        """
        self._grid, self._floor_z, self._weights = grid, floor_z, weights
        self._nearer = np.zeros(len(grid.colours))

    def measure(self, view: View, columns: Sequence[Column]) -> list[Outline]:
        """Return the outlines of the tops of *columns* in *view*, with the heights as thought."""
        if not columns:
            return []
        figure, pose = self._grid.figure, view.pose
        tops_mm = np.array([self._floor_z + figure.rise_mm(each.height) for each in columns])
        middles = self._grid.cell_centres[[column.cell for column in columns]]
        strips = crop_strips(view.picture, pose, middles, tops_mm, figure.radius)
        below_mm = pose.camera[2] - tops_mm
        rises_mm = np.hypot(*(middles - pose.camera[:2]).T) * figure.pitch / below_mm
        circles = fit_circles(self._ask_both_ways(strips, rises_mm))
        levels = below_mm / figure.pitch
        along, across = _find_ways(pose, middles)
        aside = circles.middles[:, :1] * along + circles.middles[:, 1:] * across
        each = zip(
            columns,
            ((1.0 - 1.0 / circles.radii) * levels).tolist(),
            (circles.doubts * levels).tolist(),
            middles + figure.radius * aside,
            strict=True,
        )
        return [Outline(*one) for one in each]

    def _ask_both_ways(self, strips: Patches, rises_mm: Points) -> NDArray[np.float64]:
        """Return what the network tells of all rays: half of them it sees in the mirror."""
        seen = np.concatenate([strips, strips[:, ::-1]])
        (told,) = load_network(self._weights).run(strips=build_inputs(seen, np.tile(rises_mm, 2)))
        every = np.empty((len(strips), 2, ANGLES, PLACES))
        every[:, :, ::EVERY], every[:, :, ::-1][:, :, ::EVERY] = np.split(told, 2)
        return every

    def learn(self, outlines: Sequence[Outline]) -> None:
        """Learn how large tops of each paint look from *outlines* of columns that are known."""
        nearer, doubts, paints = _unfold(outlines)
        # What all tops have in common, then what is each paint's own: the likeliest of both.
        parts = np.column_stack([np.ones(len(paints)), np.eye(len(self._grid.colours))[paints]])
        usual = np.diag([COMMON**-2.0] + [OWN**-2.0] * len(self._grid.colours))
        weights = 1.0 / (ALIKE**2 + doubts**2)
        weighed = (parts * weights[:, None]).T
        found = np.linalg.solve(weighed @ parts + usual, weighed @ nearer)
        self._nearer = found[0] + found[1:]

    def tell(self, outlines: Sequence[Outline]) -> Odds:
        """Return how likely each height of columns is by their *outlines* (n, TALLEST)."""
        nearer, doubts, paints = _unfold(outlines)
        seen = [outline.column.height for outline in outlines] + nearer - self._nearer[paints]
        spread = np.hypot(SPREAD, HEED * doubts)
        return weigh_seen(np.asarray(seen), spread, TAIL)


def weigh_seen(seen: Points, spread: Points, tail: float) -> Odds:
    """Return how likely each height is (n, TALLEST) of columns that look *seen* (n,) levels high.

    spread: (n,) by how many levels that usually is off.  tail: degrees of freedom: some are far
    off.  No height is ruled out.
    """
    away = (seen[:, None] - np.arange(1, TALLEST + 1)) / spread[:, None]
    likely = (1.0 + away**2 / tail) ** (-(tail + 1.0) / 2.0) + FLOOR
    return np.asarray(likely / likely.sum(axis=1, keepdims=True))


def _unfold(outlines: Sequence[Outline]) -> tuple[Points, Points, NDArray[np.intp]]:
    """Return of *outlines* how much nearer tops look, how doubtful that is, and their paints."""
    nearer = np.array([outline.nearer for outline in outlines])
    doubts = np.array([outline.doubt for outline in outlines])
    return nearer, doubts, np.array([outline.column.colour for outline in outlines], np.intp)


def _find_ways(pose: Pose, middles: Points) -> tuple[Points, Points]:
    """Return which way columns at *middles* (n, 2) lean, and the way across: (n, 2) each."""
    out = middles - pose.camera[:2]
    out = out / np.maximum(np.linalg.norm(out, axis=1, keepdims=True), 1e-6)
    return out, np.column_stack([-out[:, 1], out[:, 0]])


def crop_strips(
    picture: Picture, pose: Pose, middles: Points, tops_mm: Points, radius: float
) -> Patches:
    """Return (n, ANGLES, PLACES, 3): *picture* along rays around the tops of columns.

    middles: (n, 2) of the spots and tops_mm: (n,) how high the tops are, in mm of the pose's frame.
    radius: of a piece, in mm.
    """
    out, across = _find_ways(pose, middles)
    ways = radius * (_RAYS[:, :1] * out[:, None] + _RAYS[:, 1:] * across[:, None])
    starts = np.column_stack([middles, tops_mm]) @ pose.projection[:, :3].T + pose.projection[:, 3]
    # What a plane looks like is linear before the division by depth: one sum a place is enough.
    steps = (ways @ pose.projection[:, :2].T).transpose(2, 0, 1).astype(np.float32)
    begin = starts.T[:, :, None, None].astype(np.float32)
    x, y, depth = begin + steps[..., None] * OUT.astype(np.float32)
    x, y = (part.reshape(-1, PLACES) for part in (x / depth, y / depth))
    cut = cv2.remap(picture, x, y, cv2.INTER_LINEAR)
    return np.asarray(cut.reshape(-1, ANGLES, PLACES, 3), np.uint8)


def build_inputs(strips: Patches, rises_mm: Points) -> NDArray[np.float32]:
    """Return what the network sees (n, 3 + HINTS, ANGLES, PLACES): colours from -1 to 1, and hints.

    The hints are where a ray points, how far out a place is, and the rise.
    """
    n = len(strips)
    seen = np.empty((n, 3 + HINTS, ANGLES, PLACES), np.float32)
    seen[:, :3] = to_nchw(strips)
    seen[:, 3] = _RAYS[:, :1]
    seen[:, 4] = np.linspace(-1.0, 1.0, PLACES)
    seen[:, 5] = (rises_mm / RISE_MM - 1.0)[:, None, None]
    return seen


def fit_circles(told: NDArray[np.float64]) -> Circles:
    """Return the circles through the ends that the network told.

    told: (n, 2, rays, PLACES) scores of where each ray ends, and trust in it if it ends there; of
    all rays or every second one, which then counts for both.
    """
    every = ANGLES // told.shape[2]
    rays = _ENDS[::every]
    odds = softmax(told[:, 0])
    ends = odds @ OUT
    trust = np.logaddexp(0.0, (odds * told[:, 1]).sum(axis=2)) * TRUST + TRUST_LIMITS[0]
    trust = np.minimum(trust, TRUST_LIMITS[1]) * every / EVERY
    spread = np.linalg.inv(np.einsum("nr,ri,rj->nij", trust, rays, rays) + np.eye(3))
    middles, radii = np.zeros((len(told), 2)), np.ones(len(told))
    for _ in range(STEPS):
        along = middles @ rays[:, :2].T
        beyond = radii[:, None] ** 2 - (middles**2).sum(axis=1)[:, None] + along**2
        off = ends - along - np.sqrt(np.maximum(beyond, LEAST_ROOT))
        step = np.einsum("nij,nj->ni", spread, (trust * off) @ rays).clip(-STEP, STEP)
        middles += step[:, :2]
        radii = (radii + step[:, 2]).clip(INNER, OUTER)
    return Circles(radii, np.sqrt(spread[:, 2, 2]), middles)
