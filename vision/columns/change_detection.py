"""Estimate which cells of a board look as they did in the last picture that was believed.

An unchanged cell keeps its content, at no further cost. Both pictures are compared in the same
rectified patches, whatever moved the camera, after the global change of illumination has been
removed. Residuals are judged relative to their median, since most cells have not changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.columns.grid import height_of
from vision.columns.patches import PATCH_COLUMNS, PATCH_ROWS, Patches, PatchGeometry
from vision.columns.table_reference import TableReference
from vision.geometry.peak import interpolate_peak
from vision.observation import Table

# The values below were chosen on four recorded games and altered pictures of these.
DOWNSAMPLING: Final = 2
"""Patches are averaged over blocks of so many pixels square, against noise."""
IGNORED_EDGE_COLUMNS: Final = 4
"""Downsampled columns at either side of a patch, where neighbours lean in."""
COMPARED_PX_BEYOND_TOP: Final = 10
"""A patch is compared up to so many rows beyond the top of one more piece."""
NOISE_LEVELS: Final = 6
"""Added to levels before they are divided: below this there is more noise than light."""
MIN_GAIN: Final = 0.12
"""In so little of the reference's light a picture shows no cell."""
MIN_MEDIAN_RESIDUAL: Final = 0.25
"""Residuals are relative to no less than this, in levels."""
UNCHANGED_TO_CHANGED_RESIDUAL: Final = (1.8, 4.5)
"""Residuals of cells that surely did not, and did change, relative to the picture's median."""
SAME_TO_OTHER_SCENE_RESIDUAL: Final = (1.4, 2.5)
"""Median residuals, in levels, from which looks say less, and at which they say nothing: then the
illumination or the camera is another."""
MAX_UNCHANGED, MIN_UNCHANGED = 0.98, 0.04
"""Limits of the probability that a cell is unchanged; shadows of other cells change looks too."""
MIN_UNCHANGED_TO_KEEP_CONTENT: Final = 0.95
"""A cell so probably unchanged is not read at all."""
MIN_UNCHANGED_TO_SKIP_CUES: Final = 0.9
"""A cell so probably unchanged is read by its own look alone."""
CONFIDENCE_TO_SKIP_CUES: Final = 0.85
"""Confidence at which a cell that is rather unchanged than not needs no cue but its own look."""
MAX_PIXELS_PER_LEVEL_TO_MEASURE_SHIFT: Final = 7.0
"""Where a further piece moves a top by more rows than this, the residual shows it."""
TEMPLATE_HALF_PX: Final = 16
"""Half the side of the template of a top, in pixels of a patch: nearly a radius of a piece."""
SEARCH_ALONG_AND_ACROSS_PX: Final = (9, 4)
"""How far from its place a top is searched for, along a patch and across."""
UNMOVED_SIGMA_PX, PLACED_SIGMA_PX = 0.4, 1.2
"""Standard deviations of the shifts measured of an unmoved top and of a newly placed piece."""
NO_EVIDENCE: Final = 0.5
"""Probability of being unchanged where looks say nothing."""

Downsampled: TypeAlias = NDArray[np.uint8]
"""(cells, rows, columns, 3): patches at half the resolution, blurred."""


@dataclass(frozen=True, slots=True, eq=False)
class _Appearance:
    """All cells in one picture.  grey: (cells, PATCH_ROWS, PATCH_COLUMNS), blurred."""

    downsampled: Downsampled
    grey: NDArray[np.uint8]


class ChangeDetector(TableReference[_Appearance]):
    """Compares the cells of one board with the picture that was last believed."""

    def compare(self, frame: str, patches: Patches, geometry: PatchGeometry) -> tuple[float, ...]:
        """Return the probability that each cell is unchanged; () without a reference.

        patches: of the picture *frame*, which may be believed later.
        """
        now, reference = _Appearance(_downsample(patches), _to_grey(patches)), self._reference
        self._pending.keep(frame, now)
        if reference is None:
            return ()
        heights = np.array([height_of(content) or 0 for content in self.table])
        rows = _select_rows(geometry, heights)
        residuals = _measure_residuals(reference.downsampled, now.downsampled, rows)
        median = max(float(np.median(residuals)), MIN_MEDIAN_RESIDUAL)
        if not np.isfinite(median):
            return (NO_EVIDENCE,) * len(heights)
        highest = np.interp(median, SAME_TO_OTHER_SCENE_RESIDUAL, [MAX_UNCHANGED, NO_EVIDENCE])
        limits = [float(highest), MIN_UNCHANGED]
        unchanged = np.interp(residuals / median, UNCHANGED_TO_CHANGED_RESIDUAL, limits)
        is_subtle = geometry.pixels_per_level < MAX_PIXELS_PER_LEVEL_TO_MEASURE_SHIFT
        for cell in np.flatnonzero((heights > 0) & is_subtle & (unchanged > NO_EVIDENCE)):
            row = float(geometry.top_rows[cell, heights[cell]])
            shift_px = _measure_top_shift(reference.grey[cell], now.grey[cell], row)
            pixels_per_level = float(geometry.pixels_per_level[cell])
            unmoved = _unmoved_probability(shift_px, pixels_per_level)
            unchanged[cell] = min(unchanged[cell], unmoved)
        return tuple(unchanged.tolist())


def keep_unchanged(table: Table, unchanged: Sequence[float]) -> Table:
    """Return the content of cells that are unchanged beyond doubt, None for all others.

    >>> keep_unchanged(("tac 2", "empty"), (0.98, 0.8))
    ('tac 2', None)
    """
    if not unchanged:
        return (None,) * len(table)
    pairs = zip(table, unchanged, strict=True)
    return tuple(
        content if probability >= MIN_UNCHANGED_TO_KEEP_CONTENT else None
        for content, probability in pairs
    )


def required_confidence(unchanged: Sequence[float]) -> NDArray[np.float64] | None:
    """Return at which confidence each cell needs no further cues; None if nothing was compared.

    >>> required_confidence((0.98, 0.2, 0.8)).tolist()
    [0.0, 1.0, 0.85]
    """
    if not unchanged:
        return None
    probabilities = np.array(unchanged)
    conditions = [probabilities >= MIN_UNCHANGED_TO_SKIP_CUES, probabilities > NO_EVIDENCE]
    return np.select(conditions, [0.0, CONFIDENCE_TO_SKIP_CUES], 1.0)


def _downsample(patches: Patches) -> Downsampled:
    rows, columns = PATCH_ROWS // DOWNSAMPLING, PATCH_COLUMNS // DOWNSAMPLING
    size = (columns, len(patches) * rows)
    small = cv2.resize(patches.reshape(-1, PATCH_COLUMNS, 3), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(small, (3, 3)).reshape(-1, rows, columns, 3), np.uint8)


def _to_grey(patches: Patches) -> NDArray[np.uint8]:
    grey = cv2.cvtColor(patches.reshape(-1, PATCH_COLUMNS, 3), cv2.COLOR_BGR2GRAY)
    return np.asarray(cv2.blur(grey, (3, 3)), np.uint8).reshape(-1, PATCH_ROWS, PATCH_COLUMNS)


def _select_rows(geometry: PatchGeometry, heights: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Return which rows (cells, rows) of downsampled patches show columns and one piece more."""
    one_more = np.minimum(heights + 1, geometry.top_rows.shape[1] - 1)
    last = geometry.top_rows[np.arange(len(heights)), one_more] + COMPARED_PX_BEYOND_TOP
    rows = DOWNSAMPLING * np.arange(PATCH_ROWS // DOWNSAMPLING)
    # The first two rows are blurred with those of the patch before.
    return np.asarray((rows >= 2 * DOWNSAMPLING) & (rows < last[:, None]), np.bool_)


def _measure_residuals(
    reference: Downsampled, now: Downsampled, rows: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return the mean residual (cells,) in levels of *rows*, after the change of illumination.

    Infinite in the dark.

    A pixel may show what was a pixel beside it, since poses err and pieces are nudged.
    """
    every_third = (slice(None), slice(None, None, 3), slice(None, None, 3))
    sparse = (
        part[every_third].reshape(-1, 3) + np.float32(NOISE_LEVELS) for part in (now, reference)
    )
    gains = np.median(np.divide(*sparse), axis=0)
    if gains.max() < MIN_GAIN:
        return np.full(len(rows), np.inf)
    levels = (np.arange(256.0)[:, None] + NOISE_LEVELS) * gains - NOISE_LEVELS
    table = np.clip(levels, 0, 255).astype(np.uint8).reshape(1, 256, 3)
    expected = cv2.LUT(reference.reshape(-1, reference.shape[2], 3), table)
    flat, around = now.reshape(expected.shape), np.ones((3, 3), np.uint8)
    # OpenCV's difference of uint8 is 0 where it would be negative.
    residuals = cv2.subtract(cv2.erode(expected, around), flat)
    residuals = cv2.add(residuals, cv2.subtract(flat, cv2.dilate(expected, around)))
    inner = residuals.reshape(reference.shape)[:, :, IGNORED_EDGE_COLUMNS:-IGNORED_EDGE_COLUMNS]
    sums = (inner.mean(axis=(2, 3)) * rows).sum(axis=1)
    return np.asarray(sums / np.maximum(rows.sum(axis=1), 1), np.float64)


def _measure_top_shift(reference: NDArray[np.uint8], now: NDArray[np.uint8], row: float) -> float:
    """Return by how many pixels the top that was in that *row* of its patch has moved outwards."""
    half = TEMPLATE_HALF_PX
    first = min(max(round(row) - half, 0), PATCH_ROWS - 2 * half)
    left, right = PATCH_COLUMNS // 2 - half, PATCH_COLUMNS // 2 + half
    along, across = SEARCH_ALONG_AND_ACROSS_PX
    low, high = max(first - along, 0), min(first + 2 * half + along, PATCH_ROWS)
    template = reference[first : first + 2 * half, left:right]
    searched = now[low:high, left - across : right + across]
    correlation = cv2.matchTemplate(searched, template, cv2.TM_CCOEFF_NORMED)
    best, column = np.unravel_index(int(correlation.argmax()), correlation.shape)
    return float(low + best + interpolate_peak(correlation[:, column], int(best)) - first)


def _unmoved_probability(shift_px: float, pixels_per_level: float) -> float:
    """Return the probability that a top which seems to have moved so far is the one that lay there.

    A piece put on one of its own colour, or taken off one, looks like a top moved by a level.

    >>> [round(_unmoved_probability(shift, 3.5), 2) for shift in (0.0, 1.2, 3.5)]
    [0.98, 0.17, 0.04]
    >>> round(_unmoved_probability(0.0, 1.0), 2)
    0.81
    """
    unmoved = np.exp(-0.5 * (shift_px / UNMOVED_SIGMA_PX) ** 2) / UNMOVED_SIGMA_PX
    off = (abs(shift_px) - pixels_per_level) / PLACED_SIGMA_PX
    moved = np.exp(-0.5 * off**2) / PLACED_SIGMA_PX
    return float(np.clip(unmoved / max(unmoved + moved, 1e-12), MIN_UNCHANGED, MAX_UNCHANGED))
