"""A hundred thousand spins, and never a wrong seat.

Told edge by edge: 3,000 with nothing lost and 7,600 with edges lost, by a bad contact, a worn one
and a full buffer (judged as on the header), and in a row anywhere (judged warily).  The other
88,000 lose nothing and are told in a few counts each, as a microcontroller would: they try out
angles, seats, margins, encoders and directions, not edges.  Seeds are fixed: a failure can be
looked at.
"""

from random import Random

import pytest

from hardware.momentum import Backlog
from hardware.spin import SpinDetector
from tests.hardware.simulation import (
    HEADER,
    TRUSTING,
    WARY,
    Circle,
    Lose,
    Tally,
    draw_circle,
    lose_backlog,
    lose_burst,
    lose_lone,
    skip_pulse,
    spin_by_counts,
    spin_by_edges,
)

COARSE = (20, 20, 20, 24, 30, 50)
ENCODERS = (20, 24, 50, 100, 200, 360, 600)


@pytest.mark.slow(keep=["[700"])
@pytest.mark.parametrize("spins", [700, 2300])
def test_nothing_lost_is_always_trusted(spins: int) -> None:
    """Edge by edge: all trusted, none wrong, each with a seat unless void."""
    rng, tally = Random(spins), Tally()
    for number in range(spins):
        pulses = rng.choice(COARSE if number % 50 else ENCODERS)
        spin_by_edges(draw_circle(rng, pulses, rng.choice((HEADER, WARY))), rng, tally)
    assert (tally.whole, tally.trusted) == (spins, spins)
    assert (tally.wrong, tally.missed) == (0, 0)
    assert tally.void > spins // 10
    assert tally.between > spins // 10


@pytest.mark.parametrize(
    ("lose", "backlog", "spins"),
    [
        (lose_backlog, HEADER, 3000),
        (lose_lone, HEADER, 2000),
        (skip_pulse, HEADER, 600),
        (lose_burst, WARY, 2000),
    ],
)
@pytest.mark.slow(keep=["skip_pulse"])
def test_no_lost_edge_names_a_wrong_seat(lose: Lose, backlog: Backlog, spins: int) -> None:
    """Whatever is lost, and wherever: a spin that lost steps is doubted, and no seat is named."""
    rng, tally = Random(2), Tally()
    for _ in range(spins):
        spin_by_edges(draw_circle(rng, rng.choice(COARSE), backlog), rng, tally, lose)
    assert tally.wrong == 0
    assert tally.lossy > spins // 3
    assert tally.doubted == tally.lossy
    assert tally.trusted == tally.whole


@pytest.mark.slow
def test_no_angle_names_a_wrong_seat() -> None:
    """Eighty-eight thousand spins among two to ten seats, with every encoder, either way round."""
    rng, tally = Random(3), Tally()
    for _ in range(880):
        circle = draw_circle(rng, rng.choice(ENCODERS), TRUSTING)
        detector = SpinDetector((False, False), circle.figures, circle.table)
        angle_deg = rng.uniform(0, 360)
        detector.correct(circle.read(angle_deg))
        for _ in range(100):
            angle_deg = spin_by_counts(circle, detector, angle_deg, rng, tally)
    assert (tally.spins, tally.trusted) == (88_000, 88_000)
    assert (tally.wrong, tally.missed) == (0, 0)
    assert tally.between > 9000


def test_the_simulation_finds_a_judge_that_trusts_too_much() -> None:
    """One who does not look at the times of the steps names wrong seats, and is caught."""
    rng, tally = Random(2), Tally()
    for _ in range(300):
        spin_by_edges(draw_circle(rng, 20, TRUSTING), rng, tally, lose_backlog)
    assert tally.wrong > 5
    assert tally.doubted < tally.lossy


def test_the_simulation_knows_a_wrong_seat() -> None:
    """Right is the nearest, or the two with the line at hand; anything else is wrong."""
    circle: Circle = draw_circle(Random(4), 600)
    first, second = circle.true_deg[:2]
    middle = (first + second) / 2
    assert circle.is_right((0,), first)
    assert not circle.is_right((1,), first)
    assert circle.is_right((0, 1), middle)
    assert not circle.is_right((0, 1), first)
    tally = Tally()
    circle.count(None, first, lost=False, tally=tally)
    assert tally.missed == 1
