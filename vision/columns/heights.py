"""Estimate each column on a board: its height by a network and cues, its top by learned colours.

The network gets a patch around each cell (`patches.py`) and the projected height axis, which marks
the rows in which tops should appear (`height_axis.py`). It was trained on rendered tables in all
colours (`rendering`), so that it knows shapes and shading, not colours.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cue_fusion import (
    MIN_STANDING,
    Posterior,
    add_outliers,
    find_certain,
    find_uncertain,
    fuse,
)
from vision.columns.cues.cast_shadows import CastShadows
from vision.columns.cues.top_registration import TopRegistration
from vision.columns.empty_cells import EmptyCellDetector
from vision.columns.grid import HIGHEST, TALLEST, Column, Grid, height_of, list_columns
from vision.columns.height_axis import BIN_PX, BINS, build_inputs
from vision.columns.model import FIGURE_COMPARISON, FIGURE_SHADOWS, PAIR_ERRORS, Model
from vision.columns.patches import Patches, PatchGeometry, View
from vision.columns.reference_colours import ColourModelSet
from vision.columns.top_colours import TopColours
from vision.columns.visibility import Saturated, are_occluded, are_saturated, find_saturated
from vision.inference import load_network, softmax
from vision.observation import EMPTY, HIDDEN, Evidence, Table

Cells: TypeAlias = Sequence[Sequence[Sequence[str]]]
"""Rows of cells, each a list of colours from bottom to top."""
TopLikelihoods: TypeAlias = NDArray[np.float64]
"""(cells, TALLEST, colours): how likely each colour is on top of a column of each height."""

MAPS: Final = ("foot", "top", "seams")
FOOT, TOP = 0, 1
CLASSES: Final = TALLEST + 2
"""Heights from 0 to TALLEST, then hidden."""
ROW_SIGMA_PX: Final = 1.0
"""Standard deviation of a located foot or top. Usual on rendered tables."""
STACKING_SIGMA_MM: Final = 0.6
"""Standard deviation of the offset between a piece and the one below. Usual on rendered tables."""
SHIFT_CANDIDATES_PX: Final = np.arange(-4.0, 6.1, 0.5)
STRETCH_CANDIDATES: Final = (0.9, 0.95, 1.0, 1.05, 1.1)
SHIFT_SIGMA_PX: Final = 3.0
"""Prior standard deviation of the shift of `SpanFit`: pieces differ from their stated sizes."""
STRETCH_SIGMA: Final = 0.05
"""Prior standard deviation of its stretch."""
SPAN_SIGMA_PX: Final = 1.5
MIN_SPAN_LIKELIHOOD: Final = 1e-3
"""Keeps a height that the network supports from being ruled out by its span alone."""
OUTLIER_LIKELIHOOD: Final = 0.009
"""Likelihood of a span that fits no height: the column is occluded. Fitted on rendered tables."""
MIN_HEIGHT_PROBABILITY: Final = 1e-3
"""Tops of less likely heights are not classified, to save time."""
UNKNOWN_HEIGHT: Final = -1
UNCHANGED_PROBABILITY: Final = 0.99
"""Probability of the known class at a cell that looks unchanged."""
EMPTY_POSTERIOR: Final = np.array([0.995, *[0.0] * TALLEST, 0.005], np.float32)
"""Probabilities of a cell that matches its template of the empty board."""
EPSILON: Final = 1e-12
SHADOWS_BELOW: Final = 0.9995
"""Shadows are measured for columns less certain than this."""
CUE_POWER: Final = 0.8
"""To which column and shadow are raised: dim light and poor focus mislead both."""
REGISTRATION_BELOW: Final = 0.9997
"""Tops are registered for columns less certain than this: column and shadow are overconfident."""
OUTLIER_SHARE: Final = 0.003
"""Prior of each height if column and shadow are wrong together."""
MIN_SHADOW_REFERENCE: Final = 0.93
"""Columns with a higher probability serve as references for shadows."""
MAX_SHADOW_REFERENCES: Final = 6
"""So many of them, the nearest, tell as much as all."""
MIN_TOP_REFERENCE: Final = 0.97
"""Columns with a higher probability serve as references for tops."""


def name_class(colour: str, height: int) -> str:
    """Return the class of a column of *height* pieces with *colour* on top.

    >>> name_class("tac", 2)
    'tac 2'
    """
    return f"{colour} {height}"


@dataclass(frozen=True, slots=True, eq=False)
class HeightPrediction:
    """What the network predicts for the cells of one picture.

    classes: (cells, CLASSES) probabilities.  spans: (cells, BINS) probability that a column's top
    lies so many bins beyond its foot.
    """

    classes: NDArray[np.float64]
    spans: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class SpanFit:
    """How the spans of this set of pieces, through this lens, differ from their stated sizes.

    shift_px: added to every span.  stretch: factor of every span.
    """

    shift_px: float = 0.0
    stretch: float = 1.0


def predict_heights(model: Model, patches: Patches, geometry: PatchGeometry) -> HeightPrediction:
    """Return the network's prediction for *patches* with that *geometry*."""
    inputs = build_inputs(patches, geometry.top_rows, geometry.pixels_per_level, model)
    rows, classes = (part.astype(np.float64) for part in load_network(model.path).run(**inputs))
    maps = softmax(rows.reshape(-1, len(MAPS), BINS))
    foot, top = (np.fft.rfft(maps[:, index], 2 * BINS) for index in (FOOT, TOP))
    spans = np.fft.irfft(np.conj(foot) * top, 2 * BINS)[:, :BINS]
    return HeightPrediction(softmax(classes), np.maximum(spans, 0.0))


def estimate_heights(
    prediction: HeightPrediction, geometry: PatchGeometry, fit: SpanFit
) -> Posterior:
    """Return the probabilities (cells, CLASSES): class prediction times likelihood of the span."""
    posterior = prediction.classes.copy()
    standing = posterior[:, 1:-1]
    levels = np.arange(TALLEST)
    sigma_px = np.sqrt(ROW_SIGMA_PX**2 + levels * (STACKING_SIGMA_MM / geometry.mm_per_row) ** 2)
    residuals = BIN_PX * np.arange(BINS) - expected_spans(geometry, fit)[..., None]
    densities = np.exp(-0.5 * (residuals / sigma_px[..., None]) ** 2) / sigma_px[..., None]
    likelihood = np.einsum("sd,shd->sh", prediction.spans, densities)
    share = standing.sum(axis=1, keepdims=True)
    fit_at_all = (standing * likelihood).sum(axis=1, keepdims=True) / np.maximum(share, EPSILON)
    outlier = share * OUTLIER_LIKELIHOOD / (OUTLIER_LIKELIHOOD + fit_at_all)
    likelihood /= np.maximum(likelihood.sum(axis=1, keepdims=True), EPSILON)
    product = standing * (likelihood + MIN_SPAN_LIKELIHOOD)
    total = np.maximum(product.sum(axis=1, keepdims=True), EPSILON)
    posterior[:, 1:-1] = product * ((share - outlier) / total)
    posterior[:, -1:] += outlier
    posterior[~geometry.in_view] = np.eye(CLASSES)[-1]
    return np.asarray(posterior, np.float32)


def expected_spans(geometry: PatchGeometry, fit: SpanFit) -> NDArray[np.float64]:
    """Return (cells, TALLEST): pixels from foot to top of a column of each height."""
    return np.asarray(
        (geometry.top_rows[:, 1:] - geometry.foot_row) * fit.stretch + fit.shift_px, np.float64
    )


def fit_spans(
    prediction: HeightPrediction, geometry: PatchGeometry, heights: NDArray[np.intp]
) -> SpanFit:
    """Return the most probable fit, given the known *heights* (cells,)."""
    standing = np.flatnonzero(heights)
    bins_px = BIN_PX * np.arange(BINS)

    def score(fit: SpanFit) -> float:
        spans = expected_spans(geometry, fit)[standing, heights[standing] - 1]
        near = np.exp(-0.5 * ((bins_px - spans[:, None]) / SPAN_SIGMA_PX) ** 2)
        likelihood = (prediction.spans[standing] * near).sum(axis=1) + MIN_SPAN_LIKELIHOOD
        prior = (fit.shift_px / SHIFT_SIGMA_PX) ** 2 + ((fit.stretch - 1.0) / STRETCH_SIGMA) ** 2
        return float(np.log(likelihood).sum() - prior / 2.0)

    grid = [SpanFit(float(px), by) for px in SHIFT_CANDIDATES_PX for by in STRETCH_CANDIDATES]
    return max(grid, key=score)


class Heights:
    """Estimates the columns on one grid, calibrated by one picture whose columns are known.

    tops: the colours of tops.
    closest_to_board: which colour looks most like the empty cells, and its distance.
    """

    def __init__(self, grid: Grid, model: Model, floor_z: float, view: View, cells: Cells) -> None:
        """Calibrate by *view*, on which exactly *cells* stand.

        floor_z: height in mm of their feet above the plane of the view's pose.  On an empty board
        only its empty cells are learned; colours are the usual ones until they are seen.
        """
        self._model, self._cells = model, grid.cells
        columns = (
            name_class(colour, each) for each in range(1, TALLEST + 1) for colour in grid.colours
        )
        self._classes = (EMPTY, HIDDEN, *columns)
        flat = [cell for row in cells for cell in row]
        known = np.array([len(cell) for cell in flat])
        stands = list_columns(flat, grid.colours)
        self.tops = TopColours(grid, view.light)
        self._saturated: Saturated | None = None
        self._empty = EmptyCellDetector(grid, floor_z)
        self._empty.learn(view, known == 0)
        self.closest_to_board: tuple[int, float] | None = None
        self._fit = SpanFit()
        self._shadows: CastShadows | None = None
        self._registration: TopRegistration | None = None
        if not stands:
            return
        self.set_reference(view, stands)
        self.closest_to_board = self.tops.find_closest_to_board(view, known)
        self._fit = fit_spans(
            predict_heights(model, view.patches, view.geometry), view.geometry, known
        )
        if model is Model.FIGURES:
            self._shadows = CastShadows(grid, floor_z, FIGURE_SHADOWS, FIGURE_COMPARISON)
            self._shadows.learn(view, known)
            self._registration = TopRegistration(grid, floor_z, PAIR_ERRORS)
            self._registration.learn(view, stands)

    def set_reference(self, view: View, columns: Sequence[Column]) -> None:
        """Learn from *view* what colours known *columns* have (`TopColours.learn`), and glare."""
        self.tops.learn(view, columns)
        self._saturated = find_saturated(view)

    def read(
        self, view: View, known: Table = (), needed: NDArray[np.float64] | None = None
    ) -> tuple[Evidence, ...]:
        """Return evidence for each cell: EMPTY, HIDDEN and the classes of `name_class`.

        known: the class of cells that need not be estimated, None for the others; () if there are
        none.  needed: (cells,) the probability at which a column needs no further cue; None for the
        usual thresholds.
        """
        heights = [height_of(content) for content in known] or [None] * len(self._cells)
        fixed = np.array([UNKNOWN_HEIGHT if height is None else height for height in heights])
        posterior = self._estimate_columns(view, fixed)
        limit = np.ones(len(posterior)) if needed is None else needed
        self._fuse_shadows(view, posterior, limit)
        self._fuse_top_registration(view, posterior, limit)
        likeliest = posterior[:, :-1].argmax(axis=1)
        for cell, content in enumerate(known):
            if content is not None:
                likeliest[cell] = height_of(content, HIGHEST)
        occluded = are_occluded(view.geometry, likeliest) & (fixed == UNKNOWN_HEIGHT)
        posterior[occluded] = np.eye(CLASSES)[-1]
        colours = self.tops.select_models(view, known)
        columns = posterior[:, 1:-1, None] * self._classify_tops(view, posterior, fixed, colours)
        shares = np.concatenate(
            [posterior[:, [0, -1]], columns.reshape(len(posterior), -1)], axis=1
        )
        named = [dict(zip(self._classes, row, strict=True)) for row in shares.tolist()]
        for cell, content in enumerate(known):
            if content is not None:
                named[cell] = {content: UNCHANGED_PROBABILITY, HIDDEN: 1.0 - UNCHANGED_PROBABILITY}
        return tuple(map(Evidence, named))

    def tell_alone(self, view: View, cells: NDArray[np.intp]) -> Posterior:
        """Return the posterior of some *cells* (n,) by the network alone, which knows no past."""
        geometry = view.geometry.select(cells)
        patches = view.geometry.crop(view.picture, cells)
        prediction = predict_heights(self._model, patches, geometry)
        return estimate_heights(prediction, geometry, self._fit)

    def _estimate_columns(self, view: View, fixed: NDArray[np.intp]) -> Posterior:
        """Return the posterior of each cell by templates of empty cells and by the network.

        fixed: (cells,) heights that are known, else UNKNOWN_HEIGHT.
        """
        unknown = fixed == UNKNOWN_HEIGHT
        empty = self._empty.detect(view, unknown)
        posterior = np.tile(EMPTY_POSTERIOR, (len(empty), 1))
        posterior[~unknown] = np.eye(CLASSES)[fixed[~unknown]]
        cells = np.flatnonzero(unknown & ~empty)
        if len(cells):
            posterior[cells] = self.tell_alone(view, cells)
            # Columns that lean over an empty cell are known only now.
            unclear = unknown & (posterior[:, 1:-1].max(axis=1) < MIN_STANDING)
            heights = posterior[:, :-1].argmax(axis=1)
            empty |= self._empty.detect(view, unclear & ~empty, heights)
            posterior[empty] = EMPTY_POSTERIOR
        saturated = are_saturated(view, posterior, self._saturated)
        posterior[saturated & unknown & ~empty] = np.eye(CLASSES)[-1]
        return posterior

    def _fuse_shadows(self, view: View, posterior: Posterior, limit: NDArray[np.float64]) -> None:
        """Fuse the cast shadows of uncertain columns into *posterior*."""
        cells = find_uncertain(posterior, np.minimum(limit, SHADOWS_BELOW))
        if self._shadows is None or not self._shadows.light_sources or not len(cells):
            return
        heights = posterior[:, :-1].argmax(axis=1)
        references = self._nearest(find_certain(posterior, MIN_SHADOW_REFERENCE), cells)
        likelihood = self._shadows.estimate(view, heights, cells, references)
        fuse(posterior, cells, posterior[cells, 1:-1] ** CUE_POWER, likelihood**CUE_POWER)

    def _nearest(self, references: NDArray[np.intp], cells: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the MAX_SHADOW_REFERENCES of *references* that are nearest to any of *cells*."""
        others = np.setdiff1d(references, cells)
        centres = np.array(self._cells)
        apart = np.linalg.norm(centres[others][:, None] - centres[cells], axis=2).min(axis=1)
        nearest = others[np.argsort(apart)[:MAX_SHADOW_REFERENCES]]
        return np.union1d(nearest, np.intersect1d(references, cells))

    def _fuse_top_registration(
        self, view: View, posterior: Posterior, limit: NDArray[np.float64]
    ) -> None:
        """Fuse the scale of uncertain tops, registered against known ones, into *posterior*."""
        cells = find_uncertain(posterior, np.minimum(limit, REGISTRATION_BELOW))
        if self._registration is None or self.tops.is_overexposed(view) or not len(cells):
            return
        references = find_certain(posterior, MIN_TOP_REFERENCE)
        uncertain = self._list_columns(view, posterior, cells)
        certain = self._list_columns(view, posterior, references)
        prior = add_outliers(posterior, cells, OUTLIER_SHARE)
        fuse(posterior, cells, prior, self._registration.estimate(view, uncertain, certain, prior))

    def _list_columns(
        self, view: View, posterior: Posterior, cells: NDArray[np.intp]
    ) -> list[Column]:
        """Return the most probable column at each of the *cells*."""
        if not len(cells):
            return []
        heights = 1 + posterior[cells, 1:-1].argmax(axis=1)
        columns = np.column_stack([cells, heights])
        scores = self.tops.classify(view, posterior[:, :-1].argmax(axis=1), columns)
        each = zip(cells.tolist(), heights.tolist(), scores.argmax(axis=1).tolist(), strict=True)
        return [Column(*column) for column in each]

    def _classify_tops(
        self,
        view: View,
        posterior: Posterior,
        fixed: NDArray[np.intp],
        colours: ColourModelSet | None,
    ) -> TopLikelihoods:
        """Return how likely each colour is on top of the columns that may stand there.

        fixed: heights that are known; their tops are skipped.  colours: under the present light,
        None if unknown.
        """
        count = len(self._classes[2:]) // TALLEST
        tops = np.full((len(posterior), TALLEST, count), 1.0 / count)
        likely = posterior[:, 1:-1] > MIN_HEIGHT_PROBABILITY
        cells, levels = np.nonzero(likely & (fixed == UNKNOWN_HEIGHT)[:, None])
        if len(cells) and colours is not None:
            columns = np.column_stack([cells, levels + 1])
            heights = posterior[:, :-1].argmax(axis=1)
            tops[cells, levels] = self.tops.classify(view, heights, columns, colours)
        return tops
