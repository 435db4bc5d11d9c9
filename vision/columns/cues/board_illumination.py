"""Survey a board beside its columns: how bright it is wherever it can be seen.

The board is laid flat and looked at in places that lie a few millimetres apart. What is printed
there, and how light falls off, is told apart from what columns keep away from it.
"""

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.cues.shadow_patches import is_occluded, project_tops
from vision.columns.grid import Grid
from vision.columns.patches import View
from vision.geometry.pose import Points, build_grids

STEP_MM: Final = 3.0
BLUR_PX: Final = 1.0
MARGIN_PX: Final = 6
"""What is further from a place does not blur into it."""
BLINDING: Final = 250
"""A colour as bright as this tells nothing of light."""
BLEACHED: Final = 0.03
"""A colour in which a larger share of the board is that bright is not looked at."""
BLACK: Final = 2e-3
"""Brightness, one being white, that sensors add to what they see."""
GAMMA: Final = 2.2
PRINT_MM: Final = 1.5
"""Spots are printed alike, in rings this wide, out to so many radii of a piece."""
PRINTED: Final = 1.5


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Where a board is looked at.

    first: (2,) the first place in mm.  step_mm: from one to the next.  size: rows and columns.
    """

    first: Points
    step_mm: float
    size: tuple[int, int]

    @property
    def places(self) -> Points:
        """All places (rows, columns, 2) in mm, on the plane on which the columns stand."""
        rows, columns = np.indices(self.size)
        return np.asarray(self.first + self.step_mm * np.stack([columns, rows], axis=2))

    def find(self, points: Points) -> NDArray[np.intp]:
        """Return in which row and column (n, 2) the places next to *points* (n, 2) lie."""
        steps = np.round((points - self.first) / self.step_mm).astype(np.intp)
        return np.asarray(np.clip(steps[:, ::-1], 0, np.array(self.size) - 1))


@dataclass(frozen=True, slots=True, eq=False)
class Floor:
    """What a picture shows of a board beside its columns.

    places: (n, 2) in mm on the plane on which these stand.  brightness: (n,) logarithms.  which:
    (n,) of all places of the lattice, row by row.
    """

    places: Points
    brightness: NDArray[np.float64]
    which: NDArray[np.intp]


def build_lattice(grid: Grid) -> Lattice:
    """Return where the board of *grid* is looked at."""
    left, top, right, bottom = grid.edges
    first = np.array([left, top]) + STEP_MM / 2.0
    size = (int((bottom - top) / STEP_MM), int((right - left) / STEP_MM))
    return Lattice(first, STEP_MM, size)


def survey(
    grid: Grid, lattice: Lattice, view: View, floor_z: float, heights: NDArray[np.intp]
) -> Floor:
    """Return what *view* shows of the board beside columns *heights* (25,) high.

    floor_z: how many mm above the plane of the view's pose the columns stand.  The corners are left
    out, where markers may lie, and what is too bright to tell anything.
    """
    first, step = lattice.first[None], lattice.step_mm
    down, aside = np.array([[0.0, step]]), np.array([[step, 0.0]])
    x, y = build_grids(view.pose.homography(floor_z), first, down, aside, lattice.size)[:, 0]
    places = lattice.places
    eye = view.pose.camera - [0.0, 0.0, floor_z]
    behind = cover(grid, places.reshape(-1, 2), eye, heights).reshape(lattice.size)
    hidden = cv2.dilate(behind.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    inside = (x >= 0) & (y >= 0) & (x < view.picture.shape[1]) & (y < view.picture.shape[0])
    shown = inside & ~hidden & ~_are_corners(grid, places)
    seen = _sample_softly(view.picture, x, y)
    brightness = _measure(seen, shown)
    return Floor(places[shown], brightness, np.flatnonzero(shown))


def _sample_softly(picture: Picture, x: NDArray[np.float32], y: NDArray[np.float32]) -> Picture:
    """Return a blurred *picture* at *x*, *y* (rows, columns); no more is blurred than is needed."""
    (top, bottom), (left, right) = (
        np.clip([at.min() - MARGIN_PX, at.max() + MARGIN_PX], 0, size).astype(int).tolist()
        for at, size in zip((y, x), picture.shape, strict=False)
    )
    if left >= right or top >= bottom:
        return np.zeros((*x.shape, 3), np.uint8)
    soft = cv2.GaussianBlur(picture[top:bottom, left:right], (0, 0), BLUR_PX)
    return np.asarray(cv2.remap(soft, x - left, y - top, cv2.INTER_LINEAR), np.uint8)


def _measure(seen: Picture, shown: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return how bright places are that are *shown*; what blinds in one is taken from *shown*."""
    blinding = seen >= BLINDING
    shares = blinding[shown].mean(axis=0) if shown.any() else np.ones(3)
    used = np.flatnonzero(shares <= max(BLEACHED, shares.min()))
    shown &= ~blinding[..., used].any(axis=2)
    light = np.log((seen[shown][:, used] / 255.0) ** GAMMA + BLACK)
    return np.asarray(light.mean(axis=1))


def cover(
    grid: Grid, places: Points, source: Points, heights: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """Return which *places* (n, 2) columns hide from *source* (3,) above the plane."""
    standing = np.flatnonzero(heights)
    reaches = project_tops(grid, source)[standing, heights[standing]]
    feet, few = grid.cell_centres[standing], places.astype(np.float32)[:, None]
    covered = is_occluded(few, feet, reaches, grid.figure.radius)
    return np.asarray(covered.any(axis=1), np.bool_)


def describe_light(grid: Grid, places: Points) -> NDArray[np.float64]:
    """Return in what ways *places* (n, 2) are brighter where light falls off evenly (n, 6)."""
    left, top, right, bottom = grid.edges
    across = (places - [left, top]) / [right - left, bottom - top] - 0.5
    return np.column_stack([np.ones(len(across)), across, across**2, across.prod(axis=1)])


def describe_print(grid: Grid, places: Points) -> NDArray[np.float64]:
    """Return in which ring around a spot *places* (n, 2) lie (n, rings): there, one."""
    apart = np.linalg.norm(places[:, None] - grid.cell_centres, axis=2).min(axis=1)
    outermost = int(PRINTED * grid.figure.radius / PRINT_MM)
    rings = np.minimum((apart / PRINT_MM).astype(np.intp), outermost)
    return np.asarray(np.eye(outermost + 1)[rings])


def _are_corners(grid: Grid, places: Points) -> NDArray[np.bool_]:
    """Return which *places* (..., 2) no spot lies beside."""
    low, high = grid.cell_centres.min(axis=0), grid.cell_centres.max(axis=0)
    radius = grid.figure.radius
    return np.asarray(((places < low - radius) | (places > high + radius)).all(axis=-1))
