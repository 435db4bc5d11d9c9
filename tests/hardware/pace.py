"""How many edges a second the idol's hearing bears, beside gpiozero's own RotaryEncoder.

There is no Pi here.  Pins are gpiozero's mock ones.  Its kernel buffer is modelled: edges arrive by
the clock on the wall, whoever runs; 32 are kept, and of more the oldest are gone; one reader takes
what is there and hands it on, edge by edge, in a Python thread, beside one that really searches
pictures with OpenCV.  Not modelled: interrupts, the kernel's and lgpio's own time, and a slower
processor.  So shares lost compare two programs under the same load; they promise nothing for a Pi.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import cv2
import gpiozero
import numpy as np
from gpiozero.pins.mock import MockFactory

from firmware.wire import PROTOCOL
from hardware.fake_contact import FakeContact
from hardware.header import HeaderContact
from hardware.idol import IdolSpinner
from hardware.inputs import Edge
from hardware.pico.contacts import Terminals
from hardware.pico.link import PicoLink
from hardware.pico.session import Greeted, Hello, Settled, Turned
from hardware.pins import PICO, plan_pins
from hardware.quadrature import EDGES, A, B, Quadrature
from hardware.sensors import Sensors
from hardware.spin import SpinDetector, SpinFigures

FULL_SPEED: Final = 24_000
"""Edges a second: ten revolutions of 600 pulses."""
ROUND: Final = 2 * FULL_SPEED // 10
KEPT: Final = 32
RING: Final = ((A, True), (B, True), (A, False), (B, False))
PINS: Final = (5, 6)
PICO_STEPS: Final = FULL_SPEED // 100
"""A Pico tells of the idol a hundred times a second."""
PICTURE: Final = (864, 1536)

Handler: TypeAlias = Callable[[int, bool, float], None]


def edges(count: int, rate: float) -> list[Edge]:
    """Return *count* edges of an even clockwise turn."""
    return [Edge(*RING[number % EDGES], number / rate) for number in range(count)]


def _per_second(count: int, action: Callable[[], object]) -> float:
    began = time.perf_counter()
    action()
    return count / (time.perf_counter() - began)


def decode_pace() -> float:
    """Return how many edges a second the two wires' decoder takes, one second at full speed."""
    shaft, train = Quadrature(a=False, b=False), edges(FULL_SPEED, FULL_SPEED)

    def decode() -> None:
        for edge in train:
            shaft.edge(*edge)

    pace = _per_second(FULL_SPEED, decode)
    assert (shaft.position, shaft.missed) == (FULL_SPEED, 0)
    return pace


def detector_pace() -> float:
    """Return how many edges a second the whole judge takes, rest and times included."""
    detector, train = (
        SpinDetector((False, False), SpinFigures(pulses=600)),
        edges(FULL_SPEED, FULL_SPEED),
    )

    def decide() -> None:
        for edge in train:
            detector.edge(*edge)
        detector.due(9.0)

    pace = _per_second(FULL_SPEED, decide)
    assert detector.angle_deg == 0.0
    return pace


def gpiozero_pace() -> float:
    """Return how many edges a second gpiozero's bare RotaryEncoder takes on mock pins."""
    with MockFactory() as factory:
        encoder = gpiozero.RotaryEncoder(*PINS, max_steps=0, pin_factory=factory)
        pace = _per_second(ROUND, lambda: _drive(factory, ROUND))
        assert encoder.steps == ROUND // EDGES
        encoder.close()
    return pace


def idol_pace() -> float:
    """Return how many edges a second the idol takes on mock pins, until it has judged them all."""
    with MockFactory() as factory:
        a, b = (HeaderContact(pin, factory) for pin in PINS)
        idol = IdolSpinner(a, b, figures=SpinFigures(pulses=600))

        def turn() -> None:
            _drive(factory, ROUND)
            idol.attend(time.monotonic())

        pace = _per_second(ROUND, turn)
        assert idol.value == ROUND % 2400 * 0.15
        assert idol.lost == 0
        idol.close()
    return pace


def pico_pace() -> float:
    """Return how many steps a second the idol takes from a Pico, until it has judged them all."""
    terminals = Terminals(time.monotonic)
    hello = Hello(PROTOCOL, "1", "pico", "0000000A", (), PINS, "-", "power")
    terminals.take(Greeted(hello, resumed=False))
    terminals.take(Settled({}, 0, 0, fresh=True, at_s=0.0))
    plan = plan_pins({"idol_a": PINS[0], "idol_b": PINS[1]}, PICO)
    figures = SpinFigures(pulses=600, backlog=PicoLink.backlog)
    a, b = terminals.open(plan, "idol").values()
    with IdolSpinner(a, b, figures=figures) as idol:

        def turn() -> None:
            for number in range(1, FULL_SPEED // PICO_STEPS + 1):
                at_s = number * PICO_STEPS / FULL_SPEED
                terminals.take(Turned(number * PICO_STEPS, at_s))
                idol.attend(at_s)

        pace = _per_second(FULL_SPEED, turn)
        assert (idol.value, idol.lost, idol.turning) == (0.0, 0, True)
    return pace


def _drive(factory: Any, count: int) -> None:
    # Tied to ground is active: clockwise the first pin falls first.
    pins = [factory.pin(number) for number in PINS]
    changes = [(pins[wire].drive_low if active else pins[wire].drive_high) for wire, active in RING]
    for number in range(count):
        changes[number % EDGES]()


def gpiozero_share_lost(rate: float, lasts_s: float) -> float:
    """Return the share of edges lost before gpiozero's RotaryEncoder, beside OpenCV."""
    with MockFactory() as factory:
        encoder = gpiozero.RotaryEncoder(*PINS, max_steps=0, pin_factory=factory)
        hear = (encoder._a_changed, encoder._b_changed)
        lost = _share_lost(
            lambda wire, active, at_s: hear[wire](at_s, int(not active)), rate, lasts_s
        )
        encoder.close()
    return lost


def idol_share_lost(rate: float, lasts_s: float) -> float:
    """Return the share of edges lost before the idol with its own thread, beside OpenCV."""
    contacts = (FakeContact(), FakeContact())
    idol = IdolSpinner(*contacts, figures=SpinFigures(pulses=600))

    def hear(wire: int, active: bool, at_s: float) -> None:
        listener = contacts[wire].when_changed
        if listener:
            listener(active, at_s)

    with Sensors(idol=idol, on_fact=lambda _: None):
        return _share_lost(hear, rate, lasts_s)


def _share_lost(hear: Handler, rate: float, lasts_s: float) -> float:
    lost = read = 0
    with _watching():
        began = time.monotonic()
        while (now_s := time.monotonic()) < began + lasts_s:
            come = int((now_s - began) * rate)
            oldest = max(read, come - KEPT)
            lost += oldest - read
            for number in range(oldest, come):
                hear(*RING[number % EDGES], began + number / rate)
            read = come
            if oldest == come:
                time.sleep(1 / rate)
    return lost / max(read, 1)


@contextmanager
def _watching() -> Iterator[None]:
    # Somebody reads the table meanwhile, picture after picture.
    closing = threading.Event()
    picture = np.random.default_rng(1).integers(0, 255, PICTURE, np.uint8)
    finder = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))

    def watch() -> None:
        while not closing.is_set():
            finder.detectMarkers(picture)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        closing.set()
        watcher.join()
