"""Printers that do not exist: what makes the cards of a hand look of one deck."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.black_cards import SIZE_PX
from rendering.card_decks import HUES_DEG, NO_COLOUR, DrawnCard, draw_any_card
from rendering.designs import random_print
from rendering.drawn import PX_PER_MM, Design, draw_card
from rendering.prints import Random, hue_colour
from rendering.typefaces import Typeface
from vision.cards.card_kinds import CARD_COLOURS
from vision.cards.symbols import OTHER

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Printer:
    """A design, its four inks, cards without a colour, and those of other games beside them."""

    design: Design
    inks: dict[str, Colour]
    others: Sequence[DrawnCard]
    strangers: Sequence[DrawnCard]

    def draw(self, random: Random, colour: str, symbol: str) -> NDArray[np.uint8]:
        """Return a card (348, 224, 4), with how much of each pixel it fills."""
        if colour == NO_COLOUR:
            return self.strangers[int(random.integers(len(self.strangers)))].picture
        if colour == "wild":
            fit = [card for card in self.others if card.symbol == symbol]
            return fit[int(random.integers(len(fit)))].picture
        spin = bool(random.random() < 0.12)
        art = draw_card(symbol, self.inks[colour], self.design, random, spin)
        sized = cv2.resize(art, SIZE_PX, interpolation=cv2.INTER_AREA)
        return np.dstack([sized, _rounded()])


def make_printer(random: Random, typefaces: Sequence[Typeface]) -> Printer:
    """Return a printer that does not exist, whose cards are as large as those in the shops."""
    design = random_print(random, True, typefaces)
    style = str(random.choice(["outlined", "filled"]))
    corner = float(random.uniform(7.0, 10.5))
    design = replace(
        design,
        style=style,
        symbol=float(random.uniform(27, 36)),
        outline=float(random.uniform(0.7, 1.8)),
        corner=corner,
        corner_inset=design.border + corner / 2 + float(random.uniform(0.5, 2.0)),
        border=float(random.uniform(2.6, 4.2)),
    )
    inks = {name: _ink(random, name) for name in CARD_COLOURS}
    others: list[DrawnCard] = []
    strangers: list[DrawnCard] = []
    while {card.symbol for card in others} != {"wild", "tiki"} or not strangers:
        card = draw_any_card(random, typefaces)
        if card.symbol in ("wild", "tiki"):
            others.append(card)
        elif card.symbol == OTHER or card.colour == NO_COLOUR:
            strangers.append(card)
    return Printer(design, inks, others, strangers)


def _ink(random: Random, name: str) -> Colour:
    bright = (0.88, 1.0) if name == "yellow" else (0.5, 0.85)
    ink = hue_colour(
        random.uniform(*HUES_DEG[name]), random.uniform(0.72, 1.0), random.uniform(*bright)
    )
    red, green, blue = (round(255 * part) for part in ink)
    return red, green, blue


def _rounded() -> NDArray[np.uint8]:
    """Return how much of each pixel a card with round corners fills."""
    mask = np.zeros((SIZE_PX[1], SIZE_PX[0]), np.uint8)
    radius = round(3.0 * PX_PER_MM)
    for x in (radius, SIZE_PX[0] - 1 - radius):
        for y in (radius, SIZE_PX[1] - 1 - radius):
            cv2.circle(mask, (x, y), radius, 255, cv2.FILLED, cv2.LINE_AA)
    mask[radius:-radius] = 255
    mask[:, radius:-radius] = 255
    return mask
