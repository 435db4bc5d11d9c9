"""Boards with columns of pieces: TacTiki's, Topple's balance board, and places of piles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from vision.geometry.layout import Mat, parse_board_markers, parse_mat
from vision.geometry.session_values import (
    BadLayout,
    take_hfov_deg,
    take_length,
    take_number,
    take_table,
    take_value,
)
from vision.observation import EMPTY, Table

CELLS_PER_SIDE: Final = 5
"""Rows and columns of both games' boards."""
MIN_PLACES: Final = 5
"""Of piles: what changed is told by most of them, and a move may change two."""
TALLEST: Final = 6
"""The most pieces in a column that the networks were trained on."""
HIGHEST: Final = 16
"""People may build so high: no height above TALLEST is told, but what such a column hides."""

DEFAULT_COLOURS_BGR: Final = {
    "tac": (60, 185, 242),
    "tiki": (180, 115, 65),
    "pink": (150, 95, 245),
    "yellow": (55, 220, 253),
    "blue": (215, 120, 55),
    "green": (80, 185, 70),
    "red": (60, 60, 200),
    "orange": (50, 125, 235),
    "violet": (150, 80, 130),
    "white": (235, 235, 235),
    "black": (45, 45, 45),
}
"""Levels (0 to 255) of a typical piece of each colour class under white light, used until the
colours of the table's own pieces are learned."""


@dataclass(frozen=True, slots=True)
class Figure:
    """A piece that stands on others of its kind; all lengths in mm.

    top_mm: height of the top above the foot.
    pitch: how much higher each piece of a column stands than the one below it.
    """

    radius: float
    top_mm: float
    pitch: float

    def rise_mm(self, height: int) -> float:
        """Return the height above the board of the top of a column of *height* pieces."""
        return self.top_mm + self.pitch * (height - 1)


@dataclass(frozen=True, slots=True)
class Grid:
    """The geometry of a table with columns on it, and the colour classes of its pieces.

    mat, hfov_deg: as in a Layout.
    cells: the centres of the cells in mm, row by row, on the plane on which the columns stand.
    edges: left, top, right and bottom edge of the board in mm on that plane.
    colours: the names of the colour classes, in the words of a reading.
    """

    mat: Mat
    hfov_deg: float
    cells: tuple[tuple[float, float], ...]
    edges: tuple[float, float, float, float]
    figure: Figure
    colours: tuple[str, ...]

    may_lack_colours: ClassVar[bool] = False
    """Whether a calibration picture need not show every colour on top of a column."""
    rows: ClassVar[int] = CELLS_PER_SIDE
    """In how many rows of the same length readings and truths have the cells."""

    @property
    def cell_centres(self) -> NDArray[np.float64]:
        """The cells as an array (cells, 2), in mm."""
        return np.array(self.cells)


@dataclass(frozen=True, slots=True)
class StackLayout(Grid):
    """A table such as TacTiki's: the fields lie *floor_z* mm above it."""

    floor_z: float


@dataclass(frozen=True, slots=True)
class PlacesLayout(StackLayout):
    """A table with piles of flat discs at places that lie anywhere on its board: one row."""

    may_lack_colours: ClassVar[bool] = True  # as with Topple's discs
    rows: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class TowerLayout(Grid):
    """Topple's table: the cells lie on a board of its own, with markers in its corners.

    cells, edges: in the board's frame, whose origin is the centre of its top left marker.
    board: the rectangle between the centres of the board's four markers.
    top_z: how high above the table the board's top is when it is level, in mm.
    """

    board: Mat
    top_z: float

    may_lack_colours: ClassVar[bool] = True  # a game begins with an empty board


@dataclass(frozen=True)
class Column:
    """A column as known or estimated: its cell, its height in pieces, the colour of its top.

    cell: index, row by row.  colour: index into `Grid.colours`.
    """

    cell: int
    height: int
    colour: int


def list_columns(cells: Sequence[Sequence[str]], colours: Sequence[str]) -> list[Column]:
    """Return the columns that stand on *cells*, each a list of colours from bottom to top.

    >>> list_columns([[], ["tac", "tiki"]], ("tac", "tiki"))
    [Column(cell=1, height=2, colour=1)]
    """
    return [
        Column(cell, len(pieces), colours.index(pieces[-1]))
        for cell, pieces in enumerate(cells)
        if pieces
    ]


def height_of(content: str | None, most: int = TALLEST) -> int | None:
    """Return the height of the column that a class names, at *most* that; None for None.

    >>> height_of("tac 2"), height_of("tac 9"), height_of("empty"), height_of(None)
    (2, 6, 0, None)
    """
    if content is None:
        return None
    return 0 if content == EMPTY else min(int(content.rpartition(" ")[2]), most)


def columns_of(table: Table, grid: Grid) -> list[Column]:
    """Return the columns of *table*, without the cells whose content is not known.

    >>> grid = Grid(None, 66.0, (), (), None, ("tac", "tiki"))
    >>> columns_of((None, "empty", "tiki 2"), grid)
    [Column(cell=2, height=2, colour=1)]
    """
    return [
        Column(cell, height, grid.colours.index(content.split()[0]))
        for cell, content in enumerate(table)
        if content and (height := height_of(content))
    ]


def table_of(truth: Mapping[str, Any]) -> Table:
    """Return the class of each cell of a *truth* in the form of truth.jsonl.

    >>> table_of({"cells": [[["tac", "tiki"], []]]})
    ('tiki 2', 'empty')
    """
    cells = [cell for row in truth["cells"] for cell in row]
    return tuple(f"{cell[-1]} {len(cell)}" if cell else EMPTY for cell in cells)


def cells_of(table: Table, rows: int = CELLS_PER_SIDE) -> dict[str, Any] | None:
    """Return *table* in the form of truth.jsonl, or None if the content of a cell is not known.

    All pieces of a column get the colour of its top, since those below are not visible.

    >>> cells_of(("tac 2", "empty", "tiki 1", "empty"), rows=2)
    {'cells': [[['tac', 'tac'], []], [['tiki'], []]]}
    """
    if not table or None in table:
        return None
    words = [(content or EMPTY).split() for content in table]
    columns = [[word[0]] * int(word[1]) if len(word) == 2 else [] for word in words]
    return {"cells": in_rows(columns, rows)}


def in_rows(cells: Sequence[Any], rows: int) -> list[list[Any]]:
    """Return all *cells* as so many rows of the same length.

    >>> in_rows("abcdef", rows=2)
    [['a', 'b', 'c'], ['d', 'e', 'f']]
    """
    length = len(cells) // rows
    return [list(cells[length * row : length * (row + 1)]) for row in range(rows)]


def parse_stacks(
    session: Mapping[str, Any], colours: tuple[str, ...] = ("tac", "tiki")
) -> StackLayout:
    """Return the layout of stacks of *colours* that a session.json describes.

    Raises BadLayout, naming the key that is missing or wrong and what would be right.

    >>> parse_stacks({})
    Traceback (most recent call last):
    vision.geometry.session_values.BadLayout: 'mat' is missing: a table with width, height, ...
    """
    _require_colours(colours)
    mat, hfov_deg = parse_mat(session), take_hfov_deg(session)
    layout = take_table(session, "layout", "a table with cells, figure and floor_z")
    figure = take_table(layout, "layout.figure", "a table with width, height and stack_pitch")
    return StackLayout(
        mat=mat,
        hfov_deg=hfov_deg,
        cells=_take_cells(layout, "layout.cells"),
        edges=_take_edges(layout, "layout.board"),
        figure=Figure(
            radius=take_length(figure, "layout.figure.width") / 2.0,
            top_mm=take_length(figure, "layout.figure.height"),
            pitch=take_length(figure, "layout.figure.stack_pitch"),
        ),
        colours=colours,
        floor_z=take_number(layout, "layout.floor_z", "the height of the fields in mm"),
    )


def parse_places(session: Mapping[str, Any], colours: tuple[str, ...]) -> PlacesLayout:
    """Return the layout of piles of discs of *colours* that a session.json describes.

    Raises BadLayout, as `parse_stacks` does.
    """
    _require_colours(colours)
    mat, hfov_deg = parse_mat(session), take_hfov_deg(session)
    layout = take_table(session, "layout", "a table with places, disc and floor_z")
    path, right = "layout.places", f"at least {MIN_PLACES} tables with x and y in mm"
    places = take_value(layout, path, right)
    if not isinstance(places, list | tuple) or len(places) < MIN_PLACES:
        raise BadLayout(f"'{path}' is {places!r:.40}; it must be {right}")
    return PlacesLayout(
        mat=mat,
        hfov_deg=hfov_deg,
        cells=tuple(_take_points(places, path)),
        edges=_take_edges(layout, "layout.board"),
        figure=_take_disc(layout),
        colours=colours,
        floor_z=take_number(layout, "layout.floor_z", "the height of the places in mm"),
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
    path = "layout.balance"
    balance = take_table(layout, path, "a table with size, spots and markers")
    markers = parse_board_markers(session)
    assert markers is not None  # the balance is there
    board, inset, side = markers.mat, markers.inset_mm, markers.mat.width
    # Session files give the cells from the middle of the board.
    middle = side / 2.0
    cells = tuple((x + middle, y + middle) for x, y in _take_cells(balance, f"{path}.spots"))
    return TowerLayout(
        mat=mat,
        hfov_deg=hfov_deg,
        cells=cells,
        edges=(-inset, -inset, side + inset, side + inset),
        figure=_take_disc(layout),
        colours=("pink", "yellow", "blue", "green"),
        board=board,
        top_z=take_length(balance, f"{path}.top_height"),
    )


def _require_colours(colours: Sequence[str]) -> None:
    """Raise BadLayout for a colour that pieces do not have."""
    if unknown := [colour for colour in colours if colour not in DEFAULT_COLOURS_BGR]:
        right = ", ".join(DEFAULT_COLOURS_BGR)
        raise BadLayout(f"'{unknown[0]}' is not a colour of the pieces; it must be one of {right}")


def _take_disc(layout: Mapping[str, Any]) -> Figure:
    """Return a flat disc: each lies on the one below it with all of its height."""
    disc = take_table(layout, "layout.disc", "a table with diameter and height in mm")
    height = take_length(disc, "layout.disc.height")
    return Figure(take_length(disc, "layout.disc.diameter") / 2.0, height, height)


def _take_cells(table: Mapping[str, Any], path: str) -> tuple[tuple[float, float], ...]:
    right = f"{CELLS_PER_SIDE} rows of {CELLS_PER_SIDE} tables with x and y in mm"
    rows = table.get(path.rpartition(".")[2])
    if rows is None:
        raise BadLayout(f"'{path}' is missing: {right}")
    if not isinstance(rows, list | tuple) or len(rows) != CELLS_PER_SIDE:
        raise BadLayout(f"'{path}' is {rows!r:.40}; it must be {right}")
    cells = []
    for r, row in enumerate(rows):
        if not isinstance(row, list | tuple) or len(row) != CELLS_PER_SIDE:
            wanted = f"it must be {CELLS_PER_SIDE} tables"
            raise BadLayout(f"'{path}.{r}' is {row!r:.40}: {wanted}")
        cells += _take_points(row, f"{path}.{r}")
    return tuple(cells)


def _take_points(row: Sequence[Any], path: str) -> list[tuple[float, float]]:
    points = []
    for at, cell in enumerate(row):
        here = f"{path}.{at}"
        if not isinstance(cell, Mapping):
            raise BadLayout(f"'{here}' is {cell!r:.40}; it must be a table with x and y")
        x, y = (take_number(cell, f"{here}.{n}", "the spot's middle in mm") for n in "xy")
        points.append((x, y))
    return points


def _take_edges(layout: Mapping[str, Any], path: str) -> tuple[float, float, float, float]:
    right = "left, top, right and bottom in mm"
    value = layout.get(path.rpartition(".")[2])
    if value is None:
        raise BadLayout(f"'{path}' is missing: {right}")
    names = ("left", "top", "right", "bottom")
    if not isinstance(value, list | tuple) or len(value) != len(names):
        raise BadLayout(f"'{path}' is {value!r:.40}; it must be {right}")
    named = dict(zip(names, value, strict=True))
    left, top, far_right, bottom = (take_number(named, f"{path}.{n}", right) for n in names)
    if left >= far_right or top >= bottom:
        raise BadLayout(f"'{path}' is {value!r:.40}; it must be {right}")
    return left, top, far_right, bottom
