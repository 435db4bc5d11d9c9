"""Estimate the colours of columns' tops, also under light that saturates white paper."""

from collections.abc import Sequence, Set
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import Column, Grid, columns_of
from vision.columns.patches import View
from vision.columns.reference_colours import ColourModelSet
from vision.observation import Table
from vision.photometry.chromaticity import ColourCorrection
from vision.photometry.white_reference import is_overexposed, is_same_illuminant

MIN_KNOWN_COLOUR_PROBABILITY: Final = 0.9
"""Below this median probability of known tops' colours, the light is taken to have changed."""


class TopColours:
    """The colour models of one grid, under the calibration's illumination and the current one."""

    def __init__(self, grid: Grid, light: ColourCorrection) -> None:
        """*light*: that of the calibration picture."""
        self._grid, self._calibration_light = grid, light
        self._models = ColourModelSet(grid.colours)
        self._current = light, self._models

    def is_overexposed(self, view: View) -> bool:
        """Return whether white paper is saturated in *view*, and was not so at calibration."""
        return is_overexposed(view.light, self._calibration_light)

    def learn(self, view: View, columns: Sequence[Column]) -> None:
        """Learn colours from the tops of known *columns*, which are all that stand in *view*.

        Colours that were never learned are kept for good.  If the illumination has changed, all
        colours that *columns* show are learned for as long as it lasts.
        """
        shown = {column.colour for column in columns}
        if self.is_overexposed(view):
            self._current = view.light, self._learn_only(view, columns)
        elif not shown <= self._models.learned:
            samples = _sample_tops(view, columns)
            new = samples.keys() - self._models.learned
            self._models.learn({index: samples[index] for index in new})
        elif columns and not self._are_recognised(view, columns):
            models = self._models.copied()
            models.learn(_sample_tops(view, columns))
            self._current = view.light, models

    @property
    def learned(self) -> Set[int]:
        """The indices of the colours that were learned under the calibration's light."""
        return self._models.learned

    def find_closest(self) -> tuple[int, int, float] | None:
        """Return what `ColourModelSet.find_closest` does, of the calibration's colours."""
        return self._models.find_closest()

    def find_closest_to_board(
        self, view: View, heights: NDArray[np.intp]
    ) -> tuple[int, float] | None:
        """Return what `ColourModelSet.find_closest_to` does, of the empty cells of *view*.

        heights: (cells,) of the columns.  None if no cell is empty.
        """
        cells = [(int(cell), 0) for cell in np.flatnonzero(heights == 0)]
        if not cells:
            return None
        visible = view.geometry.find_visible_top_pixels(cells, heights)
        return self._models.find_closest_to(view.crop_tops(cells)[visible])

    def select_models(self, view: View, known: Table) -> ColourModelSet | None:
        """Return the colour models for the illumination of *view*, None if there are none.

        known: the content of each cell, None where it is not known.  Under saturated light in which
        nothing was learned, the models come from these columns.
        """
        light, models = self._current
        if is_same_illuminant(view.light[128], light[128]):
            return models
        if not self.is_overexposed(view):
            return self._models
        own = self._learn_only(view, columns_of(known, self._grid))
        return own if own.learned else None

    def _learn_only(self, view: View, columns: Sequence[Column]) -> ColourModelSet:
        """Return models that have learned from *columns* in *view* alone."""
        models = ColourModelSet(self._grid.colours)
        models.learn(_sample_tops(view, columns))
        return models

    def _are_recognised(self, view: View, columns: Sequence[Column]) -> bool:
        """Return whether the models give known *columns* their colours, as a rule."""
        each = np.array([(column.cell, column.height) for column in columns])
        heights = _list_heights(view, columns)
        likely = self.classify(view, heights, each, self.select_models(view, ()))
        own = likely[np.arange(len(columns)), [column.colour for column in columns]]
        return bool(np.median(own) >= MIN_KNOWN_COLOUR_PROBABILITY)

    def classify(
        self,
        view: View,
        heights: NDArray[np.intp],
        columns: NDArray[np.intp],
        models: ColourModelSet | None = None,
    ) -> NDArray[np.float64]:
        """Return the probability of each colour (n, colours) on top of *columns* (n, 2).

        columns: cells and heights.  heights: (cells,) of all columns, some of which may occlude a
        part of others.  models: those for the illumination of *view*; the calibration's by default.
        """
        tops = [(cell, height) for cell, height in columns.tolist()]
        pixels = view.crop_tops(tops).reshape(len(tops), -1, 3)
        visible = view.geometry.find_visible_top_pixels(tops, heights).reshape(len(tops), -1)
        likely = (models or self._models).classify(pixels, visible)
        if models is None or not self.is_overexposed(view):
            return likely
        return _share_with_unlearned(likely, models.learned)


def _share_with_unlearned(likely: NDArray[np.float64], learned: Set[int]) -> NDArray[np.float64]:
    """Return probabilities in which each class without a model is as likely as the best with one.

    >>> _share_with_unlearned(np.array([[0.8, 0.2, 0.0]]), {0, 1}).round(2).tolist()
    [[0.44, 0.11, 0.44]]
    """
    unlearned = sorted(set(range(likely.shape[1])) - learned)
    shared = likely.copy()
    shared[:, unlearned] = 0.0
    shared[:, unlearned] = shared.max(axis=1, keepdims=True)
    return np.asarray(shared / shared.sum(axis=1, keepdims=True), np.float64)


def _sample_tops(view: View, columns: Sequence[Column]) -> dict[int, Picture]:
    """Return the visible pixels (n, 3) of the tops of *columns* by colour class."""
    heights, samples = _list_heights(view, columns), {}
    for colour in {column.colour for column in columns}:
        tops = [(each.cell, each.height) for each in columns if each.colour == colour]
        visible = view.geometry.find_visible_top_pixels(tops, heights)
        samples[colour] = view.crop_tops(tops)[visible]
    return samples


def _list_heights(view: View, columns: Sequence[Column]) -> NDArray[np.intp]:
    """Return the height (cells,) of each cell of *view* on which only *columns* stand."""
    heights = np.zeros(len(view.geometry.in_view), np.intp)
    heights[[column.cell for column in columns]] = [column.height for column in columns]
    return heights
