"""Colours of cards by their own paper: a washed-out one is less certain, a strange one is none."""

import numpy as np

from vision.tints import Tints

GREEN = np.array([-1.1, -0.4, -1.0])
KNOWN = Tints({"yellow": np.array([-1.4, -0.15, 0.0]), "green": GREEN})


def test_a_colour_is_named_by_its_direction() -> None:
    """As strong or weak as glare and shadows make it."""
    for strength in (0.4, 1.0, 1.3):
        likely = KNOWN.weigh(strength * GREEN)
        assert likely["green"] > 0.95


def test_a_washed_out_colour_is_less_certain() -> None:
    """Where white is near, a camera that overexposes turns yellow towards green."""
    between = np.array([-0.57, -0.22, -0.19])
    strong = KNOWN.weigh(2.0 * between, faint=1.0)
    faint = KNOWN.weigh(between, faint=1.0)
    near = np.array([-0.55, -0.1, -0.05])
    assert KNOWN.weigh(near, faint=1.0)["yellow"] < KNOWN.weigh(near)["yellow"]
    assert min(faint.values()) / max(faint.values()) > min(strong.values()) / max(strong.values())


def test_a_strange_colour_is_none_of_them() -> None:
    """What is left is that the card is of no known colour."""
    assert sum(KNOWN.weigh(np.array([0.0, -1.2, -1.0])).values()) < 0.1
