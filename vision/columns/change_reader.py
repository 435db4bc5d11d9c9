"""Read columns by how their cells have changed since the table was last accepted.

One network is shown each cell now and as it was. Only the cells that differ most are shown to it:
where the board looks as it did, it is as it was. By how much a changed column has changed is told
by the network that knows no past as well (`heights.py`), and what stands where something else
altogether seems to stand, by that alone.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.columns.change_network import (
    CLASSES,
    HIDDEN_CLASS,
    OTHER_CLASS,
    SAME,
    Changes,
    tell_changes,
)
from vision.columns.change_patches import (
    DELTAS,
    BoardPicture,
    ChangePatches,
    Coarse,
    measure_gain,
)
from vision.columns.grid import HIGHEST, TALLEST, Grid, height_of
from vision.columns.heights import Heights, name_class
from vision.columns.patches import View
from vision.columns.table_reference import TableReference
from vision.columns.top_colours import TopColours
from vision.columns.visibility import are_occluded
from vision.observation import EMPTY, HIDDEN, Evidence, Table

MOST_DIFFERENT: Final = 8
"""So many cells are shown to the network at once, those that differ most first."""
SAME_PROBABILITY: Final = 0.99
"""Of a cell that was not shown to the network."""
MIN_OTHER: Final = 0.5
"""From this probability of something else on, a cell is read without its past."""
LIKELY_SAME: Final = 0.5
"""If all of the less different half of those shown are so likely as they were, no more are."""
CERTAINLY_SAME: Final = 0.95
"""Where a cell has changed less likely, it is told alone as well."""
ALONE_POWER, ALONE_FLOOR = 0.5, 0.02
"""To which what is told alone is raised, after a floor was added: both see the same pixels, and a
network without a past mistakes shadows for pieces."""
MAX_HIDDEN: Final = 0.6
"""A cell hidden more likely is not told alone."""
DARK_SHARE: Final = 0.12
"""At so small a share of the reference's levels no cell is seen, and nothing is kept."""
MIN_CHANGE: Final = 0.004
"""Colours are not told of a column that is less likely to stand there."""
EPSILON: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """A picture, as far as it is compared with later ones."""

    board: BoardPicture
    flat: Coarse


@dataclass(frozen=True, slots=True, eq=False)
class _Shown:
    """The *cells* (n,) that were shown to the network, and how they have changed."""

    cells: NDArray[np.intp]
    changes: Changes


class ChangeReader(TableReference[_Seen]):
    """Compares the cells of one board with the picture that was last accepted."""

    def __init__(self, grid: Grid, floor_z: float) -> None:
        """*floor_z*: how many mm above the plane of the views' poses the columns stand."""
        super().__init__()
        self._grid = grid
        self._patches = ChangePatches(grid, floor_z)

    def begin(self, frame: str, view: View, table: Table) -> None:
        """Know nothing but that *view*, the picture *frame*, shows *table*."""
        self.forget()
        self._pending.keep(frame, self._see(view))
        self.set_reference(frame, table)

    def _see(self, view: View) -> _Seen:
        return _Seen(self._patches.cut_out(view), self._patches.flatten(view))

    def read(self, frame: str, view: View, alone: Heights) -> tuple[Evidence, ...] | None:
        """Return evidence for each cell of *view*, the picture *frame*; None without a reference.

        alone: tells columns without a past, and the colours of their tops.
        """
        now, before = self._see(view), self._reference
        if before is not None and now.flat.mean() < DARK_SHARE * before.flat.mean():
            return tuple(Evidence({HIDDEN: 0.99, content or EMPTY: 0.01}) for content in self.table)
        self._pending.keep(frame, now)
        if before is None:
            return None
        heights = np.array([height_of(content) or 0 for content in self.table])
        shown = self._select(view, now.flat, before, heights)
        found: list[Evidence | None] = [
            Evidence({content: SAME_PROBABILITY, HIDDEN: 1.0 - SAME_PROBABILITY})
            if content is not None
            else None
            for content in self.table
        ]
        if len(shown.cells):
            fuse_alone(shown, heights, view, alone)
            self._name(found, shown, view, heights, alone.tops)
            self._hide(found, view)
        known = tuple(
            None if each is None else content
            for each, content in zip(found, self.table, strict=True)
        )
        if None in known:
            told = alone.read(view, known)
            found = [told[at] if each is None else each for at, each in enumerate(found)]
        return tuple(each for each in found if each is not None)

    def _select(self, view: View, flat: Coarse, before: _Seen, heights: NDArray[np.intp]) -> _Shown:
        """Return how those cells of *view*, *flat* from above, have changed that differ most."""
        gain = measure_gain(flat, before.flat)
        differences = self._patches.compare(flat, before.flat * gain.astype(np.float32))
        is_known = np.array([content is not None for content in self.table])
        order = np.argsort(-differences)
        order = order[is_known[order]]
        shown, changes = order[:0], np.zeros((0, CLASSES))
        while len(shown) < len(order):
            cells = order[len(shown) : len(shown) + MOST_DIFFERENT]
            pairs, marks = self._patches.cut(view, before.board, heights, gain, cells)
            told = tell_changes(pairs, marks, heights[cells])
            shown, changes = np.append(shown, cells), np.concatenate([changes, told])
            # Where even those that differ less have changed, so may the others.
            if (told[len(told) // 2 :, SAME] > LIKELY_SAME).all():
                break
        return _Shown(shown, changes)

    def _name(
        self,
        found: list[Evidence | None],
        shown: _Shown,
        view: View,
        heights: NDArray[np.intp],
        tops: TopColours,
    ) -> None:
        """Put into *found* what stands in the cells *shown*; None where the past tells nothing."""
        likeliest = heights.copy()
        likeliest[shown.cells] += np.array(DELTAS)[shown.changes[:, : len(DELTAS)].argmax(axis=1)]
        likeliest = np.clip(likeliest, 0, TALLEST)
        wanted = [
            (row, int(cell), int(heights[cell]) + delta)
            for row, cell in enumerate(shown.cells)
            for at, delta in enumerate(DELTAS)
            if delta
            and shown.changes[row, at] >= MIN_CHANGE
            and 0 < heights[cell] + delta <= TALLEST
        ]
        colours: dict[tuple[int, int], list[float]] = {}
        if wanted:
            models = tops.select_models(view, self.table)
            columns = np.array([(cell, height) for _, cell, height in wanted])
            count = len(self._grid.colours)
            told = (
                np.full((len(columns), count), 1.0 / count)
                if models is None
                else tops.classify(view, likeliest, columns, models)
            )
            pairs = zip(columns.tolist(), told.tolist(), strict=True)
            colours = {(cell, height): row for (cell, height), row in pairs}
        for row, cell in enumerate(shown.cells.tolist()):
            found[cell] = self._evidence(cell, int(heights[cell]), shown.changes[row], colours)

    def _hide(self, found: list[Evidence | None], view: View) -> None:
        """Tell nothing of a cell that seems to have changed where others hide its top."""
        seems = [
            content if each is None or each.best == HIDDEN else each.best
            for each, content in zip(found, self.table, strict=True)
        ]
        changed = {
            cell: content
            for cell, content in enumerate(self.table)
            if content is not None and seems[cell] != content
        }
        if not changed:
            return
        heights = np.array([height_of(each, HIGHEST) or 0 for each in seems])
        occluded = are_occluded(view.geometry, heights)
        for cell, content in changed.items():
            if occluded[cell]:
                found[cell] = Evidence({HIDDEN: 0.99, content: 0.01})

    def _evidence(
        self,
        cell: int,
        height: int,
        changes: NDArray[np.float64],
        colours: dict[tuple[int, int], list[float]],
    ) -> Evidence | None:
        """Return evidence for one *cell*, *height* before; None if something else stands there.

        colours: the probability of each on top, by cell and height, of what may stand there.
        """
        if changes[OTHER_CLASS] >= MIN_OTHER:
            return None
        content = self.table[cell]
        assert content is not None
        named = {HIDDEN: float(changes[HIDDEN_CLASS]), content: float(changes[SAME])}
        for probability, delta in zip(changes.tolist(), DELTAS, strict=False):
            after = height + delta
            if delta and after == 0:
                named[EMPTY] = probability
            elif delta and (cell, after) in colours:
                for name, share in zip(self._grid.colours, colours[cell, after], strict=True):
                    named[name_class(name, after)] = probability * share
        total = sum(named.values())
        return Evidence({name: share / total for name, share in named.items()})


def fuse_alone(shown: _Shown, heights: NDArray[np.intp], view: View, alone: Heights) -> None:
    """Weigh the changes of doubtful cells by what is told of them without a past.

    heights: (cells,) before.  Whether a cell is hidden is left as it was.
    """
    is_seen = shown.changes[:, HIDDEN_CLASS] < MAX_HIDDEN
    rows = np.flatnonzero(is_seen & (shown.changes[:, SAME] < CERTAINLY_SAME))
    if not len(rows):
        return
    posterior = alone.tell_alone(view, shown.cells[rows])[:, :-1]
    posterior /= np.maximum(posterior.sum(axis=1, keepdims=True), EPSILON)
    after = heights[shown.cells[rows]][:, None] + np.array(DELTAS)
    told = np.take_along_axis(posterior, np.clip(after, 0, TALLEST), axis=1)
    changes = shown.changes[rows, : len(DELTAS)]
    weighed = changes * (told + ALONE_FLOOR) ** ALONE_POWER
    share = changes.sum(axis=1, keepdims=True) / weighed.sum(axis=1, keepdims=True)
    shown.changes[rows, : len(DELTAS)] = weighed * share
