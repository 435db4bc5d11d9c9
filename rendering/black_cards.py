"""Draw black cards: wilds, draw fours, and those that other decks have beside them.

A wild has four colours and nothing else that counts; all the others are not of the deck, however
alike they look.
"""

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from PIL import Image, ImageDraw

from rendering.designs import random_print
from rendering.drawn import CARD_MM, PX_PER_MM, draw_symbol
from rendering.prints import Colour, Print, Random, to_level
from rendering.typefaces import Typeface, load_typeface

SIZE_PX: Final = (round(CARD_MM[0] * PX_PER_MM), round(CARD_MM[1] * PX_PER_MM))
"""Width and height of a drawn card."""
WHITE: Final = (250, 250, 250)
STRANGE: Final = ("plus", "letter", "skip", "reverse", "draw2", "face", "blank")
"""What is printed on black cards of other decks."""


def draw_wild_card(random: Random, typefaces: Sequence[Typeface], inks: list[Colour]) -> Print:
    """Return a black card with four colours in an oval, its name across it or not."""
    card, border = _draw_black(random)
    _draw_quarters(random, card, inks)
    if random.random() < 0.4:  # in four colours, on a black band or not
        draw_word(random, card, "WILD", typefaces, inks)
    if random.random() < 0.9:
        _draw_small_ovals(random, card, inks, border)
    return card


def draw_draw_four(random: Random, typefaces: Sequence[Typeface], inks: list[Colour]) -> Print:
    """Return a black card with four small cards, or a large +4, on an oval of any kind."""
    card, border = _draw_black(random)
    _draw_oval(random, card, inks)
    chance = random.random()
    if chance < 0.85:
        _draw_small_cards(random, card, inks)
    if chance > 0.75:
        _draw_large(random, card, "+4", typefaces)
    _write_corners(random, card, "+4", border, typefaces)
    return card


def draw_strange_black(random: Random, typefaces: Sequence[Typeface], inks: list[Colour]) -> Print:
    """Return a black card that a deck may have beside its wilds: with a sign, a word, or blank."""
    card, border = _draw_black(random)
    symbol = str(random.choice(STRANGE))
    # With four colours behind it, any word is as good as a wild's own from afar.
    _draw_oval(random, card, inks, plain=symbol == "blank")
    if symbol == "blank":
        word = "".join(random.choice(list("ABDEGHILMNOPRSTUW"), int(random.integers(3, 6))))
        draw_word(random, card, word, typefaces, inks)
        if random.random() < 0.6:
            _draw_small_ovals(random, card, inks, border)
        return card
    design = random_print(random, random.random() < 0.5, typefaces)
    mask = np.asarray(draw_symbol(symbol, design, random))
    high = random.uniform(18, 36) * PX_PER_MM
    _paste_sign(random, card, mask, np.array(SIZE_PX) / 2, high)
    for _ in range(2):
        inset = (border + random.uniform(5.0, 7.5)) * PX_PER_MM
        _paste_sign(random, card, mask, np.array([inset, 1.2 * inset]), 7 * PX_PER_MM)
        card[:] = np.ascontiguousarray(card[::-1, ::-1])
    return card


def _draw_black(random: Random) -> tuple[Print, float]:
    """Return a card with a black panel, and the width of its border in mm."""
    card = np.full((SIZE_PX[1], SIZE_PX[0], 3), (242, 247, 247), np.uint8)
    border = random.uniform(2.2, 4.5)
    edge, black = round(border * PX_PER_MM), int(random.integers(8, 40))
    ends = (edge, edge), (SIZE_PX[0] - edge, SIZE_PX[1] - edge)
    cv2.rectangle(card, *ends, (black, black, black), cv2.FILLED)
    return card, border


def _draw_quarters(random: Random, card: Print, inks: list[Colour]) -> None:
    """Draw an oval of four colours, with a white line around it or none."""
    centre = (SIZE_PX[0] // 2, SIZE_PX[1] // 2)
    axes = np.array([random.uniform(16, 21), random.uniform(27, 37)]) * PX_PER_MM
    tilt = random.uniform(12, 35)
    start = random.normal(0, 14) if random.random() < 0.5 else 0.0
    if random.random() < 0.6:
        wide, high = np.round(axes + random.uniform(0.6, 2.2) * PX_PER_MM).astype(int)
        cv2.ellipse(card, centre, (int(wide), int(high)), tilt, 0, 360, WHITE, -1, cv2.LINE_AA)
    half = (round(float(axes[0])), round(float(axes[1])))
    for quarter, ink in enumerate(inks):
        ends = start + 90.0 * quarter, start + 90.0 * (quarter + 1)
        cv2.ellipse(card, centre, half, tilt, *ends, to_level(ink), cv2.FILLED, cv2.LINE_AA)


def _draw_oval(random: Random, card: Print, inks: list[Colour], *, plain: bool = False) -> None:
    """Draw an oval of four colours, unless *plain*, a white, black or outlined one, or none."""
    kind = random.choice(["quarters", "white", "black", "outlined", "none"],
                         p=[0.35, 0.3, 0.1, 0.15, 0.1])  # fmt: skip
    if kind == "none" or (plain and kind == "quarters"):
        return
    if kind == "quarters" or (not plain and random.random() < 0.15):
        _draw_quarters(random, card, inks)
        if kind == "quarters":
            return
    centre, tilt = (SIZE_PX[0] // 2, SIZE_PX[1] // 2), random.uniform(12, 35)
    axes = (round(random.uniform(16, 21) * PX_PER_MM), round(random.uniform(28, 37) * PX_PER_MM))
    fill = {"white": WHITE, "black": (25, 25, 25)}.get(str(kind))
    if fill is not None:
        cv2.ellipse(card, centre, axes, tilt, 0, 360, fill, cv2.FILLED, cv2.LINE_AA)
    if kind != "white":
        cv2.ellipse(card, centre, axes, tilt, 0, 360, WHITE, 5, cv2.LINE_AA)


def _draw_small_cards(random: Random, card: Print, inks: list[Colour]) -> None:
    """Draw four small cards: one behind the other along a diagonal, in a fan, or in a square."""
    middle = np.array(SIZE_PX) / 2 + random.normal(0, 1.5 * PX_PER_MM, 2)
    step = random.uniform(4.5, 9) * PX_PER_MM
    half = np.array([random.uniform(4.5, 8.5), random.uniform(7, 13)]) * PX_PER_MM
    slant, rise = random.uniform(0.0, 0.35), random.uniform(-0.2, 1.1)
    kind, fan = int(random.choice(3, p=[0.6, 0.25, 0.15])), random.uniform(0.1, 0.35)
    edge = WHITE if random.random() < 0.6 else (20, 20, 20)
    thick = int(random.integers(1, 6))
    for number, ink in enumerate(inks):
        shape = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * half
        at = middle + np.array([number - 1.5, (1.5 - number) * rise]) * step
        if kind == 1:  # about a point below
            angle = (number - 1.5) * fan
            turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
            shape = (shape - [0, 1.2 * half[1]]) @ turn + [0, 1.2 * half[1]]
            at = middle + np.array([(number - 1.5) * 0.3 * step, 0.0])
        elif kind == 2:
            at = middle + np.array([number % 2 - 0.5, number // 2 - 0.5]) * half * 1.5
        shape[:, 0] -= slant * shape[:, 1]
        points = np.round(at + shape).astype(np.int32)
        cv2.fillConvexPoly(card, points, to_level(ink), cv2.LINE_AA)
        cv2.polylines(card, [points], True, edge, thick, cv2.LINE_AA)


def draw_word(
    random: Random, card: Print, word: str, typefaces: Sequence[Typeface], inks: list[Colour]
) -> None:
    """Write *word* across *card*, each letter in a colour."""
    font = load_typeface(typefaces[int(random.integers(len(typefaces)))], 72)
    side = 400
    layer = Image.new("RGBA", (side, side), (0, 0, 0, 0))
    draw = ImageDraw.Draw(layer)
    wide = draw.textlength(word, font=font)
    left = side / 2 - wide / 2
    if random.random() < 0.7:
        draw.rectangle((left - 8, side / 2 - 42, left + wide + 8, side / 2 + 42), fill="black")
    for letter, ink in zip(word, inks * 2, strict=False):
        blue, green, red = to_level(ink) if random.random() < 0.8 else WHITE
        draw.text(
            (left, side / 2), letter, fill=(red, green, blue), font=font, anchor="lm",
            stroke_width=3, stroke_fill="white" if random.random() < 0.5 else "black",
        )  # fmt: skip
        left += draw.textlength(letter, font=font)
    wanted = round(side * random.uniform(28, 50) * PX_PER_MM / max(wide, 1.0))
    layer = layer.resize((wanted, wanted)).rotate(random.uniform(-5, 40))
    base = Image.fromarray(card[:, :, ::-1])
    at = (round(SIZE_PX[0] / 2 - wanted / 2), round(SIZE_PX[1] / 2 - wanted / 2))
    base.paste(layer, at, layer)
    card[:] = np.asarray(base)[:, :, ::-1]


def _draw_small_ovals(random: Random, card: Print, inks: list[Colour], border: float) -> None:
    """Draw what a wild has in both corners: its oval again, much smaller."""
    high = random.uniform(3.5, 7) * PX_PER_MM
    at = (round(border * PX_PER_MM + high), round(border * PX_PER_MM + 1.2 * high))
    axes, tilt = (round(0.5 * high), round(0.75 * high)), random.uniform(0, 35)
    for _ in range(2):
        for quarter, ink in enumerate(inks):
            ends = 90.0 * quarter, 90.0 * (quarter + 1)
            cv2.ellipse(card, at, axes, tilt, *ends, to_level(ink), cv2.FILLED, cv2.LINE_AA)
        if random.random() < 0.8:
            cv2.ellipse(card, at, axes, tilt, 0, 360, WHITE, 2, cv2.LINE_AA)
        card[:] = np.ascontiguousarray(card[::-1, ::-1])


def _write_corners(
    random: Random, card: Print, text: str, border: float, typefaces: Sequence[Typeface]
) -> None:
    high = random.uniform(3.5, 7) * PX_PER_MM
    at = (round(border * PX_PER_MM + high), round(border * PX_PER_MM + 1.2 * high))
    font = load_typeface(typefaces[int(random.integers(len(typefaces)))], round(1.5 * high))
    for _ in range(2):
        base = Image.fromarray(np.ascontiguousarray(card[:, :, ::-1]))
        ImageDraw.Draw(base).text(at, text, fill="white", font=font, anchor="mm")
        card[:] = np.ascontiguousarray(np.asarray(base)[::-1, ::-1, ::-1])


def _draw_large(random: Random, card: Print, text: str, typefaces: Sequence[Typeface]) -> None:
    """Write *text* large in the middle, white or black, with an outline."""
    font = load_typeface(
        typefaces[int(random.integers(len(typefaces)))], round(random.uniform(16, 30) * PX_PER_MM)
    )
    fill, stroke = ("white", "black") if random.random() < 0.7 else ("black", "white")
    base = Image.fromarray(np.ascontiguousarray(card[:, :, ::-1]))
    ImageDraw.Draw(base).text(
        (SIZE_PX[0] / 2, SIZE_PX[1] / 2), text, fill=fill, font=font, anchor="mm",
        stroke_width=int(random.integers(1, 8)), stroke_fill=stroke,
    )  # fmt: skip
    card[:] = np.asarray(base)[:, :, ::-1]


def _paste_sign(
    random: Random, card: Print, mask: np.ndarray, middle: np.ndarray, high: float
) -> None:
    """Draw the sign of *mask* about *middle*, so many pixels high, white on a black edge."""
    if not mask.any():
        return
    scale = min(high / mask.shape[0], 1.3 * high / mask.shape[1])
    sign = cv2.resize(mask, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    edge = int(random.integers(1, 5))
    sign = cv2.copyMakeBorder(sign, edge, edge, edge, edge, cv2.BORDER_CONSTANT)
    grown = cv2.dilate(sign, np.ones((2 * edge + 1, 2 * edge + 1), np.uint8))
    left, top = (int(middle[axis] - sign.shape[1 - axis] / 2) for axis in (0, 1))
    left, top = max(left, 0), max(top, 0)
    part = card[top : top + sign.shape[0], left : left + sign.shape[1]]
    for layer, ink in ((grown, 15), (sign, 250)):
        alpha = layer[: part.shape[0], : part.shape[1], None] / 255.0
        part[:] = np.uint8(part + alpha * (ink - part.astype(np.float32)))
