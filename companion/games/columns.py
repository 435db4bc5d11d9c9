"""Columns of pieces, for the games that have some: how high they are seen, and what changed."""

from collections.abc import Sequence
from typing import Final

MAX_SEEN_HEIGHT: Final = 6
"""The readers distinguish columns up to this height; one that high may be higher."""


def rearrange(kinds: Sequence[int], height: int, top: int) -> tuple[int, int]:
    """Return how many pieces of a column stay, and how many are missing on these.

    kinds: of its pieces, bottom first.  height, top: how high it is seen, and what is on top.
    """
    if height >= MAX_SEEN_HEIGHT and kinds:
        height = max(height, len(kinds) + (kinds[-1] != top))
    is_kept = 0 < height <= len(kinds) and kinds[height - 1] == top
    kept = height if is_kept else min(max(height - 1, 0), len(kinds))
    return kept, height - kept
