"""From steps to a spin: void, trusted, reversed by hand, and to whom it points."""

from dataclasses import replace
from typing import Any

import pytest

from hardware.device import BadValue
from hardware.facts import Troubled
from hardware.fake_idol import Motion, spin_edges
from hardware.inputs import Edge
from hardware.momentum import Backlog
from hardware.quadrature import EDGES, INDEX, A, B
from hardware.sectors import BadSeats, Sectors, turned
from hardware.spin import SpinFigures, SpinJudge, Turning
from tests.hardware.spins import edges_of, judge_spin, levels, spun, still_judge, troubles

FIGURES = SpinFigures()
LOSSLESS = SpinFigures(backlog=Backlog(wait_s=0.0))
TABLE = Sectors({seat: seat * 90.0 for seat in range(4)}, FIGURES.step_deg)


def after(
    motion: Motion,
    start_deg: float = 2.0,
    figures: SpinFigures = FIGURES,
    *,
    clockwise: bool = True,
) -> SpinJudge:
    """Return a judge that has just seen a *motion*."""
    edges = edges_of(motion, start_deg, figures.pulses, clockwise=clockwise)
    judge = still_judge(edges, start_deg, figures)
    judge_spin(judge, edges)
    return judge


@pytest.mark.parametrize("clockwise", [True, False])
@pytest.mark.parametrize("pulses", [20, 100, 600])
def test_a_spin_is_told_whole(pulses: int, clockwise: bool) -> None:
    """Angle, turns, direction, moment of rest and seat of a spin that lost nothing."""
    figures, motion = SpinFigures(pulses=pulses), Motion(2.25, 3.0)
    edges = edges_of(motion, 5.0, pulses, clockwise=clockwise)
    judge = still_judge(edges, 5.0, figures)
    judge.sectors = TABLE
    told = spun(judge_spin(judge, edges, 7.0))
    end_deg = 95.0 if clockwise else 275.0
    assert abs(turned(told.angle_deg, end_deg)) <= figures.step_deg
    assert told.turns == pytest.approx(2.25, abs=1 / figures.steps)
    assert (told.clockwise, told.trusted, told.void, told.reason) == (clockwise, True, False, "")
    assert told.seats == ((1,) if clockwise else (3,))
    assert told.at_s == pytest.approx(7.0 + edges[-1].at_s)


def test_less_than_a_turn_is_void() -> None:
    """It is to be repeated: no seat, and the reason says how far it went."""
    edges = edges_of(Motion(0.9, 2.0))
    judge = still_judge(edges, 2.0, FIGURES)
    judge.sectors = TABLE
    told = spun(judge_spin(judge, edges))
    assert (told.void, told.trusted, told.seats) == (True, True, ())
    assert told.reason == "It turned only 0.90 times; a spin takes a full turn, so spin again."


def test_a_touch_is_no_spin() -> None:
    """Less than thirty degrees tells nothing, but the angle follows."""
    judge = after(Motion(25 / 360, 0.3))
    assert judge.angle_deg == pytest.approx(27.0, abs=FIGURES.step_deg)
    assert judge.due(99.0) == ()


def test_between_two_seats_both_are_named() -> None:
    """A stop in the margin is no reason to distrust: the spinner chooses."""
    edges = edges_of(Motion(1.125, 2.0), 0.1)
    judge = still_judge(edges, 0.1, FIGURES)
    judge.sectors = TABLE
    told = spun(judge_spin(judge, edges))
    assert (told.seats, told.trusted, told.reason) == ((0, 1), True, "")


def test_without_seats_it_says_so() -> None:
    """An angle is told all the same."""
    edges = edges_of(Motion(1.5, 2.0))
    told = spun(judge_spin(still_judge(edges, 2.0, FIGURES), edges))
    assert (told.seats, told.trusted) == ((), True)
    assert told.reason == "The seats are not calibrated: point the idol at each seat once."


def test_an_unknown_zero_names_nobody() -> None:
    """Before anybody said where it points, a full spin is not trusted; a void one is void."""
    edges = edges_of(Motion(1.5, 2.0))
    judge = SpinJudge(levels(edges), FIGURES, TABLE)
    told = spun(judge_spin(judge, edges))
    assert (told.seats, told.trusted, told.void) == ((), False, False)
    assert "zero is not known" in told.reason
    short = edges_of(Motion(0.5, 2.0))
    told = spun(judge_spin(SpinJudge(levels(short), FIGURES, TABLE), short))
    assert (told.void, told.trusted) == (True, True)


def test_dithering_on_an_edge_is_rest() -> None:
    """One wire that goes to and fro after the stop keeps no spin from its end, nor begins one."""
    edges = edges_of(Motion(1.5, 2.0))
    wire, active, stop_s = edges[-1]
    jitter = [
        Edge(wire, active == bool(number % 2), stop_s + 0.1 + number / 50) for number in range(100)
    ]
    judge = still_judge(edges, 2.0, FIGURES)
    told = [fact for fact in judge_spin(judge, [*edges, *jitter]) if not isinstance(fact, Troubled)]
    assert len(told) == 1
    assert spun(told).at_s == pytest.approx(stop_s)
    assert spun(told).trusted


def test_chatter_for_ever_is_reported_once_and_taken_back() -> None:
    """A loose wire is named with what to do; the next spin clears it."""
    edges = edges_of(Motion(1.5, 2.0))
    judge = still_judge(edges, 2.0, FIGURES)
    judge_spin(judge, edges)
    wire, active, stop_s = edges[-1]
    chatter = [
        Edge(wire, active == bool(number % 2), stop_s + 6 + number / 500) for number in range(4000)
    ]
    (trouble,) = troubles(judge_spin(judge, chatter))
    assert trouble == "The idol chatters in one position: check its wires, supply and pull-ups."
    on = list(spin_edges(542.0, Motion(1.2, 2.0), 20))
    assert troubles(judge_spin(judge, on, stop_s + 60)) == [""]


def test_a_little_swing_back_belongs_to_the_spin() -> None:
    """The idol rolls back by 20 degrees: the turns are those up to there, the angle is the last."""
    judge = after(Motion(1.5, 2.0))
    there = edges_of(Motion(1.5, 2.0))
    back = list(spin_edges(542.0, Motion(20 / 360, 0.3), 20, clockwise=False))
    edges = [*there, *(edge._replace(at_s=edge.at_s + there[-1].at_s + 0.1) for edge in back)]
    judge = still_judge(edges, 2.0, FIGURES)
    told = spun(judge_spin(judge, edges))
    assert told.turns == pytest.approx(1.5, abs=0.02)
    assert told.angle_deg == pytest.approx(162.0, abs=FIGURES.step_deg)
    assert (told.clockwise, told.trusted) == (True, True)


def test_turned_back_by_hand_it_counts_from_there() -> None:
    """After a full turn somebody pushes it back by half of one: what follows is void."""
    there = edges_of(Motion(1.5, 2.0))
    back = list(spin_edges(542.0, Motion(0.5, 1.0), 20, clockwise=False))
    edges = [*there, *(edge._replace(at_s=edge.at_s + there[-1].at_s + 0.1) for edge in back)]
    told = spun(judge_spin(still_judge(edges, 2.0, FIGURES), edges))
    assert (told.void, told.clockwise) == (True, False)
    assert told.turns == pytest.approx(0.5, abs=0.02)


def test_a_test_that_looks_for_a_spin_fails_without_one() -> None:
    """Neither none nor two pass for the one spin that is asked for."""
    edges = edges_of(Motion(1.5, 2.0))
    facts = judge_spin(still_judge(edges, 2.0, FIGURES), edges)
    for wrong in ((), facts * 2):
        with pytest.raises(ValueError, match="unpack"):
            spun(wrong)


def stopped(steps: int, rate: float) -> list[Edge]:
    """Return the edges of an idol that goes evenly and is stopped dead after so many steps."""
    ring = ((A, True), (B, True), (A, False), (B, False))
    return [Edge(*ring[step % EDGES], step / rate) for step in range(steps)]


def test_a_finger_may_stop_a_slow_idol() -> None:
    """So slow that no edge can be lost, a sudden stop is a stop."""
    edges = stopped(100, 60.0)
    told = spun(judge_spin(still_judge(edges, 0.0, FIGURES), edges))
    assert told.trusted
    assert told.turns == pytest.approx(100 / 80)


def test_a_fast_idol_stopped_dead_is_not_trusted() -> None:
    """It looks the same as steps missed; where nothing is ever lost it is a stop."""
    edges = stopped(200, 400.0)
    told = spun(judge_spin(still_judge(edges, 0.0, FIGURES), edges))
    assert (told.trusted, told.seats) == (False, ())
    assert told.reason.startswith("At 400 steps a second some may have been missed. See where")
    assert spun(judge_spin(still_judge(edges, 0.0, LOSSLESS), edges)).trusted


@pytest.mark.parametrize("gone", [1, 2, 3, 4, 8, 40])
def test_steps_lost_at_speed_are_noticed(gone: int) -> None:
    """Whole pulses too: the time between two steps tells of those."""
    edges = edges_of(Motion(4.0, 8.0))
    judge = still_judge(edges, 2.0, FIGURES)
    judge.sectors = TABLE
    told = judge_spin(judge, edges[:100] + edges[100 + gone :], whole=edges)
    assert (spun(told).trusted, spun(told).seats) == (False, ())
    assert not judge.located
    assert "zero is no longer known" in troubles(told)[0]


def test_steps_lost_before_the_first_are_noticed() -> None:
    """An idol that is at full speed from its first step on was not seen from the start."""
    edges = edges_of(Motion(4.0, 8.0))
    told = spun(judge_spin(still_judge(edges[48:], 2.0, FIGURES), edges[48:]))
    assert not told.trusted


@pytest.mark.parametrize("first", [31, 32, 60, 75, 76])
def test_a_pulse_that_one_wire_skips_is_noticed_at_any_speed(first: int) -> None:
    """A worn contact: the other wire then goes back and forth, which no turning idol does."""
    edges = edges_of(Motion(1.02, 0.6))
    heard = [edge for number, edge in enumerate(edges) if number not in (first, first + 2)]
    assert not spun(judge_spin(still_judge(edges, 2.0, FIGURES), heard, whole=edges)).trusted


def test_a_gap_with_full_speed_on_both_sides_is_noticed_at_any_speed() -> None:
    """So slow that no backlog fills, and still nothing that turns can do it."""
    edges = edges_of(Motion(1.5, 0.6))
    told = spun(judge_spin(still_judge(edges, 2.0, FIGURES), edges[:50] + edges[54:]))
    assert not told.trusted


def test_a_pause_between_two_pushes_is_no_loss() -> None:
    """A hand that turns it in two goes, each from rest to rest, loses nothing."""
    once = edges_of(Motion(1.0, 3.0), 1.0)
    again = list(spin_edges(361.0, Motion(1.0, 3.0), 20))
    edges = [*once, *(edge._replace(at_s=edge.at_s + once[-1].at_s + 0.3) for edge in again)]
    told = spun(judge_spin(still_judge(edges, 1.0, FIGURES), edges))
    assert told.trusted
    assert told.turns == pytest.approx(2.0, abs=0.02)


def test_a_wire_found_otherwise_than_heard_is_a_loss() -> None:
    """The last edge of a spin is missing: the level tells."""
    edges = edges_of(Motion(1.5, 2.0))
    judge = still_judge(edges, 2.0, FIGURES)
    told = spun(judge_spin(judge, edges[:-1], whole=edges))
    assert told.reason.startswith("A wire has changed without an edge")


def test_a_wire_that_owns_up_is_believed() -> None:
    """Edges that the wire's owner knows to be lost make the spin one not to be trusted, once."""
    edges, lost = edges_of(Motion(1.5, 2.0)), 0
    judge = SpinJudge(levels(edges), FIGURES, lost=lambda: lost)
    judge.correct(2.0)
    lost = 3
    assert spun(judge_spin(judge, edges)).reason.startswith("Its wires lost edges on the way.")
    judge.correct(182.0)
    on = list(spin_edges(542.0, Motion(1.2, 2.0), 20))
    assert spun(judge_spin(judge, on, 60.0)).trusted


INDEX_DEG = 91.0


def index_judge(pulses: int = 20, index_deg: float | None = INDEX_DEG) -> SpinJudge:
    """Return a judge with the index at 91 degrees, pointing to 2 degrees."""
    judge = SpinJudge((False, False, False), SpinFigures(pulses=pulses), TABLE, index_deg)
    judge.correct(2.0)
    judge.due(0.0)
    return judge


def index_edges(motion: Motion, start_deg: float = 2.0, pulses: int = 20) -> list[Edge]:
    """Return the edges of a clockwise *motion*, the index among them."""
    return list(spin_edges(start_deg, motion, pulses, index_deg=INDEX_DEG + 0.1))


def test_the_index_is_learned_at_its_first_pass() -> None:
    """With the zero known, its place is; without, it is not."""
    judge = index_judge(index_deg=None)
    judge_spin(judge, index_edges(Motion(1.5, 2.0)))
    assert judge.index_deg == pytest.approx(INDEX_DEG, abs=judge.figures.step_deg)
    blind = SpinJudge((False, False, False))
    judge_spin(blind, index_edges(Motion(1.5, 2.0)))
    assert blind.index_deg is None


def test_a_known_index_finds_the_zero() -> None:
    """After a restart nobody has to say where it points: the first pass does."""
    judge = SpinJudge((False, False, False), FIGURES, TABLE, INDEX_DEG)
    told = spun(judge_spin(judge, index_edges(Motion(1.5, 2.0))))
    assert told.trusted
    assert told.seats == (2,)


def test_the_index_clears_a_doubt() -> None:
    """A gap in the steps that the index does not confirm was none; without index it is doubted."""
    edges = index_edges(Motion(4.0, 8.0))
    late = [
        edge if number < 60 else edge._replace(at_s=edge.at_s + 0.02)
        for number, edge in enumerate(edges)
    ]
    assert spun(judge_spin(index_judge(), late)).trusted
    bare = [edge for edge in late if edge.contact != INDEX]
    assert not spun(judge_spin(index_judge(index_deg=None), bare)).trusted


def test_the_index_finds_a_loss_and_puts_the_zero_right() -> None:
    """The spin in which whole pulses went missing is not trusted, the next one is."""
    judge = index_judge()
    edges = index_edges(Motion(4.0, 8.0))
    told = judge_spin(judge, edges[:60] + edges[68:])
    assert spun(told).reason.startswith("The index says that 8 steps were missed.")
    assert spun(told).seats == ()
    assert judge.located
    assert troubles(told)[-1] == ""
    assert abs(turned(judge.angle_deg, 2.0)) <= judge.figures.step_deg * 2
    on = index_edges(Motion(1.25, 2.0), 1442.0)
    assert spun(judge_spin(judge, on, 60.0)).seats == (1,)


def test_a_loss_right_behind_the_index_is_noticed() -> None:
    """What the index vouches for ends where it stands."""
    edges = index_edges(Motion(1.2, 8.0))
    at = max(number for number, edge in enumerate(edges) if edge.contact == INDEX)
    told = spun(judge_spin(index_judge(), edges[: at + 1] + edges[at + 5 :]))
    assert not told.trusted


def test_an_index_that_stays_away_is_a_contradiction() -> None:
    """More than a full turn without it cannot be."""
    edges = [edge for edge in index_edges(Motion(1.5, 2.0)) if edge.contact != INDEX]
    told = spun(judge_spin(index_judge(), edges))
    assert told.reason.startswith("Its index was not seen for a full turn.")


def test_a_correction_puts_the_zero_right_and_withdraws_the_spin() -> None:
    """By more than a step: it says by how much, and the spin before is told again, untrusted."""
    edges = edges_of(Motion(1.5, 2.0))
    judge = still_judge(edges, 2.0, FIGURES)
    judge.sectors = TABLE
    first = spun(judge_spin(judge, edges))
    assert first.seats == (2,)
    assert judge.correct(200.0) == pytest.approx(18.0, abs=FIGURES.step_deg)
    assert judge.next_due_s is not None
    trouble, again, well = judge.due(99.0)
    assert again == replace(first, trusted=False, seats=(), reason=spun([again]).reason)
    assert isinstance(trouble, Troubled)
    assert trouble.trouble.startswith(
        "The idol's zero was off by 18 degrees and has been corrected."
    )
    assert well == Troubled("idol", "", trouble.at_s)
    assert judge.angle_deg == pytest.approx(200.0)


def test_a_reading_that_agrees_confirms_the_zero() -> None:
    """Within a step, or within what the reading itself may be off, nothing moves nor is told."""
    judge = after(Motion(1.5, 2.0))
    pointed_deg = judge.angle_deg
    assert judge.correct(pointed_deg + 4.0) == 0.0
    assert judge.correct(pointed_deg - 9.0, within_deg=10.0) == 0.0
    assert judge.angle_deg == pointed_deg
    assert judge.due(99.0) == ()


def test_a_correction_after_a_loss_trusts_it_again() -> None:
    """Once told where it points the idol names seats again."""
    edges = edges_of(Motion(4.0, 8.0))
    judge = still_judge(edges, 2.0, FIGURES)
    judge.sectors = TABLE
    judge_spin(judge, edges[:100] + edges[104:])
    judge.correct(2.0)
    assert troubles(judge.due(99.0)) == [""]
    on = list(spin_edges(1442.0, Motion(1.25, 2.0), 20))
    assert spun(judge_spin(judge, on, 60.0)).seats == (1,)


def test_it_is_corrected_at_rest_only() -> None:
    """While it turns no reading can be meant for where it is."""
    edges = edges_of(Motion(1.5, 2.0))
    judge = still_judge(edges, 2.0, FIGURES)
    for edge in edges[:50]:
        judge.edge(*edge)
    with pytest.raises(Turning, match="when it is at rest"):
        judge.correct(0.0)


def test_steps_may_be_counted_elsewhere() -> None:
    """A microcontroller tells many steps at once: the same spin."""
    judge = SpinJudge((False, False), LOSSLESS, TABLE)
    judge.correct(0.0)
    for part in range(10):
        judge.move(18, part / 10)
    told = spun(judge.due(9.0))
    assert (told.turns, round(told.angle_deg), told.seats) == (2.25, 90, (1,))


def test_a_spin_that_never_ends_keeps_a_bounded_memory() -> None:
    """Somebody turns it for an hour: old times are judged and dropped, a loss among them kept."""
    figures = SpinFigures(pulses=600)
    edges = edges_of(Motion(9.0, 8.0), pulses=600)
    assert len(edges) > 2 * 8192
    assert spun(judge_spin(still_judge(edges, 2.0, figures), edges)).trusted
    short = edges[:2000] + edges[2004:]
    assert not spun(judge_spin(still_judge(edges, 2.0, figures), short)).trusted


@pytest.mark.parametrize("pulses", [0, 19, 601, -20])
def test_an_encoder_out_of_range_is_refused(pulses: int) -> None:
    """It says what would be right."""
    with pytest.raises(BadValue, match="20 to 600"):
        SpinFigures(pulses=pulses)


@pytest.mark.parametrize("name", ["rest_s", "least_deg", "back_deg", "chatter"])
def test_figures_that_cannot_be_are_refused(name: str) -> None:
    """Each is more than nothing, and named."""
    nothing: dict[str, Any] = {name: 0}
    with pytest.raises(BadValue, match=f"idol's {name} is 0; it is more than 0"):
        SpinFigures(**nothing)


@pytest.mark.parametrize("angle_deg", [float("nan"), float("inf")])
def test_no_angle_is_no_correction(angle_deg: float) -> None:
    """What a camera may make of nothing leaves the zero alone."""
    judge = after(Motion(1.5, 2.0))
    with pytest.raises(BadValue, match="not an angle"):
        judge.correct(angle_deg)
    assert judge.located


def test_the_index_moves_the_zero_by_whole_pulses_only() -> None:
    """Whatever was missed, the zero comes back exactly: no step creeps in over many losses."""
    judge = index_judge()
    turn = index_edges(Motion(3.0, 8.0))
    true_deg = judge.angle_deg
    for number, gone in enumerate((1, 2, 3, 4, 5, 7, 12)):
        heard = turn[:70] + turn[70 + gone :]
        assert not spun(judge_spin(judge, heard, 60.0 * number, whole=turn)).trusted
        assert judge.located
        assert abs(turned(judge.angle_deg, true_deg)) < 1e-6


def test_seats_taught_with_a_finer_encoder_are_refused() -> None:
    """Their margin would not cover a step of this one; taught with a coarser one they will do."""
    fine = Sectors({0: 0.0, 1: 180.0}, SpinFigures(pulses=100).step_deg)
    with pytest.raises(BadSeats, match=r"steps of 0.9 degrees.*steps of 4.5: calibrate the idol"):
        SpinJudge((False, False), FIGURES, fine)
    judge = SpinJudge((False, False), SpinFigures(pulses=600), fine)
    assert judge.sectors is fine
