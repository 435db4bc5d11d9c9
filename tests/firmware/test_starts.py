"""Why the Pico starts, and what a fault of its firmware leads to."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from hardware.pico.machine import FIRMWARE
from hardware.pico.simulation import SimulatedPico
from tests.firmware.host import Host
from tests.hardware.picos import wait_for

Connect: TypeAlias = Callable[[SimulatedPico], Host]


def test_restart_is_another_boot(pico: SimulatedPico, connect: Connect) -> None:
    """Answered, then done; the next hello tells why."""
    host = connect(pico)
    boot = host.ask("hello", 1)[4]
    assert host.ask("restart") == ("ok",)
    host.listen_until_cut()
    hello = connect(pico).ask("hello", 1)
    assert hello[4] != boot
    assert hello[8] == "reset"


FAULTY = """

class Faulty(Pico):
    def step(self):
        super().step()
        if self._keys.closed[0]:
            raise ValueError("a fault for a test")


pico = Faulty(usb_cdc.data, reason)
"""


def changed_firmware(folder: Path, setting_up: str) -> Path:
    """Return a copy of the firmware below *folder*, its Pico set up in another way."""
    copy = folder / "firmware"
    copy.mkdir()
    for each in FIRMWARE.glob("*.py"):
        (copy / each.name).write_bytes(each.read_bytes())
    code = (copy / "code.py").read_text()
    line = "pico = Pico(usb_cdc.data, reason)\n"
    assert line in code
    (copy / "code.py").write_text(code.replace(line, setting_up))
    return copy


@pytest.fixture
def faulty(tmp_path: Path, micropython: str) -> SimulatedPico:
    """Return a Pico whose loop fails while its first contact is closed."""
    folder = changed_firmware(tmp_path, FAULTY)
    return SimulatedPico(tmp_path, firmware=folder, micropython=micropython)


def test_copied_files_do_not_start_it_anew(tmp_path: Path, micropython: str) -> None:
    """Its loop runs with CircuitPython's reload on every written file switched off."""
    told = "print('reload', supervisor.runtime.autoreload)\n"
    folder = changed_firmware(tmp_path, told + "pico = Pico(usb_cdc.data, reason)\n")
    with SimulatedPico(tmp_path, firmware=folder, micropython=micropython) as pico:
        wait_for(lambda: pico.console)
        assert pico.console == "reload False\n"


def test_a_fault_is_printed_and_cured_by_a_new_start(
    faulty: SimulatedPico, connect: Connect
) -> None:
    """Two seconds later; the next hello says so."""
    with faulty as pico:
        host = connect(pico)
        assert host.ask("hello", 1)[8] == "power"
        pico.close_contact(5)
        time.sleep(0.1)
        pico.open_contact(5)
        host.listen_until_cut()
        assert "ValueError: a fault for a test" in pico.console
        host = connect(pico)
        assert host.ask("hello", 1)[8] == "fault"
        pico.restart()
        assert connect(pico).ask("hello", 1)[8] == "power"


@pytest.mark.slow
def test_a_fault_that_a_start_does_not_cure_stops_the_pico(
    faulty: SimulatedPico, connect: Connect
) -> None:
    """Rather than restarting for ever: the drive must stay for a repair."""
    with faulty as pico:
        pico.close_contact(5)
        wait_for(lambda: pico.console.count("a fault for a test") == 2)
        time.sleep(2.5)
        assert pico.console.count("a fault for a test") == 2
        assert pico.port.exists()
        with pytest.raises(TimeoutError):
            connect(pico).ask("hello", 1, within_s=0.3)
