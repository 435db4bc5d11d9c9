"""The eyes of Pebbles, which has none yet: its pictures cannot be read."""

from typing import Final, NoReturn

from companion.table.readers import Description, ReaderSetup
from vision.geometry.session_values import BadLayout


def open_reader(description: Description) -> NoReturn:
    """Refuse: nobody has taught the companion to see pebbles."""
    del description
    raise BadLayout("pebbles cannot be read")


READER_SETUP: Final = ReaderSetup(open_reader)
