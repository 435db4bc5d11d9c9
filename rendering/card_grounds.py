"""Draw what cards lie on, and the hands that hold them, out of noise, lines and round shapes.

Nothing is photographed, so that what is trained on it may ship. All pictures are blue green red.
"""

from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.prints import (
    Colour,
    Print,
    Random,
    draw_ground,
    hue_colour,
    random_hue,
    to_level,
)

GROUND_PX: Final = 640
"""Side of a ground, of which scenes show a part."""
LETTERS: Final = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_TRIPLEX)
Points: TypeAlias = NDArray[np.float64]
Levels: TypeAlias = NDArray[np.float32]


def draw_any_ground(random: Random) -> Print:
    """Return a square of a table, a cloth, a wall or a room out of focus."""
    kinds = (
        _draw_plain, _draw_planks, _draw_cloth, _draw_facets, _draw_dots, _draw_blur,
    )  # fmt: skip
    ground = kinds[int(random.choice(6, p=[0.25, 0.15, 0.2, 0.15, 0.1, 0.15]))](random)
    for _ in range(int(random.integers(0, 9))):
        paste(ground, draw_object(random), random_quad(random, GROUND_PX))
    return ground


def draw_patterned(random: Random) -> Print:
    """Return a square of a checked or a dotted cloth."""
    return _draw_cloth(random) if random.random() < 0.5 else _draw_dots(random)


def _random_paint(random: Random) -> Colour:
    if random.random() < 0.35:  # wood and skin are about as bright and as warm as each other
        return hue_colour(
            random.uniform(12, 42), random.uniform(0.1, 0.7), random.uniform(0.15, 0.95)
        )
    return random_hue(random, (0.0, 0.8), (0.03, 1.0))


def _draw_plain(random: Random) -> Print:
    return draw_ground(random, GROUND_PX, _random_paint(random), random.uniform(0.0, 0.2))


def _draw_planks(random: Random) -> Print:
    ground, at = _draw_plain(random), 0
    while at < GROUND_PX:
        wide = int(random.uniform(20, 160))
        part = ground[:, at : at + wide].astype(np.float32) * random.uniform(0.75, 1.15)
        ground[:, at : at + wide] = np.clip(part, 0, 255)
        at += wide
        ground[:, at : at + int(random.integers(1, 5))] //= 3
    return ground if random.random() < 0.5 else np.ascontiguousarray(ground.transpose(1, 0, 2))


def _draw_cloth(random: Random) -> Print:
    """Stripes in two directions, one over the other: checks, plaid, or a coarse weave."""
    across = np.zeros((GROUND_PX, 3), np.float32)
    base = np.array(to_level(_random_paint(random)), np.float32)
    across[:] = base
    period = int(random.uniform(6, 120))
    for _ in range(int(random.integers(1, 4))):
        start, wide = random.uniform(0, period), max(2.0, random.uniform(0.1, 0.5) * period)
        stripe = (np.arange(GROUND_PX) - start) % period < wide
        across[stripe] = to_level(_random_paint(random))
    along = across if random.random() < 0.6 else np.broadcast_to(base, across.shape)
    mix = random.uniform(0.3, 0.7)
    cloth = mix * across[None] + (1 - mix) * along[:, None]
    weave = random.normal(0, random.uniform(0, 12), (GROUND_PX, GROUND_PX, 1))
    return np.asarray(np.clip(cloth + weave, 0, 255), np.uint8)


def _draw_facets(random: Random) -> Print:
    """Return straight-edged areas of many colours: boxes, books, shelves, corners of rooms."""
    ground = np.zeros((GROUND_PX, GROUND_PX, 3), np.uint8)
    ground[:] = to_level(_random_paint(random))
    for _ in range(int(random.integers(4, 30))):
        points = random_quad(random, GROUND_PX)
        cv2.fillConvexPoly(
            ground, np.round(points).astype(np.int32), to_level(_random_paint(random)), cv2.LINE_AA
        )
    return ground


def _draw_dots(random: Random) -> Print:
    """Return a print of one round or pointed shape, over and over."""
    ground, step = _draw_plain(random), int(random.uniform(16, 110))
    inks = [to_level(_random_paint(random)) for _ in range(3)]
    radius, corners = step * random.uniform(0.15, 0.5), int(random.choice([0, 3, 4, 5]))
    for row, y in enumerate(range(0, GROUND_PX + step, step)):
        for column, x in enumerate(range(0, GROUND_PX + step, step)):
            at = (x + (row % 2) * step // 2, y)
            ink = inks[(row + column) % 3]
            if not corners:
                cv2.circle(ground, at, max(1, round(radius)), ink, cv2.FILLED, cv2.LINE_AA)
                continue
            angles = 2 * np.pi * np.arange(corners) / corners + row
            shape = np.array(at) + radius * np.column_stack([np.cos(angles), np.sin(angles)])
            cv2.fillConvexPoly(ground, np.round(shape).astype(np.int32), ink, cv2.LINE_AA)
    return ground


def _draw_blur(random: Random) -> Print:
    """Return a room out of focus, or coloured noise."""
    cells = int(random.integers(3, 40))
    levels = random.uniform(0, 255, (cells, cells, 3)) * random.uniform(0.2, 1.0, 3)
    grey = levels.mean(axis=2, keepdims=True)
    levels = grey + random.uniform(0.0, 1.0) * (levels - grey)
    how = cv2.INTER_CUBIC if random.random() < 0.7 else cv2.INTER_NEAREST
    grown = cv2.resize(levels.astype(np.float32), (GROUND_PX, GROUND_PX), interpolation=how)
    return np.asarray(np.clip(grown, 0, 255), np.uint8)


def random_quad(random: Random, side_px: int) -> Points:
    """Return the corners (4, 2) of a rectangle on a table, seen from somewhere."""
    long = side_px * float(np.exp(random.uniform(np.log(0.06), np.log(0.9))))
    half = np.array([long, long * random.uniform(0.15, 1.0)]) / 2
    shape = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
    angle = random.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    shape = shape @ turn / (1.0 + random.uniform(-0.3, 0.3) * shape[:, 1:] / side_px)
    return np.asarray(shape + random.uniform(-0.05, 1.05, 2) * side_px, np.float64)


def paste(picture: Print, print_: Print, quad: Points) -> None:
    """Draw *print_* into *picture* with its corners at *quad*."""
    high, wide = print_.shape[:2]
    corners = np.array([[0, 0], [wide, 0], [wide, high], [0, high]], np.float32)
    move = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    size = (picture.shape[1], picture.shape[0])
    cv2.warpPerspective(
        print_, move, size, dst=picture, borderMode=cv2.BORDER_TRANSPARENT, flags=cv2.INTER_LINEAR
    )


def draw_object(random: Random) -> Print:
    """Return something flat that lies about: keys, a screen, a printed page, a box, a note."""
    kinds = (
        _draw_keyboard, _draw_page, _draw_screen, _draw_box, _draw_disc,
    )  # fmt: skip
    return kinds[int(random.integers(len(kinds)))](random)


def _draw_keyboard(random: Random) -> Print:
    rows, columns = int(random.integers(3, 6)), int(random.integers(6, 15))
    step = 24
    case = random_hue(random, (0.0, 0.2), (0.05, 0.85))
    board = np.full((rows * step + 8, columns * step + 8, 3), to_level(case), np.uint8)
    grey = random.uniform(0.03, 0.95)
    key, ink = to_level((grey, grey, grey)), (240,) * 3 if grey < 0.5 else (30,) * 3
    for row in range(rows):
        for column in range(columns):
            x, y = 6 + column * step + (row % 2) * 6, 6 + row * step
            cv2.rectangle(board, (x, y), (x + step - 5, y + step - 5), key, cv2.FILLED)
            letter = chr(65 + int(random.integers(26)))
            cv2.putText(board, letter, (x + 4, y + 13), LETTERS[0], 0.4, ink, 1, cv2.LINE_AA)
    return board


def _draw_page(random: Random) -> Print:
    pale = random.uniform(0.7, 1.0)
    paper = (pale, pale, pale) if random.random() < 0.6 else _random_paint(random)
    page = np.full((220, 160, 3), to_level(paper), np.uint8)
    ink = to_level(random_hue(random, (0.0, 1.0), (0.0, 0.6)))
    scale, y = random.uniform(0.25, 0.9), 0.0
    while y < 220:
        y += 30 * scale * random.uniform(1.0, 1.6)
        letters = "".join(chr(97 + int(each)) for each in random.integers(0, 26, 24))
        words = letters[: int(random.integers(4, 24))].replace("e", " ").replace("q", "0")
        cv2.putText(page, words, (10, round(y)), LETTERS[1], scale, ink, 1, cv2.LINE_AA)
    return page


def _draw_screen(random: Random) -> Print:
    screen = np.full((150, 230, 3), 12, np.uint8)
    inside = screen[8:-12, 8:-8]
    inside[:] = to_level(_random_paint(random))
    for _ in range(int(random.integers(0, 10))):
        x, y = int(random.integers(0, 200)), int(random.integers(0, 120))
        wide, high = int(random.integers(5, 120)), int(random.integers(3, 60))
        inside[y : y + high, x : x + wide] = to_level(_random_paint(random))
    return screen


def _draw_box(random: Random) -> Print:
    """Return a lid with a border, an oval or letters: as like a card as other things are."""
    box = np.full(
        (180, int(random.uniform(100, 260)), 3), to_level(_random_paint(random)), np.uint8
    )
    high, wide = box.shape[:2]
    if random.random() < 0.6:
        edge = int(random.integers(3, 20))
        ink = to_level(_random_paint(random))
        cv2.rectangle(box, (edge, edge), (wide - edge, high - edge), ink, cv2.FILLED)
    if random.random() < 0.4:
        axes = (int(wide * random.uniform(0.1, 0.4)), int(high * random.uniform(0.1, 0.4)))
        ink = to_level(_random_paint(random))
        cv2.ellipse(box, (wide // 2, high // 2), axes, random.uniform(0, 90), 0, 360, ink, -1)
    if random.random() < 0.5:
        word = "".join(chr(65 + int(each)) for each in random.integers(0, 26, 5))
        ink = to_level(_random_paint(random))
        cv2.putText(box, word, (10, high // 2), LETTERS[2], random.uniform(0.6, 2.0), ink, 3)
    return box


def _draw_disc(random: Random) -> Print:
    """Return a mug, a coin or a plate from above, on a ground of its own."""
    disc = np.full((160, 160, 3), to_level(_random_paint(random)), np.uint8)
    for radius in sorted(random.uniform(10, 78, int(random.integers(1, 5))), reverse=True):
        ink = to_level(_random_paint(random))
        cv2.circle(disc, (80, 80), round(radius), ink, cv2.FILLED, cv2.LINE_AA)
    return disc


def random_skin(random: Random) -> Colour:
    """Return the colour of somebody's skin."""
    value = random.uniform(0.2, 1.0)
    return hue_colour(random.uniform(6, 30), random.uniform(0.18, 0.45) + 0.25 * (1 - value), value)


def draw_limb(
    picture: Levels, line: Points, radius: tuple[float, float], skin: Colour, random: Random,
    *, nail: bool = False,
) -> NDArray[np.bool_]:  # fmt: skip
    """Draw a finger or an arm into *picture*, round in shade; return which pixels it covers.

    picture: (rows, columns, 3) float32.  line: (2, 2) from root to tip.
    radius: at the root and at the tip, in pixels.
    """
    rows, columns = picture.shape[:2]
    reach = max(radius) + 2
    low = np.clip(np.floor(line.min(axis=0) - reach), 0, (columns, rows)).astype(int)
    high = np.clip(np.ceil(line.max(axis=0) + reach), 0, (columns, rows)).astype(int)
    covered = np.zeros((rows, columns), np.bool_)
    if (high <= low).any():
        return covered
    y, x = np.mgrid[low[1] : high[1], low[0] : high[0]].astype(np.float32)
    way = (line[1] - line[0]).astype(np.float32)
    length = max(float(np.hypot(*way)), 1e-3)
    along = ((x - line[0, 0]) * way[0] + (y - line[0, 1]) * way[1]) / length**2
    nearest = np.clip(along, 0.0, 1.0)
    away = np.hypot(x - line[0, 0] - nearest * way[0], y - line[0, 1] - nearest * way[1])
    wide = radius[0] + (radius[1] - radius[0]) * nearest
    depth = away / wide
    inside = depth < 1.0
    side = ((x - line[0, 0]) * way[1] - (y - line[0, 1]) * way[0]) / length / wide
    shade = 1.0 - random.uniform(0.1, 0.5) * depth**2 + random.uniform(-0.25, 0.25) * side
    crease = 1.0 - 0.12 * np.exp(-(((nearest - random.uniform(0.4, 0.7)) * 18) ** 2))
    colour = np.array(to_level(skin), np.float32) * (shade * crease)[..., None]
    if nail:
        from_tip = ((1.0 - along) * length - radius[1] * 0.1) / radius[1]
        on_nail = (from_tip - 0.25) ** 2 / 0.42 + (side / 0.62) ** 2 < 1.0
        colour[on_nail] = colour[on_nail] * 0.75 + np.array([175, 170, 215], np.float32) * 0.25
    part = picture[low[1] : high[1], low[0] : high[0]]
    edge = np.clip((1.0 - depth) * wide, 0.0, 1.0)[..., None]
    part += edge * (np.clip(colour, 0, 255) - part)
    covered[low[1] : high[1], low[0] : high[0]] = inside
    return covered
