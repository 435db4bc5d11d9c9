"""The machine as the doctor sees it: read-only, and without root."""

import errno
import grp
import importlib
import importlib.util
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

from companion.files import OTHERS
from companion.session.log import LogError
from companion.session.log_errors import LogInUse
from companion.session.recovery import check
from companion.web.http.avahi import local_name
from companion.web.http.own_addresses import OwnAddress, own_addresses
from companion.web.http.server import open_listener
from hardware.device import HardwareError
from hardware.header import header_chip, pin_factory
from hardware.pico.greeting import greet
from hardware.pico.ports import list_ports, programs_at
from hardware.pico.session import Hello

COMMAND_TIMEOUT_S: Final = 3.0
LATE: Final = 124
"""The exit status of a program that had to be stopped."""
MAX_FILE_BYTES: Final = 65_536
I2C_ADDRESSES: Final = range(0x08, 0x78)
"""All that a device may have; the rest of the 128 is reserved."""
_HEADER_PINS: Final = range(28)
_USED_BY_KERNEL: Final = 1


class Answer(NamedTuple):
    """What a program said: its exit status, LATE if it had to be stopped, and both its outputs."""

    status: int
    output: str


@dataclass(slots=True)
class SerialPort:
    """A serial device; see `hardware.pico.ports.PortInfo`.

    device: its node.  vid, pid: USB's numbers of maker and product, None for others.
    location: its socket.  interface: what this port of a device with several is for.
    """

    device: str
    vid: int | None = None
    pid: int | None = None
    product: str | None = None
    serial_number: str | None = None
    location: str | None = None
    interface: str | None = None


class Machine(Protocol):
    """What the checks may query.

    python: its version.  bits: of its addresses, 32 or 64.
    """

    python: str
    bits: int

    def read(self, path: str) -> str:
        """Return the beginning of a file, "" if it cannot be read."""

    def find(self, pattern: str) -> tuple[str, ...]:
        """Return the paths that match the shell's *pattern*, in order."""

    def exists(self, path: str) -> bool:
        """Return whether there is something at *path*."""

    def usable(self, node: str) -> bool:
        """Return whether this user may read and write *node*."""

    def is_private(self, path: str) -> bool:
        """Return whether only its owner may read or write what is at *path*, if anything is."""

    def run(self, *command: str, within_s: float = COMMAND_TIMEOUT_S) -> Answer | None:
        """Return what *command* says, None if there is no such program."""

    def has_program(self, name: str) -> bool:
        """Return whether a program of this name can be run."""

    def has_module(self, name: str) -> bool:
        """Return whether Python finds the package *name*; it is not imported."""

    def groups(self) -> frozenset[str]:
        """Return the names of the groups that this process is in."""

    def now_s(self) -> float:
        """Return the seconds since 1970, as far as the machine knows."""

    def pin_users(self, factory: str) -> Mapping[int, str]:
        """Return which process holds each pin of the header, by BCM number; claims none.

        factory: gpiozero's, by name; only lgpio reports that.  Raises HardwareError if it has no
            pins.
        """

    def header_chip(self, factory: str) -> str:
        """Return the kernel's chip that has the header's pins, for people, "" if it is not known.

        factory: as of `pin_users`; only lgpio asks for a chip.
        """

    def i2c_addresses(self, bus: int) -> tuple[int, ...]:
        """Return the addresses that answer on /dev/i2c-*bus*, in order; raises OSError.

        Nothing but the address is sent, and nothing is read.
        """

    def serial_ports(self) -> tuple[SerialPort, ...]:
        """Return the serial devices that are there."""

    def greet_pico(self, node: str) -> Hello:
        """Return what the Pico at *node* says of itself; raises NoPico if it does not."""

    def holders(self, node: str) -> tuple[str, ...]:
        """Return the programs that have *node* open, as far as this user may see them."""

    def free_mb(self, folder: Path) -> float:
        """Return how many megabytes are free where *folder* is; raises OSError."""

    def try_log(self, folder: Path) -> None:
        """Write a log as games are kept and take it away again; raises OSError or sqlite3.Error."""

    def log_trouble(self, log: Path) -> str:
        """Return what is wrong with the file of saved games, in one line with its remedy, or "".

        Nothing of it changes.  While the companion has it open, it has been checked.
        """

    def try_port(self, host: str, port: int) -> None:
        """Listen there for a moment; raises OSError."""

    def own_addresses(self) -> tuple[OwnAddress, ...]:
        """Return the addresses by which phones may reach it."""

    def local_name(self, ip: str) -> str:
        """Return the name in the home network that goes with its address *ip*, "" for none."""


class LocalMachine:
    """This machine; see `Machine`."""

    def __init__(self) -> None:
        self.python = ".".join(map(str, sys.version_info[:3]))
        self.bits = 64 if sys.maxsize > 2**32 else 32

    def read(self, path: str) -> str:
        """Return the beginning of a file, "" if it cannot be read."""
        try:
            with Path(path).open("rb") as source:
                return source.read(MAX_FILE_BYTES).decode(errors="replace")
        except (OSError, ValueError):
            return ""

    def find(self, pattern: str) -> tuple[str, ...]:
        """Return the paths that match the shell's *pattern*, in order."""
        return tuple(sorted(map(str, Path("/").glob(pattern.lstrip("/")))))

    def exists(self, path: str) -> bool:
        """Return whether there is something at *path*."""
        return Path(path).exists()

    def usable(self, node: str) -> bool:
        """Return whether this user may read and write *node*."""
        return os.access(node, os.R_OK | os.W_OK)

    def is_private(self, path: str) -> bool:
        """Return whether only its owner may read or write what is at *path*, if anything is."""
        try:
            return not Path(path).stat().st_mode & OTHERS
        except OSError:
            return True

    def run(self, *command: str, within_s: float = COMMAND_TIMEOUT_S) -> Answer | None:
        """Return what *command* says, None if there is no such program."""
        try:
            done = subprocess.run(  # noqa: S603 - the doctor's own commands, found on PATH
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=within_s,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Answer(LATE, f"no answer within {within_s:g} s")
        except OSError:
            return None
        return Answer(done.returncode, done.stdout.decode(errors="replace"))

    def has_program(self, name: str) -> bool:
        """Return whether a program of this name can be run."""
        return shutil.which(name) is not None

    def has_module(self, name: str) -> bool:
        """Return whether Python finds the package *name*; it is not imported."""
        return importlib.util.find_spec(name) is not None

    def groups(self) -> frozenset[str]:
        """Return the names of the groups that this process is in."""
        mine = {os.getegid(), *os.getgroups()}
        return frozenset(group.gr_name for group in grp.getgrall() if group.gr_gid in mine)

    def now_s(self) -> float:
        """Return the seconds since 1970, as far as the machine knows."""
        return time.time()

    def pin_users(self, factory: str) -> Mapping[int, str]:
        """Return which process holds each pin of the header, by BCM number; claims none."""
        opened = pin_factory(factory)
        try:
            return _line_users(opened.chip) if factory == "lgpio" else {}
        finally:
            opened.close()

    def header_chip(self, factory: str) -> str:
        """Return the kernel's chip that has the header's pins, for people, "" if not known."""
        return str(header_chip() or "") if factory == "lgpio" else ""

    def i2c_addresses(self, bus: int) -> tuple[int, ...]:
        """Return the addresses that answer on /dev/i2c-*bus*, in order; raises OSError."""
        from smbus2 import SMBus  # noqa: PLC0415 - Linux alone has what it needs

        found = []
        with SMBus(bus) as calling:
            for address in I2C_ADDRESSES:
                try:
                    calling.write_quick(address)
                except OSError as error:
                    if error.errno == errno.ETIMEDOUT:
                        raise  # a stuck bus would take a second for each of the rest
                    if error.errno != errno.EBUSY:  # a driver of the kernel's has it: it is there
                        continue
                found.append(address)
        return tuple(found)

    def serial_ports(self) -> tuple[SerialPort, ...]:
        """Return the serial devices that are there."""
        return tuple(
            SerialPort(
                port.device,
                port.vid,
                port.pid,
                port.product,
                port.serial_number,
                port.location,
                port.interface,
            )
            for port in list_ports()
        )

    def greet_pico(self, node: str) -> Hello:
        """Return what the Pico at *node* says of itself; raises NoPico if it does not."""
        return greet(node)

    def holders(self, node: str) -> tuple[str, ...]:
        """Return the programs that have *node* open, as far as this user may see them."""
        return programs_at(node, with_this=True)

    def free_mb(self, folder: Path) -> float:
        """Return how many megabytes are free where *folder* is; raises OSError."""
        return shutil.disk_usage(folder).free / 1e6

    def try_log(self, folder: Path) -> None:
        """Write a log as games are kept and take it away again; raises OSError or sqlite3.Error."""
        with (
            tempfile.TemporaryDirectory(prefix=".tiki-doctor-", dir=folder) as draft,
            closing(sqlite3.connect(Path(draft) / "trial.db", timeout=1.0)) as log,
        ):
            (mode,) = log.execute("PRAGMA journal_mode = WAL").fetchone()
            if mode != "wal":
                raise OSError(errno.ENOTSUP, f"SQLite cannot use WAL here; it stays in mode {mode}")
            log.execute("PRAGMA synchronous = FULL")
            log.execute("CREATE TABLE trial (line TEXT)")
            log.commit()

    def log_trouble(self, log: Path) -> str:
        """Return what is wrong with the file of saved games, in one line with its remedy, or ""."""
        try:
            check(log)
        except LogInUse:
            return ""
        except LogError as error:
            return str(error)
        return ""

    def try_port(self, host: str, port: int) -> None:
        """Listen there for a moment; raises OSError."""
        open_listener(host, port).close()

    def own_addresses(self) -> tuple[OwnAddress, ...]:
        """Return the addresses by which phones may reach it."""
        return own_addresses()

    def local_name(self, ip: str) -> str:
        """Return the name in the home network that goes with its address *ip*, "" for none."""
        return local_name(ip)


def _line_users(chip: int) -> Mapping[int, str]:
    lgpio: Any = importlib.import_module("lgpio")  # only a Pi has it
    users = {}
    try:
        handle = lgpio.gpiochip_open(chip)
        try:
            for number in _HEADER_PINS:
                _, _, flags, _, user = lgpio.gpio_get_line_info(handle, number)
                if user or flags & _USED_BY_KERNEL:
                    users[number] = user or "the kernel"
        finally:
            lgpio.gpiochip_close(handle)
    except lgpio.error as error:
        raise HardwareError(f"cannot find out who uses the pins: {error}") from None
    return users
