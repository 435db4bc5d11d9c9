"""Kinds of rectified cards: of which colour, a wild card, a Tiki Face, or another game's.

The network was trained on rendered photographs only (`vision/training/train_cards.py`). It sees all
of a card with some of its surroundings: printed colours keep their names in any light because of
the paper beside them.
"""

from pathlib import Path
from typing import Final

import numpy as np

from vision.capture.frame import Picture
from vision.cards.symbols import OTHER
from vision.inference import load_network, softmax

CARD_COLOURS: Final = ("red", "yellow", "green", "blue")
KINDS: Final = (*CARD_COLOURS, "wild", "tiki", OTHER)
"""The network's classes in its order; OTHER is of another game, or no card."""
MODEL: Final = Path(__file__).parents[1] / "models" / "card-kinds.onnx"


def classify_kind(crop: Picture) -> dict[str, float]:
    """Return the probability of each of KINDS of a rectified card; either way up is the same."""
    both = np.stack([crop, crop[::-1, ::-1]]).transpose(0, 3, 1, 2)
    (scores,) = load_network(MODEL).run(levels=np.ascontiguousarray(both))
    mean = softmax(scores.astype(np.float64)).mean(axis=0)
    return dict(zip(KINDS, mean.tolist(), strict=True))
