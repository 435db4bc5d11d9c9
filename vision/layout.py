"""What lies where on the table: the mat, the slots, the pieces, the camera's field of view.

One table frame for everything, in millimetres: x right, y down towards the near player, z up from
the table, origin at the centre of the top-left corner tile.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

TIKIS: Final = (
    "hookipa",
    "lokahi",
    "nani",
    "wikiwiki",
    "akamai",
    "huhu",
    "kapu",
    "eepo",
    "nui",
)
"""The nine Tikis in the order in which they stand in a calibration picture, slot 0 first."""

TILES_PER_MAT: Final = 4


class BadLayout(ValueError):
    """A session's description of its table that cannot be used: one line says why."""


@dataclass(frozen=True, slots=True)
class Mat:
    """The rectangle between the centres of the four corner tiles.

    marker_ids: top left, top right, bottom right, bottom left.
    marker_mm: the side of the black square of a marker.
    """

    width: float
    height: float
    marker_ids: tuple[int, int, int, int]
    marker_mm: float

    @property
    def centres(self) -> tuple[tuple[float, float], ...]:
        """The tiles' centres in mm, in the order of *marker_ids*."""
        return ((0.0, 0.0), (self.width, 0.0), (self.width, self.height), (0.0, self.height))


class Rig(Protocol):
    """What the corner tiles and the camera need to be known by: part of every game's layout."""

    @property
    def mat(self) -> Mat:
        """The mat between the tiles."""

    @property
    def hfov_deg(self) -> float:
        """The horizontal field of view of the camera in degrees."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one piece: centre and size in mm."""

    x: float
    y: float
    w: float
    h: float


@dataclass(frozen=True, slots=True)
class Piece:
    """The size of a piece in mm as it lies in its slot."""

    w: float
    h: float
    height: float


@dataclass(frozen=True, slots=True)
class Layout:
    """All that is known about the table before a picture is seen.

    slots: slot 0 (top) first.
    floor_z: height of the slots' floor above the table in mm.
    hfov_deg: horizontal field of view of the camera in degrees.
    board: left, top, right and bottom edge of the printed board in mm.
    """

    mat: Mat
    slots: tuple[Slot, ...]
    piece: Piece
    floor_z: float
    hfov_deg: float
    board: tuple[float, float, float, float] = (72.0, 2.0, 348.0, 298.0)
    names: tuple[str, ...] = TIKIS

    @property
    def top_z(self) -> float:
        """The height of a piece's top face above the table in mm."""
        return self.floor_z + self.piece.height


TIKI_TOPPLE: Final = Layout(
    mat=Mat(width=420.0, height=300.0, marker_ids=(0, 1, 2, 3), marker_mm=40.0),
    slots=tuple(Slot(x=210.0, y=30.0 + 30.0 * i, w=62.0, h=27.0) for i in range(len(TIKIS))),
    piece=Piece(w=58.0, h=25.0, height=16.0),
    floor_z=0.8,
    hfov_deg=66.0,
)
"""The rig of the instructions, for when there is no session.json."""


def parse_layout(session: Mapping[str, Any]) -> Layout:
    """Return the layout that a session.json describes.

    Raises BadLayout, naming the key that is missing or wrong and what would be right.

    >>> parse_layout({"game": "tiki_topple"})
    Traceback (most recent call last):
    vision.layout.BadLayout: 'mat' is missing: a table with width, height, marker_ids and marker_mm
    """
    mat = parse_mat(session)
    layout = require_table(session, "layout", "a table with slots, piece and floor_z")
    piece = require_table(layout, "layout.piece", "a table with w, h and height in mm")
    hfov_deg = parse_hfov(session)
    return Layout(
        mat=mat,
        slots=_slots(layout),
        piece=Piece(
            w=require_length(piece, "layout.piece.w"),
            h=require_length(piece, "layout.piece.h"),
            height=require_length(piece, "layout.piece.height"),
        ),
        floor_z=require_number(layout, "layout.floor_z", "the height of the slots' floor in mm"),
        hfov_deg=hfov_deg,
        board=_board(layout),
        names=_names(layout),
    )


def parse_mat(session: Mapping[str, Any]) -> Mat:
    """Return the mat of a session.json of any game, or raise BadLayout."""
    mat = require_table(session, "mat", "a table with width, height, marker_ids and marker_mm")
    return Mat(
        width=require_length(mat, "mat.width"),
        height=require_length(mat, "mat.height"),
        marker_ids=require_marker_ids(mat, "mat.marker_ids"),
        marker_mm=require_length(mat, "mat.marker_mm"),
    )


def parse_hfov(session: Mapping[str, Any]) -> float:
    """Return the camera's field of view in degrees from a session.json, or raise BadLayout."""
    image = require_table(session, "image", "a table with hfov_deg")
    hfov_deg = require_number(
        image, "image.hfov_deg", "the horizontal field of view, 10 to 150 degrees"
    )
    if not 10.0 <= hfov_deg <= 150.0:
        raise BadLayout(f"'image.hfov_deg' is {hfov_deg:g}: 10 to 150 degrees would be right")
    return hfov_deg


def _value(table: Mapping[str, Any], path: str, right: str) -> Any:
    key = path.rpartition(".")[2]
    if key not in table:
        raise BadLayout(f"'{path}' is missing: {right}")
    return table[key]


def require_table(table: Mapping[str, Any], path: str, right: str) -> Mapping[str, Any]:
    """Return the table at the last part of *path* in *table*, or raise BadLayout."""
    value = _value(table, path, right)
    if not isinstance(value, Mapping):
        raise BadLayout(f"'{path}' is {value!r:.40}: {right} would be right")
    return value


def require_number(table: Mapping[str, Any], path: str, right: str) -> float:
    """Return the number at the last part of *path* in *table*, or raise BadLayout."""
    value = _value(table, path, right)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise BadLayout(f"'{path}' is {value!r:.40}: {right} would be right")
    return float(value)


def require_length(table: Mapping[str, Any], path: str) -> float:
    """Return the length in mm at the last part of *path* in *table*, or raise BadLayout."""
    value = require_number(table, path, "a length above 0 in mm")
    if value <= 0.0:
        raise BadLayout(f"'{path}' is {value:g}: a length above 0 in mm would be right")
    return value


def require_marker_ids(table: Mapping[str, Any], path: str) -> tuple[int, int, int, int]:
    """Return the four marker numbers at the last part of *path* in *table*, or raise BadLayout."""
    right = "four different numbers from 0 to 49 (top left, top right, bottom right, bottom left)"
    value = _value(table, path, right)
    if not isinstance(value, list | tuple) or not all(type(i) is int for i in value):
        raise BadLayout(f"'{path}' is {value!r:.40}: {right} would be right")
    if (
        len(set(value)) != TILES_PER_MAT
        or len(value) != TILES_PER_MAT
        or not set(value) <= set(range(50))
    ):
        raise BadLayout(f"'{path}' is {value!r:.40}: {right} would be right")
    return (value[0], value[1], value[2], value[3])


def _slots(layout: Mapping[str, Any]) -> tuple[Slot, ...]:
    right = f"a list of {len(TIKIS)} tables with x, y, w and h in mm"
    value = _value(layout, "layout.slots", right)
    if not isinstance(value, list | tuple) or len(value) != len(TIKIS):
        raise BadLayout(f"'layout.slots' is {value!r:.40}: {right} would be right")
    slots = []
    for index, table in enumerate(value):
        path = f"layout.slots.{index}"
        if not isinstance(table, Mapping):
            raise BadLayout(f"'{path}' is {table!r:.40}: a table with x, y, w and h would be right")
        slots.append(
            Slot(
                x=require_number(table, f"{path}.x", "the slot's centre in mm"),
                y=require_number(table, f"{path}.y", "the slot's centre in mm"),
                w=require_length(table, f"{path}.w"),
                h=require_length(table, f"{path}.h"),
            )
        )
    return tuple(slots)


def _board(layout: Mapping[str, Any]) -> tuple[float, float, float, float]:
    value = layout.get("board", TIKI_TOPPLE.board)
    right = "left, top, right and bottom in mm"
    if not isinstance(value, list | tuple) or len(value) != len(TIKI_TOPPLE.board):
        raise BadLayout(f"'layout.board' is {value!r:.40}: {right} would be right")
    edges = dict(zip(("left", "top", "right", "bottom"), value, strict=True))
    numbers = [require_number(edges, f"layout.board.{edge}", right) for edge in edges]
    if numbers[0] >= numbers[2] or numbers[1] >= numbers[3]:
        raise BadLayout(f"'layout.board' is {value!r:.40}: {right} would be right")
    return (numbers[0], numbers[1], numbers[2], numbers[3])


def _names(layout: Mapping[str, Any]) -> tuple[str, ...]:
    value = layout.get("names", TIKIS)
    if not isinstance(value, list | tuple) or set(value) != set(TIKIS) or len(value) != len(TIKIS):
        raise BadLayout(f"'layout.names' is {value!r:.40}: the nine Tikis would be right")
    return tuple(value)
