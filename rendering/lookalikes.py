"""Draw cards of one designer that look alike: one layout, other figures, colours and words.

Three designers: three faces one above another, one face with a task, and towers of discs as a goal.
"""

from collections.abc import Callable, Sequence
from itertools import permutations, product
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from rendering.art import FACE_PX_PER_MM, draw_tiki
from rendering.black_cards import SIZE_PX
from rendering.card_decks import NO_COLOUR, DrawnCard
from rendering.drawn import CARD_MM, PX_PER_MM
from rendering.prints import Print, Random, draw_ground, hue_colour, random_hue, to_level
from rendering.typefaces import Typeface, load_typeface
from vision.cards.symbols import OTHER

FACES: Final = 9
HUES: Final = 8
POINTS: Final = ("9", "5", "2")
TASKS: Final = ("Draw 1", "Draw 2", "Draw 3", "Draw 4", "Discard 1", "Discard 2", "Discard All",
                "Go To", "Skip", "Swap")  # fmt: skip
FAMILIES: Final = ("faces", "tasks", "goals")


def draw_lookalikes(
    random: Random, family: str, count: int, typefaces: Sequence[Typeface]
) -> list[DrawnCard]:
    """Return *count* different cards of one designer; their symbols are their numbers."""
    typeface = typefaces[int(random.integers(len(typefaces)))]
    base = _draw_layout(random)
    draw = _FAMILIES[family](random, typeface)
    chosen = random.permutation(len(draw))[:count]
    cards = []
    for number, which in enumerate(chosen):
        art = base.copy()
        draw[int(which)](art)
        cards.append(DrawnCard(np.dstack([art, _corners()]), NO_COLOUR, f"{OTHER} {number}"))
    return cards


def _draw_layout(random: Random) -> Print:
    """Return what all cards of the designer have: paper, a frame, a patterned ground."""
    card = np.full((SIZE_PX[1], SIZE_PX[0], 3), 245, np.uint8)
    border = random.uniform(2.5, 5.0)
    low = (round(border * PX_PER_MM),) * 2
    high = (SIZE_PX[0] - low[0], SIZE_PX[1] - low[1])
    ground = draw_ground(
        random, max(SIZE_PX), random_hue(random, (0.2, 0.7), (0.4, 0.9)), random.uniform(0, 0.1)
    )
    card[low[1] : high[1], low[0] : high[0]] = ground[low[1] : high[1], low[0] : high[0]]
    ink = to_level(random_hue(random, (0.3, 0.9), (0.1, 0.5)))
    inner = round((border + 2.5) * PX_PER_MM)
    cv2.rectangle(card, (inner, inner), (SIZE_PX[0] - inner, SIZE_PX[1] - inner), ink, 4)
    for x in (inner, SIZE_PX[0] - inner):
        for y in (inner, SIZE_PX[1] - inner):
            cv2.circle(card, (x, y), round(random.uniform(8, 14)), ink, cv2.FILLED, cv2.LINE_AA)
    return card


def _corners() -> Print:
    mask = Image.new("L", SIZE_PX, 0)
    box = (0, 0, SIZE_PX[0] - 1, SIZE_PX[1] - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, 3.0 * PX_PER_MM, fill=255)
    return np.asarray(mask)


def _paste(card: Print, art: Print, middle: tuple[float, float]) -> None:
    """Draw *art* on *card* with its middle at a place in mm."""
    high, wide = art.shape[:2]
    left = round(middle[0] * PX_PER_MM - wide / 2)
    top = round(middle[1] * PX_PER_MM - high / 2)
    card[top : top + high, left : left + wide] = art


def _face(random: Random, size_mm: tuple[float, float], hue: float) -> Print:
    fine = draw_tiki(random, size_mm, hue_colour(hue, random.uniform(0.5, 0.9), 0.8))
    scale = PX_PER_MM / FACE_PX_PER_MM
    return np.asarray(cv2.resize(fine, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))


def _write(
    card: Print, typeface: Typeface, words: str, middle: tuple[float, float], high_mm: float
) -> None:
    picture = Image.fromarray(np.ascontiguousarray(card[:, :, ::-1]))
    font = load_typeface(typeface, round(high_mm * PX_PER_MM))
    at = (middle[0] * PX_PER_MM, middle[1] * PX_PER_MM)
    ImageDraw.Draw(picture).text(
        at, words, fill=(250, 250, 245), font=font, anchor="mm", stroke_width=3,
        stroke_fill=(25, 20, 20),
    )  # fmt: skip
    card[:] = np.asarray(picture)[:, :, ::-1]


Draw = Callable[[Print], None]


def _three_faces(random: Random, typeface: Typeface) -> list[Draw]:
    """Return cards with three of nine faces, in any order, and the points of each place."""
    faces = [_face(random, (20, 19), 360 * number / FACES) for number in range(FACES)]

    def draw(three: tuple[int, ...]) -> Draw:
        def on(card: Print) -> None:
            for place, which in enumerate(three):
                y = 20.0 + 23.5 * place
                _paste(card, faces[which], (CARD_MM[0] / 2 - 5, y))
                _write(card, typeface, POINTS[place], (CARD_MM[0] / 2 + 13, y), 10)

        return on

    return [draw(three) for three in permutations(range(FACES), 3)]


def _tasks(random: Random, typeface: Typeface) -> list[Draw]:
    """Return cards with the same face in one of eight colours, and one of ten tasks below."""
    seed = int(random.integers(1 << 30))
    faces = [_face(np.random.default_rng(seed), (32, 40), 360 * n / HUES) for n in range(HUES)]

    def draw(which: int, task: str) -> Draw:
        def on(card: Print) -> None:
            _paste(card, faces[which], (CARD_MM[0] / 2, 33))
            _write(card, typeface, task, (CARD_MM[0] / 2, 67), 7)

        return on

    return [draw(which, task) for which, task in product(range(HUES), TASKS)]


def _goals(random: Random, typeface: Typeface) -> list[Draw]:
    """Return cards with two of five figures as a goal, how high, and for how many points."""
    paints = [to_level(hue_colour(72 * n + random.uniform(-12, 12), 0.8, 0.85)) for n in range(5)]

    def draw(first: int, second: int, high: int, points: int) -> Draw:
        def on(card: Print) -> None:
            for x, which, count in ((18, first, high), (38, second, 5 - high)):
                for level in range(count):
                    at = (round(x * PX_PER_MM), round((58 - 8 * level) * PX_PER_MM))
                    axes = (round(7.5 * PX_PER_MM), round(4.5 * PX_PER_MM))
                    cv2.ellipse(card, at, axes, 0, 0, 360, paints[which], cv2.FILLED, cv2.LINE_AA)
                    cv2.ellipse(card, at, axes, 0, 0, 360, (30, 30, 30), 3, cv2.LINE_AA)
            _write(card, typeface, str(points), (CARD_MM[0] / 2, 73), 9)

        return on

    return [
        draw(first, second, high, points)
        for first, second, high, points in product(range(5), range(5), (1, 2, 3, 4), (3, 4, 5))
        if first != second
    ]


_FAMILIES: Final[dict[str, Callable[[Random, Typeface], list[Draw]]]] = {
    "faces": _three_faces, "tasks": _tasks, "goals": _goals,
}  # fmt: skip
