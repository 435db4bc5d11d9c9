"""The firmware as the Pi finds it: greeting, refusals, contacts, the idol, the lights."""

import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import TypeAlias

from firmware import wire
from hardware.pico.simulation import SimulatedPico
from tests.firmware.host import PATIENCE_S, Host

Connect: TypeAlias = Callable[[SimulatedPico], Host]
DARK = ((0, 0, 0),) * 9
RED, GREEN, BLUE = (255, 0, 0), (0, 255, 0), (0, 0, 255)


def clock_of(host: Host) -> tuple[int, int]:
    """Return in microseconds what a ping takes, and how far our clock is ahead of the Pico's."""
    begin_us = time.monotonic_ns() // 1000
    pong = host.ask("ping", 0)
    end_us = time.monotonic_ns() // 1000
    return end_us - begin_us, (begin_us + end_us) // 2 - int(pong[1])


def test_hello_tells_what_it_is_and_how_it_stands(pico: SimulatedPico, connect: Connect) -> None:
    """Both frames fit what the wire knows."""
    host = connect(pico)
    number = host.say("hello", wire.PROTOCOL)
    _, _, hello = host.wait_for(number)
    _, _, pong = host.wait_for(number, word="pong")
    wire.check("hello", hello, wire.FROM_PICO)
    wire.check("pong", pong, wire.FROM_PICO)
    protocol, version, board, boot, keys, idol, lights, reason = hello
    assert protocol == str(wire.PROTOCOL)
    assert version
    assert board == "raspberry_pi_pico"
    assert len(boot) == 8
    assert int(boot, 16) >= 0
    assert keys == ",".join(map(str, range(5, 22)))
    assert (idol, lights, reason) == ("2,3", "22x9", "power")
    assert pong[1:] == ("0", "000000", "0", "0", "0")


def test_a_pico_with_few_wires_says_so(tmp_path: Path, micropython: str, connect: Connect) -> None:
    """And refuses what it has no wires for."""
    with SimulatedPico(tmp_path, keys=(), idol=None, lights=None, micropython=micropython) as pico:
        host = connect(pico)
        assert host.ask("hello", 1)[5:8] == ("-", "-", "-")
        assert host.ask("ping", 0)[3:5] == ("00", "0")
        assert host.ask("light", 0, "FF0000") == ("no", "missing:light")
        assert host.ask("show") == ("no", "missing:show")
        assert host.ask("order", "RGB") == ("no", "missing:order")
        assert pico.pixels == ()
        assert not (pico.drive / "lib" / "neopixel.py").exists()
        assert pico.console == ""


REFUSED: tuple[tuple[tuple[str | int, ...], str], ...] = (
    (("dance", 3), "unknown:dance"),
    (("pong", 1), "unknown:pong"),
    (("x" * 200,), "unknown:" + "x" * 40),
    (("hé\x07",), "unknown:h??"),
    (("",), "unknown:"),
    (("hello",), "fields:hello"),
    (("hello", 1, 2), "fields:hello"),
    (("hello", "one"), "fields:hello"),
    (("ping", "1.5"), "fields:ping"),
    (("light", 0, "FF80"), "fields:light"),
    (("light", 0, "ff8000"), "fields:light"),
    (("light", 0, ""), "fields:light"),
    (("light", 8, "FF8000FF8000"), "range"),
    (("light", -1, "FF8000"), "range"),
    (("light", 9, "FF8000"), "range"),
    (("show", 1), "fields:show"),
)


def test_what_it_does_not_understand_is_refused_by_name(
    pico: SimulatedPico, connect: Connect
) -> None:
    """And it goes on."""
    host = connect(pico)
    for (word, *fields), answer in REFUSED:
        assert host.ask(str(word), *fields) == ("no", answer)
    assert host.ask("ping", 0)[0] == "pong"


def test_another_protocol_gets_a_hello_and_no_events(pico: SimulatedPico, connect: Connect) -> None:
    """Nothing that it might misunderstand; with the right one they come."""
    host = connect(pico)
    assert host.ask("hello", wire.PROTOCOL + 1)[:2] == ("hello", str(wire.PROTOCOL))
    pico.close_contact(5)
    host.listen(0.5)
    assert not host.heard_events()
    host.ask("hello", wire.PROTOCOL)
    assert host.wait_for_events(1)[0][1:2] == ("key",)


def test_who_comes_next_has_to_greet_too(pico: SimulatedPico, connect: Connect) -> None:
    """It may be another program; a greeting brings all events, and then how things stand."""
    host = connect(pico)
    host.ask("hello", wire.PROTOCOL)
    pico.close_contact(5)
    pico.close_contact(6)
    host.wait_for_events(2)
    pico.unplug()
    pico.plug_in()
    host = connect(pico)
    assert host.ask("ping", 0)[2] == "2"
    host.listen(0.5)
    assert not host.heard_events()
    host.wait_for(host.say("hello", wire.PROTOCOL), word="pong")
    assert [frame[1] for frame in host.frames[1:4]] == ["hello", "key", "key"]


def test_garbled_lines_are_counted_and_never_answered(
    pico: SimulatedPico, connect: Connect
) -> None:
    """The next good frame is answered, even one behind a torn one."""
    host = connect(pico)
    host.ask("hello", 1)
    host.write(b"rubbish\n$1 show*00000000\n\xff\xfe\x00\n$2 sho")
    assert host.ask("ping", 0)[-1] == "3"
    assert len([frame for frame in host.frames if frame[1] in ("ok", "no")]) == 0


def test_every_edge_of_a_bouncing_contact_comes_with_its_time(
    pico: SimulatedPico, connect: Connect
) -> None:
    """The Pi debounces, so it wants them all; the times are true by a few scans' length."""
    host = connect(pico)
    host.ask("hello", 1)
    trip_us, ahead_us = min(clock_of(host) for _ in range(20))
    moved: list[tuple[int, int]] = []
    for closed in [True, False] * 4 + [True]:
        before_us = time.monotonic_ns() // 1000
        (pico.close_contact if closed else pico.open_contact)(9)
        moved.append((before_us - ahead_us, time.monotonic_ns() // 1000 - ahead_us))
        time.sleep(0.004)
    events = host.wait_for_events(len(moved))
    assert [frame[0] for frame in events] == list(range(1, len(moved) + 1))
    assert [frame[2][:2] for frame in events] == [
        ("4", str(1 - place % 2)) for place in range(len(moved))
    ]
    true_us = trip_us + 3000
    for frame, (before_us, after_us) in zip(events, moved, strict=True):
        assert before_us - true_us <= int(frame[2][2]) <= after_us + true_us
    assert host.ask("ping", len(moved))[3] == "000010"


def test_a_contact_that_was_closed_before_the_start_is_no_event(
    pico: SimulatedPico, connect: Connect
) -> None:
    """A ball switch at rest; its level is known, and its opening is the first event."""
    pico.close_contact(5)
    pico.close_contact(21)
    pico.restart()
    host = connect(pico)
    host.ask("hello", 1)
    _, _, pong = host.wait_for(host.number, word="pong")
    assert (pong[1], pong[2]) == ("0", "010001")
    pico.open_contact(5)
    assert host.wait_for_events(1)[0][2][:2] == ("0", "0")


def test_edges_that_the_scanner_could_not_keep_count_as_a_loss(
    pico: SimulatedPico, connect: Connect
) -> None:
    """While the processor is held up; the levels are right again, and told by events."""
    host = connect(pico)
    host.ask("hello", 1)
    pico.freeze()
    for _ in range(70):
        pico.close_contact(6)
        time.sleep(0.0015)
        pico.open_contact(6)
        time.sleep(0.0015)
    pico.close_contact(6)
    pico.close_contact(7)
    pico.thaw()
    events = host.wait_for_events(130)
    pong = host.ask("ping", 0)
    assert pong[5] == "1"
    assert pong[3] == "000006"
    for key in ("1", "2"):
        assert [frame[2][1] for frame in events if frame[2][0] == key][-1] == "1"
    assert events[127][2][:2] == ("1", "0")  # the last that was kept


def test_the_idol_is_sampled_a_hundred_times_a_second(
    pico: SimulatedPico, connect: Connect
) -> None:
    """However fast it turns, and the last position always comes."""
    host = connect(pico)
    host.ask("hello", 1)
    begin = time.monotonic()
    for _ in range(150):
        pico.turn(7)
        time.sleep(0.002)
    pico.turn(-3)
    turned_s = time.monotonic() - begin
    until = time.monotonic() + PATIENCE_S
    while (not host.events or host.events[-1][2][0] != "1047") and time.monotonic() < until:
        host.listen(0.01)
    assert host.events[-1][2][0] == "1047"
    times = [int(frame[2][1]) for frame in host.events]
    assert all(later - sooner >= 10_000 for sooner, later in pairwise(times))
    assert 5 <= len(times) <= 100 * turned_s + 2
    assert host.ask("ping", host.newest)[4] == "1047"


def test_lights_show_the_bytes_that_neopixel_wrote(pico: SimulatedPico, connect: Connect) -> None:
    """Nothing before `show`; green first on the strip, as a WS2812 takes it."""
    host = connect(pico)
    assert host.ask("light", 0, "FF000000FF000000FF") == ("ok",)
    assert host.ask("light", 8, "102030") == ("ok",)
    assert pico.pixels == DARK
    assert host.ask("show") == ("ok",)
    pico.wait_for_pixels([RED, GREEN, BLUE, *DARK[3:8], (16, 32, 48)])
    assert host.ask("light", 1, "FF0000") == ("ok",)
    assert host.ask("show") == ("ok",)
    pico.wait_for_pixels([RED, RED, BLUE, *DARK[3:8], (16, 32, 48)])


def test_lights_take_their_colours_in_the_order_told(pico: SimulatedPico, connect: Connect) -> None:
    """Dark at each change; lights with a white of their own show white with that alone."""
    host = connect(pico)
    for order, shown in (
        ("RGB", "010203 090909"),
        ("BRG", "030102 090909"),
        ("GRBW", "02010300 00000009"),
        ("WRGB", "00010203 09000000"),
        ("GRB", "020103 090909"),
    ):
        dark = bytes(len(order) * 9)
        assert host.ask("order", order) == ("ok",)
        pico.wait_for_sent(dark)
        assert host.ask("light", 0, "010203090909") == ("ok",)
        assert host.ask("order", order) == ("ok",)  # once more changes nothing
        assert host.ask("show") == ("ok",)
        pico.wait_for_sent(bytes.fromhex(shown) + dark[2 * len(order) :])
    for wrong in ("RRB", "grb", "RG", "RGBP", "GRBWW", "-"):
        assert host.ask("order", wrong) == ("no", "fields:order")
    assert pico.console == ""


def test_lights_go_out_when_the_pi_is_silent(pico: SimulatedPico, connect: Connect) -> None:
    """Two seconds after its last frame, rubbish being none; then they can be lit again."""
    host = connect(pico)
    host.ask("light", 0, "FF0000" * 9)
    heard_s = time.monotonic()
    host.ask("show")
    pico.wait_for_pixels([RED] * 9)
    while pico.pixels[0] == RED:
        time.sleep(0.1)
        host.write(b"rubbish\n")
    assert 1.8 < time.monotonic() - heard_s < PATIENCE_S
    pico.wait_for_pixels(DARK)
    host.ask("light", 3, "0000FF")
    host.ask("show")
    pico.wait_for_pixels([*DARK[:3], BLUE, *DARK[4:]])


def test_lights_go_out_when_the_cable_is_pulled(pico: SimulatedPico, connect: Connect) -> None:
    """The Pico with power of its own does not show yesterday's lights."""
    host = connect(pico)
    host.ask("light", 0, "FF0000" * 9)
    host.ask("show")
    pico.wait_for_pixels([RED] * 9)
    pico.unplug()
    pico.wait_for_pixels(DARK)


def test_a_pi_that_speaks_is_not_silent(pico: SimulatedPico, connect: Connect) -> None:
    """Pings alone keep the lights on."""
    host = connect(pico)
    host.ask("light", 0, "FF0000" * 9)
    host.ask("show")
    for _ in range(25):
        assert host.ask("ping", 0)[0] == "pong"
        time.sleep(0.1)
    assert pico.pixels == (RED,) * 9
