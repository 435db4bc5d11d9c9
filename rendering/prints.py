"""Draw the prints of random tables: wood and cloth, tiles and boards, all of lines and noise."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.piece_kinds import Kind

Random: TypeAlias = np.random.Generator
Print: TypeAlias = NDArray[np.uint8]
Colour: TypeAlias = tuple[float, float, float]
"""Red, green, blue from 0 to 1, as printed."""

PX_PER_MM: Final = 4
MARKERS: Final = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
MARKER_MM: Final = 40.0
BOARD_MARKERS: Final = (40, 41, 42, 43)
BOARD_MARKER_MM: Final = 16
"""The balance board has smaller markers of its own in its corners."""
TILE_MM: Final = 50.0


def random_hue(
    random: Random, saturation: tuple[float, float], value: tuple[float, float]
) -> Colour:
    """Return a colour of any hue."""
    return hue_colour(random.uniform(0, 360), random.uniform(*saturation), random.uniform(*value))


def hue_colour(hue_deg: float, saturation: float, value: float) -> Colour:
    """Return the colour with this hue, saturation and value."""
    pixel = np.array([[[hue_deg % 360, saturation, value]]], np.float32)
    red, green, blue = cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0]
    return float(red), float(green), float(blue)


def to_level(colour: Colour) -> tuple[int, int, int]:
    """Return *colour* as OpenCV draws it."""
    red, green, blue = (round(255 * min(1.0, max(0.0, part))) for part in colour)
    return blue, green, red


def draw_ground(random: Random, size_px: int, colour: Colour, rough: float) -> Print:
    """Return a square of wood, cloth or stone of about this *colour*."""
    noise = np.zeros((size_px, size_px), np.float32)
    stretch = float(random.choice([1.0, 1.0, 6.0, 20.0]))
    for octave in (6, 14, 34, 80, 190):
        wide = max(2, round(octave / stretch))
        grain = random.normal(0, 1, (octave, wide)).astype(np.float32)
        grown = cv2.resize(grain, (size_px, size_px), interpolation=cv2.INTER_CUBIC)
        noise += np.asarray(grown, np.float32) / 2.2
    if random.random() < 0.5:
        noise = noise.T
    picture = np.array(to_level(colour), np.float32) * (1.0 + rough * noise[..., None])
    tint = random.normal(0, 0.25 * rough, 3).astype(np.float32)
    return np.ascontiguousarray(
        np.clip(picture * (1.0 + tint * noise[..., None]), 0, 255), np.uint8
    )


def draw_tile(number: int) -> Print:
    """Return a corner tile with marker *number*."""
    side = round(TILE_MM * PX_PER_MM)
    inner = round(MARKER_MM * PX_PER_MM)
    tile = np.full((side, side, 3), 240, np.uint8)
    edge = (side - inner) // 2
    marker = cv2.aruco.generateImageMarker(MARKERS, number, inner)
    tile[edge : edge + inner, edge : edge + inner] = np.maximum(marker, 18)[..., None]
    return tile


def write_tiles(folder: Path, numbers: Iterable[int]) -> None:
    """Draw the corner tiles with these markers into *folder*, as scenes look for them."""
    for number in numbers:
        cv2.imwrite(str(folder / f"tile-{number}.png"), draw_tile(number))


def draw_fields(random: Random, kind: Kind) -> Print:
    """Return a printed board with 5 x 5 square fields, as TacTiki has."""
    side = round(kind.board * PX_PER_MM)
    hue = random.uniform(0, 360)
    base = hue_colour(hue, random.uniform(0, 0.6), random.uniform(0.3, 0.85))
    picture = draw_ground(random, side, base, random.uniform(0, 0.06))
    tones = [
        hue_colour(
            hue + random.normal(0, 15), random.uniform(0.05, 0.65), random.uniform(0.25, 0.9)
        )
        for _ in range(2)
    ]
    red, green, blue = (part * random.uniform(0.3, 0.7) for part in base)
    ink = to_level((red, green, blue))
    half = random.uniform(24, 29)
    for index in range(25):
        row, column = divmod(index, 5)
        x, y = ((kind.board / 2 + kind.pitch_xy * (at - 2)) * PX_PER_MM for at in (column, row))
        reach = half * PX_PER_MM
        low, high = (int(x - reach), int(y - reach)), (int(x + reach), int(y + reach))
        cv2.rectangle(picture, low, high, to_level(tones[(row + column) % 2]), cv2.FILLED)
        if random.random() < 0.9:
            cv2.rectangle(picture, low, high, ink, int(random.integers(1, 6)))
        for _ in range(int(random.integers(0, 5))):
            _draw_arc(random, picture, (int(x), int(y)), ink)
    return picture


def _draw_arc(
    random: Random, picture: Print, middle: tuple[int, int], ink: tuple[int, int, int]
) -> None:
    radius = int(random.uniform(5, 22) * PX_PER_MM)
    turn, end = random.uniform(0, 360), random.uniform(60, 330)
    thick = int(random.integers(1, 5))
    cv2.ellipse(picture, middle, (radius, radius), turn, 0, end, ink, thick, cv2.LINE_AA)


def draw_balance(random: Random, kind: Kind) -> Print:
    """Return a balance board with 5 x 5 round spots and markers in its corners, as Topple has."""
    side = round(kind.board * PX_PER_MM)
    base = random_hue(random, (0.0, 0.7), (0.15, 0.9))
    if random.random() < 0.3:
        base = hue_colour(
            random.uniform(20, 45), random.uniform(0.3, 0.7), random.uniform(0.4, 0.85)
        )
    picture = draw_ground(random, side, base, random.uniform(0, 0.15))
    ink = to_level(random_hue(random, (0.0, 0.5), (0.0, 1.0)))
    filled, radius = random.random() < 0.5, random.uniform(11.5, 14.5)
    fill = to_level(random_hue(random, (0.0, 0.5), (0.1, 0.95)))
    for index in range(25):
        row, column = divmod(index, 5)
        x, y = (
            int((kind.board / 2 + kind.pitch_xy * (at - 2)) * PX_PER_MM) for at in (column, row)
        )
        size = int(radius * PX_PER_MM)
        if filled:
            cv2.circle(picture, (x, y), size, fill, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, (x, y), size, ink, int(random.integers(1, 5)), cv2.LINE_AA)
        if random.random() < 0.8:
            level = str(max(abs(row - 2), abs(column - 2)))
            cv2.putText(picture, "+" + level, (x - 20, y + 10), cv2.FONT_HERSHEY_SIMPLEX, 1, ink, 3)
    _draw_markers(picture, kind)
    return picture


def _draw_markers(picture: Print, kind: Kind) -> None:
    """Draw the board's own four markers into its corners."""
    ends = ((0, 0), (1, 0), (1, 1), (0, 1))
    for number, (x, y) in zip(BOARD_MARKERS, ends, strict=True):
        marker = cv2.aruco.generateImageMarker(MARKERS, number, BOARD_MARKER_MM * PX_PER_MM)
        paper = np.full((20 * PX_PER_MM, 20 * PX_PER_MM, 3), 240, np.uint8)
        edge = 2 * PX_PER_MM
        paper[edge:-edge, edge:-edge] = np.maximum(marker, 18)[..., None]
        left, top = (round((1.0 + at * (kind.board - 22.0)) * PX_PER_MM) for at in (x, y))
        picture[top : top + len(paper), left : left + len(paper)] = paper
