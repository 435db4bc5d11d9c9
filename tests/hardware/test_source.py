"""A source drives a device by itself, and one that fails never does so silently."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import Event, get_ident
from typing import Any

import pytest

from hardware.device import DeviceClosed, OutputDevice
from hardware.facts import Troubled
from hardware.fakes import FakeDisplay, FakeStrip
from hardware.lights import DARK, Strip
from tests.hardware.shown_values import STRIP, picture, plain

PATIENCE_S = 60

Make = Callable[[], OutputDevice[Any]]
devices = pytest.mark.parametrize(
    ("make", "good"), [pytest.param(FakeStrip, STRIP, id="strip"),
                       pytest.param(FakeDisplay, picture(), id="display")],
)  # fmt: skip


def wait_for(device: OutputDevice[Any], shown: Callable[[], bool]) -> None:
    """Wait until *shown* is true, looking after every new value of *device*; or fail."""
    changed = Event()
    device.followers.append(lambda: changed.set() if shown() else None)
    assert shown() or changed.wait(PATIENCE_S)


def ended(device: OutputDevice[Any]) -> bool:
    """Wait until the source of *device* has ended; return whether it did."""
    pause = Event()
    return any(device.source is None or pause.wait(0.01) for _ in range(PATIENCE_S * 100))


@devices
def test_a_device_shows_its_source_in_order(make: Make, good: Any) -> None:
    """Every value is shown, from another thread, and the last one stays when the source ends."""
    with make() as device:
        threads: list[int] = []
        device.followers.append(lambda: threads.append(get_ident()))
        device.source_delay_s = 0.001
        device.source = [good, device.rest, good]
        assert ended(device)
        assert [each == get_ident() for each in threads] == [False] * 3
        assert plain(device.value) == plain(good)
        assert device.trouble == ""


@devices
def test_a_failing_source_puts_the_device_to_rest_and_is_named(make: Make, good: Any) -> None:
    """Its error is told with a remedy; the device rests, and takes values and sources again."""

    def values() -> Iterator[Any]:
        yield good
        raise ZeroDivisionError("no lamps to share by")

    with make() as device:
        told: SimpleQueue[Troubled] = SimpleQueue()
        device.when_troubled = told.put
        device.source = values()
        fact = told.get(timeout=PATIENCE_S)
        assert plain(device.value) == plain(device.rest)
        assert fact == Troubled(type(device).__name__, device.trouble, fact.at_s)
        assert device.trouble == (
            "its source failed and it is at rest: no lamps to share by; set another source, or a"
            " value"
        )
        assert ended(device)
        device.source = [good]
        assert ended(device)
        assert plain(device.value) == plain(good)
        assert device.trouble == ""


def test_a_source_may_not_show_what_the_device_cannot() -> None:
    """A bad value ends the source like any other fault."""
    with FakeStrip() as strip:
        strip.source = [STRIP, (DARK,)]
        assert ended(strip)
        assert "1 colours for a strip of 9" in strip.trouble
        assert strip.value == strip.rest


def test_a_device_that_cannot_even_rest_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel that was unplugged fails twice; what is told is the first failure."""
    strip = FakeStrip()

    def fail(_: object, __: object) -> None:
        raise OSError("unplugged")

    monkeypatch.setattr(FakeStrip, "_write", fail)
    strip.source = [STRIP]
    assert ended(strip)
    assert "unplugged" in strip.trouble


def test_another_source_takes_the_place_of_the_first() -> None:
    """An endless source stops when it is replaced, and what it still makes is dropped."""
    held, stopped = Event(), Event()

    def blinking() -> Iterator[Strip]:
        yield STRIP
        held.wait(PATIENCE_S)
        stopped.set()
        yield STRIP

    with FakeStrip() as strip:
        strip.source_delay_s = 0.0
        first = blinking()
        strip.source = first
        assert [strip.source] == [first]
        wait_for(strip, lambda: strip.value == STRIP)
        strip.source = None
        strip.value = strip.rest
        held.set()
        assert stopped.wait(PATIENCE_S)
        assert strip.source is None
        assert strip.value == strip.rest


@devices
def test_closing_ends_the_source(make: Make, good: Any) -> None:
    """A closed device rests and follows nothing, and refuses another source."""

    def endless() -> Iterator[Any]:
        while True:
            yield good

    device = make()
    device.source = endless()
    wait_for(device, lambda: plain(device.value) == plain(good))
    device.close()
    assert plain(device.value) == plain(device.rest)
    assert ended(device)
    with pytest.raises(DeviceClosed):
        device.source = endless()
