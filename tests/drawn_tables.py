"""Pictures of declared tables, drawn: tiles, board and pieces as a camera beside them sees them."""

from collections.abc import Iterator, Sequence
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.art import draw_tiki
from rendering.prints import TILE_MM, Print, draw_ground, draw_tile, hue_colour
from rendering.scenes import PICTURE_PX, project, projection
from vision.capture.frame import Frame, Picture
from vision.columns.grid import DEFAULT_COLOURS_BGR, PlacesLayout
from vision.geometry.layout import Layout, Mat

SEED: Final = 7
HIGH_MM: Final = 560.0
TABLE: Final = (86, 92, 98)
WOOD: Final = (96, 140, 178)
"""BGR levels of the table and of the board."""
NOISE_LEVELS: Final = 1.5
SHADE: Final = 0.45
"""How dark the sides of a piece are beside its top."""
PRINT_PX_PER_MM: Final = 4
LAMP: Final = (-0.45, -0.55, 1.0)
"""The way to the lamp over piles: along x, y and up."""
AMBIENT: Final = 0.7
"""Share of the light that comes from all around."""
EXPOSURE: Final = 0.85
"""Of pictures of piles: warmer light must not saturate white paper."""
PENUMBRA_PX: Final = 4.0
SIDES: Final = 48
"""Flat parts of which the side of a disc is drawn."""
STRAY_MM: Final = 0.5
"""Standard deviation of how far a disc lies from the one below it."""


class Rig(Protocol):
    """What all declared layouts say."""

    @property
    def mat(self) -> Mat:
        """The corner tiles."""

    @property
    def floor_z(self) -> float:
        """How high the board's top lies, in mm."""


class TableArtist:
    """Draws a table with its tiles, from a camera that stands on the near side of it."""

    def __init__(self, rig: Rig, slant_deg: float) -> None:
        self._mat, self._floor_z = rig.mat, rig.floor_z
        slant = np.radians(slant_deg)
        middle = np.array([rig.mat.width / 2, rig.mat.height / 2, 0.0])
        stands = middle + HIGH_MM * np.array([0.0, np.sin(slant), np.cos(slant)])
        camera = {"stands": stands.tolist(), "aim": middle.tolist(), "roll_deg": 0.0}
        self._stands = stands
        self._matrix = projection(camera)
        random = np.random.default_rng(SEED)
        self._noise = random.normal(0.0, NOISE_LEVELS, (PICTURE_PX[1], PICTURE_PX[0], 3))

    def _lay_tiles(self) -> Picture:
        """Return a picture of the table and its tiles."""
        picture = np.full((PICTURE_PX[1], PICTURE_PX[0], 3), TABLE, np.uint8)
        for number, centre in zip(self._mat.marker_ids, self._mat.centres, strict=True):
            self._lay(picture, draw_tile(number), centre, (TILE_MM, TILE_MM), 0.0)
        return picture

    def _take(self, name: str, picture: Picture) -> Frame:
        """Return *picture* as a camera takes it."""
        blurred = cv2.GaussianBlur(picture, (0, 0), 0.7)
        noisy: Picture = np.clip(blurred + self._noise, 0, 255).astype(np.uint8)
        return Frame(name, noisy, 0.0)

    def _quad(self, centre: tuple[float, float], size: tuple[float, float]) -> NDArray[np.float64]:
        corners = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
        return np.asarray(np.array(centre) + corners * size)

    def _pixels(self, outline: NDArray[np.float64], z_mm: float) -> NDArray[np.int32]:
        """Return where an *outline* (n, 2) that lies *z_mm* high is seen."""
        points = np.column_stack([outline, np.full(len(outline), z_mm)])
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


class LineArtist(TableArtist):
    """Draws the table of *layout* with any of its pieces in line; always the same set."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout, slant_deg=18.0)
        self._layout = layout
        random = np.random.default_rng(SEED)
        size = (layout.piece.w, layout.piece.h)
        hues = np.linspace(0.0, 360.0, len(layout.names), endpoint=False)
        self._faces = {
            name: draw_tiki(random, size, hue_colour(float(hue), 0.7, 0.8))
            for name, hue in zip(layout.names, hues, strict=True)
        }

    def draw(self, name: str, line: Sequence[str]) -> Frame:
        """Return the picture *name* of the pieces of *line*, from the first place on."""
        picture, layout = self._lay_tiles(), self._layout
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
        return self._take(name, picture)


class PileArtist(TableArtist):
    """Draws the table of *layout* with any discs on its places, under one lamp."""

    def __init__(self, layout: PlacesLayout) -> None:
        super().__init__(layout, slant_deg=28.0)
        self._layout = layout
        left, top, right, bottom = layout.edges
        self._centre = ((left + right) / 2, (top + bottom) / 2)
        self._size = (right - left, bottom - top)
        self._board = self._print_board()
        angles = np.linspace(0.0, 2.0 * np.pi, SIDES, endpoint=False)
        self._round = np.stack([np.cos(angles), np.sin(angles)], axis=1)

    def draw(self, name: str, piles: Sequence[Sequence[str]]) -> Frame:
        """Return the picture *name* of *piles*, each with its colours from the bottom up."""
        picture = self._lay_tiles()
        self._lay(picture, self._board, self._centre, self._size, self._floor_z)
        heights = [len(pile) * self._layout.figure.pitch for pile in piles]
        shadows = np.zeros(picture.shape[:2], np.float32)
        for centre, height in zip(self._layout.cells, heights, strict=True):
            if height:
                shade = np.array(LAMP[:2]) / -LAMP[2] * height
                base = np.array(centre) + self._layout.figure.radius * self._round
                shadow = self._pixels(np.concatenate([base, base + shade]), self._floor_z)
                cv2.fillConvexPoly(shadows, cv2.convexHull(shadow), 1.0)
        shadows = np.asarray(cv2.GaussianBlur(shadows, (0, 0), PENUMBRA_PX))
        picture = (picture * (1.0 - (1.0 - AMBIENT) * shadows[..., None])).astype(np.uint8)
        for centre, pile in self._from_far_to_near(piles):
            self._stack(picture, centre, pile)
        return self._take(name, (EXPOSURE * picture).astype(np.uint8))

    def _print_board(self) -> Print:
        """Return a board of wood with a ring and a number at each place."""
        random, scale = np.random.default_rng(SEED), PRINT_PX_PER_MM
        side = round(max(self._size) * scale)
        ground = draw_ground(random, side, (0.7, 0.6, 0.45), 0.06)
        wide, deep = (round(scale * length) for length in self._size)
        board = np.ascontiguousarray(ground[:deep, :wide])
        left, top = self._layout.edges[:2]
        for number, (x, y) in enumerate(self._layout.cells, start=1):
            at = (round(scale * (x - left)), round(scale * (y - top)))
            cv2.circle(board, at, round(scale * 13.0), (60, 50, 40), 4, cv2.LINE_AA)
            at = (at[0] - 18, at[1] + 18)
            cv2.putText(board, str(number), at, cv2.FONT_HERSHEY_SIMPLEX, 1.5, (60, 50, 40), 4)
        return board

    def _from_far_to_near(
        self, piles: Sequence[Sequence[str]]
    ) -> Iterator[tuple[tuple[float, float], Sequence[str]]]:
        pairs = list(zip(self._layout.cells, piles, strict=True))
        yield from sorted(pairs, key=lambda each: -np.hypot(*(each[0] - self._stands[:2])))

    def _stack(self, picture: Picture, centre: tuple[float, float], pile: Sequence[str]) -> None:
        """Draw the discs of one *pile*, each a little beside the one below it."""
        random = np.random.default_rng([SEED, *map(int, centre)])
        figure, at, z_mm = self._layout.figure, np.array(centre), self._floor_z
        lamp = np.array(LAMP) / np.linalg.norm(LAMP)
        for colour in pile:
            paint = np.array(DEFAULT_COLOURS_BGR[colour]) * 0.95
            rim = at + figure.radius * self._round
            low, high = self._pixels(rim, z_mm), self._pixels(rim, z_mm + figure.pitch)
            inner = self._pixels(at + 0.9 * figure.radius * self._round, z_mm + figure.pitch)
            light = AMBIENT * 0.8 + (1.0 - AMBIENT) * np.maximum(self._round @ lamp[:2], 0.0)
            for side in np.argsort(rim @ (self._stands[:2] - at)):
                quad = np.stack([low[side], low[side - 1], high[side - 1], high[side]])
                cv2.fillConvexPoly(picture, quad, tuple(light[side] * paint), cv2.LINE_AA)
            cv2.polylines(picture, [low], True, tuple(0.35 * paint), 1, cv2.LINE_AA)
            top = AMBIENT + (1.0 - AMBIENT) * lamp[2]
            cv2.fillConvexPoly(picture, high, tuple(1.05 * top * paint), cv2.LINE_AA)
            cv2.fillConvexPoly(picture, inner, tuple(top * paint), cv2.LINE_AA)
            z_mm += figure.pitch
            at = at + random.normal(0.0, STRAY_MM, 2)
