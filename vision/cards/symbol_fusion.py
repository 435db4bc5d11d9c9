"""Fusion of the symbols in a card's centre and in two of its corners.

The large symbol in the centre may be upside down; the small ones in the corners never are. Corners
are pooled log-linearly with half a weight each: they are printed in the typeface of the centre, so
that the network errs alike on all three.
"""

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.cards.card_kinds import CARD_SYMBOLS
from vision.cards.symbols import NINE, OTHER, SIX, SYMBOLS

ROTATED_SYMBOLS: Final = {"6": ("6", SIX), "9": ("9", NINE)}
"""A corner's classes for the two symbols that are each other upside down."""
UNLINED_PRIOR: Final = 0.5
"""Of a 6 or 9 that is printed without its line, over one with it."""
CORNER_MISS_PROBABILITY: Final = 0.1
"""That a corner seems to show another symbol than the one that is printed there.  Tuned."""
MIN_OTHER_CORNERS_PROBABILITY: Final = 0.9
MIN_OTHER_CENTRE_PROBABILITY: Final = 0.02
"""Of OTHER: if both corners are so surely no symbol, and the centre may be none, the card is of
another game.  Both are needed: corners may be too small or too blurred to be anything.  Tuned."""
SYMBOLS_OF_COLOURS: Final = tuple(s for s in CARD_SYMBOLS if s not in ("wild", "tiki", OTHER))
SYMBOL_FLOOR: Final = 0.01
"""Added to what either network makes of a symbol: neither alone rules one out."""
EPSILON: Final = 1e-3
"""Added where there may be no evidence at all; far below any threshold."""

MIN_PLAIN_PROBABILITY: Final = 0.95
"""Of a centre's symbol: from here on no corner would change it."""
UNSEEN_CORNERS: Final = np.array([[float(symbol == OTHER) for symbol in SYMBOLS]] * 2)
"""What corners are that nobody looked at."""

SymbolProbabilities: TypeAlias = NDArray[np.float64]
"""(3, classes): probabilities of SYMBOLS in the centre and in two corners."""


def fuse_symbols(probabilities: SymbolProbabilities) -> dict[str, float]:
    """Return the probability of each symbol of UNO; the rest is no symbol of it.

    Whether a centre shows a 6 or a 9 is taken from the corners; as far as they show neither, from
    the line below it; without a line both stay as likely.
    """
    centre, corners = probabilities[0].copy(), probabilities[1:]
    unlined_at = [SYMBOLS.index(SIX), SYMBOLS.index(NINE)]
    centre[unlined_at] *= UNLINED_PRIOR
    centre /= centre.sum()
    fused = {
        name: float(probability)
        for name, probability in zip(SYMBOLS, centre, strict=True)
        if name not in ("6", "9", SIX, NINE, OTHER)
    }
    lined = [float(centre[SYMBOLS.index(name)]) for name in ROTATED_SYMBOLS]
    unlined = float(centre[unlined_at].sum())
    in_corners = [
        float(corners[:, [SYMBOLS.index(name) for name in classes]].sum(axis=1).mean())
        for classes in ROTATED_SYMBOLS.values()
    ]
    by_line = [each + unlined / 2 + EPSILON for each in lined]
    by_both = [line * (c + EPSILON) for line, c in zip(by_line, in_corners, strict=True)]
    corner_weight = min(1.0, sum(in_corners) / 0.5)
    total = sum(lined) + unlined
    for name, line, both in zip(ROTATED_SYMBOLS, by_line, by_both, strict=True):
        with_corners, without = both / sum(by_both), line / sum(by_line)
        fused[name] = total * (corner_weight * with_corners + (1.0 - corner_weight) * without)
    return _pool_corners(fused, float(centre[SYMBOLS.index(OTHER)]), corners)


def is_plain(centre: NDArray[np.float64]) -> bool:
    """Return whether a centre (classes,) shows one symbol that is the same upside down."""
    best = SYMBOLS[int(centre.argmax())]
    if best in (*ROTATED_SYMBOLS, SIX, NINE, OTHER):
        return False
    is_other = centre[SYMBOLS.index(OTHER)] > MIN_OTHER_CENTRE_PROBABILITY
    return bool(centre.max() >= MIN_PLAIN_PROBABILITY and not is_other)


def _pool_corners(
    centre: dict[str, float], centre_other: float, corners: SymbolProbabilities
) -> dict[str, float]:
    """Return the *centre*'s probabilities pooled with those of the *corners* (2, classes).

    A corner of OTHER says nothing; one of another symbol speaks against the centre's.
    """
    other_at = SYMBOLS.index(OTHER)
    if (
        corners[:, other_at].min() > MIN_OTHER_CORNERS_PROBABILITY
        and centre_other > MIN_OTHER_CENTRE_PROBABILITY
    ):
        return dict.fromkeys(centre, 0.0)
    mean = corners.mean(axis=0)
    unread = float(mean[other_at]) + CORNER_MISS_PROBABILITY
    pooled = {
        name: probability * math.sqrt(unread + _sum_classes(mean, name))
        for name, probability in centre.items()
    }
    total = sum(pooled.values()) + centre_other * math.sqrt(unread + CORNER_MISS_PROBABILITY)
    return {name: each / max(total, EPSILON) for name, each in pooled.items()}


def _sum_classes(corner: NDArray[np.float64], name: str) -> float:
    """Return the probability (classes,) of a corner to show the symbol *name*."""
    return sum(float(corner[SYMBOLS.index(each)]) for each in ROTATED_SYMBOLS.get(name, (name,)))


def pool_symbols(whole: dict[str, float], placed: dict[str, float]) -> dict[str, float]:
    """Return the probability of each symbol of a coloured card, and of OTHER.

    whole, placed: the same by all of the card, and in its places; what *placed* lacks is OTHER.
    """
    of_places = {name: placed.get(name, 0.0) for name in SYMBOLS_OF_COLOURS}
    of_places[OTHER] = 1.0 - sum(of_places.values())
    of_whole = {name: whole[name] for name in SYMBOLS_OF_COLOURS}
    of_whole[OTHER] = 1.0 - sum(of_whole.values())
    pooled = {
        name: (of_places[name] + SYMBOL_FLOOR) * (of_whole[name] + SYMBOL_FLOOR)
        for name in of_places
    }
    total = sum(pooled.values())
    return {name: each / total for name, each in pooled.items()}
