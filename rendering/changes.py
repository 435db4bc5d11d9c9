"""Render of a film's pictures only what has changed, and paste that over an earlier one.

The renderer draws the same noise for the same scene, so small pictures of all scenes show where two
differ: by pieces and hands, their shadows and their reflections. `lay_small` describes these small
pictures, and once they are rendered `lay_parts` describes those rectangles that have to be rendered
in full size, whole pictures among them. `paste_parts` makes the pictures of them.
"""

import json
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.prints import Print
from rendering.scenes import PICTURE_PX, Scene
from vision.capture.frame import load_frame

SMALLER: Final = 4
BLOCK_PX: Final = 8
"""Small pictures are so many times smaller, and are compared by squares of so many pixels."""
SHIFT: Final = 1.5
STIR: Final = 4.0
"""Levels of 255 by which a square may become lighter or darker, and its pixels change at most."""
CALL: Final = 40
"""What rendering another rectangle costs besides its own squares, in squares."""
SMALL, PARTS, PLAN = "small", "parts", "parts.json"

Blocks: TypeAlias = NDArray[np.bool_]
"""Which squares of a small picture (rows, columns) are meant."""


class Rect(NamedTuple):
    """A rectangle of squares or pixels; right and bottom are beyond it."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def area(self) -> int:
        """How much it covers."""
        return (self.right - self.left) * (self.bottom - self.top)

    def around(self, other: "Rect") -> "Rect":
        """Return what covers both."""
        low = map(min, self[:2], other[:2])
        high = map(max, self[2:], other[2:])
        return Rect(*low, *high)

    def scaled(self, by: int) -> "Rect":
        """Return it in a unit that is *by* times smaller."""
        return Rect(*(by * end for end in self))

    def of(self, picture: Print) -> Print:
        """Return the view of *picture* that it covers."""
        return picture[self.top : self.bottom, self.left : self.right]


def changed_blocks(before: Print, after: Print) -> Blocks:
    """Return in which squares two small pictures differ.

    A lamp's light that comes back from what has moved changes single pixels all over the table.
    """
    moved = after.astype(np.float32) - before.astype(np.float32)
    rows, columns = (side // BLOCK_PX for side in before.shape[:2])
    squares = moved.reshape(rows, BLOCK_PX, columns, BLOCK_PX, 3)
    shift = np.abs(squares.mean((1, 3))).max(-1)
    stir = np.abs(squares).mean((1, 3, 4))
    return np.asarray((shift > SHIFT) | (stir > STIR))


def cover(blocks: Blocks) -> list[Rect]:
    """Return few rectangles, in squares, that cover *blocks*.

    >>> cover(np.eye(2, dtype=bool))
    [Rect(left=0, top=0, right=2, bottom=2)]
    """
    _, _, found, _ = cv2.connectedComponentsWithStats(blocks.astype(np.uint8))
    rects = [Rect(x, y, x + w, y + h) for x, y, w, h, _ in found[1:].tolist()]
    while (pair := _saving(rects)) is not None:
        one, other = pair
        rects = [rect for rect in rects if rect not in pair] + [one.around(other)]
    return sorted(rects)


def _saving(rects: list[Rect]) -> tuple[Rect, Rect] | None:
    """Return two of *rects* that are better rendered as one, if there are any."""
    for at, one in enumerate(rects):
        for other in rects[:at]:
            if one.around(other).area <= one.area + other.area + CALL:
                return one, other
    return None


def lay_small(folder: Path) -> Path:
    """Describe small pictures of all scenes in *folder*; return where."""
    small = folder / SMALL
    small.mkdir(exist_ok=True)
    size = [side // SMALLER for side in PICTURE_PX]
    for path in sorted(folder.glob("????.json")):
        scene = json.loads(path.read_text("utf-8"))
        _lay(small / path.name, {**scene, "picture_px": size, "prints": ".."})
    return small


def lay_parts(folder: Path) -> Path:
    """Describe what has to be rendered of all scenes in *folder*; return where.

    Each picture is compared with what is pasted so far, so that small differences never add up.
    """
    parts = folder / PARTS
    parts.mkdir(exist_ok=True)
    plan: list[dict[str, Any]] = []
    seen: dict[str, Print] = {}
    number = 0
    for path in sorted(folder.glob("????.json")):
        small = load_frame(folder / SMALL / f"{path.stem}.png").picture
        over, rects = _cheapest(seen, small)
        pasted = seen[over].copy() if over else small
        scene = json.loads(path.read_text("utf-8"))
        laid = []
        for rect in rects:
            squares = rect.scaled(BLOCK_PX)
            squares.of(pasted)[:] = squares.of(small)
            crop = squares.scaled(SMALLER)
            _lay(parts / f"{number:04d}.json", {**scene, "crop": crop, "prints": ".."})
            laid.append({"name": f"{number:04d}", "crop": crop})
            number += 1
        plan.append({"scene": path.stem, "over": over, "parts": laid})
        seen[path.stem] = pasted
    (folder / PLAN).write_text(json.dumps(plan), "utf-8")
    return parts


def _cheapest(seen: dict[str, Print], small: Print) -> tuple[str | None, list[Rect]]:
    """Return the picture over which most of *small* need not be rendered, None for none, and what.

    The rectangles are in squares.
    """
    height, width = small.shape[:2]
    whole = Rect(0, 0, width // BLOCK_PX, height // BLOCK_PX)
    best: tuple[int, str | None, list[Rect]] = (whole.area + CALL, None, [whole])
    for name, picture in seen.items():
        rects = cover(changed_blocks(picture, small))
        cost = sum(rect.area + CALL for rect in rects)
        if cost < best[0]:
            best = (cost, name, rects)
    return best[1:]


def paste_parts(folder: Path) -> int:
    """Make the pictures of all scenes in *folder*; return how many parts are still missing."""
    parts = folder / PARTS
    plan = json.loads((folder / PLAN).read_text("utf-8"))
    names = [part["name"] for picture in plan for part in picture["parts"]]
    if missing := sum(not (parts / f"{name}.png").exists() for name in names):
        return missing
    for each in plan:
        source = each["over"]
        width, height = PICTURE_PX
        picture = (
            load_frame(folder / f"{source}.png").picture
            if source
            else np.zeros((height, width, 3), np.uint8)
        )
        for part in each["parts"]:
            crop = Rect(*part["crop"])
            crop.of(picture)[:] = load_frame(parts / f"{part['name']}.png").picture
        cv2.imwrite(str(folder / f"{each['scene']}.png"), picture)
    return 0


def _lay(path: Path, scene: Scene) -> None:
    path.write_text(json.dumps({**scene, "name": path.stem}), "utf-8")
