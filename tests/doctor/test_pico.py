"""The doctor and the Pico: which one it is, whether it answers, and whether it knows its wires."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.apps.doctor.examination import CHECKS
from companion.apps.doctor.machine import LocalMachine, SerialPort
from firmware.version import VERSION
from firmware.wire import PROTOCOL
from hardware.pico import greeting
from hardware.pico.ports import NoPico
from hardware.pico.simulation import SimulatedPico
from hardware.pins import PICO as PICO_BOARD
from hardware.pins import usual_plan
from tests.doctor.faults import LAPTOP, Fault, assert_named, holding
from tests.doctor.machines import FAKES, HELLO, FakeMachine, look, on_pico, pi_5
from tests.hardware.picos import require_micropython

PICO = SerialPort("/dev/ttyACM0", 0x239A, 0x80F4, "Pico", "E66", "1-1:1.2")
SECOND = SerialPort("/dev/ttyACM2", 0x239A, 0x80F4, "Pico", "E67", "1-2:1.2")
UNO = SerialPort("/dev/ttyACM0", 0x2341, 0x43, "Uno")
CONSOLE = SerialPort(
    "/dev/ttyACM0", 0x239A, 0x80F4, "Pico", "E66", "1-1:1.0", "CircuitPython CDC control"
)

FAULTS = (
    Fault("serial", pi_5(ports=()), on_pico(), "no Pico is plugged in", "plug its cable into"),
    Fault("serial", pi_5(ports=(PICO, SECOND)), on_pico(), "2 Picos are plugged in", "pins.port"),
    Fault("serial", pi_5(ports=(CONSOLE,)), on_pico(), "without our firmware", "pico install"),
    Fault("serial", pi_5(), on_pico(port="/dev/ttyACM7"), "nothing is plugged in at /dev/ttyACM7",
          'pins.port to ""'),
    Fault("serial", pi_5(refused={"/dev/ttyACM0"}), on_pico(), "no permission", "dialout"),
    Fault("serial", pi_5(users={"/dev/ttyACM0": ("screen",)}), on_pico(),
          "/dev/ttyACM0 is in use by screen", "stop it"),
    Fault("serial", pi_5(pico=NoPico("/dev/ttyACM0 does not answer: run './run pico install'")),
          on_pico(), "/dev/ttyACM0 does not answer", "pico install"),
    Fault("serial", pi_5(ports=(UNO,), pico=NoPico("/dev/ttyACM0 does not answer: do this")),
          on_pico(port="/dev/ttyACM0"), "Uno (2341:0043) is at /dev/ttyACM0, and no Pico",
          "pins.port"),
    Fault("serial", pi_5(pico=NoPico("all is lost")), on_pico(), "all is lost", "plug it in again"),
    Fault("serial", pi_5(pico=HELLO._replace(protocol=PROTOCOL + 1)), on_pico(),
          f"speaks protocol {PROTOCOL + 1}, but this companion speaks protocol {PROTOCOL}",
          "pico update"),
    Fault("serial", pi_5(pico=HELLO._replace(firmware="0")), on_pico(), "has firmware 0, this",
          "pico update"),
    Fault("serial", pi_5(pico=HELLO._replace(keys=(5, 6))), on_pico(), "does not know tilt_2 at",
          "pico update"),
    Fault("serial", pi_5(pico=HELLO._replace(lights="22x8")), on_pico(), "pixels at GP22",
          "pico update"),
)  # fmt: skip


def test_a_fault_is_named_with_its_remedy() -> None:
    """What was found, and what to do next, a line each."""
    for fault in FAULTS:
        assert_named(fault)


@pytest.mark.parametrize(
    ("port", "said"),
    [
        (PICO, "Pico with CircuitPython at /dev/ttyACM0"),
        (SerialPort("/dev/ttyACM0", 0x2341, 0x43, "Uno"), "Uno (2341:0043) at /dev/ttyACM0"),
        (SerialPort("/dev/ttyAMA0"), "a serial port at /dev/ttyAMA0"),
    ],
)
def test_a_pico_is_known_by_its_numbers(port: SerialPort, said: str) -> None:
    """Others go by the name that they give themselves."""
    assert look("serial", pi_5(ports=(port,)), FAKES).detail == said


@pytest.mark.parametrize("machine", [pi_5(), LAPTOP])
@pytest.mark.parametrize("check", ["board", "pins", "lights"])
def test_a_pico_needs_no_header(check: str, machine: FakeMachine) -> None:
    """On a laptop neither, and whatever else uses the header's pins or its serial port."""
    busy = replace(machine, pins={5: "spi0"}, files={**machine.files, "/proc/cmdline": "ttyAMA0"})
    assert look(check, busy, on_pico()).status == "ok"


def test_what_is_on_a_pico_is_said() -> None:
    """Its wires by GP number; and what answers, with its firmware."""
    plan = usual_plan(PICO_BOARD, ["tilt_0", "idol_a", "idol_b", "pixels"])
    wired = on_pico(plan=plan)
    assert look("pins", pi_5(), wired).detail.endswith(
        "tilt_0 GP5, idol_a GP2, idol_b GP3, pixels GP22"
    )
    assert look("lights", pi_5(), wired).detail == "GP22 of the Pico drives 9 of them; see serial"
    assert look("serial", pi_5(), wired).detail == (
        f"raspberry_pi_pico at /dev/ttyACM0 answers: firmware {VERSION}, wired as the settings say,"
        " started by power"
    )


def test_a_pico_that_plays_is_left_in_peace() -> None:
    """While the companion has it nothing is asked, and that is no fault."""
    machine = pi_5(users={"/dev/ttyACM0": ("tiki",)}, pico=NoPico("asked"))
    verdict = look("serial", machine, on_pico())
    assert (verdict.status, "the companion has the Pico" in verdict.detail) == ("ok", True)


def test_of_two_ports_the_one_that_answers_is_the_picos() -> None:
    """Where the system does not say which is the console."""
    first = SerialPort("/dev/ttyACM0", 0x239A, 0x80F4, "Tiki Pico", "E66", "1-1:1.0")
    second = replace(first, device="/dev/ttyACM1", location="1-1:1.2")
    machine = holding("/dev/ttyACM1", "")
    machine.ports = (first, second)
    assert "at /dev/ttyACM1 answers" in look("serial", machine, on_pico()).detail
    machine.refused = {"/dev/ttyACM1"}
    assert "at /dev/ttyACM0 answers" in look("serial", machine, on_pico()).detail


def test_a_pico_that_nothing_is_wired_to_may_be_away() -> None:
    """It is only named; so are its pins."""
    idle = on_pico(sensors="fake", lights="fake")
    assert look("serial", pi_5(ports=()), idle).status == "skipped"
    assert look("pins", pi_5(), idle).status == "simulated"
    assert look("lights", pi_5(), idle).status == "simulated"


def test_the_real_firmware_is_greeted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the real check, at the end of a real cable's stand-in; garbage there is no Pico."""
    require_micropython()
    monkeypatch.setattr(greeting, "GREET_S", 60.0)
    with SimulatedPico(tmp_path) as pico:
        wired = on_pico(port=str(pico.port))
        verdict = CHECKS["serial"](LocalMachine(), wired)
        assert verdict.status == "ok", verdict
        assert f"at {pico.port} answers: firmware {VERSION}" in verdict.detail
        pico.garble(to_pi=lambda data: data.upper())
        monkeypatch.setattr(greeting, "GREET_S", 0.2)
        verdict = CHECKS["serial"](LocalMachine(), wired)
        assert verdict.detail == f"{pico.port} does not answer as our Pico does"
        assert "./run pico install" in verdict.remedy
