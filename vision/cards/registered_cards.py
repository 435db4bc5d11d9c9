"""Cards that their owner has shown once, recognised again among others that look alike.

Cards of one designer share frame, ground and lettering, and differ in a figure, a colour or a
word. A photograph is laid over what they share, in the same light, and compared with each of them
part by part where they differ. It must be like the card in all those parts, and less like each
other one. Else it is unknown, with what is in the way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

import cv2
import numpy as np

from vision.capture.frame import Picture
from vision.cards.card_alignment import Aligned, Grid, Levels, align, turn
from vision.cards.card_comparison import Compared, RegisteredCard, compare_cards
from vision.cards.card_corners import locate_cards
from vision.cards.card_family import DIFFERENT, Family
from vision.cards.card_photo import shrink
from vision.cards.shown_card import CLIPPED_LEVEL, MAX_LENGTH_PX, is_dark, warp_card

MIN_CARD_SCORE: Final = 0.15
"""What is no card is not like any of those that are registered either."""
MAX_CLIPPED, MAX_LOST = 0.3, 0.1
"""Share of the telling parts in which one channel may be clipped, as it is of pure colours in good
light; and two, where the colour is lost."""
MIN_AGREEMENT: Final = 0.4
"""How much of a photograph must lie where its design says."""
MAX_DIFFERENCE: Final = 0.8
"""A part that differs more is something else anyway."""
VERY_DIFFERENT: Final = 0.45
MAX_UNLIKE, MAX_VERY_UNLIKE = 5, 2
"""How many parts may be unlike the card: 5 mm of a fingertip."""
COUNTED, TOLD, PLAINLY = 0.05, 0.15, 0.25
"""Difference of two cards in a part from which on it is counted, tells them apart by itself, and
does so plainly."""
MAX_FOR_OTHERS: Final = 2
MIN_FOR_OTHERS: Final = 0.05
"""How many parts may be like another card rather than this one, by so much."""
MAX_PLAINLY_FOR_OTHERS: Final = 4
MIN_PLAINLY: Final = 0.35
"""The same, as a share of how those two cards differ."""
MIN_LEAD: Final = 0.3
"""How much nearer to the card than to each other one, over all parts: 1 is on it, -1 on that."""
MIN_APART: Final = 0.08
"""Sum of squares of how two cards differ, for them to be told apart at all."""
ROUGH_PX: Final = (56, 84)
"""Width and height at which the likest cards are found."""


class Doubt(StrEnum):
    """Why a card is not named."""

    COMPARING = "comparing"  # the cards with each other, which is not done yet
    OTHER = "other"  # nothing of the kind that was registered is to be seen
    DARK = "dark"
    BRIGHT = "bright"
    COVERED = "covered"  # or something that no card of the kind has
    STRANGE = "strange"  # of the same kind, but none of those that were shown
    UNSURE = "unsure"  # two cards are about as like it


@dataclass(frozen=True, slots=True)
class Recognition:
    """Which card a photograph shows, or why none is named: one of them is None."""

    card: RegisteredCard | None
    doubt: Doubt | None


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like a photograph is to the likest card of a family, member number *best* of it.

    unlike, very_unlike: parts that differ from it.  strange: those that differ from all cards.
    for_others, plainly_for_others: parts in which another card is liker.  lead: the least over
    each other card.  is_told_apart: whether it differs from each other one at all.
    """

    best: int
    unlike: int
    very_unlike: int
    strange: int
    for_others: int
    plainly_for_others: int
    lead: float
    is_told_apart: bool


def recognise(picture: Picture, cards: Sequence[RegisteredCard]) -> RegisteredCard | None:
    """Return which of *cards* the photograph shows, None if it is none of them, or not sure."""
    return identify(picture, cards).card


def identify(picture: Picture, cards: Sequence[RegisteredCard]) -> Recognition:
    """Return which of *cards* the photograph (rows, columns, 3) shows, or why it is not named.

    They are compared with each other first, which takes a while unless the last ones were the same.
    """
    return identify_among(picture, compare_once(tuple(cards)))


def identify_among(picture: Picture, compared: Compared) -> Recognition:
    """Return which of the cards that were *compared* is shown, or why it is not named."""
    cards, families = compared.cards, compared.families
    small = shrink(picture, MAX_LENGTH_PX)
    best: tuple[Aligned, Family] | None = None
    for quad in locate_cards(small) if families else ():
        if quad.score < MIN_CARD_SCORE:
            continue
        views = [warp_card(small, np.roll(quad.corners, turned, axis=0)) for turned in range(4)]
        for family in families:
            laid = align(family.design.evened, views)
            if laid is not None and (best is None or laid.agreement > best[0].agreement):
                best = laid, family
        if best is not None and best[0].agreement >= MIN_AGREEMENT:
            break
    if best is None or best[0].agreement < MIN_AGREEMENT:
        return Recognition(None, Doubt.OTHER)
    laid, family = best
    light = find_light_doubt(laid.picture, family)
    if light is not None:
        return Recognition(None, light)
    likeness = measure_likeness(family, family.compare(laid.picture))
    doubt = find_doubt(likeness)
    return Recognition(cards[family.members[likeness.best]] if doubt is None else None, doubt)


def find_light_doubt(laid: Picture, family: Family) -> Doubt | None:
    """Return whether the light on a card, *laid* over its design, is too strong or too weak.

    Where colours are lost, a yellow card may look like a green one.  What all cards of the design
    share may be bleached.
    """
    clipped = (laid[family.mark_telling()] >= CLIPPED_LEVEL).sum(axis=1)
    if len(clipped) and ((clipped > 0).mean() > MAX_CLIPPED or (clipped > 1).mean() > MAX_LOST):
        return Doubt.BRIGHT
    return Doubt.DARK if is_dark(laid) else None


@lru_cache(maxsize=1)
def compare_once(cards: tuple[RegisteredCard, ...]) -> Compared:
    """Return how *cards* differ from each other; what was found for the same cards is kept."""
    return compare_cards(cards)


def measure_likeness(family: Family, differences: Grid) -> Likeness:
    """Return how like a photograph is to the likest member, by its *differences* from each."""
    best = int(np.minimum(differences, MAX_DIFFERENCE).mean(axis=0).argmin())
    own, apart = differences[:, best], family.apart[best]
    # Where a hand lies, all cards are unlike: that speaks for none of them.
    nearer = np.clip(differences - own[:, None], -1, 1)
    weights = np.where(apart > COUNTED, apart, 0.0)
    total = (weights * apart).sum(axis=0)
    leads = (weights * nearer).sum(axis=0) / np.maximum(total, 1e-6)
    others = np.arange(len(family.members)) != best
    least = np.where(apart > PLAINLY, nearer, 9.0).min(axis=1)
    shares = np.where(apart > TOLD, nearer / np.maximum(apart, 1e-6), 9.0).min(axis=1)
    return Likeness(
        best,
        unlike=int((own > DIFFERENT).sum()),
        very_unlike=int((own > VERY_DIFFERENT).sum()),
        strange=int((differences.min(axis=1) > DIFFERENT).sum()),
        for_others=int((least < -MIN_FOR_OTHERS).sum()),
        plainly_for_others=int((shares < -MIN_PLAINLY).sum()),
        lead=float(leads[others].min(initial=1.0)),
        is_told_apart=bool((total[others] > MIN_APART).all()),
    )


def find_doubt(likeness: Likeness) -> Doubt | None:
    """Return what speaks against the likest card, None if nothing does."""
    if likeness.unlike > MAX_UNLIKE or likeness.very_unlike > MAX_VERY_UNLIKE:
        return Doubt.COVERED if likeness.strange > likeness.unlike / 2 else Doubt.STRANGE
    if likeness.for_others > MAX_FOR_OTHERS or likeness.plainly_for_others > MAX_PLAINLY_FOR_OTHERS:
        return Doubt.STRANGE
    is_ahead = likeness.is_told_apart and likeness.lead >= MIN_LEAD
    return None if is_ahead else Doubt.UNSURE


def find_likest(
    picture: Picture, cards: Sequence[RegisteredCard], most: int
) -> tuple[RegisteredCard, ...]:
    """Return the *most* cards that are roughly likest to a kept *picture*, in their order."""
    if len(cards) <= most:
        return tuple(cards)
    ways = [_make_rough(each) for each in turn(picture)]
    alike = [max(float((way * _make_rough(card.picture)).mean()) for way in ways) for card in cards]
    likest = sorted(np.argsort(alike)[-most:].tolist())
    return tuple(cards[number] for number in likest)


def _make_rough(picture: Picture) -> Levels:
    """Return a small picture of which each channel has the same brightness and contrast."""
    small = cv2.resize(picture, ROUGH_PX, interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= small.mean(axis=(0, 1))
    return np.asarray(small / np.maximum(small.std(axis=(0, 1)), 1.0), np.float32)
