"""Patches along shadows: what lies where in them, wherever lamp and camera are."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.test_patches import SHAPE, bare_scene
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
from vision.training.kinds import TACTIKI, TOPPLE
from vision.training.patches import find_pose, grid_of
from vision.training.scenes import projection
from vision.training.shades import ShadeSamples

GRID = grid_of(TACTIKI)
FLOOR = TACTIKI.floor_z
ALL = np.arange(25)
OTHERS_SHADOW, OTHERS, OWN_BODY, OWN_SHADOW, OFF_BOARD = range(MASKS)

azimuths = st.floats(0.0, 2 * math.pi)
elevations = st.floats(math.radians(25), math.radians(75))


def lamp_at(azimuth: float, elevation: float, far: float = 1400.0) -> Points:
    """Return a lamp's place over the middle of the board."""
    way = [
        math.cos(elevation) * math.cos(azimuth),
        math.cos(elevation) * math.sin(azimuth),
        math.sin(elevation),
    ]
    return np.array([*GRID.cell_centres.mean(axis=0), FLOOR]) + far * np.array(way)


def pose_of(seed: int) -> Pose:
    """Return a pose that has the board in view."""
    return find_pose(bare_scene("tactiki", seed, 0), 0.0, np.random.default_rng(7))


def sample(pose: Pose, lamp: Points, heights: np.ndarray, picture: np.ndarray) -> ShadeSamples:
    """Return what all spots of a board would teach."""
    shades = build_shadow_patches(GRID, pose, FLOOR, lamp, heights, ALL)
    masks, marks = (shades.masks * 255).astype(np.uint8), shades.marks.astype(np.float16)
    nothing = np.zeros(len(ALL), np.int64)
    return ShadeSamples(shades.crop(picture), masks, marks, nothing, nothing, nothing)


def draw_shadow(pose: Pose, lamp: Points, spot: int, height: int) -> np.ndarray:
    """Return a white picture with the shadow of one column, which is not there itself."""
    reach = project_tops(GRID, lamp - [0, 0, FLOOR])[spot, height]
    around = np.linspace(0, 2 * math.pi, 60)
    ring = GRID.figure.radius * np.column_stack([np.cos(around), np.sin(around)])
    ends = np.concatenate([ring, ring + reach]) + GRID.cell_centres[spot]
    pixels = pose.project(np.column_stack([ends, np.full(len(ends), FLOOR)]))
    picture = np.full((*SHAPE, 3), 255, np.uint8)
    cv2.fillConvexPoly(picture, cv2.convexHull(pixels.round().astype(np.int32)), (0, 0, 0))
    return picture


@given(azimuths, elevations, st.integers(0, 99), st.integers(0, 24), st.integers(1, TALLEST))
def test_a_shadow_ends_at_its_mark(
    azimuth: float, elevation: float, seed: int, spot: int, height: int
) -> None:
    """Whatever the lamp, a shadow that is drawn ends where its height is marked."""
    pose, lamp = pose_of(seed % 5), lamp_at(azimuth, elevation)
    which = np.array([spot])
    shades = build_shadow_patches(GRID, pose, FLOOR, lamp, np.zeros(25, np.intp), which)
    patch = shades.crop(draw_shadow(pose, lamp, spot, height))[0]
    dark = np.flatnonzero(patch[:, SHADOW_PATCH_COLUMNS // 2].max(axis=1) < 128)
    marked = shades.marks[0, height - 1]
    if not len(dark) or marked.max() < 0.5 or dark[-1] >= SHADOW_PATCH_ROWS - 2:
        return  # the longest shadows of a low lamp leave the patch
    assert dark[-1] / BIN_PX == pytest.approx(int(marked.argmax()), abs=2.5)


@given(azimuths, elevations)
def test_longer_shadows_are_marked_further_out(azimuth: float, elevation: float) -> None:
    """A higher column's mark never comes before a lower one's."""
    zeros = np.zeros(25, np.intp)
    marks = build_shadow_patches(
        GRID, pose_of(0), FLOOR, lamp_at(azimuth, elevation), zeros, ALL
    ).marks
    assert marks.shape == (25, TALLEST, BINS)
    middles = (marks * np.arange(BINS)).sum(axis=2) / np.maximum(marks.sum(axis=2), 1e-9)
    shown = marks.sum(axis=2) > 2.0
    steps = np.diff(middles, axis=1)[shown[:, 1:] & shown[:, :-1]]
    assert (steps > 0).all()


def test_the_own_shadow_grows_with_the_height() -> None:
    """The mask says how high a column must be to darken a place; 1 where none does."""
    shades = build_shadow_patches(
        GRID, pose_of(0), FLOOR, lamp_at(1.0, 0.8), np.zeros(25, np.intp), ALL
    )
    middle = shades.masks[:, OWN_SHADOW, :, shades.masks.shape[3] // 2]
    foot = middle.argmin(axis=1)
    for row, start in zip(middle, foot, strict=True):
        assert row[start] == 0.0
        assert (np.diff(row[start:]) >= 0).all()


def test_a_column_straight_below_the_camera_hides_little_of_others() -> None:
    """It hides a circle, and has no way in which it leans."""
    grid, heights = grid_of(TOPPLE), np.zeros(25, np.intp)
    heights[13] = 4
    (x, y), beside = grid.cell_centres[13], grid.cell_centres[12]
    camera = {"stands": [x, y, 600.0], "aim": [x, y, 0.0], "roll_deg": 0.0}
    lamp = np.array([beside[0] - 800.0, beside[1], 600.0])
    pose = Pose(projection(camera), 0.0)
    masks = build_shadow_patches(grid, pose, 0.0, lamp, heights, np.array([12])).masks
    assert 0.0 < masks[0, OTHERS].mean() < 0.3


def test_a_neighbour_darkens_what_it_stands_before() -> None:
    """Other columns' shadows are masked; the own column's is not among them."""
    lamp = lamp_at(0.0, 0.6)
    heights = np.zeros(25, np.intp)
    heights[13] = 4
    shades = build_shadow_patches(GRID, pose_of(0), FLOOR, lamp, heights, np.array([12, 13]))
    # The lamp stands at the table's right: column 13 shades its left neighbour, 12.
    assert shades.masks[0, OTHERS_SHADOW].mean() > 0.1
    assert shades.masks[1, OTHERS_SHADOW].max() == 0.0
    assert shades.masks[1, OTHERS].max() == 0.0


def test_what_lies_beyond_the_board_is_masked() -> None:
    """A shadow that leaves the board falls lower than the marks say."""
    lamp = lamp_at(0.0, 0.6)
    shades = build_shadow_patches(
        GRID, pose_of(0), FLOOR, lamp, np.zeros(25, np.intp), np.array([10, 14])
    )
    left, right = shades.masks[:, OFF_BOARD]
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


def test_a_lamp_and_an_eye_see_tops_alike() -> None:
    """From the camera, tops seem to be where patches of spots have them."""
    pose = pose_of(1)
    leans = project_tops(GRID, pose.camera - [0, 0, FLOOR])
    tops = GRID.figure.top_mm + GRID.figure.pitch * np.arange(TALLEST)
    for spot in (0, 12, 24):
        for height, top in enumerate(tops, start=1):
            at = pose.project(np.array([[*GRID.cell_centres[spot], FLOOR + top]]))
            seems = pose.project(
                np.array([[*(GRID.cell_centres[spot] + leans[spot, height]), FLOOR]])
            )
            assert at == pytest.approx(seems, abs=1e-6)


@given(azimuths, elevations, st.integers(0, 4))
def test_a_mirrored_sample_is_one_of_a_mirrored_table(
    azimuth: float, elevation: float, seed: int
) -> None:
    """Patch and masks turn together, as if table, lamp and camera stood behind a mirror."""
    random = np.random.default_rng(seed)
    heights = random.integers(0, TALLEST + 1, 25)
    picture = random.integers(0, 256, (*SHAPE, 3)).astype(np.uint8)
    pose, lamp = pose_of(seed), lamp_at(azimuth, elevation)
    behind = np.diag([-1.0, 1.0, 1.0, 1.0])
    behind[0, 3] = 2.0 * GRID.cell_centres[:, 0].mean()
    across = ALL.reshape(5, 5)[:, ::-1].ravel()
    there = sample(
        Pose(pose.projection @ behind, 0.0),
        (behind @ [*lamp, 1.0])[:3],
        heights[across],
        picture,
    ).those(across)
    here = sample(pose, lamp, heights, picture)
    turned = here.mirrored(np.ones(25, np.bool_))
    # A sample on the very edge of a shadow, or half way between two levels, may fall either way.
    assert (turned.masks != there.masks).mean() < 0.002
    assert np.abs(turned.patches.astype(int) - there.patches).mean() < 0.5
    assert (here.masks != there.masks).mean() > 0.01
    half = here.mirrored(ALL % 2 == 0)
    assert (half.patches[1::2] == here.patches[1::2]).all()
    assert (half.masks[::2] == turned.masks[::2]).all()
