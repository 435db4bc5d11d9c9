"""Where the light source is, and what shadows tell of columns."""

import numpy as np
import pytest

from tests.vision.grids import Shot, session_of, shots_of
from vision.capture.frame import Picture
from vision.columns.cues.cast_shadows import OUTLIER_LIKELIHOOD, CastShadows
from vision.columns.grid import TALLEST, StackLayout, parse_stacks
from vision.columns.model import FIGURE_COMPARISON, FIGURE_SHADOWS
from vision.columns.patches import View, ViewBuilder
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.table_view import TableView

SUNNY = "tactiki_sun"
STACKS = ("tactiki_s02", "tactiki_full", SUNNY)


def layout(name: str = SUNNY) -> StackLayout:
    """Return the table of a session, the sunny one unless told."""
    return parse_stacks(session_of(name))


def bare_shadows(name: str = SUNNY) -> CastShadows:
    """Return what has not learned yet where the light source of a session is."""
    stacks = layout(name)
    return CastShadows(stacks, stacks.floor_z, FIGURE_SHADOWS, FIGURE_COMPARISON)


def heights_of(shot: Shot) -> np.ndarray:
    """Return how high the columns truly are (25,)."""
    return np.array([len(cell) for row in shot.truth["cells"] for cell in row])


def view_of(shot: Shot, picture: Picture | None = None, name: str = SUNNY) -> View:
    """Return the board as the camera sees it, or *picture* in its place."""
    stacks = layout(name)
    pose = MarkerTracker(stacks).locate(TableView(shot.frame.picture))
    assert pose is not None
    boards = ViewBuilder(stacks, stacks.floor_z)
    return boards.build(shot.frame.picture if picture is None else picture, pose)


@pytest.fixture(scope="module")
def shadows() -> CastShadows:
    """Return what was learned from the sunny session's calibration picture."""
    learned, known = bare_shadows(), shots_of(SUNNY)[0]
    learned.learn(view_of(known), heights_of(known))
    return learned


@pytest.mark.slow
def test_the_sun_is_found_behind_the_columns(shadows: CastShadows) -> None:
    """It stands 37 degrees high, on the side that the shadows come from.

    How far away it is hardly matters to shadows of a few centimetres.
    """
    (source,) = shadows.light_sources
    way = source.position - np.array([170.0, 170.0, 3.0])
    assert np.degrees(np.arcsin(way[2] / np.linalg.norm(way))) == pytest.approx(37.5, abs=5.0)
    assert np.degrees(np.arctan2(way[1], way[0])) == pytest.approx(-46.0, abs=6.0)


def test_shadows_alone_tell_most_heights(shadows: CastShadows) -> None:
    """Of all columns in the sun, more than four in five; what is sure is right."""
    right = sure = wrong = standing = 0
    for shot in shots_of(SUNNY)[1:]:
        if shot.reading is None:
            continue
        heights = heights_of(shot)
        which = np.flatnonzero(heights)
        told = shadows.estimate(view_of(shot), heights, which, which)
        assert told.shape == (len(which), TALLEST)
        assert told.sum(axis=1) == pytest.approx(np.ones(len(which)))
        hits = told.argmax(axis=1) + 1 == heights[which]
        certain = told.max(axis=1) > 0.95
        right, standing = right + hits.sum(), standing + len(which)
        sure, wrong = sure + certain.sum(), wrong + (certain & ~hits).sum()
    assert right > 0.8 * standing
    assert sure > 0.4 * standing
    assert wrong <= 0.03 * standing


@pytest.mark.slow
def test_sure_columns_show_how_shadows_look() -> None:
    """Heights are told better beside columns of the picture that are known, on the whole."""
    told = np.array([pair for name in STACKS for pair in tell_beside_and_alone(name)])
    assert len(told) > 6
    beside, alone = told.mean(axis=0)
    assert beside > alone + 0.005
    assert beside > -0.5


def tell_beside_and_alone(name: str) -> list[tuple[float, float]]:
    """Return the mean logarithm of the true heights' odds, beside known columns and by themselves.

    For each picture of a session after the first, which teaches.
    """
    shadows, found = bare_shadows(name), []
    for shot in shots_of(name):
        if shot.reading is None:
            continue
        view, heights = view_of(shot, name=name), heights_of(shot)
        if not shadows.light_sources:
            shadows.learn(view, heights)
            continue
        which = np.flatnonzero(heights)
        true = np.arange(len(which)), heights[which] - 1
        beside, alone = (
            float(
                np.log(
                    shadows.estimate(view, heights, which, sure)[true] + OUTLIER_LIKELIHOOD
                ).mean()
            )
            for sure in (which, which[:0])
        )
        found.append((beside, alone))
    return found


@pytest.mark.parametrize("grey", [0, 40, 90, 128, 180, 255])
@pytest.mark.slow
def test_no_light_source_is_learned_from_a_picture_without_shadows(grey: int) -> None:
    """Columns of which nothing is to be seen throw no shadows."""
    blank, known = bare_shadows(), shots_of(SUNNY)[0]
    blank.learn(view_of(known, np.full_like(known.frame.picture, grey)), heights_of(known))
    assert not blank.light_sources


@pytest.mark.slow
def test_false_heights_teach_no_light_source() -> None:
    """Where no light source explains what is said to stand there, none is learned."""
    fooled, known = bare_shadows(), shots_of(SUNNY)[0]
    heights = heights_of(known)
    random = np.random.default_rng(5)
    heights[heights > 0] = random.integers(1, TALLEST + 1, (heights > 0).sum())
    fooled.learn(view_of(known), heights)
    assert not fooled.light_sources


def test_without_a_light_source_all_heights_are_alike() -> None:
    """Shadows that were never learned say nothing."""
    ignorant, shot = bare_shadows(), shots_of(SUNNY)[0]
    told = ignorant.estimate(view_of(shot), heights_of(shot), np.array([0, 3]), np.array([1]))
    assert told == pytest.approx(np.full((2, TALLEST), 1 / TALLEST))
