"""From what the network says to how high columns are."""

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.bare_scenes import bare_scene, project_scene
from vision.columns.grid import TALLEST
from vision.columns.height_axis import BIN_PX, BINS
from vision.columns.heights import (
    CLASSES,
    HeightPrediction,
    SpanFit,
    estimate_heights,
    expected_spans,
    fit_spans,
)
from vision.columns.model import Model
from vision.columns.patches import PatchGeometry


@pytest.fixture(scope="module")
def spots() -> PatchGeometry:
    """Return the patches of a board seen from one side."""
    return project_scene(bare_scene("topple", 1, 0))[1]


def told(
    spots: PatchGeometry, heights: list[int], fit: SpanFit, share: float = 1.0
) -> HeightPrediction:
    """Return what a network says that sees feet and tops where *fit* has them.

    share: of its belief in the true height; the rest goes evenly to the others.
    """
    kinds = np.full((25, CLASSES), (1.0 - share) / (CLASSES - 1))
    spans = np.zeros((25, BINS))
    for spot, height in enumerate(heights):
        kinds[spot, height] = share
        if height:
            at = expected_spans(spots, fit)[spot, height - 1] / BIN_PX
            spans[spot, int(at) : int(at) + 2] = (1.0 - at % 1.0, at % 1.0)
    return HeightPrediction(kinds, spans)


HEIGHTS = [spot % (TALLEST + 1) for spot in range(25)]


def test_spans_decide_between_heights_that_look_alike(spots: PatchGeometry) -> None:
    """A network that only knows that something stands is helped by where foot and top lie."""
    said = told(spots, HEIGHTS, SpanFit())
    standing = said.classes[:, 1:-1]
    standing[:] = standing.sum(axis=1, keepdims=True) / TALLEST
    odds = estimate_heights(said, spots, SpanFit())
    assert odds.argmax(axis=1).tolist() == HEIGHTS
    assert odds.sum(axis=1) == pytest.approx(np.ones(25), abs=1e-5)


def test_a_top_where_none_can_be_is_left_open(spots: PatchGeometry) -> None:
    """A span between two heights is something in the way, however sure the network is."""
    # Only where levels rise by enough can a top lie too far from all of them.
    wide = int(spots.pixels_per_level.argmax())
    said = told(spots, HEIGHTS, SpanFit())
    said.classes[wide], said.spans[wide] = 0.0, 0.0
    said.classes[wide, 4] = 1.0
    between = expected_spans(spots, SpanFit())[wide, 3:5].mean() / BIN_PX
    said.spans[wide, int(between)] = 1.0
    odds = estimate_heights(said, spots, SpanFit())
    assert odds[wide].max() < Model.DISCS.min_certainty or odds[wide].argmax() == CLASSES - 1
    others = np.arange(25) != wide
    assert odds[others].argmax(axis=1).tolist() == [HEIGHTS[i] for i in np.flatnonzero(others)]


def test_an_empty_or_hidden_spot_stays_so(spots: PatchGeometry) -> None:
    """Spans only share out what is believed to stand."""
    said = told(spots, [0] * 25, SpanFit(), share=0.97)
    odds = estimate_heights(said, spots, SpanFit())
    assert odds[:, 0] == pytest.approx(np.full(25, 0.97), abs=1e-5)


def test_a_spot_out_of_view_is_hidden(spots: PatchGeometry) -> None:
    """What the picture does not show is not guessed."""
    blind = replace(spots, in_view=np.zeros(25, np.bool_))
    odds = estimate_heights(told(spots, HEIGHTS, SpanFit()), blind, SpanFit())
    assert set(odds.argmax(axis=1).tolist()) == {CLASSES - 1}


@pytest.mark.parametrize(
    "fit", [SpanFit(), SpanFit(3.0, 1.0), SpanFit(-1.5, 1.05), SpanFit(1.0, 0.95)]
)
def test_a_sets_own_fit_is_learned(spots: PatchGeometry, fit: SpanFit) -> None:
    """Pieces that look longer than their size says are known as such after one picture."""
    said = told(spots, HEIGHTS, fit)
    learned = fit_spans(said, spots, np.array(HEIGHTS))
    assert expected_spans(spots, learned) == pytest.approx(expected_spans(spots, fit), abs=1.5)
