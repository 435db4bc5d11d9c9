"""The apparent size of tops, and the heights of columns estimated from it."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.piece_kinds import TOPPLE
from rendering.pieces import shape_disc
from rendering.scenes import PICTURE_PX, prepare_folder, random_scene
from tests.vision.grids import Shot, shots_of
from tests.vision.towers import FULL, PICTURE, columns_of, layout, pose_above, view_of
from training.rings import cut_rings, find_widest
from vision.columns.cues.outlines import (
    INNER_RADII,
    OUTER_RADII,
    RAY_ANGLES_RAD,
    RAY_STRIDE,
    RAYS,
    SAMPLE_RADII,
    SAMPLES_PER_RAY,
    Outlines,
    crop_polar_patches,
    fit_circles,
)
from vision.columns.grid import TALLEST
from vision.columns.model import OUTLINES

PRECISE, IMPRECISE = 5.0, -8.0


def outputs_for(ends: np.ndarray, precisions: np.ndarray) -> np.ndarray:
    """Return the outputs of a network that localises *ends* (rays,) with these precisions."""
    sample = (ends - INNER_RADII) / (OUTER_RADII - INNER_RADII) * SAMPLES_PER_RAY - 0.5
    scores = -0.5 * ((np.arange(SAMPLES_PER_RAY) - sample[:, None]) / 0.8) ** 2
    return np.stack([scores, np.broadcast_to(precisions[:, None], scores.shape)])[None]


def ends_of(x: float, y: float, radius: float) -> np.ndarray:
    """Return where the network's rays leave a circle around (x, y), in radii of a piece."""
    along = x * np.cos(RAY_ANGLES_RAD[::RAY_STRIDE]) + y * np.sin(RAY_ANGLES_RAD[::RAY_STRIDE])
    return along + np.sqrt(radius**2 - x**2 - y**2 + along**2)


@given(x=st.floats(-0.25, 0.25), y=st.floats(-0.25, 0.25), radius=st.floats(0.85, 1.15))
def test_a_circle_is_fitted_wherever_it_lies(x: float, y: float, radius: float) -> None:
    """To two thousandths of a radius, though samples are eight times as coarse."""
    circles = fit_circles(outputs_for(ends_of(x, y, radius), np.full(RAYS // RAY_STRIDE, PRECISE)))
    assert circles.radii[0] == pytest.approx(radius, abs=2e-3)


def test_imprecise_rays_do_not_count() -> None:
    """A third of them ends at another column; if precise, they would make the top larger."""
    ends, precisions = ends_of(0.1, 0.0, 1.0), np.full(RAYS // RAY_STRIDE, PRECISE)
    ends[:8] += 0.2
    misled = fit_circles(outputs_for(ends, precisions))
    precisions[:8] = IMPRECISE
    robust = fit_circles(outputs_for(ends, precisions))
    assert misled.radii[0] > 1.03
    assert robust.radii[0] == pytest.approx(1.0, abs=3e-3)
    assert robust.sigmas[0] > misled.sigmas[0], "fewer rays are less precise"


@pytest.mark.parametrize("top_mm", [8.0, 24.0, 48.0])
def test_polar_patches_have_the_same_scale_at_any_height(top_mm: float) -> None:
    """A top of a piece's radius ends one radius from the centre, if its height is known."""
    pose, middle, radius = pose_above(30.0, -20.0, 650.0), np.array([[80.0, 40.0]]), 11.0
    rows, columns = np.indices(PICTURE)
    seen = (
        np.stack([columns, rows, np.ones(PICTURE)], axis=2)
        @ np.linalg.inv(pose.homography(top_mm)).T
    )
    beyond = np.linalg.norm(seen[..., :2] / seen[..., 2:] - middle, axis=2) - radius
    white = np.clip(0.5 - beyond, 0.0, 1.0) * 255
    picture = np.repeat(white.round().astype(np.uint8)[..., None], 3, axis=2)
    patch = crop_polar_patches(picture, pose, middle, np.array([top_mm]), radius)[0, ..., 0]
    ends = (patch / 255.0).sum(axis=1) * (SAMPLE_RADII[1] - SAMPLE_RADII[0])
    assert ends + INNER_RADII == pytest.approx(np.ones(RAYS), abs=5e-3)


@pytest.fixture(scope="module")
def outlines() -> Outlines:
    """Return the cue after the calibration picture."""
    learned = Outlines(layout(), 0.0, OUTLINES)
    known = shots_of(FULL)[0]
    learned.learn(learned.measure(view_of(known), columns_of(known)))
    return learned


def estimate_all(outlines: Outlines, shot: Shot, off: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return the likelihoods of all columns' heights, and their true heights.

    off: error of the assumed heights in levels.
    """
    true = columns_of(shot)
    assumed = [replace(each, height=min(max(each.height + off, 1), TALLEST)) for each in true]
    measured = outlines.measure(view_of(shot), assumed)
    return outlines.estimate(measured), np.array([each.height for each in true])


def share_near(outlines: Outlines, off: int = 0) -> float:
    """Return the share of columns of the settled shots with an error of at most one level."""
    near = [
        np.abs(likely.argmax(axis=1) + 1 - true) <= 1
        for shot in shots_of(FULL)[1:]
        if columns_of(shot)
        for likely, true in [estimate_all(outlines, shot, off)]
    ]
    return float(np.concatenate(near).mean())


@pytest.mark.parametrize("off", [0, 1])
def test_size_alone_gives_heights_to_a_level(outlines: Outlines, off: int) -> None:
    """Whatever height is assumed."""
    assert share_near(outlines, off) > 0.9


def test_likelihoods_are_normalised(outlines: Outlines) -> None:
    """One for each height; size alone rules none out."""
    likely, _ = estimate_all(outlines, shots_of(FULL)[1])
    assert likely.shape[1] == TALLEST
    assert likely.sum(axis=1) == pytest.approx(np.ones(len(likely)))
    assert likely.min() > 0.0


def test_larger_discs_look_higher_until_calibrated() -> None:
    """An owner's discs may be larger than the layout says: calibration finds by how much."""
    board, known = layout(), shots_of(FULL)[0]
    said = replace(board, figure=replace(board.figure, radius=board.figure.radius / 1.03))
    uncalibrated, calibrated = (Outlines(said, 0.0, OUTLINES) for _ in range(2))
    view, columns = view_of(known), columns_of(known)
    calibrated.learn(calibrated.measure(view, columns))
    ones = uncalibrated.measure(view, [column for column in columns if column.height == 1])
    misled, corrected = (each.estimate(ones)[:, 0] for each in (uncalibrated, calibrated))
    assert corrected.mean() > 2.0 * misled.mean()


def test_nothing_is_measured_of_no_columns() -> None:
    """As when none of a picture's columns is certain."""
    assert Outlines(layout(), 0.0, OUTLINES).measure(view_of(shots_of(FULL)[0]), []) == []


def test_outlines_locate_tops(outlines: Outlines) -> None:
    """Most to half a pixel, whether they are assumed to be a level higher or not."""
    view, columns = view_of(shots_of(FULL)[1]), columns_of(shots_of(FULL)[1])
    higher = [replace(each, height=each.height + 1) for each in columns]
    apart = []
    for one, other in zip(
        *(outlines.measure(view, each) for each in (columns, higher)), strict=True
    ):
        pixels = []
        for found in (one, other):
            top_mm = layout().figure.rise_mm(found.column.height)
            pixels.append(view.pose.project(np.array([[*found.centre_mm, top_mm]]))[0])
        apart.append(np.linalg.norm(pixels[0] - pixels[1]))
    assert np.median(apart) < 0.5


def test_training_samples_end_on_their_circle(tmp_path: Path) -> None:
    """The circle through a sample's ends has the radius that the sample states."""
    prepare_folder(tmp_path, TOPPLE)
    scene = random_scene(np.random.default_rng(4), TOPPLE, tmp_path, "0000")
    scene["hand"] = None
    cv2.imwrite(str(tmp_path / "0000.png"), np.full((*PICTURE_PX[::-1], 3), 90, np.uint8))
    rings = cut_rings(scene, tmp_path / "0000.png")
    assert rings is not None
    precisions = np.full(RAYS // RAY_STRIDE, PRECISE)
    found = [
        fit_circles(outputs_for(ends[::RAY_STRIDE], precisions)).radii[0] for ends in rings.ends
    ]
    assert found == pytest.approx(list(rings.radii), rel=8e-3)


def test_the_widest_ring_of_a_disc_is_its_side() -> None:
    """Up to where its edge is rounded off."""
    looks = {"bevel": 1.5, "groove": 0.0, "rim": 0.8, "body": (0.5, 0.5, 0.5)}
    assert max(radius for radius, *_ in shape_disc(looks)) == TOPPLE.radius
    assert find_widest(looks) == (TOPPLE.radius, TOPPLE.height - 1.5)
