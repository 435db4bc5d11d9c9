"""Machines to examine: a simulated one, a healthy Raspberry Pi 5, and a table built on it."""

import fnmatch
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

from companion.apps.doctor.examination import CHECKS
from companion.apps.doctor.machine import COMMAND_TIMEOUT_S, Answer, SerialPort
from companion.apps.doctor.requirements import Requirements
from companion.apps.doctor.verdict import Verdict
from companion.config import CameraConfig, Config
from companion.web.http.own_addresses import OwnAddress
from firmware.version import VERSION
from firmware.wire import PROTOCOL
from hardware.pico.ports import NoPico
from hardware.pico.session import Hello
from hardware.pins import PICO, usual_plan
from vision.capture.camera_list import FoundCamera

V = TypeVar("V")
GPIO = {"gpio", "i2c", "spi", "video", "dialout"}
NOON_S = 4_000_000_000.0
"""A time long after the companion was installed."""
HELLO = Hello(
    PROTOCOL, VERSION, "raspberry_pi_pico", "0BADCAFE", tuple(range(5, 22)), (2, 3), "22x9", "power"
)
"""What a Pico says that is wired as usual."""
FAKES = Requirements(Config(), Path("/home/maker/.local/state/tiki/games.db"))
MODULE_3 = FoundCamera("picamera2", "0", "imx708")
C920 = FoundCamera("video", "/dev/v4l/by-id/usb-C920", "C920", "/dev/video0")


@dataclass
class FakeMachine:
    """A machine made of dictionaries; an exception in the place of an answer is raised.

    files: their text by path; a device is a file.  refused: what this user may not use.
    public: what every user may read.
    programs: what each answers, by its name and by its name and first word.
    """

    files: dict[str, str] = field(default_factory=dict)
    refused: set[str] = field(default_factory=set)
    public: set[str] = field(default_factory=set)
    programs: dict[str, Answer] = field(default_factory=dict)
    modules: set[str] = field(default_factory=set)
    member_of: set[str] = field(default_factory=set)
    pins: Mapping[int, str] | Exception = field(default_factory=dict)
    chip: str = ""
    i2c: tuple[int, ...] | Exception = ()
    ports: tuple[SerialPort, ...] = ()
    pico: Hello | NoPico = HELLO
    users: dict[str, tuple[str, ...]] = field(default_factory=dict)
    free: float | Exception = 20_000.0
    log_error: Exception | None = None
    spoilt_log: str = ""
    port_error: Exception | None = None
    name: str = ""
    addresses: tuple[OwnAddress, ...] = (OwnAddress("wlan0", ip_address("192.168.1.7"), "Wi-Fi"),)
    time_s: float = NOON_S
    python: str = "3.13.5"
    bits: int = 64

    def read(self, path: str) -> str:
        """Return the file's text."""
        return self.files.get(path, "")

    def find(self, pattern: str) -> tuple[str, ...]:
        """Return the files that match."""
        deep = pattern.count("/")  # in a path, the star of a shell stops at a slash
        found = fnmatch.filter(self.files, pattern)
        return tuple(sorted(path for path in found if path.count("/") == deep))

    def exists(self, path: str) -> bool:
        """Return whether it is a file, or a folder that has one."""
        return any(each == path or each.startswith(f"{path}/") for each in self.files)

    def usable(self, node: str) -> bool:
        """Return whether it is there and not refused."""
        return node in self.files and node not in self.refused

    def is_private(self, path: str) -> bool:
        """Return whether it is not among what every user may read."""
        return path not in self.public

    def run(self, *command: str, within_s: float = COMMAND_TIMEOUT_S) -> Answer | None:
        """Return what the program says."""
        del within_s
        name = Path(command[0]).name
        return self.programs.get(f"{name} {command[1]}", self.programs.get(name))

    def has_program(self, name: str) -> bool:
        """Return whether it is there."""
        return name in self.programs

    def has_module(self, name: str) -> bool:
        """Return whether it is there."""
        return name in self.modules

    def groups(self) -> frozenset[str]:
        """Return the user's groups."""
        return frozenset(self.member_of)

    def now_s(self) -> float:
        """Return the time."""
        return self.time_s

    def pin_users(self, factory: str) -> Mapping[int, str]:
        """Return who has which pin."""
        del factory
        return _given(self.pins)

    def header_chip(self, factory: str) -> str:
        """Return the header's chip."""
        return self.chip if factory == "lgpio" else ""

    def i2c_addresses(self, bus: int) -> tuple[int, ...]:
        """Return who answers."""
        del bus
        return _given(self.i2c)

    def serial_ports(self) -> tuple[SerialPort, ...]:
        """Return the serial devices."""
        return self.ports

    def greet_pico(self, node: str) -> Hello:
        """Return what there is to be said."""
        del node
        return _given(self.pico)

    def holders(self, node: str) -> tuple[str, ...]:
        """Return who has it open."""
        return self.users.get(node, ())

    def free_mb(self, folder: Path) -> float:
        """Return the room."""
        del folder
        return _given(self.free)

    def try_log(self, folder: Path) -> None:
        """Raise what there is to be raised."""
        del folder
        if self.log_error:
            raise self.log_error

    def log_trouble(self, log: Path) -> str:
        """Return what there is to be said."""
        del log
        return self.spoilt_log

    def try_port(self, host: str, port: int) -> None:
        """Raise what there is to be raised."""
        del host, port
        if self.port_error:
            raise self.port_error

    def own_addresses(self) -> tuple[OwnAddress, ...]:
        """Return what there is to be said."""
        return self.addresses

    def local_name(self, ip: str) -> str:
        """Return what it is called."""
        return self.name if ip == str(self.addresses[0].ip) else ""


def _given(value: V | Exception) -> V:
    if isinstance(value, Exception):
        raise value
    return value


def asked(answer: Answer) -> dict[str, Answer]:
    """Return a Python whose modules give *answer*, whatever it is called here."""
    return {"python -m": answer, "python3 -m": answer}


def pi_5(**changes: Any) -> FakeMachine:
    """Return a Raspberry Pi 5 on which all is well, but for *changes*."""
    nodes = (
        "gpiochip0", "i2c-1", "spidev0.0", "video0", "media0", "pio0", "ttyACM0", "mem",
    )  # fmt: skip
    healthy = FakeMachine(
        files={
            "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
            "/etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n',
            "/proc/sys/kernel/osrelease": "6.12.47+rpt-rpi-2712\n",
            "/proc/cmdline": "console=ttyAMA10,115200 console=tty1 root=/dev/mmcblk0p2\n",
            "/proc/mounts": "/dev/mmcblk0p2 / ext4 rw,noatime 0 0\ntmpfs /tmp tmpfs rw 0 0\n",
            "/proc/meminfo": "MemTotal: 8255696 kB\nMemAvailable: 7340032 kB\n",
            "/sys/class/thermal/thermal_zone0/temp": "48300\n",
            "/boot/firmware/config.txt": "dtparam=i2c_arm=on\ndtoverlay=spi0-1cs,no_miso\n",
            "/home/maker/.local/state/tiki/games.db": "",
            **{f"/dev/{node}": "" for node in nodes},
        },
        programs={
            "vcgencmd get_throttled": Answer(0, "throttled=0x0\n"),
            "timedatectl": Answer(0, "NTP=yes\nNTPSynchronized=yes\nTimezone=Europe/Berlin\n"),
            "aplay": Answer(0, ""),
            "espeak-ng": Answer(0, ""),
            **asked(Answer(0, "8 networks, a board full each in 0.4 s\n")),
        },
        modules={"neopixel", "board", "picamera2"},
        member_of=set(GPIO),
        chip="gpiochip0 (pinctrl-rp1)",
        i2c=(0x3C,),
        ports=(SerialPort("/dev/ttyACM0", 0x239A, 0x80F4, "Pico"),),
    )
    return replace(healthy, **changes)


def less(machine: FakeMachine, *paths: str) -> FakeMachine:
    """Return *machine* without the files at *paths*."""
    left = {path: text for path, text in machine.files.items() if path not in paths}
    return replace(machine, files=left)


def built(**changes: Any) -> Requirements:
    """Return a table with everything on the header, but for *changes*."""
    whole = Requirements(
        Config(),
        Path("/home/maker/.local/state/tiki/games.db"),
        sensors="wired",
        lights="neopixel",
        display="ssd1306",
        sound="speaker",
        voice="espeak-ng",
    )
    return replace(whole, **changes)


def on_pico(**changes: Any) -> Requirements:
    """Return a table with everything on a Pico, but for *changes*."""
    return built(**{"plan": usual_plan(PICO), **changes})


def seeing(source: str, **changes: Any) -> Requirements:
    """Return the whole table with this camera."""
    camera = CameraConfig(**{"source": source, **changes})
    return built(config=Config(camera=camera))


def listed(text: str, status: int = 0) -> FakeMachine:
    """Return a Pi on which listing the cameras gives *text*."""
    return pi_5(programs={"python -c": Answer(status, text), "python3 -c": Answer(status, text)})


def naming(*cameras: FoundCamera, **changes: Any) -> FakeMachine:
    """Return a Pi with these cameras, but for *changes*."""
    text = f"[0:1] INFO\ncameras {json.dumps([asdict(each) for each in cameras])}\n[0:2] INFO\n"
    return replace(listed(text), **changes)


def look(check: str, machine: FakeMachine, requirements: Requirements) -> Verdict:
    """Return what this check says."""
    return CHECKS[check](machine, requirements)
