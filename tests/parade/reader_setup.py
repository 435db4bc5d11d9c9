"""The eyes of Parade: a line of six places, declared here and read as all lines are."""

from typing import Final

from companion.table.line_setup import DeclaredLine
from tests.parade.rules import ANIMALS, NAME
from vision.geometry.layout import Piece, Slot


class ParadeSetup(DeclaredLine):
    """How Parade is read."""

    game = NAME
    pieces = ANIMALS
    mat_mm = (400.0, 280.0)
    slots = tuple(Slot(x=200.0, y=50.0 + 36.0 * place, w=54.0, h=33.0) for place in range(6))
    piece = Piece(w=48.0, h=28.0, height=10.0)
    board = (130.0, 10.0, 270.0, 270.0)
    floor_mm = 2.0


READER_SETUP: Final = ParadeSetup()
