"""The corner tiles of a game as a camera sees them, drawn on a bare table."""

from collections.abc import Sequence

import cv2
import numpy as np

from companion.table.readers import usual_table
from rendering.prints import TILE_MM, draw_tile
from rendering.scenes import HFOV_DEG, PICTURE_PX, projection
from tests.printing.tables import ROOM_MM, TABLE_PX_PER_MM, WOOD_BGR, lay_table
from vision.capture.frame import Picture
from vision.geometry.layout import parse_mat
from vision.geometry.pose import Points


def stand(game: str, slant_deg: float, distance_mm: float) -> tuple[float, float, float]:
    """Return where a camera stands beside the near side of *game*, in mm.

    slant_deg: from straight above.  distance_mm: to the table's middle.
    """
    mat, slant = parse_mat(usual_table(game)), np.radians(slant_deg)
    x, y = mat.width / 2.0, mat.height / 2.0
    return x, float(y + distance_mm * np.sin(slant)), float(distance_mm * np.cos(slant))


def draw_from(
    game: str,
    stands: Sequence[float] | Points,
    hfov_deg: float = HFOV_DEG,
    beside_mm: Sequence[float] = (0.0, 0.0),
) -> Picture:
    """Return what a camera that *stands* there sees.

    beside_mm: by how much it is pointed beside the middle of the four tiles.
    """
    mat = parse_mat(usual_table(game))
    aim = [mat.width / 2.0 + beside_mm[0], mat.height / 2.0 + beside_mm[1], 0.0]
    camera = {
        "stands": [float(each) for each in stands],
        "aim": aim,
        "roll_deg": 0.0,
        "hfov_deg": hfov_deg,
    }
    to_picture = projection(camera)[:, [0, 1, 3]]
    picture = np.full((PICTURE_PX[1], PICTURE_PX[0], 3), 120, np.uint8)
    for number, centre in zip(mat.marker_ids, mat.centres, strict=True):
        tile = draw_tile(number)
        corner = np.array(centre) - TILE_MM / 2
        scale = TILE_MM / len(tile)
        place = np.array([[scale, 0, corner[0]], [0, scale, corner[1]], [0, 0, 1.0]])
        drawn = cv2.warpPerspective(tile, to_picture @ place, PICTURE_PX)
        picture = np.where(drawn.max(axis=2, keepdims=True) > 0, drawn, picture)
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


def draw_tiles(game: str, slant_deg: float) -> Picture:
    """Return what a camera of a usual lens sees from 0.7 m."""
    return draw_from(game, stand(game, slant_deg, 700.0))


def draw_by_fisheye(game: str, stands: Sequence[float], angle_deg: float) -> Picture:
    """Return what a fisheye of *angle_deg* sees that points at the middle of the four tiles."""
    table, (width, height) = lay_table(game, 1.0), PICTURE_PX
    camera = np.array(stands)
    forward = np.array(stand(game, 0.0, 0.0)) - camera
    forward /= np.linalg.norm(forward)
    down = np.array([0.0, 1.0, 0.0]) - forward[1] * forward
    down /= np.linalg.norm(down)
    x, y = np.meshgrid(np.arange(width) - (width - 1) / 2, np.arange(height) - (height - 1) / 2)
    radius = np.maximum(np.hypot(x, y), 1e-9)
    angle = radius * np.radians(angle_deg) / width
    aside = np.sin(angle) / radius
    rays = (
        (x * aside)[..., None] * [1.0, 0.0, 0.0]
        + (y * aside)[..., None] * down
        + np.cos(angle)[..., None] * forward
    )
    flat = camera[:2] - camera[2] * rays[..., :2] / np.minimum(rays[..., 2:], -1e-3)
    pixels = ((flat + ROOM_MM) * TABLE_PX_PER_MM).astype(np.float32)
    seen = cv2.remap(table, pixels[..., 0], pixels[..., 1], cv2.INTER_AREA, borderValue=WOOD_BGR)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 0.7), np.uint8)
