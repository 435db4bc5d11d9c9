"""Colours of tops by their histograms: in other light, in deep shadow, and partly occluded."""

import numpy as np
import pytest

from vision.capture.frame import Picture
from vision.columns.reference_colours import ColourModelSet


def draw_pixels(colour: tuple[int, int, int], sigma: float, seed: int) -> Picture:
    """Return 400 pixels (n, 3) around *colour*, blue green red."""
    random = np.random.default_rng(seed)
    return np.clip(random.normal(colour, sigma, (400, 3)), 0, 255).astype(np.uint8)


def learn(first: Picture, second: Picture) -> ColourModelSet:
    """Return models of two classes with the colours of these pixels."""
    models = ColourModelSet(("tac", "tiki"))
    models.learn({0: first, 1: second})
    return models


def test_colours_are_classified_in_other_light() -> None:
    """A top in half the light keeps its colour; a mixture of two colours is left open."""
    red, blue = draw_pixels((40, 40, 200), 12, 1), draw_pixels((200, 60, 30), 12, 2)
    models = learn(red, blue)
    mixed = np.concatenate([red[:50], blue[:50]])
    tops = np.stack([red[:100] // 2, blue[:100] // 2, mixed])
    likely = models.classify(tops, np.ones((3, 100), np.bool_))
    assert likely[0, 0] > 0.95
    assert likely[1, 1] > 0.95
    assert likely[2].max() < 0.9
    red_alone = np.arange(100) < 50
    assert models.classify(mixed[None], red_alone[None])[0, 0] > 0.9
    nothing = np.zeros((1, 100), np.bool_)
    assert models.classify(mixed[None], nothing)[0] == pytest.approx([0.5, 0.5])


def test_a_colour_is_classified_in_deep_shadow() -> None:
    """A red top that is nearly black is not blue."""
    red, blue = draw_pixels((45, 40, 190), 15, 3), draw_pixels((120, 90, 60), 15, 4)
    models, visible = learn(red, blue), np.ones((1, 100), np.bool_)
    dark = draw_pixels((23, 16, 35), 6, 5)[None, :100]
    assert models.classify(dark, visible)[0, 0] > 0.9
    for index, sample in enumerate((red, blue)):
        dim = (sample[None, :100] * 0.5).astype(np.uint8)
        assert models.classify(dim, visible)[0, index] > 0.97


def test_a_copy_learns_on_its_own() -> None:
    """What a copy learns changes nothing for the original; an empty sample teaches nothing."""
    red, blue = draw_pixels((40, 40, 200), 12, 1), draw_pixels((200, 60, 30), 12, 2)
    models, visible = learn(red, blue), np.ones((1, 100), np.bool_)
    before = models.classify(red[None, :100], visible)
    other = models.copied()
    other.learn({0: blue, 1: red})
    assert other.classify(red[None, :100], visible)[0, 1] > 0.95
    assert (models.classify(red[None, :100], visible) == before).all()
    unlearned = ColourModelSet(("tac", "tiki"))
    unlearned.learn({0: red[:0], 1: blue})
    assert unlearned.learned == {1}
