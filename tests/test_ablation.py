"""The ablation of cues leaves out what it says, and nothing else."""

import pytest

from tests.ablation import CUES, leave_out
from tests.vision.grids import calibrated_reader, shots_of

SESSION = "tactiki_full"


def places(cue: str) -> list[dict[str, float]]:
    """Return the evidence of every place of the session's first pictures without *cue*."""
    calibrated_reader.cache_clear()
    with leave_out(cue):
        reader = calibrated_reader(SESSION)
        seen = [reader.read(shot.frame) for shot in shots_of(SESSION)[1:4]]
    calibrated_reader.cache_clear()
    return [dict(place.probabilities) for observation in seen for place in observation.places]


@pytest.mark.parametrize("cue", CUES)
@pytest.mark.slow
def test_without_a_cue_evidence_differs(cue: str) -> None:
    """So its figures are its own; afterwards all is as it was."""
    everything = places("")
    assert everything
    assert places(cue) != everything
    assert places("") == everything


def test_what_is_no_cue_is_refused() -> None:
    """By name, with those there are."""
    with pytest.raises(ValueError, match="'smell' is no cue; there are shadow, registration"):
        leave_out("smell")
