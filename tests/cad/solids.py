"""Boxes to try the checks of meshes on."""

from pathlib import Path

import numpy as np

from tests.part_pictures import Triangles


def box(
    width: float, depth: float, height: float, at: tuple[float, float, float] = (0, 0, 0)
) -> Triangles:
    """Return a box with a corner *at* a place, its faces outwards; in mm."""
    corners = np.array([[x, y, z] for x in (0.0, width) for y in (0, depth) for z in (0, height)])
    faces = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    halves = [each for a, b, c, d in faces for each in ((a, b, c), (a, c, d))]
    mesh: Triangles = np.array([[corners[i] for i in half] for half in halves]) + np.array(at)
    return mesh


def write_stl(path: Path, mesh: Triangles) -> None:
    """Write *mesh* to *path* as binary STL."""
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("flags", "<u2")])
    records = np.zeros(len(mesh), record)
    records["corners"] = mesh
    path.write_bytes(bytes(80) + len(mesh).to_bytes(4, "little") + records.tobytes())
