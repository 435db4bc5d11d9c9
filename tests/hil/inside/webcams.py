"""The kernel's own test webcams (vivid): plugged in, pulled, set, and taken by somebody else."""

import ctypes
import fcntl
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

COUNT: Final = 2
DRIVER: Final = Path("/sys/bus/platform/drivers/vivid")
PLUG_S: Final = 20.0
# linux/videodev2.h
_IOWR: Final = 0xC000_0000
_V: Final = ord("V") << 8
_LATER: Final = 0x8000_0000
"""V4L2_CTRL_FLAG_NEXT_CTRL: the control after that one."""


class _Control(ctypes.Structure):
    _fields_ = (("id", ctypes.c_uint32), ("value", ctypes.c_int32))


class _Query(ctypes.Structure):
    _fields_ = (
        ("id", ctypes.c_uint32),
        ("type", ctypes.c_uint32),
        ("name", ctypes.c_char * 32),
        ("range", ctypes.c_int32 * 4),
        ("flags", ctypes.c_uint32),
        ("reserved", ctypes.c_uint32 * 2),
    )


def _request(number: int, kind: type[ctypes.Structure]) -> int:
    return _IOWR | ctypes.sizeof(kind) << 16 | _V | number


def controls(node: str) -> dict[str, int]:
    """Return the ids of the controls of the camera at *node*, by their names."""
    found: dict[str, int] = {}
    with _opened(node) as file:
        query = _Query(id=_LATER)
        while True:
            try:
                fcntl.ioctl(file, _request(36, _Query), query)
            except OSError:
                return found
            found[query.name.decode()] = query.id
            query.id |= _LATER


def set_control(node: str, name: str, value: int) -> None:
    """Set the control *name* of the camera at *node*."""
    number = controls(node)[name]
    with _opened(node) as file:
        fcntl.ioctl(file, _request(28, _Control), _Control(number, value))


@contextmanager
def _opened(node: str) -> Iterator[int]:
    file = os.open(node, os.O_RDWR)
    try:
        yield file
    finally:
        os.close(file)


def plug(number: int) -> None:
    """Plug webcam *number* in, and wait until its group may use it."""
    (DRIVER / "bind").write_text(f"vivid.{number}")
    deadline_s = time.monotonic() + PLUG_S
    while not _is_ready(Path(f"/dev/video{number}")):
        assert time.monotonic() < deadline_s, f"there is no /dev/video{number}"
        time.sleep(0.1)


def _is_ready(node: Path) -> bool:
    return node.exists() and node.stat().st_gid != 0


def pull(number: int) -> None:
    """Pull webcam *number*, as by its cable: who reads it fails, and it is there no more."""
    set_control(f"/dev/video{number}", "Disconnect", 1)
    (DRIVER / "unbind").write_text(f"vivid.{number}")


@contextmanager
def plugged() -> Iterator[None]:
    """Have the webcams 0 and 1 plugged in."""
    kind = {"node_types": "1", "num_inputs": "1", "input_types": "0"}
    words = [f"{name}={','.join([value] * COUNT)}" for name, value in kind.items()]
    subprocess.run(["modprobe", "vivid", f"n_devs={COUNT}", *words], check=True)
    subprocess.run(["udevadm", "settle"], check=True)
    try:
        yield
    finally:
        subprocess.run(["modprobe", "-r", "vivid"], check=True)


@contextmanager
def taken(node: str) -> Iterator[None]:
    """Let another program take pictures from the camera at *node*."""
    command = (
        f"import cv2, time; there = cv2.VideoCapture({node!r}); assert there.read()[0];"
        " print('taken', flush=True); time.sleep(600)"
    )
    other = subprocess.Popen([sys.executable, "-c", command], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "taken\n"
        yield
    finally:
        other.kill()
        other.wait()
