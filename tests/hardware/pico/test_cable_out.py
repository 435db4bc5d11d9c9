"""The tower and the idol at the end of a cable that is pulled: no false fact, none missing."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from hardware.facts import Fact, Spun, TowerMoved
from hardware.idol import IdolSpinner
from hardware.pico.link import PicoLink
from hardware.pico.simulation import SimulatedPico
from hardware.sectors import Sectors
from hardware.sensors import Sensors
from hardware.spin import SpinFigures
from hardware.tilt import TowerTilt
from hardware.tilt_calibration import EdgeRecorder
from tests.hardware.picos import PLAN, linked, pin_of, simulated_pico, wait_for
from tests.hardware.recorders import Record

TILT = pin_of("tilt_0")
OUT_S = 1.0
"""Longer than a fall takes to be told."""
NEAR_S = 0.5
"""What is told with such a time did not happen when it was told."""


@pytest.fixture(name="pico")
def _pico() -> Iterator[SimulatedPico]:
    """Give a Pico whose tower stands."""
    with simulated_pico() as pico:
        for place in range(3):
            pico.close_contact(pin_of(f"tilt_{place}"))
        yield pico


@contextmanager
def tower_on(link: PicoLink, told: Record) -> Iterator[TowerTilt]:
    """Yield the tower's tilt with the link's clock; what it does is written down."""
    wait_for(lambda: link.hello)
    tilt = TowerTilt(tuple(link.open(PLAN, "tilt").values())[:1])
    with Sensors(tilt=tilt, on_fact=told.add, clock=link.clock):
        wait_for(lambda: tilt.value == "still")
        yield tilt


def states(told: Record) -> list[str]:
    """Return what the tower was told to do."""
    return [fact.state for fact in told.heard if isinstance(fact, TowerMoved)]


def fact_of(told: Record, state: str) -> TowerMoved:
    """Wait for the fact that the tower is in *state*, and return it."""

    def of(heard: list[Fact]) -> list[TowerMoved]:
        return [fact for fact in heard if isinstance(fact, TowerMoved) and fact.state == state]

    told.wait_for(of)
    return of(told.heard)[0]


def pass_s(for_s: float) -> None:
    """Let time go by."""
    until_s = time.monotonic() + for_s
    wait_for(lambda: time.monotonic() > until_s)


def fall_unseen(pico: SimulatedPico, link: PicoLink) -> float:
    """Pull the cable, let the tower fall, and return when it fell."""
    pico.unplug()
    wait_for(lambda: time.monotonic() - link.clock() > 0.01)
    fell_s = time.monotonic()
    pico.open_contact(TILT)
    pass_s(OUT_S)
    return fell_s


def test_a_cable_pulled_in_the_middle_of_a_knock_is_no_topple(pico: SimulatedPico) -> None:
    """The release is still on its way; when it has come, it was a short tilt."""
    told = Record()
    with linked(pico) as link, tower_on(link, told) as tilt:
        pico.open_contact(TILT)
        wait_for(lambda: tilt._contacts[0].active)
        pico.unplug()
        pass_s(0.03)
        pico.close_contact(TILT)
        pass_s(OUT_S)
        assert "topple" not in states(told)
        pico.plug_in()
        fact_of(told, "still")
    assert "topple" not in states(told)


def test_with_the_clock_on_the_wall_it_would_be_one(pico: SimulatedPico) -> None:
    """Why the sensors have the link's clock: the same, judged by time.monotonic."""
    told = Record()
    with linked(pico) as link:
        wait_for(lambda: link.hello)
        tilt = TowerTilt(tuple(link.open(PLAN, "tilt").values())[:1])
        with Sensors(tilt=tilt, on_fact=told.add):
            pico.open_contact(TILT)
            wait_for(lambda: tilt._contacts[0].active)
            pico.unplug()
            pico.close_contact(TILT)
            fact_of(told, "topple")


def test_a_tower_that_falls_meanwhile_and_is_set_up_again_is_told(pico: SimulatedPico) -> None:
    """Both, late, but with the times at which they happened."""
    told = Record()
    with linked(pico) as link, tower_on(link, told):
        fell_s = fall_unseen(pico, link)
        assert states(told) == []
        stood_s = time.monotonic()
        pico.close_contact(TILT)
        pass_s(OUT_S)
        pico.plug_in()
        assert abs(fact_of(told, "topple").at_s - fell_s) < NEAR_S
        assert abs(fact_of(told, "still").at_s - stood_s) < NEAR_S
    assert states(told)[-2:] == ["topple", "still"]


def test_a_pico_that_restarts_in_the_middle_of_a_knock_tells_no_topple(
    pico: SimulatedPico,
) -> None:
    """Pulling the cable takes its power too: how long the tilt lasted nobody knows, so not long."""
    told = Record()
    with linked(pico) as link, tower_on(link, told) as tilt:
        pico.open_contact(TILT)
        wait_for(lambda: tilt._contacts[0].active)
        pico.unplug()
        pass_s(OUT_S)
        pico.close_contact(TILT)
        pico.restart()
        pico.plug_in()
        fact_of(told, "still")
    assert "topple" not in states(told)


def test_a_calibration_that_is_cut_off_waits_for_its_edges(pico: SimulatedPico) -> None:
    """A recording ends when it is known what happened, not later."""
    with linked(pico) as link:
        wait_for(lambda: link.hello)
        switches = link.open(PLAN, "tilt")
        recorder = EdgeRecorder(tuple(switches.values()), link.clock)
        pico.unplug()
        wait_for(lambda: time.monotonic() - link.clock() > 0.3)
        assert recorder.take().until_s <= time.monotonic() - 0.3


def spin(pico: SimulatedPico, steps: int) -> None:
    """Turn the idol by so many steps, with some friction."""
    left = steps
    while left:
        some = min(left, max(1, left // 6))
        pico.turn(some)
        left -= some
        pass_s(0.01)


@contextmanager
def idol_on(link: PicoLink, told: Record) -> Iterator[IdolSpinner]:
    """Yield an idol of 600 pulses, four seats, its zero known."""
    wait_for(lambda: link.hello)
    wires = link.open(PLAN, "idol")
    idol = IdolSpinner(
        wires["idol_a"],
        wires["idol_b"],
        figures=SpinFigures(pulses=600, backlog=link.backlog),
        sectors=Sectors({seat: 90.0 * seat for seat in range(4)}, 0.15),
    )
    with Sensors(idol=idol, on_fact=told.add, clock=link.clock):
        idol.correct(0.0)
        yield idol


def spins(told: Record) -> list[Spun]:
    """Return the spins that were told."""
    return [fact for fact in told.heard if isinstance(fact, Spun)]


def test_a_spin_goes_on_while_the_cable_is_out(pico: SimulatedPico) -> None:
    """The Pico counts on, so the spin is whole and trusted when it comes."""
    told = Record()
    with linked(pico) as link, idol_on(link, told):
        pico.turn(100)
        pico.unplug()
        spin(pico, 3 * 2400 + 600 - 100)
        pico.plug_in()
        told.wait_for(lambda _: spins(told))
    (spun,) = spins(told)
    assert (spun.trusted, spun.seats, round(spun.angle_deg, 2)) == (True, (1,), 90.0)
    assert spun.turns == 3.25


def test_after_a_restart_the_next_spin_is_not_trusted(pico: SimulatedPico) -> None:
    """Nobody knows how far it was turned meanwhile."""
    told = Record()
    with linked(pico) as link, idol_on(link, told):
        spin(pico, 2400)
        told.wait_for(lambda _: spins(told))
        pico.restart()
        wait_for(lambda: link.hello)
        wait_for(lambda: time.monotonic() - link.clock() < 0.01)
        spin(pico, 4800)
        told.wait_for(lambda _: len(spins(told)) == 2)
    first, second = spins(told)
    assert first.trusted
    assert not second.trusted
    assert second.seats == ()
    assert "lost edges" in second.reason
