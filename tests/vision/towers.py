"""The recorded towers in full size: their table, what a camera sees of it, what stands there."""

from tests.vision.grids import Shot, session_of
from vision.grid import Column, TowerLayout, list_columns, parse_tower
from vision.spots import Boards, View
from vision.tiles import TileTracker
from vision.tower import track_board

FULL = "topple_full"


def layout() -> TowerLayout:
    """Return the table of the session in full size."""
    return parse_tower(session_of(FULL))


def view_of(shot: Shot) -> View:
    """Return the board as the camera sees it."""
    board = layout()
    poses = [track.locate(shot.frame.picture) for track in (track_board(board), TileTracker(board))]
    assert poses[0] is not None
    return Boards(board, 0.0).look(shot.frame.picture, poses[0], poses[1])


def columns_of(shot: Shot) -> list[Column]:
    """Return what truly stands there."""
    return list_columns(
        [cell for row in shot.truth["cells"] or () for cell in row], layout().paints
    )
