"""Rendered photographs of hands for tests: small, plain, and the same each time."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import reportlab

from rendering.drawn import CARD_MM, COLOURS, Design, draw_card, draw_tiki_card
from rendering.prints import draw_ground
from vision.capture.frame import Picture

BOLD: Final = str(Path(reportlab.__file__).parent / "fonts" / "VeraBd.ttf")
"""A bold typeface, as cards are printed in, that every machine with the tests has."""
DESIGN: Final = Design(style="filled", symbol=32.0, corner=8.5, corner_inset=9.0, font=BOLD)
SIZE: Final = (round(CARD_MM[0] * 4), round(CARD_MM[1] * 4))


def draw_hand(
    cards: Sequence[tuple[str, str]], step: tuple[float, float], *, turn_deg: float = 0.0,
    size: tuple[int, int] = (1280, 960), scale: float = 1.0, design: Design = DESIGN,
    is_spin: bool = False,
) -> Picture:  # fmt: skip
    """Return *cards* on a dark table, each *step* pixels from the last and turned by *turn_deg*."""
    random = np.random.default_rng(5)
    ground = draw_ground(random, max(size), (0.28, 0.2, 0.14), 0.04)[: size[1], : size[0]]
    picture = np.ascontiguousarray(ground)
    for number, (colour, symbol) in enumerate(cards):
        card = _draw(random, colour, symbol, design, is_spin)
        angle = turn_deg * (number - (len(cards) - 1) / 2)
        move = cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1]), -angle, scale)
        move[:, 2] += np.array([90.0, 110.0]) + number * np.array(step)
        moved = cv2.warpAffine(card, move, size, flags=cv2.INTER_AREA)
        mask = cv2.warpAffine(np.full(card.shape[:2], 255, np.uint8), move, size)
        picture[mask > 127] = moved[mask > 127]
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.7), np.uint8)


def write_hand(path: Path, cards: Sequence[tuple[str, str]], step_px: int = 88) -> Path:
    """Write the photograph of many *cards* in a row into *path*."""
    cv2.imwrite(str(path), draw_hand(cards, (step_px, 0), size=(1500, 620)))
    return path


def _draw(
    random: np.random.Generator, colour: str, symbol: str, design: Design, is_spin: bool
) -> Picture:
    if symbol == "tiki":
        return draw_tiki_card(COLOURS["blue"])
    return draw_card(symbol, COLOURS[colour], design, random, is_spin)
