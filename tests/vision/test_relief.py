"""What the relief of tops says of heights: of their own making, and of a recorded tower."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.grids import Shot, shots_of
from tests.vision.towers import FULL, columns_of, layout, view_of
from vision.columns.cues.outlines import Outline, Outlines
from vision.columns.cues.relief import (
    FAITH,
    FEWEST,
    Mould,
    Relief,
    Tops,
    find_usual,
    lay,
    lay_over,
    look_nearer,
    normalise,
)
from vision.columns.cues.rotation_search import RADIUS_PX, TEMPLATE_PX
from vision.columns.grid import TALLEST
from vision.columns.model import OUTLINES
from vision.columns.patches import View
from vision.columns.tower_reader import TowerReader

FROM_ABOVE = np.zeros(2)
PAINTS = np.array([[40.0, 60.0, 200.0], [180.0, 110.0, 60.0], [60.0, 150.0, 60.0]])
LEVELS = 80.0
"""How many levels below the camera a top usually is: one more makes it larger by 1/80."""


def draw_top(
    scale: float = 1.0,
    at_px: tuple[float, float] = (0.0, 0.0),
    paint: int = 0,
    rim: float = 0.15,
    noise: float = 0.0,
    glow: float = 1.0,
) -> Tops:
    """Return a single top with a raised rim that a lamp lights from one side.

    scale, at_px: how large it is, and where.  rim: how strongly it shows.  noise: in levels.
    glow: how bright the lamp is.
    """
    down, across = np.indices((TEMPLATE_PX, TEMPLATE_PX)) - (TEMPLATE_PX - 1) / 2.0
    across, down = (across - at_px[0]) / scale, (down - at_px[1]) / scale
    out = np.hypot(across, down) / RADIUS_PX
    lit = np.cos(np.arctan2(down, across) - 0.8)
    inner, outer = (np.exp(-0.5 * ((out - at) / 0.05) ** 2) for at in (0.75, 0.95))
    shade = 1.0 + rim * lit * (inner - outer) + 0.002 * across
    seen = glow * shade[..., None] * PAINTS[paint]
    seen = np.where(out[..., None] < 1.03, seen, 30.0)
    seen = seen + noise * np.random.default_rng(7).standard_normal(seen.shape)
    picture = np.clip(seen.round(), 0, 255).astype(np.uint8)
    features = np.concatenate([FROM_ABOVE, np.eye(len(PAINTS))[paint]])
    return Tops(picture[None], np.array([3]), np.array([LEVELS]), features[None])


def gather(*all_tops: Tops) -> Tops:
    """Return *all_tops* as one."""
    each = [(tops.pictures, tops.heights, tops.levels, tops.features) for tops in all_tops]
    return Tops(*(np.concatenate(part) for part in zip(*each, strict=True)))


def learn_mould(rim: float = 0.15, noise: float = 0.0) -> Mould:
    """Return what six tops of three paints look like that lie a little aside."""
    places = [(0.0, 0.0), (2.0, -1.5), (-1.0, 2.5), (1.5, 1.5), (-2.0, -1.0), (0.5, 3.0)]
    tops = [
        draw_top(at_px=at, paint=each % 3, rim=rim, noise=noise) for each, at in enumerate(places)
    ]
    return lay_over(gather(*tops))


@pytest.mark.parametrize("glow", [0.6, 1.0, 1.15])
@pytest.mark.parametrize("scale", [0.975, 1.0, 1.0125, 1.04])
def test_the_size_is_found_in_any_light(scale: float, glow: float) -> None:
    """To an eighth of a level, wherever it lies, whatever its paint."""
    mould = learn_mould()
    laid = mould.lay(draw_top(scale, (2.0, -3.0), paint=2, glow=glow, noise=2.0))
    middle = mould.lay(draw_top()).shifts_px
    assert laid.scales == pytest.approx([scale], abs=0.125 / LEVELS)
    assert laid.shifts_px - middle == pytest.approx(np.array([[2.0, -3.0]]), abs=0.2)


def test_each_top_is_laid_by_itself() -> None:
    """What else is asked about at once, and wherever that lies, changes nothing."""
    mould = learn_mould()
    tops = [draw_top(1.03, (2.0, -3.0)), draw_top(0.98, (-9.0, 9.0), paint=1, noise=9.0)]
    together = mould.lay(gather(*tops))
    for at, top in enumerate(tops):
        alone = mould.lay(top)
        assert together.scales[at] == pytest.approx(alone.scales[0], abs=1e-4)
        assert together.doubts[at] == pytest.approx(alone.doubts[0], rel=0.01)
        assert together.shifts_px[at] == pytest.approx(alone.shifts_px[0], abs=0.01)


def test_noise_is_told_as_doubt() -> None:
    """What is ten times as noisy leaves several times as much in doubt."""
    mould = learn_mould()
    clear, noisy = (mould.lay(draw_top(noise=noise)).doubts for noise in (1.0, 10.0))
    assert noisy > 3.0 * clear


def test_a_known_size_stays_as_it_is() -> None:
    """Then only its place is found, from nearby."""
    mould, top = learn_mould(), draw_top(1.03, (0.5, 1.0))
    expected = mould.expect(top.features)
    laid, middle = (
        lay(expected, each, mould.weights, sized=True) for each in (top, draw_top(1.03))
    )
    assert (laid.scales.item(), laid.doubts.item()) == (1.0, 0.0)
    assert laid.shifts_px - middle.shifts_px == pytest.approx(np.array([[0.5, 1.0]]), abs=0.3)


def test_what_lies_over_a_part_does_not_count() -> None:
    """A glint on the rim leaves the size as it is, to a quarter of a level."""
    top = draw_top(1.0125, noise=1.0)
    pictures = top.pictures.copy()
    pictures[:, 20:28, 40:50] = 255
    laid = learn_mould().lay(replace(top, pictures=pictures))
    assert laid.scales == pytest.approx([1.0125], abs=0.25 / LEVELS)


def test_no_top_misleads_without_bounds() -> None:
    """What is no top at all says no more than a few levels."""
    nothing = (
        np.random.default_rng(1).integers(0, 255, (TEMPLATE_PX, TEMPLATE_PX, 3)).astype(np.uint8)
    )
    top = replace(draw_top(), pictures=nothing[None])
    assert abs(look_nearer(learn_mould().lay(top), top)) <= TALLEST


def test_black_tops_are_laid_somewhere() -> None:
    """As outside of the picture: nothing is seen, and nothing breaks."""
    black = replace(draw_top(), pictures=np.zeros((1, TEMPLATE_PX, TEMPLATE_PX, 3), np.uint8))
    assert np.isfinite(look_nearer(learn_mould().lay(black), black))
    assert np.all(np.isfinite(lay_over(gather(*[black] * FEWEST)).expect(black.features)))


@given(gain=st.floats(0.2, 5.0), shade=st.floats(-1.0, 1.0))
def test_shade_and_strength_are_taken_out(gain: float, shade: float) -> None:
    """A lamp may lay them over any top."""
    mould, place = learn_mould(), draw_top().sample(np.ones(1), np.zeros((1, 2)))
    lit = np.asarray(gain * place + shade, np.float32)
    seen, plain = (normalise(each, mould.weights) for each in (lit, place))
    assert seen == pytest.approx(plain, abs=5e-3)


def test_where_known_tops_scatter_nothing_is_certain() -> None:
    """Smooth pieces, or such as are no two alike: their relief says hardly anything."""
    alike, scattered = np.array([0.1, -0.1, 0.05, 0.0] * 3), np.array([2.0, -1.5, 1.0, -2.5] * 3)
    seen, doubts = np.array([3.0]), np.array([0.02])
    sure, unsure = (FAITH.weigh(seen, doubts, misses)[0] for misses in (alike, scattered))
    assert sure.argmax() == unsure.argmax() == 2
    assert sure.max() > 0.9
    assert unsure.max() < 0.5


@given(
    misses=st.lists(st.floats(-6.0, 6.0), max_size=30),
    seen=st.floats(-6.0, 14.0),
    doubt=st.floats(0.0, 5.0),
)
def test_faith_gives_odds(misses: list[float], seen: float, doubt: float) -> None:
    """Whatever known tops say; no height is ruled out."""
    odds = FAITH.weigh(np.array([seen]), np.array([doubt]), np.array(misses))
    assert odds.sum() == pytest.approx(1.0)
    assert odds.min() > 0.0


def test_what_all_known_tops_mislead_by_is_made_up_for() -> None:
    """One that is far off counts little."""
    usual, scatter = find_usual(np.array([0.5, 0.6, 0.4, 0.5, 0.55, 0.45, 0.5, 0.5, -6.0]))
    assert usual == pytest.approx(0.42, abs=0.08)
    assert scatter < 1.5
    assert find_usual(np.zeros(0))[0] == 0.0


@pytest.fixture(scope="module")
def outlines() -> Outlines:
    """Return what says where tops lie."""
    return Outlines(layout(), 0.0, OUTLINES)


@pytest.fixture(scope="module")
def relief(outlines: Outlines) -> Relief:
    """Return what was learned from the calibration picture."""
    learned, known = Relief(layout(), 0.0), shots_of(FULL)[0]
    learned.learn(view_of(known), outlines.measure(view_of(known), columns_of(known)))
    return learned


def tell_each(relief: Relief, outlines: Outlines, shot: Shot, off: int) -> np.ndarray:
    """Return by how many levels each column is misjudged, its height thought to be off by so many.

    Every other column of the picture is known.
    """
    view, columns, missed = view_of(shot), columns_of(shot), []
    for start in range(2):
        asked, known = columns[start::2], columns[1 - start :: 2]
        thought = [replace(c, height=min(max(c.height + off, 1), TALLEST)) for c in asked]
        told = relief.tell(view, outlines.measure(view, thought), outlines.measure(view, known))
        missed += [row.argmax() + 1 - c.height for row, c in zip(told, asked, strict=True)]
    return np.array(missed)


@pytest.mark.parametrize("off", [-1, 0, 1])
def test_relief_tells_heights_by_itself(relief: Relief, outlines: Outlines, off: int) -> None:
    """Two of three to the level, nearly all to one: whatever the columns are thought to be."""
    shots = [shot for shot in shots_of(FULL)[1:] if shot.reading and columns_of(shot)]
    missed = np.concatenate([tell_each(relief, outlines, shot, off) for shot in shots])
    assert np.mean(missed == 0) > 0.6
    assert np.mean(np.abs(missed) <= 1) > 0.9


def test_who_has_learned_too_little_says_nothing(outlines: Outlines) -> None:
    """Of fewer than four tops nobody could say how far they mislead."""
    view, columns = view_of(shots_of(FULL)[0]), columns_of(shots_of(FULL)[0])
    measured = outlines.measure(view, columns)
    few, enough = Relief(layout(), 0.0), Relief(layout(), 0.0)
    few.learn(view, measured[: FEWEST - 1])
    enough.learn(view, measured[: FEWEST + 2])
    nothing = np.full((2, TALLEST), 1.0 / TALLEST)
    assert few.tell(view, measured[:2], []) == pytest.approx(nothing)
    few.learn(view, [])
    assert few.tell(view, measured[:2], []) == pytest.approx(nothing)
    assert enough.tell(view, measured[:2], []) != pytest.approx(nothing)


@pytest.mark.slow
def test_no_column_in_doubt_is_its_own_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a reader learns from besides is beyond doubt, and none of what it asks about."""
    asked, plain = Relief.tell, []

    def tell(
        self: Relief, view: View, doubtful: Sequence[Outline], sure: Sequence[Outline]
    ) -> np.ndarray:
        plain.append(len(sure))
        spots = [{outline.column.cell for outline in each} for each in (doubtful, sure)]
        assert spots[0].isdisjoint(spots[1])
        return asked(self, view, doubtful, sure)

    monkeypatch.setattr(Relief, "tell", tell)
    first, *others = shots_of(FULL)
    reader = TowerReader(layout())
    reader.calibrate(first.frame, first.truth)
    for shot in others:
        reader.read(shot.frame)
    assert max(plain) > FEWEST
