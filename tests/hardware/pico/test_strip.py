"""Lights on a Pico: shown, dimmed, shown again when it is back, and dark when nobody is there."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from firmware.wire import decode, encode
from hardware.lights import DARK
from hardware.neopixels import StripConfig
from hardware.pico.link import LinkLost, PicoLink, Refused
from hardware.pico.strip import PicoStrip
from tests.hardware.picos import (
    PATIENCE_S,
    PLAN,
    Troubles,
    linked,
    shared_pico,
    simulated_pico,
    wait_for,
)

COLOURS: Final = ((255, 0, 9), *(DARK,) * 7, (1, 200, 3))


@contextmanager
def strip_on(
    link: PicoLink, record: Troubles | None = None, **config: float | str
) -> Iterator[PicoStrip]:
    """Yield a strip on *link*."""
    heard = record or Troubles()
    settings = StripConfig(**config)  # type: ignore[arg-type]  # whole numbers stay whole
    with PicoStrip(link, settings, heard.add) as strip:
        yield strip


def test_colours_reach_the_lights_and_rest_at_the_end() -> None:
    """What is set is shown; closed, it goes dark."""
    pico = shared_pico()
    with linked(pico) as link:
        wait_for(lambda: link.hello)
        with strip_on(link) as strip:
            strip.value = COLOURS
            pico.wait_for_pixels(COLOURS)
        pico.wait_for_pixels((DARK,) * 9)
        assert link.on_connected == []


def test_the_pi_dims_and_the_budget_counts_it() -> None:
    """The Pico shows what it is told: half of it here."""
    pico = shared_pico()
    with linked(pico) as link, strip_on(link, brightness=0.5) as strip:
        strip.value = COLOURS
        pico.wait_for_pixels(((127, 0, 4), *(DARK,) * 7, (0, 100, 1)))
        assert strip.brightness == 0.5
    assert pico.pixels != COLOURS


@pytest.mark.parametrize("lights", [9, 32, 33, 100])
def test_a_long_strip_takes_several_frames(lights: int) -> None:
    """And is shown whole, in one go."""
    value = tuple((place, 255 - place, 7) for place in range(lights))
    with (
        simulated_pico(lights=(22, lights)) as pico,
        linked(pico, lights=lights) as link,
        strip_on(link, lights=lights, budget_ma=10_000) as strip,
    ):
        strip.value = value
        pico.wait_for_pixels(value)


def test_what_it_shows_is_shown_again_when_the_pico_is_back() -> None:
    """At once, after the cable was out and after a restart; the link alone tells of it."""
    record, of_link = Troubles(), Troubles()
    with simulated_pico() as pico, linked(pico, of_link) as link, strip_on(link, record) as strip:
        strip.value = COLOURS
        pico.wait_for_pixels(COLOURS)
        pico.unplug()
        pico.wait_for_pixels((DARK,) * 9)  # it rests when nobody is there
        assert "nothing is plugged in" in strip.trouble
        newer = COLOURS[::-1]
        strip.value = newer
        pico.plug_in()
        pico.wait_for_pixels(newer)
        wait_for(lambda: not strip.trouble)
        pico.restart()
        pico.wait_for_pixels(newer)
    assert record.troubles() == []
    assert of_link.troubles()


def test_setting_a_value_never_waits() -> None:
    """Neither while no Pico is there nor while it hangs."""
    with simulated_pico() as pico, linked(pico) as link, strip_on(link) as strip:
        wait_for(lambda: link.hello)
        pico.freeze()
        began_s = time.monotonic()
        for _ in range(100):
            strip.value = COLOURS
        assert time.monotonic() - began_s < PATIENCE_S  # waiting would be a hundred times 2.5 s
        pico.thaw()
        pico.wait_for_pixels(COLOURS)


def test_a_pico_without_lights_says_so() -> None:
    """In one line of the lights' own, with the remedy."""
    record = Troubles()
    with (
        simulated_pico(lights=None) as pico,
        linked(pico) as link,
        strip_on(link, record) as strip,
    ):
        wait_for(lambda: link.hello)
        strip.value = COLOURS
        record.wait_for_word(
            "lights: the Pico refuses 'light', missing:light: run './run pico update'"
        )


def test_a_link_shows_lights_or_says_why_not() -> None:
    """Shown when it returns; too many, or no Pico, is an error."""
    pico = shared_pico()
    with linked(pico) as link:
        wait_for(lambda: link.hello)
        link.show_lights(COLOURS)
        pico.wait_for_pixels(COLOURS)
        with pytest.raises(Refused, match="refuses 'light', range"):
            link.show_lights((DARK,) * 10)
        link.show_lights((DARK,) * 9)
    with pytest.raises(LinkLost):
        link.show_lights(COLOURS)
    with PicoLink(PLAN, "/dev/nowhere") as link:
        wait_for(lambda: link.trouble)
        with pytest.raises(LinkLost, match="nothing is plugged in at /dev/nowhere"):
            link.show_lights(COLOURS)


def test_a_lost_frame_is_said_again() -> None:
    """What is garbled on its way to the Pico is repeated until it is answered."""
    with simulated_pico() as pico, linked(pico) as link:
        wait_for(lambda: link.hello)
        pico.garble(to_pico=lambda data: data.replace(b"show", b"shoe"))
        began_s = time.monotonic()
        thread_free = Troubles()
        with strip_on(link, thread_free) as strip:
            strip.value = COLOURS
            wait_for(lambda: time.monotonic() - began_s > 0.7)
            assert pico.pixels == (DARK,) * 9
            pico.garble()
            pico.wait_for_pixels(COLOURS)
        assert thread_free.troubles() == []


def test_the_pico_is_told_the_order() -> None:
    """Also after it has restarted, when it has forgotten; and the usual one after another."""
    with simulated_pico() as pico, linked(pico) as link:
        with strip_on(link, order="BRGW") as strip:
            strip.value = COLOURS
            sent = bytes((9, 255, 0, 0)) + bytes(28) + bytes((3, 1, 200, 0))
            pico.wait_for_sent(sent)
            before = link.hello
            pico.restart()
            wait_for(lambda: link.hello and before and link.hello.boot != before.boot)
            pico.wait_for_sent(sent)
        pico.wait_for_sent(bytes(36))
        with strip_on(link) as strip:
            strip.value = COLOURS
            pico.wait_for_pixels(COLOURS)


def test_firmware_that_knows_no_order_has_the_usual_one() -> None:
    """Its lights work as ever; for another order the line says how to have it."""
    with simulated_pico() as pico, linked(pico) as link:
        wait_for(lambda: link.hello)
        pico.garble(to_pico=_without_order)
        link.show_lights(COLOURS)
        pico.wait_for_pixels(COLOURS)
        for _ in range(2):
            with pytest.raises(Refused, match=r"unknown:odder: run './run pico update'"):
                link.show_lights(COLOURS, "RGB")


def _without_order(data: bytes) -> bytes:
    """Several frames may come at once."""
    return b"".join(map(_renamed, data.splitlines(keepends=True)))


def _renamed(line: bytes) -> bytes:
    frame = decode(line.rstrip(b"\n"))
    if frame is None or frame[1] != "order":
        return line
    return encode(frame[0], "odder", *frame[2])
