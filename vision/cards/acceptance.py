"""Acceptance of a card: one class is likely, and no other card of the game is."""

from typing import Final

from vision.observation import HIDDEN, Evidence

MIN_CARD_PROBABILITY: Final = 0.65
"""The rest must be HIDDEN.  Tuned."""
MAX_RIVAL_PROBABILITY: Final = 0.05
"""Of any other card: the field's usual one in twenty."""


def is_accepted(
    evidence: Evidence,
    min_probability: float = MIN_CARD_PROBABILITY,
    max_rival: float = MAX_RIVAL_PROBABILITY,
) -> bool:
    """Return whether one card is likely enough and, apart from HIDDEN, no other class is.

    >>> is_accepted(Evidence({"red 7": 0.7, "red 1": 0.02, "hidden": 0.28}))
    True
    >>> is_accepted(Evidence({"red 7": 0.85, "red 1": 0.15}))
    False
    """
    best = evidence.best
    if best == HIDDEN or evidence.of(best) < min_probability:
        return False
    others = {**evidence.probabilities, best: 0.0, HIDDEN: 0.0}
    return max(others.values()) <= max_rival
