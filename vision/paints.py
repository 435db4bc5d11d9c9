"""Tell paints from the ground by colour alone, learned from one picture.

Every colour of a coarse colour cube knows how much likelier it is on each paint than on the ground
around the pieces. Pieces are seen in all kinds of shade later, so that each sample teaches what it
would look like in stronger and weaker light too.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.rectify import Mask

BITS: Final = 5
LEVELS: Final = 1 << BITS
COLOURS: Final = LEVELS**3
SHADES: Final = (
    (1.0, 4.0),
    (0.85, 1.0),
    (0.7, 1.0),
    (0.55, 0.7),
    (0.4, 0.4),
    (1.15, 1.0),
    (1.3, 0.5),
)
"""Strengths of the light and how much each counts."""
SPREAD: Final = np.exp(-0.5 * np.arange(-3, 4) ** 2.0)
"""How a sample's colour spreads over its neighbours in the cube."""
UNKNOWN: Final = 0.02
"""The share of pixels that may have any colour: knobs, eyes, glare."""
SURE: Final = 3.0
"""The most that one pixel can say, in nats."""
AGAINST: Final = 2.0
"""The most that one pixel can say against paint: the gaps between pieces are dark as shadows."""
BLACK: Final = 24.0
DIM: Final = 88.0
"""Levels: what is darker than DIM says less against paint, what is BLACK nothing: it may be paint
in a shadow."""
STRANGE: Final = 80.0
"""A colour is known if it comes this many times as often as it would by chance."""
DARK: Final = 1e-12


class Paints:
    """What the ground and each paint look like."""

    def __init__(self, paints: Sequence[Picture], ground: Picture) -> None:
        """All samples: (n, 3) uint8, blue green red."""
        known = np.stack([_likelihood(sample) for sample in (*paints, ground)], axis=-1)
        self._strange = known.max(axis=-1) < np.log(STRANGE * UNKNOWN / COLOURS)
        # What explains a colour worse than the best by more than SURE explains it not at all: so a
        # piece in another paint speaks no less against a paint than the ground does.
        known = np.maximum(known, known.max(axis=-1, keepdims=True) - SURE)
        favours = np.maximum(known[:, :-1] - known[:, -1:], -AGAINST)
        level = (np.arange(LEVELS) + 0.5) * (256.0 / LEVELS)
        brightest = np.maximum.reduce(np.meshgrid(level, level, level, indexing="ij")).ravel()
        trust = np.clip((brightest - BLACK) / (DIM - BLACK), 0.0, 1.0)[:, None]
        favours = np.where(favours < 0.0, favours * trust, favours)
        self._favours = np.ascontiguousarray(favours.T, np.float32)

    def favour(self, picture: Picture) -> NDArray[np.float32]:
        """Return (paints, ...): by how many nats each pixel is likelier that paint than ground."""
        index = _index(picture)
        return np.stack([table.take(index) for table in self._favours])

    def strange(self, picture: Picture) -> Mask:
        """Return where the picture has colours seen neither on the ground nor on a piece."""
        return np.asarray(self._strange.take(_index(picture)), np.bool_)


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
        shaded = np.minimum(sample * gain, 255.0).astype(np.int32) >> (8 - BITS)
        index = (shaded[:, 0] << (2 * BITS)) | (shaded[:, 1] << BITS) | shaded[:, 2]
        count += weight * np.bincount(index, minlength=COLOURS)
    cube = count.reshape(LEVELS, LEVELS, LEVELS)
    for axis in range(cube.ndim):
        cube = np.apply_along_axis(lambda line: np.convolve(line, SPREAD, "same"), axis, cube)
    share = cube.ravel() / max(float(cube.sum()), DARK)
    return np.asarray(np.log((1.0 - UNKNOWN) * share + UNKNOWN / COLOURS), np.float64)
