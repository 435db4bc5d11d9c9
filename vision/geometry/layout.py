"""The layout of the table: mat, slots, pieces, and the camera's field of view.

One table frame for everything, in millimetres: x right, y down towards the near player, z up from
the table, origin at the centre of the top-left corner tile.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from vision.geometry.corner_fit import CornerFit, parse_fit
from vision.geometry.session_values import (
    BadLayout,
    take_hfov_deg,
    take_length,
    take_marker_ids,
    take_number,
    take_table,
    take_value,
)

__all__ = [
    "TIKIS",
    "TIKI_TOPPLE",
    "BadLayout",
    "BareRig",
    "BoardMarkers",
    "Layout",
    "Mat",
    "Piece",
    "Rig",
    "Slot",
    "parse_board_markers",
    "parse_layout",
    "parse_mat",
    "parse_rig",
]

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


@dataclass(frozen=True, slots=True)
class Mat:
    """The rectangle between the centres of the four corner tiles, in mm.

    marker_ids: top left, top right, bottom right, bottom left.
    marker_mm: the side of the black square of a marker.
    fit: how the table is fitted where there are no tiles, None where there are.
    """

    width: float
    height: float
    marker_ids: tuple[int, int, int, int]
    marker_mm: float
    fit: CornerFit | None = None

    @property
    def centres(self) -> tuple[tuple[float, float], ...]:
        """The tiles' centres in mm, in the order of *marker_ids*."""
        return ((0.0, 0.0), (self.width, 0.0), (self.width, self.height), (0.0, self.height))


@dataclass(frozen=True, slots=True)
class BoardMarkers:
    """The small markers on the corners of a game's own board.

    mat: the rectangle between their middles.  inset_mm: from a middle to the board's two edges.
    """

    mat: Mat
    inset_mm: float


class Rig(Protocol):
    """What any game's layout says about mat and camera."""

    @property
    def mat(self) -> Mat:
        """The corner tiles."""

    @property
    def hfov_deg(self) -> float:
        """The horizontal field of view of the camera in degrees."""


@dataclass(frozen=True, slots=True)
class BareRig:
    """A mat and a camera, whatever is played on it."""

    mat: Mat
    hfov_deg: float


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
    """A table with a line of slots on a printed board, such as Tiki Topple's.

    slots: slot 0 (top) first.  names: of the pieces, all different.
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
"""The layout of the instructions, for when there is no session.json."""


def parse_layout(session: Mapping[str, Any], pieces: Sequence[str] = TIKIS) -> Layout:
    """Return the layout of a line of *pieces* that a session.json describes.

    Raises BadLayout, naming the key that is missing or wrong and what would be right.

    >>> parse_layout({"game": "tiki_topple"})
    Traceback (most recent call last):
    vision.geometry.session_values.BadLayout: 'mat' is missing: a table with width, height, ...
    """
    mat = parse_mat(session)
    layout = take_table(session, "layout", "a table with slots, piece and floor_z")
    piece = take_table(layout, "layout.piece", "a table with w, h and height in mm")
    hfov_deg = take_hfov_deg(session)
    slots = _slots(layout, len(pieces))
    return Layout(
        mat=mat,
        slots=slots,
        piece=Piece(
            w=_fitting(piece, "w", min(slot.w for slot in slots)),
            h=_fitting(piece, "h", min(slot.h for slot in slots)),
            height=take_length(piece, "layout.piece.height"),
        ),
        floor_z=take_number(layout, "layout.floor_z", "the height of the slots' floor in mm"),
        hfov_deg=hfov_deg,
        board=_board(layout),
        names=_names(layout, pieces),
    )


def _fitting(piece: Mapping[str, Any], key: str, slot_mm: float) -> float:
    """Return a side of a piece in mm, which has to fit into the narrowest slot."""
    side_mm = take_length(piece, f"layout.piece.{key}")
    if side_mm > slot_mm:
        right = f"at most the {slot_mm:g} mm of a slot"
        raise BadLayout(f"'layout.piece.{key}' is {side_mm:g}; it must be {right}")
    return side_mm


def parse_rig(session: Mapping[str, Any]) -> BareRig:
    """Return mat and camera as a session.json describes them; raises BadLayout."""
    return BareRig(parse_mat(session), take_hfov_deg(session))


def parse_mat(session: Mapping[str, Any]) -> Mat:
    """Return the mat that a session.json describes; raises BadLayout."""
    mat = take_table(session, "mat", "a table with width, height, marker_ids and marker_mm")
    return Mat(
        width=take_length(mat, "mat.width"),
        height=take_length(mat, "mat.height"),
        marker_ids=take_marker_ids(mat),
        marker_mm=take_length(mat, "mat.marker_mm"),
        fit=parse_fit(mat),
    )


def parse_board_markers(session: Mapping[str, Any]) -> BoardMarkers | None:
    """Return the markers on the board of its own that a session.json describes, None if none.

    Raises BadLayout.
    """
    layout, path = session.get("layout"), "layout.balance"
    if not isinstance(layout, Mapping) or "balance" not in layout:
        return None
    balance = take_table(layout, path, "a table with size, spots and markers")
    size = take_length(balance, f"{path}.size")
    inset = take_length(balance, f"{path}.marker_inset")
    side = size - 2.0 * inset
    if side <= 0.0:
        raise BadLayout(f"'{path}.marker_inset' is {inset:g}; it must be less than half the size")
    marker_ids = take_marker_ids(balance, f"{path}.marker_ids")
    board = Mat(side, side, marker_ids, take_length(balance, f"{path}.marker_mm"))
    return BoardMarkers(board, inset)


def _slots(layout: Mapping[str, Any], count: int) -> tuple[Slot, ...]:
    right = f"a list of {count} tables with x, y, w and h in mm"
    value = take_value(layout, "layout.slots", right)
    if not isinstance(value, list | tuple) or len(value) != count:
        raise BadLayout(f"'layout.slots' is {value!r:.40}; it must be {right}")
    slots = []
    for index, table in enumerate(value):
        path = f"layout.slots.{index}"
        if not isinstance(table, Mapping):
            raise BadLayout(f"'{path}' is {table!r:.40}; it must be a table with x, y, w and h")
        slots.append(
            Slot(
                x=take_number(table, f"{path}.x", "the slot's centre in mm"),
                y=take_number(table, f"{path}.y", "the slot's centre in mm"),
                w=take_length(table, f"{path}.w"),
                h=take_length(table, f"{path}.h"),
            )
        )
    return tuple(slots)


def _board(layout: Mapping[str, Any]) -> tuple[float, float, float, float]:
    value = layout.get("board", TIKI_TOPPLE.board)
    right = "left, top, right and bottom in mm"
    if not isinstance(value, list | tuple) or len(value) != len(TIKI_TOPPLE.board):
        raise BadLayout(f"'layout.board' is {value!r:.40}; it must be {right}")
    edges = dict(zip(("left", "top", "right", "bottom"), value, strict=True))
    numbers = [take_number(edges, f"layout.board.{edge}", right) for edge in edges]
    if numbers[0] >= numbers[2] or numbers[1] >= numbers[3]:
        raise BadLayout(f"'layout.board' is {value!r:.40}; it must be {right}")
    return (numbers[0], numbers[1], numbers[2], numbers[3])


def _names(layout: Mapping[str, Any], pieces: Sequence[str]) -> tuple[str, ...]:
    value = layout.get("names", pieces)
    if not isinstance(value, list | tuple) or sorted(map(str, value)) != sorted(pieces):
        right = f"it must be the {len(pieces)} names from {pieces[0]} to {pieces[-1]}"
        raise BadLayout(f"'layout.names' is {value!r:.40}; {right}")
    return tuple(map(str, value))
