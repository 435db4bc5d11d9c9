"""The picture with which later ones of a board are compared: the last that was accepted."""

from typing import Generic, TypeVar

from vision.capture.frame_cache import FrameCache
from vision.observation import Table

T = TypeVar("T")


class TableReference(Generic[T]):
    """Keeps what was measured of the last few pictures, and of the accepted one what lay there.

    since: the name of that picture, "" if there is none.  table: what lay there.
    """

    def __init__(self) -> None:
        self.since = ""
        self.table: Table = ()
        self._reference: T | None = None
        self._pending = FrameCache[T]()

    def forget(self) -> None:
        """Forget the reference and all pictures."""
        self.since, self.table, self._reference = "", (), None
        self._pending.forget()

    def set_reference(self, frame: str, table: Table) -> None:
        """Make the picture *frame* the reference, with that *table*; forgotten pictures are not."""
        if frame == self.since:
            self.table = table
        elif frame in self._pending:
            self.since, self.table, self._reference = frame, table, self._pending[frame]
