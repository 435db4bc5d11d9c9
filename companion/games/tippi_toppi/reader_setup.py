"""The reader of Tippi Toppi: the top cards of four piles."""

from typing import Final

from companion.watching.readers import Description, Reader, ReaderSetup
from vision.cards.layout import TIPPI_TOPPI, parse_pile_layout
from vision.cards.pile_reader import PileReader


def open_reader(description: Description) -> Reader:
    """Return a reader of the piles; raises BadLayout."""
    return PileReader(parse_pile_layout(description) if description else TIPPI_TOPPI)


READER_SETUP: Final = ReaderSetup(open_reader, reads_uncalibrated=True)
