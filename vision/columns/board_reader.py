"""A board of columns as a film: taught once, then read beside what was believed to lie there."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from vision.calibration import BadCalibration
from vision.columns.change_detection import Looks, recall, trust_looks
from vision.columns.grid import SIDE, TALLEST, Grid, parse_table
from vision.columns.heights import Cells, Heights, name_class
from vision.columns.model import Model
from vision.columns.patches import View
from vision.observation import EMPTY, HIDDEN, Evidence, Observation, Reason, Status, Table
from vision.occlusion.arm_direction import ArmRegion
from vision.occlusion.arm_tracking import ArmTracker


class Columns:
    """Reads the columns on one board, picture by picture."""

    def __init__(self, grid: Grid, model: Model, floor_z: float, ground: ArmRegion) -> None:
        """*floor_z*: how many mm above the plane of the views' poses the columns stand.

        ground: where arms reach over them, in the table's frame.
        """
        self._grid, self._model, self._floor_z = grid, model, floor_z
        self._heights: Heights | None = None
        self._looks = Looks()
        self._arms = ArmTracker(ground)
        self._newest: tuple[str, View] | None = None

    def teach(self, view: View, cells: Cells) -> None:
        """Learn from *view*, on which exactly *cells* stand, and compare with nothing yet."""
        self._heights = Heights(self._grid, self._model, self._floor_z, view, cells)
        self._looks.forget()
        self._arms.forget()

    @property
    def are_taught(self) -> bool:
        """Whether the board was learned."""
        return self._heights is not None

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.eyes.Reader`.

        Paints are learned from the first pieces of theirs that were believed to lie there.
        """
        is_again = frame == self._looks.since
        self._looks.believe(frame, table)
        if is_again:
            return  # only what lies there is told anew
        self._arms.believe(frame)
        if self._heights is None or self._newest is None or self._newest[0] != frame:
            return
        self._heights.meet(self._newest[1], parse_table(table, self._grid))

    def read(self, frame: str, view: View) -> Observation:
        """Return what *view*, the picture *frame*, shows; UNTAUGHT before `teach`."""
        if self._heights is None:
            return Observation(frame, Status.UNSETTLED, reason=Reason.UNTAUGHT)
        reach = self._arms.find_arm(frame, view.picture, view.table)
        if reach.is_over:
            return Observation(frame, Status.UNSETTLED, reason=Reason.HAND, arms=reach.sides)
        self._newest = (frame, view)
        unchanged = self._looks.compare(frame, view.patches, view.spots)
        known = recall(self._looks.table, unchanged)
        spots = self._heights.read(view, known, trust_looks(unchanged))
        found = judge(frame, spots, self._grid, self._model)
        return replace(found, unchanged=unchanged, since=self._looks.since)


def parse_cells(name: str, truth: Mapping[str, Any], grid: Grid) -> list[list[list[str]]]:
    """Return the cells that *truth* says stand there, or raise BadCalibration naming *name*."""
    cells = truth.get("cells")
    right = f"{SIDE} rows of {SIDE} lists of {', '.join(grid.paints)} would be right"
    if cells is None or not _is_square(cells):
        raise BadCalibration(f"{name}: 'cells' is {cells!r:.40}; {right}")
    known = [[list(spot) for spot in row] for row in cells]
    standing = [spot for row in known for spot in row]
    if not all(len(spot) <= TALLEST and set(spot) <= set(grid.paints) for spot in standing):
        raise BadCalibration(f"{name}: 'cells' is {cells!r:.40}; {right}")
    missing = set(grid.paints) - {spot[-1] for spot in standing if spot}
    if missing and not grid.may_lack_paints:
        raise BadCalibration(f"{name}: no {' and no '.join(sorted(missing))} lies on top; add one")
    return known


def _is_square(cells: Any) -> bool:
    return (
        isinstance(cells, Sequence)
        and len(cells) == SIDE
        and all(isinstance(row, Sequence) and len(row) == SIDE for row in cells)
        and all(isinstance(spot, list | tuple) for row in cells for spot in row)
        and all(isinstance(piece, str) for row in cells for spot in row for piece in spot)
    )


def judge(name: str, spots: tuple[Evidence, ...], grid: Grid, model: Model) -> Observation:
    """Return what the evidence of all *spots* says: each must be certain, and none covered."""
    named = [spot.best for spot in spots]
    doubtful = tuple(at for at, spot in enumerate(spots) if not _is_sure(spot, model))
    if doubtful:
        reason = Reason.HIDDEN if HIDDEN in named else Reason.UNCLEAR
        return Observation(name, Status.UNSETTLED, spots, reason=reason, doubtful=doubtful)
    known = _name_cells(grid)
    flat = [known[best] for best in named]
    cells = [flat[row * SIDE : (row + 1) * SIDE] for row in range(SIDE)]
    confidence = min(spot.of(best) for spot, best in zip(spots, named, strict=True))
    return Observation(name, Status.OK, spots, {"cells": cells}, confidence)


def _is_sure(spot: Evidence, model: Model) -> bool:
    """Return whether what stands on *spot* is certain enough, and hardly anything hides it."""
    alone, hidden = doubt([spot])
    return spot.best != HIDDEN and alone >= model.sure and hidden <= model.covered


def doubt(spots: Sequence[Evidence]) -> tuple[float, float]:
    """Return how likely the least certain spot is named rightly if seen, and the likeliest hidden.

    What stands on a spot and whether it is to be seen are two questions. Hardly any spot is without
    doubt about the second, which is no doubt about the first.

    >>> alone, hidden = doubt([Evidence({"tac 2": 0.72, "tac 3": 0.08, HIDDEN: 0.2})])
    >>> round(alone, 2), hidden
    (0.9, 0.2)
    """
    hidden = [spot.of(HIDDEN) for spot in spots]
    likely = [max(p for name, p in spot.probabilities.items() if name != HIDDEN) for spot in spots]
    alone = [
        one / (1.0 - other) if other < 1.0 else 0.0
        for one, other in zip(likely, hidden, strict=True)
    ]
    return min(alone), max(hidden)


def _name_cells(grid: Grid) -> dict[str, dict[str, Any]]:
    """Return what each class of *grid* means."""
    columns = {
        name_class(paint, height): {"height": height, "top": paint}
        for paint in grid.paints
        for height in range(1, TALLEST + 1)
    }
    return {EMPTY: {"height": 0, "top": None}, **columns}


def ground_around(grid: Grid, z_mm: float, corner: tuple[float, float] = (0.0, 0.0)) -> ArmRegion:
    """Return where arms reach over the spots of *grid*, whose board lies *z_mm* above the table.

    corner: where, in the table's frame, the origin of the board's lies.
    """
    (x, y), (left, top, right, bottom) = corner, grid.edges
    low, high = grid.middles.min(axis=0), grid.middles.max(axis=0)
    radius = grid.figure.radius
    return ArmRegion(
        (left + x, top + y, right + x, bottom + y),
        (low[0] - radius + x, low[1] - radius + y, high[0] + radius + x, high[1] + radius + y),
        z_mm,
    )
