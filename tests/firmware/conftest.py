"""A simulated Pico, and the Pi that a test speaks for."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.pico.simulation import SimulatedPico
from tests.firmware.host import Host
from tests.hardware.picos import require_micropython, wait_for


@pytest.fixture(scope="session")
def micropython() -> str:
    """Return the VM's path; where PyPI has no VM the tests that need it are skipped."""
    return require_micropython()


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
        wait_for(pico.port.exists)
        hosts.append(Host(pico.port))
        return hosts[-1]

    yield opened
    for host in hosts:
        host.close()
