"""What counts as a right reading, for each game's form, and after what pictures are timed."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from companion.apps.evaluation import pictures as evaluation
from companion.apps.evaluation.pictures import agrees, evaluate
from companion.recording import load_recording
from companion.table.reader_opening import open_reader
from companion.table.readers import Reader
from tests.recordings import SHIPPED
from vision.capture.frame import Frame
from vision.observation import Observation

LINE = {"line": ["nani", "nui", "kapu"]}
PILES = {"piles": [{"color": "pink", "value": 4}]}
UNO = {"discard": {"color": "red", "symbol": "6", "spin": False}, "idol_deg": 358.0}
STACKS = {"cells": [[["tac", "tiki"], []]]}
SEEN = {"cells": [[{"height": 2, "top": "tiki"}, {"height": 0, "top": None}]]}
FALLEN = {"toppled": True, "cells": None, "tilt_deg": 21.0}


@pytest.mark.parametrize(
    ("reading", "truth"),
    [
        (LINE, {**LINE, "settled": True}),
        (PILES, PILES),
        (UNO, UNO),
        ({**UNO, "idol_deg": 2.5}, UNO),
        (SEEN, STACKS),
        ({"toppled": True}, FALLEN),
    ],
)
def test_a_right_reading_agrees(reading: dict[str, Any], truth: dict[str, Any]) -> None:
    """The reading says what the truth says, in its own form."""
    assert agrees(reading, truth)


@pytest.mark.parametrize(
    ("reading", "truth"),
    [
        ({"line": ["nui", "nani", "kapu"]}, LINE),
        ({}, LINE),
        ({"piles": [{"color": "pink", "value": 5}]}, PILES),
        ({**UNO, "discard": {"color": "red", "symbol": "9", "spin": False}}, UNO),
        ({**UNO, "idol_deg": 3.5}, UNO),
        ({"cells": [[{"height": 3, "top": "tiki"}, {"height": 0, "top": None}]]}, STACKS),
        ({"cells": [[{"height": 2, "top": "tac"}, {"height": 0, "top": None}]]}, STACKS),
        ({"toppled": True}, STACKS),
        (SEEN, FALLEN),
    ],
)
def test_a_wrong_reading_does_not(reading: dict[str, Any], truth: dict[str, Any]) -> None:
    """One wrong value, whichever, is a wrong reading."""
    assert not agrees(reading, truth)


@pytest.mark.slow
def test_no_picture_is_timed_that_was_just_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor one that was bumped: what a reader remembers of a board would make it look fast."""
    recording = load_recording(SHIPPED)
    seen: list[Frame] = []

    class Watched:
        """The session's own reader, and what is shown to them."""

        def __init__(self, reader: Reader) -> None:
            self.calibrate, self._reader = reader.calibrate, reader

        def read(self, frame: Frame) -> Observation:
            seen.append(frame)
            return self._reader.read(frame)

    monkeypatch.setattr(evaluation, "open_reader", lambda of: Watched(open_reader(of)))
    tally = evaluate(recording)
    assert len(tally.ratios) == len(tally.anew) == tally.read > 1
    pairs = [(one, other) for one, other in pairwise(seen) if one.name == "bumped"]
    later = pairs[len(pairs) // len(tally.anew) :]  # before the first there is no other picture
    assert later
    for bumped, timed in later:
        unmoved = np.roll(bumped.picture, -evaluation.BUMP_PX, axis=1)
        assert not np.array_equal(unmoved, timed.picture)
