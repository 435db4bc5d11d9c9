"""Render scenes by path tracing: `blender -b -P rendering/blender/render.py -- FOLDER [PART/OF]`.

Each scene NAME.json of FOLDER becomes NAME.png unless that exists; with 1/2 and 2/2, side by side,
every other one each. A scene may say where its ``prints`` lie, seen from FOLDER, and of which
rectangle of the picture it wants a ``crop``: left, top, right, bottom, in pixels. Runs inside
Blender, which brings its own Python; of the companion, only what needs nothing else is imported.
"""

import json
import math
import sys
from pathlib import Path
from typing import Any

import bpy
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Matrix, Vector

sys.path.insert(0, str(Path(__file__).parents[2]))

from rendering.blender.shapes import put_thing
from rendering.blender.stage import (
    ball,
    balls,
    hand,
    lathe,
    light,
    look,
    material,
    put,
    sheet,
    spot,
)
from rendering.pieces import shape_disc, shape_figure

SIDES = {"tactiki": (340.0, 296.0, 3.0), "topple": (360.0, 208.0, 90.0)}
SAMPLES = 3
"""A pixel; more are hardly told apart once a camera's own noise is added."""
EDGE_MM, TILE_MM = 6.0, 36.0
"""What is rendered around the board; tiles are worked out, not found, in training.  In rehearsals
they are found: that much is rendered around their middles."""


def piece(game: str, looks: dict[str, Any]) -> Any:
    """Return a piece of a game."""
    if game == "tactiki":
        return lathe("figure", shape_figure(looks), looks["lobes"])
    return lathe("disc", shape_disc(looks), 0, smooth=False)


def board_matrix(scene: dict[str, Any]) -> Matrix:
    """Return how the board stands."""
    side, _, floor = SIDES[scene["game"]]
    given = scene["board"]
    towards = math.radians(-given["towards_deg"])
    axis = Vector((math.cos(towards), math.sin(towards), 0.0))
    return (
        Matrix.Translation(spot(side / 2 + given["dx"], side / 2 + given["dy"], floor))
        @ Matrix.Rotation(math.radians(given["tilt_deg"]), 4, axis)
        @ Matrix.Rotation(math.radians(-given["turn_deg"]), 4, "Z")
    )


def put_columns(scene: dict[str, Any], stage: Matrix, meshes: list[Any], made: list[Any]) -> None:
    """Put up all pieces; what is on top looks at the camera, if it is a figure."""
    white = balls(material("white", (0.97, 0.97, 0.95)))
    black = balls(material("black", (0.05, 0.05, 0.05)))
    for column in scene["columns"]:
        for level, piece in enumerate(column["pieces"]):
            matrix = stage @ Matrix.Translation(spot(piece["x"], piece["y"], piece["z"]))
            matrix = matrix @ Matrix.Rotation(math.radians(piece["turn_deg"]), 4, "Z")
            for angle, axis in zip(piece["lean_deg"], "XY", strict=True):
                matrix = matrix @ Matrix.Rotation(math.radians(angle), 4, axis)
            put(meshes[piece["paint"]], made[piece["paint"]], matrix)
            if scene["game"] == "tactiki" and level == len(column["pieces"]) - 1:
                put_face(scene["paints"][piece["paint"]]["face"], white, black, matrix)


def put_face(face: dict[str, Any], white: Any, black: Any, matrix: Matrix) -> None:
    """Put eyes and a mouth on a figure's top."""
    size = face["size"]
    for eye in (-1, 1):
        x, y = 0.033 * eye * size, 0.02 * size
        if face["whites"]:
            ball(white, (x, y, 0.208), (0.021 * size, 0.021 * size, 0.017), matrix)
        ball(black, (x, y + 0.004, 0.218), (0.011 * size, 0.011 * size, 0.01), matrix)
    for step in range(-3, 4) if face["mouth"] else ():
        # A smile is a row of balls on an arc.
        x, y = 0.013 * step * size, (-0.045 + 0.0025 * step**2) * size
        ball(black, (x, y, 0.213), (0.009 * size, 0.008 * size, 0.009), matrix)


def build(scene: dict[str, Any], folder: Path) -> None:
    """Put up a table with columns of pieces, or with whatever things lie on it."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    side, wide, floor = SIDES.get(scene["game"], (0.0, 0.0, 0.0))
    middle = spot(*scene["middle"]) if "middle" in scene else spot(side / 2, side / 2)
    ground = folder / scene.get("ground", f"{scene['name']}-table.jpg")
    sheen = scene.get("sheen", 1.0)  # no print is rougher
    printed = material("table", picture=ground, roughness=min(0.7, sheen))
    put(sheet("table", 1400), printed, _at(middle))
    for tile in scene["tiles"]:
        paper = material(
            "tile", picture=folder / f"tile-{tile['number']}.png", roughness=min(0.9, sheen)
        )
        matrix = _at(spot(tile["x"], tile["y"], 0.2)) @ Matrix.Rotation(
            math.radians(-tile["turn_deg"]), 4, "Z"
        )
        put(sheet("tile", 50), paper, matrix)
    if "columns" in scene:
        build_board(scene, folder, wide, floor)
    for thing in scene.get("things", ()):
        put_thing({**thing, "shine": min(thing["shine"], sheen)}, folder)
    if scene["hand"]:
        hand(scene["hand"])
    light(scene["lights"], middle)
    look(scene["camera"])


def _at(place: Vector) -> Matrix:
    return Matrix.Translation(place)


def build_board(scene: dict[str, Any], folder: Path, wide: float, floor: float) -> None:
    """Put up a board with columns, and the piece that a hand holds."""
    stage = board_matrix(scene)
    printed = material(
        "board",
        picture=folder / scene.get("print", f"{scene['name']}-board.jpg"),
        roughness=min(scene["board"]["shine"], scene.get("sheen", 1.0)),
    )
    put(sheet("board", wide, thick_mm=min(floor, 6.0)), printed, stage)
    meshes = [piece(scene["game"], looks) for looks in scene["paints"]]
    made = [
        material(f"paint{i}", roughness=p["roughness"], painted=True)
        for i, p in enumerate(scene["paints"])
    ]
    put_columns(scene, stage, meshes, made)
    held = scene["hand"] and scene["hand"]["holds"]
    if held:
        matrix = _at(spot(*held["at"]))
        for angle, axis in zip(held["lean_deg"], "XY", strict=True):
            matrix = matrix @ Matrix.Rotation(math.radians(angle), 4, axis)
        put(meshes[held["paint"]], made[held["paint"]], matrix)


def border(scene: dict[str, Any]) -> None:
    """Render a board of columns alone, which is all that is learned from, or its tiles too."""
    if "things" in scene:
        return
    side, wide, floor = SIDES[scene["game"]]
    half = side / 2 + TILE_MM if scene.get("tiled") else wide / 2 + EDGE_MM
    bpy.context.view_layer.update()
    ends = [
        world_to_camera_view(bpy.context.scene, bpy.context.scene.camera, spot(x, y, z))
        for x in (side / 2 - half, side / 2 + half)
        for y in (side / 2 - half, side / 2 + half)
        for z in (
            0.0 if scene.get("tiled") else floor,
            floor + (90.0 if scene["game"] == "tactiki" else 40.0),
        )
    ]
    render = bpy.context.scene.render
    render.use_border = True
    render.border_min_x = max(0.0, min(end.x for end in ends))
    render.border_max_x = min(1.0, max(end.x for end in ends))
    render.border_min_y = max(0.0, min(end.y for end in ends))
    render.border_max_y = min(1.0, max(end.y for end in ends))


def crop(rect: list[int]) -> None:
    """Render nothing but *rect* of the picture, as it is in the whole one but for the dither."""
    left, top, right, bottom = rect
    render = bpy.context.scene.render
    width, height = render.resolution_x, render.resolution_y
    render.use_border = render.use_crop_to_border = True
    # A quarter of a pixel further, since the renderer drops what is no whole pixel.
    render.border_min_x, render.border_max_x = (left + 0.25) / width, (right + 0.25) / width
    render.border_min_y = (height - bottom + 0.25) / height
    render.border_max_y = (height - top + 0.25) / height


def shoot(scene: dict[str, Any], path: Path) -> None:
    """Render the scene that stands into a file, which is there only once it is whole."""
    stage = bpy.context.scene
    stage.render.engine = "CYCLES"
    stage.cycles.samples = scene.get("samples", SAMPLES)
    stage.cycles.use_adaptive_sampling = True
    stage.cycles.max_bounces = 3
    stage.cycles.use_denoising = False  # Debian's build has no denoiser; cameras are noisy too
    # Two processes side by side fill two cores better than both threads of one.
    stage.render.threads_mode, stage.render.threads = "FIXED", 1
    width, height = scene.get("picture_px", (1536, 864))
    stage.render.resolution_x, stage.render.resolution_y = width, height
    stage.render.resolution_percentage = 100
    stage.view_settings.view_transform = "Standard"
    stage.view_settings.exposure = scene["lights"]["exposure"]
    stage.render.image_settings.file_format = "PNG"
    stage.render.image_settings.color_mode = "RGB"
    stage.render.image_settings.compression = 30
    border(scene)
    if "crop" in scene:
        crop(scene["crop"])
    part = path.with_suffix(".part.png")
    stage.render.filepath = str(part)
    bpy.ops.render.render(write_still=True)
    part.replace(path)


def main(folder: Path, part: int, parts: int) -> None:
    """Render the scenes that are still missing of one of so many parts."""
    scenes = sorted(folder.glob("????.json"))[part - 1 :: parts]
    for given in scenes:
        path = given.with_suffix(".png")
        if not path.exists():
            scene = json.loads(given.read_text())
            build(scene, folder / scene.get("prints", "."))
            shoot(scene, path)


given = sys.argv[sys.argv.index("--") + 1 :]
part, parts = (given[1] if given[1:] else "1/1").split("/")
main(Path(given[0]), int(part), int(parts))
