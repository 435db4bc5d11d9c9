"""Read the columns on a board: a network tells how high they are, learned colours what is on top.

The network sees a patch around each spot (`patches.py`) and a ruler that marks in which rows
tops of columns should appear there. It was trained on rendered tables of our own making
(`vision/training`), in all colours, so that it knows shapes and shades, not paints.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.columns.cue_fusion import (
    DOUBTED,
    CueLikelihood,
    Odds,
    add_outliers,
    check_leave_one_out,
    find_certain,
    find_uncertain,
    fuse,
)
from vision.columns.cues.cast_shadows import CastShadows
from vision.columns.cues.irradiance import Irradiance
from vision.columns.cues.outlines import Outlines
from vision.columns.cues.relief import Relief
from vision.columns.cues.top_registration import TopRegistration
from vision.columns.empty_cells import EmptyCellDetector
from vision.columns.grid import TALLEST, Column, Grid, height_of, list_columns
from vision.columns.height_axis import BIN_PX, BINS, build_inputs
from vision.columns.model import OUTLINES, TRUST, Model
from vision.columns.patches import Patches, PatchGeometry, View
from vision.columns.reference_colours import ColourModelSet
from vision.columns.top_colours import TopColours
from vision.columns.visibility import are_occluded, are_saturated
from vision.inference import load_network, softmax
from vision.observation import EMPTY, HIDDEN, Evidence, Table

Cells: TypeAlias = Sequence[Sequence[Sequence[str]]]
"""Rows of spots, each a list of paints from the bottom to the top."""
Tops: TypeAlias = NDArray[np.float64]
"""(spots, TALLEST, paints): how likely each paint is on top of a column of each height."""

MAPS: Final = ("foot", "top", "seams")
FOOT, TOP = 0, 1
CLASSES: Final = TALLEST + 2
"""Heights from 0 to TALLEST, and hidden."""
BLUR_PX: Final = 1.0
"""How far from its row a foot or a top is usually found."""
STRAY_MM: Final = 0.6
"""How far a piece usually lies from the one below it, along a line."""
SHIFTS: Final = np.arange(-4.0, 6.1, 0.5)
STRETCHES: Final = (0.9, 0.95, 1.0, 1.05, 1.1)
SHIFT_PX, STRETCH = 3.0, 0.05
"""How far a set of pieces usually differs from what its sizes say."""
FIT_PX: Final = 1.5
FLOOR: Final = 1e-3
"""No height that the network believes in is wholly ruled out by where foot and top lie."""
ODD: Final = 0.009
"""How likely a span is that fits no height; where none fits better, something is in the way."""
LOST: Final = 0.3
"""A spot that is as likely hidden as this may hold a column too tall for its patch."""
UNLIKELY: Final = 1e-3
"""What lies on top at less likely heights is not looked at."""
UNKNOWN: Final = -1
AS_BEFORE: Final = 0.99
"""How likely a place holds what it did if it looks so."""
BARE: Final = np.array([0.995, *[0.0] * TALLEST, 0.005], np.float32)
"""The odds of a spot that looks as it did when nothing stood there."""
TINY: Final = 1e-12
OUTLINED: Final = 0.998
"""Outlines, and light, are asked wherever a column may stand that is less certain than this."""
LIKENED: Final = 0.9997
"""The same of likeness to known tops, which catches what columns and shadows are too sure of."""
MISTAKEN: Final = 0.003
"""How likely column and shadow are mistaken together, for each height that the top may tell."""
ALONE: Final = 0.4
"""Where outlines are asked, a height must be as likely as this without any one of all who tell."""
KNOWN, SHOWN = 0.93, 0.97
"""Columns whose heights are more certain than this show how shadows look, and tops."""


def name_class(paint: str, height: int) -> str:
    """Return the class of a column of *height* pieces with *paint* on top.

    >>> name_class("tac", 2)
    'tac 2'
    """
    return f"{paint} {height}"


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What the network says of all spots of one picture.

    kinds: (spots, CLASSES) probabilities.  spans: (spots, BINS) how likely a column's top lies so
    many bins beyond its foot.
    """

    kinds: NDArray[np.float64]
    spans: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Fit:
    """How the spans of a set of pieces differ from what their sizes say; the lens has its part too.

    shift_px: how much longer every column looks.  stretch: how much longer each level looks.
    """

    shift_px: float = 0.0
    stretch: float = 1.0


def predict_heights(model: Model, patches: Patches, spots: PatchGeometry) -> Told:
    """Return what the network says of *patches*, cut at *spots*."""
    seen = build_inputs(patches, spots.top_rows, spots.pixels_per_level, model)
    rows, kinds = (part.astype(np.float64) for part in load_network(model.path).run(**seen))
    places = softmax(rows.reshape(-1, len(MAPS), BINS))
    foot, top = (np.fft.rfft(places[:, index], 2 * BINS) for index in (FOOT, TOP))
    spans = np.fft.irfft(np.conj(foot) * top, 2 * BINS)[:, :BINS]
    return Told(softmax(kinds), np.maximum(spans, 0.0))


def estimate_heights(told: Told, spots: PatchGeometry, fit: Fit) -> Odds:
    """Return the probability (spots, CLASSES) of each height of each spot, the last of hidden."""
    odds = told.kinds.copy()
    standing = odds[:, 1:-1]
    levels = np.arange(TALLEST)
    spread = np.sqrt(BLUR_PX**2 + levels * (STRAY_MM / spots.mm_per_row[:, None]) ** 2)
    off = BIN_PX * np.arange(BINS) - spans_of(spots, fit)[..., None]
    fits = np.exp(-0.5 * (off / spread[..., None]) ** 2) / spread[..., None]
    weighed = np.einsum("sd,shd->sh", told.spans, fits)
    share = standing.sum(axis=1, keepdims=True)
    fit_at_all = (standing * weighed).sum(axis=1, keepdims=True) / np.maximum(share, TINY)
    odd = share * ODD / (ODD + fit_at_all)
    weighed /= np.maximum(weighed.sum(axis=1, keepdims=True), TINY)
    both = standing * (weighed + FLOOR)
    odds[:, 1:-1] = both * ((share - odd) / np.maximum(both.sum(axis=1, keepdims=True), TINY))
    odds[:, -1:] += odd
    odds[~spots.in_view] = np.eye(CLASSES)[-1]
    return np.asarray(odds, np.float32)


def spans_of(spots: PatchGeometry, fit: Fit) -> NDArray[np.float64]:
    """Return (spots, TALLEST): how many pixels beyond its foot the top of each column appears."""
    return np.asarray(
        (spots.top_rows[:, 1:] - spots.foot_row) * fit.stretch + fit.shift_px, np.float64
    )


def fit_spans(told: Told, spots: PatchGeometry, heights: NDArray[np.intp]) -> Fit:
    """Return the likeliest fit, if the columns are *heights* (spots,) high."""
    standing = np.flatnonzero(heights)
    bins = BIN_PX * np.arange(BINS)

    def weigh(fit: Fit) -> float:
        spans = spans_of(spots, fit)[standing, heights[standing] - 1]
        near = np.exp(-0.5 * ((bins - spans[:, None]) / FIT_PX) ** 2)
        agreed = np.log((told.spans[standing] * near).sum(axis=1) + FLOOR).sum()
        usual = (fit.shift_px / SHIFT_PX) ** 2 + ((fit.stretch - 1.0) / STRETCH) ** 2
        return float(agreed - usual / 2.0)

    return max((Fit(float(shift), float(by)) for shift in SHIFTS for by in STRETCHES), key=weigh)


@dataclass(frozen=True, slots=True, eq=False)
class DiscCues:
    """What tells of columns of discs besides themselves and their shadows."""

    outlines: Outlines
    relief: Relief
    irradiance: Irradiance


class Heights:
    """Reads the columns on one grid; must have learned its paints."""

    def __init__(
        self,
        grid: Grid,
        model: Model,
        floor_z: float,
        view: View,
        cells: Cells,
    ) -> None:
        """Learn from *view*, on which exactly *cells* stand.

        model: which pieces they are.  floor_z: how many mm above the plane of the view's pose they
        stand.  Of an empty board its bare spots are learned; paints look as they usually do then,
        until `meet` has shown them.
        """
        self._model, self._spots = model, grid.cells
        columns = (
            name_class(paint, each) for each in range(1, TALLEST + 1) for paint in grid.colours
        )
        self._classes = (EMPTY, HIDDEN, *columns)
        flat = [spot for row in cells for spot in row]
        known = np.array([len(spot) for spot in flat])
        stands = list_columns(flat, grid.colours)
        self._tops = TopColours(grid, view.light)
        self._bare = EmptyCellDetector(grid, floor_z)
        self._bare.learn(view, known == 0)
        self._fit = Fit()
        self._shadows = CastShadows(grid, floor_z, model.shadows_path, model.comparison_path)
        self._discs: DiscCues | None = None
        self._likeness: TopRegistration | None = None
        if not stands:
            return
        self.meet(view, stands)
        told = predict_heights(model, view.patches, view.geometry)
        self._fit = fit_spans(told, view.geometry, known)
        self._shadows.learn(view, known)
        if model is Model.DISCS:
            self._discs = DiscCues(
                Outlines(grid, floor_z, OUTLINES), Relief(grid, floor_z), Irradiance(grid, floor_z)
            )
            measured = self._discs.outlines.measure(view, stands)
            self._discs.outlines.learn(measured)
            self._discs.relief.learn(view, measured)
            lamps = [source.position for source in self._shadows.light_sources]
            self._discs.irradiance.learn(view, known, lamps)
        else:
            self._likeness = TopRegistration(grid, floor_z, TRUST)
            self._likeness.learn(view, stands)

    def meet(self, view: View, columns: Sequence[Column]) -> None:
        """Learn how paints look on known *columns*; see `TopColours.learn`."""
        self._tops.learn(view, columns)

    def read(
        self, view: View, known: Table = (), most: NDArray[np.float64] | None = None
    ) -> tuple[Evidence, ...]:
        """Return evidence for each spot: EMPTY, HIDDEN and the classes of `name_class`.

        known: what stands on spots that need not be asked, None on the others; () if on all.
        most: (spots,) how certain a column must be for no witness to be asked; None for the usual.
        """
        heights = [height_of(content) for content in known] or [None] * len(self._spots)
        sure = np.array([UNKNOWN if height is None else height for height in heights])
        odds = self._estimate_columns(view, sure)
        plain = np.ones(len(odds)) if most is None else most
        said = self._fuse_shadows(view, odds, plain)
        self._fuse_disc_cues(view, odds, said, plain)
        self._fuse_top_registration(view, odds, plain)
        odds[are_occluded(view.geometry, odds) & (sure == UNKNOWN)] = np.eye(CLASSES)[-1]
        paints = self._tops.select_models(view, known)
        columns = odds[:, 1:-1, None] * self._name_tops(view, odds, sure, paints)
        shares = np.concatenate([odds[:, [0, -1]], columns.reshape(len(odds), -1)], axis=1)
        named = [dict(zip(self._classes, row, strict=True)) for row in shares.tolist()]
        for spot, content in enumerate(known):
            if content is not None:
                named[spot] = {content: AS_BEFORE, HIDDEN: 1.0 - AS_BEFORE}
        return tuple(map(Evidence, named))

    def _estimate_columns(self, view: View, sure: NDArray[np.intp]) -> Odds:
        """Return the odds of each spot by what it looks like itself; bare ones are not asked.

        sure: (spots,) the heights of columns that are not asked either, else UNKNOWN.
        """
        asked = sure == UNKNOWN
        bare = self._bare.detect(view, asked)
        odds = np.tile(BARE, (len(bare), 1))
        odds[~asked] = np.eye(CLASSES)[sure[~asked]]
        which = np.flatnonzero(asked & ~bare)
        if len(which):
            spots = view.geometry.select(which)
            told = predict_heights(self._model, view.patches[which], spots)
            odds[which] = estimate_heights(told, spots, self._fit)
            self._use_far_patches(view, odds)
            # What leans over a spot is known only now.
            unclear = asked & (odds[:, 1:-1].max(axis=1) < DOUBTED)
            bare |= self._bare.detect(view, unclear & ~bare, odds[:, :-1].argmax(axis=1))
            odds[bare] = BARE
        odds[are_saturated(view, odds) & asked & ~bare] = np.eye(CLASSES)[-1]
        return odds

    def _use_far_patches(self, view: View, odds: Odds) -> None:
        """Look for columns too tall for their patches where *odds* say that nothing can be told.

        Only heights whose tops the patches do not show: about the others the odds were right.
        """
        far, beyond = view.geometry.coarse, view.geometry.are_out_of_patch()
        which = np.flatnonzero(beyond.any(axis=1) & (odds[:, -1] > LOST))
        if far is None or view.coarse_patches is None or not len(which):
            return
        spots = far.select(which)
        told = predict_heights(self._model, view.coarse_patches[which], spots)
        further = estimate_heights(told, spots, self._fit)
        further[:, 1:-1] *= beyond[which]
        further[:, 0] = 0.0
        further[:, -1] = 1.0 - further[:, 1:-1].sum(axis=1)
        odds[which] = further

    def _fuse_shadows(
        self, view: View, odds: Odds, most: NDArray[np.float64]
    ) -> list[CueLikelihood]:
        """Weigh the heights of columns in *odds* by what their shadows say of them.

        Returns all that has been said then.
        """
        which = find_uncertain(odds, np.minimum(most, self._model.plain))
        if not self._shadows.light_sources or not len(which):
            return [CueLikelihood(which, odds[which, 1:-1])]
        heights = odds[:, :-1].argmax(axis=1)
        told = self._shadows.estimate(view, heights, which, find_certain(odds, KNOWN))
        cue_weights, rise = self._model.cue_weights, view.geometry.pixels_per_level[which]
        column = cue_weights.column.temper(odds[which, 1:-1], rise)
        shadow = cue_weights.shadow.temper(told, rise)
        fuse(odds, which, column, shadow)
        return [CueLikelihood(which, column), CueLikelihood(which, shadow)]

    def _fuse_disc_cues(
        self,
        view: View,
        odds: Odds,
        said: Sequence[CueLikelihood],
        most: NDArray[np.float64],
    ) -> None:
        """Weigh heights of columns in *odds* by the size and relief of their tops, and by light.

        said: what has been said of them so far.  most: as for the shadows.
        """
        which = find_uncertain(odds, np.minimum(most, OUTLINED))
        if self._discs is None or self._tops.is_overexposed(view) or not len(which):
            return
        plain = np.setdiff1d(find_certain(odds, SHOWN), which)
        both = self._list_columns(view, odds, np.concatenate([which, plain]))
        measured = self._discs.outlines.measure(view, both)
        doubtful, sure = measured[: len(which)], measured[len(which) :]
        cue_weights, rise = self._model.cue_weights, view.geometry.pixels_per_level[which]
        outline = cue_weights.outline.temper(self._discs.outlines.tell(doubtful), rise)
        relief = cue_weights.relief.temper(self._discs.relief.tell(view, doubtful, sure), rise)
        fuse(odds, which, odds[which, 1:-1], outline, relief)
        light = cue_weights.light.temper(self._discs.irradiance.tell(view, odds, which), rise)
        fuse(odds, which, odds[which, 1:-1], light)
        new = [CueLikelihood(which, told) for told in (outline, relief, light)]
        check_leave_one_out(odds, which, [*said, *new], ALONE)

    def _fuse_top_registration(self, view: View, odds: Odds, most: NDArray[np.float64]) -> None:
        """Weigh the heights of columns in *odds* by how large their tops look beside known ones."""
        which = find_uncertain(odds, np.minimum(most, LIKENED))
        if self._likeness is None or self._tops.is_overexposed(view) or not len(which):
            return
        doubtful, sure = (
            self._list_columns(view, odds, spots) for spots in (which, find_certain(odds, SHOWN))
        )
        before = add_outliers(odds, which, MISTAKEN)
        fuse(odds, which, before, self._likeness.estimate(view, doubtful, sure, before))

    def _list_columns(self, view: View, odds: Odds, which: NDArray[np.intp]) -> list[Column]:
        """Return what the columns at the spots *which* are likeliest to be."""
        if not len(which):
            return []
        heights = 1 + odds[which, 1:-1].argmax(axis=1)
        columns = np.column_stack([which, heights])
        paints = self._tops.classify(view, odds[:, :-1].argmax(axis=1), columns).argmax(axis=1)
        each = zip(which.tolist(), heights.tolist(), paints.tolist(), strict=True)
        return [Column(*column) for column in each]

    def _name_tops(
        self, view: View, odds: Odds, sure: NDArray[np.intp], named: ColourModelSet | None
    ) -> Tops:
        """Return how likely each paint is on top of the columns that may stand there.

        sure: those that are known need none.  named: the paints as they look, None if unknown.
        """
        paints = len(self._classes[2:]) // TALLEST
        tops = np.full((len(odds), TALLEST, paints), 1.0 / paints)
        spots, levels = np.nonzero((odds[:, 1:-1] > UNLIKELY) & (sure == UNKNOWN)[:, None])
        if len(spots) and named is not None:
            columns = np.column_stack([spots, levels + 1])
            tops[spots, levels] = self._tops.classify(
                view, odds[:, :-1].argmax(axis=1), columns, named
            )
        return tops
