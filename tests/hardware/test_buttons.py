"""The buttons: each press is told once, whatever the contacts do."""

from random import Random

import pytest

from hardware.buttons import CHATTERS, ButtonDetector, Buttons, parse_button
from hardware.device import BadValue
from hardware.facts import Fact, Pressed, Troubled
from hardware.fake_contact import FakeContact

NAMES = ("done_0", "uno_1", "undo")


class Desk:
    """Three imagined buttons, and all that they have told."""

    def __init__(self, held: tuple[str, ...] = ()) -> None:
        self.now_s = 10.0
        self.contacts = {
            name: FakeContact(active=name in held, clock=lambda: self.now_s) for name in NAMES
        }
        self.told: list[Fact] = []
        self.buttons = Buttons(self.contacts, self.told.append)

    def wait(self, for_s: float) -> None:
        """Let time pass, a hundred looks a second."""
        for _ in range(round(for_s * 100)):
            self.now_s += 0.01
            self.buttons.attend(self.now_s)


def test_a_press_is_told_once_while_it_is_held() -> None:
    """Ten seconds on a button are one press, at the moment it went down."""
    desk = Desk()
    desk.contacts["done_0"].press()
    desk.wait(10.0)
    assert desk.told == [Pressed("done", 0, 10.0)]
    held = [desk.buttons.value]
    desk.contacts["done_0"].release()
    desk.wait(0.1)
    held.append(desk.buttons.value)
    assert held == [("done_0",), ()]
    assert len(desk.told) == 1


def test_another_button_can_be_pressed_meanwhile() -> None:
    """Who leans on a button does not silence the others."""
    desk = Desk()
    for name in NAMES:
        desk.contacts[name].press()
        desk.wait(0.1)
    assert [fact.button for fact in desk.told if isinstance(fact, Pressed)] == [
        "done", "uno", "undo",
    ]  # fmt: skip
    assert [fact.seat for fact in desk.told if isinstance(fact, Pressed)] == [0, 1, None]
    assert desk.buttons.value == NAMES


def test_every_bouncing_press_is_one_press() -> None:
    """A thousand presses that bounce both ways, for up to 15 ms, are a thousand facts."""
    dice, desk = Random(5), Desk()
    for _ in range(1000):
        for level in (True, False):
            for _ in range(dice.randrange(6)):
                desk.contacts["undo"].drive(level)
                desk.now_s += dice.uniform(0.0001, 0.0015)
                desk.contacts["undo"].drive(not level)
                desk.now_s += dice.uniform(0.0001, 0.0015)
            desk.contacts["undo"].drive(level)
            desk.wait(0.2)
    assert [type(fact) for fact in desk.told] == [Pressed] * 1000


def test_what_is_held_at_the_start_was_not_pressed() -> None:
    """A button that sticks when the companion starts presses nothing, until it is let go."""
    desk = Desk(held=("done_0",))
    desk.wait(1.0)
    assert desk.told == []
    assert desk.buttons.value == ("done_0",)
    desk.contacts["done_0"].release()
    desk.wait(0.1)
    desk.contacts["done_0"].press()
    desk.wait(0.1)
    assert len(desk.told) == 1


def test_endless_chatter_is_named_once_and_presses_nothing_more() -> None:
    """A loose wire is named with its remedy, taken as released, and heeded again once calm."""
    desk = Desk()
    for number in range(2000):
        desk.contacts["uno_1"].drive(number % 2 == 0)
        desk.wait(0.01)
    assert desk.told == [Troubled("uno_1", CHATTERS, desk.told[0].at_s)]
    assert "loose wire" in CHATTERS
    assert desk.buttons.value == ()
    desk.contacts["done_0"].press()
    desk.wait(2.0)
    assert desk.told[1:] == [
        Pressed("done", 0, desk.told[1].at_s),
        Troubled("uno_1", "", desk.told[2].at_s),
    ]
    assert desk.told[2].at_s == pytest.approx(31.0, abs=0.1)
    desk.contacts["uno_1"].press()
    desk.wait(0.1)
    assert desk.told[-1] == Pressed("uno", 1, desk.told[-1].at_s)


def test_a_wire_that_calms_down_pressed_was_not_pressed() -> None:
    """What it says once it is calm is how it stands; only the next time down is a press."""
    desk = Desk()
    for number in range(1001):
        desk.contacts["uno_1"].drive(number % 2 == 0)
        desk.wait(0.01)
    desk.wait(2.0)
    assert [fact for fact in desk.told if isinstance(fact, Pressed)] == []
    assert desk.buttons.value == ("uno_1",)


def test_a_judge_sleeps_while_nothing_happens() -> None:
    """It wants to be asked only while a level is on its way."""
    detector = ButtonDetector(NAMES, [False] * 3)
    assert detector.next_due_s is None
    detector.edge(1, True, 5.0)
    assert detector.next_due_s == pytest.approx(5.02)
    assert detector.due(5.03) == (Pressed("uno", 1, 5.0),)
    assert detector.next_due_s is None


@pytest.mark.parametrize("name", ["don_0", "done", "done_", "done_x", "undo_1", "pause_0", ""])
def test_other_names_are_refused(name: str) -> None:
    """A button that there is not is refused by name."""
    with pytest.raises(BadValue, match="no button is called"):
        parse_button(name)
