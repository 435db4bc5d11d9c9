"""The machine itself: what it may be asked, and that the simulated one answers alike."""

import errno
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeAlias

import pytest
import smbus2

from companion.apps.doctor import machine as machine_module
from companion.apps.doctor.machine import Answer, LocalMachine, Machine
from companion.session.events import MoveAccepted
from companion.session.log import Log
from hardware.device import HardwareError
from tests.doctor.machines import FakeMachine

TROUBLE = """
import sys
from pathlib import Path
from companion.apps.doctor.machine import LocalMachine

print(LocalMachine().log_trouble(Path(sys.argv[1])))
"""
Make: TypeAlias = Callable[[dict[str, str]], tuple[Machine, str]]


def local(folder: Path) -> Make:
    """Return what makes a machine whose files are really in *folder*."""

    def make(files: dict[str, str]) -> tuple[Machine, str]:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return LocalMachine(), str(folder)

    return make


def fake(_: Path) -> Make:
    """Return what makes a simulated machine with the files in a folder called /pretended."""

    def make(files: dict[str, str]) -> tuple[Machine, str]:
        programs = {"echo": Answer(0, "hello\n"), "false": Answer(1, "")}
        files = {f"/pretended/{name}": text for name, text in files.items()}
        return FakeMachine(files=files, programs=programs, modules={"json"}), "/pretended"

    return make


@pytest.fixture(params=[local, fake], ids=["local", "fake"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Make the machine in both forms."""
    form: Callable[[Path], Make] = request.param
    return form(tmp_path)


def test_files_are_read_as_they_are(make: Make) -> None:
    """One that is not there is empty, and so is a folder."""
    machine, root = make({"a/model": "Pi\0", "a/b": "2"})
    assert machine.read(f"{root}/a/model") == "Pi\0"
    assert machine.read(f"{root}/a/missing") == ""
    assert machine.read(f"{root}/a") == ""


def test_files_are_found_in_order_and_in_one_folder(make: Make) -> None:
    """A star stops at a slash."""
    machine, root = make({"i2c-2": "", "i2c-1": "", "spi/i2c-3": ""})
    assert machine.find(f"{root}/i2c-*") == (f"{root}/i2c-1", f"{root}/i2c-2")
    assert machine.find(f"{root}/*/i2c-*") == (f"{root}/spi/i2c-3",)
    assert machine.find(f"{root}/gpio*") == ()


def test_a_folder_and_a_file_exist(make: Make) -> None:
    """What is not there does not."""
    machine, root = make({"a/b": ""})
    assert machine.exists(f"{root}/a")
    assert machine.exists(f"{root}/a/b")
    assert not machine.exists(f"{root}/a/bc")
    assert not machine.exists(f"{root}/a\0")


def test_what_is_not_there_cannot_be_used(make: Make) -> None:
    """What is there can."""
    machine, root = make({"node": ""})
    assert machine.usable(f"{root}/node")
    assert not machine.usable(f"{root}/nodes")


def test_what_only_its_owner_may_read_is_private(tmp_path: Path) -> None:
    """Nobody's is a file that is not there, and nobody reads it."""
    file, machine = tmp_path / "games.db", LocalMachine()
    assert machine.is_private(str(file))
    file.touch()
    for mode, is_private in ((0o600, True), (0o400, True), (0o640, False), (0o602, False)):
        file.chmod(mode)
        assert machine.is_private(str(file)) == is_private
    assert FakeMachine().is_private("/a")
    assert not FakeMachine(public={"/a"}).is_private("/a")


def test_programs_answer_or_are_not_there(make: Make) -> None:
    """The exit status and the output, or None."""
    machine, _ = make({})
    assert machine.run("echo", "hello") == Answer(0, "hello\n")
    assert machine.run("false", "") == Answer(1, "")
    assert machine.run("no-such-program", "at all") is None
    assert machine.has_program("echo")
    assert not machine.has_program("no-such-program")


def test_packages_are_found_without_being_imported(make: Make) -> None:
    """One that is not there is not found."""
    machine, _ = make({})
    assert machine.has_module("json")
    assert not machine.has_module("no_such_package")


def test_the_fake_refuses_what_it_is_told_to_refuse() -> None:
    """An exception in the place of an answer is raised, and a node can be kept from the user."""
    machine = FakeMachine(files={"/dev/x": ""}, refused={"/dev/x"}, i2c=OSError(5, "no"))
    assert not machine.usable("/dev/x")
    with pytest.raises(OSError, match="no"):
        machine.i2c_addresses(1)


def test_a_program_that_hangs_is_stopped() -> None:
    """It counts as having said so."""
    began_s = time.monotonic()
    assert LocalMachine().run("sleep", "600", within_s=0.05) == Answer(
        124, "no answer within 0.05 s"
    )
    assert time.monotonic() - began_s < 60


def test_a_program_that_speaks_no_utf_8_is_heard() -> None:
    """Bytes that are no letters are marked as such."""
    answer = LocalMachine().run(sys.executable, "-c", r"import os; os.write(2, b'\xff!')")
    assert answer == Answer(0, "\N{REPLACEMENT CHARACTER}!")


def test_the_trial_of_the_log_leaves_nothing(tmp_path: Path) -> None:
    """Nor does it need more than the folder."""
    LocalMachine().try_log(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert LocalMachine().free_mb(tmp_path) > 0


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    """A file in its place will do to show it, for root too."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="Not a directory"):
        LocalMachine().try_log(tmp_path / "file")


def test_a_log_that_cannot_have_wal_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a network's share."""

    class Share:
        def execute(self, _: str) -> "Share":
            return self

        def fetchone(self) -> tuple[str]:
            return ("delete",)

        def close(self) -> None:
            pass

    monkeypatch.setattr(sqlite3, "connect", lambda *_, **__: Share())
    with pytest.raises(OSError, match="stays in mode delete"):
        LocalMachine().try_log(Path("/tmp"))


def test_a_port_in_use_is_an_error_and_a_free_one_is_given_back() -> None:
    """The doctor keeps no port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use") as raised:
            LocalMachine().try_port("127.0.0.1", port)
        assert raised.value.errno == errno.EADDRINUSE
    for _ in range(2):
        LocalMachine().try_port("127.0.0.1", port)


def test_who_holds_a_file_is_found(tmp_path: Path) -> None:
    """This process, as long as it has it open."""
    node = tmp_path / "video0"
    node.write_text("")
    assert LocalMachine().holders(str(node)) == ()
    with node.open():
        (name,) = LocalMachine().holders(str(node))
    assert name == Path("/proc/self/comm").read_text().strip()


def test_the_rest_answers_on_any_machine() -> None:
    """Groups, time, versions and serial ports are there to be asked for."""
    machine = LocalMachine()
    assert machine.groups()
    assert abs(machine.now_s() - time.time()) < 60
    assert machine.python == ".".join(map(str, sys.version_info[:3]))
    assert machine.bits in (32, 64)
    assert all(port.device.startswith("/dev/") for port in machine.serial_ports())


class Bus:
    """An I2C bus on which some answer, one belongs to the kernel, and 0x70 may be stuck."""

    stuck = False

    def __init__(self, bus: int) -> None:
        assert bus == 1

    def __enter__(self) -> "Bus":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def write_quick(self, address: int) -> None:
        """Answer, or raise what the kernel says."""
        if address == 0x70 and self.stuck:
            raise OSError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
        if address == 0x68:
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        if address != 0x3C:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))


def test_a_bus_is_called_by_addresses_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers is there, and so is who belongs to a driver of the kernel's."""
    monkeypatch.setattr(smbus2, "SMBus", Bus)
    assert LocalMachine().i2c_addresses(1) == (0x3C, 0x68)


def test_a_stuck_bus_is_called_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each further address would take a second."""
    monkeypatch.setattr(smbus2, "SMBus", Bus)
    monkeypatch.setattr(Bus, "stuck", True)
    with pytest.raises(TimeoutError):
        LocalMachine().i2c_addresses(1)


class Lines:
    """As much of lgpio as tells who has a pin."""

    class error(Exception):  # noqa: N801 - lgpio's own name
        """What lgpio raises."""

    def __init__(self) -> None:
        self.open = 0

    def gpiochip_open(self, chip: int) -> int:
        """Open chip 4, the header of a Pi 5."""
        if chip != 4:
            raise self.error("can not open gpiochip")
        self.open += 1
        return 7

    def gpiochip_close(self, handle: int) -> None:
        """Close it."""
        assert handle == 7
        self.open -= 1

    def gpio_get_line_info(self, handle: int, gpio: int) -> list[Any]:
        """Return status, number, flags, name and user."""
        assert handle == 7
        return [0, gpio, int(gpio in (8, 9)), f"GPIO{gpio}", "spi0 CS0" if gpio == 8 else ""]


def pins_of(chip: int, lines: Lines, monkeypatch: pytest.MonkeyPatch) -> dict[int, str]:
    """Return who has which pin of *chip*."""
    closed: list[bool] = []
    opened = SimpleNamespace(chip=chip, close=lambda: closed.append(True))
    monkeypatch.setattr(machine_module, "pin_factory", lambda _: opened)
    monkeypatch.setitem(sys.modules, "lgpio", lines)
    try:
        return dict(LocalMachine().pin_users("lgpio"))
    finally:
        assert closed == [True]
        assert lines.open == 0


def test_pins_are_asked_who_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """By name if the user has one; none is claimed, and the chip is closed again."""
    assert pins_of(4, Lines(), monkeypatch) == {8: "spi0 CS0", 9: "the kernel"}


def test_pins_that_cannot_be_asked_are_an_error_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, with everything closed."""
    with pytest.raises(HardwareError, match="can not open gpiochip"):
        pins_of(0, Lines(), monkeypatch)


def test_the_older_library_cannot_tell_who_has_a_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    """So nobody is accused."""
    opened = SimpleNamespace(chip=0, close=lambda: None)
    monkeypatch.setattr(machine_module, "pin_factory", lambda _: opened)
    assert LocalMachine().pin_users("rpigpio") == {}


def test_the_file_of_saved_games_is_checked(tmp_path: Path) -> None:
    """Undamaged, in use or damaged; it stays as it is."""
    path, machine = tmp_path / "games.db", LocalMachine()
    with Log(path) as log:
        number = log.open_session({"game": "topple"})
        for seq in range(1, 40):
            log.append(number, seq, MoveAccepted(0, "up1 nani"))
        assert (
            subprocess.run(
                [sys.executable, "-c", TROUBLE, str(path)],
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            == "\n"
        )
    assert machine.log_trouble(path) == ""
    data = bytearray(path.read_bytes())
    data[8192:9000] = bytes(808)
    path.write_bytes(data)
    assert "is damaged (" in machine.log_trouble(path)
    assert path.read_bytes() == data
    empty = tmp_path / "empty.db"
    empty.touch()
    assert machine.log_trouble(empty) == ""
    assert empty.stat().st_size == 0
