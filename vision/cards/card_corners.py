"""The four corners of a card in any photograph, located by a small network.

The network was trained on rendered photographs only (`training/train_cards.py`). It sees
the whole picture at once and says where corners are, those of each diagonal for itself, and which
pixels the card fills, behind fingers too.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_rectification import halve_around
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
MIN_CARD_SCORE: Final = 0.3
"""From which score on there is a card, known or not."""
HIDDEN_HEAT: Final = 0.6
"""What the probability of three corners is multiplied by if the fourth is hidden."""
MIN_SIDE_CELLS: Final = 1.5
MIN_ASPECT, MAX_ASPECT = 0.75, 2.9
"""Length over width: 1.55, seen from the side."""
MIN_APART_CELLS: Final = 2.0
"""Between the centres of two cards."""
MAX_APART_PX: Final = 24.0
"""Between a card's centre at the first and at the closer look, in the closer one."""
EPSILON: Final = 1e-6
MAX_SHIFT_CELLS: Final = 0.6
"""Least curvature of a peak, and how far from the highest cell it may be."""

Maps: TypeAlias = NDArray[np.float32]
Quads: TypeAlias = NDArray[np.float64]
"""(n, 4, 2): the corners of n quadrangles."""
Found: TypeAlias = tuple[Quads, NDArray[np.float64]]
"""Quadrangles, and the mean probability (n,) of their corners."""


@dataclass(frozen=True, slots=True, eq=False)
class Peaks:
    """The highest peaks of a map.  heats: (n,) from 0 to 1.  places: (n, 2) in cells."""

    heats: NDArray[np.float64]
    places: Points


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
    part, to_picture = halve_around(picture, np.array([[0, 0], [columns, rows]]), scale)
    how = cv2.INTER_AREA if scale < 1.0 else cv2.INTER_LINEAR
    canvas = np.full((INPUT_PX, INPUT_PX, 3), GREY, np.uint8)
    left, top = (INPUT_PX - size[0]) // 2, (INPUT_PX - size[1]) // 2
    canvas[top : top + size[1], left : left + size[0]] = cv2.resize(part, size, interpolation=how)
    steps = np.array(size) / np.array(part.shape[1::-1]) / to_picture[0, 0]
    shift = np.array([left, top]) + 0.5 * steps - 0.5
    return canvas, np.column_stack([np.diag(steps), shift])


def locate_cards(picture: Picture) -> Iterator[CardQuad]:
    """Yield where in *picture* (rows, columns, 3) uint8 a card may be, likeliest first.

    Each was looked at twice: in the whole picture, and again by itself.
    """
    canvas, to_canvas = letterbox(picture)
    for quad in decode_maps(_run(canvas)):
        yield look_closer(picture, _move_back(quad, to_canvas))


def look_closer(picture: Picture, quad: CardQuad) -> CardQuad:
    """Return *quad* as the network sees it by itself, upright and as large as it may be."""
    corners = quad.corners
    top, bottom = (corners[0] + corners[1]) / 2, (corners[2] + corners[3]) / 2
    length, width = np.hypot(*(bottom - top)), np.hypot(*(corners[1] - corners[0]))
    scale = CLOSE_SHARE * INPUT_PX / max(float(length), float(width), 1.0)
    along = (bottom - top) / max(float(length), 1.0)
    turn = scale * np.array([[along[1], -along[0]], [along[0], along[1]]])
    centre, middle = corners.mean(axis=0), np.full(2, (INPUT_PX - 1) / 2)
    to_canvas = np.column_stack([turn, middle - turn @ centre])
    reach = INPUT_PX / scale / 2**0.5
    part, to_picture = halve_around(picture, np.array([centre - reach, centre + reach]), scale)
    warp, side = to_canvas @ to_picture, (INPUT_PX, INPUT_PX)
    canvas = cv2.warpAffine(part, warp, side, borderValue=(GREY,) * 3)
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
    first, second = (find_peaks(each, MIN_HEAT, MAX_PEAKS) for each in maps[:2])
    filled = np.asarray(maps[2] > MIN_FILLED, np.uint8)
    found = (_join(first, second), *_complete(first, second), *_complete(second, first, 1))
    quads, heats = (np.concatenate(each) for each in zip(*found, strict=True))
    likely = (heats > MIN_SCORE) & _is_card_shaped(quads)
    scored = [
        CardQuad(corners, float(heat) * _overlap(corners, filled))
        for corners, heat in zip(quads[likely], heats[likely], strict=True)
    ]
    best = sorted((each for each in scored if each.score > MIN_SCORE), key=lambda q: -q.score)
    kept: list[CardQuad] = []
    for each in best:
        if all(_apart(each.corners, other.corners) > MIN_APART_CELLS for other in kept):
            kept.append(each)
    return [
        CardQuad((each.corners + 0.5) * STRIDE_PX - 0.5, each.score) for each in kept[:MAX_QUADS]
    ]


def _join(first: Peaks, second: Peaks) -> Found:
    """Return all quadrangles of two *first* corners and two *second* ones."""
    pairs = combinations(range(len(first.heats)), 2)
    others = list(permutations(range(len(second.heats)), 2))
    a, b, c, d = np.array([(*p, *o) for p in pairs for o in others], np.intp).reshape(-1, 4).T
    places = (first.places[a], second.places[c], first.places[b], second.places[d])
    heats = first.heats[a] * first.heats[b] * second.heats[c] * second.heats[d]
    return np.stack(places, axis=1), heats**0.25


def _complete(pairs: Peaks, others: Peaks, turned: int = 0) -> tuple[Found, Found]:
    """Return quadrangles of which a finger hides one corner: it is where three others say.

    turned: how many places further on the corner that goes first is.
    """
    ends = combinations(range(len(pairs.heats)), 2)
    thirds = range(len(others.heats))
    a, b, c = np.array([(*p, o) for p in ends for o in thirds], np.intp).reshape(-1, 3).T
    at_a, at_b, at_c = pairs.places[a], pairs.places[b], others.places[c]
    at_d = at_a + at_b - at_c
    heats = HIDDEN_HEAT * (pairs.heats[a] * pairs.heats[b] * others.heats[c]) ** (1 / 3)
    one, other = (
        (np.roll(np.stack([at_a, right, at_b, left], axis=1), turned, axis=1), heats)
        for right, left in ((at_c, at_d), (at_d, at_c))
    )
    return one, other


def _is_card_shaped(quads: Quads) -> NDArray[np.bool_]:
    """Return which of *quads* (n,) go clockwise round a convex quadrangle that may be a card's."""
    sides = np.roll(quads, -1, axis=1) - quads
    nexts = np.roll(sides, -1, axis=1)
    turns = sides[..., 0] * nexts[..., 1] - sides[..., 1] * nexts[..., 0]
    lengths = np.hypot(sides[..., 0], sides[..., 1])
    across, along = lengths[:, [0, 2]].sum(axis=1), lengths[:, [1, 3]].sum(axis=1)
    return np.asarray(
        (turns.min(axis=1) > 0)
        & (lengths.min(axis=1) > MIN_SIDE_CELLS)
        & (along > MIN_ASPECT * across)
        & (along < MAX_ASPECT * across)
    )


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


def find_peaks(heat: Maps, least: float, most: int) -> Peaks:
    """Return the highest peaks of a map (rows, columns), at most so many, that are so high."""
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > least))
    order = np.argsort(-heat[rows, columns])[:most]
    rows, columns = rows[order], columns[order]
    logs = np.log(np.pad(heat, 1, mode="edge") + 1e-4)
    at, steps = (rows + 1, columns + 1), np.arange(-1, 2)[:, None]
    shifts = [
        _interpolate_peaks(logs[at[0] + dy * steps, at[1] + dx * steps])
        for dx, dy in ((1, 0), (0, 1))
    ]
    places = np.column_stack([columns, rows]) + np.column_stack(shifts)
    return Peaks(heat[rows, columns].astype(np.float64), places.astype(np.float64))


def _interpolate_peaks(three: Maps) -> NDArray[np.float64]:
    """Return the peaks (n,) of parabolas through values (3, n) at -1, 0 and 1."""
    before, here, after = three.astype(np.float64)
    curvature = np.minimum(before + after - 2 * here, -EPSILON)
    shifts = (before - after) / (2 * curvature)
    return np.asarray(np.clip(shifts, -MAX_SHIFT_CELLS, MAX_SHIFT_CELLS))
