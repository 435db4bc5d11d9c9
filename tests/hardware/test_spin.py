"""From steps to a spin: void, trusted, reversed by hand, and to whom it points."""

import itertools
from typing import Any

import pytest

from hardware.device import BadValue
from hardware.facts import Troubled
from hardware.fake_idol import Motion, spin_edges
from hardware.inputs import Edge
from hardware.sectors import BadSeats, Sectors, turned
from hardware.spin import SpinDetector, SpinFigures
from tests.hardware.spins import (
    FIGURES,
    LATER_S,
    LOSSLESS,
    TABLE,
    after,
    detect_spin,
    edges_of,
    levels,
    spun,
    still_detector,
    troubles,
)


@pytest.mark.parametrize("clockwise", [True, False])
@pytest.mark.parametrize("pulses", [20, 100, 600])
def test_a_spin_is_told_whole(pulses: int, clockwise: bool) -> None:
    """Angle, turns, direction, moment of rest and seat of a spin that lost nothing."""
    figures, motion = SpinFigures(pulses=pulses), Motion(2.25, 3.0)
    edges = edges_of(motion, 5.0, pulses, clockwise=clockwise)
    detector = still_detector(edges, 5.0, figures)
    detector.sectors = TABLE
    told = spun(detect_spin(detector, edges, 7.0))
    end_deg = 95.0 if clockwise else 275.0
    assert abs(turned(told.angle_deg, end_deg)) <= figures.step_deg
    assert told.turns == pytest.approx(2.25, abs=1 / figures.steps)
    assert (told.clockwise, told.trusted, told.void, told.reason) == (clockwise, True, False, "")
    assert told.seats == ((1,) if clockwise else (3,))
    assert told.at_s == pytest.approx(7.0 + edges[-1].at_s)


def test_less_than_a_turn_is_void() -> None:
    """It is to be repeated: no seat, and the reason says how far it went."""
    edges = edges_of(Motion(0.9, 2.0))
    detector = still_detector(edges, 2.0, FIGURES)
    detector.sectors = TABLE
    told = spun(detect_spin(detector, edges))
    assert (told.void, told.trusted, told.seats) == (True, True, ())
    assert told.reason == "It turned only 0.90 times; a spin takes a full turn, so spin again."


def test_a_touch_is_no_spin() -> None:
    """Less than thirty degrees tells nothing, but the angle follows."""
    detector = after(Motion(25 / 360, 0.3))
    assert detector.angle_deg == pytest.approx(27.0, abs=FIGURES.step_deg)
    assert detector.due(99.0) == ()


def test_between_two_seats_both_are_named() -> None:
    """A stop in the margin is no reason to distrust: the spinner chooses."""
    edges = edges_of(Motion(1.125, 2.0), 0.1)
    detector = still_detector(edges, 0.1, FIGURES)
    detector.sectors = TABLE
    told = spun(detect_spin(detector, edges))
    assert (told.seats, told.trusted, told.reason) == ((0, 1), True, "")


def test_without_seats_it_says_so() -> None:
    """An angle is told all the same."""
    edges = edges_of(Motion(1.5, 2.0))
    told = spun(detect_spin(still_detector(edges, 2.0, FIGURES), edges))
    assert (told.seats, told.trusted) == ((), True)
    assert told.reason == "The seats are not calibrated: point the idol at each seat once."


def test_an_unknown_zero_names_nobody() -> None:
    """Before anybody said where it points, a full spin is not trusted; a void one is void."""
    edges = edges_of(Motion(1.5, 2.0))
    detector = SpinDetector(levels(edges), FIGURES, TABLE)
    told = spun(detect_spin(detector, edges))
    assert (told.seats, told.trusted, told.void) == ((), False, False)
    assert "zero is not known" in told.reason
    short = edges_of(Motion(0.5, 2.0))
    told = spun(detect_spin(SpinDetector(levels(short), FIGURES, TABLE), short))
    assert (told.void, told.trusted) == (True, True)


def test_dithering_on_an_edge_is_rest() -> None:
    """One wire that goes to and fro after the stop keeps no spin from its end, nor begins one."""
    edges = edges_of(Motion(1.5, 2.0))
    wire, active, stop_s = edges[-1]
    jitter = [
        Edge(wire, active == bool(number % 2), stop_s + 0.1 + number / 50) for number in range(100)
    ]
    detector = still_detector(edges, 2.0, FIGURES)
    told = [
        fact for fact in detect_spin(detector, [*edges, *jitter]) if not isinstance(fact, Troubled)
    ]
    assert len(told) == 1
    assert spun(told).at_s == pytest.approx(stop_s)
    assert spun(told).trusted


def test_chatter_for_ever_is_reported_once_and_taken_back() -> None:
    """A loose wire is named with what to do; the next spin clears it."""
    edges = edges_of(Motion(1.5, 2.0))
    detector = still_detector(edges, 2.0, FIGURES)
    detect_spin(detector, edges)
    wire, active, stop_s = edges[-1]
    chatter = [
        Edge(wire, active == bool(number % 2), stop_s + 6 + number / 500) for number in range(4000)
    ]
    (trouble,) = troubles(detect_spin(detector, chatter))
    assert trouble == "The idol chatters in one position: check its wires, supply and pull-ups."
    on = list(spin_edges(542.0, Motion(1.2, 2.0), 20))
    assert troubles(detect_spin(detector, on, stop_s + 60)) == [""]


def test_a_little_swing_back_belongs_to_the_spin() -> None:
    """The idol rolls back by 20 degrees: the turns are those up to there, the angle is the last."""
    detector = after(Motion(1.5, 2.0))
    there = edges_of(Motion(1.5, 2.0))
    back = list(spin_edges(542.0, Motion(20 / 360, 0.3), 20, clockwise=False))
    edges = [*there, *(edge._replace(at_s=edge.at_s + there[-1].at_s + 0.1) for edge in back)]
    detector = still_detector(edges, 2.0, FIGURES)
    told = spun(detect_spin(detector, edges))
    assert told.turns == pytest.approx(1.5, abs=0.02)
    assert told.angle_deg == pytest.approx(162.0, abs=FIGURES.step_deg)
    assert (told.clockwise, told.trusted) == (True, True)


def test_turned_back_by_hand_it_counts_from_there() -> None:
    """After a full turn somebody pushes it back by half of one: what follows is void."""
    there = edges_of(Motion(1.5, 2.0))
    back = list(spin_edges(542.0, Motion(0.5, 1.0), 20, clockwise=False))
    edges = [*there, *(edge._replace(at_s=edge.at_s + there[-1].at_s + 0.1) for edge in back)]
    told = spun(detect_spin(still_detector(edges, 2.0, FIGURES), edges))
    assert (told.void, told.clockwise) == (True, False)
    assert told.turns == pytest.approx(0.5, abs=0.02)


def test_a_test_that_looks_for_a_spin_fails_without_one() -> None:
    """Neither none nor two pass for the one spin that is asked for."""
    edges = edges_of(Motion(1.5, 2.0))
    facts = detect_spin(still_detector(edges, 2.0, FIGURES), edges)
    for wrong in ((), facts * 2):
        with pytest.raises(ValueError, match="unpack"):
            spun(wrong)


def test_steps_may_be_counted_elsewhere() -> None:
    """A microcontroller tells many steps at once: the same spin."""
    detector = SpinDetector((False, False), LOSSLESS, TABLE)
    detector.correct(0.0)
    for part in range(10):
        detector.move(18, part / 10)
    told = spun(detector.due(9.0))
    assert (told.turns, round(told.angle_deg), told.seats) == (2.25, 90, (1,))


def test_a_spin_that_never_ends_keeps_a_bounded_memory() -> None:
    """Somebody turns it for an hour: old times are judged and dropped, a loss among them kept."""
    figures = SpinFigures(pulses=600)
    edges = edges_of(Motion(9.0, 8.0), pulses=600)
    assert len(edges) > 2 * 8192
    assert spun(detect_spin(still_detector(edges, 2.0, figures), edges)).trusted
    short = edges[:2000] + edges[2004:]
    assert not spun(detect_spin(still_detector(edges, 2.0, figures), short)).trusted


@pytest.mark.parametrize("pulses", [0, 19, 601, -20])
def test_an_encoder_out_of_range_is_refused(pulses: int) -> None:
    """It says what would be right."""
    with pytest.raises(BadValue, match="20 to 600"):
        SpinFigures(pulses=pulses)


@pytest.mark.parametrize("name", ["rest_s", "least_deg", "back_deg", "chatter"])
def test_figures_that_cannot_be_are_refused(name: str) -> None:
    """Each is more than nothing, and named."""
    nothing: dict[str, Any] = {name: 0}
    with pytest.raises(BadValue, match=f"idol's {name} is 0; it must be above 0"):
        SpinFigures(**nothing)


def test_seats_taught_with_a_finer_encoder_are_refused() -> None:
    """Their margin would not cover a step of this one; taught with a coarser one they will do."""
    fine = Sectors({0: 0.0, 1: 180.0}, SpinFigures(pulses=100).step_deg)
    with pytest.raises(BadSeats, match=r"steps of 0.9 degrees.*steps of 4.5: calibrate the idol"):
        SpinDetector((False, False), FIGURES, fine)
    detector = SpinDetector((False, False), SpinFigures(pulses=600), fine)
    assert detector.sectors is fine


@pytest.mark.parametrize("clockwise", [True, False])
@pytest.mark.parametrize("pulses", [20, 100, 600])
@pytest.mark.parametrize("turns", [0.2, 0.9, 2.25, 7.6])
def test_counted_steps_tell_the_same_spin(turns: float, pulses: int, clockwise: bool) -> None:
    """Whether each edge is told, or a hundred times a second how many steps there were."""
    figures, motion = SpinFigures(pulses=pulses, backlog=LOSSLESS.backlog), Motion(turns, 3.0)
    edges = edges_of(motion, 5.0, pulses, clockwise=clockwise)
    by_edges = still_detector(edges, 5.0, figures)
    counted = SpinDetector((False, False), figures)
    counted.correct(5.0)
    counted.due(0.0)
    by_edges.sectors = counted.sectors = TABLE
    whole = spun(detect_spin(by_edges, edges))
    for _, some in itertools.groupby(edges, lambda edge: int(edge.at_s * 100)):
        times = [edge.at_s for edge in some]
        counted.move(len(times) if clockwise else -len(times), times[-1])
    assert counted.due(LATER_S + motion.lasts_s) == (whole,)
