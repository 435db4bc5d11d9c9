"""Hands as tables have them: in sleeves, behind a thumb, of two decks, on a patterned cloth."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from rendering.card_grounds import draw_patterned
from rendering.hand_printers import Printer
from rendering.hand_scenes import (
    LONG_PX,
    Draws,
    HandScene,
    any_count,
    any_kind,
    deal,
    draw_cards,
    expose,
    light,
)
from rendering.prints import Print, Random

STRANGE: Final = 0.3
"""The share of another game's cards where some lie between."""


class Sleeved:
    """The cards of a printer in sleeves, in each of which a lamp shows."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer

    def draw(self, random: Random, colour: str, symbol: str) -> NDArray[np.uint8]:
        """Return a card (348, 224, 4) with a band of glare across it."""
        card = self._printer.draw(random, colour, symbol).copy()
        rows, columns = card.shape[:2]
        band = np.zeros((rows, columns), np.float32)
        ends = random.uniform(0, 1, (2, 2)) * (columns, rows)
        wide = int(random.uniform(0.08, 0.25) * columns)
        start, end = np.round(ends).astype(int).tolist()
        cv2.line(band, start, end, random.uniform(0.4, 0.9), wide)
        band = np.asarray(cv2.GaussianBlur(band, (0, 0), 0.3 * wide), np.float32)
        lit = card[..., :3] + band[..., None] * (255.0 - card[..., :3])
        card[..., :3] = np.clip(lit, 0, 255)
        return card


class TwoDecks:
    """Cards of two printers."""

    def __init__(self, printers: Sequence[Printer]) -> None:
        self._printers = printers

    def draw(self, random: Random, colour: str, symbol: str) -> NDArray[np.uint8]:
        """Return a card (348, 224, 4) of either."""
        printer = self._printers[int(random.integers(len(self._printers)))]
        return printer.draw(random, colour, symbol)


TURNED: Final[Mapping[str, Callable[[Print], Print]]] = {
    "mirror": lambda seen: seen[:, ::-1],
    "upside_down": lambda seen: seen[::-1, ::-1],
}
CONDITIONS: Final = (
    *("plain", "mirror", "upside_down", "sleeves", "thumb", "two_decks", "strangers", "patterned"),
)


def render_condition(
    condition: str, random: Random, printers: Sequence[Printer], grounds: Sequence[Print]
) -> HandScene:
    """Return one photograph of a hand under one of CONDITIONS; raises KeyError for another.

    printers: two of them.
    """
    if condition not in CONDITIONS:
        raise KeyError(condition)
    if condition == "patterned":
        grounds = [draw_patterned(random)]
    kind = "fan" if condition == "thumb" else any_kind(random)
    strange = STRANGE if condition == "strangers" else 0.0
    names = deal(random, any_count(random, kind), strange)
    drawn: Draws = printers[0]
    if condition == "sleeves":
        drawn = Sleeved(printers[0])
    elif condition == "two_decks":
        drawn = TwoDecks(printers)
    covering = 1.0 if condition == "thumb" else 0.0
    long_px = int(random.uniform(*LONG_PX))
    picture, cards = draw_cards(random, drawn, grounds, kind, names, long_px, covering)
    seen = expose(random, light(random, picture))
    turn = TURNED.get(condition)
    return HandScene(seen if turn is None else np.ascontiguousarray(turn(seen)), kind, cards)
