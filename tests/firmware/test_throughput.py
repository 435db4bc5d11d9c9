"""A hundred events a second, beside everything else that goes over the wire."""

import time
from collections.abc import Callable
from typing import TypeAlias

from firmware import wire
from hardware.pico.simulation import SimulatedPico
from tests.firmware.host import Host

Connect: TypeAlias = Callable[[SimulatedPico], Host]

EDGES = 200
PING_S, LIGHT_S, EDGE_S = 0.1, 0.05, 0.01


def test_a_hundred_events_a_second_pass_beside_the_lights(
    pico: SimulatedPico, connect: Connect
) -> None:
    """For two seconds: none is lost, every light frame is answered and shown."""
    host = connect(pico)
    host.ask("hello", wire.PROTOCOL)
    begin = time.monotonic()
    edges = lights = pings = 0
    asked = []
    while edges < EDGES:
        now = time.monotonic() - begin
        if now >= edges * EDGE_S:
            (pico.open_contact if edges // 17 % 2 else pico.close_contact)(5 + edges % 17)
            edges += 1
        if now >= lights * LIGHT_S:
            asked += [host.say("light", 0, f"{lights:02X}{edges % 256:02X}FF" * 9)]
            asked += [host.say("show")]
            lights += 1
        if now >= pings * PING_S:
            asked += [host.say("ping", host.newest)]
            pings += 1
        host.listen()
        time.sleep(0.001)
    host.wait_for_events(edges)
    host.wait_for(asked[-1])
    assert [frame[0] for frame in host.events] == list(range(1, edges + 1))
    answered = {frame[0]: frame[1] for frame in host.frames if frame[1] not in wire.EVENTS}
    assert [answered.get(number) for number in asked].count(None) == 0
    assert "no" not in answered.values()
    assert host.ask("ping", host.newest)[5:7] == ("0", "0")
    assert pico.pixels[0][0] == lights - 1


def test_two_events_a_scan_pass_for_a_moment(pico: SimulatedPico, connect: Connect) -> None:
    """Far more than any game makes: 200 edges in 0.3 s."""
    host = connect(pico)
    host.ask("hello", wire.PROTOCOL)
    for place in range(100):
        for gp in (5, 6):
            (pico.open_contact if place % 2 else pico.close_contact)(gp)
        host.listen(0.003)
        host.say("ping", host.newest)
    assert len(host.wait_for_events(200)) == 200
    assert host.ask("ping", 200)[5] == "0"
