"""What is known of the Pico, by its drive and by what it says, and what is to be done next."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from firmware.version import VERSION
from firmware.wire import PROTOCOL
from hardware.pico.bootloader import Waiting, find_waiting
from hardware.pico.console import find_console, listen
from hardware.pico.drive import BOOTSEL, CIRCUITPY, BadDrive, Board, Volumes, read_board
from hardware.pico.greeting import Answer, ask, first_answer
from hardware.pico.installation import Installed, compare, free_bytes
from hardware.pico.ports import ListPorts, NoPico, find_nodes, list_ports, programs_at
from hardware.pico.release import WIRING, NoLibrary, Wiring, released_files
from hardware.pico.session import Hello
from hardware.pico.troubles import REPLUG

NO_DRIVE: Final = (
    f"no drive {CIRCUITPY} is here: plug the Pico in, with a cable that carries data; one that has"
    f" never run CircuitPython: {BOOTSEL}, then run it again"
)


@dataclass(frozen=True, slots=True)
class Drive:
    """What is on the Pico's drive.

    wiring: what its wiring.py says.  installed: how it compares with what should be there.
    free: bytes.
    """

    folder: Path
    board: Board
    wiring: Wiring | None
    installed: Installed
    free: int


@dataclass(frozen=True, slots=True)
class Condition:
    """What is known of the Pico.

    node: where it is plugged in.  answer: what it says of itself.  silence: why it says nothing.
    busy: the programs that have its port.  drive: what is on it.  no_drive: why that is not known.
    waiting: whether it is in its bootloader.  wiring: as the settings have it, None without them.
    console: the last lines of its console, if it says nothing else.
    """

    node: str = ""
    answer: Answer | None = None
    silence: str = ""
    busy: tuple[str, ...] = ()
    drive: Drive | None = None
    no_drive: str = ""
    waiting: Waiting | None = None
    wiring: Wiring | None = None
    console: tuple[str, ...] = ()

    @property
    def hello(self) -> Hello | None:
        """How it introduces itself, None if it is silent."""
        return self.answer.hello if self.answer else None

    @property
    def wiring_there(self) -> Wiring | None:
        """What the Pico takes for its wiring, as far as that is known."""
        if self.hello:
            return wiring_of(self.hello)
        return self.drive.wiring if self.drive else None

    @property
    def firmware_there(self) -> str:
        """The version of the firmware that the Pico runs or would run; "" if none is known."""
        if self.hello:
            return self.hello.firmware
        return self.drive.installed.version if self.drive else ""

    def next_step(self, config: str) -> str:
        """Return what is to be done next, in one line; "" if nothing.

        config: the words that name the settings to a command.
        """
        if self.waiting:
            return self.waiting.next_step
        if self.drive and (trouble := self.drive.board.trouble):
            return trouble
        if self.drive and not self.drive.installed.complete:
            word = "update" if self.drive.installed.version else "install"
            return f"put the firmware onto it: ./run pico {word}{config}"
        if self.hello is None:
            if self.busy and self.drive:
                return ""
            return REPLUG if self.drive else self.silence
        current = (self.hello.protocol, self.hello.firmware) == (PROTOCOL, VERSION)
        if current and self.wiring in (None, self.wiring_there):
            return ""
        # All on the drive is right, if it can be seen: then the Pico has only to start with it.
        return REPLUG if self.drive else f"bring it up to date: ./run pico update{config}"

    def to_json(self, config: str) -> dict[str, Any]:
        """Return it for programs."""
        drive, hello = self.drive, self.hello
        installed = drive.installed if drive else None
        return {
            "port": self.node or None,
            "answers": hello is not None,
            "silence": self.silence or None,
            "console": self.console,
            "in_use_by": self.busy,
            "bootloader": self.waiting.chip.name if self.waiting else None,
            "board": hello.board if hello else drive and drive.board.name,
            "circuitpython": drive and drive.board.version,
            "firmware": {"there": self.firmware_there or None, "here": VERSION},
            "protocol": {"there": hello and hello.protocol, "here": PROTOCOL},
            "started_by": hello and hello.reason,
            "now": _now_json(self.answer),
            "wiring": {
                "there": _wiring_json(self.wiring_there),
                "configured": _wiring_json(self.wiring),
            },
            "drive": drive and str(drive.folder),
            "no_drive": self.no_drive or None,
            "free_bytes": drive and drive.free,
            "files": installed
            and {
                "to_write": installed.differing,
                "to_remove": installed.obsolete,
                "not_ours": installed.strangers,
            },
            "next": self.next_step(config) or None,
        }


def _wiring_json(wiring: Wiring | None) -> dict[str, Any] | None:
    if wiring is None:
        return None
    return {"keys": wiring.keys, "idol": wiring.idol, "lights": wiring.lights}


def _now_json(answer: Answer | None) -> dict[str, Any] | None:
    if answer is None or answer.now is None:
        return None
    closed = [pin for pin, is_closed in answer.now.closed.items() if is_closed]
    return {
        "closed": closed,
        "position": answer.now.position,
        "events": answer.events,
        "lost": answer.now.lost,
    }


def wiring_of(hello: Hello) -> Wiring:
    """Return the wiring that a Pico says it has."""
    pin, _, count = hello.lights.partition("x")
    lights = (int(pin), int(count)) if pin.isdigit() and count.isdigit() else None
    return Wiring(hello.keys, hello.idol, lights)


def examine(
    volumes: Volumes,
    wiring: Wiring | None,
    folder: Path | None = None,
    port: str = "",
    ask: Callable[[str], Answer] = ask,
    list_ports: ListPorts = list_ports,
) -> Condition:
    """Return what is known of the Pico; nothing changes, and nothing is mounted.

    wiring: as the settings have it, None without them.  folder: of its drive, None to find it.
    port: where it is plugged in, "" to find it among those of *list_ports*.
    ask: what asks it there.
    """
    node, answer, silence = "", None, ""
    busy: tuple[str, ...] = ()
    console: tuple[str, ...] = ()
    ports = tuple(list_ports())
    try:
        nodes = [port] if port else find_nodes(ports)
        node = nodes[0]
        node, answer = first_answer(nodes, ask)
    except NoPico as error:
        silence = str(error)
        busy = programs_at(node) if node else ()
        if not busy and (console_node := find_console(ports)):
            console = listen(console_node)
    waiting, drive, no_drive = None, None, ""
    try:
        if folder is None:
            volume = volumes.find(CIRCUITPY)
            waiting = None if volume or answer else find_waiting(volumes)
            no_drive = f"{volume.device} is not mounted" if volume else f"no drive {CIRCUITPY}"
            folder = volume.folder if volume else None
        if folder:
            drive, no_drive = look(folder, wiring), ""
    except (BadDrive, NoLibrary) as error:
        no_drive = str(error)
    return Condition(node, answer, silence, busy, drive, no_drive, waiting, wiring, console)


def look(folder: Path, wiring: Wiring | None) -> Drive:
    """Return what is on the drive in *folder*; raises BadDrive, or NoLibrary.

    wiring: as it should be; without it, as it is.
    """
    board = read_board(folder)
    try:
        source = (folder / WIRING).read_bytes()
    except OSError:
        source = b""
    there = Wiring.read(source.decode(errors="replace"))
    files = released_files(wiring or there or Wiring((), (), None))
    if wiring is None and there:
        files[WIRING] = source
    return Drive(folder, board, there, compare(folder, files), free_bytes(folder)[0])
