"""Cards that their owner has shown once, recognised among others that look alike.

Cards of one designer share frame, ground and lettering, and differ in a figure, a colour or a
word. A photograph is registered to what they share, relit, and compared with each of them
cell by cell where they differ. It must be similar to the card in all those cells, and less similar
to each other card. Otherwise it is unknown, and a `Rejection` says why.
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
"""Quadrangles with a lower card score are not compared with the registered cards."""
MAX_CLIPPED_SHARE: Final = 0.3
"""Share of the discriminative cells that may have one clipped channel, as pure colours do in good
light."""
MAX_LOST_SHARE: Final = 0.1
"""Share of the discriminative cells that may have two clipped channels; their colour is lost."""
MIN_AGREEMENT: Final = 0.4
"""Least registration agreement of a photograph with its design."""
MAX_DIFFERENCE: Final = 0.8
"""Differences are clipped at this value; a cell that differs more shows something else anyway."""
VERY_DIFFERENT: Final = 0.45
"""From this difference on a cell counts as very unlike."""
MAX_UNLIKE: Final = 5
"""How many cells may differ from the card: 5 mm of a fingertip."""
MAX_VERY_UNLIKE: Final = 2
"""How many of them may be very unlike."""
MIN_DIFFERENCE: Final = 0.05
"""Cells in which two cards differ less than this have no weight."""
MIN_DISTINCT: Final = 0.15
"""From this difference on a cell distinguishes two cards by itself."""
MIN_CLEARLY_DISTINCT: Final = 0.25
"""From this difference on a cell distinguishes two cards clearly."""
MAX_VOTES_FOR_OTHERS: Final = 2
"""How many clearly distinct cells may be more similar to another card."""
MIN_VOTE: Final = 0.05
"""By how much such a cell must be more similar to the other card to count."""
MAX_SHARE_VOTES_FOR_OTHERS: Final = 4
"""How many distinct cells may be more similar to another card by MIN_VOTE_SHARE."""
MIN_VOTE_SHARE: Final = 0.35
"""By how much, as a share of the difference between the two cards."""
MIN_LEAD: Final = 0.3
"""Least lead over every other card, over all cells: 1 at the card itself, -1 at the other one."""
MIN_SEPARATION: Final = 0.08
"""Least sum of squared differences of two cards that can be distinguished at all."""
COARSE_PX: Final = (56, 84)
"""Width and height at which the most similar cards are searched."""


class Rejection(StrEnum):
    """Why a card is not named."""

    COMPARING = "comparing"  # the registered cards are still being compared with each other
    OTHER = "other"  # the photograph shows no card of a registered design
    DARK = "dark"
    BRIGHT = "bright"
    COVERED = "covered"  # or something that no card of the design has
    STRANGE = "strange"  # of the same design, but none of the registered cards
    UNSURE = "unsure"  # two cards are about equally similar


@dataclass(frozen=True, slots=True)
class Recognition:
    """Which card a photograph shows, or why none is named: one of them is None."""

    card: RegisteredCard | None
    rejection: Rejection | None


@dataclass(frozen=True, slots=True)
class Similarity:
    """How similar a photograph is to the most similar card of a family, its member number *best*.

    unlike, very_unlike: cells that differ from it.  strange: cells that differ from all cards.
    votes_for_others, share_votes_for_others: cells that are more similar to another card, by
    MIN_VOTE and by MIN_VOTE_SHARE.  lead: the least over each other card.  is_distinct: whether it
    differs from each other card at all.
    """

    best: int
    unlike: int
    very_unlike: int
    strange: int
    votes_for_others: int
    share_votes_for_others: int
    lead: float
    is_distinct: bool


def recognise(picture: Picture, cards: Sequence[RegisteredCard]) -> RegisteredCard | None:
    """Return which of *cards* the photograph shows, None if it is none of them or uncertain."""
    return identify(picture, cards).card


def identify(picture: Picture, cards: Sequence[RegisteredCard]) -> Recognition:
    """Return which of *cards* the photograph (rows, columns, 3) shows, or why none is named.

    Comparing the cards with each other takes a while, unless the last call had the same ones.
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
            registered = align(family.design.evened, views)
            if registered is not None and (
                best is None or registered.agreement > best[0].agreement
            ):
                best = registered, family
        if best is not None and best[0].agreement >= MIN_AGREEMENT:
            break
    if best is None or best[0].agreement < MIN_AGREEMENT:
        return Recognition(None, Rejection.OTHER)
    registered, family = best
    exposure = find_exposure_fault(registered.picture, family)
    if exposure is not None:
        return Recognition(None, exposure)
    similarity = measure_similarity(family, family.compare(registered.picture))
    rejection = find_rejection(similarity)
    return Recognition(
        cards[family.members[similarity.best]] if rejection is None else None, rejection
    )


def find_exposure_fault(registered: Picture, family: Family) -> Rejection | None:
    """Return BRIGHT or DARK if a card, *registered* to its design, is badly exposed, else None.

    Where colours are lost, a yellow card may look like a green one.  Cells that all cards of the
    design share may be saturated.
    """
    clipped = (registered[family.mark_discriminative()] >= CLIPPED_LEVEL).sum(axis=1)
    if len(clipped) and (
        (clipped > 0).mean() > MAX_CLIPPED_SHARE or (clipped > 1).mean() > MAX_LOST_SHARE
    ):
        return Rejection.BRIGHT
    return Rejection.DARK if is_dark(registered) else None


@lru_cache(maxsize=1)
def compare_once(cards: tuple[RegisteredCard, ...]) -> Compared:
    """Return how *cards* differ from each other; the last result is cached."""
    return compare_cards(cards)


def measure_similarity(family: Family, differences: Grid) -> Similarity:
    """Return how similar a photograph is to a family, by its *differences* from each member."""
    best = int(np.minimum(differences, MAX_DIFFERENCE).mean(axis=0).argmin())
    own, distances = differences[:, best], family.cell_distances[best]
    # Under a hand all cards are unlike: such a cell votes for none of them.
    nearer = np.clip(differences - own[:, None], -1, 1)
    weights = np.where(distances > MIN_DIFFERENCE, distances, 0.0)
    total = (weights * distances).sum(axis=0)
    leads = (weights * nearer).sum(axis=0) / np.maximum(total, 1e-6)
    others = np.arange(len(family.members)) != best
    least = np.where(distances > MIN_CLEARLY_DISTINCT, nearer, 9.0).min(axis=1)
    shares = np.where(distances > MIN_DISTINCT, nearer / np.maximum(distances, 1e-6), 9.0).min(
        axis=1
    )
    return Similarity(
        best,
        unlike=int((own > DIFFERENT).sum()),
        very_unlike=int((own > VERY_DIFFERENT).sum()),
        strange=int((differences.min(axis=1) > DIFFERENT).sum()),
        votes_for_others=int((least < -MIN_VOTE).sum()),
        share_votes_for_others=int((shares < -MIN_VOTE_SHARE).sum()),
        lead=float(leads[others].min(initial=1.0)),
        is_distinct=bool((total[others] > MIN_SEPARATION).all()),
    )


def find_rejection(similarity: Similarity) -> Rejection | None:
    """Return why the most similar card is not named, None if it is."""
    if similarity.unlike > MAX_UNLIKE or similarity.very_unlike > MAX_VERY_UNLIKE:
        return (
            Rejection.COVERED if similarity.strange > similarity.unlike / 2 else Rejection.STRANGE
        )
    if (
        similarity.votes_for_others > MAX_VOTES_FOR_OTHERS
        or similarity.share_votes_for_others > MAX_SHARE_VOTES_FOR_OTHERS
    ):
        return Rejection.STRANGE
    is_ahead = similarity.is_distinct and similarity.lead >= MIN_LEAD
    return None if is_ahead else Rejection.UNSURE


def find_most_similar(
    picture: Picture, cards: Sequence[RegisteredCard], most: int
) -> tuple[RegisteredCard, ...]:
    """Return the *most* cards that look most similar to a kept *picture*, in their order."""
    if len(cards) <= most:
        return tuple(cards)
    turns = [_normalise_coarse(each) for each in turn(picture)]
    scores = [
        max(float((view * _normalise_coarse(card.picture)).mean()) for view in turns)
        for card in cards
    ]
    chosen = sorted(np.argsort(scores)[-most:].tolist())
    return tuple(cards[number] for number in chosen)


def _normalise_coarse(picture: Picture) -> Levels:
    """Return a small picture whose channels have zero mean and unit contrast."""
    small = cv2.resize(picture, COARSE_PX, interpolation=cv2.INTER_AREA).astype(np.float32)
    small -= small.mean(axis=(0, 1))
    return np.asarray(small / np.maximum(small.std(axis=(0, 1)), 1.0), np.float32)
