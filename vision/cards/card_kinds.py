"""Kinds and symbols of rectified cards: of which colour, a wild, a Tiki Face, or another game's.

A network was trained on rendered photographs only (`training/train_cards.py`). It sees all
of a card with some of its surroundings: printed colours keep their names in any light because of
the paper beside them, and small or blurred symbols because of all else that is printed.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from vision.capture.frame import Picture
from vision.cards.symbols import OTHER
from vision.inference import load_network, softmax

CARD_COLOURS: Final = ("red", "yellow", "green", "blue")
KINDS: Final = (*CARD_COLOURS, "wild", "tiki", OTHER)
"""The network's classes in their order; OTHER is of another game, or no card."""
CARD_SYMBOLS: Final = (*"0123456789", "skip", "reverse", "wild", "tiki", OTHER)
"""What it may say is printed on the card, in its order."""
MODEL: Final = Path(__file__).parents[1] / "models" / "card-symbols.onnx"


@dataclass(frozen=True, slots=True)
class WholeCard:
    """What all of a card looks like.  kinds, symbols: the probability of each."""

    kinds: dict[str, float]
    symbols: dict[str, float]


def classify_whole(crop: Picture) -> WholeCard:
    """Return what a rectified card looks like; either way up is the same."""
    both = np.stack([crop, crop[::-1, ::-1]]).transpose(0, 3, 1, 2)
    scores = load_network(MODEL).run(levels=np.ascontiguousarray(both))
    kinds, symbols = (softmax(each.astype(np.float64)).mean(axis=0).tolist() for each in scores)
    return WholeCard(
        dict(zip(KINDS, kinds, strict=True)), dict(zip(CARD_SYMBOLS, symbols, strict=True))
    )
