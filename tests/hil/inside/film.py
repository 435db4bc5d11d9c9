"""A recorded game as what libcamera's virtual camera sees."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

CAMERA: Final = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
SCENES: Final = Path("/run/tiki-scenes")
SCENE: Final = Path("/run/tiki-scene")
SIZE: Final = (1024, 576)
DESCRIPTION: Final = """\
"Virtual0":
  supported_formats:
  - width: {width}
    height: {height}
    frame_rates: [5, 30]
  frames:
    path: "{folder}/"
  location: "CameraLocationFront"
  model: "Virtual camera with a recorded game"
"""


def moves_of(recording: Path) -> dict[str, list[str]]:
    """Return the moves that each picture of *recording* is the first to show."""
    found: dict[str, list[str]] = {}
    for line in (recording / "truth.jsonl").read_text().splitlines():
        entry = json.loads(line)
        moves = [entry["move"]] if "move" in entry else entry.get("moves", [])
        found[entry["frame"]] = [move["action"] for move in moves]
    return found


def load(recording: Path, names: Sequence[str]) -> None:
    """Put pictures of *recording* before the camera, the first one first."""
    shutil.rmtree(SCENES, ignore_errors=True)
    SCENES.mkdir()
    for number, name in enumerate(names):
        (SCENES / f"{number:02}.jpg").symlink_to(recording / name)
    width, height = SIZE
    CAMERA.parent.mkdir(parents=True, exist_ok=True)
    CAMERA.write_text(DESCRIPTION.format(width=width, height=height, folder=SCENES))
    turn_to(0)


def turn_to(number: int) -> None:
    """Let the camera see the picture *number* from now on; it never turns back."""
    new = SCENE.with_suffix(".new")
    new.write_text(str(number))
    new.replace(SCENE)
