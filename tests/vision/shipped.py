"""The recordings of whole games that ship: their pictures, and what an eye there sees of them.

No reader is taught for it, which takes seconds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

import companion
from vision.capture.frame import Frame, Picture, load_frame
from vision.columns.board_reader import ground_around
from vision.columns.grid import StackLayout, TowerLayout, parse_stacks, parse_tower
from vision.columns.patches import View, ViewBuilder
from vision.columns.tower_reader import ground_of as tower_ground_of
from vision.columns.tower_reader import track_board
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Pose
from vision.geometry.table_view import TableView
from vision.observation import EMPTY, Table
from vision.occlusion.arm_direction import ArmRegion
from vision.photometry.white_reference import estimate_white_balance

FOLDER: Final = Path(companion.__file__).parent / "recordings"
GAMES: Final = ("tactiki", "topple")
START: Final = "001.jpg"
"""The picture of the table before the first move."""


@dataclass(frozen=True)
class Shot:
    """A picture and what it truly shows, as truth.jsonl has it."""

    frame: Frame
    row: Mapping[str, Any]

    @property
    def is_settled(self) -> bool:
        """Whether no hand is over the table."""
        return bool(self.row["truth"]["settled"])

    @property
    def cells(self) -> list[list[list[str]]]:
        """The columns on the board, row by row."""
        rows: list[list[list[str]]] = self.row["truth"]["cells"]
        return rows

    @property
    def table(self) -> Table:
        """What lies in each place."""
        return table_of(self.cells)


def table_of(cells: list[list[list[str]]]) -> Table:
    """Return the class of each place of *cells*."""
    return tuple(f"{spot[-1]} {len(spot)}" if spot else EMPTY for row in cells for spot in row)


@cache
def description_of(game: str) -> dict[str, Any]:
    """Return what session.json says."""
    found: dict[str, Any] = json.loads((FOLDER / game / "session.json").read_text("utf-8"))
    return found


@cache
def shots_of(game: str) -> tuple[Shot, ...]:
    """Return the shots of a game in order, without the calibration picture."""
    folder = FOLDER / game
    rows = map(json.loads, (folder / "truth.jsonl").read_text("utf-8").splitlines())
    found = [row for row in rows if row["kind"] != "calibration"]
    return tuple(Shot(load_frame(folder / row["frame"]), row) for row in found)


@cache
def settled(game: str) -> tuple[Shot, ...]:
    """Return the shots at rest."""
    return tuple(shot for shot in shots_of(game) if shot.is_settled)


def shot_of(game: str, name: str) -> Shot:
    """Return the shot of that name."""
    return next(shot for shot in shots_of(game) if shot.frame.name == name)


@cache
def layout_of(game: str) -> StackLayout | TowerLayout:
    """Return how the table is laid out."""
    parse = parse_stacks if game == "tactiki" else parse_tower
    return parse(description_of(game))


def ground_of(game: str) -> ArmRegion:
    """Return where arms reach."""
    layout = layout_of(game)
    if isinstance(layout, TowerLayout):
        return tower_ground_of(layout)
    return ground_around(layout, layout.floor_z)


class Onlooker:
    """Finds table and board in one picture after the other."""

    def __init__(self, game: str) -> None:
        self._layout = layout_of(game)
        self._table = MarkerTracker(self._layout)
        self._balance: MarkerTracker | None = None
        floor_z = 0.0
        if isinstance(self._layout, TowerLayout):
            self._balance = track_board(self._layout)
        else:
            floor_z = self._layout.floor_z
        self._boards = ViewBuilder(self._layout, floor_z)

    def locate(self, picture: Picture) -> Pose:
        """Return where the camera is over the table."""
        pose = self._table.locate(TableView(picture))
        assert pose is not None
        return pose

    def look(self, picture: Picture) -> View:
        """Return what is seen of the board."""
        table = self.locate(picture)
        light = estimate_white_balance(picture, table, self._layout.mat)
        if self._balance is None:
            return self._boards.build(picture, table, light=light)
        board = self._balance.locate(TableView(picture))
        assert board is not None
        return self._boards.build(picture, board, table, light)


@cache
def view_of(game: str, name: str) -> View:
    """Return what is seen in the picture of that name by an eye that remembers no other."""
    return Onlooker(game).look(shot_of(game, name).frame.picture)


def bright(picture: Picture) -> NDArray[Any]:
    """Return the picture in a light brighter by a fifth."""
    return picture * 1.2


def pushed(picture: Picture) -> NDArray[Any]:
    """Return the picture of a camera that was pushed a little."""
    return np.roll(picture, (3, 4), (0, 1))


def noisy(picture: Picture) -> NDArray[Any]:
    """Return the picture of a worse camera."""
    return picture + np.random.default_rng(1).normal(0.0, 6.0, picture.shape)
