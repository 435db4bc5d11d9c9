"""Colours of cards by their own paper: a washed-out one is less certain, a strange one is none."""

import numpy as np
from numpy.typing import NDArray

from vision.cards.colours import ColourClassifier

GREEN = np.array([-1.1, -0.4, -1.0])
KNOWN = ColourClassifier({"yellow": np.array([-1.4, -0.15, 0.0]), "green": GREEN})


def test_a_colour_is_named_by_its_direction() -> None:
    """As strong or weak as glare and shadows make it."""
    for strength in (0.4, 1.0, 1.3):
        likely = KNOWN.classify(strength * GREEN)
        assert likely["green"] > 0.95


def test_a_washed_out_colour_is_less_certain() -> None:
    """Where white is near, a camera that overexposes turns yellow towards green."""
    between = np.array([-0.57, -0.22, -0.19])
    strong = KNOWN.classify(2.0 * between, min_strength=1.0)
    faint = KNOWN.classify(between, min_strength=1.0)
    near = np.array([-0.55, -0.1, -0.05])
    assert KNOWN.classify(near, min_strength=1.0)["yellow"] < KNOWN.classify(near)["yellow"]
    assert min(faint.values()) / max(faint.values()) > min(strong.values()) / max(strong.values())


def test_a_strange_colour_is_none_of_them() -> None:
    """What is left is that the card is of no known colour."""
    assert sum(KNOWN.classify(np.array([0.0, -1.2, -1.0])).values()) < 0.1


PINK, PURPLE = np.array([-0.458, -0.821, -0.341]), np.array([-0.304, -0.841, -0.448])
NEAR = ColourClassifier({"pink": PINK, "purple": PURPLE, "green": GREEN})


def between(share: float) -> NDArray[np.float64]:
    """Return a tint that lies so far on the way from pink to purple."""
    return np.asarray(PINK + share * (PURPLE - PINK), np.float64)


def test_colours_that_are_nearly_one_are_told_in_the_lamp_that_taught_them() -> None:
    """Eleven degrees apart, they are open in any other lamp."""
    assert NEAR.classify(between(0.1), same_illuminant=True)["pink"] > 0.99
    assert 0.05 < NEAR.classify(between(0.1))["purple"] < 0.2
    assert 0.05 < NEAR.classify(between(0.4), same_illuminant=True)["purple"] < 0.5


def test_a_strange_colour_is_none_in_the_lamp_that_taught_them_either() -> None:
    """A hue twice as far off as any card of the game ever is."""
    far = PINK + np.array([0.0, 0.35, 0.0])
    assert sum(NEAR.classify(far, same_illuminant=True).values()) < 0.1


def test_a_channel_that_the_camera_cannot_tell_counts_as_what_the_colour_would_be() -> None:
    """Overexposed pink loses its blue and red: it is nearest to pink still, and no other."""
    seen = np.array([-0.25, PINK[1], -0.05])
    bound = np.array([True, False, True])
    assert sum(NEAR.classify(seen, same_illuminant=True).values()) < 0.1
    likely = NEAR.classify(np.minimum(PINK, seen), same_illuminant=True, lower_bounds=bound)
    assert likely["pink"] > 0.99


def test_a_channel_brighter_than_any_colour_counts_as_it_is_seen() -> None:
    """What may be brighter still is at least so bright: a darker colour does not fit."""
    seen = np.array([-0.1, PURPLE[1], -0.1])
    likely = NEAR.classify(seen, same_illuminant=True, lower_bounds=np.array([True, False, True]))
    assert likely["purple"] < 0.05
