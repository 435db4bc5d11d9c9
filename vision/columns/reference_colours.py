"""Tell paints apart by colour alone, learned from one picture.

Every colour of a coarse colour cube knows how likely it is on each paint. Pieces are seen in all
kinds of shade later, so that each sample teaches what it would look like in stronger and weaker
light too, down to shadows in which paints can hardly be told.
"""

from collections.abc import Mapping, Sequence, Set
from copy import copy
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import USUAL

BITS: Final = 5
LEVELS: Final = 1 << BITS
COLOURS: Final = LEVELS**3
SHADES: Final = (
    (1.0, 4.0),
    (0.85, 1.0),
    (0.7, 1.0),
    (0.55, 0.7),
    (0.4, 0.4),
    (0.25, 0.3),
    (0.15, 0.2),
    (1.15, 1.0),
    (1.3, 0.5),
)
"""Strengths of the light and how much each counts."""
SPREAD: Final = np.exp(-0.5 * np.arange(-3, 4) ** 2.0)
"""How a sample's colour spreads over its neighbours in the cube."""
UNKNOWN: Final = 0.02
"""The share of pixels that may have any colour: knobs, eyes, glare."""
WORTH: Final = 6.0
"""For how many independent pixels all of one piece's count, since neighbours err alike."""


USUAL_SPREAD: Final = 0.12
"""By how much, as a logarithm, each of its colours differs between sets of pieces."""
USUAL_COUNT: Final = 400


def make_usual(colour: tuple[int, int, int]) -> Picture:
    """Return samples (n, 3) of a paint that was never seen, around its usual *colour*."""
    random = np.random.default_rng(0)
    spread = np.exp(random.normal(0.0, USUAL_SPREAD, (USUAL_COUNT, 3)))
    return np.asarray(np.clip(np.array(colour) * spread, 0, 255), np.uint8)


class Paints:
    """What each paint looks like."""

    def __init__(self, samples: Sequence[Picture]) -> None:
        """Learn from *samples*: for each paint (n, 3) uint8, blue green red."""
        self._known = np.stack([_likelihood(sample) for sample in samples])

    def weigh(self, pieces: Picture, shown: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return (pieces, paints): the probability that each piece has each paint.

        pieces: (pieces, n, 3) pixels of each.  shown: (pieces, n) which of them are the piece's;
        the fewer, the less is told.
        """
        seen = (self._known[:, _index(pieces)] * shown).mean(axis=2).T
        likely = np.exp(WORTH * (seen - seen.max(axis=1, keepdims=True)))
        return np.asarray(likely / likely.sum(axis=1, keepdims=True), np.float64)


class ColourModelSet:
    """Paints that look as they usually do until they are met."""

    def __init__(self, names: Sequence[str]) -> None:
        self._samples = [make_usual(USUAL[name]) for name in names]
        self._paints = Paints(self._samples)
        self._met: frozenset[int] = frozenset()

    def copied(self) -> "ColourModelSet":
        """Return the same paints, to go on learning from here."""
        return copy(self)

    @property
    def met(self) -> Set[int]:
        """The numbers of the paints whose look was learned."""
        return self._met

    def meet(self, samples: Mapping[int, Picture]) -> None:
        """Learn from *samples* (n, 3) how paints look, by their numbers; nothing of empty ones."""
        new = {number: sample for number, sample in samples.items() if len(sample)}
        if new:
            self._samples = [new.get(at, sample) for at, sample in enumerate(self._samples)]
            self._paints = Paints(self._samples)
            self._met |= frozenset(new)

    def weigh(self, pieces: Picture, shown: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return how likely each paint is on each piece; see `Paints.weigh`."""
        return self._paints.weigh(pieces, shown)


def _index(picture: Picture) -> NDArray[np.int32]:
    cube = picture >> (8 - BITS)
    index = cube[..., 0].astype(np.int32) << (2 * BITS)
    index |= cube[..., 1].astype(np.int32) << BITS
    index |= cube[..., 2]
    return index


def _likelihood(sample: Picture) -> NDArray[np.float64]:
    """Return the logarithm (COLOURS,) of how often each colour comes, each in all shades."""
    count = np.zeros(COLOURS)
    for gain, weight in SHADES:
        shaded = np.minimum(sample.reshape(-1, 3) * gain, 255.0).astype(np.uint8)
        count += weight * np.bincount(_index(shaded), minlength=COLOURS)
    cube = count.reshape(LEVELS, LEVELS, LEVELS)
    for _ in range(cube.ndim):  # each turn spreads along the first axis, and makes it the last
        flat = cube.reshape(LEVELS, -1)
        spread = cv2.filter2D(flat, -1, SPREAD[:, None], borderType=cv2.BORDER_CONSTANT)
        cube = np.moveaxis(np.asarray(spread, np.float64).reshape(cube.shape), 0, -1)
    share = cube.ravel() / max(float(cube.sum()), 1.0)
    return np.asarray(np.log((1.0 - UNKNOWN) * share + UNKNOWN / COLOURS), np.float64)
