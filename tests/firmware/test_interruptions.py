"""The cable cut and the Pico restarted at any byte: no event is lost, none comes twice."""

import contextlib
import time
from collections.abc import Callable, Iterable
from typing import TypeAlias

import pytest

from firmware import wire
from hardware.pico.simulation import SimulatedPico
from tests.firmware.host import Frame, Host

Connect: TypeAlias = Callable[[SimulatedPico], Host]

TO_PI = 420
"""Bytes that the Pico says in the longest conversation here: hello, pong, an event, answers."""
TO_PICO = 110
every = pytest.mark.parametrize(
    "step", [pytest.param(1, marks=pytest.mark.slow), 23], ids=["every byte", "every 23rd"]
)


def speak(host: Host) -> None:
    """Go on where the last connection ended, and light a lamp, until the cable is cut."""
    # What is said may meet the cut too.
    with contextlib.suppress(OSError):
        host.say("hello", wire.PROTOCOL)
        host.ask("ping", host.newest)  # what came before the last cut need not come again
        host.ask("light", 0, "00FF00")
        host.ask("show")
        while True:
            host.ask("ping", host.newest)


def run_with_cuts(
    pico: SimulatedPico, connect: Connect, cuts: Iterable[dict[str, int]]
) -> list[Frame]:
    """Return the events that came while each connection was cut as told, and after the last."""
    events: list[Frame] = []
    first = connect(pico)
    first.ask("ping", 0)  # its loop runs, so that the first edge is an event
    first.close()
    pico.unplug()
    for place, cut in enumerate(cuts):
        pico.plug_in()
        host = connect(pico)
        host.events = events
        (pico.open_contact if place % 2 else pico.close_contact)(5)
        pico.cut_after(**cut)
        speak(host)
        host.close()
        events = host.events
    pico.plug_in()
    return finish(connect(pico), events)


def finish(host: Host, events: list[Frame]) -> list[Frame]:
    """Return all *events*, with those that a last connection brings; none was lost."""
    host.events = events
    host.ask("hello", wire.PROTOCOL)
    pong = host.ask("ping", host.newest)
    assert pong[5] == "0"
    return host.wait_for_events(int(pong[2]))


def assert_each_edge_once(events: list[Frame], count: int) -> None:
    """Check that the contact closed and opened in turn, so often."""
    assert [frame[0] for frame in events] == list(range(1, count + 1))
    assert [frame[2][:2] for frame in events] == [
        ("0", str(1 - place % 2)) for place in range(count)
    ]


@every
def test_a_cable_cut_at_any_byte_to_the_pi_costs_nothing(
    pico: SimulatedPico, connect: Connect, step: int
) -> None:
    """Mid-greeting, mid-event, mid-answer."""
    cuts = [{"bytes_to_pi": count} for count in range(1, TO_PI, step)]
    assert_each_edge_once(run_with_cuts(pico, connect, cuts), len(cuts))


@every
def test_a_cable_cut_at_any_byte_to_the_pico_costs_nothing(
    pico: SimulatedPico, connect: Connect, step: int
) -> None:
    """Half a word of the Pi's is no word, and does not spoil the first of the next connection."""
    cuts = [{"bytes_to_pico": count} for count in range(1, TO_PICO, step)]
    assert_each_edge_once(run_with_cuts(pico, connect, cuts), len(cuts))


def test_a_program_that_ends_at_any_byte_costs_nothing(
    pico: SimulatedPico, connect: Connect
) -> None:
    """The cable stays: what it began to say may stand in front of what the next one says."""
    said = (
        wire.encode(1, "hello", wire.PROTOCOL)
        + wire.encode(2, "ping", 0)
        + wire.encode(3, "resend", 1)
        + wire.encode(4, "show")
    )
    connect(pico).ask("ping", 0)
    events: list[Frame] = []
    for count in range(len(said)):
        host = connect(pico)
        host.events = events
        (pico.open_contact if count % 2 else pico.close_contact)(5)
        host.write(said[:count])
        host.listen(0.004)
        host.close()
        events = host.events
    assert_each_edge_once(finish(connect(pico), events), len(said))


def test_a_doubled_edge_would_be_noticed() -> None:
    """And a lost one, and one that is wrong."""
    good: list[Frame] = [(1, "key", ("0", "1", "5")), (2, "key", ("0", "0", "9"))]
    assert_each_edge_once(good, 2)
    for wrong in ([good[0], good[0], good[1]], good[1:], [good[0], (2, "key", ("0", "1", "9"))]):
        with pytest.raises(AssertionError):
            assert_each_edge_once(wrong, 2)


@every
def test_a_pico_that_restarts_at_any_byte_says_so(
    pico: SimulatedPico, connect: Connect, step: int
) -> None:
    """Another boot each time, numbers from 1, the contact's level as it is."""
    boots = set()
    counts = range(1, TO_PI, step)
    for place, count in enumerate(counts):
        host = connect(pico)
        (pico.open_contact if place % 2 else pico.close_contact)(5)
        pico.cut_after(bytes_to_pi=count)
        speak(host)
        host.close()
        pico.plug_in()
        pico.restart()
        host = connect(pico)
        number = host.say("hello", wire.PROTOCOL)
        boots.add(host.wait_for(number)[2][3])
        pong = host.wait_for(number, word="pong")
        assert pong[2][1:3] == ("0", f"{1 - place % 2:06X}")
        pico.turn(4)
        assert host.wait_for_events(1)[0][:2] == (1, "turn")
        host.close()
    assert len(boots) == len(counts)


def test_a_pico_counts_on_while_nobody_listens(pico: SimulatedPico, connect: Connect) -> None:
    """300 edges and a turn without a cable: 256 are kept, the rest are counted as lost."""
    host = connect(pico)
    host.ask("hello", wire.PROTOCOL)
    pico.unplug()
    for place in range(300):
        (pico.open_contact if place % 2 else pico.close_contact)(5)
        time.sleep(0.25 if place % 60 == 59 else 0.002)  # its scanner keeps 128
    pico.turn(1234)
    time.sleep(0.25)
    pico.plug_in()
    host = connect(pico)
    host.ask("hello", wire.PROTOCOL)
    events = host.wait_for_events(256)
    assert host.ask("ping", 0)[2:6] == ("256", "000000", "1234", "44")
    # The turn has to wait until there is room.
    assert host.ask("ping", 256)[2] == "257"
    assert host.wait_for_events(257)[-1][2][0] == "1234"
    assert_each_edge_once(events[:256], 256)
    assert host.ask("ping", 257)[5] == "44"
