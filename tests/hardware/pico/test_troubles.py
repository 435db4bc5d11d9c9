"""Whatever is wrong with the cable or its far end: named, with the remedy, and withdrawn."""

import contextlib
import fcntl
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware.device import HardwareError
from hardware.pico.link import PicoLink
from hardware.pico.ports import PRODUCT
from hardware.pico.troubles import STARTS, Watch
from hardware.pins import PICO, plan_pins
from tests.hardware.pico.model_pico import KEPT, ModelPico
from tests.hardware.pico.serial_devices import (
    ListedPort,
    Speaker,
    device,
    echo,
    silence,
    speak_as,
)
from tests.hardware.picos import (
    PATIENCE_S,
    PLAN,
    QUICK_S,
    Troubles,
    linked,
    pin_of,
    simulated_pico,
    wait_for,
)

MODEL_PLAN = plan_pins({"tilt_0": 5, "done_0": 8, "uno_0": 9, "idol_a": 2, "idol_b": 3}, PICO)


@contextmanager
def link_to(port: str, record: Troubles) -> Iterator[PicoLink]:
    """Yield a link to the model of a Pico at *port*."""
    with PicoLink(MODEL_PLAN, port, record.add, pauses_s=QUICK_S) as link:
        yield link


@contextmanager
def program_at(port: str, act: str = "") -> Iterator[None]:
    """Let another program have *port* open, and do something with the open file *held*."""
    code = f"import sys; held = open(sys.argv[1])\n{act}\nprint(flush=True); input()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code, port], stdin=pipe, stdout=pipe) as program:
        assert program.stdout
        program.stdout.readline()
        yield
        program.kill()


@pytest.mark.parametrize(
    ("speaker", "said"),
    [
        (echo, "says something else"),
        (silence, "does not answer"),
    ],
)
def test_another_programs_device_is_told_apart(speaker: Speaker, said: str) -> None:
    """It never answers as our Pico does; how to make it one is said, or to choose another."""
    record = Troubles()
    with device(speaker) as port, link_to(port, record) as link:
        trouble = record.wait_for_word("not our Pico")
        assert f"{port} {said}, so it is not our Pico: run './run pico install'" in trouble
        assert "set pins.port" in trouble
        assert "\n" not in trouble
        assert link.trouble == trouble
        assert not link.open(MODEL_PLAN, "done")["done_0"].active
    assert record.troubles() == [trouble]


def test_a_pico_is_found_among_ports_that_nobody_tells_apart() -> None:
    """Of two ports of one Pico the one that answers is taken, and the other let go."""
    record = Troubles()
    with device(silence) as console, device(speak_as(ModelPico())) as data:
        ports = [
            ListedPort(name, 0x239A, 0x80F4, "E6614", product="Pico") for name in (data, console)
        ]
        link = PicoLink(MODEL_PLAN, "", record.add, list_ports=lambda: ports, pauses_s=QUICK_S)
        with link:
            wait_for(lambda: link.hello)
            with Path(console).open("rb") as free:
                fcntl.flock(free, fcntl.LOCK_EX | fcntl.LOCK_NB)
    assert record.troubles() == []


def test_no_pico_is_said_until_one_is_plugged_in() -> None:
    """Once, however often it is looked for."""
    record = Troubles()
    ports: list[ListedPort] = []
    looked: list[None] = []

    def list_ports() -> Iterable[ListedPort]:
        looked.append(None)
        return tuple(ports)

    link = PicoLink(MODEL_PLAN, "", record.add, list_ports=list_ports, pauses_s=QUICK_S)
    with device(speak_as(ModelPico())) as port, link:
        record.wait_for_word("no Pico is plugged in")
        wait_for(lambda: len(looked) > 3)
        ports.append(ListedPort(port, product=PRODUCT))
        record.wait_for_end()
    assert len(record.troubles()) == 2


def test_a_port_in_use_is_said_with_the_program() -> None:
    """Who has the port is found in /proc; when it lets go, the Pico is taken."""
    record = Troubles()
    with device(speak_as(ModelPico())) as port:
        with program_at(port, "import fcntl; fcntl.flock(held, fcntl.LOCK_EX)"):
            link = PicoLink(MODEL_PLAN, port, record.add, pauses_s=QUICK_S)
            link.start()
            trouble = record.wait_for_word("in use")
            assert re.fullmatch(rf"{port} is in use by \S*python\S*: stop it", trouble)
        record.wait_for_end()
        link.close()


def test_who_takes_the_answers_away_is_named() -> None:
    """A terminal program that locks nothing has the port open too, and gets the bytes."""
    record = Troubles()
    with device(silence) as port, program_at(port), link_to(port, record):
        record.wait_for_word("is in use by python")


def test_other_firmware_is_told_with_both_versions() -> None:
    """And then let rest: nothing is said to it but hello."""
    record = Troubles()
    with device(speak_as(ModelPico(protocol=2))) as port, link_to(port, record) as link:
        record.wait_for_word(
            "the Pico's firmware 1.0 speaks protocol 2, but this companion speaks protocol 1:"
            " run './run pico update'"
        )
        assert link.hello is None


def test_other_wires_are_named_and_the_rest_works() -> None:
    """What the Pico does not know is told; what it does is heard."""
    record = Troubles()
    pico = ModelPico()
    plan = plan_pins({"tilt_0": 5, "done_0": 8, "undo": 20, "idol_a": 3, "idol_b": 2}, PICO)
    with (
        device(speak_as(pico)) as port,
        PicoLink(plan, port, record.add, pauses_s=QUICK_S) as link,
    ):
        trouble = record.wait_for_word("other wires")
        (done,) = link.open(plan, "done").values()
        pico.move(1, time.monotonic())
        wait_for(lambda: done.active)
    assert trouble == (
        "the Pico was set up for other wires and does not know undo at GP20, idol_a at GP3 and"
        " idol_b at GP2: run './run pico update'"
    )
    assert record.troubles() == [trouble]


def test_other_lights_are_named() -> None:
    """Another number of lights is another wiring."""
    record = Troubles()
    with simulated_pico(lights=(22, 12)) as pico, linked(pico, record):
        record.wait_for_word("does not know pixels at GP22")


def test_a_pico_that_restarts_again_and_again_is_reported() -> None:
    """Three starts in twenty seconds are no accident; its own reason is told."""
    record = Troubles()
    with simulated_pico() as pico, linked(pico, record) as link:
        seen: set[str] = set()
        while len(seen) < STARTS:
            wait_for(lambda: link.hello and link.hello.boot not in seen)
            assert link.hello
            seen.add(link.hello.boot)
            if len(seen) < STARTS:
                pico.restart()
        trouble = record.wait_for_word("has started")
    assert trouble.startswith(
        "the Pico has started 3 times in 20 s, last by power: check its cable"
    )


def test_a_pico_that_is_silent_is_reported_and_taken_back() -> None:
    """After two seconds; when it goes on, nothing is missing."""
    record = Troubles()
    with simulated_pico() as pico, linked(pico, record) as link:
        (done,) = (link.open(PLAN, "done")[role] for role in ["done_0"])
        levels: list[bool] = []
        done.when_changed = lambda active, _: levels.append(active)
        pico.freeze()
        record.wait_for_word("has been silent for 2 s")
        pico.close_contact(pin_of("done_0"))
        pico.thaw()
        record.wait_for_end()
        wait_for(lambda: levels)
    assert levels == [True]
    assert done.lost == 0


def test_edges_that_the_pico_could_not_keep_are_told() -> None:
    """More than it can keep while nobody listens: how many, and the levels are right again."""
    record = Troubles()
    pico, cable = ModelPico(), threading.Lock()
    with device(speak_as(pico, cable)) as port, link_to(port, record) as link:
        done = link.open(MODEL_PLAN, "done")["done_0"]
        edges: list[bool] = []
        done.when_changed = lambda active, _: edges.append(active)
        with cable:
            for _ in range(KEPT + 45):
                pico.move(1, time.monotonic())
        trouble = record.wait_for_word("has lost")
        wait_for(lambda: len(edges) == KEPT + 1)
    assert trouble.startswith("the Pico has lost 45 changes of its switches: check whether")
    assert edges == [True, False] * (KEPT // 2) + [True]
    assert done.lost == 45


def test_a_fault_of_its_own_is_reported_and_survived() -> None:
    """Whatever goes wrong in the thread is told, and tried again."""
    record = Troubles()
    fault = [ValueError("bad weather")]

    def list_ports() -> Iterable[ListedPort]:
        if fault:
            raise fault.pop()
        return [ListedPort(port, product=PRODUCT)]

    with device(speak_as(ModelPico())) as port:
        link = PicoLink(MODEL_PLAN, "", record.add, list_ports=list_ports, pauses_s=QUICK_S)
        with link:
            record.wait_for_end()
    assert record.troubles() == [
        "the link to the Pico fails: bad weather; restart the companion",
        "",
    ]


def test_a_failing_listener_does_not_silence_the_link(caplog: pytest.LogCaptureFixture) -> None:
    """Neither that for troubles nor that for the Pico's return."""

    def fail(*_: object) -> None:
        raise ValueError("no room left")

    with device(speak_as(ModelPico())) as port:
        link = PicoLink(PLAN, port, fail, pauses_s=QUICK_S)  # other wires than the model's
        link.on_connected.append(fail)
        with link:
            wait_for(lambda: len(caplog.records) == 2)
            wait_for(lambda: link.hello)
    assert {record.getMessage() for record in caplog.records} == {
        "a listener failed when the Pico was back: no room left",
        "a listener failed on the Pico's trouble: no room left",
    }


def test_a_port_that_takes_nothing_does_not_block() -> None:
    """Nobody reads at the other end, and its buffer is full: it is let go all the same."""
    near, far = os.openpty()
    os.set_blocking(far, False)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(far, b"x" * 1024)
    began_s = time.monotonic()
    link = PicoLink(PLAN, os.ttyname(far))
    link.start()
    wait_for(lambda: link.trouble)
    link.close()
    assert time.monotonic() - began_s < PATIENCE_S
    os.close(near)
    os.close(far)


def test_a_link_is_started_once_and_ends() -> None:
    """A second start, and opening after the end, are refused in one line; closing twice is none."""
    link = PicoLink(PLAN, "/dev/nowhere")
    link.start()
    with pytest.raises(HardwareError, match="was started already"):
        link.start()
    link.close()
    link.close()
    with pytest.raises(HardwareError, match="is closed"):
        link.open(PLAN, "done")
    assert "nothing is plugged in at /dev/nowhere" in link.trouble


def test_starts_that_came_to_nothing_count_and_pass() -> None:
    """A Pico that dies before it can answer is as restless; twenty quiet seconds end it."""
    watch = Watch()
    for at_s in (100.0, 101.0):
        watch.started(at_s)
    assert watch.restarts(102.0) == ""
    watch.started(103.0)
    assert "has started 3 times in 20 s: check" in watch.restarts(103.0)
    assert watch.restarts(121.0) == ""


def test_what_was_forgotten_is_told_for_a_while() -> None:
    """It adds up, and is over after twenty seconds without more."""
    watch = Watch()
    watch.forgot(2, 100.0)
    watch.forgot(3, 110.0)
    assert "has lost 5 changes" in watch.losses(129.0)
    assert watch.losses(131.0) == ""
    watch.forgot(1, 140.0)
    assert "has lost a change of" in watch.losses(141.0)
