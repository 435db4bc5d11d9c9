"""What the index in a card's corner says: the kind and the symbol of its card.

A network was trained on rendered hands only (`training/train_hands.py`). It sees the corner of the
card around its index in colour, with the card upright; what belongs to another game, is covered
or is no index is a class of its own.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.cards.card_kinds import CARD_SYMBOLS, KINDS
from vision.cards.index_finder import IndexPlace, crop_index
from vision.inference import load_network, softmax

MODEL: Final = Path(__file__).parents[1] / "models" / "index-names.onnx"
GROWN: Final = (0.94, 1.06)
"""Places are a little off: each index is seen in crops of so many sizes."""
Likely = tuple[NDArray[np.float64], NDArray[np.float64]]
"""The probabilities (n, kinds) of KINDS and (n, symbols) of CARD_SYMBOLS."""


def classify_indices(picture: Picture, places: Sequence[IndexPlace]) -> Likely:
    """Return what the index at each of *places* in *picture* (rows, columns, 3) uint8 says."""
    if not places:
        return np.zeros((0, len(KINDS))), np.zeros((0, len(CARD_SYMBOLS)))
    crops = np.stack([crop_index(picture, place, grow) for place in places for grow in GROWN])
    scores = load_network(MODEL).run(levels=np.ascontiguousarray(crops.transpose(0, 3, 1, 2)))
    kinds, symbols = (
        softmax(each.astype(np.float64)).reshape(len(places), len(GROWN), -1).mean(axis=1)
        for each in scores
    )
    return kinds, symbols
