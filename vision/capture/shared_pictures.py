"""Pictures in memory that two processes share: one writes them, the other borrows them unread.

Copying a picture through a pipe takes longer than to see that nothing in it has moved.
"""

import mmap
import os
import tempfile
import weakref
from typing import Final

import numpy as np
from numpy.typing import NDArray

SLOTS: Final = 4
"""One is being written, one the newest, one may be with a reader; the last is for copies."""
SPARE: Final = SLOTS - 1


def open_shared_file() -> int:
    """Return the descriptor of an empty file without a name, in memory where the system has that.

    Raises OSError.
    """
    if hasattr(os, "memfd_create"):
        return os.memfd_create("pictures")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


class PictureWriter:
    """Writes pictures of one size into a shared file."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._slots: NDArray[np.uint8] | None = None

    def write(self, slot: int, picture: NDArray[np.uint8]) -> None:
        """Put *picture* into *slot*; raises ValueError if it is not as large as the first one."""
        if self._slots is None:
            os.ftruncate(self._file, SLOTS * picture.nbytes)
            shared = mmap.mmap(self._file, SLOTS * picture.nbytes)
            self._slots = np.frombuffer(shared, np.uint8).reshape(SLOTS, *picture.shape)
        if self._slots.shape[1:] != picture.shape:
            (_, rows, columns, _), new = self._slots.shape, picture.shape
            raise ValueError(
                f"its pictures of {columns} × {rows} pixels became {new[1]} × {new[0]}"
            )
        np.copyto(self._slots[slot], picture)


class PictureBorrower:
    """Hands pictures out of a shared file; each slot is free again once nobody has its picture."""

    def __init__(self, file: int) -> None:
        self._file = file
        self._shared: mmap.mmap | None = None
        self._lent: list[weakref.ref[NDArray[np.uint8]] | None] = [None] * SPARE

    def find_free(self) -> int:
        """Return the slot to write next: `SPARE` if all others are with somebody."""
        for slot, lent in enumerate(self._lent):
            if lent is None or lent() is None:
                return slot
        return SPARE

    def borrow(self, slot: int, height: int, width: int) -> NDArray[np.uint8]:
        """Return the picture in *slot*, which stays as it is while somebody has it."""
        size = height * width * 3
        if self._shared is None:
            self._shared = mmap.mmap(self._file, SLOTS * size)
        # Every view of it has this very array as its base, and keeps it alive.
        pixels = np.frombuffer(self._shared, np.uint8, size, slot * size)
        picture = pixels.reshape(height, width, 3)
        if slot == SPARE:
            return picture.copy()
        self._lent[slot] = weakref.ref(pixels)
        return picture
