"""The console: what goes wrong is reported, and never fills the disk."""

import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.cli.console import MAX_KINDS, MAX_RECORDS, MAX_REPEATS, WINDOW_S, Console


class Clock:
    """A clock that a test sets."""

    now_s = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now_s


@pytest.fixture
def clock() -> Clock:
    """Return a clock at 0."""
    return Clock()


@pytest.fixture
def text(clock: Clock) -> Iterator[io.StringIO]:
    """Return what a console writes of every logger."""
    stream = io.StringIO()
    console = Console(stream, clock)
    logging.getLogger().addHandler(console)
    yield stream
    logging.getLogger().removeHandler(console)
    console.close()


def lines(text: io.StringIO) -> list[str]:
    """Return the lines that have been written."""
    return text.getvalue().splitlines()


@pytest.mark.parametrize("name", ["companion.table.watcher", "uvicorn.error", "asyncio"])
def test_a_message_is_repeated_a_few_times_a_minute(
    text: io.StringIO, clock: Clock, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest is counted, and told before what comes a minute later."""
    logger = logging.getLogger(name)
    monkeypatch.setattr(logging.getLogger("uvicorn"), "propagate", True)
    logger.setLevel(logging.WARNING)
    for second in range(60):
        clock.now_s = float(second)
        logger.warning("no picture from %s", "camera 0")
    assert lines(text) == ["tiki: no picture from camera 0"] * MAX_REPEATS
    clock.now_s = WINDOW_S
    logger.warning("another thing")
    more = f"tiki: no picture from camera 0 ({60 - MAX_REPEATS} more like this were left out)"
    assert lines(text)[MAX_REPEATS:] == [more, "tiki: another thing"]


def test_messages_that_differ_in_numbers_only_are_the_same(text: io.StringIO) -> None:
    """Ports, counts and addresses in memory."""
    for number in range(50):
        logging.getLogger("asyncio").error("socket %d at %#x failed", number, 7777 * number)
    assert len(lines(text)) == MAX_REPEATS


def test_one_kind_does_not_hide_another(text: io.StringIO) -> None:
    """Nor the same words of another logger, or at another level."""
    for _ in range(10):
        logging.getLogger("a").warning("%s", "the camera is gone")
        logging.getLogger("a").warning("%s", "the lights are gone")
        logging.getLogger("a").error("%s", "the lights are gone")
        logging.getLogger("b").warning("%s", "the lights are gone")
    assert len(lines(text)) == 4 * MAX_REPEATS


def test_a_traceback_counts_with_its_message(text: io.StringIO) -> None:
    """It is written as often as its first line."""
    for _ in range(100):
        try:
            Path("/nowhere/at/all").read_text()
        except OSError:
            logging.getLogger("asyncio").exception("accept failed\nsocket: 7")
    assert text.getvalue().count("Traceback") == MAX_REPEATS


def test_a_flood_of_different_messages_is_bounded(text: io.StringIO, clock: Clock) -> None:
    """In what is written and in what is remembered; and a minute later all is as before."""
    logger = logging.getLogger("flood")
    words = [
        f"{one}{other}{third}"
        for one in "abcdefghij"
        for other in "klmnopqrst"
        for third in "uvwxyz"
    ]
    for word in words:
        logger.warning("odd request: %s", word)
    assert len(lines(text)) == MAX_RECORDS
    (console,) = (each for each in logging.getLogger().handlers if isinstance(each, Console))
    assert len(console._counts) <= MAX_KINDS + 1
    clock.now_s = WINDOW_S
    logger.warning("calm again")
    assert lines(text)[-1] == "tiki: calm again"
    assert len(lines(text)) < MAX_RECORDS * 2 + 10


def test_a_message_that_cannot_be_formatted_ends_nothing(
    text: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with every handler of Python's."""
    monkeypatch.setattr(logging, "raiseExceptions", False)
    logging.getLogger("a").warning("%d", "no number")
    logging.getLogger("a").warning("well")
    assert lines(text) == ["tiki: well"]


def test_what_was_left_out_is_told_at_the_end() -> None:
    """A program that ends within the minute has not hidden anything."""
    stream = io.StringIO()
    console = Console(stream)
    for _ in range(5):
        console.handle(logging.LogRecord("a", logging.WARNING, "", 0, "well", None, None))
    console.close()
    assert lines(stream)[-1] == "tiki: well (2 more like this were left out)"
