"""Heights by the relief of tops: of drawn ones, and of a recorded tower."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.grids import Shot, shots_of
from tests.vision.towers import FULL, columns_of, layout, view_of
from vision.columns.cues.outlines import Outlines, TopOutline
from vision.columns.cues.relief import (
    ERROR_MODEL,
    MIN_KNOWN_TOPS,
    Relief,
    ReliefTemplate,
    TopPatches,
    build_template,
    measure_height_errors,
    normalise,
    register,
)
from vision.columns.cues.robust_statistics import fit_student_t
from vision.columns.cues.rotation_search import RADIUS_PX, TEMPLATE_PX
from vision.columns.grid import TALLEST
from vision.columns.model import OUTLINES
from vision.columns.patches import View
from vision.columns.tower_reader import TowerReader

FROM_ABOVE = np.zeros(2)
COLOURS = np.array([[40.0, 60.0, 200.0], [180.0, 110.0, 60.0], [60.0, 150.0, 60.0]])
LEVELS = 80.0
"""Levels from a typical top to the camera: one more makes it larger by 1/80."""


def draw_top(
    scale: float = 1.0,
    at_px: tuple[float, float] = (0.0, 0.0),
    colour: int = 0,
    noise: float = 0.0,
    glow: float = 1.0,
) -> TopPatches:
    """Return a single top with a raised rim that is lit from one side.

    at_px: its translation.  noise: in levels.  glow: brightness of the light.
    """
    down, across = np.indices((TEMPLATE_PX, TEMPLATE_PX)) - (TEMPLATE_PX - 1) / 2.0
    across, down = (across - at_px[0]) / scale, (down - at_px[1]) / scale
    out = np.hypot(across, down) / RADIUS_PX
    lit = np.cos(np.arctan2(down, across) - 0.8)
    inner, outer = (np.exp(-0.5 * ((out - at) / 0.05) ** 2) for at in (0.75, 0.95))
    shade = 1.0 + 0.15 * lit * (inner - outer) + 0.002 * across
    seen = glow * shade[..., None] * COLOURS[colour]
    seen = np.where(out[..., None] < 1.03, seen, 30.0)
    seen = seen + noise * np.random.default_rng(7).standard_normal(seen.shape)
    picture = np.clip(seen.round(), 0, 255).astype(np.uint8)
    features = np.concatenate([FROM_ABOVE, np.eye(len(COLOURS))[colour]])
    return TopPatches(picture[None], np.array([3]), np.array([LEVELS]), features[None])


def gather(*all_tops: TopPatches) -> TopPatches:
    """Return *all_tops* as one."""
    each = [(tops.patches, tops.heights, tops.levels_to_camera, tops.features) for tops in all_tops]
    return TopPatches(*(np.concatenate(part) for part in zip(*each, strict=True)))


@cache
def learn_template() -> ReliefTemplate:
    """Return the template of six tops of three colours with small translations."""
    places = [(0.0, 0.0), (2.0, -1.5), (-1.0, 2.5), (1.5, 1.5), (-2.0, -1.0), (0.5, 3.0)]
    tops = [draw_top(at_px=at, colour=each % 3) for each, at in enumerate(places)]
    return build_template(gather(*tops))


@pytest.mark.parametrize(("scale", "glow"), [(0.975, 0.6), (1.0, 1.0), (1.0125, 1.15), (1.04, 0.6)])
def test_the_scale_is_found_in_any_light(scale: float, glow: float) -> None:
    """To an eighth of a level, at any place, in any colour."""
    template = learn_template()
    aligned = template.register(draw_top(scale, (2.0, -3.0), colour=2, glow=glow, noise=2.0))
    middle = template.register(draw_top()).translations_px
    assert aligned.scales == pytest.approx([scale], abs=0.125 / LEVELS)
    assert aligned.translations_px - middle == pytest.approx(np.array([[2.0, -3.0]]), abs=0.2)


def test_tops_are_registered_independently() -> None:
    """Others that are registered at once change nothing."""
    template = learn_template()
    tops = [draw_top(1.03, (2.0, -3.0)), draw_top(0.98, (-9.0, 9.0), colour=1, noise=9.0)]
    together = template.register(gather(*tops))
    for at, top in enumerate(tops):
        alone = template.register(top)
        assert together.scales[at] == pytest.approx(alone.scales[0], abs=1e-4)
        assert together.sigmas[at] == pytest.approx(alone.sigmas[0], rel=0.01)
        assert together.translations_px[at] == pytest.approx(alone.translations_px[0], abs=0.01)


def test_noise_raises_the_standard_deviation() -> None:
    """Ten times the noise, several times the standard deviation."""
    template = learn_template()
    clear, noisy = (template.register(draw_top(noise=noise)).sigmas for noise in (1.0, 10.0))
    assert noisy > 3.0 * clear


def test_a_fixed_scale_stays_one() -> None:
    """Then only the translation is found."""
    template, top = learn_template(), draw_top(1.03, (0.5, 1.0))
    expected = template.predict(top.features)
    aligned, middle = (
        register(expected, each, template.weights, fixed_scale=True)
        for each in (top, draw_top(1.03))
    )
    assert (aligned.scales.item(), aligned.sigmas.item()) == (1.0, 0.0)
    assert aligned.translations_px - middle.translations_px == pytest.approx(
        np.array([[0.5, 1.0]]), abs=0.3
    )


def test_a_glint_does_not_count() -> None:
    """It leaves the scale as it is, to a quarter of a level."""
    top = draw_top(1.0125, noise=1.0)
    patches = top.patches.copy()
    patches[:, 20:28, 40:50] = 255
    aligned = learn_template().register(replace(top, patches=patches))
    assert aligned.scales == pytest.approx([1.0125], abs=0.25 / LEVELS)


def test_height_errors_are_limited() -> None:
    """Even of a patch that shows no top."""
    nothing = (
        np.random.default_rng(1).integers(0, 255, (TEMPLATE_PX, TEMPLATE_PX, 3)).astype(np.uint8)
    )
    top = replace(draw_top(), patches=nothing[None])
    assert abs(measure_height_errors(learn_template().register(top), top)) <= TALLEST


def test_black_tops_give_finite_numbers() -> None:
    """As outside of the picture."""
    black = replace(draw_top(), patches=np.zeros((1, TEMPLATE_PX, TEMPLATE_PX, 3), np.uint8))
    assert np.isfinite(measure_height_errors(learn_template().register(black), black))
    assert np.all(
        np.isfinite(build_template(gather(*[black] * MIN_KNOWN_TOPS)).predict(black.features))
    )


@settings(max_examples=15)
@given(gain=st.floats(0.2, 5.0), shade=st.floats(-1.0, 1.0))
def test_shading_and_contrast_are_removed(gain: float, shade: float) -> None:
    """They depend on the light, not on the relief."""
    template, place = learn_template(), draw_top().warp(np.ones(1), np.zeros((1, 2)))
    lit = np.asarray(gain * place + shade, np.float32)
    seen, plain = (normalise(each, template.weights) for each in (lit, place))
    assert seen == pytest.approx(plain, abs=5e-3)


def test_scattered_known_errors_leave_heights_uncertain() -> None:
    """As of smooth pieces, or of pieces that differ."""
    alike, scattered = np.array([0.1, -0.1, 0.05, 0.0] * 3), np.array([2.0, -1.5, 1.0, -2.5] * 3)
    measured, sigmas = np.array([3.0]), np.array([0.02])
    certain, uncertain = (
        ERROR_MODEL.likelihoods(measured, sigmas, errors)[0] for errors in (alike, scattered)
    )
    assert certain.argmax() == uncertain.argmax() == 2
    assert certain.max() > 0.9
    assert uncertain.max() < 0.5


@given(
    errors=st.lists(st.floats(-6.0, 6.0), max_size=30),
    height=st.floats(-6.0, 14.0),
    sigma=st.floats(0.0, 5.0),
)
def test_likelihoods_are_normalised(errors: list[float], height: float, sigma: float) -> None:
    """Whatever the errors of known tops; no height is ruled out."""
    likely = ERROR_MODEL.likelihoods(np.array([height]), np.array([sigma]), np.array(errors))
    assert likely.sum() == pytest.approx(1.0)
    assert likely.min() > 0.0


def test_location_and_scale_are_robust() -> None:
    """An outlier counts little."""
    location, scale = fit_student_t(np.array([0.5, 0.6, 0.4, 0.5, 0.55, 0.45, 0.5, 0.5, -6.0]))
    assert location == pytest.approx(0.42, abs=0.08)
    assert scale < 1.5
    assert fit_student_t(np.zeros(0))[0] == 0.0


@pytest.fixture(scope="module")
def outlines() -> Outlines:
    """Return the cue that locates tops."""
    return Outlines(layout(), 0.0, OUTLINES)


@pytest.fixture(scope="module")
def relief(outlines: Outlines) -> Relief:
    """Return the cue after the calibration picture."""
    learned, known = Relief(layout(), 0.0), shots_of(FULL)[0]
    learned.learn(view_of(known), outlines.measure(view_of(known), columns_of(known)))
    return learned


def list_errors(relief: Relief, outlines: Outlines, shot: Shot, off: int) -> np.ndarray:
    """Return the errors of the estimated heights in levels, if assumed heights have error *off*.

    Every other column of the picture is known.
    """
    view, columns, errors = view_of(shot), columns_of(shot), []
    for start in range(2):
        asked, known = columns[start::2], columns[1 - start :: 2]
        assumed = [replace(c, height=min(max(c.height + off, 1), TALLEST)) for c in asked]
        likely = relief.estimate(
            view, outlines.measure(view, assumed), outlines.measure(view, known)
        )
        errors += [row.argmax() + 1 - c.height for row, c in zip(likely, asked, strict=True)]
    return np.array(errors)


@pytest.mark.parametrize("off", [-1, 0, 1])
@pytest.mark.slow(keep=["-1"])
def test_relief_alone_gives_heights(relief: Relief, outlines: Outlines, off: int) -> None:
    """Two of three exactly, nearly all to a level, whatever heights are assumed."""
    shots = [shot for shot in shots_of(FULL)[1:] if shot.reading and columns_of(shot)]
    errors = np.concatenate([list_errors(relief, outlines, shot, off) for shot in shots])
    assert np.mean(errors == 0) > 0.6
    assert np.mean(np.abs(errors) <= 1) > 0.9


def test_too_few_known_tops_give_even_likelihoods(outlines: Outlines) -> None:
    """The errors of fewer than four tops are unknown."""
    view, columns = view_of(shots_of(FULL)[0]), columns_of(shots_of(FULL)[0])
    measured = outlines.measure(view, columns)
    few, enough = Relief(layout(), 0.0), Relief(layout(), 0.0)
    few.learn(view, measured[: MIN_KNOWN_TOPS - 1])
    enough.learn(view, measured[: MIN_KNOWN_TOPS + 2])
    nothing = np.full((2, TALLEST), 1.0 / TALLEST)
    assert few.estimate(view, measured[:2], []) == pytest.approx(nothing)
    few.learn(view, [])
    assert few.estimate(view, measured[:2], []) == pytest.approx(nothing)
    assert enough.estimate(view, measured[:2], []) != pytest.approx(nothing)


@pytest.mark.slow
def test_no_uncertain_column_is_its_own_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """The columns that extend the template are certain, and others than those to be estimated."""
    estimate, counts = Relief.estimate, []

    def check(
        self: Relief, view: View, uncertain: Sequence[TopOutline], certain: Sequence[TopOutline]
    ) -> np.ndarray:
        counts.append(len(certain))
        spots = [{outline.column.cell for outline in each} for each in (uncertain, certain)]
        assert spots[0].isdisjoint(spots[1])
        return estimate(self, view, uncertain, certain)

    monkeypatch.setattr(Relief, "estimate", check)
    first, *others = shots_of(FULL)
    reader = TowerReader(layout())
    reader.calibrate(first.frame, first.truth)
    for shot in others:
        reader.read(shot.frame)
    assert max(counts) > MIN_KNOWN_TOPS
