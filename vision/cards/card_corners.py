"""The four corners of a card in any photograph, located by a small network.

The network was trained on rendered photographs only (`training/train_cards.py`). It sees
the whole picture at once and says where corners are, those of each diagonal for itself, and which
pixels the card fills, behind fingers too.
"""

from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.geometry.pose import Points
from vision.inference import load_network

MODEL: Final = Path(__file__).parents[1] / "models" / "card-corners.onnx"

INPUT_PX: Final = 192
"""Side of the network's input."""
MARGIN_PX: Final = 12
"""Around the picture in it: a corner may be a little out of the picture."""
STRIDE_PX: Final = 4
"""Side of the square of the input that one cell of the output stands for."""
GREY: Final = 114
"""Level of what is beyond the picture."""
CLOSE_SHARE: Final = 0.58
"""How long a card is in the closer look, as a share of the input's side."""
MAX_QUADS: Final = 2
"""How many places are looked at again."""
MAX_PEAKS: Final = 6
MIN_HEAT: Final = 0.1
"""How many corners of a kind are considered, and from which probability on."""
MIN_FILLED: Final = 0.4
MIN_SCORE: Final = 0.15
HIDDEN_HEAT: Final = 0.6
"""What the probability of three corners is multiplied by if the fourth is hidden."""
MIN_SIDE_CELLS: Final = 1.5
MIN_ASPECT, MAX_ASPECT = 0.75, 2.9
"""Length over width: 1.55, seen from the side."""
MIN_APART_CELLS: Final = 2.0
"""Between the centres of two cards."""
MAX_APART_PX: Final = 24.0
"""Between a card's centre at the first and at the closer look, in the closer one."""
Maps: TypeAlias = NDArray[np.float32]
Peak: TypeAlias = tuple[float, Points]


@dataclass(frozen=True, slots=True, eq=False)
class CardQuad:
    """Where a card may be.

    corners: (4, 2) float64 pixels, the top left one first, clockwise; a half-turn of the card looks
        alike, so that it may be upside down.
    score: 0 to 1.
    """

    corners: Points
    score: float


def letterbox(picture: Picture) -> tuple[Picture, NDArray[np.float64]]:
    """Return *picture* on a square of INPUT_PX, and the map (2, 3) from its pixels to there."""
    rows, columns = picture.shape[:2]
    scale = (INPUT_PX - 2 * MARGIN_PX) / max(rows, columns)
    size = (max(1, round(columns * scale)), max(1, round(rows * scale)))
    how = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
    canvas = np.full((INPUT_PX, INPUT_PX, 3), GREY, np.uint8)
    left, top = (INPUT_PX - size[0]) // 2, (INPUT_PX - size[1]) // 2
    canvas[top : top + size[1], left : left + size[0]] = cv2.resize(
        picture, size, interpolation=how
    )
    steps = np.array([size[0] / columns, size[1] / rows])
    shift = np.array([left, top]) + 0.5 * steps - 0.5
    return canvas, np.column_stack([np.diag(steps), shift])


def locate_cards(picture: Picture) -> list[CardQuad]:
    """Return where in *picture* (rows, columns, 3) uint8 a card may be, likeliest first.

    Each was looked at twice: in the whole picture, and again by itself.
    """
    canvas, to_canvas = letterbox(picture)
    seen = [_move_back(quad, to_canvas) for quad in decode_maps(_run(canvas))]
    return [look_closer(picture, quad) for quad in seen[:MAX_QUADS]]


def look_closer(picture: Picture, quad: CardQuad) -> CardQuad:
    """Return *quad* as the network sees it by itself, upright and as large as it may be."""
    corners = quad.corners
    top, bottom = (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2
    length, width = np.hypot(*(bottom - top)), np.hypot(*(corners[1] - corners[0]))
    scale = CLOSE_SHARE * INPUT_PX / max(float(length), float(width), 1.0)
    along = (bottom - top) / max(float(length), 1.0)
    turn = scale * np.array([[along[1], -along[0]], [along[0], along[1]]])
    centre = np.full(2, (INPUT_PX - 1) / 2)
    to_canvas = np.column_stack([turn, centre - turn @ corners.mean(axis=0)])
    if scale < 0.5:  # so that no pixel is skipped
        shrink = 2 * scale
        small = cv2.resize(picture, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        steps = np.array(small.shape[1::-1]) / np.array(picture.shape[1::-1])
        warp = np.column_stack([turn / steps, to_canvas[:, 2] - turn / steps @ (0.5 * steps - 0.5)])
    else:
        small, warp = picture, to_canvas
    canvas = cv2.warpAffine(small, warp, (INPUT_PX, INPUT_PX), borderValue=(GREY,) * 3)
    closer = decode_maps(_run(np.asarray(canvas, np.uint8)))
    expected = corners @ to_canvas[:, :2].T + to_canvas[:, 2]
    near = [each for each in closer if _apart(each.corners, expected) < MAX_APART_PX]
    if not near:
        return replace(quad, score=0.5 * quad.score)
    best = near[0]
    aligned = min(
        (best.corners, np.roll(best.corners, 2, axis=0)),
        key=lambda ends: float(np.abs(ends - expected).sum()),
    )
    return _move_back(CardQuad(aligned, best.score), to_canvas)


def _apart(one: Points, other: Points) -> float:
    return float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0))))


def _move_back(quad: CardQuad, to_canvas: NDArray[np.float64]) -> CardQuad:
    back = np.linalg.inv(to_canvas[:, :2])
    return replace(quad, corners=(quad.corners - to_canvas[:, 2]) @ back.T)


def _run(canvas: Picture) -> Maps:
    levels = np.ascontiguousarray(canvas.transpose(2, 0, 1)[None])
    (maps,) = load_network(MODEL).run(levels=levels)
    return np.asarray(maps[0], np.float32)


def decode_maps(maps: Maps) -> list[CardQuad]:
    """Return the cards that *maps* show, in pixels of the network's input, likeliest first.

    maps: (3, side, side) from 0 to 1: corners that are top left or bottom right of an upright
    card, the other two, and the card.
    """
    first, second = (_find_peaks(each) for each in maps[:2])
    filled = np.asarray(maps[2] > MIN_FILLED, np.uint8)
    quads = []
    for (a, at_a), (b, at_b) in combinations(first, 2):
        sides = [((end - at_a) @ np.array([[0, 1], [-1, 0]]) @ (at_b - at_a), p, end)
                 for p, end in second]  # fmt: skip
        rights = [(p, end) for side, p, end in sides if side > 0]
        lefts = [(p, end) for side, p, end in sides if side < 0]
        for (c, at_c), (d, at_d) in product(rights, lefts):
            corners = np.array([at_a, at_c, at_b, at_d])
            if _is_card_shaped(corners):
                heat = float((a * b * c * d) ** 0.25)
                quads.append(CardQuad(corners, heat * _overlap(corners, filled)))
    quads += _complete(first, second, filled)
    best = sorted((each for each in quads if each.score > MIN_SCORE), key=lambda q: -q.score)
    kept: list[CardQuad] = []
    for each in best:
        if all(_apart(each.corners, other.corners) > MIN_APART_CELLS for other in kept):
            kept.append(each)
    return [
        CardQuad((each.corners + 0.5) * STRIDE_PX - 0.5, each.score) for each in kept[:MAX_QUADS]
    ]


def _complete(first: list[Peak], second: list[Peak], filled: NDArray[np.uint8]) -> list[CardQuad]:
    """Return cards of which a finger hides one corner: it is where three others say."""
    quads = []
    for pairs, others, turned in ((first, second, 0), (second, first, 1)):
        for (a, at_a), (b, at_b) in combinations(pairs, 2):
            for c, at_c in others:
                at_d = at_a + at_b - at_c
                side = (at_c - at_a) @ np.array([[0, 1], [-1, 0]]) @ (at_b - at_a)
                ends = [at_a, at_c, at_b, at_d] if side > 0 else [at_a, at_d, at_b, at_c]
                corners = np.roll(np.array(ends), turned, axis=0)
                if _is_card_shaped(corners):
                    heat = HIDDEN_HEAT * float((a * b * c) ** (1 / 3))
                    quads.append(CardQuad(corners, heat * _overlap(corners, filled)))
    return quads


def _is_card_shaped(corners: Points) -> bool:
    """Return whether *corners* go round a convex quadrangle that may be a card's."""
    sides = np.roll(corners, -1, axis=0) - corners
    nexts = np.roll(sides, -1, axis=0)
    if (sides[:, 0] * nexts[:, 1] - sides[:, 1] * nexts[:, 0]).min() <= 0:
        return False
    lengths = np.hypot(*sides.T)
    across, along = lengths[[0, 2]].mean(), lengths[[1, 3]].mean()
    return bool(lengths.min() > MIN_SIDE_CELLS and MIN_ASPECT < along / across < MAX_ASPECT)


def _overlap(corners: Points, filled: NDArray[np.uint8]) -> float:
    """Return which share of what either of them covers both *corners* and *filled* cover."""
    mask = np.zeros(filled.shape, np.uint8)
    fixed = np.round(corners * 16).astype(np.int32)
    cv2.fillConvexPoly(mask, fixed, 1, shift=4)
    both = int((mask & filled).sum())
    # Other cards may lie about: only what is filled near this one counts.
    near = np.asarray(cv2.dilate(mask, np.ones((5, 5), np.uint8)), np.uint8)
    either = int((mask | (filled & near)).sum())
    return both / max(either, 1)


def _find_peaks(heat: NDArray[np.float32]) -> list[Peak]:
    """Return the highest peaks of a map, each with its height and place (2,) in cells."""
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > MIN_HEAT))
    order = np.argsort(-heat[rows, columns])[:MAX_PEAKS]
    logs = np.log(np.pad(heat, 1, mode="edge") + 1e-4)
    peaks = []
    for row, column in zip(rows[order], columns[order], strict=True):
        around = logs[row : row + 3, column : column + 3]
        shift = [_interpolate_peak(around[1]), _interpolate_peak(around[:, 1])]
        peaks.append((float(heat[row, column]), np.array([column, row]) + shift))
    return peaks


def _interpolate_peak(three: NDArray[np.float32]) -> float:
    """Return the peak of a parabola through *three* values at -1, 0 and 1.

    In single precision, unlike `interpolate_peak`: corners stay as they were, to the last digit.
    """
    curvature = float(three[0] + three[2] - 2 * three[1])
    return (
        0.0
        if curvature > -1e-6
        else float(np.clip((three[0] - three[2]) / (2 * curvature), -0.6, 0.6))
    )
