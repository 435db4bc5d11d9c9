"""What a Pico tells, as edges and steps; the Pi's time of it; and how fast that goes."""

import pytest

from hardware.header import pin_factory
from hardware.momentum import Backlog
from hardware.pico.contacts import SLACK_S, PicoContact, Terminals
from hardware.pico.session import Greeted, Hello, Keyed, Settled, Turned
from hardware.pico.time_map import KEPT, TimeMap
from hardware.pins import PICO, plan_pins, usual_plan
from hardware.wires import HeaderWires
from tests.hardware import pace

PLAN = plan_pins({"tilt_0": 5, "done_0": 8, "idol_a": 2, "idol_b": 3}, PICO)
HELLO = Hello(1, "1", "pico", "0000000A", (5, 8), (2, 3), "-", "power")
STANDING = {5: True, 8: False}


class Table:
    """Terminals with a clock in the hand, and what their contacts have told."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.terminals = Terminals(lambda: self.now_s)
        self.told: list[tuple[str, bool, float]] = []
        self.contacts = self.terminals.open(PLAN, "tilt", "done", "idol")
        self.moved: list[tuple[int, float]] = []
        self.contacts["idol_a"].when_moved = lambda steps, at_s: self.moved.append((steps, at_s))
        for role, contact in self.contacts.items():
            self._listen(role, contact)

    def meet(self, at_s: float, *, resumed: bool = False) -> None:
        """Let a Pico answer whose tower stands."""
        self.terminals.take(Greeted(HELLO, resumed))
        self.settle(at_s, fresh=True)

    def settle(self, at_s: float, *, fresh: bool = False, position: int = 0, lost: int = 0) -> int:
        """Let all be known until *at_s*."""
        return self.terminals.take(Settled(STANDING, position, lost, fresh, at_s))

    def _listen(self, role: str, contact: PicoContact) -> None:
        contact.when_changed = lambda active, at_s: self.told.append((role, active, at_s))


def test_the_clock_stands_until_the_next_answer() -> None:
    """Free before any Pico, then never further than a little beyond what is known."""
    table = Table()
    assert table.terminals.clock() == 100.0
    table.meet(100.0)
    table.now_s = 100.1
    assert table.terminals.clock() == 100.1
    table.now_s = 160.0
    assert table.terminals.clock() == 100.0 + SLACK_S
    table.terminals.take(Keyed(8, True, 130.0))
    assert table.terminals.clock() == pytest.approx(130.0)
    table.settle(159.99)
    assert table.terminals.clock() == 160.0


def test_what_was_released_unseen_was_released_early() -> None:
    """After a restart nobody knows when: nothing that lasts may be made of it."""
    table = Table()
    table.meet(100.0)
    table.terminals.take(Keyed(5, False, 100.05))
    table.now_s = 130.0
    stood_s = table.terminals.clock()
    table.meet(129.0)
    assert table.told == [("tilt_0", True, 100.05), ("tilt_0", False, stood_s)]
    assert stood_s < 100.3


def test_what_was_pressed_unseen_is_pressed_now() -> None:
    """The same the other way round."""
    table = Table()
    table.meet(100.0)
    table.now_s = 130.0
    table.terminals.take(Greeted(HELLO, resumed=False))
    table.terminals.take(Settled({5: False, 8: False}, 0, 0, True, 129.0))
    assert table.told == [("tilt_0", True, 129.0)]


def test_edges_that_the_pico_lost_are_counted_on_its_contacts() -> None:
    """Not on the idol's, which the Pico counts; what was lost before counts for nobody."""
    table = Table()
    table.terminals.take(Greeted(HELLO, resumed=False))
    assert table.settle(100.0, fresh=True, lost=7) == 0
    assert table.settle(100.1, lost=9) == 2
    assert {role: contact.lost for role, contact in table.contacts.items()} == {
        "tilt_0": 2, "done_0": 2, "idol_a": 0, "idol_b": 0,
    }  # fmt: skip


def test_events_that_were_given_up_are_lost() -> None:
    """The session goes on afresh with the same Pico."""
    table = Table()
    table.meet(100.0)
    table.settle(101.0, fresh=True, position=4)
    assert {contact.lost for contact in table.contacts.values()} == {1}
    assert (table.moved, table.told) == ([(4, 101.0)], [])


def test_steps_are_told_with_the_time_of_the_last() -> None:
    """As the Pico counted them, however many and whichever way; what it had before is no step."""
    table = Table()
    table.terminals.take(Greeted(HELLO, resumed=False))
    table.settle(100.0, fresh=True, position=7)
    table.terminals.take(Turned(11, 108.0))
    table.terminals.take(Turned(9, 108.02))
    assert (table.moved, table.told) == ([(4, 108.0), (-2, 108.02)], [])
    assert table.terminals.position == 9
    table.contacts["idol_a"].close()
    table.terminals.take(Turned(5, 109.0))
    assert len(table.moved) == 2


def test_the_last_position_that_found_no_room_comes_with_the_answer() -> None:
    """A position beyond the last event is a turn as well."""
    table = Table()
    table.meet(100.0)
    table.settle(100.1, position=-1)
    assert table.moved == [(-1, 100.1)]


def test_wires_of_another_idol_are_not_told() -> None:
    """A Pico without encoder has no steps, nor has one that counts on other pins."""
    for idol in ((), (6, 7)):
        table = Table()
        table.terminals.take(Greeted(HELLO._replace(idol=idol), resumed=False))
        table.settle(100.0, fresh=True)
        table.terminals.take(Turned(5, 101.0))
        assert (table.moved, table.told) == ([], [])


def test_answers_narrow_the_pico_s_time_down() -> None:
    """A slow one tells little, two that are slow on different ways tell it together."""
    times = TimeMap()
    assert times.learn(10.0, 10.2, 1.0)
    assert times.to_pi(1.0) == pytest.approx(10.1)
    assert times.learn(20.0, 20.001, 10.9005)
    assert times.to_pi(10.9005) == pytest.approx(20.0005, abs=1e-4)
    assert times.learn(20.1, 20.2, 11.1999 - 0.1)
    assert times.to_pi(11.1) == pytest.approx(20.2, abs=1e-3)


def test_clocks_that_drift_apart_are_followed() -> None:
    """A tenth of a second in a thousand is no jump; a second at once is one."""
    times = TimeMap()
    for number in range(10 * KEPT):
        at_s = number / 10
        assert times.learn(at_s, at_s + 0.002, 5.0 + 1.0001 * (at_s + 0.001))
    end_s = KEPT - 0.1 + 0.001
    assert times.to_pi(5.0 + 1.0001 * end_s) == pytest.approx(end_s, abs=0.002)
    assert not times.learn(60.0, 60.002, 66.1)
    assert times.answers == 0


def test_a_pico_s_steps_are_digested_in_time() -> None:
    """Ten revolutions of 600 pulses a second, with room to spare; a bare ratio of two paces."""
    paces = [pace.pico_pace() / pace.FULL_SPEED for _ in range(3)]
    assert max(paces) > 2


def test_the_headers_wires_are_wires_too() -> None:
    """The same plan, the same contacts by role; its kernel may lose edges, and its clock runs."""
    wires = HeaderWires(pin_factory("mock"))
    contacts = wires.open(usual_plan(roles=["done_0", "undo"]), "done", "undo")
    assert list(contacts) == ["done_0", "undo"]
    before_s = wires.clock()
    assert wires.clock() >= before_s
    assert wires.backlog == Backlog()
    for contact in contacts.values():
        contact.close()
    wires.close()
    wires.close()
