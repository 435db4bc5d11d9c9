"""Brackets and leagues: who plays whom, and who goes on; entrants are called by their seeds."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal, TypeAlias

KNOCKOUT: Final = "knockout"
LEAGUE: Final = "league"
Kind: TypeAlias = Literal["knockout", "league"]
MIN_ENTRANTS: Final = 2
MAX_ENTRANTS: Final = {KNOCKOUT: 64, LEAGUE: 16}
WON_POINTS: Final = 2
DRAWN_POINTS: Final = 1


@dataclass(frozen=True, slots=True)
class Match:
    """A match.  round from 1, place from 0; one, two: seeds, None if nobody or not yet known.

    winner: a seed.  is_drawn: neither has won.
    """

    round: int
    place: int
    one: int | None = None
    two: int | None = None
    winner: int | None = None
    is_drawn: bool = False

    @property
    def is_decided(self) -> bool:
        """Whether nothing more has to be played."""
        return self.winner is not None or self.is_drawn


def seeding(size: int) -> list[int]:
    """Return the seeds down a bracket of *size*, a power of 2: the best meet as late as they can.

    >>> seeding(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    found = [1]
    while len(found) < size:
        total = 2 * len(found) + 1
        found = [seed for each in found for seed in (each, total - each)]
    return found


def draw(kind: Kind, entrants: int) -> list[Match]:
    """Return all matches between so many entrants, those that cannot be known yet among them."""
    return _league(entrants) if kind == LEAGUE else _knockout(entrants)


def _knockout(entrants: int) -> list[Match]:
    """Return a single elimination; the best seeds have a bye where there are too few."""
    size = 1 << max(entrants - 1, 1).bit_length()
    order = [seed if seed <= entrants else None for seed in seeding(size)]
    pairs = zip(order[::2], order[1::2], strict=True)
    found = [Match(1, place, one, two) for place, (one, two) in enumerate(pairs)]
    number, count = 2, size // 4
    while count:
        found += [Match(number, place) for place in range(count)]
        number, count = number + 1, count // 2
    return advance(found)


def _league(entrants: int) -> list[Match]:
    """Return a round robin by the circle method: in each round everybody plays once, or rests."""
    circle: list[int | None] = [*range(1, entrants + 1)]
    if len(circle) % 2:
        circle.append(None)
    found = []
    for number in range(1, len(circle)):
        half = len(circle) // 2
        pairs = [
            (one, two)
            for one, two in zip(circle[:half], reversed(circle[half:]), strict=True)
            if one is not None and two is not None
        ]
        found += [Match(number, place, *pair) for place, pair in enumerate(pairs)]
        circle = [circle[0], circle[-1], *circle[1:-1]]
    return found


def advance(matches: Iterable[Match]) -> list[Match]:
    """Return the *matches* of a knockout with byes decided, and each winner in the next round.

    A match whose entrants are others now is open again.
    """
    found: list[Match] = []
    winners: dict[tuple[int, int], int | None] = {}
    for match in sorted(matches, key=lambda each: (each.round, each.place)):
        known = match
        if match.round > 1:
            before = [winners.get((match.round - 1, 2 * match.place + side)) for side in (0, 1)]
            known = replace(match, one=before[0], two=before[1])
        elif (match.one is None) != (match.two is None):
            known = replace(match, winner=match.one or match.two)
        if known.winner not in (known.one, known.two):
            known = replace(known, winner=None)
        winners[known.round, known.place] = known.winner
        found.append(known)
    return found


def champion(kind: str, matches: Sequence[Match]) -> int | None:
    """Return the seed that has won it all, None while that is open or shared."""
    if not matches or not all(match.is_decided for match in matches):
        return None
    if kind == KNOCKOUT:
        return max(matches, key=lambda each: each.round).winner
    ranked = league_table(matches)
    first, second = ranked[0], ranked[1]
    return first.seed if first.key != second.key else None


@dataclass(slots=True)
class LeagueLine:
    """How an entrant of a league stands."""

    seed: int
    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def points(self) -> int:
        """Two for a match won, one for one drawn."""
        return WON_POINTS * self.won + DRAWN_POINTS * self.drawn

    @property
    def key(self) -> tuple[int, int]:
        """What the order goes by."""
        return (-self.points, -self.won)


def league_table(matches: Iterable[Match]) -> list[LeagueLine]:
    """Return the entrants of a league, the best first; equal ones by their seeds."""
    lines: dict[int, LeagueLine] = {}
    for match in matches:
        for seed, other in ((match.one, match.two), (match.two, match.one)):
            if seed is None:
                continue
            line = lines.setdefault(seed, LeagueLine(seed))
            line.played += match.is_decided
            line.drawn += match.is_drawn
            line.won += match.winner == seed
            line.lost += match.winner is not None and match.winner == other
    return sorted(lines.values(), key=lambda each: (*each.key, each.seed))


def ranks(lines: Sequence[LeagueLine]) -> Iterator[int]:
    """Yield the rank of each of *lines*, equal ones the same.

    >>> list(ranks([LeagueLine(1, won=2), LeagueLine(2, won=1), LeagueLine(3, won=1)]))
    [1, 2, 2]
    """
    rank = 1
    if lines:
        yield rank
    for place, (before, line) in enumerate(pairwise(lines), 2):
        rank = rank if line.key == before.key else place
        yield rank


def winner_of(names: Mapping[int, str], winners: Sequence[str]) -> tuple[int | None, bool]:
    """Return which of two entrants has won, and whether it was drawn, by the winners' names.

    names: of both, by seed; compared without regard to the case of letters.  Where somebody else
    has won, neither is known.

    >>> names = {1: "Ann", 2: "Bob"}
    >>> winner_of(names, ["bob"]), winner_of(names, ["Bob", "Ann"]), winner_of(names, ["Cem"])
    ((2, False), (None, True), (None, False))
    """
    folded = {each.casefold() for each in winners}
    found = [seed for seed, name in names.items() if name.casefold() in folded]
    return (found[0], False) if len(found) == 1 else (None, bool(found) or not winners)
