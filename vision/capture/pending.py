"""What was made of the last pictures, kept by name until the referee has believed one of them."""

from collections import OrderedDict
from typing import Final, Generic, TypeVar

T = TypeVar("T")

KEPT: Final = 8
"""So many pictures may be read until the referee has judged one of them."""


class Pending(Generic[T]):
    """What was made of the last `KEPT` pictures."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, T] = OrderedDict()

    def __contains__(self, frame: str) -> bool:
        return frame in self._kept

    def __getitem__(self, frame: str) -> T:
        return self._kept[frame]

    def keep(self, frame: str, made: T) -> None:
        """Remember what was *made* of the picture *frame*."""
        self._kept[frame] = made
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)

    def forget(self) -> None:
        """Remember nothing any more."""
        self._kept.clear()
