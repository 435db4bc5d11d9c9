"""Which paints lie on top of columns, also under a lamp that hides the hues that were learned."""

from collections.abc import Sequence, Set
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.capture.frame import Picture
from vision.columns.grid import Column, Grid, parse_table
from vision.columns.patches import View
from vision.columns.reference_colours import PaintSet
from vision.observation import Table
from vision.photometry.chromaticity import ColourCorrection
from vision.photometry.white_reference import is_overexposed, is_same_illuminant

SURE: Final = 0.9
"""Where known tops are not as certain as this to have their paint, the light is another."""


class TopPaints:
    """The paints on one grid, as they look in the light of the lesson and in that of today.

    They look as they usually do until they are met.
    """

    def __init__(self, grid: Grid, light: ColourCorrection) -> None:
        """*light*: that of the lesson."""
        self._grid, self._light = grid, light
        self._paints = PaintSet(grid.paints)
        self._today = light, self._paints

    def is_overexposed(self, view: View) -> bool:
        """Tell whether the lamp hides which paints are seen, and is not that of the lesson."""
        return is_overexposed(view.light, self._light)

    def meet(self, view: View, columns: Sequence[Column]) -> None:
        """Learn from the tops of known *columns*, all that stand there, how paints look.

        Those that were never seen before are learned for good; in a light in which they look
        otherwise than they did, all that stand there are learned for as long as it shines.
        """
        met = {column.paint for column in columns}
        if self.is_overexposed(view):
            self._today = view.light, self._see(view, columns)
        elif not met <= self._paints.met:
            seen = _cut_paints(view, columns)
            self._paints.meet({at: seen[at] for at in seen.keys() - self._paints.met})
        elif columns and not self._are_sure(view, columns):
            today = self._paints.copied()
            today.meet(_cut_paints(view, columns))
            self._today = view.light, today

    def choose(self, view: View, known: Table) -> PaintSet | None:
        """Return the paints as they look in the light of *view*, None if nobody can tell.

        known: what stands on each spot, None where nobody knows. Under a lamp that hides hues and
        was not met yet, paints look as they do on these columns.
        """
        light, today = self._today
        if is_same_illuminant(view.light[128], light[128]):
            return today
        if not self.is_overexposed(view):
            return self._paints
        seen = self._see(view, parse_table(known, self._grid))
        return seen if seen.met else None

    def _see(self, view: View, columns: Sequence[Column]) -> PaintSet:
        """Return how the paints of *columns* look in *view*, and those alone."""
        seen = PaintSet(self._grid.paints)
        seen.meet(_cut_paints(view, columns))
        return seen

    def _are_sure(self, view: View, columns: Sequence[Column]) -> bool:
        """Tell whether known *columns* have their paints for certain by what is known of these."""
        heights = _heights_of(view, columns)
        each = np.array([(column.spot, column.height) for column in columns])
        likely = self.weigh(view, heights, each, self.choose(view, ()))
        paints = [column.paint for column in columns]
        return bool(np.median(likely[np.arange(len(columns)), paints]) >= SURE)

    def weigh(
        self,
        view: View,
        heights: NDArray[np.intp],
        columns: NDArray[np.intp],
        paints: PaintSet | None = None,
    ) -> NDArray[np.float64]:
        """Return how likely each paint is (n, paints) on *columns* (n, 2), spots and heights.

        heights: (spots,) of all columns, some of which may hide a part of others.  paints: as they
        look; as they were learned by default.
        """
        tops = [(spot, height) for spot, height in columns.tolist()]
        seen, shown = view.cut_tops(tops), view.spots.show_tops(tops, heights)
        pieces = seen.reshape(len(tops), -1, 3), shown.reshape(len(tops), -1)
        if paints is None or not self.is_overexposed(view):
            return (paints or self._paints).weigh(*pieces)
        return _share_with_unmet(paints.weigh(*pieces), paints.met)


def _share_with_unmet(likely: NDArray[np.float64], met: Set[int]) -> NDArray[np.float64]:
    """Return how likely each paint is if nobody knows how those look that were not *met*.

    It may be any of these as well as the likeliest of the others.

    >>> _share_with_unmet(np.array([[0.8, 0.2, 0.0]]), {0, 1}).round(2).tolist()
    [[0.44, 0.11, 0.44]]
    """
    unmet = sorted(set(range(likely.shape[1])) - met)
    shared = likely.copy()
    shared[:, unmet] = 0.0
    shared[:, unmet] = shared.max(axis=1, keepdims=True)
    return np.asarray(shared / shared.sum(axis=1, keepdims=True), np.float64)


def _cut_paints(view: View, columns: Sequence[Column]) -> dict[int, Picture]:
    """Return pixels (n, 3) of the tops of *columns* by paint, where none of these hides them."""
    heights = _heights_of(view, columns)
    found = {}
    for number in {column.paint for column in columns}:
        tops = [(each.spot, each.height) for each in columns if each.paint == number]
        found[number] = view.cut_tops(tops)[view.spots.show_tops(tops, heights)]
    return found


def _heights_of(view: View, columns: Sequence[Column]) -> NDArray[np.intp]:
    """Return how high the columns on all spots of *view* are, if *columns* are all that stand."""
    heights = np.zeros(len(view.patches), np.intp)
    heights[[column.spot for column in columns]] = [column.height for column in columns]
    return heights
