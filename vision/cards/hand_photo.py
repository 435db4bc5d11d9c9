"""All cards of a hand in one photograph: fanned, overlapping, or laid out in any way.

In a fan most cards show only a corner, and its small symbol names the card. An uncovered card shows
two of them, which count once. Cards without such a symbol are named if they are uncovered. What may
be a card and cannot be named is reported as unknown, with its place.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_corners import CardQuad, look_closer
from vision.cards.card_kinds import CARD_COLOURS
from vision.cards.card_photo import identify_quadrangle, shrink
from vision.cards.card_rectification import CARD, CORNERS_MM
from vision.cards.corner_indices import CornerIndex, find_indices, likeliest
from vision.cards.free_cards import FreeCard, find_free_cards
from vision.cards.unnamed_panels import NamedCard, find_unnamed
from vision.cards.uno_card import WILD, CardReading
from vision.geometry.pose import Points

MAX_LENGTH_PX: Final = 1920
"""Longer pictures are scaled down."""
MIN_SYMBOL: Final = 0.9
"""Least probability of an index's symbol."""
MAX_RIVAL: Final = 0.06
"""Greatest probability of any other symbol."""
MIN_COLOUR: Final = 0.8
"""Least probability of its colour."""
MAX_OTHER_COLOUR: Final = 0.1
"""Greatest probability of any other colour; the rest is the probability of none of the game's."""
MAX_OTHER_WAY_UP: Final = MIN_SYMBOL
"""Greatest probability of another symbol if the card is turned by a quarter."""
MIN_SAME: Final = 0.5
"""Least probability of the same symbol for another orientation of the card to be possible too."""
MIN_ANY_SYMBOL: Final = 0.25
"""Least probability of any symbol at all for an unnamed index to be that of a card."""
MAX_SIZE_RATIO: Final = 1.45
"""Greatest ratio of an index's height to the median one; the cards may be seen at an angle."""
MAX_EMBLEM_RATIO: Final = 2.2
"""The same of a Wild's emblem."""
MAX_INSET_OFF: Final = 0.28
"""Greatest difference of an index's distances from both edges to the median ones, in heights."""
MIN_EMBLEM: Final = 0.12
"""Least coloured share of a square around the emblem in a Wild's corner."""
MIN_EMBLEM_SHARE: Final = 0.1
"""Least share of each colour among the coloured pixels."""
ACROSS_DEG: Final = 29.9
"""Direction from one index of a card to the other, from straight down."""
MAX_OFF_DEG: Final = 12.0
"""How far the direction may be from that: edges are short, and cards may be tilted."""
MAX_LOOSE_DEG: Final = 20.0
"""How far it may be if the whole card is recognised as the same one."""
ACROSS_HEIGHTS: Final = (1.4, 9.0)
"""Range of the distance of two indices across a card, in heights of an index."""
DOWN_HEIGHTS: Final = (3.6, 15.5)
"""Range of their distance down the card, in heights of an index."""
INDEX_SPAN_MM: Final = np.array([38.0, 66.0])
"""From one index of a card to the other, across and down.  Measured."""
CARD_MIDDLE: Final = np.array([CARD.w, CARD.h]) / 2
OTHER_CORNERS: Final = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0))
"""Offsets of a card's other corners from its index, in spans across and down."""
OTHER_CORNER_MM: Final = 14.0
"""Tolerance of their positions."""
USUAL_HEIGHT_MM: Final = 8.5
"""Height of an index, used when no card shows both of its indices."""
NEAREST: Final = 5
"""An index that is alone on its card is compared with so many indices around it."""
MIN_ALONG: Final = 0.64
"""Least absolute cosine between the upright directions of both: 50 degrees, more than in a fan."""
MAX_MARKS: Final = 80
"""How many indices are kept, the best first: two on each card of the largest hand."""
SAME_CARD_MM: Final = 25.0
"""Least distance between two unknown cards."""


@dataclass(frozen=True, slots=True, eq=False)
class HandCard:
    """A card in the photograph of a hand.

    reading: which; None if that is not sure.  at: (2,) where it is, in pixels of the photograph:
    its index, where that would be, or its panel.  size_px: how large an index is.
    """

    reading: CardReading | None
    at: Points
    size_px: float


@dataclass(frozen=True, slots=True, eq=False)
class _Mark:
    """An index left after suppression, and the card that it names, None if unknown.

    ways: how it may lie: a symbol that looks alike after a quarter turn leaves that open.
    """

    index: CornerIndex
    reading: CardReading | None
    ways: tuple[CornerIndex, ...]


def read_hand(picture: Picture) -> list[HandCard]:
    """Return the cards in *picture* (rows, columns, 3) uint8, from left to right, row by row."""
    if picture.ndim != 3 or min(picture.shape[:2]) < 2:
        return []
    small = shrink(picture, MAX_LENGTH_PX)
    marks = _drop_outliers(_suppress_overlapping(find_indices(small)))
    free = find_free_cards(small)
    whole = [_confirm(card, marks) for card in free]
    quads = [card.corners for card in free]
    marks = [mark for mark in marks if not _is_within(mark.index.at, quads)]
    named = [each for each in marks if each.reading is not None]
    pairs = _pair(small, named)
    outlines = [_card_corners(named[one], named[other]) for one, other in pairs]
    first, second = [named[one] for one, _ in pairs], {other for _, other in pairs}
    paired = second.union(one for one, _ in pairs)
    alone = [mark for number, mark in enumerate(named) if number not in paired]
    across = [mark for mark in alone if _lies_across(mark, named)]
    kept = [m for number, m in enumerate(named) if number not in second and m not in across]
    marks = [replace(mark, reading=None) if mark in across else mark for mark in marks]
    kept = [m for m in kept if any(m is f for f in first) or not _is_within(m.index.at, outlines)]
    found = [HandCard(mark.reading, mark.index.at, mark.index.height) for mark in kept]
    found += whole
    papers = [mark.index.paper for mark in kept] + [card.paper for card in free]
    if papers:
        paper = np.median(papers, axis=0)
        found += _find_unknown(small, marks, kept, [*outlines, *quads], paper)
    scale = picture.shape[1] / small.shape[1]
    return [
        replace(each, at=each.at * scale, size_px=each.size_px * scale) for each in _in_order(found)
    ]


def _same_name(one: CardReading, other: CardReading) -> bool:
    return (one.color, one.symbol) == (other.color, other.symbol)


def _confirm(card: FreeCard, marks: Sequence[_Mark]) -> HandCard:
    """Return *card* at its upper index, without a name if an index on it names another card."""
    said = [each.reading for each in marks if _is_within(each.index.at, [card.corners])]
    is_same = all(_same_name(card.reading, each) for each in said if each is not None)
    move = cv2.getPerspectiveTransform(
        CORNERS_MM.astype(np.float32), card.corners.astype(np.float32)
    )
    half = INDEX_SPAN_MM / 2
    ends = cv2.perspectiveTransform(np.stack([CARD_MIDDLE - half, CARD_MIDDLE + half])[None], move)
    upper = min(ends[0], key=lambda end: float(end[1]))
    length = float(np.hypot(*(card.corners[3] - card.corners[0])))
    at = np.asarray(upper, np.float64)
    return HandCard(card.reading if is_same else None, at, USUAL_HEIGHT_MM * length / CARD.h)


def _in_order(cards: Sequence[HandCard]) -> list[HandCard]:
    """Return *cards* row by row, each from left to right."""
    if not cards:
        return []
    step = 6.0 * float(np.median([each.size_px for each in cards]))
    return sorted(cards, key=lambda each: (round(float(each.at[1]) / step), float(each.at[0])))


def _card_corners(one: _Mark, other: _Mark) -> Points:
    """Return the corners (4, 2) of the card with both indices, in pixels."""
    first, second = _best_ways(one, other)
    across = second.corner.left - first.corner.left
    down = second.corner.up - first.corner.up
    across, down = (way / max(float(np.hypot(*way)), 1e-6) for way in (across, down))
    axes = np.column_stack([across, down])
    along = np.abs(np.linalg.solve(axes, second.at - first.at))
    px_per_mm = along / INDEX_SPAN_MM
    middle = (first.at + second.at) / 2
    return np.asarray(middle + (CORNERS_MM - CARD_MIDDLE) * px_per_mm @ axes.T)


def _is_within(at: Points, outlines: Sequence[Points]) -> bool:
    """Return whether *at* (2,) is within one of the *outlines* (4, 2) of cards."""
    point = (float(at[0]), float(at[1]))
    return any(cv2.pointPolygonTest(b.astype(np.float32), point, False) > 0 for b in outlines)


def _find_unknown(
    picture: Picture, marks: Sequence[_Mark], kept: Sequence[_Mark], whole: Sequence[Points],
    paper: NDArray[np.float64],
) -> list[HandCard]:  # fmt: skip
    """Return what may be a card besides those named, once for each place.

    whole: the corners (4, 2) of cards of which all is seen.  paper: (3,) its levels.
    """
    lengths = [float(np.hypot(*(each[3] - each[0]))) for each in whole]
    heights = [mark.index.height for mark in kept]
    px_per_mm = float(
        np.median(lengths) / CARD.h if lengths else np.median(heights) / USUAL_HEIGHT_MM
    )
    cards = [NamedCard(_outline(mark, px_per_mm), mark.reading.color) for mark in kept
             if mark.reading is not None]  # fmt: skip
    cards += [NamedCard(quad, name) for quad in whole for name in (*CARD_COLOURS, WILD)]
    places = [
        mark.index.at
        for mark in marks
        if mark.reading is None
        and not _is_within(mark.index.at, whole)
        and not _is_other_corner(mark.index, kept, px_per_mm)
    ]
    for at in find_unnamed(picture, cards, whole, paper, px_per_mm):
        if all(float(np.hypot(*(at - other))) > SAME_CARD_MM * px_per_mm for other in places):
            places.append(at)
    return [HandCard(None, at, USUAL_HEIGHT_MM * px_per_mm) for at in places]


def _outline(mark: _Mark, px_per_mm: float) -> Points:
    """Return the corners (4, 2) of the card with that index, covered or not."""
    index_mm = CARD_MIDDLE - INDEX_SPAN_MM / 2
    return np.asarray(mark.index.at + (CORNERS_MM - index_mm) @ _axes(mark, px_per_mm).T)


def _axes(mark: _Mark, px_per_mm: float) -> Points:
    """Return (2, 2), in its columns, the pixels of a mm across and down the card."""
    return -px_per_mm * np.column_stack([mark.index.corner.left, mark.index.corner.up])


def _is_other_corner(index: CornerIndex, marks: Sequence[_Mark], px_per_mm: float) -> bool:
    """Return whether *index* is in one of the other corners of a card that *marks* name."""
    for mark in marks:
        axes = _axes(mark, px_per_mm)
        for share in OTHER_CORNERS:
            at = mark.index.at + axes @ (INDEX_SPAN_MM * share)
            if float(np.hypot(*(index.at - at))) < OTHER_CORNER_MM * px_per_mm:
                return True
    return False


def _suppress_overlapping(indices: Sequence[CornerIndex]) -> list[_Mark]:
    """Return the best index at each place, without those that overlap it, as marks."""
    marks: list[_Mark] = []
    order = sorted(indices, key=_detection_score, reverse=True)
    places = np.array([each.at for each in order]).reshape(-1, 2)
    is_left = np.ones(len(order), np.bool_)
    for number, best in enumerate(order):
        if not is_left[number]:
            continue
        is_near = is_left & (np.hypot(*(places - best.at).T) < 0.6 * best.height)
        is_left &= ~is_near
        near = [order[other] for other in np.nonzero(is_near)[0]]
        reading = _name(best, near)
        if reading is not None or _may_be_index(best):
            marks.append(_Mark(best, reading, tuple(_ways(best, near))))
        if len(marks) == MAX_MARKS:
            break
    return marks


def _ways(best: CornerIndex, near: Sequence[CornerIndex]) -> Iterator[CornerIndex]:
    """Yield those of *near* that are read as *best* is."""
    symbol = likeliest(best.symbols)[0]
    for each in near:
        is_same = each.symbols[symbol] >= MIN_SAME or (best.is_black and bool(each.emblem))
        if each is best or is_same:
            yield each


def _detection_score(index: CornerIndex) -> float:
    """Return the score by which overlapping indices are ranked, 0 to 1."""
    if index.emblem:
        return index.corner.on_edge
    symbol, colour = likeliest(index.symbols)[1], likeliest(index.colours)[1]
    return symbol * colour * index.corner.on_edge


def _may_be_index(index: CornerIndex) -> bool:
    return (
        likeliest(index.colours)[1] >= MIN_COLOUR and sum(index.symbols.values()) >= MIN_ANY_SYMBOL
    )


def _name(best: CornerIndex, near: Sequence[CornerIndex]) -> CardReading | None:
    """Return the card that the *best* index at a place names, unless another one contradicts it."""
    if best.is_black:
        shares, total = best.emblem.values(), sum(best.emblem.values())
        is_wild = total > MIN_EMBLEM and min(shares) >= MIN_EMBLEM_SHARE * total
        return CardReading(WILD, WILD, best.corner.on_edge) if is_wild else None
    symbol, likely, rival = likeliest(best.symbols)
    colour, of_colour, other_colour = likeliest(best.colours)
    if likely < MIN_SYMBOL or rival > MAX_RIVAL or not best.is_stable(symbol, MAX_RIVAL):
        return None
    if of_colour < MIN_COLOUR or other_colour > MAX_OTHER_COLOUR:
        return None
    for each in near:
        other, chance, _ = likeliest(each.symbols)
        if other != symbol and chance > MAX_OTHER_WAY_UP:
            return None
    return CardReading(colour, symbol, likely * of_colour)


def _drop_outliers(marks: Sequence[_Mark]) -> list[_Mark]:
    """Return the *marks* that are as large and as far from the edges as most that were named.

    All cards of a hand are of one printer.
    """
    usual = [each.index for each in marks if each.reading is not None and not each.index.is_black]
    if not usual:
        return list(marks)
    height = float(np.median([each.height for each in usual]))
    insets = np.median([_insets(each) for each in usual], axis=0)
    kept = []
    for mark in marks:
        is_black = mark.index.is_black
        ratio = MAX_EMBLEM_RATIO if is_black else MAX_SIZE_RATIO
        off = float(np.abs(_insets(mark.index) - insets).max())
        if 1 / ratio < mark.index.height / height < ratio and (is_black or off < MAX_INSET_OFF):
            kept.append(mark)
    return kept


def _insets(index: CornerIndex) -> Points:
    return np.array([index.corner.left_px, index.corner.up_px]) / index.height


def _pair(picture: Picture, marks: Sequence[_Mark]) -> list[tuple[int, int]]:
    """Return which two of *marks* are on one card."""
    pairs = sorted(
        (off_deg, one, other)
        for one in range(len(marks))
        for other in range(one + 1, len(marks))
        if (off_deg := _pair_misalignment_deg(marks[one], marks[other])) is not None
    )
    taken: set[int] = set()
    found = []
    for off_deg, one, other in pairs:
        if taken & {one, other}:
            continue
        if off_deg < MAX_OFF_DEG or _is_one_card(picture, marks[one], marks[other]):
            taken |= {one, other}
            found.append((one, other))
    return found


def _is_one_card(picture: Picture, one: _Mark, other: _Mark) -> bool:
    """Return whether the card that would have both indices is named by all of it as by them."""
    quad = look_closer(picture, CardQuad(_card_corners(one, other), 1.0))
    whole = identify_quadrangle(picture, quad.corners)
    said = one.reading
    return whole is not None and said is not None and _same_name(whole, said)


def _lies_across(mark: _Mark, named: Sequence[_Mark]) -> bool:
    """Return whether *mark* is a quarter turn off most of those *named* around it.

    In a card's other two corners there may be a spiral, which is like a 6 from there.
    """
    others = [each for each in named if each is not mark]
    others.sort(key=lambda each: float(np.hypot(*(each.index.at - mark.index.at))))
    nearest = others[:NEAREST]
    off = [
        max(abs(float(way.corner.up @ other.corner.up)) for way, other in product(*both))
        < MIN_ALONG
        for both in ((mark.ways, each.ways) for each in nearest)
    ]
    return 2 * sum(off) > len(off)


def _pair_misalignment_deg(one: _Mark, other: _Mark) -> float | None:
    """Return by how many degrees two indices miss their places on one card, None if by too many."""
    assert one.reading is not None
    assert other.reading is not None
    if not _same_name(one.reading, other.reading):
        return None
    tried = [_slope_off(*both) for both in product(one.ways, other.ways)]
    return min((each for each in tried if each is not None), default=None)


def _best_ways(one: _Mark, other: _Mark) -> tuple[CornerIndex, CornerIndex]:
    """Return the orientations of both in which they fit one card best."""
    return min(
        product(one.ways, other.ways),
        key=lambda both: off if (off := _slope_off(*both)) is not None else MAX_LOOSE_DEG,
    )


def _slope_off(first: CornerIndex, second: CornerIndex) -> float | None:
    """Return by how many degrees the direction between two indices is off, None if by too many."""
    if float(first.corner.left @ second.corner.left) > -0.9:
        return None
    left, up = (
        getattr(first.corner, side) - getattr(second.corner, side) for side in ("left", "up")
    )
    height = (first.height + second.height) / 2
    axes = -0.5 * np.column_stack([left, up])
    across, down = np.linalg.solve(axes, second.at - first.at) / height
    low, high = zip(ACROSS_HEIGHTS, DOWN_HEIGHTS, strict=True)
    if not (low[0] < across < high[0] and low[1] < down < high[1]):
        return None
    off = abs(float(np.degrees(np.arctan2(across, down))) - ACROSS_DEG)
    return off if off < MAX_LOOSE_DEG else None
