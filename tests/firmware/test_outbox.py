"""The events on their way: numbered, kept, sent again; as on the Pico, but under CPython."""

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from firmware import wire

ROOM = 256


@pytest.fixture
def outbox(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Return an empty outbox; on the Pico modules lie flat, so `wire` is one of them."""
    monkeypatch.setitem(sys.modules, "wire", wire)
    yield importlib.import_module("firmware.outbox").Outbox()
    monkeypatch.delitem(sys.modules, "firmware.outbox")


def sent(outbox: Any, at_us: int = 0) -> list[tuple[int, str, tuple[str, ...]]]:
    """Return all that is due at *at_us*."""
    frames = []
    while frame := outbox.next_frame(at_us):
        frames += wire.Reader().feed(frame)
    return frames


def numbers(outbox: Any, at_us: int = 0) -> list[int]:
    """Return the numbers of all that is due at *at_us*."""
    return [number for number, _, _ in sent(outbox, at_us)]


def test_events_are_numbered_from_one_and_sent_once(outbox: Any) -> None:
    """Nothing is due twice before its time."""
    assert outbox.next_frame(0) is None
    outbox.add_edge(3, True, 1000)
    outbox.add_turn(-4, 2000)
    assert sent(outbox) == [(1, "key", ("3", "1", "1000")), (2, "turn", ("-4", "2000"))]
    assert sent(outbox) == []
    assert outbox.newest == 2


def test_what_nobody_names_is_sent_again(outbox: Any) -> None:
    """After 0.3 s, all that is kept; an acknowledgement puts it off."""
    outbox.add_turn(1, 0)
    outbox.add_turn(2, 10_000)
    outbox.add_turn(3, 20_000)
    assert numbers(outbox, 20_000) == [1, 2, 3]
    assert numbers(outbox, 299_999) == []
    assert numbers(outbox, 300_000) == [1, 2, 3]
    outbox.acknowledge(1, 400_000)
    assert numbers(outbox, 699_999) == []
    assert numbers(outbox, 700_000) == [2, 3]
    outbox.acknowledge(3, 710_000)
    assert numbers(outbox, 2_000_000) == []


def test_again_begins_where_it_is_told(outbox: Any) -> None:
    """Or at the oldest that is kept, or nowhere if there is no such event yet."""
    for position in range(1, 6):
        outbox.add_turn(position, 0)
    assert numbers(outbox) == [1, 2, 3, 4, 5]
    outbox.send_again(4, 0)
    assert numbers(outbox) == [4, 5]
    outbox.acknowledge(2, 0)
    outbox.send_again(1, 0)
    assert numbers(outbox) == [3, 4, 5]
    outbox.send_again(9, 0)
    assert numbers(outbox) == []
    outbox.add_turn(6, 0)
    assert numbers(outbox) == [6]


def test_what_was_sent_again_has_its_time_to_be_named(outbox: Any) -> None:
    """A greeting brings what is kept once, however long ago it happened."""
    outbox.add_turn(1, 0)
    assert numbers(outbox, 0) == [1]
    outbox.send_again(0, 900_000)
    assert numbers(outbox, 900_000) == [1]
    assert numbers(outbox, 1_199_999) == []
    assert numbers(outbox, 1_200_000) == [1]


@pytest.mark.parametrize("number", [-1, 0, 3, 10**15])
def test_a_wrong_acknowledgement_changes_nothing(outbox: Any, number: int) -> None:
    """A Pi of before the restart names events that this Pico has never had."""
    outbox.add_turn(1, 0)
    outbox.add_turn(2, 0)
    outbox.acknowledge(number, 0)
    outbox.send_again(0, 0)
    assert numbers(outbox) == [1, 2]


def test_a_full_outbox_loses_edges_and_knows_how_many(outbox: Any) -> None:
    """What is kept stays as it was."""
    for number in range(ROOM + 3):
        outbox.add_edge(0, number % 2 == 0, number)
    assert outbox.lost == 3
    assert outbox.newest == ROOM
    assert numbers(outbox) == list(range(1, ROOM + 1))


def test_a_full_outbox_has_the_newest_turn_wait(outbox: Any) -> None:
    """It gets its number when there is room, before any edge that comes later."""
    for number in range(ROOM):
        outbox.add_edge(0, number % 2 == 0, number)
    for position in range(1, 50):
        outbox.add_turn(position, 1000 + position)
    outbox.add_edge(1, True, 2000)
    assert (outbox.newest, outbox.lost) == (ROOM, 1)
    outbox.acknowledge(1, 3000)
    outbox.add_edge(1, False, 4000)
    assert sent(outbox)[-1] == (ROOM + 1, "turn", ("49", "1049"))
    assert outbox.lost == 2
    outbox.acknowledge(ROOM + 1, 5000)
    assert sent(outbox, 10**9) == []


def test_an_acknowledgement_may_overtake_the_sending(outbox: Any) -> None:
    """The Pi had them from before; what it has is not sent any more."""
    for position in range(1, 6):
        outbox.add_turn(position, 0)
    outbox.next_frame(0)
    outbox.acknowledge(4, 0)
    assert numbers(outbox) == [5]
