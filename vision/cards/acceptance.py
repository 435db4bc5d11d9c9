"""When the evidence for a card is enough: it is likely, and nothing else is."""

from typing import Final

from vision.observation import HIDDEN, Evidence

LIKELY: Final = 0.65
"""Least probability of a card that is read; the rest must be HIDDEN..."""
RIVAL: Final = 0.05
"""...for no other card may be more likely than this."""


def is_sure(evidence: Evidence, least: float = LIKELY, rival: float = RIVAL) -> bool:
    """Return whether the evidence is for one card and, apart from HIDDEN, for no other.

    least: how likely it must be.  rival: how likely another card may be at most.

    >>> is_sure(Evidence({"red 7": 0.7, "red 1": 0.02, "hidden": 0.28}))
    True
    >>> is_sure(Evidence({"red 7": 0.85, "red 1": 0.15}))
    False
    """
    best = evidence.best
    if best == HIDDEN or evidence.of(best) < least:
        return False
    others = {**evidence.probabilities, best: 0.0, HIDDEN: 0.0}
    return max(others.values()) <= rival
