"""A simulated Pico, and the Pi that a test speaks for."""

import platform
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.device import HardwareError
from hardware.pico.machine import find_micropython
from hardware.pico.simulation import SimulatedPico
from tests.firmware.host import Host


@pytest.fixture(scope="session")
def micropython() -> str:
    """Return the VM's path; where PyPI has no VM the tests that need it are skipped."""
    try:
        return find_micropython()
    except HardwareError as error:
        if platform.machine() == "x86_64":
            raise
        pytest.skip(str(error))


@pytest.fixture
def pico(micropython: str, tmp_path: Path) -> Iterator[SimulatedPico]:
    """Yield a Pico with the usual wires."""
    with SimulatedPico(tmp_path, micropython=micropython) as simulated:
        yield simulated


@pytest.fixture
def connect() -> Iterator[Callable[[SimulatedPico], Host]]:
    """Return what opens a Pico's port, as often as wanted, once there is one."""
    hosts: list[Host] = []

    def opened(pico: SimulatedPico) -> Host:
        until = time.monotonic() + 2
        while not pico.port.exists() and time.monotonic() < until:
            time.sleep(0.005)
        hosts.append(Host(pico.port))
        return hosts[-1]

    yield opened
    for host in hosts:
        host.close()
