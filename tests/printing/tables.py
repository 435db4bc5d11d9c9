"""A table with printed tiles on it, as a camera sees it: from printed pages to pictures."""

from functools import cache
from typing import Final

import cv2
import numpy as np

from companion.apps.printing.sheets import game_sheets
from companion.apps.printing.tiles import tile_sizes
from tests.printing.pages import PX_PER_MM, markers, render
from vision.capture.frame import Picture

TABLE_PX_PER_MM: Final = 4
ROOM_MM: Final = 60
WOOD_BGR: Final = (70, 110, 150)
SIZE_PX: Final = (1536, 864)
AWAY_MM: Final = 700
GAMMA: Final = 2.2


@cache
def printed_tiles(game: str) -> tuple[Picture, ...]:
    """Return the four tiles, cut out of the printed page, in the order of the mat."""
    page = render(game_sheets(game).to_pdf("a4", "en"))[0]
    found, (mat, tile) = markers(page), tile_sizes(game)
    rim = (tile - mat.marker_mm) / 2
    cut = []
    for number in mat.marker_ids:
        left, top = (found[number][0] - rim) * PX_PER_MM
        side = tile * PX_PER_MM
        x, y, wide = round(float(left)), round(float(top)), round(side)
        cut.append(page[y : y + wide, x : x + wide].copy())
    return tuple(cut)


def lay_table(game: str, scale: float, apart: float = 1.0) -> Picture:
    """Return a table seen from straight above, TABLE_PX_PER_MM, the top left tile's middle at ROOM.

    scale: at which the tiles were printed.  apart: how far they lie, as a share of the right way.
    """
    mat, tile = tile_sizes(game)
    size = [round((side + 2 * ROOM_MM) * TABLE_PX_PER_MM) for side in (mat.height, mat.width)]
    table = np.full((*size, 3), WOOD_BGR, np.uint8)
    centre = np.array([mat.width, mat.height]) / 2
    for picture, place in zip(printed_tiles(game), mat.centres, strict=True):
        x, y = (np.array(place) - centre) * apart + centre + ROOM_MM
        side = tile * scale * TABLE_PX_PER_MM
        ratio = side / picture.shape[0]
        left, top = (x * TABLE_PX_PER_MM - side / 2, y * TABLE_PX_PER_MM - side / 2)
        # Pixels' centres are half a pixel off their corners.
        move = np.array([[ratio, 0, left + ratio / 2 - 0.5], [0, ratio, top + ratio / 2 - 0.5]])
        cv2.warpAffine(
            picture,
            move,
            (table.shape[1], table.shape[0]),
            dst=table,
            flags=cv2.INTER_AREA,
            borderMode=cv2.BORDER_TRANSPARENT,
        )
    return table


def see_table(
    table: Picture, tilt_deg: float, turn_deg: float, bend: float = 0.0, seed: int = 0
) -> Picture:
    """Return what a camera 0.7 m away sees of *table*, blurred as light is, with noise.

    tilt_deg: from straight above.  turn_deg: about the vertical.  bend: by how much the lens
    pushes a corner of the picture outwards, as a share of its distance from the middle.
    """
    width, height = SIZE_PX
    focal = width / 2 / np.tan(np.radians(66 / 2))
    tilt, turn = np.radians([tilt_deg, turn_deg])
    about_x = np.array(
        [[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]]
    )
    about_z = np.array(
        [[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]]
    )
    rotation = about_x @ about_z
    rows, columns = table.shape[:2]
    to_mm = np.array(
        [
            [1 / TABLE_PX_PER_MM, 0, -columns / 2 / TABLE_PX_PER_MM],
            [0, 1 / TABLE_PX_PER_MM, -rows / 2 / TABLE_PX_PER_MM],
            [0, 0, 1],
        ]
    )
    matrix = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    plane = matrix @ np.column_stack([rotation[:, 0], rotation[:, 1], [0, 0, AWAY_MM]]) @ to_mm
    x, y = np.meshgrid(np.arange(width, dtype=np.float64), np.arange(height, dtype=np.float64))
    off = np.stack([x - (width - 1) / 2, y - (height - 1) / 2])
    radius = np.hypot(*off) / (np.hypot(width, height) / 2)
    straight = off / (1 + bend * radius**2)
    seen = np.stack(
        [straight[0] + (width - 1) / 2, straight[1] + (height - 1) / 2, np.ones_like(x)]
    )
    source = np.tensordot(np.linalg.inv(plane), seen, 1)
    source = (source[:2] / source[2]).astype(np.float32)
    # Grey is enough; light adds up, and levels are its root.
    light = np.power(cv2.cvtColor(table, cv2.COLOR_BGR2GRAY).astype(np.float32) / 255, GAMMA)
    sharp = cv2.remap(light, source[0], source[1], cv2.INTER_LINEAR, borderValue=0.1)
    soft = np.power(cv2.GaussianBlur(sharp, (0, 0), 1.0), 1 / GAMMA) * 235
    noise = np.random.default_rng(seed).standard_normal(soft.shape, np.float32) * 3
    levels = np.clip(soft + noise, 0, 255).astype(np.uint8)
    return np.repeat(levels[..., None], 3, axis=2)
