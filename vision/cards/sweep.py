"""Cards that a moving phone has seen, picture by picture: each named once, or still unsure.

What a picture names is counted for the card at that place (`sweep_registration`), so that two alike
stay two. A picture that shows another hand is told, and joins nothing.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from vision.cards.sweep_registration import (
    KnownCard,
    Name,
    Pairs,
    Sighting,
    local_similarity,
    match,
)

MAX_CARDS: Final = 40
"""In one picture: no hand has more."""
MAX_WAITING: Final = 12
"""How many pictures are kept that join nothing yet."""
MIN_NAMED: Final = 2
"""In how many pictures a card must have its name to be sure."""
VERY_SURE: Final = 0.995
"""From which confidence on one picture is enough, if none contradicts it."""
PER_OTHER: Final = 3
"""How many more it needs for each picture in which it has another name."""
MIN_TOGETHER: Final = 3
"""In how many pictures two cards must both have the same name to be two."""
MIN_SHARE: Final = 0.25
"""In which share of the pictures of its place a card must be seen; else it is none."""
REACH: Final = 14.0
"""Distance of a card's two indices, 76 mm, in heights of an index, and half as much again."""
STABLE: Final = 3
"""After how many pictures without anything new a hand of an unknown count is whole."""


class Joining(StrEnum):
    """What became of a picture."""

    JOINED = "joined"
    NOTHING = "nothing"  # no card in it has a name
    APART = "apart"  # too few cards that are known: it waits for a picture in between
    FOREIGN = "foreign"  # another hand
    CROWDED = "crowded"  # more cards than any hand has


@dataclass(frozen=True, slots=True)
class Mark:
    """A card of the last picture.  name: what it is so far; is_sure: whether that is settled."""

    name: Name | None
    is_sure: bool
    at: tuple[float, float]
    size_px: float


@dataclass(frozen=True, slots=True)
class Findings:
    """What all pictures together say.

    sure: the names of the cards that are settled, row by row, each from left to right.
    unsure: for each other card, the name of the nearest one that is sure; None if none is.
    missing: how many of the known count are not sure; None if no count is known.
    is_done: whether no card is missing or unsure, and none too many.
    """

    sure: tuple[Name, ...]
    unsure: tuple[Name | None, ...]
    missing: int | None
    is_done: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Picture:
    """What one picture shows.  size: width and height in pixels."""

    number: int
    cards: Sequence[Sighting]
    size: tuple[int, int]

    @property
    def names(self) -> Counter[Name]:
        return Counter(each.name for each in self.cards if each.name is not None)

    def has(self, place: complex) -> bool:
        """Return whether a card at *place* is wholly in it."""
        (wide, high), edge = self.size, self.cards[0].size_px
        return edge < place.real < wide - edge and edge < place.imag < high - edge


class Sweep:
    """Evidence of the cards in one hand over pictures of it.

    count: how many cards it has; None if that is not known.
    """

    def __init__(self, count: int | None = None) -> None:
        self.count = count
        self._cards: list[KnownCard] = []
        self._waiting: list[_Picture] = []
        self._last = _Picture(0, (), (1, 1)), Pairs()
        self._turn = 0j  # of the picture that joined last, with its scale
        self._changed = 0  # number of the picture that has changed the findings last

    def add(self, cards: Sequence[Sighting], size: tuple[int, int]) -> Joining:
        """Count what a picture shows that is *size* (width, height) pixels large."""
        picture, before = _Picture(self._last[0].number + 1, tuple(cards), size), self.findings()
        self._last = picture, Pairs()
        if len(cards) > MAX_CARDS:
            return Joining.CROWDED
        if not picture.names:
            return Joining.NOTHING
        joining = self._join(picture)
        if joining is Joining.JOINED:
            waiting, self._waiting = self._waiting, []
            self._waiting = [each for each in waiting if self._join(each) is not Joining.JOINED]
        elif joining is Joining.APART:
            self._waiting = [*self._waiting, picture][-MAX_WAITING:]
        after = self.findings()
        if (before.sure, len(before.unsure)) != (after.sure, len(after.unsure)):
            self._changed = picture.number
        return joining

    def findings(self) -> Findings:
        """Return what all pictures together say."""
        real = _in_order([card for card in _each_once(self._merged()) if _is_real(card)])
        sure = [card for card in real if _is_sure(card)]
        unsure = [card for card in real if not _is_sure(card) and len(card.seen) >= MIN_NAMED]
        is_plain = all(len(card.counts()) < 2 for card in unsure)
        if self.count is None:
            missing, is_done = None, len(sure) > 0 == len(unsure)
            is_done &= self._last[0].number >= self._changed + STABLE
        else:
            missing = max(0, self.count - len(sure))
            is_done = is_plain and len(sure) == self.count
            unsure = sorted(unsure, key=lambda card: -len(card.seen))[:missing]
        beside = [
            min(sure, key=lambda each: abs(each.at - card.at), default=None) for card in unsure
        ]
        return Findings(
            tuple(card.name for card in sure),
            tuple(card and card.name for card in beside),
            missing,
            is_done,
        )

    def marks(self) -> tuple[Mark, ...]:
        """Return the cards of the last picture; those of one that has not joined are unsure."""
        (picture, pairs), merged, marks = self._last, self._merged(), []
        for number, seen in enumerate(picture.cards):
            card = merged.get(pairs.get(number, -1))
            name = seen.name if card is None or card.name is None else card.name
            is_sure = card is not None and _is_sure(card)
            marks.append(Mark(name, is_sure, seen.at, seen.size_px))
        return tuple(marks)

    def _join(self, picture: _Picture) -> Joining:
        """Count *picture* if enough of it is known, or if it is the first that names enough."""
        pairs = Pairs()
        if self.count == len(self._cards) == len(picture.cards) == 1:
            pairs = {0: 0}  # whatever it is taken for
        elif self._cards:
            pairs = match(picture.cards, self._cards, self._turn)
            if not pairs or self._is_chance(picture, pairs):
                return Joining.FOREIGN if self._is_foreign(picture) else Joining.APART
        elif len(picture.names) < min(2, self.count or 2):
            return Joining.APART
        if len(pairs) != 1:  # one alone says nothing about the places of others
            self._extend(picture, pairs)
        for number, card in pairs.items():
            seen = picture.cards[number]
            self._cards[card].seen[picture.number] = seen.name, seen.confidence
            self._cards[card].covered.add(picture.number)
        if self._last[0] is picture:
            self._last = picture, pairs
        return Joining.JOINED

    def _is_foreign(self, picture: _Picture) -> bool:
        """Return whether the names in *picture* cannot be those of this hand."""
        known = Counter(card.name for card in _each_once(self._merged()) if card.name is not None)
        if self.count is None:
            return picture.names.total() > 2 and not known & picture.names
        return (known | picture.names).total() > self.count + 1  # a name may be wrong

    def _is_chance(self, picture: _Picture, pairs: Pairs) -> bool:
        """Return whether *pairs* are so few that another hand may have those cards as well."""
        same, other = 0, 0
        for number, card in pairs.items():
            is_same = picture.cards[number].name == self._cards[card].name
            same += is_same
            other += (
                not is_same and _is_sure(self._cards[card]) and bool(picture.cards[number].name)
            )
        known = sum(card.name is not None for card in self._cards)
        is_mostly_new = 2 * same <= min(known, picture.names.total())
        return other >= same or (is_mostly_new and (same <= 2 or self._is_foreign(picture)))

    def _extend(self, picture: _Picture, pairs: Pairs) -> None:
        """Note which known cards *picture* covers, and add those that are new to it and *pairs*."""
        here = [picture.cards[number].place for number in pairs]
        there = [self._cards[card].at for card in pairs.values()]
        for card in self._cards:
            if picture.has(local_similarity(there, here, card.at)[0]):
                card.covered.add(picture.number)
        if pairs:
            self._turn = local_similarity(here, there, sum(here) / len(here))[1]
        for number, seen in enumerate(picture.cards):
            if number in pairs:
                continue
            at, turn = local_similarity(here, there, seen.place) if here else (seen.place, 1)
            self._cards.append(KnownCard(at, abs(turn) * seen.size_px))
            pairs[number] = len(self._cards) - 1

    def _merged(self) -> dict[int, KnownCard]:
        """Return the cards by number; those that may be two corners of one card are one."""
        merged: dict[int, KnownCard] = {}
        for number in sorted(range(len(self._cards)), key=lambda n: -len(self._cards[n].seen)):
            card = self._cards[number]
            whole = next((each for each in merged.values() if _may_be_one(each, card)), None)
            if whole is None:
                whole = KnownCard(card.at, card.size, dict(card.seen), card.covered)
            else:
                whole.seen = {**card.seen, **whole.seen}
            merged[number] = whole
        return merged


def _is_real(card: KnownCard) -> bool:
    return len(card.seen) >= MIN_SHARE * len(card.covered)


def _is_sure(card: KnownCard) -> bool:
    (_, best), *others = card.counts() or [(None, 0)]
    contradicted = sum(count for _, count in others)
    is_plain = any(confidence >= VERY_SURE for _, confidence in card.seen.values())
    needed = 1 if is_plain and not contradicted else MIN_NAMED + PER_OTHER * contradicted
    return _is_real(card) and best >= needed


def _may_be_one(one: KnownCard, other: KnownCard) -> bool:
    """Return whether two cards may be two corners of the same.

    Two of one name are two if they are seen together as a rule, or lie far from each other.
    """
    if one.name is None or one.name != other.name:
        return False
    is_far = abs(one.at - other.at) > REACH * one.size
    both = len(one.covered & other.covered)
    if is_far and (not both or min(len(one.seen), len(other.seen)) > MIN_TOGETHER):
        return False
    together = one.named_in(one.name) & other.named_in(one.name)
    return len(together) < max(MIN_TOGETHER, both / 3)


def _each_once(cards: dict[int, KnownCard]) -> list[KnownCard]:
    return list({id(card): card for card in cards.values()}.values())


def _in_order(cards: Sequence[KnownCard]) -> list[KnownCard]:
    """Return *cards* row by row, each row from left to right."""
    return sorted(cards, key=lambda card: (round(card.at.imag / (6 * card.size)), card.at.real))
