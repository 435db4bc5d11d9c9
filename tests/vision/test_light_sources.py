"""Where light sources are, by where columns leave a board dark."""

import tracemalloc
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.vision.lit_boards import Light, draw, heights, look
from tests.vision.towers import PICTURE, layout
from vision.capture.frame import Picture
from vision.columns.cues.board_illumination import (
    BoardBrightness,
    measure_brightness,
)
from vision.columns.cues.light_sources import (
    AZIMUTHS_DEG,
    ELEVATIONS_DEG,
    MIN_RESIDUAL_REDUCTION,
    SOURCE_SIZES,
    LightDirection,
    RobustFit,
    find_light_sources,
)

PLAIN = Light(75.0, 50.0)
"""What shines in most tests."""
_drawn = cache(draw)


def plain() -> Picture:
    """Return a board in that light, to be altered."""
    return _drawn(PLAIN).copy()


def measure_board(picture: Picture) -> BoardBrightness:
    """Return the brightness of a drawn board beside its columns."""
    return measure_brightness(layout(), look(picture), 0.0, heights())


def find(picture: Picture) -> list[LightDirection]:
    """Return the light sources that are found over a drawn board."""
    return find_light_sources(layout(), look(picture), 0.0, heights())


def test_the_search_takes_little_more_memory_than_all_shadows() -> None:
    """A computer with 1 GB plays too: five copies of them were over 300 MB."""
    picture = plain()
    shadows = 8 * len(SOURCE_SIZES) * len(AZIMUTHS_DEG) * len(ELEVATIONS_DEG)
    shadows *= len(measure_board(picture).points)
    tracemalloc.start()
    try:
        find(picture)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * shadows


@settings(max_examples=8)
@given(azimuth=st.floats(0, 360), elevation=st.floats(24, 72), wide=st.sampled_from([0.0, 8.0]))
@pytest.mark.slow
def test_a_light_source_is_found_wherever_it_stands(
    azimuth: float, elevation: float, wide: float
) -> None:
    """To twelve degrees, sharp or soft; shadows then say more exactly. It is the only one."""
    assume(elevation - wide >= min(ELEVATIONS_DEG))
    source = Light(azimuth, elevation, wide_deg=wide)
    (found,) = find(draw(source))
    assert source.is_near(found)


@pytest.mark.parametrize("azimuth", [165.0, 175.0, 183.5])
@pytest.mark.slow(keep=["165"])
def test_a_light_source_along_a_row_is_found(azimuth: float) -> None:
    """Shadows that fall on other columns tell little: only the last one's is to be seen."""
    source = Light(azimuth, 25.0)
    (found,) = find(draw(source))
    assert source.is_near(found)


@pytest.mark.slow
def test_two_light_sources_are_found_the_plainer_one_first() -> None:
    """What the first explains does not hide the second."""
    bright, dim = Light(40.0, 45.0), Light(190.0, 35.0, strength=0.4)
    one, other = find(draw(bright, dim))
    assert bright.is_near(one)
    assert dim.is_near(other)


def test_a_faint_lamp_that_puts_another_right_is_found() -> None:
    """Each alone explains less than grain may, but both are seen once both are placed."""
    bright, dim = Light(17.351, 55.351, wide_deg=8.0), Light(67.368, 34.784, strength=0.36)
    one, other = find(draw(bright, dim, ambient=0.8, grain=0.2))
    assert bright.is_near(one)
    assert dim.is_near(other)


def test_a_light_source_of_all_sides_is_none() -> None:
    """An evenly lit board, printed spots and all, has no shadows."""
    assert find(draw(ambient=1.0)) == []


@pytest.mark.parametrize("grain", [0.05, 0.15])
@pytest.mark.slow
def test_the_grain_of_wood_is_no_shadow(grain: float) -> None:
    """Stripes of a board are not taken for light sources, nor do they hide one."""
    assert find(draw(ambient=1.0, grain=grain)) == []
    source = Light(75.0, 50.0)
    assert source.is_near(find(draw(source, grain=grain))[0])


@pytest.mark.parametrize("grey", [0, 128])
def test_nothing_is_found_where_nothing_is_seen(grey: int) -> None:
    """Nor is anything divided by nothing."""
    assert find(np.full((*PICTURE, 3), grey, np.uint8)) == []


def test_without_columns_there_are_no_shadows() -> None:
    """However plain they are: nobody knows what throws them."""
    view = look(plain())
    assert find_light_sources(layout(), view, 0.0, np.zeros(25, np.intp)) == []


def test_colours_that_are_overexposed_are_not_looked_at() -> None:
    """Where red is as bright as can be, blue still tells."""
    picture = plain()
    picture[..., 2] = 255
    assert PLAIN.is_near(find(picture)[0])
    assert len(measure_board(picture).points) > 1000
    picture[:] = 255
    assert len(measure_board(picture).points) == 0


def test_columns_and_markers_are_left_out() -> None:
    """Neither what stands on the board nor what its corners carry is measured."""
    grid = layout()
    board = measure_board(plain())
    standing = grid.cell_centres[heights() > 0]
    apart = np.linalg.norm(board.points[:, None] - standing, axis=2)
    assert apart.min() >= grid.figure.radius
    low, high = (
        grid.cell_centres[0] - grid.figure.radius,
        grid.cell_centres[-1] + grid.figure.radius,
    )
    assert not ((board.points < low) | (board.points > high)).all(axis=1).any()


def test_only_what_is_darker_is_explained() -> None:
    """A place that a light source does not reach is not brighter for it."""
    random = np.random.default_rng(1)
    dark = (random.random((1, 400)) < 0.3).astype(np.float64)
    noise, even = random.normal(0.0, 0.1, 400), np.ones((400, 1))
    (darker,) = RobustFit(noise - dark[0], even).measure_reductions(dark)
    (brighter,) = RobustFit(noise + dark[0], even).measure_reductions(dark)
    assert darker > MIN_RESIDUAL_REDUCTION
    assert brighter == 0.0


def test_a_few_odd_places_do_not_count() -> None:
    """A black crumb in what would be a shadow is none."""
    random = np.random.default_rng(2)
    dark = np.zeros((1, 400))
    dark[0, :40] = 1.0
    brightness = random.normal(0.0, 0.1, 400)
    brightness[:3] -= 4.0
    assert (
        RobustFit(brightness, np.ones((400, 1))).measure_reductions(dark)[0]
        < MIN_RESIDUAL_REDUCTION
    )


def test_only_the_board_is_looked_at() -> None:
    """Whatever lies beside it, the brightness is the same, to the last digit."""
    picture = plain()
    board = measure_board(picture)
    left, top, right, bottom = layout().edges
    ends = look(picture).pose.project(np.array([[left, top, 0.0], [right, bottom, 0.0]]))
    (x, y), (far_x, far_y) = (np.sort(ends, axis=0) + np.array([[-8], [8]])).astype(int)
    other = np.random.default_rng(3).integers(0, 256, picture.shape, np.uint8)
    other[y : far_y + 1, x : far_x + 1] = picture[y : far_y + 1, x : far_x + 1]
    again = measure_board(other)
    assert np.array_equal(again.points, board.points)
    assert np.array_equal(again.log_brightness, board.log_brightness)
    other[y + 60 : far_y - 60, x + 60 : far_x - 60] = 90
    assert not np.array_equal(measure_board(other).log_brightness, board.log_brightness)


def test_a_board_beyond_the_picture_shows_nothing() -> None:
    """Nor is anything asked of pixels that are not there."""
    view = look(plain())
    small = replace(view, picture=view.picture[:40, :40])
    assert len(measure_brightness(layout(), small, 0.0, heights()).points) == 0
