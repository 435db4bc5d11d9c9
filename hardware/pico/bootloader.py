"""CircuitPython itself, put onto a Pico whose BOOTSEL button was held as it was plugged in.

The Pico is then a drive, RPI-RP2 or RP2350, that takes a file in Microsoft's UF2 format: blocks of
512 bytes, each with its own place in the flash and the family of chips that it is for.
Sources: github.com/microsoft/uf2; RP2040 datasheet 2.8.4, RP2350 datasheet 5.5.
"""

import os
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import sleep
from typing import Final

from hardware.pico.drive import BOOTSEL, CIRCUITPY, DOWNLOADS, BadDrive, Volume, Volumes, explain

INFO: Final = "INFO_UF2.TXT"
WAIT_S: Final = 60.0
"""CircuitPython makes its drive at its first start, which takes a while."""
_POLL_S: Final = 0.5
_BLOCK_BYTES: Final = 512
_BLOCK: Final = struct.Struct("<8I476xI")
_START: Final = (0x0A324655, 0x9E5D5157)
_END: Final = 0x0AB16F30
_HAS_FAMILY: Final = 0x2000
_MAX_BYTES: Final = 32 * 1024 * 1024
_ANY_CHIP: Final = 0xE48BFF57
"""A block that an RP2350 file may begin with, against a fault of that chip; it is for no chip."""


@dataclass(frozen=True, slots=True)
class Chip:
    """A kind of Pico in its bootloader.

    label: of its drive, and what that calls itself.  families: of files that it takes.
    boards: CircuitPython's names of the boards that have it.
    """

    label: str
    name: str
    families: tuple[int, ...]
    boards: tuple[str, ...]

    @property
    def pages(self) -> str:
        """Where CircuitPython for it is to be had."""
        return " or ".join(f"{DOWNLOADS}{board}/" for board in self.boards)


CHIPS: Final = (
    Chip("RPI-RP2", "RP2040", (0xE48BFF56,), ("raspberry_pi_pico", "raspberry_pi_pico_w")),
    Chip("RP2350", "RP2350", (0xE48BFF59,), ("raspberry_pi_pico2", "raspberry_pi_pico2_w")),
)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A Pico in its bootloader, and where its drive is."""

    chip: Chip
    volume: Volume

    @property
    def next_step(self) -> str:
        """What to do with it, in one line."""
        return (
            f"the Pico is in its bootloader and waits for CircuitPython; download the file from"
            f" {self.chip.pages} (the second if it is a W), then:"
            " ./run pico install --circuitpython FILE.uf2"
        )


def find_waiting(volumes: Volumes) -> Waiting | None:
    """Return the Pico that is in its bootloader, None if there is none; raises BadDrive if two."""
    for chip in CHIPS:
        if volume := volumes.find(chip.label, INFO):
            return Waiting(chip, volume)
    return None


def read_uf2(file: Path) -> tuple[bytes, Chip]:
    """Return the bytes of CircuitPython in *file* and the chip that it is for; raises BadDrive."""
    try:
        if file.stat().st_size > _MAX_BYTES:
            raise _no_uf2(file, "it is too large")
        data = file.read_bytes()
    except OSError as error:
        raise _no_uf2(file, str(error.strerror)) from None
    count, rest = divmod(len(data), _BLOCK_BYTES)
    if not count or rest:
        raise _no_uf2(file, "it is not a UF2 file, or it was cut short")
    families = set()
    last = total = 0
    for number in range(count):
        *start, flags, _, _, last, total, family, end = _BLOCK.unpack_from(
            data, number * _BLOCK_BYTES
        )
        if tuple(start) != _START or end != _END:
            raise _no_uf2(file, f"block {number} is not a block of a UF2 file")
        if flags & _HAS_FAMILY and family != _ANY_CHIP:
            families.add(family)
    if last + 1 != total:
        raise _no_uf2(file, "it was cut short")
    for chip in CHIPS:
        if len(families) == 1 and families <= set(chip.families):
            return data, chip
    raise _no_uf2(file, "it is for a board other than a Pico")


def _no_uf2(file: Path, reason: str) -> BadDrive:
    return BadDrive(
        f"{file} cannot be put onto a Pico: {reason}; download the .uf2 file from"
        f" {DOWNLOADS}raspberry_pi_pico/ (or _pico_w, _pico2, _pico2_w)"
    )


def put_circuitpython(
    file: Path, volumes: Volumes, folder: Path | None = None, sleep: Callable[[float], None] = sleep
) -> Volume:
    """Copy the UF2 *file* to the Pico in its bootloader, and return the drive that it then is.

    folder: the bootloader's drive, None to find it.  sleep: waits for some seconds.
    Raises BadDrive with the remedy.
    """
    data, chip = read_uf2(file)
    waiting = find_waiting(volumes)
    volume = waiting.volume if waiting else None
    if folder:
        volume = Volume(Path("DEVICE"), folder)
    if volume is None:
        raise BadDrive(f"no Pico is in its bootloader; {BOOTSEL}, and run it again")
    if volumes.find(CIRCUITPY):
        raise BadDrive(
            f"two Picos are plugged in, one of them with a drive {CIRCUITPY}; unplug that one"
        )
    with volumes.opened(volume) as mounted:
        _require_chip(chip, file, mounted)
        cut_short = _copy(data, mounted)
    for _ in range(round(WAIT_S / _POLL_S)):
        if found := volumes.find(CIRCUITPY):
            return found
        sleep(_POLL_S)
    raise BadDrive(
        f"no drive {CIRCUITPY} has appeared within {WAIT_S:g} s of copying {file.name}"
        f"{f' ({cut_short})' if cut_short else ''}; {BOOTSEL}, and run it again"
    )


def _copy(data: bytes, folder: Path) -> str:
    """Copy *data* to the drive; return what went wrong, "" if nothing.

    The drive goes as soon as it has all, often before the computer has been told that it has.
    """
    try:
        target = (folder / "CIRCUITPY.UF2").open("wb")
    except OSError as error:
        raise explain(error, folder, INFO) from None
    try:
        with target:
            target.write(data)
            target.flush()
            os.fsync(target.fileno())
    except OSError as error:
        return str(error.strerror)
    return ""


def _require_chip(chip: Chip, file: Path, folder: Path) -> None:
    there = _chip_at(folder)
    if there is not chip:
        raise BadDrive(
            f"{file} is for an {chip.name}, but this Pico has an {there.name}; download the file"
            f" from {there.pages}"
        )


def _chip_at(folder: Path) -> Chip:
    try:
        text = (folder / INFO).read_text(errors="replace")
    except OSError as error:
        raise BadDrive(
            f"{folder} is not a Pico in its bootloader: {INFO}: {error.strerror}; {BOOTSEL}"
        ) from None
    found = re.search(r"^Board-ID: *(\S+)", text, re.MULTILINE)
    for chip in CHIPS:
        if found and found[1] == chip.label:
            return chip
    raise BadDrive(f"{folder / INFO} names no Pico; plug in a Raspberry Pi Pico")
