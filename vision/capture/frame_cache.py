"""Results of the last few pictures by name, until the referee has accepted one of them."""

from collections import OrderedDict
from typing import Final, Generic, TypeVar

T = TypeVar("T")

MAX_FRAMES: Final = 8
"""Pictures that may be read before the referee has judged one of them."""


class FrameCache(Generic[T]):
    """The results of the last `MAX_FRAMES` pictures."""

    def __init__(self) -> None:
        self._results: OrderedDict[str, T] = OrderedDict()

    def __contains__(self, frame: str) -> bool:
        return frame in self._results

    def __getitem__(self, frame: str) -> T:
        return self._results[frame]

    def keep(self, frame: str, result: T) -> None:
        """Remember the *result* of the picture *frame*, and drop the oldest beyond the limit."""
        self._results[frame] = result
        while len(self._results) > MAX_FRAMES:
            self._results.popitem(last=False)

    def forget(self) -> None:
        """Remember nothing any more."""
        self._results.clear()
