"""Tell the Tikis by their faces: each slot's top face against the nine that were learned."""

from collections.abc import Sequence
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.layout import Layout
from vision.geometry.rectification import FACE_MARGIN_MM, Area, around_slots
from vision.line.default_faces import default_faces
from vision.photometry.chromaticity import Chroma, level

FURTHEST_MM: Final = 5
"""Slots are wider than pieces, and both the picture learned from and the one read may be askew."""
SPAN: Final = 2 * FURTHEST_MM + 1
UNSHIFTED: Final = SPAN * FURTHEST_MM + FURTHEST_MM
"""Shifts are numbered row by row, 1 mm apart, from FURTHEST_MM up and left."""
WIDE: Final = np.array(
    [
        SPAN * y + x
        for y, x in product(range(1, SPAN, 2), repeat=2)
        if abs(x - FURTHEST_MM) + abs(y - FURTHEST_MM) < FURTHEST_MM
    ]
)
OFF_CENTRE: Final = 0.02 * np.hypot(*np.indices((SPAN, SPAN)).reshape(2, -1) - FURTHEST_MM)
"""By how much a shifted face must fit better to be believed off its slot's centre."""
STRANGE: Final = 0.42
"""A face that differs so much from what was known of it, wherever it may lie, is another set's: it
is learned where it should lie."""
NEXT: Final = np.array([SPAN * y + x for y in (-1, 0, 1) for x in (-1, 0, 1)])
SHORTLIST: Final = 3
"""Templates, of two per Tiki, that are compared closely; the rest is far off."""
CLOSEST: Final = 2
"""Of those, templates that are shifted by single millimetres."""
SPARSE: Final = 6
"""Every so many-th pixel serves for the rough comparison."""
ROUGHER: Final = 3.0
"""Three tones averaged, not summed: what makes a rough misfit comparable with a close one."""
LIKENESS: Final = 0.45
"""A face less alike than this is penalised: plain wood or skin may have a Tiki's colour."""
OTHER_LIGHT: Final = 0.16
"""A face so much lighter or darker than it was (half a logarithm's worth) is penalised too: deep
shadow and glare change colours."""
TINY: Final = 1e-9
INSET_MM: Final = 1
"""The rim of a face is left out: there the sides and the neighbours show."""


class Faces:
    """The learned faces, and how to find them again in other slots."""

    def __init__(self, layout: Layout) -> None:
        self._windows = _windows(layout)
        self._sparse_windows = np.ascontiguousarray(self._windows[..., ::SPARSE])
        self._templates = default_faces(*_shape(layout))
        self._learned: frozenset[int] = frozenset()
        self._prepare()

    def _prepare(self) -> None:
        # People put pieces down either way round: each face is known upside down as well.
        both = np.concatenate([self._templates, self._templates[:, ::-1, ::-1]])
        pixels = both.reshape(len(both), -1, 3)
        self._full = level(pixels)
        self._sparse = level(pixels[:, ::SPARSE])
        self._drawn = _draw(pixels)
        self._lightness = np.where(
            [template % len(self._templates) in self._learned for template in range(len(both))],
            pixels[..., 0].mean(axis=1),
            np.nan,
        )

    def learn(self, tones: Chroma, slots: Sequence[int], names: Sequence[int]) -> None:
        """Replace the faces *names* by those that stand in *slots* of the picture *tones*.

        Each piece is looked for where it really lies, by the face that was known of it before, if
        it is still about the same.
        Faces never seen are moved to the same light: by as much as those seen differ from theirs.
        """
        around = tones.reshape(-1, 3)[self._windows[list(slots)]]  # slots, shifts, pixels, 3
        known = self._full[list(names)]
        lamp = lamp_colour(level(around[:, UNSHIFTED]), known)
        apart = np.abs(level(around) - known[:, None] - lamp).sum(axis=3).mean(axis=2)
        found = np.where(
            apart.min(axis=1) < STRANGE, (apart + OFF_CENTRE).argmin(axis=1), UNSHIFTED
        )
        seen = around[np.arange(len(names)), found]
        templates = self._templates.copy()
        unseen = sorted(set(range(len(templates))) - self._learned - set(names))
        if unseen and not self._learned:
            templates[unseen] += lamp
        templates[list(names)] = seen.reshape(-1, *templates.shape[1:])
        self._templates = templates
        self._learned |= set(names)
        self._prepare()

    def lamp(self, tones: Chroma, slots: Sequence[int], names: Sequence[int]) -> Chroma:
        """Return the tones (3,) that the lamp adds, if *names* stand in *slots*."""
        seen = level(tones.reshape(-1, 3)[self._windows[list(slots), UNSHIFTED]])
        return lamp_colour(seen, self._full[list(names)])

    def match(self, tones: Chroma) -> NDArray[np.float32]:
        """Return the misfits (slots, names): mean difference in tones, 0 for the very same face.

        Every slot is compared roughly with all faces, and closely with the likeliest.
        """
        flat = tones.reshape(-1, 3)
        slots, names = len(self._windows), len(self._templates)
        sparse = level(flat.take(self._sparse_windows[:, WIDE], axis=0))  # slots, shifts, pixels, 3
        rough = np.abs(sparse[:, None, len(WIDE) // 2] - self._sparse[None]).mean(axis=(2, 3))
        likely = np.argpartition(rough, SHORTLIST, axis=1)[:, :SHORTLIST]
        moved = np.abs(sparse[:, None] - self._sparse[likely][:, :, None]).sum(axis=(3, 4))
        # The likeliest first: only those are worth a closer look.
        slot, order = np.arange(slots)[:, None], moved.min(axis=2).argsort(axis=1)
        likely, moved = likely[slot, order], moved[slot, order]
        shift = WIDE[moved.argmin(axis=2)]
        shift[:, :CLOSEST] = self._refine(flat, likely[:, :CLOSEST], shift[:, :CLOSEST])
        raw = flat.take(self._windows[slot, shift], axis=0)
        seen, known = level(raw), self._full[likely]
        likeness = _compare(seen, self._drawn[likely])
        unlike = np.maximum(0.0, LIKENESS - likeness)
        other_light = np.abs(np.nan_to_num(raw[..., 0].mean(axis=-1) - self._lightness[likely]))
        unlike += np.maximum(0.0, other_light - OTHER_LIGHT)
        misfits = ROUGHER * np.minimum(rough[:, :names], rough[:, names:])
        apart = np.abs(seen - known).reshape(*likely.shape, -1)
        close = apart.sum(axis=-1) / seen.shape[-2] + unlike
        # Best last: of a face and the same upside down, the better one stays.
        for rank in np.argsort(-close, axis=1).T:
            name = likely[slot[:, 0], rank] % names
            misfits[slot[:, 0], name] = close[slot[:, 0], rank]
        return np.asarray(misfits, np.float32)

    def _refine(
        self, flat: Chroma, likely: NDArray[np.intp], shift: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Return the shifts, (slots, shortlist), that fit better by up to 1 mm each way."""
        nearby = shift[..., None] + NEXT
        slot = np.arange(len(shift))[:, None, None]
        seen = level(flat.take(self._sparse_windows[slot, nearby], axis=0))
        apart = np.abs(seen - self._sparse[likely][:, :, None]).sum(axis=(3, 4))
        return np.asarray(
            np.take_along_axis(nearby, apart.argmin(axis=2)[..., None], axis=2)[..., 0], np.intp
        )


def face_area(layout: Layout) -> Area:
    """Return the part of the table in which top faces are looked for."""
    return around_slots(layout, FACE_MARGIN_MM)


def _face_grid(layout: Layout) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the columns and rows, in mm from a piece's corner, at which its face is sampled."""
    x = np.arange(INSET_MM, round(layout.piece.w) - INSET_MM, 2)
    y = np.arange(INSET_MM, round(layout.piece.h) - INSET_MM, 2)
    return x, y


def _shape(layout: Layout) -> tuple[int, int]:
    x, y = _face_grid(layout)
    return len(y), len(x)


def _windows(layout: Layout) -> NDArray[np.intp]:
    """Return the flat pixel numbers (slots, shifts, pixels) of each top face in the face area."""
    area = face_area(layout)
    x, y = _face_grid(layout)
    numbers = []
    for slot in layout.slots:
        left = round(slot.x - layout.piece.w / 2) - area.left
        top = round(slot.y - layout.piece.h / 2) - area.top
        for dy, dx in product(range(-FURTHEST_MM, FURTHEST_MM + 1), repeat=2):
            numbers.append(
                ((top + dy + y)[:, None] * area.width + (left + dx + x)[None, :]).ravel()
            )
    return np.array(numbers).reshape(len(layout.slots), SPAN * SPAN, -1)


def _draw(faces: Chroma) -> Chroma:
    """Return faces (..., pixels, 3) without their mean tones, scaled to length 1: the drawing."""
    count = faces.shape[-2]
    drawn = faces - (np.full((1, count), 1 / count, np.float32) @ faces)
    length = np.sqrt(np.einsum("...pc,...pc->...", drawn, drawn))
    return np.asarray(drawn / np.maximum(length, TINY)[..., None, None], np.float32)


def _compare(faces: Chroma, drawn: Chroma) -> Chroma:
    """Return (...) how alike the drawings of *faces* are to others, both (..., pixels, 3).

    drawn: by `_draw`: since their means are 0, those of *faces* need not be taken out of them.
    """
    count = faces.shape[-2]
    means = (np.full((1, count), 1 / count, np.float32) @ faces)[..., 0, :]
    squares = np.einsum("...pc,...pc->...", faces, faces) - count * (means**2).sum(axis=-1)
    agreed = np.einsum("...pc,...pc->...", faces, drawn)
    return np.asarray(agreed / np.sqrt(np.maximum(squares, TINY)), np.float32)


def lamp_colour(seen: Chroma, known: Chroma) -> Chroma:
    """Return by which tones (3,), lightness apart, *seen* differs from *known* in the middle."""
    apart = (seen - known).reshape(-1, 3)
    return np.asarray(np.median(apart, axis=0) * (0.0, 1.0, 1.0), np.float32)
