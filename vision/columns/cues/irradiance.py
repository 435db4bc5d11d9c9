"""Tell how high columns are by how much light they keep from the board around them.

Every place of a board is lit from all sides: by lamps, and less brightly by ceiling and walls. What
a column hides of them from a place makes that darker, so that even where no lamp throws a shadow a
tall column dims more of the board than a low one. From which sides how much light comes is learned
from the picture of known columns: as the light, nowhere less than none, that explains how bright
the board is there. In other pictures, for each height that a column may have, the board is worked
out as it would look, and compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cue_fusion import Posterior
from vision.columns.cues.board_illumination import (
    GAMMA,
    Floor,
    build_lattice,
    describe_light,
    describe_print,
    survey,
)
from vision.columns.cues.light_sources import to_unit_vector
from vision.columns.grid import TALLEST, Grid
from vision.columns.patches import View
from vision.geometry.pose import Points, rotation_between, transform_point

Amounts: TypeAlias = NDArray[np.float32]
Lower: TypeAlias = NDArray[np.uint8]
"""(ways, WINDOW, WINDOW): at each place around a column, how many heights are too low for the
column to keep the light of each way from it."""

AZIMUTHS_DEG: Final = range(0, 360, 30)
ELEVATIONS_DEG: Final = (12.0, 25.0, 40.0, 55.0, 72.0)
"""Ways by which light of the surroundings comes."""
AROUND_DEG: Final = (-6.0, -3.0, 0.0, 3.0, 6.0)
"""Further ways beside each lamp: lamps have a size, and are found to some degrees."""
LOWEST_DEG, STEEPEST_DEG = 5.0, 88.0
STEEP: Final = 0.3
"""Ways are no further apart than so many times that, however steep the lamp is above the board."""
LEAST_RISE: Final = 0.05
"""Light comes from above, however a board tilts: it rises by at least this share of its way."""
NEAR_MM: Final = 92.0
"""Further away than this a column is not thought to darken anything."""

FEWEST: Final = 200
"""With fewer places to be seen nothing is told."""
ROUNDS: Final = 5
CLIP: Final = 2.5
"""Places that are further off than so many times the usual error count less (Huber)."""
RIDGE: Final = 0.1
"""How strongly light is kept from coming by few ways only, in units of the usual way."""
FAINT: Final = 0.01
"""Ways by which less than this share of the strongest comes are left out."""
GRAIN: Final = 0.2
"""By how much, as a logarithm, rows and columns of a board's grain usually differ."""
NOISE: Final = 1.0
"""How many levels of 255 a place is usually off."""
LEAST: Final = 1e-3
"""No picture's places agree better than by so much, as a logarithm."""
DESCENTS: Final = 400
STEADY: Final = 1e-6
TINY: Final = 1e-6

MODEL: Final = 0.12
"""By how much, as a logarithm, light is usually misjudged."""
TAIL: Final = 4.0
"""Degrees of freedom of the distribution of these errors: some are far off."""
SHARE: Final = 0.08
"""Places beside each other are wrong together: each counts as so many that are not."""
TOLD: Final = 0.01
"""By how much, as a logarithm, a place must change with a column's height to be heeded."""
POSSIBLE: Final = 1e-3
"""Heights that are less likely than this beforehand are not worked out."""


@dataclass(frozen=True, slots=True, eq=False)
class Lighting:
    """The light that was learned, and the board without it.

    ways: (n, 3) directions to where it comes from, in the table's frame, and amounts: (n,) how much
    comes from each.  printed, grain: (rows * columns,) logarithms of how bright the board itself
    is: what all spots share, and all else.
    """

    ways: Points
    amounts: Amounts
    printed: NDArray[np.float64]
    grain: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """One picture, and how it would look if all columns were as high as they are thought to be.

    Of each place of the lattice, with a margin around it.  lower: see Lower.  shades: (ways, rows,
    columns) how many columns keep the light of each way from a place.  light: (rows, columns) how
    much comes there.  misfit: by how much, as a logarithm, it is brighter than that; not a number
    where it is not to be seen.  doubt: by how much that is usually off.
    """

    lower: Lower
    shades: NDArray[np.uint8]
    light: NDArray[np.float32]
    misfit: NDArray[np.float32]
    doubt: NDArray[np.float32]


class Irradiance:
    """Tells how high the columns on one grid are; must have learned the light over the table."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of its poses the columns stand."""
        self._grid, self._floor_z = grid, floor_z
        self._lattice = build_lattice(grid)
        self._reach = int(NEAR_MM / self._lattice.step_mm)
        wide = 2 * self._reach + 1
        self._around = [
            (slice(row, row + wide), slice(at, at + wide))
            for row, at in self._lattice.find(grid.cell_centres).tolist()
        ]
        """Where, on a lattice with a margin, the surroundings of each spot lie."""
        places = self._lattice.places.reshape(-1, 2)
        self._even, self._rings = describe_light(grid, places), describe_print(grid, places)
        self._lighting: Lighting | None = None

    def learn(self, view: View, heights: NDArray[np.intp], lamps: Sequence[Points]) -> None:
        """Learn the light from *view*, on which columns *heights* (25,) high stand.

        lamps: where lamps are thought to be, x, y, z (3,) in mm in the table's frame.  If too
        little of the board is to be seen, nothing is known afterwards.
        """
        self._lighting = None
        floor = self._survey(view, heights)
        if len(floor.places) < FEWEST:
            return
        shape = view.picture.shape
        middle = np.array([*self._grid.cell_centres.mean(axis=0), self._floor_z])
        places = [
            transform_point(lamp, view.table, view.pose, self._grid.hfov_deg, shape)
            for lamp in lamps
        ]
        ways = np.concatenate([_list_ambient(), *(_list_around(at - middle) for at in places)])
        lit = self._trim(self._shade(self._measure(ways), heights) == 0)
        rows, columns = self._lattice.size
        row, column = np.divmod(floor.which, columns)
        even, rings = self._even[floor.which], self._rings[floor.which]
        lines = np.column_stack([np.eye(rows)[row], np.eye(columns)[column]])
        shone = lit[:, floor.which].astype(np.float64)
        amounts, parts, misfit = fit_light(floor, shone, np.hstack([even, rings]), lines)
        _, print_, down, along = np.split(parts, np.cumsum([even.shape[1], rings.shape[1], rows]))
        grain = (down[:, None] + along).ravel()
        grain[floor.which] += misfit
        used = amounts > FAINT * amounts.max()
        self._lighting = Lighting(
            ways[used] @ self._turn(view),
            amounts[used].astype(np.float32),
            self._rings @ print_,
            grain,
        )

    def tell(self, view: View, odds: Posterior, which: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return how likely each height of the columns *which* (n,) is by the light around them.

        odds: of all spots as far as known, whose likeliest columns keep light from others.
        Returns (n, TALLEST).
        """
        heights = odds[:, :-1].argmax(axis=1)
        floor = self._survey(view, heights)
        told = np.ones((len(which), TALLEST))
        if self._lighting is not None and len(floor.places) >= FEWEST:
            scene = self._imagine(view, self._lighting, floor, heights)
            possible = odds[which, 1:-1] > POSSIBLE
            for at, spot in enumerate(which):
                likely = np.flatnonzero(possible[at]) + 1
                told[at] = 0.0
                told[at, likely - 1] = self._weigh(scene, int(spot), int(heights[spot]), likely)
        return np.asarray(told / told.sum(axis=1, keepdims=True))

    def _survey(self, view: View, heights: NDArray[np.intp]) -> Floor:
        return survey(self._grid, self._lattice, view, self._floor_z, heights)

    def _turn(self, view: View) -> Points:
        """Return what turns (3, 3) directions over the table into those over the board."""
        if view.table is view.pose:
            return np.eye(3)
        return rotation_between(view.table, view.pose, self._grid.hfov_deg, view.picture.shape)

    def _measure(self, ways: Points) -> Lower:
        """Return how many heights of a column leave places around it lit by *ways* (n, 3)."""
        figure, steps = self._grid.figure, np.arange(-self._reach, self._reach + 1)
        away = (steps * self._lattice.step_mm).astype(np.float32)
        flat = np.maximum(np.hypot(ways[:, 0], ways[:, 1]), TINY)
        out = (-ways[:, :2] / flat[:, None]).astype(np.float32)[..., None, None]
        long = (flat / np.maximum(ways[:, 2], LEAST_RISE)).astype(np.float32)[:, None, None]
        # Shadows reach out, away from the light; so far along and aside of that way places lie.
        along = out[:, 0] * away + out[:, 1] * away[:, None]
        aside = out[:, 1] * away - out[:, 0] * away[:, None]
        half = np.sqrt(np.maximum(np.float32(figure.radius**2) - aside * aside, 0.0))
        # A top's shadow covers as far as its circle reaches, so far aside.
        needed = ((along - half) / np.maximum(long, TINY) - figure.top_mm) / figure.pitch
        lower = np.clip(np.floor(needed) + 1.0, 0.0, TALLEST)
        lower[(half <= 0.0) | (along <= -half)] = TALLEST
        return np.asarray(lower, np.uint8)

    def _shade(self, lower: Lower, heights: NDArray[np.intp]) -> NDArray[np.uint8]:
        """Return how many columns *heights* (25,) high keep each way's light from each place."""
        rows, columns = (side + 2 * self._reach for side in self._lattice.size)
        shades = np.zeros((len(lower), rows, columns), np.uint8)
        for spot in np.flatnonzero(heights).tolist():
            shades[:, *self._around[spot]] += lower < heights[spot]
        return shades

    def _trim(self, shades: NDArray[np.generic]) -> NDArray[Any]:
        """Return *shades* (n, rows, columns) of the lattice without its margin, in one row each."""
        within = slice(self._reach, -self._reach)
        return shades[:, within, within].reshape(len(shades), -1)

    def _imagine(
        self, view: View, lighting: Lighting, floor: Floor, heights: NDArray[np.intp]
    ) -> Scene:
        """Return how the picture of *view* compares with one of columns *heights* (25,) high."""
        lower = self._measure(lighting.ways @ self._turn(view).T)
        shades = self._shade(lower, heights)
        light = np.tensordot(lighting.amounts, (shades == 0).astype(np.float32), 1)
        light = np.maximum(light, TINY)
        which = floor.which
        bright = (
            floor.brightness - lighting.printed[which] - np.log(self._trim(light[None])[0, which])
        )
        parts = np.column_stack([self._even[which], lighting.grain[which]])
        misfit, usual = fit_robustly(bright, parts)
        doubt = np.sqrt(MODEL**2 + usual**2 + _noise(floor.brightness))
        return Scene(lower, shades, light, self._spread(which, misfit), self._spread(which, doubt))

    def _spread(self, which: NDArray[np.intp], values: Points) -> NDArray[np.float32]:
        """Return *values* (n,) on the lattice with its margin; not a number where there is none."""
        every = np.full(self._lattice.size, np.nan, np.float32)
        every.flat[which] = values
        return np.pad(every, self._reach, constant_values=np.nan)

    def _weigh(self, scene: Scene, spot: int, height: int, likely: NDArray[np.intp]) -> Points:
        """Return how well the light around a *spot* fits each height that is *likely* (n,).

        height: of the column as it is thought to be.
        """
        around = self._around[spot]
        seen = np.isfinite(scene.misfit[around])
        own = scene.lower[:, seen]
        others = scene.shades[:, *around][:, seen] - (own < height)
        shone = [((own >= each) & (others == 0)).astype(np.float32) for each in likely]
        assert self._lighting is not None
        lights = np.maximum([self._lighting.amounts @ part for part in shone], TINY)
        changes = np.log(lights / scene.light[around][seen])
        misfit, doubt = scene.misfit[around][seen], scene.doubt[around][seen]
        heeded = np.ptp(changes, axis=0) > TOLD
        off = ((misfit - changes) / doubt)[:, heeded]
        fits = -SHARE * (TAIL + 1.0) / 2.0 * np.log1p(off**2 / TAIL).sum(axis=1)
        return np.asarray(np.exp(fits - fits.max()), np.float64)


def fit_light(
    floor: Floor, lit: NDArray[np.float64], known: NDArray[np.float64], lines: NDArray[np.float64]
) -> tuple[Points, Points, Points]:
    """Return how much light comes each way, what else makes places bright, and what is left.

    lit: (ways, n) which places light of each way reaches.  known: (n, k) and lines: (n, m) in what
    ways places may be brighter than others besides; those of *lines* seldom are by much.  Returns
    (ways,) amounts, (k + m,) by how much places are brighter in each way, and (n,) what is left, as
    far as it is not noise.
    """
    brightness, parts = floor.brightness, np.hstack([known, lines])
    noise = _noise(brightness)
    weights, usual, board = np.ones(len(brightness)), GRAIN, np.zeros(len(brightness))
    for _ in range(ROUNDS):
        roots = np.sqrt(weights)
        seen = lit * (np.exp(board - brightness) * roots)
        gram = seen @ seen.T
        gram += RIDGE * np.trace(gram) / len(gram) * np.eye(len(gram))
        amounts = solve_nonnegative(gram, seen @ roots)
        bare = brightness - np.log(np.maximum(amounts @ lit, TINY))
        weighed = parts * roots[:, None]
        rare = np.repeat([STEADY, (usual / GRAIN) ** 2], [known.shape[1], lines.shape[1]])
        found = np.linalg.solve(weighed.T @ weighed + np.diag(rare), weighed.T @ (roots * bare))
        board = parts @ found
        misfit = bare - board
        usual = _spread_of(misfit)
        doubt = usual**2 + noise
        weights = usual**2 / doubt / np.maximum(1.0, np.abs(misfit) / (CLIP * np.sqrt(doubt)))
    return amounts, np.asarray(found, np.float64), misfit * usual**2 / doubt


def fit_robustly(brightness: Points, parts: NDArray[np.float64]) -> tuple[Points, float]:
    """Return what *parts* (n, k) do not explain of *brightness* (n,), and how much that usually is.

    What is far off counts less (Huber).
    """
    weights = np.ones(len(brightness))
    for _ in range(ROUNDS):
        weighed = parts * weights[:, None]
        steady = STEADY * np.eye(parts.shape[1])
        misfit = brightness - parts @ np.linalg.solve(
            weighed.T @ parts + steady, weighed.T @ brightness
        )
        usual = _spread_of(misfit)
        weights = 1.0 / np.maximum(1.0, np.abs(misfit) / (CLIP * usual))
    return misfit, usual


def solve_nonnegative(gram: Points, right: Points) -> Points:
    """Return the least squares solution x of gram x = right in which no number is negative.

    By an accelerated projected gradient (Nesterov, 1983; with restarts as by O'Donoghue and Candes,
    2015).

    >>> solve_nonnegative(np.eye(2), np.array([3.0, -1.0])).round(6).tolist()
    [3.0, 0.0]
    """
    step = 1.0 / max(float(np.linalg.eigvalsh(gram)[-1]), TINY)
    found, ahead, pace = np.zeros(len(right)), np.zeros(len(right)), 1.0
    for _ in range(DESCENTS):
        better = np.maximum(ahead - step * (gram @ ahead - right), 0.0)
        if (ahead - better) @ (better - found) > 0.0:
            pace = 1.0
        faster = (1.0 + np.sqrt(1.0 + 4.0 * pace**2)) / 2.0
        ahead = better + (pace - 1.0) / faster * (better - found)
        found, pace = better, faster
    return found


def _spread_of(misfit: Points) -> float:
    """Return by how much a *misfit* (n,) is usually off, however far a few are."""
    return max(1.4826 * float(np.median(np.abs(misfit))), LEAST)


def _noise(brightness: Points) -> Points:
    """Return the variance of *brightness* (n,) that comes from a camera's noise."""
    return np.asarray((GAMMA * NOISE / 255.0) ** 2 * np.exp(-2.0 * brightness / GAMMA))


def _list_ambient() -> Points:
    return np.array([to_unit_vector(at, up) for up in ELEVATIONS_DEG for at in AZIMUTHS_DEG])


def _list_around(way: Points) -> Points:
    """Return ways (n, 3) that differ by a few degrees from *way* (3,) to a lamp."""
    azimuth = float(np.degrees(np.arctan2(way[1], way[0])))
    up = float(np.degrees(np.arcsin(way[2] / np.linalg.norm(way))))
    wider = 1.0 / max(float(np.cos(np.radians(up))), STEEP)
    return np.array(
        [
            to_unit_vector(azimuth + aside * wider, min(max(up + higher, LOWEST_DEG), STEEPEST_DEG))
            for aside in AROUND_DEG
            for higher in AROUND_DEG
        ]
    )
