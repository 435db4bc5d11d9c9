"""What every contact promises, asked of every form that a wire can take."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import pytest
from gpiozero.pins.mock import MockFactory

from hardware.buttons import Buttons
from hardware.contact import Contact
from hardware.device import DeviceClosed, HardwareError, NoSuchAttribute
from hardware.facts import Fact, Pressed
from hardware.fake_contact import FakeContact
from hardware.header import HeaderContact, open_contacts
from hardware.pins import usual_plan
from tests.hardware.picos import pico_contact

PIN = 17
PICO_WITHIN_S = 0.05
"""Both clocks are held together by what a busy machine may deliver late."""


@dataclass
class Wire:
    """A contact under test, the hand that drives its far end, and its clock.

    within_s: how right its times are.
    """

    contact: Contact
    drive: Callable[[bool], None]
    clock: Callable[[], float] = time.monotonic
    within_s: float = 0.001


def fake_wire() -> Iterator[Wire]:
    """Yield a contact that is only imagined."""
    contact = FakeContact()
    yield Wire(contact, contact.drive)


def header_wire(**settings: Any) -> Iterator[Wire]:
    """Yield a contact on gpiozero's mock of the header; tied to ground means active."""
    factory = MockFactory()
    contact = HeaderContact(PIN, factory, **settings)
    pin = factory.pin(PIN)
    low_is_active = settings.get("active_low", True)

    def drive(active: bool) -> None:
        (pin.drive_low if active == low_is_active else pin.drive_high)()

    yield Wire(contact, drive)
    contact.close()
    factory.reset()


def pico_wire(role: str) -> Iterator[Wire]:
    """Yield a contact of a Pico whose firmware really runs."""
    with pico_contact(role) as (contact, drive):
        yield Wire(contact, drive, within_s=PICO_WITHIN_S)


FORMS: dict[str, Callable[[], Iterator[Wire]]] = {
    "fake": fake_wire,
    "header": header_wire,
    "header, tilt": lambda: header_wire(active_low=False, pull_up=False),
    "header, no pull": lambda: header_wire(pull_up=None, active_low=False),
    "pico": lambda: pico_wire("done_0"),
    "pico, tilt": lambda: pico_wire("tilt_0"),
}


@pytest.fixture(params=FORMS)
def wire(request: pytest.FixtureRequest) -> Iterator[Wire]:
    """Give every form of a contact in turn."""
    yield from FORMS[request.param]()


def test_a_contact_knows_how_it_stands(wire: Wire) -> None:
    """The level follows the wire, whether or not anybody listens."""
    levels = [wire.contact.active]
    for active in (True, False):
        wire.drive(active)
        levels.append(wire.contact.active)
    assert levels == [False, True, False]


def test_every_edge_is_told_in_order_with_its_time(wire: Wire) -> None:
    """Nothing is debounced: ten edges in no time are ten calls, at times that never go back."""
    heard: list[tuple[bool, float]] = []
    wire.contact.when_changed = lambda active, at_s: heard.append((active, at_s))
    before_s = wire.clock()
    for _ in range(5):
        wire.drive(True)
        wire.drive(False)
    times_s = [at_s for _, at_s in heard]
    assert [active for active, _ in heard] == [True, False] * 5
    assert times_s == sorted(times_s)
    assert before_s - wire.within_s <= times_s[0] <= times_s[-1] <= wire.clock() + wire.within_s
    assert wire.contact.lost == 0


def test_no_change_is_no_edge(wire: Wire) -> None:
    """Driving a wire to where it is tells nothing."""
    heard: list[bool] = []
    wire.contact.when_changed = lambda active, _: heard.append(active)
    wire.drive(False)
    wire.drive(True)
    wire.drive(True)
    assert heard == [True]


def test_a_failing_listener_does_not_silence_the_wire(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    """Its failure is logged in one line, and the next edge comes all the same."""
    heard: list[bool] = []

    def listen(active: bool, _: float) -> None:
        heard.append(active)
        if active:
            raise ValueError("no room left")

    wire.contact.when_changed = listen
    with caplog.at_level(logging.ERROR):
        wire.drive(True)
        wire.drive(False)
    assert heard == [True, False]
    assert [record.getMessage() for record in caplog.records] == [
        "a listener failed on an edge and missed it: no room left"
    ]


def test_a_closed_contact_is_silent(wire: Wire) -> None:
    """Closing twice is closing once, and nobody is called any more."""
    heard: list[bool] = []
    wire.contact.when_changed = lambda active, _: heard.append(active)
    wire.contact.close()
    wire.contact.close()
    with suppress(DeviceClosed):  # a fake refuses, a real wire cannot
        wire.drive(True)
    assert heard == []
    assert "closed" in repr(wire.contact)
    assert wire.contact.active in (True, False)


def test_a_typing_error_is_refused(wire: Wire) -> None:
    """Setting what a contact does not have fails, instead of never being called."""
    with pytest.raises(NoSuchAttribute, match="when_change"):
        wire.contact.when_change = print  # type: ignore[attr-defined]  # that is what is tested


def test_a_fake_has_a_hand_on_its_clock() -> None:
    """The times given are the times told; without one, its clock is asked; closed, it refuses."""
    contact = FakeContact(clock=lambda: 7.0)
    heard: list[tuple[bool, float]] = []
    contact.when_changed = lambda active, at_s: heard.append((active, at_s))
    contact.press(1.5)
    contact.release()
    assert heard == [(True, 1.5), (False, 7.0)]
    assert heard != [(True, 1.5), (False, 1.5)]
    assert repr(contact) == "<FakeContact active=False>"
    contact.close()
    with pytest.raises(DeviceClosed):
        contact.press()


def test_two_edges_to_one_level_betray_a_lost_one() -> None:
    """The kernel drops edges without a word; the header's contact owns up to what it can know."""
    for wire in header_wire():
        heard: list[bool] = []
        wire.contact.when_changed = lambda active, _, heard=heard: heard.append(active)
        wire.drive(True)
        assert wire.contact.lost == 0
        wire.contact._input.pin._call_when_changed()  # type: ignore[attr-defined]  # a repeated edge
        assert (wire.contact.lost, heard) == (1, [True, True])


def test_an_edge_has_the_factorys_time() -> None:
    """Ticks become seconds of the contact's clock; those of another clock are not believed."""
    factory = MockFactory()
    contact = HeaderContact(PIN, factory, clock=lambda: 100.0)
    heard: list[float] = []
    contact.when_changed = lambda _, at_s: heard.append(at_s)
    contact._handle_edge(contact._start_ticks + 0.25, 0)
    contact._handle_edge(contact._start_ticks + 1e9, 1)
    assert heard == [100.25, 100.0]


def test_a_pin_is_had_once() -> None:
    """A second contact on a pin is refused in one line, until the first lets go."""
    factory = MockFactory()
    first = HeaderContact(PIN, factory)
    with pytest.raises(HardwareError, match="GPIO17 cannot be read: another device") as caught:
        HeaderContact(PIN, factory)
    assert "\n" not in str(caught.value)
    first.close()
    HeaderContact(PIN, factory).close()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (RuntimeError("'GPIO busy'"), "another program uses it"),
        (RuntimeError("Failed to add edge detection"), "on this kernel RPi.GPIO detects no edges"),
        (RuntimeError("bad weather"), "bad weather; choose another pin"),
    ],
)
def test_a_pin_that_fails_says_why(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the library behind it raises becomes one line with the remedy."""

    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("gpiozero.InputDevice", fail)
    with pytest.raises(HardwareError, match=f"GPIO5 cannot be read: {said}"):
        HeaderContact(5, MockFactory())


def test_no_such_pin_is_said() -> None:
    """A number beyond the header is refused with the range."""
    with pytest.raises(HardwareError, match="BCM numbers go from 0 to 27"):
        HeaderContact(99, MockFactory())


def test_a_plans_wires_are_opened_by_role() -> None:
    """From the pin table to a press: what is tied to ground on GPIO23 is the first seat's done."""
    factory = MockFactory()
    contacts = open_contacts(usual_plan(), factory, "done", "undo", "tilt")
    assert list(contacts)[:4] == ["tilt_0", "tilt_1", "tilt_2", "done_0"]
    told: list[Fact] = []
    names = [name for name in contacts if not name.startswith("tilt")]
    with Buttons({name: contacts[name] for name in names}, told.append) as buttons:
        factory.pin(23).drive_low()
        buttons.attend(time.monotonic() + 0.1)
    assert told == [Pressed("done", 0, told[0].at_s)]
    assert contacts["tilt_0"].active  # nothing ties it to ground: tilted, or a broken wire


def test_a_wire_that_cannot_be_had_frees_the_others() -> None:
    """The role is named, and nothing stays open that a second try would trip over."""
    factory = MockFactory()
    taken = HeaderContact(24, factory)  # uno_0
    with pytest.raises(HardwareError, match="uno_0: GPIO24 cannot be read"):
        open_contacts(usual_plan(), factory, "done", "uno")
    taken.close()
    assert len(open_contacts(usual_plan(), factory, "done", "uno")) == 8
