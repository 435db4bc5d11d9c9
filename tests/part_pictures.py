"""Pictures of the printed parts for docs/pictures/: meshes drawn without a display.

A depth buffer, one lamp beside the eye, and a line where two faces meet at an angle.
"""

import tempfile
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from hardware.cad.making import PARTS, run_openscad
from hardware.cad.parameters import parse_values

Points = npt.NDArray[np.float64]
"""(n, 3) float64, in mm."""
Triangles = npt.NDArray[np.float64]
"""(n, 3, 3) float64: triangle, corner, x y z in mm; outward normals by the right-hand rule."""

FINER: Final = 3
"""Drawn so many times larger, then averaged."""
INKS: Final = 64
PAPER: Final = (250, 250, 250)
LAMP: Final = np.array([-0.35, 0.55, 0.76])
CREASE_COS: Final = 0.85


def read_stl(path: Path) -> Triangles:
    """Return the triangles of the binary STL file at *path*."""
    data = path.read_bytes()
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("flags", "<u2")])
    count = int.from_bytes(data[80:84], "little")
    return np.frombuffer(data, record, count, 84)["corners"].astype(np.float64)


def normals_of(triangles: Triangles) -> Points:
    """Return the outward normal of each triangle, of length 1, or 0 for a triangle without area."""
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    normals: Points = np.divide(across, length, out=np.zeros_like(across), where=length > 0)
    return normals


def view_from(azimuth_deg: float, height_deg: float) -> Points:
    """Return the (3, 3) rotation into the picture: x right, y up, z towards the eye."""
    turn, tilt = np.radians(azimuth_deg), np.radians(height_deg)
    right = np.array([np.cos(turn), np.sin(turn), 0.0])
    eye = np.array([np.sin(turn) * np.cos(tilt), -np.cos(turn) * np.cos(tilt), np.sin(tilt)])
    return np.stack([right, np.cross(eye, right), eye])


def creases(triangles: Triangles) -> list[tuple[Points, Points]]:
    """Return the edges at which two faces meet at an angle, as pairs of end points."""
    normals = normals_of(triangles)
    seen: dict[tuple[bytes, bytes], int] = {}
    found = []
    corners = np.round(triangles, 3) + 0.0
    for index, (triangle, exact) in enumerate(zip(corners, triangles, strict=True)):
        for first, second in ((0, 1), (1, 2), (2, 0)):
            one, other = triangle[first].tobytes(), triangle[second].tobytes()
            beside = seen.pop((other, one), None)
            if beside is None:
                seen[one, other] = index
            elif normals[beside] @ normals[index] < CREASE_COS:
                found.append((exact[first], exact[second]))
    return found


class Canvas:
    """A picture with depth, onto which meshes are drawn.

    size: width and height in pixels.  centre: what is in the middle, in mm.  mm: the width shown.
    """

    def __init__(self, size: tuple[int, int], view: Points, centre: Points, mm: float) -> None:
        self._width, self._height = size[0] * FINER, size[1] * FINER
        self._view, self._centre = view, centre
        self._scale = self._width / mm
        self._colours = np.full((self._height, self._width, 3), PAPER, np.float64)
        self._depths = np.full((self._height, self._width), -np.inf)

    def _project(self, points: Points) -> Points:
        seen = (points - self._centre) @ self._view.T * self._scale
        flipped: Points = seen * (1, -1, 1) + (self._width / 2, self._height / 2, 0)
        return flipped

    def draw(self, triangles: Triangles, colour: tuple[int, int, int]) -> None:
        """Draw a mesh in *colour*, red, green and blue from 0 to 255."""
        normals = normals_of(triangles) @ self._view.T
        light = 0.42 + 0.58 * np.clip(normals @ (LAMP / np.linalg.norm(LAMP)), 0, 1)
        for corners, shade, normal in zip(self._project(triangles), light, normals, strict=True):
            if normal[2] > 0:
                self._fill(corners, np.array(colour) * shade)
        for ends in creases(triangles):
            self._line(self._project(np.stack(ends)), np.array(colour) * 0.3)

    def _fill(self, corners: Points, colour: Points) -> None:
        low = np.maximum(np.floor(corners[:, :2].min(axis=0)).astype(int), 0)
        high = np.ceil(corners[:, :2].max(axis=0)).astype(int) + 1
        high = np.minimum(high, (self._width, self._height))
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = corners
        area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        if (high <= low).any() or abs(area) < 1e-9:
            return
        y, x = np.mgrid[low[1] : high[1], low[0] : high[0]] + 0.5
        b = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
        c = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
        depth = az + b * (bz - az) + c * (cz - az)
        area_seen = (slice(low[1], high[1]), slice(low[0], high[0]))
        hit = (b >= 0) & (c >= 0) & (b + c <= 1) & (depth > self._depths[area_seen])
        self._depths[area_seen][hit] = depth[hit]
        self._colours[area_seen][hit] = colour

    def _line(self, ends: Points, colour: Points) -> None:
        steps = int(np.ceil(np.abs(ends[1] - ends[0])[:2].max())) + 1
        for x, y, depth in np.linspace(ends[0], ends[1], steps):
            column, row = int(x), int(y)
            within = 1 <= row < self._height - 1 and 1 <= column < self._width - 1
            if within and depth + 2 * FINER >= self._depths[row, column]:
                self._colours[row : row + 2, column : column + 2] = colour

    def save(self, path: Path) -> None:
        """Write the picture to *path* as PNG."""
        size = (self._width // FINER, self._height // FINER)
        small = cv2.resize(self._colours, size, interpolation=cv2.INTER_AREA)
        picture = Image.fromarray(small.round().astype(np.uint8))
        picture.quantize(INKS, dither=Image.Dither.NONE).save(path, optimize=True)


def lifted(mesh: Triangles, z_mm: float, *, turned: bool = False) -> Triangles:
    """Return *mesh* raised by *z_mm*; *turned* upside down about the x axis first."""
    way_up = np.array([1.0, -1.0, -1.0]) if turned else np.ones(3)
    moved: Triangles = mesh * way_up + np.array([0.0, 0.0, z_mm])
    return moved


ORANGE: Final = (232, 134, 70)
TEAL: Final = (86, 160, 160)
SAND: Final = (214, 190, 130)


def draw_foot(parts: dict[str, Triangles], path: Path) -> None:
    """Draw the foot's three parts above each other, in the order in which they go together."""
    body = parts["idol_foot_body"]
    scene = Canvas((760, 860), view_from(135, 30), np.array([0.0, 0.0, 67.0]), 160)
    scene.draw(parts["idol_foot_bottom"], SAND)
    scene.draw(lifted(body, 62 + float(body[:, :, 2].max()), turned=True), ORANGE)
    scene.draw(lifted(parts["idol_foot_hub"], 132), TEAL)
    scene.save(path)


def draw_inside(parts: dict[str, Triangles], path: Path) -> None:
    """Draw body and bottom as they lie on the bed."""
    body, bottom = parts["idol_foot_body"], parts["idol_foot_bottom"]
    scene = Canvas((980, 460), view_from(25, 48), np.array([0.0, 0.0, 10.0]), 290)
    aside = 71 * view_from(25, 48)[0]
    scene.draw(body - aside, ORANGE)
    scene.draw(bottom + aside, SAND)
    scene.save(path)


def draw_bracket(parts: dict[str, Triangles], path: Path) -> None:
    """Draw the bracket as it is printed: upside down."""
    bracket = parts["tilt_bracket"]
    scene = Canvas((760, 480), view_from(20, 38), np.array([0.0, 0.0, 4.0]), 92)
    scene.draw(bracket, ORANGE)
    scene.save(path)


def take(folder: Path) -> None:
    """Have the parts made with their defaults and draw them to *folder*; raises NotMade."""
    with tempfile.TemporaryDirectory() as made:
        for part in PARTS:
            run_openscad(part, parse_values([]), Path(made) / f"{part.name}.stl")
        parts = {part.name: read_stl(Path(made) / f"{part.name}.stl") for part in PARTS}
    draw_foot(parts, folder / "parts-foot.png")
    draw_inside(parts, folder / "parts-inside.png")
    draw_bracket(parts, folder / "parts-bracket.png")
