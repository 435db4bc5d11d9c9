"""The eyes of Pebbles, which has none yet: its pictures cannot be read."""

from typing import Final, NoReturn

from companion.table.readers import Description, ReaderSetup
from vision.geometry.session_values import BadLayout


class PebblesSetup(ReaderSetup):
    """How Pebbles is not read."""

    def open_reader(self, description: Description) -> NoReturn:
        """Refuse: nobody has taught the companion to see pebbles."""
        del description
        raise BadLayout("pebbles cannot be read")


READER_SETUP: Final = PebblesSetup()
