"""Which rectangles of a film's pictures are rendered, and what is pasted of them."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from rendering.changes import (
    BLOCK_PX,
    PARTS,
    SMALL,
    SMALLER,
    Rect,
    changed_blocks,
    cover,
    lay_parts,
    lay_small,
    paste_parts,
)
from rendering.film_library import RENDER
from rendering.films import lay_film
from rendering.prints import Print
from rendering.scenes import PICTURE_PX
from vision.capture.frame import load_frame

SIDE = BLOCK_PX * SMALLER
"""Of a square, in pixels of the whole picture."""


def table(*pieces: Rect) -> Print:
    """Return a picture of a table on which *pieces*, in squares, lie."""
    picture = np.full((PICTURE_PX[1], PICTURE_PX[0], 3), 90, np.uint8)
    for at, piece in enumerate(pieces):
        piece.scaled(SIDE).of(picture)[:] = (200, 40 * at, 30)
    return picture


def render(folder: Path, pictures: list[Print]) -> list[str]:
    """Do what Blender does of the scenes in *folder*; return the names of what it rendered."""
    found = []
    for path in sorted(folder.glob("????.json")):
        scene: dict[str, Any] = json.loads(path.read_text("utf-8"))
        picture = pictures[scene["shows"]]
        if "crop" in scene:
            picture = Rect(*scene["crop"]).of(picture)
        else:
            width, height = scene["picture_px"]
            picture = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
        if not path.with_suffix(".png").exists():
            cv2.imwrite(str(path.with_suffix(".png")), picture)
            found.append(path.stem)
    return found


def lay(folder: Path, count: int) -> Path:
    """Describe *count* scenes in *folder*."""
    folder.mkdir(exist_ok=True)
    for at in range(count):
        scene = {"name": f"{at:04d}", "shows": at}
        (folder / f"{at:04d}.json").write_text(json.dumps(scene), "utf-8")
    return folder


def test_only_what_has_changed_is_rendered_and_pasted(tmp_path: Path) -> None:
    """A piece is added, moved, and taken away: the last table is a picture that is there."""
    one, other, far = Rect(3, 4, 5, 6), Rect(8, 4, 10, 6), Rect(40, 20, 42, 22)
    pictures = [table(one), table(one, other), table(one, far), table(one)]
    folder = lay(tmp_path, len(pictures))
    render(lay_small(folder), pictures)
    parts = lay_parts(folder)
    crops = [
        json.loads(path.read_text("utf-8"))["crop"] for path in sorted(parts.glob("????.json"))
    ]
    whole = Rect(0, 0, *PICTURE_PX)
    assert [Rect(*crop) for crop in crops] == [whole, other.scaled(SIDE), far.scaled(SIDE)]
    assert paste_parts(folder) == 3
    assert render(parts, pictures) == ["0000", "0001", "0002"]
    assert paste_parts(folder) == 0
    for at, picture in enumerate(pictures):
        pasted = cv2.imread(str(folder / f"{at:04d}.png"))
        assert pasted is not None
        assert (pasted == picture).all()


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    """Described anew, the same parts have the same names."""
    pictures = [table(Rect(at, 4, at + 2, 6)) for at in (3, 9, 30)]
    folder = lay(tmp_path, len(pictures))
    render(lay_small(folder), pictures)
    parts = lay_parts(folder)
    described = {path.name: path.read_text("utf-8") for path in parts.glob("*.json")}
    render(parts, pictures)
    (parts / "0001.png").unlink()
    assert render(lay_small(folder), pictures) == []
    assert {path.name: path.read_text("utf-8") for path in lay_parts(folder).glob("*.json")} == (
        described
    )
    assert render(parts, pictures) == ["0001"]
    assert {SMALL, PARTS} < {path.name for path in folder.iterdir()}


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("blender") is None, reason="Blender is not installed")
def test_a_rectangle_is_rendered_as_it_is_in_the_whole_picture(tmp_path: Path) -> None:
    """Pixel by pixel but for dither, grain included; from prints that lie in another folder."""
    lay_film("topple", tmp_path, 1, 2)
    scenes = tmp_path / "scenes"
    crop, parts = Rect(40, 20, 100, 80), scenes / PARTS
    parts.mkdir()
    scene = json.loads((scenes / "0001.json").read_text("utf-8"))
    scene |= {"picture_px": (192, 108), "prints": ".."}
    for name, more in {"0000": {}, "0001": {"crop": crop}}.items():
        (parts / f"{name}.json").write_text(json.dumps({**scene, **more}), "utf-8")
    words = ["blender", "-b", "-P", str(RENDER), "--", str(parts)]
    subprocess.run(words, check=True, capture_output=True)
    whole, part = (load_frame(parts / f"{name}.png").picture for name in ("0000", "0001"))
    assert whole.std() > 5.0
    assert cv2.absdiff(part, crop.of(whole)).max() <= 2


def test_grain_is_no_change_and_a_faint_shadow_is() -> None:
    """Single pixels that are lit otherwise do not count; a few levels all over a square do."""
    before = np.full((BLOCK_PX * 4, BLOCK_PX * 4, 3), 100, np.uint8)
    after = before.copy()
    after[3, 3] = 160
    assert not changed_blocks(before, after).any()
    Rect(1, 2, 3, 3).scaled(BLOCK_PX).of(after)[:] -= 2
    assert np.argwhere(changed_blocks(before, after)).tolist() == [[2, 1], [2, 2]]


def test_near_rectangles_become_one_and_far_ones_stay_apart() -> None:
    """Each further one costs a call."""
    blocks = np.zeros((27, 48), np.bool_)
    blocks[0:3, 0:3] = blocks[0:3, 5:8] = blocks[20:26, 30:36] = True
    assert cover(blocks) == [Rect(0, 0, 8, 3), Rect(30, 20, 36, 26)]
    assert cover(np.zeros((27, 48), np.bool_)) == []
