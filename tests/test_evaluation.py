"""What counts as a right reading, for each game's form."""

from typing import Any

import pytest

from companion.evaluation import agrees

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
