"""The printed parts as OpenSCAD makes them: closed, strong, printable, holes in their places."""

import math
import random
import subprocess
from pathlib import Path

import numpy as np
import pytest

from hardware.cad.checks_of_bracket import bracket_faults, length_mm
from hardware.cad.checks_of_foot import (
    bed_faults,
    derive,
    encoder_faults,
    pico_faults,
    ring_faults,
)
from hardware.cad.making import PARTS, NotMade, Part, find_openscad, run_openscad
from hardware.cad.parameters import Value, Values, parse_values, read_measures
from tests.cad.meshes import (
    Hole,
    ceilings_mm,
    frame_of,
    holes_at,
    open_edges,
    slice_at,
    steep_faces,
    thicknesses_mm,
    unbridged_mm2,
    volume_cm3,
)
from tests.cad.solids import box
from tests.part_pictures import Triangles, read_stl

BRIDGE_MM = 12.0
STEEPEST_DEG = 50.0
THINNEST_MM = 1.2
CHOICES = {
    "ec11": (),
    "optical": ("encoder=optical",),
    "small": (
        "foot_diameter_mm=100", "fill_density_g_cm3=4", "ring_outer_diameter_mm=0", "wall_mm=1.2",
        "rubber_feet=4", "idol_base_diameter_mm=40", "can_diameter_mm=4.4", "stem_diameter_mm=12",
    ),
}  # fmt: skip
VOLUMES_CM3 = {
    "idol_foot_body": (30, 120),
    "idol_foot_bottom": (20, 45),
    "idol_foot_hub": (10, 40),
    "tilt_bracket": (2, 6),
}


@pytest.fixture(scope="module")
def openscad() -> None:
    """Skip by name what needs OpenSCAD, where there is none."""
    try:
        find_openscad()
    except NotMade as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module", params=CHOICES)
def made(
    request: pytest.FixtureRequest, openscad: None, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Values, dict[str, Triangles]]:
    """Return the values of one choice, and the meshes made of them."""
    assert openscad is None
    values = parse_values(CHOICES[request.param])
    folder = tmp_path_factory.mktemp("parts")
    for part in PARTS:
        run_openscad(part, values, folder / f"{part.name}.stl")
    return values, {part.name: read_stl(folder / f"{part.name}.stl") for part in PARTS}


def has_hole(holes: list[Hole], x: float, y: float, diameter: float) -> bool:
    """Return whether there is one hole of *diameter* at a place, each to within 0.1 mm."""
    near = [hole for hole in holes if math.hypot(hole.x - x, hole.y - y) <= 0.1]
    return [abs(hole.diameter - diameter) <= 0.1 for hole in near].count(True) == 1


@pytest.mark.slow
def test_every_part_can_be_printed(made: tuple[Values, dict[str, Triangles]]) -> None:
    """Closed, thick enough, not too large for the bed or in plastic, and printed on no air."""
    values, meshes = made
    for name, mesh in meshes.items():
        assert open_edges(mesh) == 0, name
        least, most = VOLUMES_CM3[name]
        assert least < volume_cm3(mesh) < most, name
        low, high = mesh.min(axis=(0, 1)), mesh.max(axis=(0, 1))
        assert low[2] == pytest.approx(0, abs=1e-3), name
        assert (high - low)[:2].max() <= float(values["bed_mm"]), name
        places, found = thicknesses_mm(mesh, 1500, seed=5)
        assert found.min() >= THINNEST_MM - 0.02, (name, places[found.argmin()], found.min())
        assert len(steep_faces(mesh, STEEPEST_DEG)) == 0, name
        for z in ceilings_mm(mesh):
            assert unbridged_mm2(mesh, z, BRIDGE_MM) == 0, (name, z)


@pytest.mark.slow
def test_the_bottom_fits_a_pico_and_the_body(made: tuple[Values, dict[str, Triangles]]) -> None:
    """Posts at 47 x 11.4 mm, as in the Pico's datasheet; screws go into the body's columns."""
    values, meshes = made
    foot, bottom = derive(values), float(values["bottom_mm"])
    posts = holes_at(meshes["idol_foot_bottom"], bottom + 2)
    assert len(posts) == 4
    middle = foot.pico_end - 51 / 2
    for x, y in ((x, y) for x in (-23.5, 23.5) for y in (-5.7, 5.7)):
        assert has_hole(posts, middle + x, foot.pico_y + y, 1.8)
    plate = holes_at(meshes["idol_foot_bottom"], bottom - 0.5)
    columns = holes_at(meshes["idol_foot_body"], foot.top + foot.inside - 13)
    for angle in map(math.radians, (75, 165, 255, 345)):
        x, y = (foot.inner - 3) * math.cos(angle), (foot.inner - 3) * math.sin(angle)
        assert has_hole(plate, x, y, 3.4)
        # printed upside down, so the body's y is mirrored
        assert has_hole(columns, x, -y, 2.6)


@pytest.mark.slow
def test_the_body_fits_encoder_ring_and_plug(made: tuple[Values, dict[str, Triangles]]) -> None:
    """The bush's hole, the screws' holes, the groove and the opening for the USB plug."""
    values, meshes = made
    foot, body = derive(values), meshes["idol_foot_body"]
    panel = holes_at(body, float(values["panel_mm"]) - 0.1)
    assert has_hole(panel, 0, 0, float(values["bush_diameter_mm"]) + 0.3)
    for index in range(int(float(values["encoder_screws"]))):
        angle = math.pi + index * 2 * math.pi / 3
        assert has_hole(panel, 14 * math.cos(angle), -14 * math.sin(angle), 3.3)
    frame = frame_of(body)
    if values["ring_outer_diameter_mm"]:
        surface = slice_at(body, 1.0)
        for radius, solid in ((25.6, 1), (25.9, 0), (33.0, 0), (33.3, 1)):
            assert surface[frame.at(0, radius)] == solid, radius
    rim = slice_at(body, foot.top + foot.inside - 2)
    depth = math.sqrt((foot.radius - 0.6) ** 2 - foot.pico_y**2)
    for aside, solid in ((0, 0), (6.3, 0), (-6.3, 0)):
        assert rim[frame.at(depth, -foot.pico_y + aside)] == solid, aside


@pytest.mark.slow
def test_the_hub_fits_the_shaft_and_the_idol(made: tuple[Values, dict[str, Triangles]]) -> None:
    """A D, as wide as the shaft and its flat with their gap, and a cup for the idol's base."""
    values, meshes = made
    hub, foot = meshes["idol_foot_hub"], derive(values)
    frame, bore = frame_of(hub), slice_at(hub, 2)
    half, flat = float(values["shaft_diameter_mm"]) / 2 + 0.15, float(values["shaft_flat_mm"])
    for x, y, solid in (
        (half - 0.15, 0, 0), (half + 0.15, 0, 1), (0, -half + 0.15, 0), (0, -half - 0.15, 1),
        (0, flat - half + 0.15, 0), (0, flat - half + 0.45, 1),
    ):  # fmt: skip
        assert bore[frame.at(x, y)] == solid, (x, y)
    cup = holes_at(hub, foot.hub_floor + 2)
    assert has_hole(cup, 0, 0, float(values["idol_base_diameter_mm"]) + 0.8)


@pytest.mark.slow
def test_the_bracket_fits_two_switches_and_the_stem(
    made: tuple[Values, dict[str, Triangles]],
) -> None:
    """Both sleeves take a can, the middle takes the stem, and it balances."""
    values, meshes = made
    bracket = meshes["tilt_bracket"]
    stem = float(values["stem_diameter_mm"])
    can = float(values["can_diameter_mm"]) + 0.3
    holes = holes_at(bracket, 1.0)
    assert has_hole(holes, 0, 0, stem + 1)
    distance = stem / 2 + 0.5 + 1.5 + can / 2 + 1.6
    for side in (-1, 1):
        assert has_hole(holes, side * distance, 0, can)
    extent = bracket.max(axis=(0, 1)) - bracket.min(axis=(0, 1))
    assert extent[0] == pytest.approx(length_mm(values), abs=0.01)
    section = np.argwhere(slice_at(bracket, 8.0))
    frame = frame_of(bracket)
    assert section.mean(axis=0) == pytest.approx(frame.at(0, 0), abs=0.6)


def refused_by_openscad(part: Part, values: Values, folder: Path) -> bool:
    """Return whether OpenSCAD's own checks refuse *values*."""
    said = folder / "said.echo"  # what it says while it reads the file, without making a mesh
    run_openscad(part, values, said)
    return "Assertion" in said.read_text()


@pytest.mark.slow
@pytest.mark.usefixtures("openscad")
def test_openscad_refuses_what_the_command_refuses(tmp_path: Path) -> None:
    """Who opens the files in OpenSCAD has the same limits; 200 random sets of measures each."""
    chance, refused = random.Random(336), [0, 0]
    measures = read_measures()
    for _ in range(200):
        values: dict[str, Value] = parse_values(
            [chance.choice(["encoder=ec11", "encoder=optical"])]
        )
        for name in chance.sample(sorted(measures), 6):
            each, default = measures[name], values[name]
            if each.choices:
                values[name] = chance.choice(each.choices)
            elif not isinstance(default, str):
                far = default * chance.uniform(0.6, 1.6) if default else each.most
                values[name] = float(
                    round(min(max(far, each.least), each.most), 0 if each.whole else 2)
                )
        foot = [*encoder_faults(values), *ring_faults(values), *pico_faults(values)]
        foot += bed_faults(values)
        bracket = list(bracket_faults(values))
        assert refused_by_openscad(PARTS[2], values, tmp_path) == bool(foot), (foot, values)
        assert refused_by_openscad(PARTS[3], values, tmp_path) == bool(bracket), (bracket, values)
        refused = [refused[0] + bool(foot), refused[1] + bool(bracket)]
    assert 20 <= refused[0] <= 180
    assert refused[1] >= 5


@pytest.mark.slow
@pytest.mark.usefixtures("openscad")
def test_the_customizers_set_is_what_the_command_makes(tmp_path: Path) -> None:
    """idol_foot.json gives OpenSCAD itself the same optical foot as encoder=optical."""
    run_openscad(PARTS[2], parse_values(["encoder=optical"]), tmp_path / "command.csg")
    subprocess.run(
        [
            find_openscad(), "-q", "-o", tmp_path / "set.csg",
            "-p", PARTS[2].source.with_suffix(".json"), "-P", "optical", "-D", 'part="hub"',
            PARTS[2].source,
        ],
        check=True, timeout=120,
    )  # fmt: skip
    assert (tmp_path / "set.csg").read_text() == (tmp_path / "command.csg").read_text()


def table(height: float, apart: float) -> Triangles:
    """Return a plate of 1 mm on two walls that are *apart*."""
    return np.concatenate(
        [
            box(2, 10, height),
            box(2, 10, height, at=(2 + apart, 0, 0)),
            box(4 + apart, 10, 1, at=(0, 0, height)),
        ]
    )


def test_the_checks_of_meshes_can_fail() -> None:
    """A missing face, a thin plate, a wide bridge, a ledge, a steep face, a hole aside are seen."""
    cube = box(10, 10, 10)
    assert (open_edges(cube), open_edges(cube[1:]), open_edges(cube[:, ::-1])) == (0, 3, 0)
    assert volume_cm3(cube[:, ::-1]) == pytest.approx(-1)
    _, found = thicknesses_mm(box(30, 30, 1), 200, seed=1)
    assert found.min() == pytest.approx(1)
    assert unbridged_mm2(table(5, 8), 5, BRIDGE_MM) == 0
    assert unbridged_mm2(table(5, 14), 5, BRIDGE_MM) > 100
    ledge = np.concatenate([box(2, 10, 5), box(8, 10, 1, at=(0, 0, 5))])
    assert unbridged_mm2(ledge, 5, BRIDGE_MM) > 40
    leaning = box(10, 10, 10)
    leaning[:, :, 0] += leaning[:, :, 2] * math.tan(math.radians(55))
    assert len(steep_faces(leaning, 60)) == 0
    assert len(steep_faces(leaning, 50)) == 2
    assert ceilings_mm(table(5, 8)) == [5.0]
    square = np.concatenate([box(20, 20, 5), box(6, 6, 5, at=(3, 5, 0))[:, ::-1]])
    holes = holes_at(square, 2)
    assert has_hole(holes, 6, 8, 6.77)
    assert not has_hole(holes, 6.3, 8, 6.77)
    assert not has_hole(holes, 6, 8, 6.5)
