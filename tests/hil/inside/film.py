"""A recorded game as what libcamera's virtual camera sees."""

import json
import math
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import cv2

from companion.recording import load_actions, load_recording

CAMERA: Final = Path("/usr/share/libcamera/pipeline/virtual/virtual.yaml")
SCENES: Final = Path("/run/tiki-scenes")
SCENE: Final = Path("/run/tiki-scene")
SIZE: Final = (1024, 576)
"""Of the recorded pictures, in pixels."""
WIDE: Final = (1280, 720)
"""Of pictures of a wider lens."""
WIDE_DEG: Final = math.degrees(2.0 * math.atan(WIDE[0] / SIZE[0] * math.tan(math.radians(33.0))))
"""How wide that looks: the recordings' lens looks 66 degrees wide."""
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


class Scene(NamedTuple):
    """A picture, and what the companion has to say once it sees it.

    actions: what has been played since the picture before, in the order of play.  An illegal table
    is named instead, and so is a hand over the table.
    """

    name: str
    actions: tuple[str, ...]
    is_illegal: bool
    has_hand: bool


def scenes_of(recording: Path) -> list[Scene]:
    """Return the pictures of *recording* on which anything is to be seen, the first one first.

    What is clear once a move has been made, as who wins a clash, belongs to the move.
    """
    said = load_actions(load_recording(recording))
    scenes = []
    for line in (recording / "truth.jsonl").read_text().splitlines():
        entry = json.loads(line)
        is_illegal, has_hand = "illegal" in entry, entry["kind"] in ("moving", "occluded")
        actions = []
        for move in [] if is_illegal else entry.get("moves", [entry.get("move")]):
            if move:
                actions.append(said.pop(0))
                assert actions[-1] == move["action"]
            while said and said[0].startswith("clash"):
                actions.append(said.pop(0))
        if actions or is_illegal or has_hand or "start" in entry:
            scenes.append(Scene(entry["frame"], tuple(actions), is_illegal, has_hand))
    assert not said
    return scenes


def load(recording: Path, names: Sequence[str], size: tuple[int, int] = SIZE) -> None:
    """Put pictures of *recording* before the camera, the first one first.

    size: of its pictures.  Larger ones have the recorded picture in their middle, at its own scale,
    as a wider lens shows it; what is around it nobody recorded.
    """
    shutil.rmtree(SCENES, ignore_errors=True)
    SCENES.mkdir()
    for number, name in enumerate(names):
        scene = SCENES / f"{number:02}.jpg"
        if size == SIZE:
            scene.symlink_to(recording / name)
        else:
            _widen(recording / name, scene, size)
    width, height = size
    CAMERA.parent.mkdir(parents=True, exist_ok=True)
    CAMERA.write_text(DESCRIPTION.format(width=width, height=height, folder=SCENES))
    turn_to(0)


def _widen(recorded: Path, scene: Path, size: tuple[int, int]) -> None:
    picture = cv2.imread(str(recorded))
    assert picture is not None
    x, y = (size[0] - SIZE[0]) // 2, (size[1] - SIZE[1]) // 2
    wide = cv2.copyMakeBorder(picture, y, y, x, x, cv2.BORDER_REPLICATE)
    assert cv2.imwrite(str(scene), wide, [cv2.IMWRITE_JPEG_QUALITY, 95])


def turn_to(number: int) -> None:
    """Let the camera see the picture *number* from now on; it never turns back."""
    new = SCENE.with_suffix(".new")
    new.write_text(str(number))
    new.replace(SCENE)
