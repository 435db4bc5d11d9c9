"""The eyes of Hops: 5 x 5 fields with figures, declared here and read as all such boards are."""

from typing import Final

from companion.table.grid_setup import DeclaredGrid
from tests.hops.rules import COLOURS, NAME


class HopsSetup(DeclaredGrid):
    """How Hops is read."""

    game = NAME
    colours = COLOURS
    mat_mm = (340.0, 340.0)
    board = (22.0, 22.0, 318.0, 318.0)
    floor_mm = 3.0
    first_mm = (50.0, 50.0)
    field_mm = 60.0
    figure_mm = (26.0, 22.0, 16.0)


READER_SETUP: Final = HopsSetup()
