"""Read TacTiki's board: how high the stack on each field is, and whose figure is on top."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from vision.arms import Arms
from vision.frame import Frame
from vision.grid import SIDE, TALLEST, Grid, StackLayout
from vision.heights import Heights, name_class
from vision.lesson import doubt_lesson
from vision.line import BadCalibration
from vision.looks import Looks, recall, trust_looks
from vision.model import Model
from vision.observation import EMPTY, HIDDEN, Evidence, Observation, Reason, Status, Table
from vision.paper import read_paper_light
from vision.reach import Ground, Reach
from vision.rectify import shrink_to_fit
from vision.spots import Boards, View
from vision.tiles import TileTracker


class StackReader:
    """Reads pictures of one TacTiki table, in any order, after `calibrate`."""

    def __init__(self, layout: StackLayout) -> None:
        self._layout = layout
        self._tracker = TileTracker(layout)
        self._boards = Boards(layout, layout.floor_z)
        self._heights: Heights | None = None
        self._looks = Looks()
        self._arms = Arms(ground_of(layout))

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn both owners' colours from a picture on which the ``cells`` of *truth* stand.

        Raises BadCalibration, and nothing has changed, if the tiles are not in view or *truth*
        names no such table.
        """
        cells = parse_cells(frame.name, truth, self._layout)
        view = self._look(frame)
        if view is None:
            raise BadCalibration(f"{frame.name}: {self._tracker.explain()}")
        floor_z = self._layout.floor_z
        self._heights = Heights(self._layout, Model.FIGURES, floor_z, view, cells)
        self._looks.forget()
        self._arms.forget()

    def doubt(self, frame: Frame, truth: Mapping[str, Any]) -> str | None:
        """Return why *frame* cannot show the ``cells`` of *truth*, None if it may."""
        try:
            cells = parse_cells(frame.name, truth, self._layout)
        except BadCalibration as error:
            return str(error)
        view = self._look(frame)
        if view is None:
            return self._tracker.explain()
        return doubt_lesson(self._layout, Model.FIGURES, view, cells)

    def believe(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.eyes.Reader`."""
        self._looks.believe(frame, table)
        self._arms.believe(frame)

    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; a picture that shows no mat is an answer too."""
        view = self._look(frame)
        if view is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        if self._heights is None:
            return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNTAUGHT)
        reach = self._arms.look(frame.name, view.picture, view.pose)
        if reach.is_over:
            return reached_over(frame.name, reach)
        unchanged = self._looks.compare(frame.name, view.patches, view.spots)
        known = recall(self._looks.table, unchanged)
        found = judge(
            frame.name,
            self._heights.read(view, known, trust_looks(unchanged)),
            self._layout,
            Model.FIGURES,
        )
        return replace(found, unchanged=unchanged, since=self._looks.since)

    def _look(self, frame: Frame) -> View | None:
        picture = shrink_to_fit(frame.picture)
        pose = self._tracker.locate(picture)
        if pose is None:
            return None
        light = read_paper_light(picture, pose, self._layout.mat)
        return self._boards.look(picture, pose, light=light)


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


def ground_of(layout: StackLayout) -> Ground:
    """Return where arms reach over the fields of *layout*."""
    low, high = layout.middles.min(axis=0), layout.middles.max(axis=0)
    radius = layout.figure.radius
    played = (low[0] - radius, low[1] - radius, high[0] + radius, high[1] + radius)
    return Ground(layout.edges, played, layout.floor_z)


def reached_over(name: str, reach: Reach) -> Observation:
    """Return that nothing can be said of a table over which somebody reaches."""
    return Observation(name, Status.UNSETTLED, reason=Reason.HAND, arms=reach.sides)


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
