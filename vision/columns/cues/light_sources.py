"""Find the lamps over a board by where its columns leave it dark.

A place that a column hides from a lamp gets none of its light. So the board between known columns
is laid flat, and for some four hundred ways to a lamp it is worked out which places lie in shadow
then. The lamp whose shadows explain best why some places are darker than others is taken to be
there; what it explains is left out of account, and the next is looked for (orthogonal matching
pursuit: Pati, Rezaiifar and Krishnaprasad, 1993).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cues.board_illumination import (
    Floor,
    build_lattice,
    cover,
    describe_light,
    describe_print,
    survey,
)
from vision.columns.grid import Grid
from vision.columns.patches import View
from vision.geometry.pose import Points

Heights: TypeAlias = NDArray[np.intp]
Dark: TypeAlias = NDArray[np.float64]
"""(..., places): which share of a lamp the columns hide from each place."""

AZIMUTHS_DEG: Final = range(0, 360, 10)
ELEVATIONS_DEG: Final = (22, 27, 32, 37, 42, 48, 54, 60, 66, 72, 78)
LOWEST_DEG, STEEPEST_DEG = 18.0, 85.0
FAR_MM: Final = 2500.0
"""Shadows of a few centimetres hardly tell how far away a lamp is."""
LARGE: Final = (0, 1, 2)
"""How large lamps may be: as points, or reaching so many steps to all sides."""
WIDE_DEG, HIGH_DEG = 10.0, 6.0
"""One such step, around and up."""
FINER_DEG: Final = (5.0, 2.5)
"""A lamp that was found is moved by so much for as long as it explains more then."""
CLIMBS: Final = 8
"""How often at most it is."""

FEWEST: Final = 200
"""With fewer places to be seen nothing is told."""

CLIP: Final = 2.5
"""Places that are further off than so many times the usual error count less (Huber)."""
ROUNDS: Final = 4
TRIES: Final = 5
MOST: Final = 3
"""How many lamps are looked for, and how many there are at most."""
PLAIN: Final = 150.0
"""A lamp must explain so many times the usual squared error: grain and creases of a board reach
130, the faintest lamps of rendered tables 190."""
FEWEST_DARK: Final = 3.0
APART_DEG: Final = 25.0
"""What is found nearer than this to a lamp, or moves there, belongs to it."""
TINY: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Beam:
    """Where a lamp is seen from a board's middle; *large*: see LARGE."""

    azimuth_deg: float
    elevation_deg: float
    large: int = 0

    @property
    def way(self) -> Points:
        """The direction (3,) from the board to the lamp; z is up."""
        return point_to(self.azimuth_deg, self.elevation_deg)

    def list_parts(self) -> list["Beam"]:
        """Return the points that the lamp consists of."""
        steps = range(-self.large, self.large + 1)
        # As round as a grid can be: a cross, or a square.
        return [
            Beam(self.azimuth_deg + WIDE_DEG * aside, _limit(self.elevation_deg + HIGH_DEG * up))
            for aside in steps
            for up in steps
            if self.large != 1 or not (aside and up)
        ]


def point_to(azimuth_deg: float, elevation_deg: float) -> Points:
    """Return the direction (3,) with this azimuth, from x towards y, and elevation."""
    azimuth, elevation = math.radians(azimuth_deg), math.radians(elevation_deg)
    flat = math.cos(elevation)
    return np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)])


def find_light_sources(grid: Grid, view: View, floor_z: float, heights: Heights) -> list[Beam]:
    """Return where lamps are in *view*, on which columns *heights* (25,) high stand, best first.

    floor_z: how many mm above the plane of the view's pose the columns stand.
    """
    floor = survey(grid, build_lattice(grid), view, floor_z, heights)
    if len(floor.places) < FEWEST or not heights.any():
        return []
    beams = [Beam(azimuth, up, large) for large in LARGE for azimuth, up in _list_ways()]
    dark = _darken_all(grid, floor, heights)
    described = _describe(grid, floor)
    found, shades = list[Beam](), list[Dark]()
    for _ in range(TRIES):
        if len(found) == MOST:
            break
        known = np.column_stack([described, *shades])
        gains = explain(floor.brightness, known, dark)
        best = int(gains.argmax())
        if gains[best] < PLAIN:
            break
        if not _is_apart(beams[best], found):
            shades.append(dark[best])
            continue
        found.append(beams[best])
        shades.insert(len(found) - 1, dark[best])
        _refine(grid, floor, heights, described, found, shades)
        if not _is_apart(found[-1], found[:-1]):
            found.pop()
    return found


def explain(
    brightness: NDArray[np.float64], known: NDArray[np.float64], dark: Dark
) -> NDArray[np.float64]:
    """Return how much better each of *dark* (m, n) explains *brightness* (n,) besides *known*.

    In squares of the usual error; nothing for what would be brighter in the shadow.  known: (n, k)
    what is a part of the brightness anyway.
    """
    weights = np.ones(len(brightness))
    for _ in range(ROUNDS):
        roots = np.sqrt(weights)
        left, sizes, _ = np.linalg.svd(known * roots[:, None], full_matrices=False)
        basis = left[:, sizes > 1e-6 * sizes[0]]
        misfit = brightness - basis @ (basis.T @ (roots * brightness)) / roots
        usual = max(1.4826 * float(np.median(np.abs(misfit))), TINY)
        weights = 1.0 / np.maximum(1.0, np.abs(misfit) / (CLIP * usual))
    roots = np.sqrt(weights)
    new = dark * roots
    new = new - (new @ basis) @ basis.T
    agreed, lengths = new @ (roots * misfit), (new**2).sum(axis=1)
    told = (agreed < 0.0) & (lengths > FEWEST_DARK)
    return np.where(told, agreed**2 / np.maximum(lengths, TINY), 0.0) / usual**2


def _refine(
    grid: Grid,
    floor: Floor,
    heights: Heights,
    described: NDArray[np.float64],
    found: list[Beam],
    shades: list[Dark],
) -> None:
    """Move each lamp *found* to where it explains most beside the others, and its shade with it.

    The others stay where they are meanwhile.  described: (n, k) what is a part of the brightness
    without any lamp.  shades: of the lamps, and after theirs what else is in the shadow.
    """
    for step in FINER_DEG:
        for at in range(len(found)):
            known = np.column_stack([described, *shades[:at], *shades[at + 1 :]])
            for _ in range(CLIMBS):
                near = _list_near(found[at], step)
                dark = np.stack([_darken(grid, floor, heights, beam) for beam in near])
                best = int(explain(floor.brightness, known, dark).argmax())
                found[at], shades[at] = near[best], dark[best]
                if best == 0:
                    break


def _list_near(lamp: Beam, step_deg: float) -> list[Beam]:
    """Return the *lamp* itself, others as large around it, and others there."""
    around = [
        replace(
            lamp,
            azimuth_deg=lamp.azimuth_deg + aside * step_deg,
            elevation_deg=_limit(lamp.elevation_deg + up * step_deg),
        )
        for aside in (0, -1, 1)
        for up in (0, -1, 1)
    ]
    return around + [replace(lamp, large=large) for large in LARGE if large != lamp.large]


def _is_apart(lamp: Beam, others: Sequence[Beam]) -> bool:
    return all(lamp.way @ other.way < _APART for other in others)


def _list_ways() -> list[tuple[float, float]]:
    return [(float(azimuth), float(up)) for azimuth in AZIMUTHS_DEG for up in ELEVATIONS_DEG]


def _darken_all(grid: Grid, floor: Floor, heights: Heights) -> Dark:
    """Return what lamps of all ways and sizes leave dark, one size after the other."""
    size = (len(AZIMUTHS_DEG), len(ELEVATIONS_DEG))
    sharp = np.stack([_darken(grid, floor, heights, Beam(*way)) for way in _list_ways()])
    sharp = sharp.reshape(*size, -1)
    # Larger lamps consist of those beside them, as in `Beam.list_parts`.
    high = np.clip(np.arange(size[1]) + np.arange(-2, 3)[:, None], 0, size[1] - 1)
    around = {aside: np.roll(sharp, -aside, axis=0) for aside in range(-2, 3)}
    cross = sharp + around[-1] + around[1] + sharp[:, high[1]] + sharp[:, high[3]]
    square = sum(part[:, rows] for part in around.values() for rows in high)
    every = np.stack([sharp, cross / 5.0, square / 25.0])
    return np.asarray(every.reshape(-1, sharp.shape[-1]), np.float64)


def _darken(grid: Grid, floor: Floor, heights: Heights, lamp: Beam) -> Dark:
    """Return (places,): which share of *lamp* the columns hide from each place."""
    middle = np.array([*grid.cell_centres.mean(axis=0), 0.0])
    parts = [
        cover(grid, floor.places, middle + FAR_MM * part.way, heights) for part in lamp.list_parts()
    ]
    return np.asarray(np.mean(parts, axis=0), np.float64)


def _describe(grid: Grid, floor: Floor) -> NDArray[np.float64]:
    """Return what makes a board brighter here than there without any shadow (n, k).

    Light that falls off evenly, and what is printed on all spots alike.
    """
    return np.hstack([describe_light(grid, floor.places), describe_print(grid, floor.places)])


def _limit(elevation_deg: float) -> float:
    return min(max(elevation_deg, LOWEST_DEG), STEEPEST_DEG)


_APART: Final = math.cos(math.radians(APART_DEG))
