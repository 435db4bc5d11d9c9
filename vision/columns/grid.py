"""Tables with columns of pieces on a grid of spots: TacTiki's board and Topple's balance board."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.layout import Mat, parse_mat
from vision.geometry.session_values import (
    BadLayout,
    take_hfov_deg,
    take_length,
    take_marker_ids,
    take_number,
    take_table,
)
from vision.observation import EMPTY, Table

SIDE: Final = 5
"""Both games have 5 x 5 spots."""
TALLEST: Final = 6

TACTIKI_PAINTS: Final = ("tac", "tiki")
TOPPLE_PAINTS: Final = ("pink", "yellow", "blue", "green")
USUAL: Final = {
    "tac": (60, 185, 242),
    "tiki": (180, 115, 65),
    "pink": (150, 95, 245),
    "yellow": (55, 220, 253),
    "blue": (215, 120, 55),
    "green": (80, 185, 70),
}
"""Blue, green and red of each paint as it usually looks in white light, until it is learned."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece that stands on others of its kind; all lengths in mm.

    top_mm: how high above its foot its top is.
    pitch: how much higher each piece of a column stands than the one below it.
    """

    radius: float
    top_mm: float
    pitch: float

    def rise_mm(self, height: int) -> float:
        """Return how high above its foot the top of a column of *height* pieces is."""
        return self.top_mm + self.pitch * (height - 1)


@dataclass(frozen=True, slots=True)
class Grid:
    """All that is known beforehand about a table with columns on it.

    mat, hfov_deg: as in a Layout.
    spots: the 25 spots' middles in mm, row by row, on the plane on which the columns stand.
    edges: left, top, right and bottom edge of the board in mm on that plane.
    paints: what tells the pieces apart, in the words of a reading.
    """

    mat: Mat
    hfov_deg: float
    spots: tuple[tuple[float, float], ...]
    edges: tuple[float, float, float, float]
    figure: Figure
    paints: tuple[str, ...]

    @property
    def may_lack_paints(self) -> bool:
        """Whether a game goes on before every paint was seen: then it looks as it usually does."""
        return False

    @property
    def middles(self) -> NDArray[np.float64]:
        """The spots as an array (25, 2)."""
        return np.array(self.spots)


@dataclass(frozen=True, slots=True)
class StackLayout(Grid):
    """TacTiki's table: the fields lie *floor_z* mm above it."""

    floor_z: float


@dataclass(frozen=True, slots=True)
class TowerLayout(Grid):
    """Topple's table: the spots lie on a board of its own, with markers in its corners.

    spots, edges: on the board, from its top left marker's centre.
    board: the rectangle between the centres of the board's four markers.
    top_z: how high above the table the board's top is when it is level, in mm.
    """

    board: Mat
    top_z: float

    @property
    def may_lack_paints(self) -> bool:
        """Whether a game goes on before every paint was seen: it begins with an empty board."""
        return True


@dataclass(frozen=True)
class Column:
    """What a column is known, or thought, to be: its spot, how high it is, what lies on top."""

    spot: int
    height: int
    paint: int


def list_columns(spots: Sequence[Sequence[str]], paints: Sequence[str]) -> list[Column]:
    """Return the columns that stand on *spots*, each a list of paints from bottom to top.

    >>> list_columns([[], ["tac", "tiki"]], ("tac", "tiki"))
    [Column(spot=1, height=2, paint=1)]
    """
    return [Column(at, len(spot), paints.index(spot[-1])) for at, spot in enumerate(spots) if spot]


def height_of(content: str | None) -> int | None:
    """Return how high a column is that shows *content*, None if nobody knows; TALLEST at most.

    >>> height_of("tac 2"), height_of("empty"), height_of(None)
    (2, 0, None)
    """
    if content is None:
        return None
    return 0 if content == EMPTY else min(int(content.rpartition(" ")[2]), TALLEST)


def parse_table(table: Table, grid: Grid) -> list[Column]:
    """Return the columns that *table* has, as far as they are known.

    >>> grid = Grid(None, 66.0, (), (), None, ("tac", "tiki"))
    >>> parse_table((None, "empty", "tiki 2"), grid)
    [Column(spot=2, height=2, paint=1)]
    """
    return [
        Column(spot, height, grid.paints.index(content.split()[0]))
        for spot, content in enumerate(table)
        if content and (height := height_of(content))
    ]


def cells_of(table: Table) -> dict[str, Any] | None:
    """Return *table* as truth.jsonl has it, each column of one paint; None if any is unknown.

    Which paints lie below the top nobody sees.

    >>> cells_of(("tac 2", "empty", *["empty"] * 23))["cells"][0][:2]
    [['tac', 'tac'], []]
    """
    if len(table) != SIDE**2 or None in table:
        return None
    spots = [(content or EMPTY).split() for content in table]
    columns = [[words[0]] * int(words[1]) if len(words) == 2 else [] for words in spots]
    return {"cells": [columns[row : row + SIDE] for row in range(0, len(columns), SIDE)]}


def parse_stacks(session: Mapping[str, Any]) -> StackLayout:
    """Return the layout that a TacTiki session.json describes.

    Raises BadLayout, naming the key that is missing or wrong and what would be right.

    >>> parse_stacks({})
    Traceback (most recent call last):
    vision.geometry.session_values.BadLayout: 'mat' is missing: a table with width, height, ...
    """
    mat, hfov_deg = parse_mat(session), take_hfov_deg(session)
    layout = take_table(session, "layout", "a table with cells, figure and floor_z")
    figure = take_table(layout, "layout.figure", "a table with width, height and stack_pitch")
    return StackLayout(
        mat=mat,
        hfov_deg=hfov_deg,
        spots=_spots(layout, "layout.cells"),
        edges=_edges(layout, "layout.board"),
        figure=Figure(
            radius=take_length(figure, "layout.figure.width") / 2.0,
            top_mm=take_length(figure, "layout.figure.height"),
            pitch=take_length(figure, "layout.figure.stack_pitch"),
        ),
        paints=TACTIKI_PAINTS,
        floor_z=take_number(layout, "layout.floor_z", "the height of the fields in mm"),
    )


def parse_tower(session: Mapping[str, Any]) -> TowerLayout:
    """Return the layout that a Topple session.json describes.

    Raises BadLayout, naming the key that is missing or wrong and what would be right.

    >>> parse_tower({})
    Traceback (most recent call last):
    vision.geometry.session_values.BadLayout: 'mat' is missing: a table with width, height, ...
    """
    mat, hfov_deg = parse_mat(session), take_hfov_deg(session)
    layout = take_table(session, "layout", "a table with balance and disc")
    disc = take_table(layout, "layout.disc", "a table with diameter and height in mm")
    path = "layout.balance"
    balance = take_table(layout, path, "a table with size, spots and markers")
    board = _balance_board(balance, path)
    inset = take_length(balance, f"{path}.marker_inset")
    # Session files give the spots from the middle of the board.
    middle = board.width / 2.0
    return TowerLayout(
        mat=mat,
        hfov_deg=hfov_deg,
        spots=tuple((x + middle, y + middle) for x, y in _spots(balance, f"{path}.spots")),
        edges=(-inset, -inset, board.width + inset, board.height + inset),
        figure=_disc(disc),
        paints=TOPPLE_PAINTS,
        board=board,
        top_z=take_length(balance, f"{path}.top_height"),
    )


def _balance_board(balance: Mapping[str, Any], path: str) -> Mat:
    size = take_length(balance, f"{path}.size")
    inset = take_length(balance, f"{path}.marker_inset")
    across = size - 2.0 * inset
    if across <= 0.0:
        raise BadLayout(f"'{path}.marker_inset' is {inset:g}: less than half the size is right")
    return Mat(
        width=across,
        height=across,
        marker_ids=take_marker_ids(balance, f"{path}.marker_ids"),
        marker_mm=take_length(balance, f"{path}.marker_mm"),
    )


def _disc(disc: Mapping[str, Any]) -> Figure:
    thickness = take_length(disc, "layout.disc.height")
    return Figure(
        radius=take_length(disc, "layout.disc.diameter") / 2.0,
        top_mm=thickness,
        pitch=thickness,
    )


def _spots(table: Mapping[str, Any], path: str) -> tuple[tuple[float, float], ...]:
    right = f"{SIDE} rows of {SIDE} tables with x and y in mm"
    rows = table.get(path.rpartition(".")[2])
    if rows is None:
        raise BadLayout(f"'{path}' is missing: {right}")
    if not isinstance(rows, list | tuple) or len(rows) != SIDE:
        raise BadLayout(f"'{path}' is {rows!r:.40}: {right} would be right")
    spots = []
    for r, row in enumerate(rows):
        if not isinstance(row, list | tuple) or len(row) != SIDE:
            raise BadLayout(f"'{path}.{r}' is {row!r:.40}: {SIDE} tables would be right")
        for c, spot in enumerate(row):
            here = f"{path}.{r}.{c}"
            if not isinstance(spot, Mapping):
                raise BadLayout(f"'{here}' is {spot!r:.40}: a table with x and y would be right")
            right_here = "the spot's middle in mm"
            spots.append(
                (
                    take_number(spot, f"{here}.x", right_here),
                    take_number(spot, f"{here}.y", right_here),
                )
            )
    return tuple(spots)


def _edges(layout: Mapping[str, Any], path: str) -> tuple[float, float, float, float]:
    right = "left, top, right and bottom in mm"
    value = layout.get(path.rpartition(".")[2])
    if value is None:
        raise BadLayout(f"'{path}' is missing: {right}")
    names = ("left", "top", "right", "bottom")
    if not isinstance(value, list | tuple) or len(value) != len(names):
        raise BadLayout(f"'{path}' is {value!r:.40}: {right} would be right")
    named = dict(zip(names, value, strict=True))
    left, top, far_right, bottom = (take_number(named, f"{path}.{n}", right) for n in names)
    if left >= far_right or top >= bottom:
        raise BadLayout(f"'{path}' is {value!r:.40}: {right} would be right")
    return left, top, far_right, bottom
