"""Where zero is: the index finds it, people put it right."""

from dataclasses import replace

import pytest

from hardware.device import BadValue
from hardware.facts import Troubled
from hardware.fake_idol import Motion, spin_edges
from hardware.inputs import Edge
from hardware.quadrature import INDEX
from hardware.sectors import turned
from hardware.spin import SpinDetector, SpinFigures, Turning
from tests.hardware.spins import (
    FIGURES,
    TABLE,
    after,
    detect_spin,
    edges_of,
    spun,
    still_detector,
    troubles,
)

INDEX_DEG = 91.0


def index_detector(pulses: int = 20, index_deg: float | None = INDEX_DEG) -> SpinDetector:
    """Return a judge with the index at 91 degrees, pointing to 2 degrees."""
    detector = SpinDetector((False, False, False), SpinFigures(pulses=pulses), TABLE, index_deg)
    detector.correct(2.0)
    detector.due(0.0)
    return detector


def index_edges(motion: Motion, start_deg: float = 2.0, pulses: int = 20) -> list[Edge]:
    """Return the edges of a clockwise *motion*, the index among them."""
    return list(spin_edges(start_deg, motion, pulses, index_deg=INDEX_DEG + 0.1))


def test_the_index_is_learned_at_its_first_pass() -> None:
    """With the zero known, its place is; without, it is not."""
    detector = index_detector(index_deg=None)
    detect_spin(detector, index_edges(Motion(1.5, 2.0)))
    assert detector.index_deg == pytest.approx(INDEX_DEG, abs=detector.figures.step_deg)
    blind = SpinDetector((False, False, False))
    detect_spin(blind, index_edges(Motion(1.5, 2.0)))
    assert blind.index_deg is None


def test_a_known_index_finds_the_zero() -> None:
    """After a restart nobody has to say where it points: the first pass does."""
    detector = SpinDetector((False, False, False), FIGURES, TABLE, INDEX_DEG)
    told = spun(detect_spin(detector, index_edges(Motion(1.5, 2.0))))
    assert told.trusted
    assert told.seats == (2,)


def test_the_index_clears_a_doubt() -> None:
    """A gap in the steps that the index does not confirm was none; without index it is doubted."""
    edges = index_edges(Motion(4.0, 8.0))
    late = [
        edge if number < 60 else edge._replace(at_s=edge.at_s + 0.02)
        for number, edge in enumerate(edges)
    ]
    assert spun(detect_spin(index_detector(), late)).trusted
    bare = [edge for edge in late if edge.contact != INDEX]
    assert not spun(detect_spin(index_detector(index_deg=None), bare)).trusted


def test_the_index_finds_a_loss_and_puts_the_zero_right() -> None:
    """The spin in which whole pulses went missing is not trusted, the next one is."""
    detector = index_detector()
    edges = index_edges(Motion(4.0, 8.0))
    told = detect_spin(detector, edges[:60] + edges[68:])
    assert spun(told).reason.startswith("The index says that 8 steps were missed.")
    assert spun(told).seats == ()
    assert detector.located
    assert troubles(told)[-1] == ""
    assert abs(turned(detector.angle_deg, 2.0)) <= detector.figures.step_deg * 2
    on = index_edges(Motion(1.25, 2.0), 1442.0)
    assert spun(detect_spin(detector, on, 60.0)).seats == (1,)


def test_a_loss_right_behind_the_index_is_noticed() -> None:
    """What the index vouches for ends where it stands."""
    edges = index_edges(Motion(1.2, 8.0))
    at = max(number for number, edge in enumerate(edges) if edge.contact == INDEX)
    told = spun(detect_spin(index_detector(), edges[: at + 1] + edges[at + 5 :]))
    assert not told.trusted


def test_an_index_that_stays_away_is_a_contradiction() -> None:
    """More than a full turn without it cannot be."""
    edges = [edge for edge in index_edges(Motion(1.5, 2.0)) if edge.contact != INDEX]
    told = spun(detect_spin(index_detector(), edges))
    assert told.reason.startswith("Its index was not seen for a full turn.")


def test_a_correction_puts_the_zero_right_and_withdraws_the_spin() -> None:
    """By more than a step: it says by how much, and the spin before is told again, untrusted."""
    edges = edges_of(Motion(1.5, 2.0))
    detector = still_detector(edges, 2.0, FIGURES)
    detector.sectors = TABLE
    first = spun(detect_spin(detector, edges))
    assert first.seats == (2,)
    assert detector.correct(200.0) == pytest.approx(18.0, abs=FIGURES.step_deg)
    assert detector.next_due_s is not None
    trouble, again, well = detector.due(99.0)
    assert again == replace(first, trusted=False, seats=(), reason=spun([again]).reason)
    assert isinstance(trouble, Troubled)
    assert trouble.trouble.startswith(
        "The idol's zero was off by 18 degrees and has been corrected."
    )
    assert well == Troubled("idol", "", trouble.at_s)
    assert detector.angle_deg == pytest.approx(200.0)


def test_a_reading_that_agrees_confirms_the_zero() -> None:
    """Within a step, or within what the reading itself may be off, nothing moves nor is told."""
    detector = after(Motion(1.5, 2.0))
    pointed_deg = detector.angle_deg
    assert detector.correct(pointed_deg + 4.0) == 0.0
    assert detector.correct(pointed_deg - 9.0, within_deg=10.0) == 0.0
    assert detector.angle_deg == pointed_deg
    assert detector.due(99.0) == ()


def test_a_correction_after_a_loss_trusts_it_again() -> None:
    """Once told where it points the idol names seats again."""
    edges = edges_of(Motion(4.0, 8.0))
    detector = still_detector(edges, 2.0, FIGURES)
    detector.sectors = TABLE
    detect_spin(detector, edges[:100] + edges[104:])
    detector.correct(2.0)
    assert troubles(detector.due(99.0)) == [""]
    on = list(spin_edges(1442.0, Motion(1.25, 2.0), 20))
    assert spun(detect_spin(detector, on, 60.0)).seats == (1,)


def test_a_zero_that_is_lost_at_rest_costs_no_spin() -> None:
    """The next turn is counted in full, though nobody knows from where; aiming puts it right."""
    lost = [0]
    edges = edges_of(Motion(1.5, 2.0))
    detector = SpinDetector((False, False), FIGURES, TABLE, lost=lambda: lost[0])
    detector.correct(2.0)
    detector.due(0.0)
    lost[0] = 7
    detector.lose_zero("the Pico has restarted")
    assert not detector.located
    (said,) = troubles(detector.due(0.5))
    assert said.startswith("The Pico has restarted. The zero is no longer known.")
    told = spun(detect_spin(detector, edges))
    assert (told.trusted, told.seats) == (False, ())
    assert told.reason.startswith("The idol's zero is not known.")
    detector.correct(2.0)
    again = list(spin_edges(2.0, Motion(1.25, 2.0), 20))
    assert spun(detect_spin(detector, again, 60.0)).trusted


def test_a_zero_that_is_lost_in_a_spin_costs_that_spin() -> None:
    """How far it turned is not known either; the reason is told with it."""
    edges = edges_of(Motion(1.5, 2.0))
    detector = still_detector(edges, 2.0, FIGURES)
    for edge in edges[:50]:
        detector.edge(*edge)
    detector.lose_zero("the Pico has restarted")
    told = spun(detector.due(99.0))
    assert not told.trusted
    assert told.reason.startswith("The Pico has restarted.")


def test_it_is_corrected_at_rest_only() -> None:
    """While it turns no reading can be meant for where it is."""
    edges = edges_of(Motion(1.5, 2.0))
    detector = still_detector(edges, 2.0, FIGURES)
    for edge in edges[:50]:
        detector.edge(*edge)
    with pytest.raises(Turning, match="when it is at rest"):
        detector.correct(0.0)


@pytest.mark.parametrize("angle_deg", [float("nan"), float("inf")])
def test_no_angle_is_no_correction(angle_deg: float) -> None:
    """What a camera may make of nothing leaves the zero alone."""
    detector = after(Motion(1.5, 2.0))
    with pytest.raises(BadValue, match="not an angle"):
        detector.correct(angle_deg)
    assert detector.located


def test_the_index_moves_the_zero_by_whole_pulses_only() -> None:
    """Whatever was missed, the zero comes back exactly: no step creeps in over many losses."""
    detector = index_detector()
    turn = index_edges(Motion(3.0, 8.0))
    true_deg = detector.angle_deg
    for number, gone in enumerate((1, 2, 3, 4, 5, 7, 12)):
        heard = turn[:70] + turn[70 + gone :]
        assert not spun(detect_spin(detector, heard, 60.0 * number, whole=turn)).trusted
        assert detector.located
        assert abs(turned(detector.angle_deg, true_deg)) < 1e-6
