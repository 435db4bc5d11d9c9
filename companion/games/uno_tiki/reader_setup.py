"""The reader of UNO Tiki: the discard pile and the idol's arm, calibrated with a known picture."""

from typing import Final

from companion.watching.readers import Description, Reader, ReaderSetup
from vision.cards.discard_reader import UnoReader
from vision.cards.layout import UNO_TIKI, parse_uno_layout


def open_reader(description: Description) -> Reader:
    """Return a reader of the table that *description* lays out; raises BadLayout."""
    return UnoReader(parse_uno_layout(description) if description else UNO_TIKI)


READER_SETUP: Final = ReaderSetup(open_reader)
