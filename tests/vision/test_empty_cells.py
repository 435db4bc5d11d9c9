"""Cells known to be empty: what leaves them so, and what does not."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.grids import Shot, session_of, shots_of
from vision.capture.frame import Picture
from vision.columns.empty_cells import EmptyCellDetector
from vision.columns.grid import Grid, parse_stacks, parse_tower
from vision.columns.patches import View, ViewBuilder
from vision.columns.tower_reader import track_board
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.table_view import TableView

SESSIONS = ("tactiki_full", "topple_full")


class Table:
    """A recorded table, its cells learned from the calibration picture."""

    def __init__(self, session: str) -> None:
        described = session_of(session)
        self.shots = shots_of(session)
        self.grid: Grid
        if session.startswith("tactiki"):
            stacks = parse_stacks(described)
            self.grid, floor_z, self._tracker = stacks, stacks.floor_z, MarkerTracker(stacks)
        else:
            tower = parse_tower(described)
            self.grid, floor_z, self._tracker = tower, 0.0, track_board(tower)
        self.detector = EmptyCellDetector(self.grid, floor_z)
        self._boards = ViewBuilder(self.grid, floor_z)
        view = self.look(self.shots[0].frame.picture)
        assert view is not None
        self.known = heights_of(self.shots[0]) == 0
        self.detector.learn(view, self.known)

    def look(self, picture: Picture) -> View | None:
        """Return a picture's view, if the board is to be seen."""
        pose = self._tracker.locate(TableView(picture))
        return None if pose is None else self._boards.build(picture, pose)

    def find(self, picture: Picture) -> NDArray[np.bool_]:
        """Return which cells of a *picture* are empty."""
        view = self.look(picture)
        assert view is not None
        return self.detector.detect(view)

    def place(self, view: View, cell: int, radii: float = 1.0) -> tuple[float, float, float]:
        """Return where a cell appears, x and y in pixels, and how long so many radii are there."""
        middle = np.array([*self.grid.cell_centres[cell], 0.0])
        aside = np.array([radii * self.grid.figure.radius, 0.0, 0.0])
        here, there = view.pose.project(np.stack([middle, middle + aside]))
        return float(here[0]), float(here[1]), float(np.hypot(*(there - here)))

    def settled(self) -> list[Shot]:
        """Return the shots on which pieces stand and nothing is in the way."""
        return [shot for shot in self.shots[1:] if shot.reading and "cells" in shot.reading]


def heights_of(shot: Shot) -> NDArray[np.intp]:
    """Return how high the columns (25,) of a shot truly are."""
    return np.array([len(cell) for row in shot.truth["cells"] for cell in row])


@pytest.fixture(scope="module", params=SESSIONS)
def table(request: pytest.FixtureRequest) -> Table:
    """Return a table that has learned."""
    return Table(request.param)


def test_empty_spots_are_known_again_and_no_others(table: Table) -> None:
    """Most of those known to be empty, in shadows of columns too; never one with a piece."""
    found = empty = 0
    for shot in table.settled():
        bare, standing = table.find(shot.frame.picture), heights_of(shot) > 0
        assert not np.any(bare & standing), shot.frame.name
        assert not np.any(bare & ~table.known), shot.frame.name
        found += int(np.count_nonzero(bare))
        empty += int(np.count_nonzero(table.known & ~standing))
    assert found > 0.6 * empty


@pytest.mark.parametrize("strength", [0.75, 1.25])
def test_light_may_change(table: Table, strength: float) -> None:
    """As long as it keeps its colour."""
    picture = table.shots[0].frame.picture
    lit = np.clip(picture.astype(np.float32) * strength, 0, 255).astype(np.uint8)
    assert np.count_nonzero(table.find(lit)) > 0.7 * np.count_nonzero(table.known)
    tinted = np.clip(picture * np.array([0.6, 1.0, 1.4]), 0, 255).astype(np.uint8)
    assert not table.find(tinted).any()


@pytest.mark.parametrize("colour", [(40, 40, 40), (90, 120, 180), (255, 255, 255)])
def test_what_covers_a_spot_is_noticed(table: Table, colour: tuple[int, int, int]) -> None:
    """Even if it covers a quarter of it only."""
    picture = table.shots[0].frame.picture
    view = table.look(picture)
    assert view is not None
    for cell in np.flatnonzero(table.known & table.find(picture)).tolist():
        x, y, reach = table.place(view, cell)
        covered = picture.copy()
        at = (round(x + 0.7 * reach), round(y + 0.7 * reach))
        cv2.circle(covered, at, round(0.6 * reach), colour, -1, cv2.LINE_AA)
        assert not table.detector.detect(replace(view, picture=covered))[cell]


def test_a_hand_of_the_boards_colour_is_no_board(table: Table) -> None:
    """Smooth skin or cloth may look like bare ground but for the print, which is what tells."""
    picture = table.shots[0].frame.picture
    view = table.look(picture)
    assert view is not None
    for cell in np.flatnonzero(table.find(picture)).tolist():
        x, y, reach = (round(part) for part in table.place(view, cell, 1.6))
        around = picture[y - reach : y + reach, x - reach : x + reach]
        skin = picture.copy()
        # The very colour and shade of the place, without its print.
        skin[y - reach : y + reach, x - reach : x + reach] = cv2.GaussianBlur(around, (0, 0), reach)
        assert not table.detector.detect(replace(view, picture=skin))[cell]


def test_what_columns_hide_does_not_count(table: Table) -> None:
    """A cell over whose edge a column leans is still empty; one that is mostly occluded is not."""
    found = told = 0
    for shot in table.settled():
        view, heights = table.look(shot.frame.picture), heights_of(shot)
        assert view is not None
        alone, beside = table.detector.detect(view), table.detector.detect(view, heights=heights)
        assert not np.any(beside & (heights > 0)), shot.frame.name
        found += int(np.count_nonzero(alone))
        told += int(np.count_nonzero(beside))
    assert told >= found
    everywhere = np.where(table.known, 0, 6)
    view = table.look(table.shots[0].frame.picture)
    assert view is not None
    assert np.count_nonzero(table.detector.detect(view, heights=everywhere)) < np.count_nonzero(
        table.known
    )


def test_nothing_is_empty_before_anything_was_learned(table: Table) -> None:
    """Nor on a board that was full."""
    view = table.look(table.shots[0].frame.picture)
    assert view is not None
    untrained = EmptyCellDetector(table.grid, 0.0)
    assert not untrained.detect(view).any()
    untrained.learn(view, np.zeros(25, np.bool_))
    assert not untrained.detect(view).any()
