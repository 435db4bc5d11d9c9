"""Games of Tiki Topple to be filmed: what is forbidden is, and nothing else."""

from itertools import pairwise

import numpy as np
import pytest

from rendering.plot_line import plot_tiki_topple
from rendering.plots import Faults
from vision.geometry.layout import TIKI_TOPPLE


@pytest.mark.parametrize("seed", range(6))
def test_a_round_is_played_to_its_end(seed: int) -> None:
    """All nine tikis are in the line or beside it, and each move changes the line."""
    random = np.random.default_rng(seed)
    plot = plot_tiki_topple(random, 40, Faults(random, 20, 0.3))
    assert plot.replay["moves"] >= 12
    faults = [beat for beat in plot.beats if beat.marks.get("illegal")]
    assert faults
    for before, beat in pairwise(plot.beats[1:]):
        table = beat.table
        assert sorted(table["line"] + table["toasted"]) == sorted(TIKI_TOPPLE.names)
        assert table["line"] != before.table["line"]
        assert beat.held is not None
        assert beat.marks["move"]["tiki"] == beat.held
    last = plot.beats[-1].table
    seats = len(plot.sides)
    assert len(last["line"]) == 3 or plot.replay["moves"] == seats * len(plot.replay["cards_each"])
