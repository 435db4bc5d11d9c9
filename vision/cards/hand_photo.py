"""All cards of a hand in one photograph: fanned, overlapping, or laid out in any way.

In a fan most cards show only a corner, and the index there names the card. An uncovered card shows
two of them, which count once. A card whose indices do not name it is named by all of it, if that is
seen. What may be a card and cannot be named is reported as unknown, with its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_corners import CardQuad, look_closer
from vision.cards.card_kinds import CARD_COLOURS, CARD_SYMBOLS, KINDS
from vision.cards.card_photo import identify_quadrangle, shrink
from vision.cards.card_rectification import CARD, CORNERS_MM
from vision.cards.index_finder import INDEX_MM, IndexPlace, find_indices
from vision.cards.index_names import classify_indices
from vision.cards.symbols import OTHER
from vision.cards.uno_card import WILD, CardReading
from vision.geometry.pose import Points

MAX_LENGTH_PX: Final = 1920
"""Longer pictures are scaled down."""
MIN_NAME: Final = 0.9
"""Least probability of a card's name, by kind and symbol, given all its indices."""
MIN_PLACE: Final = 0.5
"""From which probability on there is a card."""
MAX_OTHER: Final = 0.5
"""Greatest probability that an index is of another game, covered, or none at all."""
ERRING: Final = 0.01
"""How often an index says another name as surely as its own."""
SAME_MM, ALIKE_MM, SURELY_MM = 12.0, 18.0, 8.0
"""Two indices that look at each other are on one card if its middle is told twice so near; if they
say the same; and if they contradict each other."""
MIN_OPPOSITE: Final = 0.85
"""Least cosine between their ways to the middle, one of them turned round."""
UNSEEN_SHARE: Final = 0.2
"""How much of a card's area shows where a card is that no index told."""
MIN_SHOWN: Final = 0.6
"""Least probability that a pixel shows a card."""
INDEX_HEIGHT_MM: Final = 8.5
"""Height of an index, by which pages draw marks."""
_COLOURED: Final = [KINDS.index(each) for each in CARD_COLOURS]
_PLAIN: Final = [CARD_SYMBOLS.index(each) for each in CARD_SYMBOLS if each not in KINDS]
_WILD: Final = KINDS.index(WILD), CARD_SYMBOLS.index(WILD)
_OTHER: Final = KINDS.index(OTHER)
_ANY: Final = np.zeros((len(KINDS), len(CARD_SYMBOLS)))
_ANY[np.ix_(_COLOURED, _PLAIN)] = _ANY[_WILD] = 1 / (len(_COLOURED) * len(_PLAIN) + 1)


@dataclass(frozen=True, slots=True, eq=False)
class HandCard:
    """A card in the photograph of a hand.

    reading: which; None if that is not sure.  at: (2,) where it is, in pixels of the photograph:
    its index, or the middle of what is seen of it.  size_px: how large an index is.
    """

    reading: CardReading | None
    at: Points
    size_px: float


@dataclass(frozen=True, slots=True, eq=False)
class _Card:
    """A card of which at least one index was found.

    places: its indices, the likeliest first.  corners: (4, 2) pixels.  named: the probability
    (kinds, symbols) of each name.
    """

    places: tuple[IndexPlace, ...]
    corners: Points
    named: NDArray[np.float64]


def read_hand(picture: Picture) -> list[HandCard]:
    """Return the cards in *picture* (rows, columns, 3) uint8, from left to right, row by row."""
    if picture.ndim != 3 or min(picture.shape[:2]) < 2:
        return []
    small = shrink(picture, MAX_LENGTH_PX)
    places, shown, cell_px = find_indices(small)
    cards = _join(places, *classify_indices(small, places))
    found: list[HandCard] = []
    quads: list[Points] = []
    for card in cards:
        reading, quad = _name(card.named), card.corners
        if reading is None or _is_free_wild(card, reading):
            closer = look_closer(small, CardQuad(quad, 1.0)).corners
            reading = identify_quadrangle(small, closer)
            if reading is not None and any(_are_one(closer, other) for other in quads):
                continue
            quad = quad if reading is None else closer
        quads.append(quad)
        upper = min(card.places, key=lambda place: float(place.at[1]))
        found.append(HandCard(reading, upper.at, INDEX_HEIGHT_MM * _px_per_mm(upper)))
    found += _find_unnoticed(shown, quads, cell_px)
    scale = picture.shape[1] / small.shape[1]
    return [
        replace(each, at=each.at * scale, size_px=each.size_px * scale) for each in _in_order(found)
    ]


def _join(
    places: Sequence[IndexPlace], kinds: NDArray[np.float64], symbols: NDArray[np.float64]
) -> list[_Card]:
    """Return the cards that have indices at *places*, the likeliest first; two may be on one."""
    joint = [_join_names(*each) for each in zip(kinds, symbols, strict=True)]
    left = sorted(range(len(places)), key=lambda each: -float(joint[each].max()))
    cards = []
    while left:
        numbers = [left.pop(0)]
        first = places[numbers[0]]
        is_named = joint[numbers[0]].max() >= MIN_NAME
        near = {each: _measure_apart_mm(first, places[each]) for each in left}
        fits = {
            each: apart
            for each, apart in near.items()
            if kinds[each, _OTHER] < MAX_OTHER and apart < _reach_mm(joint[numbers[0]], joint[each])
        }
        if fits:
            numbers.append(min(fits, key=fits.__getitem__))
            left.remove(numbers[1])
        if is_named:  # what looks at the same middle is in another of its corners
            left = [
                each
                for each in left
                if _middles_apart_mm(first, places[each])
                > (SAME_MM if joint[each].max() < MIN_NAME else SURELY_MM)
            ]
        own = tuple(places[each] for each in numbers)
        other = min(float(kinds[each, _OTHER]) for each in numbers)
        named = _multiply([joint[each] for each in numbers])
        if max(place.score for place in own) >= MIN_PLACE and other < MAX_OTHER:
            cards.append(_Card(own, _find_corners(own), named))
    return cards


def _reach_mm(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Return how far apart two indices may tell the middle of one card, by what they say."""
    if min(one.max(), other.max()) < MIN_NAME:
        return SAME_MM
    return ALIKE_MM if one.argmax() == other.argmax() else SURELY_MM


def _join_names(kinds: NDArray[np.float64], symbols: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability (kinds, symbols) of each name by one index; the rest is none."""
    joint = np.zeros((len(KINDS), len(CARD_SYMBOLS)))
    joint[np.ix_(_COLOURED, _PLAIN)] = np.outer(kinds[_COLOURED], symbols[_PLAIN])
    joint[_WILD] = kinds[_WILD[0]] * symbols[_WILD[1]]
    return joint


def _multiply(joint: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return what one or two indices of a card say together; one that says nothing is no voice."""
    speaking = [each for each in joint if each.sum() > 1 - MAX_OTHER] or list(joint[:1])
    if len(speaking) == 1:
        return speaking[0]
    parts = [(1 - ERRING) * each + ERRING * _ANY for each in speaking]
    both = np.asarray(np.prod(parts, axis=0))
    return np.asarray(both / (both.sum() + np.prod([1 - each.sum() for each in parts])))


def _name(named: NDArray[np.float64]) -> CardReading | None:
    """Return the one name that is likely, or None."""
    kind, symbol = np.unravel_index(int(named.argmax()), named.shape)
    likely = float(named[kind, symbol])
    return CardReading(KINDS[kind], CARD_SYMBOLS[symbol], likely) if likely >= MIN_NAME else None


def _is_free_wild(card: _Card, reading: CardReading) -> bool:
    """Return whether all of a wild is seen: other games have black cards with such indices."""
    return reading.color == WILD and len(card.places) == 2


def _are_one(one: Points, other: Points) -> bool:
    """Return whether two quadrangles (4, 2) are those of one card."""
    apart = np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))
    return float(apart) < SAME_MM / CARD.h * float(np.hypot(*(one[3] - one[0])))


def _measure_apart_mm(one: IndexPlace, other: IndexPlace) -> float:
    """Return how far apart two indices say that the middle of their card is; inf if not of one."""
    sizes = [float(np.hypot(*each.to_middle)) for each in (one, other)]
    cosine = -float(one.to_middle @ other.to_middle) / (sizes[0] * sizes[1])
    return _middles_apart_mm(one, other) if cosine > MIN_OPPOSITE else float("inf")


def _middles_apart_mm(one: IndexPlace, other: IndexPlace) -> float:
    apart = np.hypot(*(one.at + one.to_middle - other.at - other.to_middle))
    return float(apart) / max(_px_per_mm(one), _px_per_mm(other))


def _px_per_mm(place: IndexPlace) -> float:
    return float(np.hypot(*place.axes[:, 0]))


def _find_corners(places: Sequence[IndexPlace]) -> Points:
    """Return the corners (4, 2) of the card with indices at *places*."""
    first = places[0]
    if len(places) == 2:  # the way to the middle is half of that to the other index
        first = replace(first, to_middle=(places[1].at - first.at) / 2)
    return np.asarray(first.at + (CORNERS_MM - INDEX_MM) @ first.axes.T)


def _find_unnoticed(
    shown: NDArray[np.float32], quads: Sequence[Points], cell_px: float
) -> list[HandCard]:
    """Return what shows a card beside those at *quads* (4, 2), as far as it is large enough.

    shown: (rows, columns) the probability that a cell of so many pixels shows one.
    """
    if not quads:
        return []
    left = np.asarray(shown > MIN_SHOWN, np.uint8)
    areas = [cv2.contourArea(each.astype(np.float32)) for each in quads]
    for quad in quads:
        middle = quad.mean(axis=0)
        grown = middle + 1.08 * (quad - middle)
        cv2.fillConvexPoly(left, np.round(grown / cell_px).astype(np.int32), 0)
    area = float(np.median(areas)) / cell_px**2
    height = INDEX_HEIGHT_MM * float(np.sqrt(area / (CARD.w * CARD.h))) * cell_px
    left = np.asarray(cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)), np.uint8)
    _, _, stats, middles = cv2.connectedComponentsWithStats(left)
    return [
        HandCard(None, (middle + 0.5) * cell_px - 0.5, height)
        for stat, middle in zip(stats[1:], middles[1:], strict=True)
        if stat[cv2.CC_STAT_AREA] > UNSEEN_SHARE * area
    ]


def _in_order(cards: Sequence[HandCard]) -> list[HandCard]:
    """Return *cards* row by row, each from left to right."""
    if not cards:
        return []
    step = 6.0 * float(np.median([each.size_px for each in cards]))
    return sorted(cards, key=lambda each: (round(float(each.at[1]) / step), float(each.at[0])))
