"""What is known of a Pico, and what is to be done next."""

from pathlib import Path

from hardware.pico.condition import examine
from hardware.pico.installation import install
from hardware.pico.release import Wiring, released_files
from tests.hardware.pico.answering import FAULT, answering, pico_as, port
from tests.hardware.pico.drives import circuitpy, volumes
from tests.hardware.pico.refused import assert_one_line

WIRES = Wiring((5, 8), (), None)
CONFIG = " --config tiki.toml"


def test_a_firmware_that_has_stopped_is_shown_by_its_console(tmp_path: Path) -> None:
    """Where the files are right and nothing answers, the last lines say why."""
    folder = circuitpy(tmp_path / "CIRCUITPY")
    install(folder, released_files(WIRES), "1")
    there = volumes(tmp_path, {"CIRCUITPY": folder})
    with answering(lambda _: b"", says=FAULT) as node:
        console = port(node, "CircuitPython CDC control")
        found = examine(there, WIRES, list_ports=lambda: [console])
    assert found.console[-1].endswith("RuntimeError: there is no data port")
    assert_one_line(found.silence, node, "without our firmware")
    assert_one_line(found.next_step(CONFIG), "unplug the Pico and plug it in again")
    assert found.to_json(CONFIG)["console"] == found.console


def test_a_pico_that_answers_is_not_listened_to(tmp_path: Path) -> None:
    """Its console is left alone; of its two ports the data's is asked."""
    with answering(pico_as(1)) as node:
        ports = [port("/dev/no-console", "CircuitPython CDC control"), port(node, "CDC2")]
        found = examine(volumes(tmp_path, {}), WIRES, list_ports=lambda: ports)
    assert found.node == node
    assert found.wiring_there == WIRES
    assert found.console == ()


def test_two_picos_are_named_and_none_is_asked(tmp_path: Path) -> None:
    """With what to do: unplug one, or name the port."""
    ports = [port("/dev/ttyACM0", "CDC2", serial="1"), port("/dev/ttyACM2", "CDC2", serial="2")]
    found = examine(volumes(tmp_path, {}), WIRES, list_ports=lambda: ports)
    assert found.node == ""
    assert_one_line(found.next_step(CONFIG), "2 Picos", "/dev/ttyACM0", "/dev/ttyACM2", "pins.port")


def test_what_is_wrong_with_a_drive_is_said(tmp_path: Path) -> None:
    """Two of them, and one that says nothing of itself."""
    folders = {name: circuitpy(tmp_path / name) for name in ("CIRCUITPY", "CIRCUITPY1")}
    found = examine(volumes(tmp_path, folders), WIRES, list_ports=list)
    assert_one_line(found.no_drive, "2 drives", "--drive")
    (folders["CIRCUITPY"] / "boot_out.txt").write_text("")
    found = examine(volumes(tmp_path, {}), WIRES, folders["CIRCUITPY"], list_ports=list)
    assert_one_line(found.no_drive, "does not say which CircuitPython")
