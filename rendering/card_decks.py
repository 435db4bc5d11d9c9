"""Draw whole decks as they are sold, and cards that belong to no deck of the game.

What a card is called is drawn with it, so that networks learn from it. All is made of circles,
lines and letters, so that what is trained on it may ship.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from rendering.art import (
    FACE_PX_PER_MM,
    draw_back,
    draw_goal,
    draw_note,
    draw_playing_card,
    draw_tiki,
)
from rendering.black_cards import (
    SIZE_PX,
    draw_draw_four,
    draw_strange_black,
    draw_wild_card,
    draw_word,
)
from rendering.designs import random_print
from rendering.drawn import CARD_MM, PX_PER_MM, draw_card, draw_tiki_card
from rendering.prints import Colour, Print, Random, hue_colour, random_hue, to_level
from rendering.typefaces import Typeface
from vision.cards.card_kinds import CARD_COLOURS, CARD_SYMBOLS
from vision.cards.symbols import OTHER

NO_COLOUR: Final = "none"
COLOUR_CLASSES: Final = (*CARD_COLOURS, NO_COLOUR)
SYMBOL_CLASSES: Final = CARD_SYMBOLS


HUES_DEG: Final = {"red": (346, 372), "yellow": (40, 58), "green": (78, 160), "blue": (188, 228)}
"""Of panels in print: reds from crimson to vermilion, greens from olive to bottle."""
DARKEST: Final = {"red": 0.4, "yellow": 0.75, "green": 0.22, "blue": 0.3}
"""The least value of panels: a bottle green is darker than any yellow."""
FOREIGN_HUES_DEG: Final = ((18, 29), (262, 328))
"""Orange, purple and pink, which no deck of the game has."""
FOREIGN: Final = ("draw2", "plus", "letter", "number", "blank", "face")
SIGNS: Final = ("skip", "reverse", "draw2", "plus")
SMALLEST_SIGN_MM: Final = 17.0
"""What some printers draw smaller than digits, and how high it is at least."""
ROUND_MM: Final = (2.5, 5.0)
"""Radius of a card's corners."""
WORN: Final = 0.35
"""The share of cards that have been played with for years."""


class DrawnCard(NamedTuple):
    """A card seen from straight above.

    picture: (348, 224, 4) uint8, blue green red and how much of a pixel the card fills.
    colour, symbol: of COLOUR_CLASSES and SYMBOL_CLASSES.
    """

    picture: NDArray[np.uint8]
    colour: str
    symbol: str


def draw_any_card(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    """Return a card of a random printer: of the deck two times out of three."""
    kinds: list[Callable[[Random, Sequence[Typeface]], DrawnCard]] = [
        _draw_coloured, _draw_wild, _draw_tiki_face, _draw_foreign_symbol, _draw_foreign_colour,
        _draw_foreign_black, _draw_logo, _draw_other_game,
    ]  # fmt: skip
    shares = [0.53, 0.1, 0.06, 0.09, 0.06, 0.09, 0.03, 0.04]
    return kinds[int(random.choice(len(kinds), p=shares))](random, typefaces)


def _draw_coloured(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    name = str(random.choice(COLOUR_CLASSES[:4]))
    symbol = str(random.choice([*SYMBOL_CLASSES[:12], "6", "9", "skip", "reverse"]))
    return DrawnCard(_print(random, symbol, _random_ink(random, name), typefaces), name, symbol)


def _draw_foreign_symbol(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    name = str(random.choice(COLOUR_CLASSES[:4]))
    symbol = str(random.choice([*FOREIGN, "draw2", "draw2"]))
    return DrawnCard(_print(random, symbol, _random_ink(random, name), typefaces), name, OTHER)


def _draw_foreign_colour(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    low, high = FOREIGN_HUES_DEG[int(random.integers(2))]
    ink = hue_colour(random.uniform(low, high), random.uniform(0.6, 0.9), random.uniform(0.6, 0.95))
    if random.random() < 0.4:
        grey = random.uniform(0.05, 0.6)
        ink = (grey, grey, grey)
    symbol = str(random.choice(SYMBOL_CLASSES[:12]))
    return DrawnCard(_print(random, symbol, ink, typefaces), NO_COLOUR, symbol)


def _random_ink(random: Random, name: str) -> Colour:
    hue = random.uniform(*HUES_DEG[name])
    return hue_colour(hue, random.uniform(0.6, 1.0), random.uniform(DARKEST[name], 1.0))


def _print(random: Random, symbol: str, ink: Colour, typefaces: Sequence[Typeface]) -> Print:
    """Return a printed card of a design that is sold, slanted letters among them."""
    design = random_print(random, random.random() < 0.9, typefaces)
    if design.style == "badge" and random.random() < 0.7:
        design = replace(
            design, style=str(random.choice(["outlined", "filled"])), symbol=random.uniform(24, 35)
        )
    if (
        random.random() < 0.6
    ):  # as in the shops: symbols fill a third of the height, corners a tenth
        corner = random.uniform(7.0, 12.0)
        least = SMALLEST_SIGN_MM if symbol in SIGNS else 27
        design = replace(
            design, symbol=random.uniform(least, 36), corner=corner,
            outline=random.uniform(0.7, 1.8),
            corner_inset=design.border + corner / 2 + random.uniform(0.5, 2.0),
            oval_line=random.uniform(0.8, 3.0),
        )  # fmt: skip
    colour = (round(255 * ink[0]), round(255 * ink[1]), round(255 * ink[2]))
    turned = bool(random.random() < 0.15)
    card = draw_card(symbol, colour, design, random, bool(random.random() < 0.15), turned)
    return _finish(random, card)


def _finish(random: Random, card: Print) -> Print:
    """Return *card* with round corners, on aged paper, in four channels."""
    sized = np.asarray(cv2.resize(card, SIZE_PX, interpolation=cv2.INTER_AREA), np.uint8)
    if random.random() < WORN:
        sized = _wear(random, sized)
    paper = random.uniform(0.86, 1.0) * np.array([random.uniform(0.85, 1.0), 0.98, 1.0])
    radius = round(random.uniform(*ROUND_MM) * PX_PER_MM)
    mask = Image.new("L", SIZE_PX, 0)
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, SIZE_PX[0] - 1, SIZE_PX[1] - 1), radius, fill=255)
    return np.dstack([np.uint8(np.clip(sized * paper, 0, 255)), np.asarray(mask)])


def _wear(random: Random, card: Print) -> Print:
    """Return *card* with pale creases and specks where its print has come off, and dirt."""
    bare = np.zeros(card.shape[:2], np.uint8)
    for _ in range(int(random.integers(0, 5))):
        start, end = (random.uniform(-0.1, 1.1, (2, 2)) * SIZE_PX).astype(int).tolist()
        strength = int(random.integers(60, 220))
        cv2.line(bare, start, end, strength, int(random.integers(1, 4)), cv2.LINE_AA)
    for _ in range(int(random.integers(0, 25))):
        at = (int(random.integers(SIZE_PX[0])), int(random.integers(SIZE_PX[1])))
        cv2.circle(bare, at, int(random.integers(1, 4)), int(random.integers(80, 250)), cv2.FILLED)
    rough = random.uniform(0.2, 1.0, (90, 58)).astype(np.float32)
    alpha = bare / np.float32(255) * cv2.resize(rough, SIZE_PX, interpolation=cv2.INTER_LINEAR)
    dirt = 1 - random.uniform(0, 0.25) * random.random((7, 5)).astype(np.float32)
    soiled = card * cv2.resize(dirt, SIZE_PX, interpolation=cv2.INTER_CUBIC)[..., None]
    worn = soiled + alpha[..., None] * (235 - soiled)
    return np.asarray(np.clip(worn, 0, 255), np.uint8)


def _draw_wild(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    card = draw_wild_card(random, typefaces, _random_inks(random))
    return DrawnCard(_finish(random, card), NO_COLOUR, "wild")


def _draw_foreign_black(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    draw = draw_draw_four if random.random() < 0.7 else draw_strange_black
    return DrawnCard(
        _finish(random, draw(random, typefaces, _random_inks(random))), NO_COLOUR, OTHER
    )


def _random_inks(random: Random) -> list[Colour]:
    return [_random_ink(random, name) for name in random.permutation(COLOUR_CLASSES[:4])]


def _draw_tiki_face(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    """Return a card with a wooden face on a coloured panel."""
    del typefaces
    name = str(random.choice(COLOUR_CLASSES[:4]))
    red, green, blue = (round(255 * part) for part in _random_ink(random, name))
    card = draw_tiki_card((red, green, blue))
    if random.random() < 0.6:
        wood = hue_colour(
            random.uniform(18, 36), random.uniform(0.5, 0.8), random.uniform(0.4, 0.85)
        )
        fine = draw_tiki(random, (random.uniform(24, 34), random.uniform(28, 44)), wood)
        scale = PX_PER_MM / FACE_PX_PER_MM
        face = cv2.resize(fine, None, fx=scale, fy=scale)
        top, left = (SIZE_PX[1] - face.shape[0]) // 2, (SIZE_PX[0] - face.shape[1]) // 2
        cv2.rectangle(card, (48, 84), (176, 256), (blue, green, red), cv2.FILLED)
        card[top : top + face.shape[0], left : left + face.shape[1]] = face
    return DrawnCard(_finish(random, card), NO_COLOUR, "tiki")


def _draw_logo(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    """Return the back of a deck: black or coloured, an oval, a word across it."""
    card = np.full((SIZE_PX[1], SIZE_PX[0], 3), 250, np.uint8)
    edge = round(random.uniform(2, 5) * PX_PER_MM)
    ground = to_level(random_hue(random, (0.0, 0.9), (0.05, 0.6)))
    inside = (edge, edge), (SIZE_PX[0] - edge, SIZE_PX[1] - edge)
    cv2.rectangle(card, *inside, ground, cv2.FILLED)
    axes = (round(random.uniform(14, 21) * PX_PER_MM), round(random.uniform(28, 36) * PX_PER_MM))
    oval = to_level(random_hue(random, (0.5, 1.0), (0.5, 0.95)))
    centre, tilt = (SIZE_PX[0] // 2, SIZE_PX[1] // 2), random.uniform(15, 35)
    cv2.ellipse(card, centre, axes, tilt, 0, 360, oval, cv2.FILLED, cv2.LINE_AA)
    if random.random() < 0.5:
        cv2.ellipse(card, centre, axes, tilt, 0, 360, (250, 250, 250), 5, cv2.LINE_AA)
    word = "".join(random.choice(list("ABCDEIKLMNORSTU"), int(random.integers(2, 5))))
    draw_word(random, card, word, typefaces, [random_hue(random, (0.0, 1.0), (0.6, 1.0))] * 2)
    return DrawnCard(_finish(random, card), NO_COLOUR, OTHER)


def _draw_other_game(random: Random, typefaces: Sequence[Typeface]) -> DrawnCard:
    del typefaces
    draw = (draw_back, draw_goal, draw_note, draw_playing_card)[int(random.integers(4))]
    return DrawnCard(_finish(random, draw(random, CARD_MM)), NO_COLOUR, OTHER)
