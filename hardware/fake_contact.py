"""A simulated contact: no pin, no thread, and a clock that tests control."""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from hardware.contact import notify
from hardware.device import DeviceClosed, NoSuchAttribute

if TYPE_CHECKING:
    from hardware.contact import Changed


class FakeContact:
    """A `Contact` that is driven by hand.

    active: how it stands, at the start too.  lost: may be set to what a wire should report.
    clock: gives the time of an edge, in seconds, where none is given.
    """

    __slots__ = ("_active", "_clock", "_closed", "lost", "when_changed")

    def __init__(
        self, *, active: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.when_changed: Changed | None = None
        self.lost = 0
        self._active = active
        self._clock = clock
        self._closed = False

    @property
    def active(self) -> bool:
        """The level now."""
        return self._active

    def press(self, at_s: float | None = None) -> None:
        """Make it active at *at_s*, now if None; no edge if it is already."""
        self.drive(True, at_s)

    def release(self, at_s: float | None = None) -> None:
        """Make it inactive at *at_s*, now if None; no edge if it is already."""
        self.drive(False, at_s)

    def drive(self, active: bool, at_s: float | None = None) -> None:
        """Set its level at *at_s*, now if None; raises DeviceClosed once it is closed."""
        if self._closed:
            raise DeviceClosed("this FakeContact is closed and can no longer change")
        if active == self._active:
            return
        self._active = active
        notify(self.when_changed, active, self._clock() if at_s is None else at_s)

    def close(self) -> None:
        """Let the wire go; may be called twice."""
        self._closed = True
        self.when_changed = None

    def __setattr__(self, name: str, value: object) -> None:
        if not hasattr(type(self), name):
            raise NoSuchAttribute(f"a {type(self).__name__} has no '{name}' that could be set")
        super().__setattr__(name, value)

    def __repr__(self) -> str:
        return f"<FakeContact {'closed' if self._closed else f'active={self._active}'}>"
