"""Does the idol favour someone?  What the logged spins show, and what they cannot show.

Counted are trusted spins of at least a full turn, each for the seat on whose side of the half-way
lines it ended: margins matter in play, not in the statistics.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from companion.apps.statistics.chi_square import (
    ALPHA,
    exact_power,
    exact_tail,
    power,
    statistic,
    tail,
)
from companion.language.message import Message, say, say_count
from hardware.facts import Spun
from hardware.sectors import TURN_DEG, Sectors

PETALS: Final = 36
MIN_EXPECTED_SPINS: Final = 5.0
"""Spins that must be expected at each seat before the chi-square's curve may be used: below it the
exact probabilities are counted out."""
BIASES: Final = (0.25, 0.5, 1.0)
REPORTED_BIAS: Final = 0.5
"""The bias that the words mention, as one and a half times."""
MIN_POWER: Final = 0.8
RAREST: Final = 0.001
"""Nobody can tell rarer probabilities apart by feeling."""
MIN_SPINS_A_SEAT: Final = 1.0
"""Below so many expected spins at a seat the words say nothing but that they are too few."""


@dataclass(frozen=True, slots=True)
class Petal:
    """A part of the circle, in degrees clockwise, and how many spins ended there."""

    from_deg: float
    to_deg: float
    spins: int


@dataclass(frozen=True, slots=True)
class Standing:
    """How often a seat was hit, how often is fair, and its share of the circle, 0 to 1.

    deg: where the seat is, in degrees clockwise.
    """

    seat: int
    spins: int
    fair: float
    share: float
    deg: float


@dataclass(frozen=True, slots=True)
class Notice:
    """Whether a bias would be noticed.

    bias: a seat is hit by this share more often than is fair.  chance: that so many spins notice
    it, 0 to 1.  needed: how many spins notice it in 8 of 10 cases.
    """

    bias: float
    chance: float
    needed: int


@dataclass(frozen=True, slots=True)
class Fairness:
    """All that a page needs.

    spins: how many count.  left_out: void or not trusted.  rose: equal parts of the circle.
    statistic: Pearson's chi-square.  freedom: its degrees.  probability: how often a fair idol's
        spins look at least as uneven, 0 to 1.  exact: counted out instead of read off the curve.
    notices: what would have been noticed, small biases first; of the seat that is hardest to tell.
    """

    spins: int
    left_out: int
    rose: tuple[Petal, ...]
    seats: tuple[Standing, ...]
    statistic: float
    freedom: int
    probability: float
    exact: bool
    notices: tuple[Notice, ...]

    def words(self, players: Sequence[str]) -> tuple[Message, ...]:
        """Return what it comes to, in sentences for *players*, the names by seat."""
        if not self.spins:
            return (say("No spin of the idol has been measured in this game yet."),)
        if self.probability < ALPHA:
            return self._uneven(players)
        if min(standing.fair for standing in self.seats) < MIN_SPINS_A_SEAT:
            return (
                say_count(
                    "{number} spin is too few to tell whether the idol is fair.",
                    "{number} spins are too few to tell whether the idol is fair.",
                    self.spins,
                ),
            )
        return (
            say_count(
                "Judging by {number} spin, the idol is fair.",
                "Judging by {number} spins, the idol is fair.",
                self.spins,
            ),
            self._certainty(),
        )

    def _uneven(self, players: Sequence[str]) -> tuple[Message, ...]:
        most = max(self.seats, key=lambda standing: standing.spins - standing.fair)
        pointed = say(
            "The idol may not be fair: {number} of {spins} spins ended at {player}; about"
            " {fair} would be normal.",
            number=most.spins,
            spins=self.spins,
            player=players[most.seat],
            fair=round(most.fair),
        )
        odds = say("A fair idol would do this on fewer than 1 in 1000 evenings.")
        if self.probability > RAREST:
            odds = say(
                "A fair idol would do this on about 1 in {number} evenings.",
                number=round(1 / self.probability),
            )
        advice = say(
            "Check that the table is level and that the idol turns freely. Then start counting"
            " again: anyone who checks after every spin will see something odd sooner or later."
        )
        return pointed, odds, advice

    def _certainty(self) -> Message:
        notice = next(each for each in self.notices if each.bias == REPORTED_BIAS)
        if notice.chance >= MIN_POWER:
            return say(
                "If it pointed at one player one and a half times as often as it should, these"
                " spins would most likely show it."
            )
        return say_count(
            "If it pointed at one player one and a half times as often as it should, this would"
            " show on {evenings} of 10 such evenings. {number} spin would make it fairly certain.",
            "If it pointed at one player one and a half times as often as it should, this would"
            " show on {evenings} of 10 such evenings. {number} spins would make it fairly certain.",
            notice.needed,
            evenings=round(notice.chance * 10),
        )


def assess_fairness(spins: Iterable[Spun], sectors: Sectors, petals: int = PETALS) -> Fairness:
    """Return what *spins* say about the idol; of several with the same time the last one counts.

    petals: how many parts the rose has.
    """
    latest = {spun.at_s: spun for spun in spins}
    angles = [spun.angle_deg for spun in latest.values() if spun.trusted and not spun.void]
    shares = sectors.shares
    counts = dict.fromkeys(shares, 0)
    for angle_deg in angles:
        counts[sectors.nearest(angle_deg)] += 1
    total = len(angles)
    exact = total * min(shares.values()) < MIN_EXPECTED_SPINS
    probability = _probability(counts, shares, exact=exact)
    seats = tuple(
        Standing(seat, counts[seat], total * share, share, sectors.angles_deg[seat])
        for seat, share in shares.items()
    )
    notices = tuple(_notice(bias, tuple(shares.values()), total, exact=exact) for bias in BIASES)
    return Fairness(
        spins=total,
        left_out=len(latest) - total,
        rose=_rose(angles, petals),
        seats=seats,
        statistic=statistic(tuple(counts.values()), tuple(shares.values())) if total else 0.0,
        freedom=len(shares) - 1,
        probability=probability,
        exact=exact,
        notices=notices,
    )


def spins_needed(bias: float, shares: Iterable[float], chance: float = MIN_POWER) -> int:
    """Return how many spins notice a *bias* with such a *chance*, by the chi-square's curve.

    The bias is taken to be at the seat with the smallest share, where it is hardest to notice.

    >>> spins_needed(0.5, [0.25] * 4)
    131
    """
    shares = tuple(shares)
    per_spin = _noncentrality(bias, shares)
    freedom = len(shares) - 1
    high = next(n for n in (1 << k for k in count()) if power(n * per_spin, freedom) >= chance)
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power(middle * per_spin, freedom) >= chance else (middle, high)
    return high


def _probability(counts: dict[int, int], shares: dict[int, float], *, exact: bool) -> float:
    found, expected = tuple(counts.values()), tuple(shares.values())
    if not sum(found):
        return 1.0
    if exact:
        return exact_tail(found, expected)
    return tail(statistic(found, expected), len(expected) - 1)


def _noncentrality(bias: float, shares: tuple[float, ...]) -> float:
    # What one spin adds if the smallest share grows by *bias*, the others shrinking alike.
    least = min(shares)
    return bias * bias * least / (1 - least)


def _biased(bias: float, shares: tuple[float, ...]) -> tuple[float, ...]:
    favoured = shares.index(min(shares))
    grown = shares[favoured] * (1 + bias)
    rest = (1 - grown) / (1 - shares[favoured])
    return tuple(grown if seat == favoured else share * rest for seat, share in enumerate(shares))


def _notice(bias: float, shares: tuple[float, ...], total: int, *, exact: bool) -> Notice:
    needed = spins_needed(bias, shares)
    if not total:
        return Notice(bias, 0.0, needed)
    if exact:
        return Notice(bias, exact_power(shares, _biased(bias, shares), total), needed)
    return Notice(bias, power(total * _noncentrality(bias, shares), len(shares) - 1), needed)


def _rose(angles: list[float], petals: int) -> tuple[Petal, ...]:
    wide_deg = TURN_DEG / petals
    ended = [0] * petals
    for angle_deg in angles:
        ended[int(angle_deg % TURN_DEG // wide_deg) % petals] += 1
    return tuple(
        Petal(place * wide_deg, (place + 1) * wide_deg, spins) for place, spins in enumerate(ended)
    )
