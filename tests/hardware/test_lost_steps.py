"""Spins of which steps may have been lost."""

import pytest

from hardware.fake_idol import Motion, spin_edges
from hardware.inputs import Edge
from hardware.quadrature import EDGES, A, B
from hardware.spin import SpinDetector
from tests.hardware.spins import (
    FIGURES,
    LOSSLESS,
    TABLE,
    detect_spin,
    edges_of,
    levels,
    spun,
    still_detector,
    troubles,
)


def stopped(steps: int, rate: float) -> list[Edge]:
    """Return the edges of an idol that goes evenly and is stopped dead after so many steps."""
    ring = ((A, True), (B, True), (A, False), (B, False))
    return [Edge(*ring[step % EDGES], step / rate) for step in range(steps)]


def test_a_finger_may_stop_a_slow_idol() -> None:
    """So slow that no edge can be lost, a sudden stop is a stop."""
    edges = stopped(100, 60.0)
    told = spun(detect_spin(still_detector(edges, 0.0, FIGURES), edges))
    assert told.trusted
    assert told.turns == pytest.approx(100 / 80)


def test_a_fast_idol_stopped_dead_is_not_trusted() -> None:
    """It looks the same as steps missed; where nothing is ever lost it is a stop."""
    edges = stopped(200, 400.0)
    told = spun(detect_spin(still_detector(edges, 0.0, FIGURES), edges))
    assert (told.trusted, told.seats) == (False, ())
    assert told.reason.startswith("At 400 steps a second some may have been missed. See where")
    assert spun(detect_spin(still_detector(edges, 0.0, LOSSLESS), edges)).trusted


@pytest.mark.parametrize("gone", [1, 2, 3, 4, 8, 40])
def test_steps_lost_at_speed_are_noticed(gone: int) -> None:
    """Whole pulses too: the time between two steps tells of those."""
    edges = edges_of(Motion(4.0, 8.0))
    detector = still_detector(edges, 2.0, FIGURES)
    detector.sectors = TABLE
    told = detect_spin(detector, edges[:100] + edges[100 + gone :], whole=edges)
    assert (spun(told).trusted, spun(told).seats) == (False, ())
    assert not detector.located
    assert "zero is no longer known" in troubles(told)[0]


def test_steps_lost_before_the_first_are_noticed() -> None:
    """An idol that is at full speed from its first step on was not seen from the start."""
    edges = edges_of(Motion(4.0, 8.0))
    told = spun(detect_spin(still_detector(edges[48:], 2.0, FIGURES), edges[48:]))
    assert not told.trusted


@pytest.mark.parametrize("first", [31, 32, 60, 75, 76])
def test_a_pulse_that_one_wire_skips_is_noticed_at_any_speed(first: int) -> None:
    """A worn contact: the other wire then goes back and forth, which no turning idol does."""
    edges = edges_of(Motion(1.02, 0.6))
    heard = [edge for number, edge in enumerate(edges) if number not in (first, first + 2)]
    assert not spun(detect_spin(still_detector(edges, 2.0, FIGURES), heard, whole=edges)).trusted


def test_a_gap_with_full_speed_on_both_sides_is_noticed_at_any_speed() -> None:
    """So slow that no backlog fills, and still nothing that turns can do it."""
    edges = edges_of(Motion(1.5, 0.6))
    told = spun(detect_spin(still_detector(edges, 2.0, FIGURES), edges[:50] + edges[54:]))
    assert not told.trusted


def test_a_pause_between_two_pushes_is_no_loss() -> None:
    """A hand that turns it in two goes, each from rest to rest, loses nothing."""
    once = edges_of(Motion(1.0, 3.0), 1.0)
    again = list(spin_edges(361.0, Motion(1.0, 3.0), 20))
    edges = [*once, *(edge._replace(at_s=edge.at_s + once[-1].at_s + 0.3) for edge in again)]
    told = spun(detect_spin(still_detector(edges, 1.0, FIGURES), edges))
    assert told.trusted
    assert told.turns == pytest.approx(2.0, abs=0.02)


def test_a_wire_found_otherwise_than_heard_is_a_loss() -> None:
    """The last edge of a spin is missing: the level tells."""
    edges = edges_of(Motion(1.5, 2.0))
    detector = still_detector(edges, 2.0, FIGURES)
    told = spun(detect_spin(detector, edges[:-1], whole=edges))
    assert told.reason.startswith("A wire has changed without an edge")


def test_a_wire_that_owns_up_is_believed() -> None:
    """Edges that the wire's owner knows to be lost make the spin one not to be trusted, once."""
    edges, lost = edges_of(Motion(1.5, 2.0)), 0
    detector = SpinDetector(levels(edges), FIGURES, lost=lambda: lost)
    detector.correct(2.0)
    lost = 3
    assert spun(detect_spin(detector, edges)).reason.startswith("Its wires lost edges on the way.")
    detector.correct(182.0)
    on = list(spin_edges(542.0, Motion(1.2, 2.0), 20))
    assert spun(detect_spin(detector, on, 60.0)).trusted
