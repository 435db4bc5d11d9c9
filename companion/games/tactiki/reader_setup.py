"""The reader of TacTiki: stacks on a field, their colours learned as they stand at the start."""

from typing import Final

from companion.rules import tactiki
from companion.table.grid_setup import GridSetup


class TacTikiSetup(GridSetup):
    """How TacTiki is read."""

    game = tactiki.NAME
    colours = ("tac", "tiki")

    def class_words(self, name: str, /) -> str:
        """Return the name of a tribe."""
        return name.upper()


READER_SETUP: Final = TacTikiSetup()
