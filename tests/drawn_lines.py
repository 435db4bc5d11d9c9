"""Pictures of a declared line, drawn: tiles, board and pieces as a camera beside the table sees."""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.art import draw_tiki
from rendering.prints import TILE_MM, Print, draw_tile, hue_colour
from rendering.scenes import PICTURE_PX, project, projection
from vision.capture.frame import Frame, Picture
from vision.geometry.layout import Layout

SEED: Final = 7
SLANT_DEG: Final = 18.0
HIGH_MM: Final = 560.0
TABLE: Final = (86, 92, 98)
WOOD: Final = (96, 140, 178)
"""BGR levels of the table and of the board."""
NOISE_LEVELS: Final = 1.5
SHADE: Final = 0.45
"""How dark the sides of a piece are beside its top."""


class LineArtist:
    """Draws the table of *layout* with any of its pieces in line; always the same set."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        random = np.random.default_rng(SEED)
        size = (layout.piece.w, layout.piece.h)
        hues = np.linspace(0.0, 360.0, len(layout.names), endpoint=False)
        self._faces = {
            name: draw_tiki(random, size, hue_colour(float(hue), 0.7, 0.8))
            for name, hue in zip(layout.names, hues, strict=True)
        }
        slant = np.radians(SLANT_DEG)
        middle = np.array([layout.mat.width / 2, layout.mat.height / 2, 0.0])
        stands = middle + HIGH_MM * np.array([0.0, np.sin(slant), np.cos(slant)])
        camera = {"stands": stands.tolist(), "aim": middle.tolist(), "roll_deg": 0.0}
        self._matrix = projection(camera)
        self._noise = random.normal(0.0, NOISE_LEVELS, (PICTURE_PX[1], PICTURE_PX[0], 3))

    def draw(self, name: str, line: Sequence[str]) -> Frame:
        """Return the picture *name* of the pieces of *line*, from the first place on."""
        picture = np.full((PICTURE_PX[1], PICTURE_PX[0], 3), TABLE, np.uint8)
        layout = self._layout
        for number, centre in zip(layout.mat.marker_ids, layout.mat.centres, strict=True):
            self._lay(picture, draw_tile(number), centre, (TILE_MM, TILE_MM), 0.0)
        left, top, right, bottom = layout.board
        board = self._quad(((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top))
        cv2.fillConvexPoly(picture, self._pixels(board, layout.floor_z), WOOD, cv2.LINE_AA)
        for piece, slot in zip(line, layout.slots, strict=False):
            size = (layout.piece.w, layout.piece.h)
            face = self._faces[piece]
            base = self._quad((slot.x, slot.y), size)
            feet, head = self._pixels(base, layout.floor_z), self._pixels(base, layout.top_z)
            side = tuple(SHADE * level for level in face.reshape(-1, 3).mean(axis=0))
            hull = cv2.convexHull(np.concatenate([feet, head]))
            cv2.fillConvexPoly(picture, hull, side, cv2.LINE_AA)
            self._lay(picture, face, (slot.x, slot.y), size, layout.top_z)
        blurred = cv2.GaussianBlur(picture, (0, 0), 0.7)
        noisy: Picture = np.clip(blurred + self._noise, 0, 255).astype(np.uint8)
        return Frame(name, noisy, 0.0)

    def _quad(self, centre: tuple[float, float], size: tuple[float, float]) -> NDArray[np.float64]:
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        return np.asarray(np.array(centre) + corners * size)

    def _pixels(self, quad: NDArray[np.float64], z_mm: float) -> NDArray[np.int32]:
        points = np.column_stack([quad, np.full(len(quad), z_mm)])
        return np.round(project(self._matrix, points)).astype(np.int32)

    def _lay(
        self,
        picture: Picture,
        drawn: Print,
        centre: tuple[float, float],
        size: tuple[float, float],
        z_mm: float,
    ) -> None:
        """Lay *drawn* flat around *centre*, *z_mm* above the table."""
        high, wide = drawn.shape[:2]
        across, down = size[0] / wide, size[1] / high
        corner = np.array(centre) - np.array(size) / 2
        place = np.array([[across, 0, corner[0]], [0, down, corner[1]], [0, 0, 1.0]])
        x, y, z, origin = self._matrix.T
        to_picture = np.column_stack([x, y, origin + z_mm * z]) @ place
        seen = cv2.warpPerspective(drawn, to_picture, PICTURE_PX)
        mask = cv2.warpPerspective(np.full((high, wide), 255, np.uint8), to_picture, PICTURE_PX)
        picture[mask > 127] = seen[mask > 127]
