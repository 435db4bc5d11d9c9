"""The V4L2 cameras of this machine, by what the kernel tells of them; none is opened."""

from pathlib import Path
from typing import Final

SYSTEM: Final = Path("/sys/class/video4linux")
BY_ID: Final = Path("/dev/v4l/by-id")
"""Where a webcam has the same name whichever number it comes back with."""
NO_CAMERAS: Final = ("codec", "isp", "hevc", "pispbe", "rp1-cfe", "unicam")
"""Parts of the names of a Raspberry Pi's video nodes that are not cameras."""


def list_video_nodes(system: Path = SYSTEM) -> dict[str, str]:
    """Return the names of the cameras by their nodes, such as "/dev/video0", in order."""
    found = {}
    for folder in sorted(system.glob("video*"), key=lambda each: (len(each.name), each.name)):
        name = _read(folder / "name")
        # A webcam's further nodes carry its measurements, not its pictures.
        is_first = _read(folder / "index") in ("", "0")
        if is_first and not any(part in name.lower() for part in NO_CAMERAS):
            found[f"/dev/{folder.name}"] = name or "a camera"
    return found


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace").strip()
    except OSError:
        return ""
