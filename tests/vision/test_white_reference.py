"""A lamp that overexposes one colour of paper hides colours, except from who learned in it."""

import numpy as np
import pytest

from tests.vision import grids, sessions
from tests.vision.judging import assert_all_read, assert_never_wrong
from tests.vision.stress import apply, gain
from tests.vision.towers import FULL
from vision.line.reader import LineReader
from vision.photometry.chromaticity import IDENTITY_CORRECTION, ColourCorrection
from vision.photometry.white_reference import MAX_ILLUMINANT_DIFFERENCE, is_overexposed

WARM = gain(0.75, 1.0, 1.5)
"""By how much blue, green and red are brighter under a bulb too warm and too bright."""


def light_of(*gains: float) -> ColourCorrection:
    """Return the light in which paper's colours need such gains to look white."""
    return np.asarray(IDENTITY_CORRECTION * np.array(gains), np.float32)


def test_paper_that_is_overexposed_in_one_colour_blinds() -> None:
    """Not if it is overexposed in all of them, or in none."""
    assert is_overexposed(light_of(1.5, 1.1, 1.0))
    assert not is_overexposed(light_of(1.1, 1.0, 1.0))
    assert not is_overexposed(light_of(1.5, 1.2, 1.1))


@pytest.mark.parametrize("colour", [0, 1])
def test_only_the_very_same_lamp_does_not_blind(colour: int) -> None:
    """Neither may a colour that is not overexposed be brighter or dimmer than it was."""
    known = light_of(1.5, 1.2, 1.0)
    other = known.copy()
    assert not is_overexposed(known, known)
    for change in (1.0 - 2.0 * MAX_ILLUMINANT_DIFFERENCE, 1.0 + 2.0 * MAX_ILLUMINANT_DIFFERENCE):
        other[..., colour] = known[..., colour] * change
        assert is_overexposed(other, known)


@pytest.mark.parametrize("session", ["s02", "s04"])
@pytest.mark.slow(keep=["s02"])
def test_a_line_is_read_in_the_lamp_in_which_it_was_learned(session: str) -> None:
    """Who learned it in good light says nothing."""
    first = sessions.shots_of(session)[0]
    reader = LineReader(sessions.layout_of(session))
    reader.calibrate(first.altered(apply(WARM, first.frame.picture)).frame, first.reading or {})
    warm = [shot.altered(apply(WARM, shot.frame.picture)) for shot in sessions.shots_of(session)]
    settled = [shot for shot in warm if shot.line is not None]
    assert_all_read(reader, settled)
    assert_never_wrong(reader, warm, read_at_least=len(settled))
    for observation in assert_never_wrong(
        sessions.calibrated_reader(session), warm, read_at_least=0
    ):
        assert observation.reading is None


@pytest.mark.slow
def test_a_tower_is_read_in_the_lamp_in_which_it_was_learned() -> None:
    """Who learned its discs in good light reads none that stands."""
    first, *others = (
        shot.altered(apply(WARM, shot.frame.picture)) for shot in grids.shots_of(FULL)
    )
    reader = grids.fresh_reader(FULL)
    reader.calibrate(first.frame, first.truth)
    observations = assert_never_wrong(reader, others, read_at_least=3)
    assert sum("cells" in (observation.reading or {}) for observation in observations) >= 2
    for observation in assert_never_wrong(grids.calibrated_reader(FULL), others, read_at_least=1):
        assert "cells" not in (observation.reading or {})
