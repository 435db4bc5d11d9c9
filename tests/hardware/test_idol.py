"""The idol as a device: driven by an imagined one, taught, corrected and closed."""

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.device import BadValue, DeviceClosed
from hardware.facts import Fact, Spun
from hardware.fake_contact import FakeContact
from hardware.fake_idol import FakeIdol, Motion, spin_edges
from hardware.header import HeaderContact
from hardware.idol import IdolSpinner, NotCalibrating
from hardware.inputs import Edge
from hardware.quadrature import EDGES, INDEX, A, B
from hardware.sectors import BadSeats, Sectors, turned
from hardware.spin import SpinFigures, Turning
from tests.hardware.spins import spun, troubles

if TYPE_CHECKING:
    from hardware.contact import Contact

TABLE = Sectors({seat: seat * 90.0 for seat in range(4)}, SpinFigures().step_deg)


class Header:
    """Pins of an imagined header that follow the contacts of an imagined idol, at their times."""

    def __init__(self, fake: FakeIdol) -> None:
        self.now_s = 0.0
        self.factory = MockFactory()
        self.factory.ticks = lambda: self.now_s
        self.contacts = [
            self._follow(number, contact)
            for number, contact in enumerate((fake.a, fake.b, fake.index), start=17)
        ]

    def _follow(self, number: int, contact: FakeContact) -> HeaderContact:
        pin = self.factory.pin(number)
        found = HeaderContact(number, self.factory, clock=lambda: self.now_s)

        def follow(active: bool, at_s: float) -> None:
            self.now_s = at_s
            (pin.drive_low if active else pin.drive_high)()

        contact.when_changed = follow
        return found


class Table:
    """An imagined idol, its spinner on contacts of some form, and what it told."""

    def __init__(
        self, *, index: bool = False, sectors: Sectors | None = TABLE, header: bool = False
    ) -> None:
        self.fake = FakeIdol(index_deg=30.0)
        self.told: list[Fact] = []
        contacts: Sequence[Contact] = (self.fake.a, self.fake.b, self.fake.index)
        if header:
            contacts = Header(self.fake).contacts
        self.idol = IdolSpinner(
            contacts[0],
            contacts[1],
            contacts[2] if index else None,
            sectors=sectors,
            on_fact=self.told.append,
        )

    def rest(self) -> list[Fact]:
        """Let it come to rest, and return what was told since the last time."""
        self.idol.attend(self.fake.at_s + 0.1)
        self.idol.attend(self.fake.at_s + 1.0)
        self.fake.at_s += 1.0
        news, self.told[:] = [*self.told], []
        return news


@pytest.mark.parametrize("index", [False, True])
@pytest.mark.parametrize("header", [False, True])
def test_a_spin_is_heard_on_every_form_of_contact(header: bool, index: bool) -> None:
    """From the hand to the fact: angle, seat, and who listens for spins alone."""
    table = Table(header=header, index=index)
    table.idol.correct(0.0)
    heard: list[Spun] = []
    table.idol.when_spun = heard.append
    table.fake.turn(2.25)
    told = spun(table.rest())
    assert heard == [told]
    assert (told.seats, told.trusted) == ((1,), True)
    assert table.idol.value == pytest.approx(90.0, abs=4.5)
    assert not table.idol.turning
    table.fake.turn(-1.25)
    assert spun(table.rest()).seats == (0,)


def test_the_value_is_told_when_it_changes() -> None:
    """Gpiozero's grammar: `value`, `values`, `when_changed`."""
    table = Table()
    seen: list[float] = []
    table.idol.when_changed = seen.append
    table.fake.turn(0.25)
    table.rest()
    assert seen == [table.idol.value] == [next(table.idol.values)]
    assert seen == [pytest.approx(90.0, abs=4.5)]


def test_it_turns_until_it_rests() -> None:
    """The moment of rest is the last step's, known once nothing came for a while."""
    table = Table()
    table.fake.turn(1.5)
    table.idol.attend(table.fake.at_s)
    assert table.idol.turning
    assert table.told == []
    with pytest.raises(Turning, match="at rest"):
        table.idol.correct(0.0)
    due_s = table.idol.next_due_s
    assert due_s
    table.idol.attend(due_s)
    assert not table.idol.turning


def test_an_edge_that_never_came_is_no_step() -> None:
    """A wire that stands otherwise than it said makes the spin one not to be trusted."""
    table = Table()
    table.idol.correct(0.0)
    edges = list(spin_edges(0.0, Motion(1.5, 2.0), 20))
    contacts = (table.fake.a, table.fake.b)
    for edge in edges[:-1]:
        contacts[edge.contact].drive(edge.active, edge.at_s)
    silent = contacts[edges[-1].contact]
    listener, silent.when_changed = silent.when_changed, None
    silent.drive(edges[-1].active, edges[-1].at_s)
    silent.when_changed = listener
    table.fake.at_s = edges[-1].at_s
    assert spun(table.rest()).reason.startswith("A wire has changed without an edge")


def test_a_level_that_is_explained_in_time_is_no_loss() -> None:
    """Its edge was only late: neither doubt nor trouble."""
    table = Table()
    table.idol.correct(0.0)
    edges = list(spin_edges(0.0, Motion(1.5, 2.0), 20))
    contacts = (table.fake.a, table.fake.b)
    for edge in edges[:-1]:
        contacts[edge.contact].drive(edge.active, edge.at_s)
    wire, active, at_s = edges[-1]
    late = contacts[wire]
    listener, late.when_changed = late.when_changed, None
    late.drive(active, at_s)
    table.idol.attend(at_s + 0.2)
    assert listener
    listener(active, at_s)
    table.fake.at_s = at_s
    assert spun(table.rest()).trusted


def test_wires_that_own_up_are_believed() -> None:
    """What a contact says to have lost counts for the spin in which it did."""
    table = Table()
    table.idol.correct(0.0)
    table.fake.b.lost += 2
    table.fake.turn(1.5)
    assert spun(table.rest()).reason.startswith("Its wires lost edges on the way.")


def test_seats_are_taught_by_pointing() -> None:
    """It asks for one seat after the other, tells no spins meanwhile, and then knows them."""
    table = Table(sectors=None)
    asked = table.idol.begin_calibration((0, 1, 2))
    for seat, angle_deg in enumerate((10.0, 130.0, 250.0)):
        assert asked == f"Point the idol at seat {seat} and hold it still."
        table.fake.point_at(angle_deg)
        assert [fact for fact in table.rest() if isinstance(fact, Spun)] == []
        asked = table.idol.point()
    assert asked == ""
    assert table.idol.sectors
    assert table.idol.located
    for seat, angle_deg in table.idol.sectors.angles_deg.items():
        assert abs(turned(angle_deg, seat * 120.0 + 10.0)) <= 4.5
    table.fake.turn(1 + 1 / 3)
    assert spun(table.rest()).seats == (0,)


def test_a_lesson_says_what_is_wrong_with_it() -> None:
    """Pointing outside of it, while the idol turns, too near, and after missed steps."""
    table = Table(sectors=None)
    with pytest.raises(NotCalibrating, match="no calibration has begun"):
        table.idol.point()
    table.idol.begin_calibration((0, 1))
    table.fake.turn(0.1, rate=0.3)
    table.idol.attend(table.fake.at_s)
    with pytest.raises(Turning, match="hold it still"):
        table.idol.point()
    table.rest()
    assert table.idol.point().startswith("Point the idol at seat 1")
    with pytest.raises(BadSeats, match="0 degrees apart"):
        table.idol.point()
    table.fake.turn(0.5, rate=0.3)
    noted = table.fake.a.when_changed
    assert noted
    noted(table.fake.a.active, table.fake.at_s)
    table.rest()
    with pytest.raises(NotCalibrating, match="start the calibration again"):
        table.idol.point()
    assert table.idol.sectors is None


def test_a_lesson_can_be_left() -> None:
    """The sectors stay as they were, and spins count again."""
    table = Table()
    table.idol.correct(0.0)
    table.idol.begin_calibration((0, 1))
    table.idol.end_calibration()
    table.fake.turn(1.25)
    assert spun(table.rest()).seats == (1,)
    assert table.idol.sectors is TABLE


def test_the_index_keeps_the_zero_over_a_restart() -> None:
    """Learned with the zero known, kept, and given to the next spinner, it finds the zero again."""
    first = Table(index=True)
    first.idol.correct(0.0)
    first.fake.turn(1.25)
    assert spun(first.rest()).seats == (1,)
    index_deg = first.idol.index_deg
    assert index_deg == pytest.approx(30.0, abs=4.5)
    fake = FakeIdol(index_deg=30.0)
    fake.point_at(180.0)
    told: list[Fact] = []
    with IdolSpinner(
        fake.a, fake.b, fake.index, sectors=TABLE, index_deg=index_deg, on_fact=told.append
    ) as again:
        fake.turn(1.5)
        again.attend(fake.at_s + 1.0)
    assert spun(told).seats == (0,)


def test_an_index_without_its_contact_is_forgotten() -> None:
    """Who takes the index away goes on without it."""
    fake = FakeIdol()
    told: list[Fact] = []
    idol = IdolSpinner(fake.a, fake.b, sectors=TABLE, index_deg=12.0, on_fact=told.append)
    idol.correct(0.0)
    fake.turn(2.25)
    idol.attend(fake.at_s + 1.0)
    assert spun(told).trusted


def test_a_correction_wakes_whoever_attends() -> None:
    """What it has to tell is told by them, at the next attending."""
    table = Table()
    woken: list[bool] = []
    table.idol.woken = lambda: woken.append(True)
    table.idol.correct(0.0)
    table.fake.turn(1.25)
    table.rest()
    woken.clear()
    assert table.idol.correct(180.0) == pytest.approx(90.0, abs=4.5)
    assert woken == [True]
    told = table.rest()
    assert "off by" in troubles(told)[0]
    assert not spun(told).trusted


def test_pointing_at_a_seat_finds_the_zero() -> None:
    """After a restart without an index somebody points it at a seat and says which."""
    table = Table()
    table.fake.turn(1.25)
    assert not spun(table.rest()).trusted
    assert abs(table.idol.aim(3)) == pytest.approx(180.0, abs=4.5)
    table.fake.turn(1.5)
    assert spun(table.rest()).seats == (1,)
    with pytest.raises(BadSeats, match="seat 4 is not calibrated"):
        table.idol.aim(4)


def test_closing_lets_the_wires_go() -> None:
    """A closed idol hears nothing more, and says so."""
    table = Table()
    table.idol.close()
    table.idol.close()
    assert repr(table.idol) == "<IdolSpinner closed>"
    with pytest.raises(DeviceClosed):
        table.fake.turn(1.5)


@pytest.mark.parametrize("clockwise", [True, False])
def test_an_imagined_spin_obeys_physics(clockwise: bool) -> None:
    """It is pushed, then only slows down, ends where it should, and its wires take turns."""
    motion = Motion(2.0, 5.0, 0.1)
    edges = list(spin_edges(3.0, motion, 20, clockwise=clockwise))
    assert len(edges) == 2 * 20 * EDGES
    assert {one.contact + two.contact for one, two in itertools.pairwise(edges)} == {1}
    waits = [two.at_s - one.at_s for one, two in itertools.pairwise(edges)]
    fastest = waits.index(min(waits))
    assert fastest == pytest.approx(motion.pushed * 80, abs=2)
    assert 1 / (80 * waits[fastest]) == pytest.approx(motion.rate, rel=0.03)
    assert waits[:fastest] == sorted(waits[:fastest], reverse=True)
    assert waits[fastest:] == sorted(waits[fastest:])
    assert motion.at_s(motion.turns) == motion.lasts_s == pytest.approx(0.8)
    assert edges[-1].at_s <= motion.lasts_s


def test_an_imagined_index_comes_once_a_turn() -> None:
    """Its pulse is a step wide, and on the way back its ends are told in the other order."""
    there = list(spin_edges(0.0, Motion(3.0), 20, index_deg=90.5))
    assert [edge.active for edge in there if edge.contact == INDEX] == [True, False] * 3
    back = list(spin_edges(1080.0, Motion(3.0), 20, clockwise=False, index_deg=90.5))
    assert [edge.active for edge in back if edge.contact == INDEX] == [True, False] * 3
    assert [edge.contact for edge in back] == [edge.contact for edge in reversed(there)]


def test_uneven_edges_are_uneven() -> None:
    """A cheap encoder's wires are not quite a quarter of a pulse apart: the count stays."""
    even, uneven = (list(spin_edges(1.0, Motion(1.0), 20, uneven=share)) for share in (0.0, 0.3))
    assert [edge[:2] for edge in even] == [edge[:2] for edge in uneven]
    assert even != uneven


BAD: list[Callable[[], Motion]] = [
    lambda: Motion(0.0),
    lambda: Motion(-1.0),
    lambda: Motion(1.0, 10.5),
    lambda: Motion(1.0, 0.0),
    lambda: Motion(1.0, 3.0, 0.0),
]


@pytest.mark.parametrize("make", BAD)
def test_a_spin_that_nobody_can_make_is_refused(make: Callable[[], Motion]) -> None:
    """It says what can be."""
    with pytest.raises(BadValue, match="at up to 10 a second"):
        make()


def test_the_fake_can_be_caught_lying() -> None:
    """If its wires did not follow its angle, the device above would say so."""
    table = Table()
    table.idol.correct(0.0)
    noted = (table.fake.a.when_changed, table.fake.b.when_changed)
    assert all(noted)
    for edge in [Edge(A, True, 0.1), Edge(B, False, 0.2)]:
        listen = noted[edge.contact]
        assert listen
        listen(edge.active, edge.at_s)
    table.fake.at_s = 1.0
    assert "contradict" in troubles(table.rest())[0]
