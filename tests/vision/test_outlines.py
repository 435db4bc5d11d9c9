"""How large tops look, and what that tells of columns."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.grids import Shot, shots_of
from tests.vision.towers import FULL, PICTURE, columns_of, layout, pose_above, view_of
from vision.columns.cues.outlines import (
    ANGLES,
    EVERY,
    INNER,
    OUT,
    OUTER,
    PLACES,
    TURNS,
    Outlines,
    crop_strips,
    fit_circles,
)
from vision.columns.grid import TALLEST
from vision.columns.model import OUTLINES
from vision.training.kinds import TOPPLE
from vision.training.pieces import shape_disc
from vision.training.rings import cut_rings, find_widest
from vision.training.scenes import PICTURE_PX, prepare_folder, random_scene

TRUSTED, DOUBTED = 5.0, -8.0


def told(ends: np.ndarray, trust: np.ndarray) -> np.ndarray:
    """Return what a network says that finds *ends* (rays,) so, and trusts each ray so much."""
    place = (ends - INNER) / (OUTER - INNER) * PLACES - 0.5
    scores = -0.5 * ((np.arange(PLACES) - place[:, None]) / 0.8) ** 2
    return np.stack([scores, np.broadcast_to(trust[:, None], scores.shape)])[None]


def ends_of(x: float, y: float, radius: float) -> np.ndarray:
    """Return where the network's rays leave a circle around (x, y), in radii of a piece."""
    along = x * np.cos(TURNS[::EVERY]) + y * np.sin(TURNS[::EVERY])
    return along + np.sqrt(radius**2 - x**2 - y**2 + along**2)


@given(x=st.floats(-0.25, 0.25), y=st.floats(-0.25, 0.25), radius=st.floats(0.85, 1.15))
def test_a_circle_is_measured_wherever_it_lies(x: float, y: float, radius: float) -> None:
    """To two thousandths, though places are eight times as coarse."""
    circles = fit_circles(told(ends_of(x, y, radius), np.full(ANGLES // EVERY, TRUSTED)))
    assert circles.radii[0] == pytest.approx(radius, abs=2e-3)


def test_rays_without_trust_do_not_count() -> None:
    """A third of them ends at another column; trusted, they would make the top larger."""
    ends, trust = ends_of(0.1, 0.0, 1.0), np.full(ANGLES // EVERY, TRUSTED)
    ends[:8] += 0.2
    deceived = fit_circles(told(ends, trust))
    trust[:8] = DOUBTED
    wary = fit_circles(told(ends, trust))
    assert deceived.radii[0] > 1.03
    assert wary.radii[0] == pytest.approx(1.0, abs=3e-3)
    assert wary.doubts[0] > deceived.doubts[0], "fewer rays tell less"


@pytest.mark.parametrize("top_mm", [8.0, 24.0, 48.0])
def test_strips_begin_and_end_as_far_out_at_any_height(top_mm: float) -> None:
    """A top of a piece's radius ends where rays are one radius long, if its height is known."""
    pose, middle, radius = pose_above(30.0, -20.0, 650.0), np.array([[80.0, 40.0]]), 11.0
    rows, columns = np.indices(PICTURE)
    seen = (
        np.stack([columns, rows, np.ones(PICTURE)], axis=2)
        @ np.linalg.inv(pose.homography(top_mm)).T
    )
    beyond = np.linalg.norm(seen[..., :2] / seen[..., 2:] - middle, axis=2) - radius
    white = np.clip(0.5 - beyond, 0.0, 1.0) * 255
    picture = np.repeat(white.round().astype(np.uint8)[..., None], 3, axis=2)
    strip = crop_strips(picture, pose, middle, np.array([top_mm]), radius)[0, ..., 0]
    ends = (strip / 255.0).sum(axis=1) * (OUT[1] - OUT[0]) + INNER
    assert ends == pytest.approx(np.ones(ANGLES), abs=5e-3)


@pytest.fixture(scope="module")
def outlines() -> Outlines:
    """Return what was learned from the calibration picture."""
    learned = Outlines(layout(), 0.0, OUTLINES)
    known = shots_of(FULL)[0]
    learned.learn(learned.measure(view_of(known), columns_of(known)))
    return learned


def tell_all(outlines: Outlines, shot: Shot, off: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return how likely each height of all columns is, and how high they truly are.

    off: by how many levels they are thought to be higher.
    """
    true = columns_of(shot)
    thought = [replace(each, height=min(max(each.height + off, 1), TALLEST)) for each in true]
    measured = outlines.measure(view_of(shot), thought)
    return outlines.tell(measured), np.array([each.height for each in true])


def share_near(outlines: Outlines, off: int = 0) -> float:
    """Return of how many columns of the settled shots the height told is at most one level off."""
    near = [
        np.abs(told.argmax(axis=1) + 1 - true) <= 1
        for shot in shots_of(FULL)[1:]
        if columns_of(shot)
        for told, true in [tell_all(outlines, shot, off)]
    ]
    return float(np.concatenate(near).mean())


@pytest.mark.parametrize("off", [0, 1])
def test_size_alone_tells_heights_to_a_level(outlines: Outlines, off: int) -> None:
    """Whatever they are thought to be: the size says it, not what was thought."""
    assert share_near(outlines, off) > 0.9


def test_what_is_told_are_odds(outlines: Outlines) -> None:
    """One for each height; none is ruled out by size alone."""
    odds, _ = tell_all(outlines, shots_of(FULL)[1])
    assert odds.shape[1] == TALLEST
    assert odds.sum(axis=1) == pytest.approx(np.ones(len(odds)))
    assert odds.min() > 0.0


def test_larger_discs_look_higher_until_they_are_learned() -> None:
    """An owner's discs may be larger than the layout says: the calibration tells by how much."""
    board, known = layout(), shots_of(FULL)[0]
    said = replace(board, figure=replace(board.figure, radius=board.figure.radius / 1.03))
    bare, learned = (Outlines(said, 0.0, OUTLINES) for _ in range(2))
    view, columns = view_of(known), columns_of(known)
    learned.learn(learned.measure(view, columns))
    ones = bare.measure(view, [column for column in columns if column.height == 1])
    deceived, wiser = (each.tell(ones)[:, 0] for each in (bare, learned))
    assert wiser.mean() > 2.0 * deceived.mean()


def test_nothing_is_measured_of_no_columns() -> None:
    """As when none of a picture's columns is beyond doubt."""
    assert Outlines(layout(), 0.0, OUTLINES).measure(view_of(shots_of(FULL)[0]), []) == []


def test_outlines_say_where_tops_lie(outlines: Outlines) -> None:
    """Most to half a pixel, whether they are thought to be a level higher or not."""
    view, columns = view_of(shots_of(FULL)[1]), columns_of(shots_of(FULL)[1])
    higher = [replace(each, height=each.height + 1) for each in columns]
    apart = []
    for one, other in zip(
        *(outlines.measure(view, each) for each in (columns, higher)), strict=True
    ):
        pixels = []
        for found in (one, other):
            top_mm = layout().figure.rise_mm(found.column.height)
            pixels.append(view.pose.project(np.array([[*found.middle_mm, top_mm]]))[0])
        apart.append(np.linalg.norm(pixels[0] - pixels[1]))
    assert np.median(apart) < 0.5


def test_samples_end_on_the_circle_that_they_say(tmp_path: Path) -> None:
    """The circle through a sample's ends is as large as the sample says it is."""
    prepare_folder(tmp_path, TOPPLE)
    scene = random_scene(np.random.default_rng(4), TOPPLE, tmp_path, "0000")
    scene["hand"] = None
    cv2.imwrite(str(tmp_path / "0000.png"), np.full((*PICTURE_PX[::-1], 3), 90, np.uint8))
    rings = cut_rings(scene, tmp_path / "0000.png")
    assert rings is not None
    trust = np.full(ANGLES // EVERY, TRUSTED)
    found = [fit_circles(told(ends[::EVERY], trust)).radii[0] for ends in rings.ends]
    assert found == pytest.approx(list(rings.radii), rel=8e-3)


def test_the_widest_ring_of_a_disc_is_its_side() -> None:
    """Up to where its edge is rounded off."""
    looks = {"bevel": 1.5, "groove": 0.0, "rim": 0.8, "body": (0.5, 0.5, 0.5)}
    assert max(radius for radius, *_ in shape_disc(looks)) == TOPPLE.radius
    assert find_widest(looks) == (TOPPLE.radius, TOPPLE.height - 1.5)
