"""Drives of a Pico, made of folders."""

import struct
from pathlib import Path

from hardware.pico.drive import Volumes

BOOT_OUT = (
    "Adafruit CircuitPython {version} on 2024-11-20; Raspberry Pi {board} with rp2040\r\n"
    "Board ID:{name}\r\nUID:E6614104032E6A2D\r\n"
)


def circuitpy(
    folder: Path, version: str = "9.2.1", name: str = "raspberry_pi_pico", board: str = "Pico"
) -> Path:
    """Make *folder* what CircuitPython makes of a drive, and return it."""
    (folder / "lib").mkdir(parents=True)
    (folder / "boot_out.txt").write_text(
        BOOT_OUT.format(version=version, board=board, name=name), newline=""
    )
    (folder / "code.py").write_text('print("Hello World!")\n')
    (folder / "settings.toml").write_text("")
    return folder


def bootloader(folder: Path, label: str = "RPI-RP2") -> Path:
    """Make *folder* the drive of a Pico in its bootloader, and return it."""
    folder.mkdir(parents=True)
    (folder / "INFO_UF2.TXT").write_text(
        f"UF2 Bootloader v3.0\r\nModel: Raspberry Pi RP2\r\nBoard-ID: {label}\r\n", newline=""
    )
    (folder / "INDEX.HTM").write_text("<html></html>")
    return folder


def uf2(family: int = 0xE48BFF56, count: int = 3, *, first: int | None = None) -> bytes:
    """Return a file in the format UF2 for a family of chips.

    first: the family of one block before it, as an RP2350's file may have.
    """
    blocks = [(number, count, family) for number in range(count)]
    if first is not None:
        blocks.insert(0, (0, 2, first))
    return b"".join(
        struct.pack(
            "<8I476xI",
            0x0A324655, 0x9E5D5157, 0x2000, 0x10000000 + 256 * number, 256, number, total, each,
            0x0AB16F30,
        )
        for number, total, each in blocks
    )  # fmt: skip


def volumes(root: Path, mounted: dict[str, Path], *, plugged: tuple[str, ...] = ()) -> Volumes:
    """Return the drives of a machine below *root*.

    mounted: where each is, by its label.  plugged: the labels of those that are not mounted.
    """
    labels = root / "by-label"
    labels.mkdir(parents=True, exist_ok=True)
    lines = ["proc /proc proc rw 0 0", "/dev/root / ext4 rw 0 0"]
    for number, label in enumerate([*mounted, *plugged]):
        device = root / f"sd{chr(ord('a') + number)}1"
        device.touch()
        (labels / label).unlink(missing_ok=True)
        (labels / label).symlink_to(device)
        if label in mounted:
            place = str(mounted[label]).replace(" ", "\\040")
            lines.append(f"{device} {place} vfat rw,uid=1000 0 0")
    (root / "mounts").write_text("\n".join([*lines, ""]))
    return Volumes(labels, root / "mounts", str(root / "udisksctl"))
