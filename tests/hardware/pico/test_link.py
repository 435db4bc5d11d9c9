"""The link over a pty to the real firmware: pulled, cut and restarted at any moment."""

import time
from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

from hardware.buttons import Buttons
from hardware.contact import Contact, CountedContact
from hardware.device import HardwareError
from hardware.momentum import Backlog
from hardware.pico.link import PicoLink
from hardware.pico.simulation import SimulatedPico
from hardware.pins import HEADER, PinPlan, plan_pins
from hardware.sensors import Sensors
from tests.hardware.picos import (
    MARK,
    PLAN,
    Hand,
    linked,
    pin_of,
    shared_pico,
    simulated_pico,
    wait_for,
)
from tests.hardware.recorders import Record

ROLES = ("done_0", "uno_0", "tilt_0")
SCANNED_S = 0.0025
"""What lasts so long the Pico's scanner sees, once every millisecond."""
NEAR_S = 0.05
"""So well both clocks are held together."""
SPAN = 160
"""Bytes of a first conversation."""


@pytest.fixture(name="pico")
def _pico() -> Iterator[SimulatedPico]:
    """Give a Pico of the test's own."""
    with simulated_pico() as pico:
        yield pico


def wait_until(at_s: float) -> None:
    """Return when it is *at_s*."""
    wait_for(lambda: time.monotonic() > at_s)


class Ears:
    """All that contacts have told, in order.

    edges: by role, the levels.  times_s: of all edges, in the order in which they were told.
    """

    def __init__(self, link: PicoLink) -> None:
        self.contacts = link.open(PLAN, "done", "uno", "tilt", "idol")
        self.edges: dict[str, list[bool]] = {role: [] for role in self.contacts}
        self.times_s: dict[str, list[float]] = {role: [] for role in self.contacts}
        self.position = 0
        shaft = self.contacts["idol_a"]
        assert isinstance(shaft, CountedContact)
        shaft.when_moved = self._move
        for role, contact in self.contacts.items():
            self._listen(role, contact)

    def _listen(self, role: str, contact: Contact) -> None:
        def hear(active: bool, at_s: float) -> None:
            self.edges[role].append(active)
            self.times_s[role].append(at_s)

        contact.when_changed = hear

    def _move(self, steps: int, at_s: float) -> None:
        del at_s
        self.position += steps

    @property
    def lost(self) -> int:
        """How many edges the contacts report as lost."""
        return sum(contact.lost for contact in self.contacts.values())


class Mover:
    """Moves contacts and the idol at random, and knows what should be told of it."""

    def __init__(self, pico: SimulatedPico, ears: Ears, seed: int) -> None:
        self._pico = pico
        self._random = Random(seed)
        self._grounded = {
            role: ears.contacts[role].active != role.startswith("tilt") for role in ROLES
        }
        self.edges: dict[str, list[bool]] = {role: [] for role in ROLES}
        self._free_s = dict.fromkeys(ROLES, 0.0)
        self.position = 0

    def move(self) -> None:
        """Move one of them."""
        role = self._random.choice((*ROLES, "idol"))
        if role == "idol":
            steps = self._random.choice((-30, -1, 1, 2, 70))
            self.position += steps
            self._pico.turn(steps)
            return
        wait_until(self._free_s[role])
        grounded = self._grounded[role] = not self._grounded[role]
        self.edges[role].append(grounded != role.startswith("tilt"))
        (self._pico.close_contact if grounded else self._pico.open_contact)(pin_of(role))
        self._free_s[role] = time.monotonic() + SCANNED_S


def unplug_and_replug(pico: SimulatedPico, times: int, seed: int) -> None:
    """Pull the cable *times*, in the middle of frames too, while everything moves."""
    random = Random(seed)
    with linked(pico) as link:
        ears = Ears(link)
        mover = Mover(pico, ears, seed)
        hand = Hand(pico, link)
        for number in range(times):
            for _ in range(random.randrange(1, 6)):
                mover.move()
            if number % 2:
                pico.cut_after(bytes_to_pi=random.randrange(120))
                mover.move()
                wait_for(lambda: not pico.port.exists())
            else:
                pico.unplug()
            for _ in range(random.randrange(4)):
                mover.move()
            pico.plug_in()
            wait_for(pico.port.exists)
            if random.random() < 0.5:
                hand.settle()
        pico.cut_after(None)
        hand.settle()
        wait_for(lambda: ears.position == mover.position)
        assert {role: ears.edges[role] for role in ROLES} == mover.edges
        assert sum(map(len, mover.edges.values())) > times
        assert ears.position == mover.position
        assert ears.lost == 0
        for times_s in ears.times_s.values():
            assert all(before <= after for before, after in pairwise(times_s))


def test_no_event_is_lost_or_doubled_by_unplugging(pico: SimulatedPico) -> None:
    """Ten times, while contacts and idol move; firmware's own tests cut at every byte."""
    unplug_and_replug(pico, 10, seed=1)


def test_no_event_is_lost_or_doubled_by_a_bad_cable(pico: SimulatedPico) -> None:
    """A bit turns over in three of a thousand bytes, both ways, while contacts and idol move."""
    random = Random(3)

    def garble(data: bytes) -> bytes:
        return bytes(
            byte ^ 1 << random.randrange(8) if random.random() < 0.003 else byte for byte in data
        )

    with linked(pico) as link:
        ears = Ears(link)
        mover = Mover(pico, ears, 3)
        hand = Hand(pico, link)
        pico.garble(garble, garble)
        for _ in range(60):
            mover.move()
        hand.settle()
        pico.garble()
        wait_for(lambda: ears.position == mover.position)
        # What was garbled on the way is sent once more, and may come last.
        wait_for(lambda: {role: ears.edges[role] for role in ROLES} == mover.edges, "every edge")
        assert ears.lost == 0


def test_the_check_sees_a_lost_event(pico: SimulatedPico) -> None:
    """An edge that happened and was not told does not pass."""
    told, close = [], pico.close_contact

    def lose(gp: int) -> None:
        told.extend([gp] * (gp != pin_of(MARK)))
        if len(told) != 3 or gp != told[-1]:
            close(gp)

    pico.close_contact = lose  # type: ignore[method-assign]
    with pytest.raises(AssertionError, match="_0': "):
        unplug_and_replug(pico, 10, seed=1)


def _cut_and_come_back(pico: SimulatedPico, places: range, *, restart: bool) -> None:
    """Cut a first conversation after so many bytes; then Pi, or Pico, begins anew."""
    for place in places:
        pico.cut_after(bytes_to_pi=place)
        with linked(pico) as link:
            wait_for(lambda: not pico.port.exists())
            if restart:
                pico.cut_after(None)
                pico.restart()
                pico.plug_in()
                _works(pico, link)
        pico.cut_after(None)
        pico.plug_in()
        with linked(pico) as link:
            _works(pico, link)


def _works(pico: SimulatedPico, link: PicoLink) -> None:
    wait_for(lambda: link.hello)
    contact = link.open(PLAN, "undo")["undo"]
    heard: list[bool] = []
    contact.when_changed = lambda active, _: heard.append(active)
    pico.close_contact(pin_of("undo"))
    wait_for(lambda: contact.active)
    pico.open_contact(pin_of("undo"))
    wait_for(lambda: not contact.active)
    assert heard == [True, False]
    contact.close()


def test_the_pi_may_restart_at_any_byte(pico: SimulatedPico) -> None:
    """Wherever the conversation was torn, the next one works."""
    _cut_and_come_back(pico, range(0, SPAN, 17), restart=False)


def test_the_pico_may_restart_at_any_byte(pico: SimulatedPico) -> None:
    """Its edges are said to be lost, and it works."""
    _cut_and_come_back(pico, range(5, SPAN, 50), restart=True)


def test_contacts_may_be_there_before_the_pico(pico: SimulatedPico) -> None:
    """They stand at rest, and take their level from its first answer, as an edge."""
    pico.unplug()
    pico.close_contact(pin_of("done_0"))
    for tilt in ("tilt_0", "tilt_1"):
        pico.close_contact(pin_of(tilt))
    with linked(pico) as link:
        ears = Ears(link)
        assert not any(contact.active for contact in ears.contacts.values())
        before_s = time.monotonic()
        assert abs(link.clock() - before_s) < 1.0
        pico.plug_in()
        wait_for(lambda: ears.contacts["tilt_2"].active)
        told = {role: edges for role, edges in ears.edges.items() if edges}
        assert told == {"done_0": [True], "tilt_2": [True]}
        assert before_s < ears.times_s["tilt_2"][0] <= time.monotonic()
        assert ears.lost == 0


def test_what_the_pico_knows_contacts_know_at_once() -> None:
    """Opened while it is there they stand as its wires do: a lying tower is no fall."""
    pico = shared_pico()
    with linked(pico) as link:
        Hand(pico, link).ground("tilt_0", grounded=False)
        assert link.open(PLAN, "tilt")["tilt_0"].active


def test_a_restart_of_the_pico_is_a_loss(pico: SimulatedPico) -> None:
    """What happened meanwhile nobody knows: all contacts say so, the idol's too."""
    with linked(pico) as link:
        ears = Ears(link)
        pico.turn(9)
        wait_for(lambda: ears.position == 9)
        pico.restart()
        wait_for(lambda: ears.contacts["idol_a"].lost)
        wait_for(lambda: link.hello)
        assert {contact.lost for contact in ears.contacts.values()} == {1}
        pico.turn(-5)
        wait_for(lambda: ears.position == 4)


def test_a_contact_is_had_once_and_again_after_it_was_let_go() -> None:
    """As the tilt's calibration does; whoever is refused leaves nothing open."""
    with linked(shared_pico()) as link:
        first = link.open(PLAN, "uno")
        with pytest.raises(HardwareError, match="uno_0: GP9 cannot be read: another device"):
            link.open(PLAN, "done", "uno")
        for contact in first.values():
            contact.close()
        again = link.open(PLAN, "done", "uno")
        assert len(again) == 8
        assert "closed" in repr(first["uno_0"])
        header = plan_pins({"undo": 14}, HEADER)
        with pytest.raises(HardwareError, match="undo: is planned for the header, not for a Pico"):
            link.open(header, "undo")
    assert all("closed" in repr(contact) for contact in again.values())


def test_a_plan_of_one_wire_is_opened_too() -> None:
    """A table opens its buttons one by one, so that one that cannot be had costs itself only."""
    with linked(shared_pico()) as link:
        for role, pin in PLAN.named("me"):
            assert list(link.open(PinPlan(PLAN.board, {role: pin}), "me")) == [role.name]
        assert link.backlog == Backlog(wait_s=0)


def test_a_press_is_a_fact_of_when_it_happened(pico: SimulatedPico) -> None:
    """Debouncing and the thread of the sensors included: how late it is told changes nothing."""
    told = Record()
    with linked(pico) as link:
        buttons = Buttons(link.open(PLAN, "done", "undo"))
        with Sensors(buttons, on_fact=told.add, clock=link.clock):
            for number in range(1, 6):
                began_s = time.monotonic()
                pico.close_contact(pin_of("undo"))
                told.wait_for(lambda heard: len(heard) == number)  # noqa: B023 - called at once
                assert began_s - NEAR_S < told.heard[-1].at_s < time.monotonic()
                pico.open_contact(pin_of("undo"))
                wait_until(time.monotonic() + 0.06)  # a finger needs longer


def test_a_long_outage_is_caught_up(pico: SimulatedPico) -> None:
    """150 edges and 7500 steps while nobody listened, all of them told."""
    with linked(pico) as link:
        ears = Ears(link)
        hand = Hand(pico, link)
        pico.unplug()
        wait_for(lambda: time.monotonic() - link.clock() > 0.01)
        stood_s = link.clock()
        for number in range(150):
            wait_until(time.monotonic() + SCANNED_S)
            (pico.open_contact if number % 2 else pico.close_contact)(pin_of("done_0"))
            pico.turn(50)
        assert link.clock() == stood_s
        pico.plug_in()
        wait_for(lambda: ears.position == 7500)
        hand.settle()
        assert ears.edges["done_0"] == [True, False] * 75
        assert ears.lost == 0
        wait_for(lambda: time.monotonic() - link.clock() < 0.01)
