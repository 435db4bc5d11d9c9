"""All cards that were registered, compared with each other: again only what is new.

To compare a whole register takes a while; a card more or less changes little of it.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.capture.frame import Picture
from vision.cards.card_family import Family, choose, group_cards, join

GROWTH: Final = 2
"""What a design's cards share is found anew when there are so many times more of them."""


@dataclass(frozen=True, slots=True, eq=False)
class RegisteredCard:
    """A card with its *name* and the picture (*KEPT_PX, 3) that is kept of it."""

    name: str
    picture: Picture


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The *cards* of a register, and the families that they are in; members are places in it."""

    cards: tuple[RegisteredCard, ...] = ()
    families: tuple[Family, ...] = ()


def compare_cards(cards: Sequence[RegisteredCard], before: Compared | None = None) -> Compared:
    """Return how *cards* differ from each other; what was found *before* of the same ones is kept.

    A family that has grown to twice the cards from which its design was found is made anew: from
    one card it is not known what all of them share.
    """
    before = before or Compared()
    families = _keep(before, cards)
    left = set(range(len(cards))).difference(*(family.members for family in families))
    grown = []
    for family in families:
        joined = join(family, {place: cards[place].picture for place in sorted(left)})
        left.difference_update(joined.members)
        if len(joined.members) < GROWTH * family.design.count:
            grown.append(joined)
        else:
            grown += _group(cards, joined.members)
    return Compared(tuple(cards), (*grown, *_group(cards, sorted(left))))


def _keep(before: Compared, cards: Sequence[RegisteredCard]) -> list[Family]:
    """Return the families of *before*, of those members that are still in *cards*."""
    places = {_mark(card): place for place, card in enumerate(cards)}
    moved = {
        place: places[mark]
        for place, card in enumerate(before.cards)
        if (mark := _mark(card)) in places
    }
    return [
        choose(family, moved)
        for family in before.families
        if not moved.keys().isdisjoint(family.members)
    ]


def _group(cards: Sequence[RegisteredCard], places: Sequence[int]) -> list[Family]:
    """Return the families of those of *cards* that have these *places*."""
    if not places:
        return []
    families = group_cards([cards[place].picture for place in places])
    return [choose(family, dict(enumerate(places))) for family in families]


def _mark(card: RegisteredCard) -> tuple[str, bytes]:
    """Return what no other card has in common with *card*."""
    return card.name, hashlib.sha256(card.picture.tobytes()).digest()
