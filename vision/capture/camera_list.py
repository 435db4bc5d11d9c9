"""The cameras that are here: `python -m vision.capture.camera_list` prints them.

It is a process of its own, since libcamera may take its time and leaves threads behind.  Of webcams
the kernel tells; none is opened.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from vision.capture.video_nodes import BY_ID, SYSTEM, list_video_nodes

LINKS: Final = (Path("/dev/v4l/by-path"), BY_ID)
"""Names that stay when a webcam comes back under another number; the second are better, since they
hold at every socket, but of two webcams of one model without serial numbers only one has such."""
MARK: Final = "cameras "
LISTING_S: Final = 15.0
"""picamera2 may take so long on a small Pi that has just started."""
_ROOT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True, slots=True)
class FoundCamera:
    """A camera, and what the settings under [camera] have to say for it.

    name: of its sensor's model, or what a webcam calls itself.
    node: of a webcam for now, such as "/dev/video0".
    """

    source: str
    device: str
    name: str
    node: str = ""

    def __str__(self) -> str:
        """Return it with what has to be set."""
        return f'{self.name} (source = "{self.source}", device = "{self.device}")'


def list_video_cameras(
    system: Path = SYSTEM, folders: Sequence[Path] = LINKS
) -> tuple[FoundCamera, ...]:
    """Return the V4L2 cameras, each by the name that stays if it has one."""
    stays = {
        str(link.resolve()): str(link)
        for folder in folders
        for link in sorted(folder.glob("*"), reverse=True)
    }
    return tuple(
        FoundCamera("video", stays.get(node, node), name, node)
        for node, name in list_video_nodes(system).items()
    )


def pi_cameras(listed: Iterable[Mapping[str, Any]]) -> tuple[FoundCamera, ...]:
    """Return the Raspberry Pi cameras among what picamera2 has *listed*, where webcams come last.

    Cameras of one model are told apart by their sockets.
    """
    infos = [each for each in listed if "/usb" not in str(each.get("Id", ""))]
    models = [str(each.get("Model", "a camera")) for each in infos]
    return tuple(
        FoundCamera("picamera2", str(number), model + _socket(info) * (models.count(model) > 1))
        for number, (info, model) in enumerate(zip(infos, models, strict=True))
    )


def parse_cameras(output: str) -> tuple[FoundCamera, ...] | None:
    """Return what this module has printed, None if it has not; libcamera talks in between."""
    told = re.findall(rf"^{MARK}(\[.*\])$", output, re.MULTILINE)
    if not told:
        return None
    try:
        return tuple(
            FoundCamera(**{name: str(value) for name, value in each.items()})
            for each in json.loads(told[-1])
        )
    except (ValueError, TypeError, AttributeError):
        return None


def find_cameras() -> tuple[FoundCamera, ...]:
    """Return all that are here, Raspberry Pi cameras first; takes a second where picamera2 is."""
    if find_spec("picamera2") is None:
        return list_video_cameras()
    command = [sys.executable, "-c", f"from {__name__} import main; main()"]
    try:
        answer = subprocess.run(  # noqa: S603 - our own module
            command, capture_output=True, text=True, timeout=LISTING_S, cwd=_ROOT, check=False
        )
        found = parse_cameras(answer.stdout)
    except (OSError, ValueError, subprocess.TimeoutExpired):
        found = None
    return list_video_cameras() if found is None else found


def join_cameras(cameras: Iterable[FoundCamera]) -> str:
    """Return all in one line."""
    return ", ".join(map(str, cameras))


def main(*, with_modules: bool = True) -> None:
    """Print the webcams, then all, if picamera2 is here; it raises what it likes.

    with_modules: whether to ask picamera2.
    """
    found = list_video_cameras()
    _print(found)
    if not with_modules:
        return
    try:
        from picamera2 import Picamera2  # noqa: PLC0415
    except ImportError:
        return
    _print(pi_cameras(Picamera2.global_camera_info()) + found)


def _print(cameras: Iterable[FoundCamera]) -> None:
    print(f"\n{MARK}{json.dumps([asdict(each) for each in cameras])}", flush=True)


def _socket(info: Mapping[str, Any]) -> str:
    """Return where a sensor is, such as " at i2c@88000"."""
    parts = str(info.get("Id", "")).split("/")
    return f" at {parts[-2]}" if len(parts) > 1 else ""


if __name__ == "__main__":
    main()
