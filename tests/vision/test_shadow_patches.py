"""Patches along shadows: what lies where in them, wherever light source and camera are."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rendering.patches import find_pose, grid_of
from rendering.piece_kinds import TACTIKI, TOPPLE
from rendering.scenes import projection
from tests.vision.bare_scenes import SHAPE, bare_scene
from training.shading import ShadeSamples
from vision.columns.cues.shadow_patches import (
    BIN_PX,
    BINS,
    MASKS,
    SHADOW_PATCH_COLUMNS,
    SHADOW_PATCH_ROWS,
    build_shadow_patches,
    is_occluded,
    project_tops,
)
from vision.columns.grid import TALLEST
from vision.geometry.pose import Points, Pose

GRID = grid_of(TACTIKI)
FLOOR = TACTIKI.floor_z
ALL = np.arange(25)
OTHERS_SHADOW, OTHERS, OWN_BODY, OWN_SHADOW, OFF_BOARD = range(MASKS)

azimuths = st.floats(0.0, 2 * math.pi)
elevations = st.floats(math.radians(25), math.radians(75))


def source_at(azimuth: float, elevation: float, far: float = 1400.0) -> Points:
    """Return a light source over the middle of the board."""
    way = [
        math.cos(elevation) * math.cos(azimuth),
        math.cos(elevation) * math.sin(azimuth),
        math.sin(elevation),
    ]
    return np.array([*GRID.cell_centres.mean(axis=0), FLOOR]) + far * np.array(way)


def pose_of(seed: int) -> Pose:
    """Return a pose that has the board in view."""
    return find_pose(bare_scene("tactiki", seed, 0), 0.0, np.random.default_rng(7))


def sample(pose: Pose, source: Points, heights: np.ndarray, picture: np.ndarray) -> ShadeSamples:
    """Return what all spots of a board would teach."""
    patches = build_shadow_patches(GRID, pose, FLOOR, source, heights, ALL)
    masks, marks = (patches.masks * 255).astype(np.uint8), patches.marks.astype(np.float16)
    nothing = np.zeros(len(ALL), np.int64)
    return ShadeSamples(patches.crop(picture), masks, marks, nothing, nothing, nothing)


def draw_shadow(pose: Pose, source: Points, cell: int, height: int) -> np.ndarray:
    """Return a white picture with the shadow of one column, which is not there itself."""
    reach = project_tops(GRID, source - [0, 0, FLOOR])[cell, height]
    around = np.linspace(0, 2 * math.pi, 60)
    ring = GRID.figure.radius * np.column_stack([np.cos(around), np.sin(around)])
    ends = np.concatenate([ring, ring + reach]) + GRID.cell_centres[cell]
    pixels = pose.project(np.column_stack([ends, np.full(len(ends), FLOOR)]))
    picture = np.full((*SHAPE, 3), 255, np.uint8)
    cv2.fillConvexPoly(picture, cv2.convexHull(pixels.round().astype(np.int32)), (0, 0, 0))
    return picture


@given(azimuths, elevations, st.integers(0, 99), st.integers(0, 24), st.integers(1, TALLEST))
def test_a_shadow_ends_at_its_mark(
    azimuth: float, elevation: float, seed: int, cell: int, height: int
) -> None:
    """Whatever the light source, a shadow that is drawn ends where its height is marked."""
    pose, source = pose_of(seed % 5), source_at(azimuth, elevation)
    which = np.array([cell])
    patches = build_shadow_patches(GRID, pose, FLOOR, source, np.zeros(25, np.intp), which)
    patch = patches.crop(draw_shadow(pose, source, cell, height))[0]
    dark = np.flatnonzero(patch[:, SHADOW_PATCH_COLUMNS // 2].max(axis=1) < 128)
    marked = patches.marks[0, height - 1]
    if not len(dark) or marked.max() < 0.5 or dark[-1] >= SHADOW_PATCH_ROWS - 2:
        return  # the longest shadows of a low source leave the patch
    assert dark[-1] / BIN_PX == pytest.approx(int(marked.argmax()), abs=2.5)


@given(azimuths, elevations)
def test_longer_shadows_are_marked_further_out(azimuth: float, elevation: float) -> None:
    """A higher column's mark never comes before a lower one's."""
    zeros = np.zeros(25, np.intp)
    marks = build_shadow_patches(
        GRID, pose_of(0), FLOOR, source_at(azimuth, elevation), zeros, ALL
    ).marks
    assert marks.shape == (25, TALLEST, BINS)
    middles = (marks * np.arange(BINS)).sum(axis=2) / np.maximum(marks.sum(axis=2), 1e-9)
    shown = marks.sum(axis=2) > 2.0
    steps = np.diff(middles, axis=1)[shown[:, 1:] & shown[:, :-1]]
    assert (steps > 0).all()


def test_the_own_shadow_grows_with_the_height() -> None:
    """The mask says how high a column must be to darken a place; 1 where none does."""
    patches = build_shadow_patches(
        GRID, pose_of(0), FLOOR, source_at(1.0, 0.8), np.zeros(25, np.intp), ALL
    )
    middle = patches.masks[:, OWN_SHADOW, :, patches.masks.shape[3] // 2]
    foot = middle.argmin(axis=1)
    for row, start in zip(middle, foot, strict=True):
        assert row[start] == 0.0
        assert (np.diff(row[start:]) >= 0).all()


def test_a_column_straight_below_the_camera_hides_little_of_others() -> None:
    """It occludes a circle, and leans in no direction."""
    grid, heights = grid_of(TOPPLE), np.zeros(25, np.intp)
    heights[13] = 4
    (x, y), beside = grid.cell_centres[13], grid.cell_centres[12]
    camera = {"stands": [x, y, 600.0], "aim": [x, y, 0.0], "roll_deg": 0.0}
    source = np.array([beside[0] - 800.0, beside[1], 600.0])
    pose = Pose(projection(camera), 0.0)
    masks = build_shadow_patches(grid, pose, 0.0, source, heights, np.array([12])).masks
    assert 0.0 < masks[0, OTHERS].mean() < 0.3


def test_a_neighbour_darkens_what_it_stands_before() -> None:
    """Other columns' shadows are masked; the own column's is not among them."""
    source = source_at(0.0, 0.6)
    heights = np.zeros(25, np.intp)
    heights[13] = 4
    patches = build_shadow_patches(GRID, pose_of(0), FLOOR, source, heights, np.array([12, 13]))
    # The source stands at the table's right: column 13 shades its left neighbour, 12.
    assert patches.masks[0, OTHERS_SHADOW].mean() > 0.1
    assert patches.masks[1, OTHERS_SHADOW].max() == 0.0
    assert patches.masks[1, OTHERS].max() == 0.0


def test_what_lies_beyond_the_board_is_masked() -> None:
    """A shadow that leaves the board falls lower than the marks say."""
    source = source_at(0.0, 0.6)
    patches = build_shadow_patches(
        GRID, pose_of(0), FLOOR, source, np.zeros(25, np.intp), np.array([10, 14])
    )
    left, right = patches.masks[:, OFF_BOARD]
    assert left[-1].min() == 1.0, "the far end of the leftmost column's patch"
    assert right.max() == 0.0 or right[-1].max() == 0.0


@given(
    st.tuples(st.floats(-50, 50), st.floats(-50, 50)),
    st.tuples(st.floats(-50, 50), st.floats(-50, 50)),
    st.floats(0, 1),
    st.floats(0, 2 * math.pi),
    st.floats(0.1, 2.0),
)
def test_covered_is_what_lies_near_the_way(
    foot: tuple[float, float],
    reach: tuple[float, float],
    share: float,
    angle: float,
    off: float,
) -> None:
    """A point is covered if, and only if, it lies within the radius of some point of the way."""
    start, way, radius = np.array(foot), np.array(reach), 10.0
    point = start + share * way + off * radius * np.array([math.cos(angle), math.sin(angle)])
    nearest = min(np.linalg.norm(point - start - s * way) for s in np.linspace(0, 1, 400))
    if abs(nearest - radius) > 0.2:
        assert bool(is_occluded(point, start, way, radius)) == (nearest < radius)


def test_a_camera_projects_tops_as_a_light_source_does() -> None:
    """Tops appear where their projections onto the board appear."""
    pose = pose_of(1)
    projected = project_tops(GRID, pose.camera - [0, 0, FLOOR])
    tops = GRID.figure.top_mm + GRID.figure.pitch * np.arange(TALLEST)
    for cell in (0, 12, 24):
        for height, top in enumerate(tops, start=1):
            at = pose.project(np.array([[*GRID.cell_centres[cell], FLOOR + top]]))
            seems = pose.project(
                np.array([[*(GRID.cell_centres[cell] + projected[cell, height]), FLOOR]])
            )
            assert at == pytest.approx(seems, abs=1e-6)


@settings(max_examples=15)
@given(azimuths, elevations, st.integers(0, 4))
def test_a_mirrored_sample_is_one_of_a_mirrored_table(
    azimuth: float, elevation: float, seed: int
) -> None:
    """Patch and masks turn together, as if table, source and camera stood behind a mirror."""
    random = np.random.default_rng(seed)
    heights = random.integers(0, TALLEST + 1, 25)
    picture = random.integers(0, 256, (*SHAPE, 3)).astype(np.uint8)
    pose, source = pose_of(seed), source_at(azimuth, elevation)
    behind = np.diag([-1.0, 1.0, 1.0, 1.0])
    behind[0, 3] = 2.0 * GRID.cell_centres[:, 0].mean()
    across = ALL.reshape(5, 5)[:, ::-1].ravel()
    there = sample(
        Pose(pose.projection @ behind, 0.0),
        (behind @ [*source, 1.0])[:3],
        heights[across],
        picture,
    ).those(across)
    here = sample(pose, source, heights, picture)
    turned = here.mirrored(np.ones(25, np.bool_))
    # A sample on the very edge of a shadow, or half way between two levels, may fall either way.
    assert (turned.masks != there.masks).mean() < 0.002
    assert np.abs(turned.patches.astype(int) - there.patches).mean() < 0.5
    assert (here.masks != there.masks).mean() > 0.01
    half = here.mirrored(ALL % 2 == 0)
    assert (half.patches[1::2] == here.patches[1::2]).all()
    assert (half.masks[::2] == turned.masks[::2]).all()
