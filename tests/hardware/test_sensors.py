"""One thread for all that listens: every fact is told, and one broken device harms no other."""

import logging
import time
from queue import Empty, SimpleQueue
from threading import Thread

import pytest

from hardware.buttons import Buttons
from hardware.device import HardwareError
from hardware.facts import Fact, Pressed, TowerMoved, Troubled
from hardware.fake_contact import FakeContact
from hardware.inputs import Detector, InputDevice, OnFact
from hardware.sensors import GLANCE_S, TICK_S, Sensors
from hardware.tilt import TowerTilt


class Echo:
    """A judge that calls each edge a press, and each level that lasts for a second another."""

    def __init__(self, active: tuple[bool, ...]) -> None:
        self.started = active
        self.heard: list[tuple[int, bool, float]] = []
        self.error: Exception | None = None
        self.next_due_s: float | None = None
        self._facts: list[Fact] = []

    def edge(self, contact: int, active: bool, at_s: float) -> None:
        """Take note of an edge."""
        self.heard.append((contact, active, at_s))
        self._facts.append(Pressed("undo", None, at_s))
        self.next_due_s = at_s + 1.0

    def due(self, now_s: float) -> tuple[Fact, ...]:
        """Return a press for each edge, and a pause for each second without one."""
        if self.error:
            raise self.error
        facts, self._facts = self._facts, []
        if self.next_due_s is not None and self.next_due_s <= now_s:
            facts.append(Pressed("pause", None, self.next_due_s))
            self.next_due_s = None
        return tuple(facts)


class Wires(InputDevice[int]):
    """A sensor whose value is how many edges it has heard."""

    __slots__ = ("echo",)

    def __init__(self, contacts: list[FakeContact], told: OnFact | None = None) -> None:
        def detector(active: tuple[bool, ...]) -> Detector:
            self.echo = Echo(active)
            return self.echo

        super().__init__("idol", contacts, detector, told)

    @property
    def value(self) -> int:
        """How many edges were heard."""
        return len(self.echo.heard)


def desk() -> tuple[dict[str, FakeContact], FakeContact, FakeContact, SimpleQueue[Fact], Sensors]:
    """Return imagined contacts, and sensors that listen to them and tell a queue."""
    undo, tilted, spun = FakeContact(), FakeContact(), FakeContact()
    told: SimpleQueue[Fact] = SimpleQueue()
    sensors = Sensors(Buttons({"undo": undo}), TowerTilt([tilted]), Wires([spun]), on_fact=told.put)
    return {"undo": undo}, tilted, spun, told, sensors


def drain(told: SimpleQueue[Fact]) -> list[Fact]:
    """Return what was told so far."""
    facts = []
    while True:
        try:
            facts.append(told.get_nowait())
        except Empty:
            return facts


def test_the_thread_tells_every_fact() -> None:
    """Pins are driven by other threads, and their facts arrive in real time."""
    buttons, tilted, spun, told, sensors = desk()
    with sensors:
        for contact in (*buttons.values(), tilted, spun):
            Thread(target=contact.press).start()
        facts = [told.get(timeout=60)]
        while not any(isinstance(fact, TowerMoved) and fact.state == "topple" for fact in facts):
            facts.append(told.get(timeout=60))
    presses = [fact.button for fact in facts if isinstance(fact, Pressed)]
    states = [fact.state for fact in facts if isinstance(fact, TowerMoved)]
    assert presses.count("undo") == 2
    assert states == ["wobble", "lean", "topple"]


def test_nothing_happening_costs_nothing() -> None:
    """At rest the devices want one glance a second; in motion, no more than a hundred."""
    buttons, _, _, told, sensors = desk()
    assert sensors.attend(100.0) == 100.0 + GLANCE_S
    buttons["undo"].press(100.5)
    assert sensors.attend(100.5) == pytest.approx(100.52)
    assert sensors.attend(100.515) == pytest.approx(100.515 + TICK_S)
    assert sensors.attend(100.53) == 100.53 + GLANCE_S
    assert drain(told) == [Pressed("undo", None, 100.5)]


def test_a_broken_device_is_named_once_and_harms_no_other() -> None:
    """Its failure becomes a trouble with the remedy, and is taken back when it is well again."""
    buttons, _, spun, told, sensors = desk()
    assert isinstance(sensors.idol, Wires)
    sensors.idol.echo.error = ValueError("no such angle")
    spun.press(1.0)
    for now_s in (1.0, 1.1, 1.2):
        sensors.attend(now_s)
    buttons["undo"].press(1.2)
    sensors.attend(1.3)
    sensors.idol.echo.error = None
    sensors.attend(1.4)
    trouble = "fails: no such angle; check its wires, or restart the companion"
    assert drain(told) == [
        Troubled("idol", trouble, 1.0),
        Pressed("undo", None, 1.2),
        Pressed("undo", None, 1.0),
        Troubled("idol", "", 1.4),
    ]


def test_a_listener_that_fails_misses_one_fact_only(caplog: pytest.LogCaptureFixture) -> None:
    """Its failure is logged in a line, and the next fact is told."""
    undo, heard = FakeContact(), list[Fact]()

    def listen(fact: Fact) -> None:
        heard.append(fact)
        if len(heard) == 1:
            raise ValueError("full")

    sensors = Sensors(Buttons({"undo": undo}), on_fact=listen)
    with caplog.at_level(logging.ERROR):
        for at_s in (1.0, 2.0):
            undo.press(at_s)
            sensors.attend(at_s + 0.1)
            undo.release(at_s + 0.5)
            sensors.attend(at_s + 0.6)
    assert heard == [Pressed("undo", None, 1.0), Pressed("undo", None, 2.0)]
    assert ["full" in record.getMessage() for record in caplog.records] == [True]


def test_sensors_start_once_and_close_for_good() -> None:
    """A second start is refused; closing twice is closing once, and frees every contact."""
    buttons, tilted, spun, _, sensors = desk()
    sensors.start()
    with pytest.raises(HardwareError, match="are already listening"):
        sensors.start()
    sensors.close()
    sensors.close()
    assert all(repr(each) == "<FakeContact closed>" for each in (*buttons.values(), tilted, spun))


def test_a_flood_is_judged_in_batches() -> None:
    """Ten thousand edges in a burst are all judged, in far fewer looks than edges."""
    _, _, spun, told, sensors = desk()
    assert isinstance(sensors.idol, Wires)
    looks = 0
    attend = sensors.attend

    def count(now_s: float) -> float:
        nonlocal looks
        looks += 1
        return attend(now_s)

    sensors.attend = count  # type: ignore[method-assign]  # only counts
    began_s = time.monotonic()
    with sensors:
        for number in range(10_000):
            spun.drive(number % 2 == 0)
        presses = 0
        while presses < 10_000:
            presses += isinstance(told.get(timeout=60), Pressed)
        spent_s = time.monotonic() - began_s
    assert len(sensors.idol.echo.heard) == presses == 10_000
    assert looks < 2_000 + spent_s / TICK_S
