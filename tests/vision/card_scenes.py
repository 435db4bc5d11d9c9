"""Rendered photographs of single cards for tests, small and the same each time."""

from typing import Final

import numpy as np

from rendering.card_decks import draw_any_card
from rendering.card_grounds import draw_any_ground
from rendering.card_scenes import Scene, Stock, render_scene
from training.card_rehearsal import is_fair

CARDS, GROUNDS = 24, 12
SEED: Final = 77001


def photograph_scenes(count: int) -> tuple[Scene, ...]:
    """Return *count* photographs, of cards that are large and plain enough to be read."""
    random = np.random.default_rng(SEED)
    stock = Stock(
        [draw_any_card(random, [None]) for _ in range(CARDS)],
        [draw_any_ground(random) for _ in range(GROUNDS)],
    )
    found: list[Scene] = []
    while len(found) < count:
        scene = render_scene(random, stock)
        if is_fair(scene):
            found.append(scene)
    return tuple(found)
