"""The eyes of Cairns: eight places with piles of discs, declared here and read as all such are."""

from typing import Final

from companion.table.piles_setup import DeclaredPiles
from tests.cairns.rules import COLOURS, NAME


class CairnsSetup(DeclaredPiles):
    """How Cairns is read."""

    game = NAME
    colours = COLOURS
    mat_mm = (380.0, 260.0)
    board = (40.0, 40.0, 340.0, 220.0)
    floor_mm = 3.0
    piles = (
        *((80.0, 80.0), (150.0, 65.0), (230.0, 75.0), (300.0, 90.0)),
        *((90.0, 180.0), (160.0, 140.0), (220.0, 190.0), (295.0, 165.0)),
    )
    disc_mm = (22.0, 8.0)


READER_SETUP: Final = CairnsSetup()
