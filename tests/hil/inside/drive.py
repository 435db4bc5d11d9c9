"""A Pico's drive on this machine: the kernel's FAT, with every sector kept in the order written."""

import fcntl
import os
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hardware.pico.drive import CIRCUITPY

DEVICE: Final = Path("/dev/nbd0")
SIZE: Final = Path("/sys/block/nbd0/size")
FOLDER: Final = Path("/media/pi") / CIRCUITPY
SECTOR: Final = 512
SECTORS: Final = 2048
"""A Pico's drive has about a megabyte."""
FOUND_S: Final = 15.0
SET_SOCKET, SET_BLOCK, SERVE, CLEAR, SET_BLOCKS, DISCONNECT, SET_FLAGS = (
    0xAB00 + number for number in (0, 1, 3, 4, 7, 8, 10)
)
CAN_FLUSH: Final = 0b101
REQUEST: Final = struct.Struct(">I2xH8sQI")
REPLY: Final = struct.Struct(">II8s")
READ, WRITE, END = 0, 1, 2
OK: Final = 0x67446698
Written = tuple[int, bytes]
"""A sector's number, and what was written to it."""


def formatted(folder: Path) -> bytes:
    """Return the content of a new drive."""
    file = folder / "image"
    file.write_bytes(bytes(SECTOR * SECTORS))
    subprocess.run(["mkfs.vfat", "-n", CIRCUITPY, str(file)], check=True, stdout=subprocess.DEVNULL)
    return file.read_bytes()


def cut(content: bytes, written: Sequence[Written]) -> bytes:
    """Return what a drive of *content* holds if its power fails after *written*."""
    found = bytearray(content)
    for sector, data in written:
        found[SECTOR * sector : SECTOR * (sector + 1)] = data
    return bytes(found)


@contextmanager
def mounted(content: bytes, uid: int = 0) -> Iterator[list[Written]]:
    """Mount a drive of *content* at `FOLDER` for *uid*; yield all that is written to it by then."""
    subprocess.run(["modprobe", "nbd"], check=True)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with _plugged(content) as written:
        subprocess.run(["mount", "-t", "vfat", "-o", f"uid={uid}", DEVICE, FOLDER], check=True)
        try:
            yield written
        finally:
            subprocess.run(["umount", FOLDER], check=True)


@contextmanager
def _plugged(content: bytes) -> Iterator[list[Written]]:
    """Be a block device of *content*, as a server on the network is one to the kernel."""
    written: list[Written] = []
    ours, theirs = socket.socketpair()
    device = os.open(DEVICE, os.O_RDWR)
    for order, value in (
        (SET_BLOCK, SECTOR),
        (SET_BLOCKS, len(content) // SECTOR),
        (SET_FLAGS, CAN_FLUSH),
        (SET_SOCKET, theirs.fileno()),
    ):
        fcntl.ioctl(device, order, value)
    threads = [
        threading.Thread(target=_serve, args=(ours, bytearray(content), written), daemon=True),
        threading.Thread(target=lambda: fcntl.ioctl(device, SERVE), daemon=True),
    ]
    for thread in threads:
        thread.start()
    try:
        until_s = time.monotonic() + FOUND_S
        while int(SIZE.read_text()) * SECTOR != len(content):
            assert time.monotonic() < until_s, "the kernel finds no drive"
            time.sleep(0.05)
        subprocess.run(["udevadm", "settle"], check=True)
        yield written
    finally:
        fcntl.ioctl(device, DISCONNECT)
        for thread in threads:
            thread.join()
        fcntl.ioctl(device, CLEAR)
        os.close(device)
        ours.close()
        theirs.close()


def _serve(kernel: socket.socket, content: bytearray, written: list[Written]) -> None:
    """Do what the kernel asks of the drive until it lets go of it."""
    with kernel.makefile("rb") as asked:
        while len(head := asked.read(REQUEST.size)) == REQUEST.size:
            _, kind, handle, start, size = REQUEST.unpack(head)
            if kind == END:
                return
            if kind == WRITE:
                data = asked.read(size)
                content[start : start + size] = data
                sectors = range(0, size, SECTOR)
                written += [((start + at) // SECTOR, data[at : at + SECTOR]) for at in sectors]
            answer = content[start : start + size] if kind == READ else b""
            kernel.sendall(REPLY.pack(OK, 0, handle) + answer)
