"""Pieces that are rendered to learn from are as large as real ones, whatever they look like."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rendering.piece_kinds import TACTIKI, TOPPLE
from rendering.pieces import Traits, shape_disc, shape_figure
from rendering.scenes import random_paints

pytestmark = pytest.mark.slow

seeds = st.integers(0, 2**32 - 1)


def looks_of(seed: int) -> Traits:
    """Return the looks of a random figure."""
    return random_paints(np.random.default_rng(seed), TACTIKI)[0]


@given(seeds)
def test_a_figure_is_as_tall_and_about_as_wide_as_a_real_one(seed: int) -> None:
    """Geometry reckons with one size."""
    rings = shape_figure(looks_of(seed))
    assert rings[0][1] == 0.0
    assert rings[-1][1] == pytest.approx(TACTIKI.height)
    widest = max(radius for radius, *_ in rings)
    assert widest == pytest.approx(TACTIKI.radius, abs=0.5)


@given(seeds)
def test_a_figure_goes_up_ring_by_ring(seed: int) -> None:
    """No ring lies below the one before it."""
    heights = [z for _, z, *_ in shape_figure(looks_of(seed))]
    assert heights == sorted(heights)


@given(seeds)
def test_a_disc_is_as_wide_as_a_real_one_and_never_much_taller(seed: int) -> None:
    """A rim may rise a little."""
    rings = shape_disc(random_paints(np.random.default_rng(seed), TOPPLE)[0])
    assert max(radius for radius, *_ in rings) == TOPPLE.radius
    assert TOPPLE.height <= max(z for _, z, *_ in rings) < TOPPLE.height + 0.5
    radii = [radius for radius, *_ in rings[4:]]
    assert radii == sorted(radii, reverse=True), "its top must not fold over"


def colours_of(looks: Traits, **changed: Any) -> set[tuple[float, ...]]:
    """Return all colours of a figure."""
    rings = shape_figure({**looks, **changed})
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    return {tuple(paint(angle, z)) for _, z, _, paint in rings for angle in angles}


@pytest.mark.parametrize(
    "printed",
    [
        {"dots": {"around": 8, "radius": 1.5}, "rays": None},
        {"dots": None, "rays": {"around": 12, "from": 0.5}},
    ],
)
def test_ink_shows_only_where_something_is_printed(printed: Traits) -> None:
    """Dots and rays are in ink, and nothing else is."""
    looks, ink = looks_of(1), (0.25, 0.5, 0.75)
    assert ink in colours_of(looks, ink=ink, **printed)
    assert ink not in colours_of(looks, ink=ink, dots=None, rays=None)


def test_rays_are_on_top_alone() -> None:
    """The sides of a figure have none."""
    looks = {**looks_of(2), "dots": None, "rays": {"around": 10, "from": 0.4}, "ink": (0, 0, 1)}
    angles = np.linspace(0, 2 * np.pi, 64, endpoint=False)
    inked = [
        z
        for _, z, _, paint in shape_figure(looks)
        for angle in angles
        if tuple(paint(angle, z)) == (0, 0, 1)
    ]
    assert inked
    assert min(inked) > 17.0
