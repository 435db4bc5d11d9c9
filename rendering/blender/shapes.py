"""Shapes of the things on a table that are no columns: cards, blocks, cups, limbs.

Runs inside Blender, as `stage.py` does. A thing is a plain table of a scene's ``things``: its form,
where the middle of its underside is (``at``, mm of the table's frame), how far it is turned
clockwise as seen from above, how far it leans back, and what its form needs.
"""

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix

from rendering.blender.stage import UNIT, ball, balls, lathe, limb, material, put, spot

RINGS = (1.0, 0.97, 0.8, 0.6, 0.4, 0.2)
"""A slab is built of rings around its middle, each this share of its outline."""
CORNER = 8
"""Into how many parts a round corner is divided."""
ALONG, ACROSS = 28, 16
"""Into how many parts the top of a block is divided."""
STEEP = 8.0
"""How suddenly a block ends at both sides; over its back it is as round as it is told to be."""


def put_thing(thing: dict[str, Any], folder: Path) -> None:
    """Put one thing into the scene; prints lie in *folder*."""
    matrix = Matrix.Translation(spot(*thing["at"]))
    matrix = matrix @ Matrix.Rotation(math.radians(-thing["turn_deg"]), 4, "Z")
    matrix = matrix @ Matrix.Rotation(math.radians(-thing["lean_deg"]), 4, "X")
    FORMS[thing["form"]](thing, matrix, folder)


def _put_slab(thing: dict[str, Any], matrix: Matrix, folder: Path) -> None:
    """Put up a card or a board: a print with round corners, bent across if it is worn."""
    wide, long, thick = thing["size"]
    bend = thing["bend_mm"]

    def lift(u: float) -> float:
        return float(thick + bend * (2.0 * u) ** 2)

    outline = _outline(wide, long, thing["corner"])
    mesh = bpy.data.meshes.new("slab")
    places = [(x * share, y * share, lift(x * share / wide)) for share in RINGS for x, y in outline]
    around, foot = len(outline), len(places) + 1
    places = [*places, (0.0, 0.0, thick)]
    places += [(x, y, lift(x / wide) - thick) for x, y in outline]
    faces: list[tuple[int, ...]] = []
    for step in range(around):
        after = (step + 1) % around
        faces += [
            (ring + step, ring + after, ring + around + after, ring + around + step)
            for ring in range(0, (len(RINGS) - 1) * around, around)
        ]
        last = (len(RINGS) - 1) * around
        faces.append((last + step, last + after, foot - 1))
        faces.append((foot + step, foot + after, after, step))
    _finish(mesh, places, faces, (wide, long))
    put(mesh, _surface(thing, folder), matrix)


def _outline(wide: float, long: float, corner: float) -> list[tuple[float, float]]:
    """Return a rectangle with round corners, anticlockwise."""
    found = []
    for quarter, (sx, sy) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(CORNER + 1):
            angle = (quarter + step / CORNER) * math.pi / 2
            x = sx * (wide / 2 - corner) + corner * math.cos(angle)
            y = sy * (long / 2 - corner) + corner * math.sin(angle)
            found.append((x, y))
    return found


def _put_block(thing: dict[str, Any], matrix: Matrix, folder: Path) -> None:
    """Put up a block with a round back, its print as seen from above."""
    wide, deep, high = thing["size"]
    shoulder, back = thing["shoulder"], thing["back"]

    def lift(u: float, v: float) -> float:
        over = max(0.0, 1.0 - abs(2 * v) ** back) ** (1 / back)
        ends = max(0.0, 1.0 - abs(2 * u) ** STEEP) ** (1 / STEEP)
        return float(high * (shoulder + (1 - shoulder) * over * ends))

    places, faces = [], []
    for row in range(ACROSS + 1):
        for column in range(ALONG + 1):
            # Finer towards the edges, where the back falls off.
            u = 0.5 * math.sin(math.pi * (column / ALONG - 0.5))
            v = 0.5 * math.sin(math.pi * (row / ACROSS - 0.5))
            places.append((u * wide, v * deep, lift(u, v)))
    line = ALONG + 1
    for row in range(ACROSS):
        for column in range(ALONG):
            at = row * line + column
            faces.append((at, at + 1, at + 1 + line, at + line))
    rim = [*range(line), *range(2 * line - 1, line * (ACROSS + 1), line)]
    rim += [*range(line * (ACROSS + 1) - 2, line * ACROSS - 1, -1)]
    rim += [*range(line * (ACROSS - 1), 0, -line)]
    foot = len(places)
    places += [(*places[at][:2], 0.0) for at in rim]
    for step, at in enumerate(rim):
        after = (step + 1) % len(rim)
        faces.append((foot + step, foot + after, rim[after], at))
    mesh = bpy.data.meshes.new("block")
    _finish(mesh, places, faces, (wide, deep))
    put(mesh, _surface(thing, folder), matrix)


def _finish(
    mesh: Any,
    places: Sequence[tuple[float, ...]],
    faces: Sequence[tuple[int, ...]],
    size: tuple[float, float],
) -> None:
    """Build a *mesh* of *places* in mm, its print laid on from above."""
    scaled = [(x / UNIT, y / UNIT, z / UNIT) for x, y, z in places]
    mesh.from_pydata(scaled, [], faces)
    layer = mesh.uv_layers.new()
    for loop in mesh.loops:
        x, y, _ = places[loop.vertex_index]
        layer.data[loop.index].uv = (x / size[0] + 0.5, y / size[1] + 0.5)
    for face in mesh.polygons:
        face.use_smooth = True


def _put_turned(thing: dict[str, Any], matrix: Matrix, _folder: Path) -> None:
    """Put up a cup, a coin or a pawn, turned on a lathe: its rings from the foot up."""

    def paint(colour: Sequence[float]) -> Callable[[float, float], Sequence[float]]:
        return lambda _angle, _z: colour

    rings = [(radius, z, 0.0, paint(colour)) for radius, z, colour in thing["profile"]]
    painted = material("turned", roughness=thing["shine"], painted=True)
    put(lathe("turned", rings, 0, smooth=thing["smooth"]), painted, matrix)


def _put_ball(thing: dict[str, Any], matrix: Matrix, folder: Path) -> None:
    """Put up a ball, stretched to its size, resting on its place."""
    size = [side / UNIT for side in thing["size"]]
    ball(balls(_surface(thing, folder)), (0.0, 0.0, size[2]), size, matrix)


def _put_limb(thing: dict[str, Any], matrix: Matrix, folder: Path) -> None:
    """Put up a limb from ``start`` to ``end``, as seen from the thing's place."""
    start, end = (matrix @ spot(*thing[name]) for name in ("start", "end"))
    thick, thin = thing["thick"] / UNIT, thing["thin"] / UNIT
    limb(balls(_surface(thing, folder)), start, end, thick, thin)


def _surface(thing: dict[str, Any], folder: Path) -> Any:
    """Return a thing's surface: its print, or one colour."""
    if "print" in thing:
        return material("print", picture=folder / thing["print"], roughness=thing["shine"])
    return material("plain", thing["colour"], roughness=thing["shine"])


FORMS = {
    "slab": _put_slab,
    "block": _put_block,
    "turned": _put_turned,
    "ball": _put_ball,
    "limb": _put_limb,
}
