"""Read the columns on a board picture by picture, after calibration with a known one."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from vision.calibration import BadCalibration, Separation
from vision.capture.frame import Frame
from vision.columns.calibration_check import check_calibration, weigh_heights
from vision.columns.change_detection import ChangeDetector, keep_unchanged, required_confidence
from vision.columns.change_reader import ChangeReader
from vision.columns.grid import TALLEST, Grid, columns_of, in_rows, table_of
from vision.columns.heights import Heights
from vision.columns.model import Model
from vision.columns.patches import View, ViewBuilder
from vision.observation import EMPTY, HIDDEN, Evidence, Observation, Reason, Status, Table
from vision.occlusion.arm_direction import ArmRegion
from vision.occlusion.arm_tracking import ArmTracker

MIN_COLOUR_DISTANCE: Final = 1.4
"""Bhattacharyya distance of two colours that are told apart well; 1.8 to 2.8 on rendered tables."""
MIN_BOARD_DISTANCE: Final = 0.56
"""The same of a disc and the empty board: at 0.6 to 0.9 whole games are read, at 0.35 not
(`python -m tests.learnable_figures`)."""


class BoardReader(ABC):
    """Reads pictures of one table with columns, in any order, after `calibrate`."""

    def __init__(self, grid: Grid, model: Model, floor_z: float, ground: ArmRegion) -> None:
        """*floor_z*: how many mm above the plane of the board's poses the columns stand.

        ground: where arms reach over them, in the table's frame.
        """
        self._grid, self._model, self._floor_z = grid, model, floor_z
        self._views = ViewBuilder(grid, floor_z)
        self._changes = ChangeReader(grid, floor_z) if model is Model.DISCS else ChangeDetector()
        self._arms = ArmTracker(ground)
        self._learned: ChangeReader | None = None
        self._heights: Heights | None = None
        self._newest: tuple[str, View] | None = None

    @abstractmethod
    def read(self, frame: Frame) -> Observation:
        """Return what *frame* shows; NO_MAT where the tiles are not in view."""

    @abstractmethod
    def _build_view(self, frame: Frame) -> View | str:
        """Return the view of *frame*, or why its pose is not known."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn from a picture on which exactly the ``cells`` of *truth* stand.

        Raises BadCalibration, and nothing has changed, if the markers are not in view or *truth*
        names no such table.
        """
        cells = parse_cells(frame.name, truth, self._grid)
        view = self._build_view(frame)
        if isinstance(view, str):
            raise BadCalibration(f"{frame.name}: {view}")
        self._heights = Heights(self._grid, self._model, self._floor_z, view, cells)
        if self._model is Model.DISCS:
            self._learned = ChangeReader(self._grid, self._floor_z)
            self._learned.begin(frame.name, view, table_of({"cells": cells}))
        self._changes.forget()
        self._arms.begin(view.picture, view.table)

    def find_closest(self) -> Separation | None:
        """Return which two of the learned colours look most alike, None before two are learned.

        A disc may look like the empty board; figures never do.
        """
        found, names = [], self._grid.colours
        if self._heights is None:
            return None
        if (pair := self._heights.tops.find_closest()) is not None:
            one, other, distance = pair
            found.append(Separation(names[one], names[other], distance / MIN_COLOUR_DISTANCE))
        like_board = self._heights.closest_to_board
        if like_board is not None and self._model is Model.DISCS:
            one, distance = like_board
            found.append(Separation(names[one], EMPTY, distance / MIN_BOARD_DISTANCE))
        return min(found, key=lambda each: each.share, default=None)

    def list_unseen(self) -> tuple[str, ...]:
        """Return the colours that were never learned."""
        learned = frozenset() if self._heights is None else self._heights.tops.learned
        return tuple(name for at, name in enumerate(self._grid.colours) if at not in learned)

    def check(self, frame: Frame, truth: Mapping[str, Any]) -> str | None:
        """Return why *frame* cannot show the ``cells`` of *truth*, None if it may."""
        try:
            cells = parse_cells(frame.name, truth, self._grid)
        except BadCalibration as error:
            return str(error)
        view = self._build_view(frame)
        if isinstance(view, str):
            return view
        return check_calibration(self._grid, self._model, view, cells)

    def weigh(self, frame: Frame, truth: Mapping[str, Any]) -> float | None:
        """Return the log likelihood of the heights of *truth*'s columns by the network alone.

        None if the board is not found, or if nothing stands on it.
        """
        view = self._build_view(frame)
        heights = [len(cell) for row in truth.get("cells", ()) for cell in row]
        if isinstance(view, str) or len(heights) != len(self._grid.cells) or not any(heights):
            return None
        return weigh_heights(self._model, view, np.array(heights))

    def recognise(self, frame: Frame, known: Table) -> Observation:
        """Return what *frame* shows in each cell if the others hold what is *known*.

        As in a game, where one column changes at a time; nothing is kept for later pictures. Cells
        are estimated in two turns, as the fields of a chessboard: no two neighbours at once. Places
        in one row are fewer, and may lie anywhere: each has a turn of its own. Discs are compared
        with the picture that was learned, as in a game with the last accepted one.
        """
        view = self._build_view(frame)
        if isinstance(view, str) or self._heights is None:
            return Observation(frame.name, Status.NO_MAT, reason=Reason.TILES)
        if self._learned is not None:
            told = self._learned.read(frame.name, view, self._heights)
            return decide(frame.name, told or (), self._grid, self._model)
        cells = range(len(self._grid.cells))
        enough = np.full(len(cells), self._model.min_certainty)
        found: dict[int, Evidence] = {}
        # A row of a grid has an odd number of cells, so that colours alternate.
        turns = 2 if self._grid.rows > 1 else len(cells)
        for turn in range(turns):
            others = tuple(None if cell % turns == turn else known[cell] for cell in cells)
            evidence = self._heights.read(view, others, enough)
            found |= {cell: evidence[cell] for cell in cells[turn::turns]}
        evidence = tuple(found[cell] for cell in cells)
        return decide(frame.name, evidence, self._grid, self._model)

    def set_reference(self, frame: str, table: Table) -> None:
        """Take *table* for what the picture *frame* shows; see `companion.table.readers.Reader`.

        Colours are learned from the first tops of each colour, and again if the light has changed.
        """
        is_corrected = frame == self._changes.since
        self._changes.set_reference(frame, table)
        if is_corrected:
            return
        self._arms.set_reference(frame)
        if self._heights is None or self._newest is None or self._newest[0] != frame:
            return
        self._heights.set_reference(self._newest[1], columns_of(table, self._grid))

    def _read_view(self, frame: str, view: View) -> Observation:
        """Return what *view*, the picture *frame*, shows; NOT_CALIBRATED before `calibrate`."""
        if self._heights is None:
            return Observation(frame, Status.UNSETTLED, reason=Reason.NOT_CALIBRATED)
        arms = self._arms.find_arm(frame, view.picture, view.table)
        if arms.is_over:
            return Observation(frame, Status.UNSETTLED, reason=Reason.HAND, arms=arms.sides)
        self._newest = (frame, view)
        if isinstance(self._changes, ChangeReader):
            found = self._changes.read(frame, view, self._heights)
            evidence = found or self._heights.read(view)
            observation = decide(frame, evidence, self._grid, self._model)
            return replace(observation, since=self._changes.since)
        unchanged = self._changes.compare(frame, view.patches, view.geometry)
        known = keep_unchanged(self._changes.table, unchanged)
        evidence = self._heights.read(view, known, required_confidence(unchanged))
        observation = decide(frame, evidence, self._grid, self._model)
        return replace(observation, unchanged=unchanged, since=self._changes.since)


def parse_cells(name: str, truth: Mapping[str, Any], grid: Grid) -> list[list[list[str]]]:
    """Return the cells that *truth* says stand there, or raise BadCalibration naming *name*."""
    cells = truth.get("cells")
    length, colours = len(grid.cells) // grid.rows, ", ".join(grid.colours)
    right = f"it must be {grid.rows} rows of {length} lists of {colours}"
    if cells is None or not _is_table(cells, grid.rows, length):
        raise BadCalibration(f"{name}: 'cells' is {cells!r:.40}; {right}")
    rows = [[list(cell) for cell in row] for row in cells]
    flat = [cell for row in rows for cell in row]
    if not all(len(cell) <= TALLEST and set(cell) <= set(grid.colours) for cell in flat):
        raise BadCalibration(f"{name}: 'cells' is {cells!r:.40}; {right}")
    missing = set(grid.colours) - {cell[-1] for cell in flat if cell}
    if missing and not grid.may_lack_colours:
        raise BadCalibration(f"{name}: no {' and no '.join(sorted(missing))} lies on top; add one")
    return rows


def _is_table(cells: Any, rows: int, length: int) -> bool:
    return (
        isinstance(cells, Sequence)
        and len(cells) == rows
        and all(isinstance(row, Sequence) and len(row) == length for row in cells)
        and all(isinstance(cell, list | tuple) for row in cells for cell in row)
        and all(isinstance(piece, str) for row in cells for cell in row for piece in cell)
    )


def decide(name: str, evidence: tuple[Evidence, ...], grid: Grid, model: Model) -> Observation:
    """Return the picture's reading if all cells are certain and visible, else which are not."""
    best = [each.best for each in evidence]
    doubtful = tuple(at for at, each in enumerate(evidence) if not _is_certain(each, model))
    if doubtful:
        reason = Reason.HIDDEN if HIDDEN in best else Reason.UNCLEAR
        return Observation(name, Status.UNSETTLED, evidence, reason=reason, doubtful=doubtful)
    cells = in_rows([_content_of(each) for each in best], grid.rows)
    confidence = min(each.of(each.best) for each in evidence)
    return Observation(name, Status.OK, evidence, {"cells": cells}, confidence)


def _content_of(name: str) -> dict[str, Any]:
    """Return what a class names in the form of a reading; people may build higher than TALLEST.

    >>> _content_of("blue 9"), _content_of("empty")
    ({'height': 9, 'top': 'blue'}, {'height': 0, 'top': None})
    """
    if name == EMPTY:
        return {"height": 0, "top": None}
    colour, _, height = name.rpartition(" ")
    return {"height": int(height), "top": colour}


def _is_certain(evidence: Evidence, model: Model) -> bool:
    confidence, hidden = measure_confidence(evidence)
    return (
        evidence.best != HIDDEN and confidence >= model.min_certainty and hidden <= model.max_hidden
    )


def measure_confidence(evidence: Evidence) -> tuple[float, float]:
    """Return the probability of a cell's best class if the cell is visible, and that it is not.

    What stands in a cell and whether it is visible are two questions: some doubt about the second
    is no doubt about the first.

    >>> evidence = Evidence({"tac 2": 0.72, "tac 3": 0.08, HIDDEN: 0.2})
    >>> confidence, hidden = measure_confidence(evidence)
    >>> round(confidence, 2), hidden
    (0.9, 0.2)
    """
    hidden = evidence.of(HIDDEN)
    best = max(p for name, p in evidence.probabilities.items() if name != HIDDEN)
    return best / (1.0 - hidden) if hidden < 1.0 else 0.0, hidden


def ground_around(grid: Grid, z_mm: float, corner: tuple[float, float] = (0.0, 0.0)) -> ArmRegion:
    """Return where arms reach over the cells of *grid*, whose board lies *z_mm* above the table.

    corner: the origin of the board's frame in the table's.
    """
    (x, y), (left, top, right, bottom) = corner, grid.edges
    low, high = grid.cell_centres.min(axis=0), grid.cell_centres.max(axis=0)
    radius = grid.figure.radius
    return ArmRegion(
        (left + x, top + y, right + x, bottom + y),
        (low[0] - radius + x, low[1] - radius + y, high[0] + radius + x, high[1] + radius + y),
        z_mm,
    )
