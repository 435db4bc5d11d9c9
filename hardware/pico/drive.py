"""The drive that a Pico is to the computer it is plugged into: found, mounted and named.

Under CircuitPython that is CIRCUITPY, with everything that the Pico runs; in the bootloader it is
RPI-RP2, on a Pico 2 RP2350, which takes CircuitPython itself.
"""

import errno
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hardware.device import HardwareError

CIRCUITPY: Final = "CIRCUITPY"
BOOT_OUT: Final = "boot_out.txt"
OLDEST: Final = 9
"""The oldest CircuitPython that will do, by its first number."""
BOARDS: Final = {
    "raspberry_pi_pico": "Pico",
    "raspberry_pi_pico_w": "Pico W",
    "raspberry_pi_pico2": "Pico 2",
    "raspberry_pi_pico2_w": "Pico 2 W",
}
"""The boards that will do, by CircuitPython's name for them."""
DOWNLOADS: Final = "https://circuitpython.org/board/"
BOOTSEL: Final = "unplug the Pico, hold its BOOTSEL button down, plug it in, let go"
MOUNT_S: Final = 20.0
_MAX_TEXT_BYTES: Final = 4096


class BadDrive(HardwareError):
    """What is wrong with the drive and what to do next, in one line."""


@dataclass(frozen=True, slots=True)
class Volume:
    """A drive that is plugged in.

    device: the kernel's name for it.  folder: where its files are, None while it is not mounted.
    """

    device: Path
    folder: Path | None


@dataclass(frozen=True, slots=True)
class Volumes:
    """All drives of this machine.

    labels: a link for each label of a drive.  mounts: the kernel's list of what is mounted.
    udisksctl: what mounts a drive for who sits at the machine.
    """

    labels: Path = Path("/dev/disk/by-label")
    mounts: Path = Path("/proc/self/mounts")
    udisksctl: str = "udisksctl"

    def find(self, label: str, mark: str = BOOT_OUT) -> Volume | None:
        """Return the drive with this *label*, None if there is none; raises BadDrive if two.

        mark: a file that it has.  Without it, what is mounted is another drive, which was plugged
        in before and is gone.
        """
        mounted = self.mounted()
        # A desktop appends a number to the name of the second.
        named = re.compile(rf"{re.escape(label)}\d*")
        devices = {device for device, folder in mounted.items() if named.fullmatch(folder.name)}
        link = self.labels / label
        if link.exists():
            devices.add(link.resolve())
        if len(devices) > 1:
            raise BadDrive(
                f"there are {len(devices)} drives {label} ({', '.join(sorted(map(str, devices)))});"
                " unplug all Picos but one, or name the folder of one with --drive"
            )
        for device in devices:
            folder = mounted.get(device)
            is_it = folder is not None and os.path.lexists(folder / mark)
            return Volume(device, folder if is_it else None)
        return None

    def mounted(self) -> dict[Path, Path]:
        """Return the folder of each drive that is mounted, by its device."""
        try:
            lines = self.mounts.read_text(errors="surrogateescape").splitlines()
        except OSError:  # no Linux
            return {}
        words = [line.split(" ") for line in lines if line.startswith("/")]
        return {Path(each[0]).resolve(): Path(_unescaped(each[1])) for each in words}

    @contextmanager
    def opened(self, volume: Volume) -> Iterator[Path]:
        """Yield the folder of *volume*, mounted meanwhile if it was not; raises BadDrive."""
        if volume.folder is not None:
            yield volume.folder
            return
        self._call("mount", volume)
        folder = self.mounted().get(volume.device)
        if folder is None:
            raise _not_mounted(volume)
        yield folder
        # Not after an error: then the drive may be gone, and the error says more.
        self._call("unmount", volume)

    def _call(self, verb: str, volume: Volume) -> None:
        if shutil.which(self.udisksctl) is None:
            raise _not_mounted(volume)
        words = (verb, "--no-user-interaction", "--block-device", str(volume.device))
        try:
            done = subprocess.run(  # noqa: S603 - our own words
                [self.udisksctl, *words],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=MOUNT_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            raise _not_mounted(volume) from None
        if done.returncode and verb == "mount":
            raise _not_mounted(volume)


def _unescaped(path: str) -> str:
    r"""Return *path* without the kernel's escapes.

    >>> _unescaped("/media/My\\040drive")
    '/media/My drive'
    """
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), path)


def _not_mounted(volume: Volume) -> BadDrive:
    return BadDrive(
        f"the Pico's drive {volume.device} is not mounted; type: sudo mount -o uid=$(id -u)"
        f" {volume.device} /mnt   then run it again, and at the end: sudo umount /mnt"
    )


@dataclass(frozen=True, slots=True)
class Board:
    """What a drive says about its Pico.

    version: of CircuitPython, "9.2.1".  name: CircuitPython's for the board, "raspberry_pi_pico".
    """

    version: str
    name: str

    @property
    def trouble(self) -> str:
        """Why it will not do, with the remedy; "" if it will."""
        if self.name not in BOARDS:
            return (
                f"the drive belongs to a board called {self.name}, not to a Pico; plug in a"
                f" Raspberry Pi Pico ({', '.join(BOARDS.values())})"
            )
        if int(self.version.partition(".")[0]) < OLDEST:
            return (
                f"CircuitPython {self.version} is too old, {OLDEST} or newer will do; download it"
                f" from {DOWNLOADS}{self.name}/, {BOOTSEL}, then:"
                " ./run pico install --circuitpython FILE.uf2"
            )
        return ""


def read_board(folder: Path) -> Board:
    """Return what the drive in *folder* says about its Pico; raises BadDrive if nothing."""
    try:
        with (folder / BOOT_OUT).open("rb") as source:
            text = source.read(_MAX_TEXT_BYTES).decode(errors="replace")
    except OSError as error:
        if not folder.is_dir():
            raise BadDrive(f"{folder} is not a folder; name the drive's with --drive") from None
        if error.errno != errno.ENOENT:
            raise explain(error, folder) from None
        raise BadDrive(
            f"{folder} has no {BOOT_OUT}, so it is not a CircuitPython drive; name the folder of"
            f" {CIRCUITPY} with --drive, or see: ./run pico install --help"
        ) from None
    version = re.search(r"CircuitPython (\d+\.\d+\.\d\S*) on ", text)
    name = re.search(r"^Board ID: ?(\w+)", text, re.MULTILINE)
    if not version or not name:
        raise BadDrive(
            f"{folder / BOOT_OUT} does not say which CircuitPython and which board it is; unplug"
            " the Pico and plug it in again, which writes it again"
        )
    return Board(version[1], name[1])


_REASONS: Final[Mapping[int, str]] = {
    errno.EROFS: (
        "is read-only; unplug the Pico and plug it in again. If it stays so, its file system is"
        " damaged: sudo umount {folder}; sudo fsck.vfat -a {device}. Or a boot.py on it keeps the"
        ' drive to itself: on its serial console type import os; os.rename("/boot.py", "/boot.bak")'
    ),
    errno.EIO: (
        "cannot be read or written as it should; unplug the Pico and plug it in again. If it stays"
        " so, its file system is damaged: sudo umount {folder}; sudo fsck.vfat -a {device}"
    ),
    errno.EACCES: (
        "is not writable for you; unmount it and mount it as yours: sudo umount {folder}; sudo"
        " mount -o uid=$(id -u) {device} {folder}"
    ),
    errno.ENOSPC: "is full; delete what you do not need on it, and run it again",
}


def explain(error: OSError, folder: Path, mark: str = BOOT_OUT) -> BadDrive:
    """Return what *error* means to the owner of the drive in *folder*.

    mark: a file that is there as long as the drive is.
    """
    number = errno.EACCES if error.errno == errno.EPERM else error.errno
    reason = _REASONS.get(number or 0)
    if reason is None or not os.path.lexists(folder / mark):
        return BadDrive(
            f"the drive {folder} is gone or does not answer ({error.strerror}); plug the Pico in"
            " again, without a hub, and run it again: what is half done is repaired"
        )
    return BadDrive(f"the drive {folder} {reason.format(folder=folder, device=_device(folder))}")


def _device(folder: Path) -> str:
    found = Volumes().mounted()
    return next((str(device) for device, place in found.items() if place == folder), "DEVICE")
