"""Tiki Topple's table: the board, nine Tikis in a line, those that were toasted beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.art import Strip, draw_line_board, draw_tiki
from rendering.prints import Random, hue_colour, random_hue
from rendering.props import Thing, block, pawn, slab
from rendering.room import Spot, find_room
from vision.geometry.layout import TIKI_TOPPLE

Line = tuple[str, ...]

PAINTS: Final = {
    "hookipa": (220.0, (0.0, 0.12), (0.4, 0.65)),
    "lokahi": (272.0, (0.5, 0.85), (0.35, 0.7)),
    "nani": (356.0, (0.7, 0.95), (0.6, 0.9)),
    "wikiwiki": (214.0, (0.65, 0.95), (0.55, 0.9)),
    "akamai": (24.0, (0.75, 0.98), (0.8, 0.98)),
    "huhu": (48.0, (0.7, 0.95), (0.8, 0.98)),
    "kapu": (330.0, (0.4, 0.7), (0.75, 0.98)),
    "eepo": (22.0, (0.5, 0.75), (0.25, 0.45)),
    "nui": (125.0, (0.5, 0.9), (0.35, 0.65)),
}
"""Hue in degrees, saturation and value of each Tiki's paint."""
HUE_DEG: Final = 5.0
FEWEST: Final = 3
ASKEW_MM, ASKEW_DEG = 0.7, 1.2
"""How far a Tiki usually lies from its slot's middle, and is turned."""
BOARD_MM: Final = 0.8
HELD_MM: Final = 14.0
"""How far below its fingers a hand holds a Tiki."""


class LineTable:
    """Describes Tiki Topple's tables."""

    name = "tiki_topple"
    mat = TIKI_TOPPLE.mat

    def __init__(self) -> None:
        rig = TIKI_TOPPLE
        left, top, right, bottom = rig.board
        self._middle = ((left + right) / 2, (top + bottom) / 2)
        self._size = (right - left, bottom - top)
        half_w, half_h = (side / 2 for side in self._size)
        self.spots = tuple(Spot(s.x, s.y, s.w / 2, s.h / 2, rig.top_z) for s in rig.slots)
        self.kept = (Spot(*self._middle, half_w, half_h, 0.0),)

    @property
    def layout(self) -> dict[str, Any]:
        """The layout, as a session.json has it."""
        rig = TIKI_TOPPLE
        return {
            "slots": [
                {"slot": at, "x": slot.x, "y": slot.y, "w": slot.w, "h": slot.h}
                for at, slot in enumerate(rig.slots)
            ],
            "names": list(rig.names),
            "piece": {"w": rig.piece.w, "h": rig.piece.h, "height": rig.piece.height},
            "floor_z": rig.floor_z,
            "board": list(rig.board),
        }

    def dress(self, random: Random, folder: Path, stem: str) -> dict[str, Any]:
        """Return how one set looks; its prints are drawn into *folder*."""
        rig = TIKI_TOPPLE
        ys = [slot.y - rig.board[1] for slot in rig.slots]
        strip = Strip(rig.slots[0].x - rig.board[0], ys, (rig.slots[0].w, rig.slots[0].h))
        cv2.imwrite(str(folder / f"{stem}-board.png"), draw_line_board(random, self._size, strip))
        for name, (hue, saturation, value) in PAINTS.items():
            paint = hue_colour(
                hue + random.normal(0, HUE_DEG),
                random.uniform(*saturation),
                random.uniform(*value),
            )
            face = draw_tiki(random, (rig.piece.w, rig.piece.h), paint)
            cv2.imwrite(str(folder / f"{stem}-{name}.png"), face)
        return {
            "stem": stem,
            "shoulder": float(random.uniform(0.35, 0.9)),
            "back": float(random.uniform(2.0, 6.0)),
            "shine": float(random.uniform(0.2, 0.7)),
            "board_shine": float(random.uniform(0.3, 0.9)),
            "pawns": [random_hue(random, (0.5, 0.9), (0.3, 0.95)) for _ in range(4)],
        }

    def known(self) -> Line:
        """Return the line that teaches a reader."""
        return TIKI_TOPPLE.names

    def deal(self, random: Random) -> Line:
        """Return any line there may be."""
        count = int(random.integers(FEWEST, len(TIKI_TOPPLE.names) + 1))
        names = random.permutation(np.array(TIKI_TOPPLE.names))[:count]
        return tuple(str(name) for name in names)

    def tell(self, line: Line) -> dict[str, Any]:
        """Return the truth about *line*, as truth.jsonl has it."""
        return {"line": list(line)}

    def lay(self, random: Random, looks: Mapping[str, Any], line: Line) -> list[Thing]:
        """Return the board, the Tikis of *line* and the others beside it."""
        board, *pawns = self.lay_board(random, looks)
        found = [board]
        found += [self.lay_tiki(random, looks, name, at) for at, name in enumerate(line)]
        beside = list(self.kept)
        for name in (name for name in TIKI_TOPPLE.names if name not in line):
            place = find_room(random, self.mat, beside, 34.0)
            if place is not None:
                turn = float(random.uniform(0, 360))
                found.append(self.tiki(looks, name, (*place, 0.0), turn))
                beside.append(Spot(*place, 34.0, 34.0, 0.0))
        return found + pawns

    def lay_board(self, random: Random, looks: Mapping[str, Any]) -> list[Thing]:
        """Return the board, and the pawns on it."""
        board = slab(
            f"{looks['stem']}-board.png",
            self._size,
            (*self._middle, 0.0),
            float(random.normal(0, 0.15)),
            thick=BOARD_MM,
            corner=1.0,
            shine=looks["board_shine"],
        )
        left, top, right, bottom = TIKI_TOPPLE.board
        found = [board]
        for colour in looks["pawns"]:
            x = float(random.choice([left + 10, right - 10]))
            found.append(pawn(random, (x, float(random.uniform(top + 10, bottom - 10))), colour))
        return found

    def lay_tiki(self, random: Random, looks: Mapping[str, Any], name: str, at: int) -> Thing:
        """Return a Tiki that somebody put into slot *at*."""
        slot = TIKI_TOPPLE.slots[at]
        dx, dy = np.clip(random.normal(0, ASKEW_MM, 2), -1.5, 1.5)
        place = (slot.x + dx, slot.y + dy, BOARD_MM)
        return self.tiki(looks, name, place, float(random.normal(0, ASKEW_DEG)))

    def hold(
        self, _random: Random, looks: Mapping[str, Any], line: Line, tip: NDArray[np.float64]
    ) -> tuple[Line, Thing]:
        """Return what is left of *line* if a hand has its last Tiki, and that Tiki."""
        return line[:-1], self.hold_tiki(looks, line[-1], tip)

    def hold_tiki(
        self, looks: Mapping[str, Any], name: str, tip: Sequence[float] | NDArray[np.float64]
    ) -> Thing:
        """Return a Tiki in a hand with its fingers at *tip*."""
        at = (float(tip[0]), float(tip[1]), float(tip[2]) - HELD_MM)
        return self.tiki(looks, name, at, 20.0)

    def tiki(
        self, looks: Mapping[str, Any], name: str, at: tuple[float, float, float], turn_deg: float
    ) -> Thing:
        """Return a Tiki, wherever it is."""
        piece = TIKI_TOPPLE.piece
        return block(
            (piece.w, piece.h, piece.height),
            at,
            turn_deg,
            looks["shoulder"],
            print=f"{looks['stem']}-{name}.png",
            back=looks["back"],
            shine=looks["shine"],
        )
