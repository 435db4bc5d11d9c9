"""What Blender's scenes are made of: surfaces, shapes, lamps and a camera.

Imported inside Blender, which brings its own Python; of the companion, only what needs nothing else
is imported. 1 Blender unit is 100 mm; Blender's y points away from the near player.
"""

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
from mathutils import Matrix, Vector

from rendering.pieces import Ring

UNIT = 100.0
AROUND = 64
CURTAIN_MM = 1500.0
FAR_MM = 1400.0
"""How far away a lamp is, unless it says."""


def spot(x: float, y: float, z: float = 0.0) -> Vector:
    """Return a place of the table (mm) in the renderer's frame."""
    return Vector((x / UNIT, -y / UNIT, z / UNIT))


def linear(colour: Sequence[float]) -> list[float]:
    """Return a printed colour as light (sRGB, IEC 61966-2-1)."""
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]


def kelvin(temperature: float) -> list[float]:
    """Return roughly the colour of a lamp of this temperature, green at 1."""
    t = temperature / 100.0
    red = 1.0 if t <= 66 else min(1.0, 1.29 * (t - 60) ** -0.133)
    green = min(1.0, 0.39 * math.log(t) - 0.63) if t <= 66 else 1.13 * (t - 60) ** -0.0755
    blue = 1.0 if t >= 66 else max(0.05, 0.543 * math.log(t - 10) - 1.196)
    return [part / green for part in linear((red, green, blue))]


def material(
    name: str,
    colour: Sequence[float] | None = None,
    picture: Path | None = None,
    roughness: float = 0.6,
    painted: bool = False,
) -> Any:
    """Return a surface in one colour, with a print, or as its mesh is painted."""
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    nodes, links = made.node_tree.nodes, made.node_tree.links
    shader = nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Specular"].default_value = 0.35
    if colour is not None:
        shader.inputs["Base Color"].default_value = (*linear(colour), 1.0)
    if picture is not None:
        image = nodes.new("ShaderNodeTexImage")
        image.image = bpy.data.images.load(str(picture))
        links.new(image.outputs["Color"], shader.inputs["Base Color"])
    if painted:
        paint = nodes.new("ShaderNodeVertexColor")
        paint.layer_name = "paint"
        links.new(paint.outputs["Color"], shader.inputs["Base Color"])
    return made


def put(mesh: Any, made: Any, matrix: Matrix) -> None:
    """Put a mesh into the scene."""
    thing = bpy.data.objects.new(mesh.name, mesh)
    if not mesh.materials:
        mesh.materials.append(made)
    thing.matrix_world = matrix
    bpy.context.scene.collection.objects.link(thing)


def sheet(name: str, side_mm: float, thick_mm: float = 0.0) -> Any:
    """Return a square, its print the right way up from above, with walls if it is thick."""
    half, low = side_mm / 2 / UNIT, -thick_mm / UNIT
    corners = [(-half, half), (half, half), (half, -half), (-half, -half)]
    places = [(x, y, 0.0) for x, y in corners] + [(x, y, low) for x, y in corners]
    faces = [(0, 3, 2, 1)]
    if thick_mm:
        faces += [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, [], faces)
    layer = mesh.uv_layers.new()
    ends = {0: (0, 1), 1: (1, 1), 2: (1, 0), 3: (0, 0)}
    for loop in mesh.loops:
        layer.data[loop.index].uv = ends[loop.vertex_index % 4]
    return mesh


def lathe(name: str, profile: Sequence[Ring], lobes: int, smooth: bool = True) -> Any:
    """Turn a profile around the upright axis."""
    places, faces, colours = [], [], []
    for radius, z, wavy, paint in profile:
        for step in range(AROUND):
            angle = 2 * math.pi * step / AROUND
            r = radius * (1.0 + wavy * (abs(math.cos(lobes * angle / 2)) - 0.5)) / UNIT
            places.append((r * math.cos(angle), r * math.sin(angle), z / UNIT))
            colours.append([*linear(paint(angle, z)), 1.0])
    for ring in range(len(profile) - 1):
        for step in range(AROUND):
            here, there = ring * AROUND + step, ring * AROUND + (step + 1) % AROUND
            faces.append((here, there, there + AROUND, here + AROUND))
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(places, [], faces)
    layer = mesh.color_attributes.new("paint", "FLOAT_COLOR", "POINT")
    for index, colour in enumerate(colours):
        layer.data[index].color = colour
    for face in mesh.polygons:
        face.use_smooth = smooth
    return mesh


def sphere() -> Any:
    """Return a ball of radius 1.

    Meshes are made by hand, since each of Blender's operators updates everything.
    """
    mesh, rings, around = bpy.data.meshes.new("ball"), 9, 14
    places = [
        (math.sin(up) * math.cos(turn), math.sin(up) * math.sin(turn), math.cos(up))
        for up in (math.pi * ring / (rings - 1) for ring in range(rings))
        for turn in (2 * math.pi * step / around for step in range(around))
    ]
    faces = [
        (r * around + s, (r + 1) * around + s, (r + 1) * around + n, r * around + n)
        for r in range(rings - 1)
        for s, n in ((s, (s + 1) % around) for s in range(around))
    ]
    mesh.from_pydata(places, [], faces)
    for face in mesh.polygons:
        face.use_smooth = True
    return mesh


def ball(mesh: Any, at: Any, size: Sequence[float], parent: Matrix | None = None) -> None:
    """Put a ball, stretched to *size*, into the scene or onto its parent."""
    matrix = Matrix.Translation(at) @ Matrix.Diagonal((*size, 1.0))
    put(mesh, None, (parent @ matrix) if parent else matrix)


def balls(made: Any) -> Any:
    """Return a ball of one material, to be put many times."""
    mesh = sphere()
    mesh.materials.append(made)
    return mesh


def limb(mesh: Any, start: Vector, end: Vector, thick: float, thin: float) -> None:
    """Put up a tapering limb with round ends, as a row of balls."""
    steps = max(2, int((end - start).length / min(thick, thin) * 4))
    for step in range(steps + 1):
        share = step / steps
        ball(mesh, start.lerp(end, share), (thick + (thin - thick) * share,) * 3)


def hand(given: dict[str, Any]) -> None:
    """Put an arm into the scene."""
    skin = material("skin", given["skin"], roughness=0.55)
    sleeve = material("sleeve", given["sleeve"], roughness=0.9)
    meshes = balls(skin), balls(sleeve)
    for part in given["limbs"]:
        ends = spot(*part["start"]), spot(*part["end"])
        limb(meshes[part["sleeve"]], *ends, part["thick"] / UNIT, part["thin"] / UNIT)


def light(given: dict[str, Any], middle: Vector) -> None:
    """Light the scene."""
    for lamp in given["lamps"]:
        far = lamp.get("far_mm", FAR_MM) / UNIT
        elevation, azimuth = math.radians(lamp["elevation_deg"]), math.radians(lamp["azimuth_deg"])
        way = Vector(
            (
                math.cos(elevation) * math.cos(azimuth),
                math.cos(elevation) * math.sin(azimuth),
                math.sin(elevation),
            )
        )
        if lamp["sun"]:
            data = bpy.data.lights.new("lamp", "SUN")
            data.energy = 2.6 * lamp["strength"] / max(0.35, math.sin(elevation))
            data.angle = math.radians(lamp["spread_deg"])
        else:
            data = bpy.data.lights.new("lamp", "AREA")
            data.size = lamp["size"] / UNIT
            data.energy = 2.4 * lamp["strength"] * math.pi * far**2 / max(0.35, math.sin(elevation))
        data.color = kelvin(lamp["kelvin"])
        thing = bpy.data.objects.new("lamp", data)
        at = middle + way * far
        thing.matrix_world = (
            Matrix.Translation(at) @ way.to_track_quat("Z", "Y").to_matrix().to_4x4()
        )
        bpy.context.scene.collection.objects.link(thing)
        if "slit" in lamp:
            draw_curtains(lamp["slit"], thing.matrix_world)
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (1, 1, 1, 1)
    world.node_tree.nodes["Background"].inputs["Strength"].default_value = given["ambient"]
    bpy.context.scene.world = world


def draw_curtains(slit: Sequence[float], lamp: Matrix) -> None:
    """Leave but a slit of the light of *lamp*, which shines along its own -z.

    slit: how broad it is, and how far it lies from the middle of the table, in mm.
    """
    cloth = material("curtain", (0.1, 0.1, 0.1))
    broad, aside = (each / UNIT for each in slit)
    for side in (-1, 1):
        middle = aside + side * (broad / 2 + CURTAIN_MM / 2 / UNIT)
        put(sheet("curtain", CURTAIN_MM), cloth, lamp @ Matrix.Translation((middle, 0.0, -5.0)))
        # A camera below them looks through.
        bpy.context.scene.collection.objects[-1].visible_camera = False


def look(given: dict[str, Any]) -> None:
    """Put up the camera, as `scenes.projection` has it."""
    data = bpy.data.cameras.new("camera")
    data.sensor_fit = "HORIZONTAL"
    data.angle = math.radians(given.get("hfov_deg", 66.0))
    thing = bpy.data.objects.new("camera", data)
    stands, aim = (spot(*given[name]) for name in ("stands", "aim"))
    forward = (aim - stands).normalized()
    # The same frame as scenes.projection: y of the picture is as near the table's y as can be.
    down = Vector((0.0, -1.0, 0.0))
    down = (down - forward * down.dot(forward)).normalized()
    right = forward.cross(-down)
    angle = math.radians(given["roll_deg"])
    right, down = (
        right * math.cos(angle) - down * math.sin(angle),
        right * math.sin(angle) + down * math.cos(angle),
    )
    rotation = Matrix((right, -down, -forward)).transposed()
    thing.matrix_world = Matrix.Translation(stands) @ rotation.to_4x4()
    bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = thing
