"""Couriers: values reach devices that are slow, broken, unplugged and plugged in again."""

import threading

import pytest

from hardware import output_worker
from hardware.facts import Troubled
from hardware.output_worker import OutputWorker
from tests.hardware.recorders import HASTY, Record


class FlakyLine:
    """A device whose plug can be pulled; what it shows is written down."""

    def __init__(self) -> None:
        self.record = Record()
        self.plugged = True
        self.opened = 0
        self.error: Exception = OSError("nobody there")

    def connect(self) -> "FlakyLine":
        """Open the line."""
        self.opened += 1
        if not self.plugged:
            raise self.error
        return self

    def show(self, value: str) -> None:
        """Show *value*."""
        if not self.plugged:
            raise self.error
        self.record.add(value)

    def close(self) -> None:
        """Fail, as what is lost may."""
        raise OSError("gone already")


def explain(error: Exception) -> str:
    """Return a trouble in one line."""
    return f"lamp: {error}; plug it in"


def make(line: FlakyLine, told: Record, resend_s: float | None = 0.005) -> OutputWorker[str]:
    """Return a worker with short pauses."""
    return OutputWorker("lamp", line.connect, explain, told.add, resend_s=resend_s, retry_s=HASTY)


def test_a_value_is_delivered_and_shown_again() -> None:
    """What is shown is shown again after a while, since a device may have forgotten it."""
    line = FlakyLine()
    worker = make(line, Record())
    worker.submit("red")
    line.record.wait_for(lambda heard: heard.count("red") > 2)
    worker.close()
    assert line.opened == 1


def test_an_unplugged_device_is_told_once_and_comes_back() -> None:
    """One line when it goes, none while it is away, "" when it is back, and then the value."""
    line, told = FlakyLine(), Record()
    worker = make(line, told)
    worker.submit("red")
    line.record.wait_for(lambda heard: "red" in heard)
    line.plugged = False
    told.wait_for(lambda heard: heard)
    worker.submit("blue")
    line.plugged = True
    line.record.wait_for(lambda heard: "blue" in heard)
    told.wait_for(lambda heard: len(heard) == 2)
    worker.close()
    assert told.troubles() == ["lamp: nobody there; plug it in", ""]
    assert isinstance(told.heard[0], Troubled)
    assert told.heard[0].device == "lamp"
    assert worker.trouble == ""


def test_a_device_that_hangs_is_told_until_it_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bus may hang inside a call; setting a value still returns at once, and says so."""
    monkeypatch.setattr(output_worker, "HANG_S", 0.05)
    line, told = FlakyLine(), Record()
    called, over = threading.Event(), threading.Event()

    def hang(value: str) -> None:
        called.set()
        assert over.wait(60.0)
        line.record.add(value)

    monkeypatch.setattr(line, "show", hang)
    worker = make(line, told)
    worker.submit("red")
    assert called.wait(60.0)
    assert not over.wait(0.1)
    worker.submit("blue")
    worker.submit("green")
    assert told.troubles() == ["lamp: has not answered for 0 s; plug it in"]
    over.set()
    line.record.wait_for(lambda heard: "green" in heard)
    told.wait_for(lambda heard: len(heard) == 2)
    worker.close()
    assert worker.trouble == ""


def test_a_sound_may_take_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is never shown again is over when it is over."""
    monkeypatch.setattr(output_worker, "HANG_S", 0.0)
    line, told, over = FlakyLine(), Record(), threading.Event()
    called = threading.Event()

    def play(_: str) -> None:
        called.set()
        assert over.wait(60.0)

    monkeypatch.setattr(line, "show", play)
    worker = make(line, told, resend_s=None)
    worker.submit("a long sentence")
    assert called.wait(60.0)
    worker.submit("another")
    over.set()
    worker.close()
    assert told.troubles() == []


def test_a_device_that_was_never_there_is_tried_until_it_is() -> None:
    """Plugged in after the start, it shows the newest value."""
    line, told = FlakyLine(), Record()
    line.plugged = False
    worker = make(line, told)
    worker.submit("red")
    told.wait_for(lambda heard: heard)
    assert worker.trouble == "lamp: nobody there; plug it in"
    line.plugged = True
    line.record.wait_for(lambda heard: "red" in heard)
    worker.close()


def test_setting_never_waits_for_a_stuck_device() -> None:
    """A bus that hangs blocks only the worker, and only the newest value is left to show."""
    line, stuck = FlakyLine(), threading.Event()

    class StuckLine(FlakyLine):
        def show(self, value: str) -> None:
            stuck.wait()
            line.record.add(value)

    worker = make(StuckLine(), Record(), resend_s=None)
    for value in ("1", "2", "3"):
        worker.submit(value)  # would never return if it waited
    stuck.set()
    line.record.wait_for(lambda heard: heard[-1:] == ["3"])
    worker.close()
    assert len(line.record.heard) <= 2  # at most the first and the newest


def test_what_only_an_installation_cures_is_not_tried_again() -> None:
    """A missing package is told once; a Pi is not kept busy with it."""
    line, told = FlakyLine(), Record()
    line.plugged, line.error = False, ImportError("no such package")
    worker = make(line, told)
    worker.submit("red")
    told.wait_for(lambda heard: heard)
    worker.submit("blue")
    worker.close()
    assert line.opened == 1


def test_a_late_value_of_no_use_is_not_shown_late() -> None:
    """A sound that failed is not made up for; the next one is tried."""
    line, told = FlakyLine(), Record()
    line.plugged = False
    worker = make(line, told, resend_s=None)
    worker.submit("old")
    told.wait_for(lambda heard: heard)
    line.plugged = True
    worker.submit("new")
    line.record.wait_for(lambda heard: "new" in heard)
    worker.close()
    assert line.record.heard == ["new"]


def test_closing_delivers_the_last_value_first() -> None:
    """Put to rest means that the device shows its rest."""
    line = FlakyLine()
    worker = make(line, Record())
    worker.submit("red")
    worker.submit("dark")
    worker.close()
    assert line.record.heard[-1] == "dark"


def test_closing_does_not_wait_for_a_device_that_is_away() -> None:
    """The pause between two attempts ends when it closes."""
    line, told = FlakyLine(), Record()
    line.plugged = False
    worker: OutputWorker[str] = OutputWorker(
        "lamp", line.connect, explain, told.add, retry_s=(999.0, 999.0)
    )
    worker.submit("red")
    told.wait_for(lambda heard: heard)
    worker.close()
    assert not any(thread.name == "lamp" for thread in threading.enumerate())


def test_a_record_fails_if_nothing_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record does not wait for ever, and says what has come instead."""
    monkeypatch.setattr("tests.hardware.recorders.PATIENCE_S", 0.01)
    record = Record()
    record.add("red")
    with pytest.raises(AssertionError, match="only \\['red'\\]"):
        record.wait_for(lambda heard: "blue" in heard)
