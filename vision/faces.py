"""Tell the Tikis by their faces: each slot's top face against the nine that were learned."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.layout import Layout
from vision.palette import Tones, level
from vision.rectify import FACE_MARGIN_MM, Area, around_slots

FURTHEST_MM: Final = 5
"""Slots are wider than pieces, and both the picture learned from and the one read may be askew."""
SPAN: Final = 2 * FURTHEST_MM + 1
UNSHIFTED: Final = SPAN * FURTHEST_MM + FURTHEST_MM
"""Shifts are numbered row by row, 1 mm apart, from FURTHEST_MM up and left."""
WIDE: Final = np.array([SPAN * y + x for y in range(1, SPAN, 2) for x in range(1, SPAN, 2)])
NEXT: Final = np.array([SPAN * y + x for y in (-1, 0, 1) for x in (-1, 0, 1)])
SHORTLIST: Final = 4
"""Templates, of two per Tiki, that are compared closely; the rest is far off."""
CLOSEST: Final = 2
"""Of those, templates that are shifted by single millimetres."""
SPARSE: Final = 4
"""Every so many-th pixel serves for the rough comparison."""
ROUGHER: Final = 3.0
"""Three tones averaged, not summed: what makes a rough misfit comparable with a close one."""
INSET_MM: Final = 1
"""The rim of a face is left out: there the sides and the neighbours show."""


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """How the faces seen in the slots compare with those that were learned.

    misfits: (slots, names) mean difference in tones, 0 for the very same face.
    patches: (slots, names) the worst difference of any sixth of the face.
    """

    misfits: NDArray[np.float32]
    patches: NDArray[np.float32]


class Faces:
    """The learned faces, and how to find them again in other slots."""

    def __init__(self, layout: Layout, templates: Tones) -> None:
        """*templates*: (names, rows, columns, 3) tones of the faces at 2 mm per pixel."""
        self._windows = _windows(layout)
        self._templates = templates
        self._prepare()

    def _prepare(self) -> None:
        # People put pieces down either way round: each face is known upside down as well.
        both = np.concatenate([self._templates, self._templates[:, ::-1, ::-1]])
        pixels = both.reshape(len(both), -1, 3)
        self._full = level(pixels)
        self._sparse = level(pixels[:, ::SPARSE])
        self._sixths = _sixths(*self._templates.shape[1:3])

    def learn(self, tones: Tones, slots: Sequence[int], names: Sequence[int]) -> None:
        """Replace the faces *names* by those that stand in *slots* of the picture *tones*."""
        seen = tones.reshape(-1, 3)[self._windows[:, UNSHIFTED]]
        shape = self._templates.shape[1:]
        templates = self._templates.copy()
        for slot, name in zip(slots, names, strict=True):
            templates[name] = seen[slot].reshape(shape)
        self._templates = templates
        self._prepare()

    def match(self, tones: Tones) -> Match:
        """Compare every slot with every face: roughly with all, closely with the likeliest."""
        flat = tones.reshape(-1, 3)
        slots, names = len(self._windows), len(self._templates)
        sparse = level(flat[self._windows[:, WIDE, ::SPARSE]])  # slots, shifts, pixels, 3
        rough = np.abs(sparse[:, None, len(WIDE) // 2] - self._sparse[None]).mean(axis=(2, 3))
        likely = np.argpartition(rough, SHORTLIST, axis=1)[:, :SHORTLIST]
        moved = np.abs(sparse[:, None] - self._sparse[likely][:, :, None]).sum(axis=(3, 4))
        # The likeliest first: only those are worth a closer look.
        slot, order = np.arange(slots)[:, None], moved.min(axis=2).argsort(axis=1)
        likely, moved = likely[slot, order], moved[slot, order]
        shift = WIDE[moved.argmin(axis=2)]
        shift[:, :CLOSEST] = self._refine(flat, likely[:, :CLOSEST], shift[:, :CLOSEST])
        seen = level(flat[self._windows[slot, shift]])
        apart = np.abs(seen - self._full[likely]).sum(axis=-1)
        misfits = ROUGHER * np.minimum(rough[:, :names], rough[:, names:])
        patches = np.full_like(misfits, np.inf)
        close, worst = apart.mean(axis=-1), (apart @ self._sixths.T).max(axis=-1)
        # Best last: of a face and the same upside down, the better one stays.
        for rank in np.argsort(-close, axis=1).T:
            name = likely[slot[:, 0], rank] % names
            misfits[slot[:, 0], name] = close[slot[:, 0], rank]
            patches[slot[:, 0], name] = worst[slot[:, 0], rank]
        return Match(misfits, patches)

    def _refine(
        self, flat: Tones, likely: NDArray[np.intp], shift: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Return the shifts, (slots, shortlist), that fit better by up to 1 mm each way."""
        nearby = shift[..., None] + NEXT
        slot = np.arange(len(shift))[:, None, None]
        seen = level(flat[self._windows[slot, nearby, ::SPARSE]])
        apart = np.abs(seen - self._sparse[likely][:, :, None]).sum(axis=(3, 4))
        return np.asarray(
            np.take_along_axis(nearby, apart.argmin(axis=2)[..., None], axis=2)[..., 0], np.intp
        )


def face_area(layout: Layout) -> Area:
    """Return the part of the table in which top faces are looked for."""
    return around_slots(layout, FACE_MARGIN_MM)


def _windows(layout: Layout) -> NDArray[np.intp]:
    """Return the flat pixel numbers (slots, shifts, pixels) of each top face in the face area."""
    area = face_area(layout)
    x = np.arange(INSET_MM, round(layout.piece.w) - INSET_MM, 2)
    y = np.arange(INSET_MM, round(layout.piece.h) - INSET_MM, 2)
    numbers = []
    for slot in layout.slots:
        left = round(slot.x - layout.piece.w / 2) - area.left
        top = round(slot.y - layout.piece.h / 2) - area.top
        for dy, dx in product(range(-FURTHEST_MM, FURTHEST_MM + 1), repeat=2):
            numbers.append(
                ((top + dy + y)[:, None] * area.width + (left + dx + x)[None, :]).ravel()
            )
    return np.array(numbers).reshape(len(layout.slots), SPAN * SPAN, -1)


def _sixths(rows: int, columns: int) -> NDArray[np.float32]:
    """Return the (6, pixels) weights that average two rows by three columns of blocks."""
    row = np.minimum(np.arange(rows) * 2 // rows, 1)
    column = np.minimum(np.arange(columns) * 3 // columns, 2)
    block = (row[:, None] * 3 + column[None, :]).ravel()
    weights = (block[None, :] == np.arange(6)[:, None]).astype(np.float32)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), np.float32)
