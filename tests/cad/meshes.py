"""What a printer asks of a mesh: closed, thick enough, nothing printed on air.

A mesh is (n, 3, 3) float64: triangle, corner, x y z in mm, as `tests.part_pictures` reads it.
"""

from collections import Counter
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from tests.part_pictures import Points, Triangles, normals_of

Slice = npt.NDArray[np.uint8]
"""(rows, columns) uint8, 1 where there is plastic; PIXEL_MM each, see `slice_at`."""

PIXEL_MM: Final = 0.1
DIRECTIONS: Final = 12


def open_edges(mesh: Triangles) -> int:
    """Return how many edges do not join exactly two triangles that agree which side is outside."""
    corners = np.round(mesh, 4) + 0.0
    edges = Counter(
        (triangle[first].tobytes(), triangle[second].tobytes())
        for triangle in corners
        for first, second in ((0, 1), (1, 2), (2, 0))
        if not np.array_equal(triangle[first], triangle[second])
    )
    return sum(abs(count - edges[other, one]) for (one, other), count in edges.items())


def volume_cm3(mesh: Triangles) -> float:
    """Return the volume that *mesh* encloses; below 0 if it is inside out."""
    return float(np.einsum("ij,ij->", mesh[:, 0], np.cross(mesh[:, 1], mesh[:, 2]))) / 6000


@dataclass(frozen=True, slots=True)
class Frame:
    """Where a slice's pixels are: *left*, *low* is the middle of pixel (0, 0), in mm."""

    left: float
    low: float
    columns: int
    rows: int

    def at(self, x: float, y: float) -> tuple[int, int]:
        """Return row and column of a place in mm."""
        return round((y - self.low) / PIXEL_MM), round((x - self.left) / PIXEL_MM)


def frame_of(mesh: Triangles) -> Frame:
    """Return the frame for slices of *mesh*, with a millimetre to spare around it."""
    low, high = mesh.min(axis=(0, 1)), mesh.max(axis=(0, 1))
    columns, rows = np.ceil((high - low)[:2] / PIXEL_MM).astype(int) + 20
    return Frame(float(low[0]) - 1.003, float(low[1]) - 1.003, int(columns), int(rows))


def slice_at(mesh: Triangles, z_mm: float) -> Slice:
    """Return where *mesh* has plastic at the height *z_mm*."""
    frame = frame_of(mesh)
    above = mesh[:, :, 2] > z_mm
    cut = mesh[above.any(axis=1) & ~above.all(axis=1)]
    segments = np.array([_cut(triangle, z_mm) for triangle in cut])
    picture = np.zeros((frame.rows, frame.columns), np.uint8)
    for row in range(frame.rows):
        y = frame.low + row * PIXEL_MM
        (x0, y0), (x1, y1) = segments[:, 0].T, segments[:, 1].T
        hit = (y0 > y) != (y1 > y)
        x = np.sort(x0[hit] + (y - y0[hit]) / (y1[hit] - y0[hit]) * (x1[hit] - x0[hit]))
        columns = np.ceil((x - frame.left) / PIXEL_MM).astype(int)
        for first, last in zip(columns[::2], columns[1::2], strict=True):
            picture[row, first:last] = 1
    return picture


def _cut(triangle: Points, z_mm: float) -> list[Points]:
    ends = []
    for first, second in ((0, 1), (1, 2), (2, 0)):
        one, other = triangle[first], triangle[second]
        if (one[2] > z_mm) != (other[2] > z_mm):
            ends.append((one + (z_mm - one[2]) / (other[2] - one[2]) * (other - one))[:2])
    return ends


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole in a slice: its middle, and the diameter of a round hole of its area; in mm."""

    x: float
    y: float
    diameter: float


def holes_at(mesh: Triangles, z_mm: float) -> list[Hole]:
    """Return the holes that plastic surrounds at the height *z_mm*."""
    frame, picture = frame_of(mesh), slice_at(mesh, z_mm)
    _, _, stats, middles = cv2.connectedComponentsWithStats(1 - picture, connectivity=4)
    return [
        Hole(
            frame.left + float(x) * PIXEL_MM,
            frame.low + float(y) * PIXEL_MM,
            2 * float(np.sqrt(area / np.pi)) * PIXEL_MM,
        )
        for (left, top, _, _, area), (x, y) in zip(stats[1:], middles[1:], strict=True)
        if (left, top) != (0, 0) and area * PIXEL_MM**2 > 0.1
    ]


def thicknesses_mm(mesh: Triangles, samples: int, seed: int) -> tuple[Points, Points]:
    """Return *samples* random places on *mesh*, and how thick its wall is there, in mm.

    Measured along the face's normal to where it comes out of a face that looks the other way, to
    within 45 degrees; infinite where there is none, as beside an edge.
    """
    random = np.random.default_rng(seed)
    normals = normals_of(mesh)
    across = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
    areas = np.linalg.norm(across, axis=1)
    chosen = random.choice(len(mesh), samples, p=areas / areas.sum())
    a, b = np.sort(random.random((2, samples)), axis=0)[..., None]
    picked = mesh[chosen]
    places = picked[:, 0] * a + picked[:, 1] * (b - a) + picked[:, 2] * (1 - b)
    found = np.array(
        [
            _way_out(mesh, normals, place, -normals[each])
            for place, each in zip(places, chosen, strict=True)
        ]
    )
    return places, found


def _way_out(mesh: Triangles, normals: Points, start: Points, way: Points) -> float:
    """Return how thick the wall is from *start* along *way* (after Moeller and Trumbore)."""
    first, second = mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0]
    p = np.cross(way, second)
    scale = np.einsum("ij,ij->i", first, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        offset = start - mesh[:, 0]
        u = np.einsum("ij,ij->i", offset, p) / scale
        q = np.cross(offset, first)
        v = q @ way / scale
        t = np.einsum("ij,ij->i", second, q) / scale
        hit = (scale != 0) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 1e-3)
    if not hit.any():
        return np.inf
    nearest = np.flatnonzero(hit)[t[hit].argmin()]
    return float(t[nearest]) if normals[nearest] @ way > np.cos(np.pi / 4) else np.inf


def steep_faces(mesh: Triangles, most_deg: float) -> Triangles:
    """Return the faces that overhang by more than *most_deg* from upright, yet are no ceilings.

    What lies on the bed does not count, nor does what is smaller than 0.01 square mm.
    """
    down = -normals_of(mesh)[:, 2]
    on_bed = mesh[:, :, 2].max(axis=1) < mesh[:, :, 2].min() + 0.05
    leans = (down > np.sin(np.radians(most_deg)) + 1e-3) & (down < 0.999)
    across = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
    found: Triangles = mesh[leans & ~on_bed & (np.linalg.norm(across, axis=1) > 0.02)]
    return found


def ceilings_mm(mesh: Triangles) -> list[float]:
    """Return the heights of the level faces that look down, but for the one on the bed."""
    level = mesh[normals_of(mesh)[:, 2] < -0.999]
    heights = sorted({round(float(z), 2) for z in level[:, 0, 2]})
    return [z for z in heights if z > mesh[:, :, 2].min() + 0.05]


def unbridged_mm2(mesh: Triangles, z_mm: float, most_mm: float) -> float:
    """Return how much of a ceiling at *z_mm* has no support on two opposite sides.

    *most_mm*: so far apart the two may be.  The edges' uncertainty of a pixel does not count.
    """
    below, above = slice_at(mesh, z_mm - 0.15), slice_at(mesh, z_mm + 0.15)
    reached = below.copy()
    length = round(most_mm / PIXEL_MM)
    padded = np.pad(below, length)
    for step in range(DIRECTIONS):
        turn = np.pi * step / DIRECTIONS
        line = np.zeros((length, length), np.uint8)
        middle, half = length // 2, length / 2 - 1
        x, y = round(half * np.cos(turn)), round(half * np.sin(turn))
        cv2.line(line, (middle - x, middle - y), (middle + x, middle + y), 1)
        closed = cv2.morphologyEx(padded, cv2.MORPH_CLOSE, line)
        reached |= closed[length:-length, length:-length].astype(np.uint8)
    air = above & (1 - reached)
    eroded = cv2.erode(air, np.ones((5, 5), np.uint8))
    return float(eroded.sum()) * PIXEL_MM**2
