"""Kinds of rectified cards: of which colour, a wild card, a Tiki Face, or another game's.

Two networks were trained on rendered photographs only (`vision/training/train_cards.py`). They see
all of a card with some of its surroundings: printed colours keep their names in any light because
of the paper beside them. The second one has seen more black cards of other games, and also names
the symbol, where that is too small or too blurred to be seen by itself.
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
"""The classes of both in their order; OTHER is of another game, or no card."""
CARD_SYMBOLS: Final = (*"0123456789", "skip", "reverse", "wild", "tiki", OTHER)
"""What the second network may say is printed on the card, in its order."""
MODEL: Final = Path(__file__).parents[1] / "models" / "card-kinds.onnx"
WHOLE_MODEL: Final = MODEL.with_name("card-symbols.onnx")


@dataclass(frozen=True, slots=True)
class WholeCard:
    """What all of a card looks like.  kinds, symbols: the probability of each."""

    kinds: dict[str, float]
    symbols: dict[str, float]


def classify_kind(crop: Picture) -> dict[str, float]:
    """Return the probability of each of KINDS of a rectified card; either way up is the same."""
    (kinds,) = _average(MODEL, crop)
    return dict(zip(KINDS, kinds, strict=True))


def classify_whole(crop: Picture) -> WholeCard:
    """Return what the second network says of a rectified card; either way up is the same."""
    kinds, symbols = _average(WHOLE_MODEL, crop)
    return WholeCard(
        dict(zip(KINDS, kinds, strict=True)), dict(zip(CARD_SYMBOLS, symbols, strict=True))
    )


def _average(model: Path, crop: Picture) -> list[list[float]]:
    """Return the probabilities that a network gives, in the mean of both ways up."""
    both = np.stack([crop, crop[::-1, ::-1]]).transpose(0, 3, 1, 2)
    scores = load_network(model).run(levels=np.ascontiguousarray(both))
    return [softmax(each.astype(np.float64)).mean(axis=0).tolist() for each in scores]
