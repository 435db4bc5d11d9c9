"""Colours of cards by their own paper: washed-out ones are less certain, unknown ones are none."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.cards.colours import ColourClassifier

GREEN: Final = np.array([-1.1, -0.4, -1.0])
DISTINCT: Final = ColourClassifier({"yellow": np.array([-1.4, -0.15, 0.0]), "green": GREEN})
PINK, PURPLE = np.array([-0.458, -0.821, -0.341]), np.array([-0.304, -0.841, -0.448])
SIMILAR: Final = ColourClassifier({"pink": PINK, "purple": PURPLE, "green": GREEN})


def between(share: float) -> NDArray[np.float64]:
    """Return a log colour that is *share* of the way from pink to purple."""
    return np.asarray(PINK + share * (PURPLE - PINK), np.float64)


def test_a_colour_is_classified_by_its_direction() -> None:
    """However strong or weak glare and shadow make it."""
    for strength in (0.4, 1.0, 1.3):
        assert DISTINCT.classify(strength * GREEN)["green"] > 0.95


def test_a_washed_out_colour_is_less_certain() -> None:
    """Near white, overexposure turns yellow towards green."""
    colour = np.array([-0.57, -0.22, -0.19])
    strong = DISTINCT.classify(2.0 * colour, min_strength=1.0)
    weak = DISTINCT.classify(colour, min_strength=1.0)
    near = np.array([-0.55, -0.1, -0.05])
    assert DISTINCT.classify(near, min_strength=1.0)["yellow"] < DISTINCT.classify(near)["yellow"]
    assert min(weak.values()) / max(weak.values()) > min(strong.values()) / max(strong.values())


def test_an_unknown_colour_is_none_of_them() -> None:
    """The rest of the probability is that of no known colour."""
    assert sum(DISTINCT.classify(np.array([0.0, -1.2, -1.0])).values()) < 0.1


def test_similar_colours_are_separated_under_the_light_source_of_the_calibration() -> None:
    """Eleven degrees apart, they are uncertain under any other."""
    assert SIMILAR.classify(between(0.1), same_illuminant=True)["pink"] > 0.99
    assert 0.05 < SIMILAR.classify(between(0.1))["purple"] < 0.2
    assert 0.05 < SIMILAR.classify(between(0.4), same_illuminant=True)["purple"] < 0.5


def test_an_unknown_colour_is_none_under_the_light_source_of_the_calibration_either() -> None:
    """A hue twice as far off as any card of the game ever is."""
    far = PINK + np.array([0.0, 0.35, 0.0])
    assert sum(SIMILAR.classify(far, same_illuminant=True).values()) < 0.1


def test_a_saturated_channel_counts_as_what_the_reference_has() -> None:
    """Overexposed pink loses its blue and red, but is nearest to pink still."""
    clipped = np.array([-0.25, PINK[1], -0.05])
    assert sum(SIMILAR.classify(clipped, same_illuminant=True).values()) < 0.1
    likely = SIMILAR.classify(
        np.minimum(PINK, clipped),
        same_illuminant=True,
        lower_bounds=np.array([True, False, True]),
    )
    assert likely["pink"] > 0.99


def test_a_saturated_channel_is_never_darker_than_it_seems() -> None:
    """A darker reference does not fit."""
    clipped = np.array([-0.1, PURPLE[1], -0.1])
    likely = SIMILAR.classify(
        clipped, same_illuminant=True, lower_bounds=np.array([True, False, True])
    )
    assert likely["purple"] < 0.05
