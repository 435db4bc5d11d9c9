"""Cache of the evidence for piles that still look as they did when it was found.

Piles are compared in the table's frame, wherever the camera stands.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.cards.detection import PilePatch, PileSnapshot
from vision.observation import Evidence

MAX_BLOCK_DIFFERENCE_LEVELS: Final = 8
"""In any channel of any block of an unchanged pile.  A camera pushed by 12 pixels changes a block
by one or two levels, closing a 3 to an 8 by about 20 (docs/decisions/0223)."""


@dataclass(frozen=True, slots=True, eq=False)
class CachedEvidence:
    """A pile when its card was last recognised with confidence."""

    snapshot: PileSnapshot
    evidence: Evidence


class EvidenceCache:
    """The last confident evidence for each pile."""

    def __init__(self) -> None:
        self._entries: dict[int, CachedEvidence] = {}

    def find(self, pile: int, patch: PilePatch) -> CachedEvidence | None:
        """Return what was stored for *pile* if it still looks so in *patch*, else None."""
        entry = self._entries.get(pile)
        if entry is None:
            return None
        difference = int(np.abs(patch.blocks - entry.snapshot.patch.blocks).max())
        return entry if difference <= MAX_BLOCK_DIFFERENCE_LEVELS else None

    def store(self, pile: int, snapshot: PileSnapshot, evidence: Evidence) -> None:
        """Keep the confident *evidence* for *pile*."""
        self._entries[pile] = CachedEvidence(snapshot, evidence)

    def clear(self) -> None:
        """Keep nothing any more."""
        self._entries.clear()
