"""Put cards cut from photographs into rendered scenes, to judge the reader by real prints.

`python -m training.card_transplants PHOTOS FOLDER --half judge` cuts the cards out of a
folder of photographs with their labels.jsonl, draws them in any pose, bent, held, lit and blurred
over drawn grounds, and writes that with labels.jsonl; `tiki evaluate FOLDER` then counts. Nothing
may be learned from what it writes: one half is to develop with, the other to judge by.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from rendering.black_cards import SIZE_PX
from rendering.card_decks import COLOUR_CLASSES, NO_COLOUR, SYMBOL_CLASSES, DrawnCard
from rendering.card_grounds import draw_any_ground
from rendering.card_scenes import Framing, Stock, render_scene
from rendering.drawn import PX_PER_MM
from rendering.prints import Print
from training.card_rehearsal import write_photographs
from training.card_samples import GROUNDS
from vision.cards.card_crop import CardCrop
from vision.cards.card_outlines import CARD, PANEL, crop_quadrangle, find_quadrangles
from vision.cards.card_photo import MAX_OUTLINE_PX, shrink
from vision.cards.symbols import OTHER
from vision.photometry.chromaticity import min_channel

FRAMING: Final = Framing(540, 0.2)
ROUND_MM, TRIMMED_PX = 3.5, 3
"""Radius of a card's corners, and how much of its edge is left out: what lay around may show."""
MIN_AREA_SHARE: Final = 0.02
"""Of the picture, that an outline must fill; a smaller card cannot be read."""
CLOSING_SHARE: Final = 0.015
"""Of the picture's length: lines as thin, such as that of an oval, are closed in the panel."""
MIN_BORDER_SHARE: Final = 0.7
"""How much of each edge of the crop must be paper; outlines are less exact than a pose.  Tuned."""
HALVES: Final = ("develop", "judge")


def crop_outlines(picture: Print) -> Iterator[CardCrop]:
    """Yield crops of whatever in *picture* has the outline of a card or of its panel.

    picture: (rows, columns, 3) uint8, at most about 900 pixels long; longer ones take longer.
    """
    minima = min_channel(np.asarray(cv2.GaussianBlur(picture, (3, 3), 0), np.uint8))
    _, bright = cv2.threshold(minima, 0, 1, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    side = max(3, round(CLOSING_SHARE * max(minima.shape)))
    kernel = np.ones((side, side), np.uint8)
    dark = cv2.morphologyEx(np.asarray(1 - bright, np.uint8), cv2.MORPH_CLOSE, kernel)
    for mask, size, mode in ((bright, CARD, cv2.RETR_EXTERNAL), (dark, PANEL, cv2.RETR_LIST)):
        for corners in find_quadrangles(np.asarray(mask, np.uint8), mode, MIN_AREA_SHARE):
            crop = crop_quadrangle(picture, corners, size)
            if crop is not None and crop.border_share >= MIN_BORDER_SHARE:
                yield crop


def cut_card(picture: Print) -> Print | None:
    """Return the card in *picture* (rows, columns, 3) upright and alone, or None without outline.

    (348, 224, 4) uint8: blue green red and how much of a pixel the card fills.
    """
    crop = next(crop_outlines(shrink(picture, MAX_OUTLINE_PX)), None)
    if crop is None:
        return None
    upright = crop.view.crop(0.0, 0.0, crop.size, PX_PER_MM, cv2.INTER_CUBIC)
    mask = np.zeros((SIZE_PX[1], SIZE_PX[0]), np.uint8)
    radius = round(ROUND_MM * PX_PER_MM)
    low, high = TRIMMED_PX + radius, np.array(SIZE_PX) - 1 - TRIMMED_PX - radius
    cv2.rectangle(mask, (low, low), (int(high[0]), int(high[1])), 255, cv2.FILLED)
    mask = np.asarray(cv2.dilate(mask, _disc(radius)), np.uint8)
    return np.dstack([cv2.resize(upright, SIZE_PX), mask])


def _disc(radius: int) -> Print:
    shape = (2 * radius + 1, 2 * radius + 1)
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, shape), np.uint8)


def cut_half(folder: Path, half: str) -> list[DrawnCard]:
    """Return every second card in *folder*, named as in its labels.jsonl."""
    lines = (folder / "labels.jsonl").read_text("utf-8").splitlines()
    cards = []
    for line in sorted(lines)[HALVES.index(half) :: len(HALVES)]:
        label = json.loads(line)
        picture = cv2.imread(str(folder / label["file"]))
        card = None if picture is None else cut_card(np.asarray(picture, np.uint8))
        if card is not None:
            cards.append(DrawnCard(card, *_name(label["color"], label["symbol"])))
    return cards


def _name(colour: str, symbol: str) -> tuple[str, str]:
    known = symbol if symbol in SYMBOL_CLASSES else OTHER
    return (colour if colour in COLOUR_CLASSES else NO_COLOUR), known


def main() -> None:
    """Write the photographs into the folder of the command line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("photos", type=Path)
    options.add_argument("folder", type=Path)
    options.add_argument("--half", choices=HALVES, default=HALVES[1])
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--count", type=int, default=300)
    given = options.parse_args()
    cv2.setNumThreads(1)
    random = np.random.default_rng(given.seed)
    cards = cut_half(given.photos, given.half)
    stock = Stock(cards, [draw_any_ground(random) for _ in range(GROUNDS)])
    print(f"{len(cards)} cards were cut out")
    write_photographs(given.folder, given.count, lambda: render_scene(random, stock, FRAMING))


if __name__ == "__main__":
    main()
