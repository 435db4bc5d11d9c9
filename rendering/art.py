"""Draw what is printed on the things of the flat games: boards, faces, cards of all kinds.

All of it is made here from lines, circles and letters, so that what is rendered with it may ship.
"""

from typing import Final

import cv2
import numpy as np

from rendering.prints import (
    Colour,
    Print,
    Random,
    draw_ground,
    hue_colour,
    random_hue,
    to_level,
)

PX_PER_MM: Final = 4
FACE_PX_PER_MM: Final = 6
LETTERS: Final = cv2.FONT_HERSHEY_DUPLEX
WHITE: Final = (250, 250, 250)
CREAM: Final = (0.95, 0.93, 0.84)


def _at(x: float, y: float, scale: float = PX_PER_MM) -> tuple[int, int]:
    return round(x * scale), round(y * scale)


def draw_line_board(random: Random, size: tuple[float, float], strip: "Strip") -> Print:
    """Return a board of *size* in mm with a strip of slots, a track around it and plants."""
    wide, long = size
    base = random_hue(random, (0.1, 0.8), (0.15, 0.7))
    side = round(max(size) * PX_PER_MM)
    ground = draw_ground(random, side, base, random.uniform(0, 0.08))
    picture = np.ascontiguousarray(ground[: round(long * PX_PER_MM), : round(wide * PX_PER_MM)])
    _draw_rays(random, picture, base)
    for _ in range(int(random.integers(10, 120))):
        _draw_leaf(random, picture)
    disc = to_level(random_hue(random, (0.0, 0.5), (0.5, 0.98)))
    spots = 36
    for step in range(spots):
        x, y = _along_edge(step / spots, wide, long)
        cv2.circle(picture, _at(x, y), round(6 * PX_PER_MM), disc, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, _at(x, y), round(6 * PX_PER_MM), (30, 30, 30), 2, cv2.LINE_AA)
        cv2.putText(picture, str(step), _at(x - 3.5, y + 2), LETTERS, 0.7, (40, 40, 40), 2)
    strip.draw(random, picture)
    return picture


class Strip:
    """The strip of slots on a board: its middle, and its slots' middles and sides, in mm."""

    def __init__(self, x: float, ys: list[float], slot: tuple[float, float]) -> None:
        self._x, self._ys, self._slot = x, ys, slot

    def draw(self, random: Random, picture: Print) -> None:
        """Draw it: planks between two rails, with or without lines and marks."""
        wide, deep = self._slot
        low = _at(self._x - wide / 2, self._ys[0] - deep / 2 - 1.5)
        high = _at(self._x + wide / 2, self._ys[-1] + deep / 2 + 1.5)
        hue = random.uniform(18, 42) if random.random() < 0.6 else random.uniform(0, 360)
        colour = hue_colour(hue, random.uniform(0.05, 0.65), random.uniform(0.3, 0.9))
        rail = tuple(0.55 * part for part in colour)
        ground = draw_ground(random, max(high[1] - low[1], 64), colour, random.uniform(0, 0.06))
        picture[low[1] : high[1], low[0] : high[0]] = ground[: high[1] - low[1], : high[0] - low[0]]
        ink = to_level((rail[0], rail[1], rail[2]))
        cv2.rectangle(picture, low, high, ink, int(random.integers(2, 14)))
        lines, marks = random.random() < 0.7, random.random() < 0.6
        for y in self._ys:
            if lines:
                edge = y + deep / 2 + 1.5
                start, end = _at(self._x - wide / 2, edge), _at(self._x + wide / 2, edge)
                cv2.line(picture, start, end, ink, int(random.integers(1, 4)))
            if marks:
                cv2.drawMarker(picture, _at(self._x, y), ink, cv2.MARKER_STAR, 24, 2)


def _along_edge(share: float, wide: float, long: float) -> tuple[float, float]:
    """Return a place on a rectangle within the board's edge."""
    inset = 10.0
    across, along = wide - 2 * inset, long - 2 * inset
    way = share * 2 * (across + along)
    if way < along:
        return inset, inset + way
    if way < along + across:
        return inset + way - along, long - inset
    if way < 2 * along + across:
        return wide - inset, long - inset - (way - along - across)
    return wide - inset - (way - 2 * along - across), inset


def _draw_rays(random: Random, picture: Print, base: Colour) -> None:
    red, green, blue = (part * random.uniform(0.6, 1.4) for part in base)
    ink = to_level((red, green, blue))
    middle, reach = np.array(picture.shape[1::-1]) / 2, max(picture.shape)
    count = int(random.choice([0, 12, 20, 28]))
    for ray in range(count):
        turns = 2 * np.pi * (ray + np.array([0.0, 0.5])) / count
        ends = middle + reach * np.column_stack([np.cos(turns), np.sin(turns)])
        points = np.round(np.vstack([middle, ends])).astype(np.int32)
        cv2.fillConvexPoly(picture, points, ink, cv2.LINE_AA)


def _draw_leaf(random: Random, picture: Print) -> None:
    at = tuple(int(random.uniform(0, side)) for side in picture.shape[1::-1])
    axes = (int(random.uniform(6, 15) * PX_PER_MM), int(random.uniform(2, 5) * PX_PER_MM))
    colour = to_level(random_hue(random, (0.3, 0.9), (0.2, 0.9)))
    turn = random.uniform(0, 360)
    cv2.ellipse(picture, (at[0], at[1]), axes, turn, 0, 360, colour, cv2.FILLED, cv2.LINE_AA)


def draw_tiki(random: Random, size: tuple[float, float], paint: Colour) -> Print:
    """Return the print of a Tiki of *size* in mm, painted: brows, eyes, a nose, teeth, stripes."""
    wide, deep = size
    scale = FACE_PX_PER_MM
    picture = np.full((round(deep * scale), round(wide * scale), 3), to_level(paint), np.uint8)
    accents = [to_level(random_hue(random, (0.0, 0.9), (0.1, 0.98))) for _ in range(3)]
    dark = to_level((paint[0] * 0.35, paint[1] * 0.35, paint[2] * 0.35))
    middle = wide / 2
    for side in (-1, 1):
        _draw_stripes(random, picture, middle + side * wide * 0.42, deep, accents[0])
    eye, apart = random.uniform(2.4, 4.6), random.uniform(8, 14)
    height = deep * random.uniform(0.3, 0.42)
    slant, brow, white = random.uniform(-2, 2), random.random() < 0.6, random.random() < 0.75
    for side in (-1, 1):
        at, radius = (middle + side * apart, height), round(eye * scale)
        ring = WHITE if white else accents[1]
        cv2.circle(picture, _at(*at, scale), round(1.35 * radius), dark, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, _at(*at, scale), radius, ring, cv2.FILLED, cv2.LINE_AA)
        cv2.circle(picture, _at(*at, scale), radius // 2, dark, cv2.FILLED, cv2.LINE_AA)
        if brow:
            start = _at(at[0] - side * 5, at[1] - eye - 1 + slant, scale)
            end = _at(at[0] + side * 5, at[1] - eye - 1 - slant, scale)
            cv2.line(picture, start, end, accents[2], round(1.6 * scale), cv2.LINE_AA)
    if random.random() < 0.6:
        nose = [(middle - 3, deep * 0.55), (middle + 3, deep * 0.55), (middle, deep * 0.3)]
        points = np.array([_at(x, y, scale) for x, y in nose], np.int32)
        cv2.fillConvexPoly(picture, points, accents[2], cv2.LINE_AA)
    _draw_teeth(random, picture, (middle, deep * random.uniform(0.68, 0.8)), accents[1], dark)
    return picture


def _draw_stripes(
    random: Random, picture: Print, x: float, deep: float, ink: tuple[int, ...]
) -> None:
    scale, count = FACE_PX_PER_MM, int(random.integers(0, 5))
    for step in range(count):
        y = deep * (step + 1) / (count + 1)
        cv2.line(picture, _at(x - 4, y, scale), _at(x + 4, y, scale), ink, round(1.2 * scale))


def _draw_teeth(
    random: Random,
    picture: Print,
    at: tuple[float, float],
    lips: tuple[int, ...],
    dark: tuple[int, ...],
) -> None:
    scale, half = FACE_PX_PER_MM, random.uniform(8, 18)
    high = random.uniform(1.8, 3.4)
    low, top = _at(at[0] - half, at[1] - high, scale), _at(at[0] + half, at[1] + high, scale)
    cv2.rectangle(picture, low, top, dark, cv2.FILLED)
    if random.random() < 0.5:
        cv2.rectangle(picture, low, top, lips, round(0.8 * scale))
    count = int(random.integers(0, 9))
    for tooth in range(count):
        x = at[0] - half + 2 * half * (tooth + 0.5) / count
        reach = half / count * 0.8
        low = _at(x - reach, at[1] - high * 0.8, scale)
        top = _at(x + reach, at[1] + high * random.uniform(0.1, 0.8), scale)
        cv2.rectangle(picture, low, top, WHITE, cv2.FILLED)


def _blank(size: tuple[float, float], paper: Colour = (0.97, 0.97, 0.95)) -> Print:
    wide, long = _at(*size)
    return np.full((long, wide, 3), to_level(paper), np.uint8)


def draw_playing_card(random: Random, size: tuple[float, float]) -> Print:
    """Return a card of another game: a sign in the middle, a number in two corners."""
    card = _blank(size)
    ink = (40, 40, 190) if random.random() < 0.5 else (25, 25, 25)
    x, y = (side / 2 for side in size)
    points = [(x, y - 9), (x + 6, y), (x, y + 9), (x - 6, y)]
    if random.random() < 0.5:
        cv2.circle(card, _at(x, y), round(6 * PX_PER_MM), ink, cv2.FILLED, cv2.LINE_AA)
    else:
        shape = np.array([_at(*point) for point in points], np.int32)
        cv2.fillConvexPoly(card, shape, ink, cv2.LINE_AA)
    for _ in range(2):
        cv2.putText(
            card, str(random.integers(2, 11)), _at(4, 11), LETTERS, 1.1, ink, 3, cv2.LINE_AA
        )
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def draw_back(random: Random, size: tuple[float, float]) -> Print:
    """Return the back of a card."""
    card = _blank(size)
    edge = random.uniform(2, 5)
    colour = random_hue(random, (0.4, 0.95), (0.2, 0.8))
    low, high = _at(edge, edge), _at(size[0] - edge, size[1] - edge)
    cv2.rectangle(card, low, high, to_level(colour), cv2.FILLED)
    red, green, blue = (min(1.0, 1.4 * part + 0.1) for part in colour)
    ink = to_level((red, green, blue))
    for y in np.arange(edge + 4, size[1] - edge - 2, 5.0):
        for x in np.arange(edge + 4, size[0] - edge - 2, 5.0):
            cv2.circle(card, _at(x, y), 3, ink, cv2.FILLED, cv2.LINE_AA)
    cv2.circle(card, _at(size[0] / 2, size[1] / 2), round(11 * PX_PER_MM), ink, cv2.FILLED)
    return card


def draw_goal(random: Random, size: tuple[float, float]) -> Print:
    """Return a card that asks for something: a heading, coloured boxes with numbers, lines."""
    card = _blank(size, CREAM)
    ink = to_level(random_hue(random, (0.3, 0.9), (0.2, 0.6)))
    cv2.rectangle(card, _at(2, 2), _at(size[0] - 2, size[1] - 2), ink, 4)
    cv2.rectangle(card, _at(2, 4), _at(size[0] - 2, 16), ink, cv2.FILLED)
    words = str(random.choice(["ALL ODD", "SUM 12", "NO PINK", "ROW", "TWINS"]))
    cv2.putText(card, words, _at(8, 13), LETTERS, 1.0, WHITE, 2, cv2.LINE_AA)
    for step in range(4):
        x = size[0] / 2 + 10 * (step - 1.5)
        colour = to_level(random_hue(random, (0.5, 0.9), (0.4, 0.9)))
        cv2.rectangle(card, _at(x - 4, 28), _at(x + 4, 40), colour, cv2.FILLED)
        number = str(random.integers(1, 8))
        cv2.putText(card, number, _at(x - 3, 38), LETTERS, 0.9, WHITE, 2, cv2.LINE_AA)
    for line in range(int(random.integers(1, 4))):
        y = 52 + 6 * line
        cv2.putText(card, "some words here", _at(9, y), LETTERS, 0.5, (60, 60, 60), 1, cv2.LINE_AA)
    return card


def draw_note(random: Random, size: tuple[float, float]) -> Print:
    """Return a sheet of paper on which scores were noted."""
    sheet = _blank(size, random_hue(random, (0.0, 0.35), (0.8, 0.98)))
    for line in range(4):
        words = f"{random.choice(['Ann', 'Bea', 'Joe', 'Max'])} {random.integers(1, 60)}"
        at = _at(8, 14 + 12 * line)
        cv2.putText(sheet, words, at, cv2.FONT_HERSHEY_SCRIPT_SIMPLEX, 1.0, (70, 40, 30), 2)
    return sheet


def draw_wild(
    random: Random, size: tuple[float, float], border: float, paints: list[Colour]
) -> Print:
    """Return a black card with four colours in an oval or in four fields."""
    card = _blank(size)
    low, high = _at(border, border), _at(size[0] - border, size[1] - border)
    cv2.rectangle(card, low, high, (22, 20, 20), cv2.FILLED)
    middle = np.array(size) / 2
    axes = np.array([random.uniform(17, 20), random.uniform(28, 36)])
    tilt = random.uniform(15, 32)
    if random.random() < 0.5:
        around = tuple(round(float(half) * PX_PER_MM) for half in axes + 1.2)
        cv2.ellipse(card, _at(*middle), (around[0], around[1]), tilt, 0, 360, WHITE, cv2.FILLED)
    for quarter, paint in enumerate(paints):
        half = tuple(round(float(part) * PX_PER_MM) for part in axes)
        start = 90.0 * quarter
        ends = (half[0], half[1])
        cv2.ellipse(
            card, _at(*middle), ends, tilt, start, start + 90, to_level(paint), cv2.FILLED,
            cv2.LINE_AA,
        )  # fmt: skip
    return card
