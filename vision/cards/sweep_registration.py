"""Which of the cards known so far those in another picture are: registered by what has a name.

A similarity that most names agree with (consensus of pairs), bent locally as perspective demands
(moving least squares, Schaefer 2006). Places are complex numbers, so that a similarity is one
product and one sum.
"""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Final, TypeAlias

Name: TypeAlias = Hashable
Pairs: TypeAlias = dict[int, int]
"""Which known card each card of a picture is, by their numbers."""

NEAR: Final = 1.5
"""How far a card may be from its place, in heights of an index; those of a fan are 2 to 3 apart."""
NEAR_OF_NAME: Final = 2.5
"""The same for a card of the same name."""
MAX_SCALE_RATIO: Final = 1.6
"""How far the scale of a picture may be from what the sizes of its cards say."""
MIN_COSINE: Final = 0.5
"""How far a picture may be turned against the last one, 60 degrees, unless many names agree."""
MANY: Final = 4


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card in one picture.

    name: None if that is not sure.  confidence: of the name, 0 to 1.  at: its index, in pixels.
    size_px: height of an index.
    """

    name: Name | None
    confidence: float
    at: tuple[float, float]
    size_px: float

    @property
    def place(self) -> complex:
        """Where it is, x + iy."""
        return complex(*self.at)


@dataclass(slots=True, eq=False)
class KnownCard:
    """A card known so far.

    at, size: x + iy of its index and the height of that, in pixels of the first picture.
    seen: its name and confidence in each picture that shows it.
    covered: the pictures that its place was in.
    """

    at: complex
    size: float
    seen: dict[int, tuple[Name | None, float]] = field(default_factory=dict)
    covered: set[int] = field(default_factory=set)

    def counts(self) -> list[tuple[Name, int]]:
        """Return in how many pictures it has which name, the most frequent name first."""
        return Counter(name for name, _ in self.seen.values() if name is not None).most_common()

    def named_in(self, name: Name) -> set[int]:
        """Return the pictures that give it that *name*."""
        return {picture for picture, (each, _) in self.seen.items() if each == name}

    @property
    def name(self) -> Name | None:
        """Its most frequent name."""
        return next((name for name, _ in self.counts()), None)


def match(seen: Sequence[Sighting], known: Sequence[KnownCard], turn: complex) -> Pairs:
    """Return which of the cards *known* those *seen* are, with whatever names.

    turn: that of the last picture against the places known; 0 allows any.  Empty if the names do
    not fit together.  If there is but one card of a name that is known, this alone.
    """
    names = [card.name for card in known]
    every = list(product(range(len(seen)), range(len(known))))
    same = [(n, c) for n, c in every if seen[n].name is not None and seen[n].name == names[c]]
    pairs = _find_consensus(seen, known, same, turn)
    if not pairs:
        return dict(same) if len(same) == 1 else {}
    for near, tried in ((NEAR_OF_NAME, same), (NEAR_OF_NAME, same), (NEAR, every)):
        ends = [seen[n].place for n in pairs], [known[c].at for c in pairs.values()]
        left = [(n, c) for n, c in tried if n not in pairs and c not in pairs.values()]
        places = {n: local_similarity(*ends, seen[n].place)[0] for n, _ in left}
        pairs |= _assign(places, known, left, near)[0]
    return pairs


def _find_consensus(
    seen: Sequence[Sighting], known: Sequence[KnownCard], same: Sequence[tuple[int, int]],
    turn: complex,
) -> Pairs:  # fmt: skip
    """Return those pairs of the *same* name that one similarity fits; empty if two fit as many."""
    found: list[tuple[int, float, Pairs]] = []
    for (one, first), (other, second) in combinations(same, 2):
        across = seen[other].place - seen[one].place
        scale = (known[second].at - known[first].at) / (across or 1e9)
        ratio = abs(scale) * seen[one].size_px / known[first].size
        if not 1 / MAX_SCALE_RATIO < ratio < MAX_SCALE_RATIO:
            continue
        offset = known[first].at - scale * seen[one].place
        places = {n: scale * seen[n].place + offset for n, _ in same}
        pairs, missed = _assign(places, known, same, NEAR_OF_NAME)
        is_upright = (scale * turn.conjugate()).real >= MIN_COSINE * abs(scale * turn)
        if len(pairs) >= (2 if is_upright else MANY):
            found.append((len(pairs), -missed, pairs))
    _, _, best = max(found, key=lambda each: each[:2], default=(0, 0.0, {}))
    rivals = [pairs for _, _, pairs in found if any(best.get(n, c) != c for n, c in pairs.items())]
    return best if all(len(pairs) < len(best) for pairs in rivals) else {}


def _assign(
    places: dict[int, complex], known: Sequence[KnownCard], tried: Sequence[tuple[int, int]],
    near: float,
) -> tuple[Pairs, float]:  # fmt: skip
    """Return those of *tried* that are nearest, each card once, and by how much they miss."""
    missed = sorted((abs(places[n] - known[c].at) / known[c].size, n, c) for n, c in tried)
    pairs, total = Pairs(), 0.0
    for distance, number, card in missed:
        if distance < near and number not in pairs and card not in pairs.values():
            pairs[number] = card
            total += distance
    return pairs, total


def local_similarity(
    here: Sequence[complex], there: Sequence[complex], at: complex
) -> tuple[complex, complex]:
    """Return where *at* comes to be if *here* comes to be *there*, and the turn and scale there.

    The nearer ones count for more.
    """
    spread = max(abs(one - here[0]) for one in here) / len(here)
    weights = [1 / (abs(one - at) ** 2 + spread**2 + 1e-9) for one in here]
    total = sum(weights)
    middle = sum(w * one for w, one in zip(weights, here, strict=True)) / total
    target = sum(w * one for w, one in zip(weights, there, strict=True)) / total
    turn, size = 0j, 1e-9
    for weight, one, other in zip(weights, here, there, strict=True):
        turn += weight * (one - middle).conjugate() * (other - target)
        size += weight * abs(one - middle) ** 2
    return target + turn / size * (at - middle), turn / size
