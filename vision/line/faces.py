"""Template matching of the pieces' top faces: each slot against the calibrated faces."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.layout import TIKIS, Layout
from vision.geometry.rectification import Area, around_slots
from vision.line.default_faces import load_default_faces
from vision.photometry.chromaticity import Chroma, remove_mean_luminance

AREA_MARGIN_MM: Final = 8.0
"""How far beyond the slots top faces are rectified: more than a piece can be off its slot."""
RIM_MM: Final = 1
"""The rim of a face is left out: there its sides and neighbours show."""
MAX_SHIFT_MM: Final = 5
"""A piece's distance from its slot's centre: slots are wider than pieces, and the calibration
picture as well as the one read may be askew."""
SHIFTS_PER_AXIS: Final = 2 * MAX_SHIFT_MM + 1
"""Shifts are numbered row by row, 1 mm apart, from MAX_SHIFT_MM up and left."""
NO_SHIFT: Final = SHIFTS_PER_AXIS * MAX_SHIFT_MM + MAX_SHIFT_MM
COARSE_SHIFTS: Final = np.array(
    [
        SHIFTS_PER_AXIS * y + x
        for y, x in product(range(1, SHIFTS_PER_AXIS, 2), repeat=2)
        if abs(x - MAX_SHIFT_MM) + abs(y - MAX_SHIFT_MM) < MAX_SHIFT_MM
    ]
)
"""Shifts 2 mm apart, up to 4 mm in all, that are tried for all shortlisted templates."""
SHIFT_PENALTY: Final = 0.02 * np.hypot(
    *np.indices((SHIFTS_PER_AXIS, SHIFTS_PER_AXIS)).reshape(2, -1) - MAX_SHIFT_MM
)
"""Added to the misfit of a calibrated face per mm off its slot's centre."""
MAX_SAME_FACE_MISFIT: Final = 0.42
"""A face that differs more from the known one, at all shifts, is another set's: it is learned where
it should lie."""
SPARSE_STRIDE: Final = 6
"""Every sixth pixel serves for the coarse comparison."""
SHORTLIST: Final = 3
"""Templates, of two per Tiki, that are shifted, and compared in full."""
REFINED: Final = 2
"""Of those, templates that are shifted by single millimetres."""
MIN_CORRELATION: Final = 0.45
"""A lower correlation adds to the misfit: plain wood or skin may have a Tiki's mean colour."""
MAX_LUMINANCE_CHANGE: Final = 0.16
"""A greater change of mean luminance adds to it too: deep shadow and glare change hues."""
EPSILON: Final = 1e-9


class FaceTemplates:
    """The faces of the pieces, and their misfits in the slots of a picture.

    has_defaults: whether faces are known before any is learned: those of the nine Tikis are.
    """

    def __init__(self, layout: Layout) -> None:
        self._indices = _window_indices(layout)
        self._sparse_indices = np.ascontiguousarray(self._indices[..., ::SPARSE_STRIDE])
        columns, rows = _face_grid(layout)
        self.has_defaults = set(layout.names) == set(TIKIS)
        self._templates = (
            load_default_faces(len(rows), len(columns))
            if self.has_defaults
            else np.zeros((len(layout.names), len(rows), len(columns), 3), np.float32)
        )
        self._learned: frozenset[int] = frozenset()
        self._prepare()

    def _prepare(self) -> None:
        # People put pieces down either way round: each face is known upside down as well.
        both = np.concatenate([self._templates, self._templates[:, ::-1, ::-1]])
        pixels = both.reshape(len(both), -1, 3)
        self._full = remove_mean_luminance(pixels)
        self._sparse = remove_mean_luminance(pixels[:, ::SPARSE_STRIDE])
        self._normalised = _normalise(pixels)
        self._luminance = np.where(
            [template % len(self._templates) in self._learned for template in range(len(both))],
            pixels[..., 0].mean(axis=1),
            np.nan,
        )

    def learn(self, chroma: Chroma, slots: Sequence[int], names: Sequence[int]) -> None:
        """Replace the faces *names* by those that stand in *slots* of the picture *chroma*.

        Each is searched for around its slot's centre, by the face that was known before, if it is
        still about the same. Before the first calibration the other faces get the colour cast of
        those seen.
        """
        windows = chroma.reshape(-1, 3)[self._indices[list(slots)]]  # slots, shifts, pixels, 3
        known = self._full[list(names)]
        are_known = self.has_defaults or bool(self._learned)
        cast = _median_cast(remove_mean_luminance(windows[:, NO_SHIFT]), known)
        difference = np.abs(remove_mean_luminance(windows) - known[:, None] - cast)
        misfits = difference.sum(axis=3).mean(axis=2)
        shifts = np.where(
            are_known & (misfits.min(axis=1) < MAX_SAME_FACE_MISFIT),
            (misfits + SHIFT_PENALTY).argmin(axis=1),
            NO_SHIFT,
        )
        seen = windows[np.arange(len(names)), shifts]
        templates = self._templates.copy()
        unseen = sorted(set(range(len(templates))) - self._learned - set(names))
        if unseen and not self._learned:
            templates[unseen] += cast
        templates[list(names)] = seen.reshape(-1, *templates.shape[1:])
        self._templates = templates
        self._learned |= set(names)
        self._prepare()

    def estimate_cast(self, chroma: Chroma, slots: Sequence[int], names: Sequence[int]) -> Chroma:
        """Return the colour cast (3,) of the illumination if *names* stand in *slots*."""
        windows = chroma.reshape(-1, 3)[self._indices[list(slots), NO_SHIFT]]
        return _median_cast(remove_mean_luminance(windows), self._full[list(names)])

    @property
    def learned(self) -> frozenset[int]:
        """The numbers of the faces that were learned."""
        return self._learned

    def find_closest(self) -> tuple[int, int, float] | None:
        """Return which two learned faces look most alike, and their misfit; None before two."""
        count = len(self._templates)
        found = [
            (one, other, min(self._differ(one, other), self._differ(one, other + count)))
            for one, other in combinations(sorted(self._learned), 2)
        ]
        return min(found, key=lambda each: each[2], default=None)

    def _differ(self, one: int, other: int) -> float:
        return float(np.abs(self._full[one] - self._full[other]).sum(axis=-1).mean())

    def match(self, chroma: Chroma) -> NDArray[np.float32]:
        """Return the misfits (slots, names): mean absolute difference, 0 for the very same face.

        Every slot is compared coarsely with all templates, and in full with a shortlist.
        """
        flat = chroma.reshape(-1, 3)
        names = len(self._templates)
        sparse = remove_mean_luminance(  # slots, shifts, pixels, 3
            flat.take(self._sparse_indices[:, COARSE_SHIFTS], axis=0)
        )
        centred = sparse[:, None, len(COARSE_SHIFTS) // 2]
        coarse = np.abs(centred - self._sparse[None]).mean(axis=(2, 3))
        shortlist, shifts = self._shortlist(flat, sparse, coarse)
        misfits = 3.0 * np.minimum(coarse[:, :names], coarse[:, names:])  # summed over channels
        full = self._match_shortlist(flat, shortlist, shifts)
        slot = np.arange(len(shortlist))
        # Best last: of a face and the same upside down, the better one stays.
        for rank in np.argsort(-full, axis=1).T:
            misfits[slot, shortlist[slot, rank] % names] = full[slot, rank]
        return np.asarray(misfits, np.float32)

    def _shortlist(
        self, flat: Chroma, sparse: Chroma, coarse: NDArray[np.float32]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the likeliest templates and their shifts, both (slots, SHORTLIST), best first."""
        shortlist = np.argpartition(coarse, SHORTLIST, axis=1)[:, :SHORTLIST]
        difference = np.abs(sparse[:, None] - self._sparse[shortlist][:, :, None])
        shifted = difference.sum(axis=(3, 4))
        slot, order = np.arange(len(sparse))[:, None], shifted.min(axis=2).argsort(axis=1)
        shortlist, shifted = shortlist[slot, order], shifted[slot, order]
        shifts = COARSE_SHIFTS[shifted.argmin(axis=2)]
        shifts[:, :REFINED] = self._refine_shifts(flat, shortlist[:, :REFINED], shifts[:, :REFINED])
        return shortlist, shifts

    def _refine_shifts(
        self, flat: Chroma, templates: NDArray[np.intp], shifts: NDArray[np.intp]
    ) -> NDArray[np.intp]:
        """Return the shifts (slots, REFINED) that fit best within 1 mm of *shifts*."""
        neighbours = [SHIFTS_PER_AXIS * y + x for y, x in product((-1, 0, 1), repeat=2)]
        nearby = shifts[..., None] + np.array(neighbours)
        slot = np.arange(len(shifts))[:, None, None]
        windows = remove_mean_luminance(flat.take(self._sparse_indices[slot, nearby], axis=0))
        misfits = np.abs(windows - self._sparse[templates][:, :, None]).sum(axis=(3, 4))
        best = misfits.argmin(axis=2)[..., None]
        return np.asarray(np.take_along_axis(nearby, best, axis=2)[..., 0], np.intp)

    def _match_shortlist(
        self, flat: Chroma, shortlist: NDArray[np.intp], shifts: NDArray[np.intp]
    ) -> NDArray[np.float32]:
        """Return the misfits (slots, SHORTLIST) of shortlisted templates over all their pixels."""
        slot = np.arange(len(shortlist))[:, None]
        windows = flat.take(self._indices[slot, shifts], axis=0)
        seen, known = remove_mean_luminance(windows), self._full[shortlist]
        penalty = np.maximum(0.0, MIN_CORRELATION - _correlate(seen, self._normalised[shortlist]))
        luminance_change = np.abs(
            np.nan_to_num(windows[..., 0].mean(axis=-1) - self._luminance[shortlist])
        )
        penalty += np.maximum(0.0, luminance_change - MAX_LUMINANCE_CHANGE)
        difference = np.abs(seen - known).reshape(*shortlist.shape, -1)
        return np.asarray(difference.sum(axis=-1) / seen.shape[-2] + penalty)


def face_area(layout: Layout) -> Area:
    """Return the part of the table in which top faces are rectified."""
    return around_slots(layout, AREA_MARGIN_MM)


def _face_grid(layout: Layout) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the columns and rows, in mm from a piece's corner, at which its face is sampled."""
    x = np.arange(RIM_MM, round(layout.piece.w) - RIM_MM, 2)
    y = np.arange(RIM_MM, round(layout.piece.h) - RIM_MM, 2)
    return x, y


def _window_indices(layout: Layout) -> NDArray[np.intp]:
    """Return flat pixel indices (slots, shifts, pixels) of each top face in the face area."""
    area = face_area(layout)
    x, y = _face_grid(layout)
    indices = []
    for slot in layout.slots:
        left = round(slot.x - layout.piece.w / 2) - area.left
        top = round(slot.y - layout.piece.h / 2) - area.top
        for dy, dx in product(range(-MAX_SHIFT_MM, MAX_SHIFT_MM + 1), repeat=2):
            rows, columns = top + dy + y, left + dx + x
            indices.append((rows[:, None] * area.width + columns[None, :]).ravel())
    return np.array(indices).reshape(len(layout.slots), SHIFTS_PER_AXIS**2, -1)


def _normalise(faces: Chroma) -> Chroma:
    """Return faces (..., pixels, 3) with zero mean per channel and unit norm."""
    count = faces.shape[-2]
    centred = faces - (np.full((1, count), 1 / count, np.float32) @ faces)
    norm = np.sqrt(np.einsum("...pc,...pc->...", centred, centred))
    return np.asarray(centred / np.maximum(norm, EPSILON)[..., None, None], np.float32)


def _correlate(faces: Chroma, normalised: Chroma) -> Chroma:
    """Return the correlation (...) of *faces* with *normalised* ones, both (..., pixels, 3).

    The means of *normalised* are 0, so those of *faces* need not be subtracted.
    """
    count = faces.shape[-2]
    means = (np.full((1, count), 1 / count, np.float32) @ faces)[..., 0, :]
    energy = np.einsum("...pc,...pc->...", faces, faces) - count * (means**2).sum(axis=-1)
    covariance = np.einsum("...pc,...pc->...", faces, normalised)
    return np.asarray(covariance / np.sqrt(np.maximum(energy, EPSILON)), np.float32)


def _median_cast(seen: Chroma, known: Chroma) -> Chroma:
    """Return the median chromaticity (3,) of *seen* beyond *known*, luminance set to 0."""
    difference = (seen - known).reshape(-1, 3)
    return np.asarray(np.median(difference, axis=0) * (0.0, 1.0, 1.0), np.float32)
