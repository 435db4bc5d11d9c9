"""Does the idol favour somebody: evidence that holds however often one looks, and plain words."""

import itertools
from math import comb, exp, factorial, prod
from typing import Final

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.apps.statistics.evidence import (
    PRIOR_SPINS,
    first_calls,
    log_evidence,
    share_bounds,
    usual_calls,
)
from companion.apps.statistics.fairness import ALPHA, assess_fairness, biased
from hardware.facts import Spun
from hardware.sectors import Sectors
from tests.tables import NAMES

TABLE = Sectors({seat: seat * 90.0 for seat in range(4)}, 4.5)

EQUAL: Final = (0.25,) * 4
EVENING: Final = 1000
SHARES: Final = [EQUAL, (1 / 3,) * 3, (1 / 6,) * 6, (0.25, 1 / 6, 0.25, 1 / 3)]
LIMIT: Final = 1 / ALPHA
# How many spins show a bias in half of all games; see docs/accuracy.md.
POWER: Final = [
    (biased(0.5, EQUAL), 116),
    (biased(1.0, EQUAL), 35),
    ((0.35, 0.35, 0.15, 0.15), 58),
]


def calls(
    shares: tuple[float, ...], truth: tuple[float, ...], courses: int, seed: int = 65
) -> NDArray[np.float64]:
    """Return after how many spins each of so many *courses* is called unfair, inf for never."""
    rng, piece = np.random.default_rng(seed), 250
    parts = [
        first_calls(shares, truth, LIMIT, (piece, EVENING), rng) for _ in range(courses // piece)
    ]
    return np.concatenate(parts)


def mixture(counts: tuple[int, ...], shares: tuple[float, ...]) -> float:
    """Return the evidence as a mean over shares drawn from the mixture."""
    rng = np.random.default_rng(3)
    drawn = rng.dirichlet([PRIOR_SPINS * share for share in shares], 200_000)
    return float(((drawn / np.array(shares)) ** np.array(counts)).prod(axis=1).mean())


@pytest.mark.parametrize("shares", SHARES[:2])
def test_the_evidence_is_a_mean_over_the_mixture(shares: tuple[float, ...]) -> None:
    """As drawn at random; the program works it out."""
    counts = (5, 1, 2, 0)[: len(shares)]
    assert exp(log_evidence(counts, shares)) == pytest.approx(mixture(counts, shares), rel=0.02)


@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.2, 0.3, 0.5)])
def test_of_a_fair_idol_the_evidence_comes_to_one_in_the_mean(shares: tuple[float, ...]) -> None:
    """After any number of spins, by all outcomes: that is what Ville's inequality needs."""
    for total in (1, 2, 9):
        found = 0.0
        for counts in itertools.product(range(total + 1), repeat=len(shares)):
            if sum(counts) == total:
                ways = factorial(total) / prod(map(factorial, counts))
                chance = ways * prod(s**c for s, c in zip(shares, counts, strict=True))
                found += chance * exp(log_evidence(counts, shares))
        assert found == pytest.approx(1.0)


def test_courses_are_called_when_the_evidence_says_so() -> None:
    """Spin by spin, as the page does it."""
    (first,) = first_calls(
        EQUAL, (0.7, 0.1, 0.1, 0.1), LIMIT, (1, EVENING), np.random.default_rng(1)
    )
    ends = np.cumsum((0.7, 0.1, 0.1, 0.1))[:-1]
    seats = np.searchsorted(ends, np.random.default_rng(1).random((1, EVENING)), side="right")[0]
    counts = [0, 0, 0, 0]
    for seat in seats[: int(first)]:
        assert log_evidence(counts, EQUAL) < np.log(LIMIT)
        counts[seat] += 1
    assert log_evidence(counts, EQUAL) >= np.log(LIMIT)


@pytest.mark.parametrize("shares", SHARES)
@pytest.mark.parametrize("courses", [1000, pytest.param(20_000, marks=pytest.mark.slow)])
def test_a_fair_idol_is_hardly_ever_called_unfair(shares: tuple[float, ...], courses: int) -> None:
    """In at most 5 % of evenings of 1,000 spins, with a look after each of them.

    Judged at 5 %, by the number drawn alone, Pearson's test did so in 34 % by the 200th spin.
    """
    called = np.isfinite(calls(shares, shares, courses)).mean()
    assert 0.02 < called <= ALPHA + (0.01 if courses < 20_000 else 0.0)


@pytest.mark.parametrize(("truth", "half"), POWER)
@pytest.mark.parametrize("courses", [500, pytest.param(4000, marks=pytest.mark.slow)])
def test_an_unfair_idol_is_called_soon(truth: tuple[float, ...], half: int, courses: int) -> None:
    """The figures of docs/accuracy.md."""
    found = np.median(calls(EQUAL, truth, courses))
    assert found == pytest.approx(half, rel=0.15 if courses < 4000 else 0.06)


@pytest.mark.parametrize("courses", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_the_bounds_of_all_shares_hold_at_every_look(courses: int) -> None:
    """In 95 % of games at least, of a fair idol and of an unfair one."""
    rng = np.random.default_rng(65)
    for truth in (EQUAL, (0.4, 0.3, 0.2, 0.1)):
        wrong = 0
        for _ in range(courses):
            drawn = np.cumsum(rng.multinomial(1, truth, size=200), axis=0)
            wrong += any(
                not low <= share <= high
                for total in range(1, 200, 8)
                for hits, share in zip(drawn[total - 1], truth, strict=True)
                for low, high in [share_bounds(int(hits), total, 0.25, ALPHA / 4)]
            )
        assert wrong <= ALPHA * courses + 1


def test_bounds_close_in_on_the_share() -> None:
    """They say nothing before the first spin, and their width halves with four times the spins."""
    assert share_bounds(0, 0, 0.25, 0.05) == (0.0, 1.0)
    few, many = (share_bounds(n // 4, n, 0.25, 0.05) for n in (400, 1600))
    assert few[0] < many[0] < 0.25 < many[1] < few[1]
    assert many[1] - many[0] == pytest.approx((few[1] - few[0]) / 2, rel=0.15)
    low, high = share_bounds(12, 12, 0.25, 0.05)
    assert (high, low > 0.3) == (1.0, True)
    at_low = sum(comb(12, k) * low**k * (1 - low) ** (12 - k) for k in (12,))
    assert at_low < 0.05


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
    assert not found.is_uneven
    assert found.rarity == pytest.approx(exp(log_evidence((8, 6, 5, 5), EQUAL)))
    first = usual_calls(EQUAL, biased(0.5, EQUAL), LIMIT, EVENING)
    assert found.notice.needed == first[159]
    assert 190 < first[159] < 250
    verdict, certainty = found.words(NAMES)
    assert verdict == "24 spins show nothing unfair."
    assert certainty == (
        "If it pointed at one player one and a half times as often as it should, this would have"
        f" shown by now in 0 of 10 games. About {found.notice.needed} spins would make it fairly"
        " certain."
    )


def test_many_even_spins_show_no_favour() -> None:
    """Enough of them, and the words say what would have been noticed."""
    found = assess_fairness(spins((75, 74, 77, 74)), TABLE)
    verdict, certainty = found.words(NAMES)
    assert verdict == "300 spins show nothing unfair."
    assert "would most likely show it" in certainty


def test_where_no_evening_is_long_enough_no_number_is_named() -> None:
    """Ten seats, each with a tenth of the circle."""
    found = assess_fairness(
        spins((2,) * 10, table := Sectors({seat: seat * 36.0 for seat in range(10)}, 4.5)), table
    )
    assert found.notice.needed is None
    assert found.words(NAMES)[1].endswith("in 0 of 10 games.")


def test_a_favoured_seat_is_named() -> None:
    """With what would be fair, and in how many games a fair idol would ever look like that."""
    found = assess_fairness(spins((34, 10, 8, 8)), TABLE)
    assert found.rarity > 1000
    verdict, odds, advice = found.words(NAMES)
    assert verdict == (
        "The idol may not be fair: 34 of 60 spins ended at Ann; about 15 would be normal."
    )
    assert odds == "A fair idol would ever look like this in fewer than 1 of 1000 games."
    assert "the table is level" in advice
    assert found.seats[0].low > 0.25
    milder = assess_fairness(spins((28, 12, 10, 10)), TABLE)
    assert LIMIT <= milder.rarity < 1000
    assert milder.words(NAMES)[1] == (
        f"A fair idol would ever look like this in at most 1 of {int(milder.rarity)} games, however"
        " often anyone checks."
    )


def test_a_wide_sector_may_be_hit_more_often() -> None:
    """Seats are held against their share of the circle, not against each other."""
    table = Sectors({0: 0.0, 1: 60.0, 2: 120.0, 3: 240.0}, 4.5)
    found = assess_fairness(spins((25, 16, 25, 34), table), table)
    assert [round(seat.share, 3) for seat in found.seats] == [0.25, 0.167, 0.25, 0.333]
    assert found.rarity < 1
    assert all(seat.low < seat.share < seat.high for seat in found.seats)


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
    assert found.rarity == 1.0
    assert sum(petal.spins for petal in found.rose) == 0


def test_the_rose_has_every_spin_in_its_place() -> None:
    """Equal petals round the whole circle; 360 is 0."""
    angles = (0.0, 9.9, 10.0, 359.9, 360.0)
    found = assess_fairness(
        [Spun(deg, 2.0, True, True, (), float(number)) for number, deg in enumerate(angles)], TABLE
    )
    assert (len(found.rose), found.rose[0].to_deg, found.rose[-1].to_deg) == (36, 10.0, 360.0)
    assert {p.from_deg: p.spins for p in found.rose if p.spins} == {0.0: 3, 10.0: 1, 350.0: 1}
