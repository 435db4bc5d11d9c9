"""Name the one UNO card in a photograph, without a mat and without calibration.

The card may fill the picture or lie on anything darker than its white border. Its outline, or that
of its panel, gives the four sides; what does not look like a card of the game in the end is None.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.detection import Face, Sheet, read_face
from vision.cards.layout import CardSize
from vision.cards.segmentation import FIND_PX_PER_MM, Panel
from vision.cards.uno_card import CardReading, name_card
from vision.geometry.pose import Points
from vision.photometry.chromaticity import IDENTITY_CORRECTION, min_channel, to_lut

CARD: Final = CardSize(56.0, 87.0)
BORDER_MM: Final = 3.4
LONGEST_PX: Final = 900
SMALLEST_PX: Final = 60
LEAST_AREA: Final = 0.02
"""Of the picture; a smaller card cannot be read."""
ASPECTS: Final = (1.3, 1.85)
LEAST_FILL: Final = 0.85
BRIDGE: Final = 0.015
"""The line of an oval parts a panel: so thin a line, as a share of the picture, is closed."""
SIDE: Final = 0.6
"""The part of each side, around its middle, that is straight for certain."""
FEWEST_POINTS: Final = 8
PARALLEL: Final = 1e-9
LEAST_BORDER: Final = 0.7


def read_card(picture: Picture) -> CardReading | None:
    """Return which card *picture* shows, or None if none of the game can be made out.

    picture: (height, width, 3) uint8, or grey; grey tells no colours, so that it is None.
    """
    if picture.ndim != 3 or min(picture.shape[:2]) < SMALLEST_PX:
        return None
    scale = min(1.0, LONGEST_PX / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    seen = np.asarray(small, np.uint8)
    readings = [
        reading
        for face in _faces(seen)
        if face.border >= LEAST_BORDER and (reading := name_card(face)) is not None
    ]
    named = {(reading.color, reading.symbol) for reading in readings}
    if len(named) != 1:  # nothing, or two outlines that tell different stories
        return None
    return max(readings, key=lambda reading: reading.confidence)


def _faces(picture: Picture) -> Iterator[Face]:
    """Yield the faces of whatever might be a card."""
    pale = min_channel(np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8))
    _, bright = cv2.threshold(pale, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    side = max(3, round(BRIDGE * max(pale.shape)))
    kernel = np.ones((side, side), np.uint8)
    dark = cv2.morphologyEx(np.asarray(1 - bright, np.uint8), cv2.MORPH_CLOSE, kernel)
    inner = CardSize(CARD.w - 2 * BORDER_MM, CARD.h - 2 * BORDER_MM)
    for mask, size, mode in ((bright, CARD, cv2.RETR_EXTERNAL), (dark, inner, cv2.RETR_LIST)):
        for corners in _quadrangles(np.asarray(mask, np.uint8), mode):
            face = _face(picture, corners, size)
            if face is not None:
                yield face


def _face(picture: Picture, corners: Points, size: CardSize) -> Face | None:
    """Return the face of the card whose outline, *size* in mm, has these corners in pixels."""
    left, top = (CARD.w - size.w) / 2, (CARD.h - size.h) / 2
    right, bottom = left + size.w, top + size.h
    places = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    to_picture = cv2.getPerspectiveTransform(places.astype(np.float32), corners.astype(np.float32))
    sheet = Sheet(picture, np.asarray(to_picture, np.float64), to_lut(IDENTITY_CORRECTION))
    pale = min_channel(sheet.cut(0.0, 0.0, CARD, FIND_PX_PER_MM))
    limit, _ = cv2.threshold(pale, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    inner = CARD.w - 2 * BORDER_MM, CARD.h - 2 * BORDER_MM
    return read_face(sheet, CARD, Panel(0.0, 0.0, 0.0, *inner, inner[1], 1.0, float(limit)))


def _quadrangles(mask: NDArray[np.uint8], mode: int) -> Iterator[Points]:
    """Yield the corners (4, 2) of each upright-card-shaped outline in *mask*, top left first.

    An outline lies either way up; a card looks the same both ways.
    """
    outlines, _ = cv2.findContours(mask, mode, cv2.CHAIN_APPROX_NONE)
    for outline in outlines:
        hull = cv2.convexHull(outline)
        area = cv2.contourArea(hull)
        if area < LEAST_AREA * mask.size:
            continue
        box = cv2.minAreaRect(hull)
        short, long = sorted(box[1])
        if not ASPECTS[0] <= long / max(short, 1.0) <= ASPECTS[1]:
            continue
        if area < LEAST_FILL * short * long:
            continue
        corners = _corners(
            outline.reshape(-1, 2).astype(np.float64), np.asarray(cv2.boxPoints(box), np.float64)
        )
        if corners is not None:
            yield corners


def _corners(outline: Points, box: Points) -> Points | None:
    """Return the corners where straight lines along the four sides of *outline* meet.

    box: (4, 2) corners of a rectangle around it.
    """
    if np.linalg.norm(box[1] - box[0]) > np.linalg.norm(box[2] - box[1]):
        box = np.roll(box, -1, axis=0)
    lines = []
    for start, end in pairwise([*box, box[0]]):
        along = (end - start) / max(float(np.linalg.norm(end - start)), 1.0)
        from_start = outline - start
        share = from_start @ along / max(float(np.linalg.norm(end - start)), 1.0)
        off = np.abs(from_start @ np.array([-along[1], along[0]]))
        near = (np.abs(share - 0.5) < SIDE / 2) & (off < 0.06 * np.linalg.norm(end - start))
        if np.count_nonzero(near) < FEWEST_POINTS:
            return None
        points = outline[near].astype(np.float32)
        vx, vy, x, y = cv2.fitLine(points, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append(np.cross([x, y, 1.0], [x + vx, y + vy, 1.0]))
    meets = [np.cross(a, b) for a, b in pairwise([lines[3], *lines])]
    if min(abs(float(point[2])) for point in meets) < PARALLEL:
        return None
    return np.array([point[:2] / point[2] for point in meets])
