"""Does the idol favour somebody: counts, chi-square, power, and plain words."""

import itertools
import random
from collections import Counter
from functools import cache
from math import factorial, prod

import pytest

from companion.apps.statistics.chi_square import (
    ALPHA,
    critical,
    exact_power,
    exact_spread,
    exact_tail,
    power,
    statistic,
    tail,
)
from companion.apps.statistics.fairness import assess_fairness, spins_needed
from hardware.facts import Spun
from hardware.sectors import Sectors
from tests.tables import NAMES

TABLE = Sectors({seat: seat * 90.0 for seat in range(4)}, 4.5)

# NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.4: upper critical values.
CRITICAL = [
    (1, 3.841, 6.635),
    (2, 5.991, 9.210),
    (3, 7.815, 11.345),
    (4, 9.488, 13.277),
    (5, 11.070, 15.086),
    (6, 12.592, 16.812),
    (7, 14.067, 18.475),
    (8, 15.507, 20.090),
    (9, 16.919, 21.666),
]
# Noncentralities at 0.05, from the table of D. Zaykin, North Carolina State University
# (NonCentrTable.txt, worked out with Mathematica's NoncentralChiSquareDistribution).
NEEDED = [
    (1, 0.40, 2.91145),
    (1, 0.80, 7.84886),
    (1, 0.99, 18.3725),
    (8, 0.40, 6.71289),
    (8, 0.60, 10.2362),
    (8, 0.80, 15.0221),
    (8, 0.95, 22.7437),
    (8, 0.999, 40.0366),
]


@pytest.mark.parametrize(("freedom", "five", "one"), CRITICAL)
def test_the_tail_is_that_of_the_printed_table(freedom: int, five: float, one: float) -> None:
    """Both ways round, to the three places that are printed."""
    assert critical(freedom, 0.05) == pytest.approx(five, abs=5e-4)
    assert critical(freedom, 0.01) == pytest.approx(one, abs=5e-4)
    assert tail(five, freedom) == pytest.approx(0.05, abs=1e-4)
    assert tail(0.0, freedom) == 1.0


@pytest.mark.parametrize(("freedom", "chance", "noncentrality"), NEEDED)
def test_the_power_is_that_of_a_published_table(
    freedom: int, chance: float, noncentrality: float
) -> None:
    """To a hundred-thousandth, and without a bias it is the test's own error."""
    assert power(noncentrality, freedom) == pytest.approx(chance, abs=1e-5)
    assert power(0.0, freedom) == ALPHA


def test_the_statistic_is_pearsons() -> None:
    """Sixty throws of a die that falls on six too often, counted out by hand."""
    counts = (5, 8, 9, 8, 10, 20)
    assert statistic(counts, (1 / 6,) * 6) == pytest.approx(13.4)
    assert tail(13.4, 5) == pytest.approx(0.0199, abs=1e-4)


def enumerate_tail(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """Return the probability of a statistic as high or higher, outcome by outcome."""
    total, reached = sum(counts), statistic(counts, shares)
    found = 0.0
    for outcome in itertools.product(range(total + 1), repeat=len(shares)):
        if sum(outcome) == total and statistic(outcome, shares) >= reached - 1e-9:
            ways = factorial(total) / prod(map(factorial, outcome))
            found += ways * prod(s**c for s, c in zip(shares, outcome, strict=True))
    return found


@pytest.mark.parametrize(
    ("counts", "shares"),
    [
        ((6, 1, 1), (1 / 3,) * 3),
        ((0, 9, 3), (0.25, 0.25, 0.5)),
        ((3, 3, 2, 0), (0.25,) * 4),
        ((7, 0), (0.5, 0.5)),
    ],
)
def test_the_exact_test_counts_every_outcome(
    counts: tuple[int, ...], shares: tuple[float, ...]
) -> None:
    """As probable as by listing all outcomes, one after the other."""
    assert exact_tail(counts, shares) == pytest.approx(enumerate_tail(counts, shares), abs=1e-9)


def test_exact_chances_come_to_one() -> None:
    """Also with unequal shares and with everything above the last place."""
    assert exact_spread((0.1, 0.2, 0.7), (0.6, 0.2, 0.2), 30).sum() == pytest.approx(1.0)


def test_exact_power_is_what_happens() -> None:
    """Drawn at random, a biased idol is noticed as often as counted out; a fair one never oftener.

    The draws only check the figure; the program draws nothing.
    """
    shares, truth, total = (0.25,) * 4, (0.55, 0.15, 0.15, 0.15), 16
    expected = exact_power(shares, truth, total)
    probability = cache(lambda counts: exact_tail(counts, shares))  # seats are alike: any order
    rng = random.Random(5)
    noticed = 0
    for _ in range(2000):
        drawn = Counter(rng.choices(range(4), truth, k=total))
        noticed += probability(tuple(sorted(drawn[seat] for seat in range(4)))) <= ALPHA
    assert noticed / 2000 == pytest.approx(expected, abs=0.035)
    assert exact_power(shares, shares, total) <= ALPHA


def spins(counts: tuple[int, ...], sectors: Sectors = TABLE) -> list[Spun]:
    """Return spins that ended so often at each seat."""
    ended = [seat for seat, times in enumerate(counts) for _ in range(times)]
    return [
        Spun(sectors.angles_deg[seat] + 3.0, 2.0, True, True, (seat,), float(number))
        for number, seat in enumerate(ended)
    ]


def test_an_evening_cannot_settle_it() -> None:
    """Twenty-four spins at four seats: the words say how often a bias would be noticed."""
    found = assess_fairness(spins((8, 6, 5, 5)), TABLE)
    assert not found.exact
    assert found.statistic == pytest.approx(1.0)
    assert found.probability == pytest.approx(0.8013, abs=1e-4)
    half = found.notices[1]
    assert (half.bias, half.needed) == (0.5, 131)
    assert half.chance == pytest.approx(power(2.0, 3))
    verdict, certainty = found.words(NAMES)
    assert verdict == "Judging by 24 spins, the idol is fair."
    assert certainty == (
        "If it pointed at one player one and a half times as often as it should, this would show"
        " on 2 of 10 such evenings. 131 spins would make it fairly certain."
    )


def test_many_even_spins_show_no_favour() -> None:
    """Enough of them, and the words say what would have been noticed."""
    found = assess_fairness(spins((50, 49, 52, 49)), TABLE)
    verdict, certainty = found.words(NAMES)
    assert verdict == "Judging by 200 spins, the idol is fair."
    assert "would most likely show it" in certainty


def test_a_favoured_seat_is_named() -> None:
    """With what would be fair, how rare it is, and a warning about looking again and again."""
    found = assess_fairness(spins((31, 10, 10, 9)), TABLE)
    assert found.probability < 1e-4
    verdict, odds, advice = found.words(NAMES)
    assert verdict == (
        "The idol may not be fair: 31 of 60 spins ended at Ann; about 15 would be normal."
    )
    assert odds == "A fair idol would do this on fewer than 1 in 1000 evenings."
    assert "anyone who checks after every spin" in advice
    milder = assess_fairness(spins((25, 12, 12, 11)), TABLE)
    assert f"1 in {round(1 / milder.probability)} evenings" in milder.words(NAMES)[1]


def test_few_spins_are_counted_out() -> None:
    """Below five expected at a seat the curve would not be honest."""
    found = assess_fairness(spins((7, 1, 1, 1)), TABLE)
    assert found.exact
    assert found.probability == pytest.approx(exact_tail((7, 1, 1, 1), (0.25,) * 4))
    assert assess_fairness(spins((5, 5, 5, 5)), TABLE).exact is False


def test_a_wide_sector_may_be_hit_more_often() -> None:
    """Seats are held against their share of the circle, not against each other."""
    table = Sectors({0: 0.0, 1: 60.0, 2: 120.0, 3: 240.0}, 4.5)
    found = assess_fairness(spins((25, 16, 25, 34), table), table)
    assert [round(seat.share, 3) for seat in found.seats] == [0.25, 0.167, 0.25, 0.333]
    assert found.probability > 0.9


def test_only_spins_that_count_are_counted() -> None:
    """Void and untrusted ones are left out, and one that was withdrawn is its last telling."""
    good = Spun(3.0, 2.0, True, True, (0,), 1.0)
    void = Spun(3.0, 0.5, True, True, (), 2.0, void=True)
    doubted = Spun(3.0, 2.0, True, False, (), 3.0)
    withdrawn = Spun(93.0, 2.0, True, True, (1,), 4.0)
    again = Spun(93.0, 2.0, True, False, (), 4.0)
    found = assess_fairness([good, void, doubted, withdrawn, again], TABLE)
    assert (found.spins, found.left_out) == (1, 3)
    assert found.words(NAMES) == ("1 spin is too few to tell whether the idol is fair.",)


def test_no_spins_are_no_reason() -> None:
    """A page can be drawn before the first one."""
    found = assess_fairness([], TABLE)
    assert found.words(NAMES) == ("No spin of the idol has been measured in this game yet.",)
    assert found.probability == 1.0
    assert sum(petal.spins for petal in found.rose) == 0


def test_the_rose_has_every_spin_in_its_place() -> None:
    """Equal petals round the whole circle; 360 is 0."""
    angles = (0.0, 9.9, 10.0, 359.9, 360.0)
    found = assess_fairness(
        [Spun(deg, 2.0, True, True, (), float(number)) for number, deg in enumerate(angles)], TABLE
    )
    assert (len(found.rose), found.rose[0].to_deg, found.rose[-1].to_deg) == (36, 10.0, 360.0)
    assert {p.from_deg: p.spins for p in found.rose if p.spins} == {0.0: 3, 10.0: 1, 350.0: 1}


def test_a_small_bias_needs_many_spins() -> None:
    """Half the bias takes four times the spins, within rounding."""
    assert spins_needed(0.25, [0.25] * 4) == pytest.approx(4 * spins_needed(0.5, [0.25] * 4), abs=4)
