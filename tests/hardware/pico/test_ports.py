"""Which port the Pico is at, who has it, and what a port that cannot be had means."""

import errno
import os
import re
import termios
from pathlib import Path

import pytest

from hardware.pico.ports import (
    PRODUCT,
    NoPico,
    Port,
    PortLost,
    find_nodes,
    list_ports,
    programs_at,
    stable_name,
)
from tests.hardware.pico.serial_devices import ListedPort, device, echo

CIRCUITPYTHON = (0x239A, 0x8120)
CONSOLE = "CircuitPython CDC control"
DATA = "CircuitPython CDC2 control"


def port(place: int, board: str = "E1", interface: str | None = None) -> ListedPort:
    """Return a port of a board that is called as ours."""
    return ListedPort(
        f"/dev/ttyACM{place}", *CIRCUITPYTHON, board, f"1-1.{board}:1.{place}", PRODUCT, interface
    )


def test_of_two_ports_the_one_for_data_is_taken() -> None:
    """The other is CircuitPython's console."""
    assert find_nodes([port(0, interface=CONSOLE), port(1, interface=DATA)]) == ["/dev/ttyACM1"]


def test_a_port_that_is_named_otherwise_is_no_console() -> None:
    """Other USB stacks have names of their own for such ports, "CDC" among their words."""
    only = port(0, interface="CDC Abstract Control Model (ACM)")
    assert find_nodes([only]) == ["/dev/ttyACM0"]


def test_without_names_both_are_tried_the_second_first() -> None:
    """Some kernels tell no names; a port of a board without serial number is known by its place."""
    ports = [port(0), port(1)]
    assert find_nodes(ports) == ["/dev/ttyACM1", "/dev/ttyACM0"]
    for each in ports:
        each.serial_number = None
    assert find_nodes(ports) == ["/dev/ttyACM1", "/dev/ttyACM0"]


def test_a_pico_of_another_name_is_known_by_its_numbers() -> None:
    """But one of our name goes before it, and nothing else counts."""
    other = ListedPort("/dev/ttyACM4", 0x2E8A, 0x000A, "E9", product="Morse key")
    modem = ListedPort("/dev/ttyUSB0", 0x1A86, 0x7523)
    assert find_nodes([modem, other]) == ["/dev/ttyACM4"]
    assert find_nodes([modem, other, port(1)]) == ["/dev/ttyACM1"]


@pytest.mark.parametrize(
    ("ports", "said"),
    [
        ([], "no Pico is plugged in: plug its cable in"),
        ([ListedPort("/dev/ttyUSB0", 0x1A86, 0x7523)], "no Pico is plugged in"),
        ([port(0), port(2, "E2")], "2 Picos are plugged in, /dev/ttyACM0 and /dev/ttyACM2: unplug"),
        (
            [port(0, interface=CONSOLE)],
            "the Pico at /dev/ttyACM0 runs CircuitPython without our firmware: run './run pico",
        ),
    ],
)
def test_what_is_no_pico_of_ours_is_said(ports: list[ListedPort], said: str) -> None:
    """In one line, with the remedy."""
    with pytest.raises(NoPico, match=re.escape(said)) as caught:
        find_nodes(ports)
    assert "\n" not in str(caught.value)


def test_the_ports_of_this_machine_can_be_listed() -> None:
    """Whatever there are, each has a name."""
    assert all(each.device for each in list_ports())


def test_a_name_that_lasts_is_preferred(tmp_path: Path) -> None:
    """Udev's own, as the kernel's numbers change with every plugging."""
    node = tmp_path / "ttyACM0"
    node.touch()
    by_id = tmp_path / "by-id"
    assert stable_name(str(node), by_id) == str(node)
    by_id.mkdir()
    (by_id / "usb-Tiki_Pico").symlink_to(node)
    assert stable_name(str(node), by_id) == str(by_id / "usb-Tiki_Pico")


def test_programs_are_found_in_proc(tmp_path: Path) -> None:
    """By their open files; what cannot be read is passed over; this one counts if it is wanted."""
    node = tmp_path / "ttyACM0"
    node.touch()
    for number, name in (("12", "minicom"), ("13", "bash"), (str(os.getpid()), "tiki")):
        folder = tmp_path / "proc" / number
        (folder / "fd").mkdir(parents=True)
        (folder / "comm").write_text(f"{name}\n")
        (folder / "fd" / "3").symlink_to("/dev/null" if name == "bash" else node)
    (tmp_path / "proc" / "14").mkdir()
    assert programs_at(str(node), tmp_path / "proc") == ("minicom",)
    assert programs_at(str(node), tmp_path / "proc", with_this=True) == ("minicom", "tiki")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.EACCES, "denied"), "no permission for {}: sudo usermod -aG dialout $USER"),
        (OSError(errno.EBUSY, "busy"), "{} is in use by another program: stop it"),
        (OSError(errno.EAGAIN, "locked"), "{} is in use by another program: stop it"),
        (OSError(errno.ENODEV, "no device"), "nothing is plugged in at {}: plug the Pico in"),
        (termios.error(5, "Input/output error"), "{} cannot be opened, (5, 'Input/output error')"),
        (ValueError("bad weather"), "{} cannot be opened, bad weather: unplug the Pico"),
    ],
)
def test_a_port_that_cannot_be_had_says_why(
    error: Exception, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whatever the system raises becomes one line with the remedy."""

    def fail(*_: object, **__: object) -> None:
        raise error

    node = tmp_path / "ttyACM0"
    node.touch()
    monkeypatch.setattr("serial.Serial", fail)
    with pytest.raises(NoPico, match=re.escape(said.format(node))) as caught:
        Port(str(node))
    assert "\n" not in str(caught.value)


def test_what_is_no_serial_port_is_refused(tmp_path: Path) -> None:
    """A file, and nothing at all."""
    file = tmp_path / "notes"
    file.touch()
    for node in (file, tmp_path / "nowhere", tmp_path):
        with pytest.raises(NoPico):
            Port(str(node))


def test_a_port_reads_writes_and_is_lost() -> None:
    """What is written comes back from an echo; when the other end goes, it says so."""
    with device(echo) as node:
        opened = Port(node)
        with pytest.raises(NoPico, match="in use"):
            Port(node)
        assert opened.write(b"hello")
        heard = b""
        while len(heard) < 5:
            heard += opened.read()
        assert heard == b"hello"
        opened.wake()
        assert opened.read() == b""
    with pytest.raises(PortLost):
        _talk_on(opened)
    opened.close()


def _talk_on(opened: Port) -> None:
    while opened.write(b"x"):
        opened.read()
