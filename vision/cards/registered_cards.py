"""Cards that their owner has shown once, recognised again among others that look alike.

Local features (SIFT) propose which card a photograph shows, and how it lies: a homography with
enough matches. Cards of one designer share most of their features, so that the photograph, laid
over each proposed card, is then compared with it part by part. The card must look like it in
nearly every part, and where two cards differ, like this one and not like that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_photo import locate_plain_cards, shrink
from vision.geometry.pose import Points

KEPT_PX: Final = (336, 224)
"""Rows and columns of the picture that is kept of a card."""
MAX_LENGTH_PX: Final = 1000
"""Longer photographs are scaled down."""
MAX_FEATURES, MAX_KEPT_FEATURES = 1500, 500
"""How many a photograph and a kept card have at most."""
MAX_RATIO: Final = 0.8
"""Between the distances of a feature to the nearest and the second nearest of a card."""
MIN_MATCHES: Final = 10
MAX_OFF_PX: Final = 4.0
"""How many features must agree on how the card lies, to so many pixels of the kept picture."""
ROUGH_PX: Final = (84, 56)
ROUGH_SIDE: Final = 9
"""Size at which all are compared before, and side of the squares that are compared in it."""
MAX_PROPOSED: Final = 6
"""How many cards are compared part by part, the likest first."""
CELL_PX: Final = 28
STEP_PX: Final = 14
SHIFT_PX: Final = 4
"""Side of a part, the distance between parts, and how far one may be off: cards bend."""
MIN_TEXTURE: Final = 7.0
"""Standard deviation of a part, in levels, for there to be something to compare."""
MAX_COLOUR_OFF, COLOUR_SLACK = 0.45, 0.18
"""How far the colour of a plain part may be off, and of one with a texture for nothing, as log
ratios of its channels."""
MIN_ALIKE: Final = 0.45
MIN_MEDIAN: Final = 0.75
"""Likeness of one part, and of most."""
MIN_PARTS: Final = 40
MAX_COVERED: Final = 0.25
"""Of the parts, how many may be unlike: fingers, glare."""
MAX_INNER_PARTS: Final = 4
"""How many unlike parts may lie together away from the card's edge, from where fingers come."""
MAX_DIFFERENT: Final = 0.6
MIN_DIFFERENT: Final = 4
"""Likeness of parts in which two cards differ, and how many have to, to be told apart."""
MIN_OWN, MIN_AHEAD = 0.6, 0.3
"""Likeness to a card where another one differs from it, and how much more than to that."""
Grid = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """places: (n, 2) float32 pixels.  descriptors: (n, 128) float32 of length 1."""

    places: NDArray[np.float32]
    descriptors: NDArray[np.float32]


@dataclass(frozen=True)
class RegisteredCard:
    """A card with its *name* and the picture (*KEPT_PX, 3) that is kept of it."""

    name: str
    picture: Picture

    @cached_property
    def features(self) -> Features:
        """What is compared first."""
        return find_features(self.picture, MAX_KEPT_FEATURES)

    @cached_property
    def rough(self) -> NDArray[np.float32]:
        """The picture at ROUGH_PX."""
        return _make_rough(self.picture, np.eye(3))


def find_features(picture: Picture, most: int) -> Features:
    """Return the SIFT features of *picture*."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=0.02)
    points, found = sift.detectAndCompute(grey, None)
    if not len(points):
        return Features(np.zeros((0, 2), np.float32), np.zeros((0, 128), np.float32))
    # The square root of histograms compares them better than they do themselves.
    roots = np.sqrt(found / np.maximum(found.sum(axis=1, keepdims=True), 1e-6))
    return Features(np.array([each.pt for each in points], np.float32), roots.astype(np.float32))


def crop_shown(picture: Picture) -> Picture | None:
    """Return what is kept (*KEPT_PX, 3) of the card that *picture* shows, None if it shows none."""
    small = shrink(picture, 1280)
    quads = locate_plain_cards(small)
    return warp_card(small, quads[0].corners) if quads else None


def warp_card(picture: Picture, corners: Points) -> Picture:
    """Return the card with those *corners* (4, 2) in *picture*, as it is kept."""
    rows, columns = KEPT_PX
    ends = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    move = cv2.getPerspectiveTransform(corners.astype(np.float32), ends)
    length = float(np.hypot(*(corners[3] - corners[0])))
    if length > 2 * rows:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.4 * length / rows), np.uint8)
    return np.asarray(cv2.warpPerspective(picture, move, (columns, rows)), np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A card that a photograph may show.

    matches: how many features agree.  seen: (*KEPT_PX, 3) the photograph laid over the card.
    likeness: (rows, columns) of its parts, -1 to 1; NaN where there is nothing to compare.
    """

    card: RegisteredCard
    matches: int
    seen: Picture
    likeness: Grid


def propose(picture: Picture, cards: Sequence[RegisteredCard]) -> list[Proposal]:
    """Return which of *cards* the photograph may show, those first that are roughly like it."""
    small = shrink(picture, MAX_LENGTH_PX)
    own = find_features(small, MAX_FEATURES)
    found = []
    for card in cards:
        lies = _find_homography(own, card.features)
        if lies is not None:
            found.append((lies[1], card, lies[0]))
    rough = [
        (_compare_roughly(card.rough, _make_rough(small, move)), matches, card, move)
        for matches, card, move in found
    ]
    rough.sort(key=lambda each: -each[0])
    proposals = []
    for _, matches, card, move in rough[:MAX_PROPOSED]:
        seen = cv2.warpPerspective(small, move, KEPT_PX[::-1], flags=cv2.INTER_LINEAR)
        laid = np.asarray(seen, np.uint8)
        proposals.append(Proposal(card, matches, laid, compare_parts(card.picture, laid)))
    return proposals


def _make_rough(picture: Picture, move: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return *picture*, moved by *move* (3, 3) to where a card is kept, at ROUGH_PX."""
    scale = ROUGH_PX[0] / KEPT_PX[0]
    smaller = np.diag([scale, scale, 1.0]) @ move
    soft = cv2.warpPerspective(picture, smaller, ROUGH_PX[::-1], flags=cv2.INTER_LINEAR)
    return _relate(np.asarray(soft, np.uint8))


def _compare_roughly(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return how alike two rough pictures are, -1 to 1: the mean over squares of all places."""
    side = (ROUGH_SIDE, ROUGH_SIDE)
    low, high = cv2.blur(one, side), cv2.blur(other, side)
    both = (cv2.blur(one * other, side) - low * high).sum(axis=2)
    own = (cv2.blur(one * one, side) - low * low).sum(axis=2)
    others = (cv2.blur(other * other, side) - high * high).sum(axis=2)
    return float((both / np.sqrt(np.maximum(own * others, 25.0))).mean())


def _find_homography(own: Features, kept: Features) -> tuple[NDArray[np.float64], int] | None:
    """Return the map (3, 3) from the photograph to the kept card, and how many matches agree."""
    if len(own.places) < MIN_MATCHES or len(kept.places) < MIN_MATCHES:
        return None
    alike = kept.descriptors @ own.descriptors.T
    nearest = alike.argmax(axis=1)
    rows = np.arange(len(nearest))
    best = alike[rows, nearest]
    alike[rows, nearest] = -1.0
    second = alike.max(axis=1)
    distances = (np.sqrt(np.maximum(2 - 2 * each, 1e-9)) for each in (best, second))
    first, next_one = distances
    fit = first < MAX_RATIO * next_one
    if fit.sum() < MIN_MATCHES:
        return None
    move, mask = cv2.findHomography(
        own.places[nearest[fit]], kept.places[fit], cv2.USAC_MAGSAC, MAX_OFF_PX
    )
    if move is None:
        return None
    matches = int(mask.sum())
    move = np.asarray(move, np.float64)
    if matches < MIN_MATCHES or not _is_seen_from_the_front(np.linalg.inv(move)):
        return None
    return move, matches


def _is_seen_from_the_front(back: NDArray[np.float64]) -> bool:
    """Return whether the kept card's corners, moved by *back*, go round a convex quadrangle."""
    rows, columns = KEPT_PX
    ends = np.array([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float64)
    moved = ends @ back[:, :2].T + back[:, 2]
    if moved[:, 2].min() * moved[:, 2].max() <= 0:
        return False
    corners = moved[:, :2] / moved[:, 2:]
    sides = np.roll(corners, -1, axis=0) - corners
    nexts = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * nexts[:, 1] - sides[:, 1] * nexts[:, 0]
    lengths = np.hypot(*sides.T)
    return bool(turns.min() > 0 and lengths.max() < 6 * lengths.min() and lengths.min() > 30)


def recognise(picture: Picture, cards: Sequence[RegisteredCard]) -> RegisteredCard | None:
    """Return which of *cards* the photograph shows, None if it is none of them, or not sure."""
    proposals = propose(picture, cards)
    winners = [
        each
        for each in proposals
        if is_like(each.likeness)
        and all(is_preferred(each, other) for other in proposals if other is not each)
    ]
    return winners[0].card if len(winners) == 1 else None


def is_like(likeness: Grid) -> bool:
    """Return whether a card is alike in all parts but some at its edges, which a hand may cover."""
    known = ~np.isnan(likeness)
    if known.sum() < MIN_PARTS or float(np.nanmedian(likeness)) < MIN_MEDIAN:
        return False
    unlike = known & (np.nan_to_num(likeness) < MIN_ALIKE)
    if unlike.sum() > MAX_COVERED * known.sum():
        return False
    count, labels = cv2.connectedComponents(unlike.astype(np.uint8))
    edge = np.zeros(likeness.shape, np.bool_)
    edge[[0, -1], :] = edge[:, [0, -1]] = True
    for label in range(1, count):
        part = labels == label
        if part.sum() > MAX_INNER_PARTS and not (part & edge).any():
            return False
    return True


def is_preferred(best: Proposal, other: Proposal) -> bool:
    """Return whether a photograph is like the *best* card and not the *other* where they differ."""
    differ = compare_parts(best.card.picture, other.card.picture) < MAX_DIFFERENT
    both = differ & ~np.isnan(best.likeness) & ~np.isnan(other.likeness)
    if both.sum() < MIN_DIFFERENT:
        return False
    mine, others = float(best.likeness[both].mean()), float(other.likeness[both].mean())
    return mine > MIN_OWN and mine - others > MIN_AHEAD


def compare_parts(kept: Picture, seen: Picture) -> Grid:
    """Return how alike both are in each part (rows, columns), -1 to 1; NaN where all is plain.

    A part may be off by SHIFT_PX; light that changes slowly does not count, colours do.
    """
    one, other = (_relate(each) for each in (kept, seen))
    rows, columns = ((side - CELL_PX) // STEP_PX + 1 for side in KEPT_PX)
    likeness = np.full((rows, columns), np.nan)
    for row in range(rows):
        for column in range(columns):
            top, left = row * STEP_PX, column * STEP_PX
            part = one[top : top + CELL_PX, left : left + CELL_PX]
            if float(part.std(axis=(0, 1)).max()) < MIN_TEXTURE:
                continue
            low_y, low_x = max(top - SHIFT_PX, 0), max(left - SHIFT_PX, 0)
            around = other[low_y : top + CELL_PX + SHIFT_PX, low_x : left + CELL_PX + SHIFT_PX]
            scores = cv2.matchTemplate(around, part, cv2.TM_CCOEFF_NORMED)
            likeness[row, column] = float(scores.max())
    off = _compare_colours(kept, seen)
    plain = np.where(off > MAX_COLOUR_OFF, 0.0, np.nan)
    return np.asarray(
        np.where(np.isnan(likeness), plain, likeness - np.maximum(off - COLOUR_SLACK, 0.0))
    )


def _compare_colours(kept: Picture, seen: Picture) -> Grid:
    """Return how far the colour of each part is off, in log ratios, under one light for all."""
    chroma = []
    for picture in (kept, seen):
        logs = np.log(cv2.blur(picture, (CELL_PX, CELL_PX)).astype(np.float64) + 12.0)
        half = CELL_PX // 2
        at = logs[half : KEPT_PX[0] - half + 1 : STEP_PX, half : KEPT_PX[1] - half + 1 : STEP_PX]
        chroma.append(np.stack([at[..., 0] - at[..., 1], at[..., 2] - at[..., 1]]))
    one, other = chroma
    # Of a weak or strong print of colours, and of the light's own colour, nothing is told.
    spread = [np.median(np.abs(each - np.median(each))) + 0.02 for each in (one, other)]
    strength = float(np.clip(spread[1] / spread[0], 0.5, 1.6))
    off = other - strength * one
    off -= np.median(off, axis=(1, 2), keepdims=True)
    return np.asarray(np.hypot(*off))


def _relate(picture: Picture) -> NDArray[np.float32]:
    """Return *picture* with the same brightness and spread in each channel, softened."""
    levels = cv2.GaussianBlur(picture, (0, 0), 1.2).astype(np.float32)
    mean = levels.mean(axis=(0, 1))
    spread = np.maximum(levels.std(axis=(0, 1)), 1.0)
    return np.asarray((levels - mean) / spread * 50.0 + 128.0, np.float32)
