"""A contact: one wire that is active or not, and tells when that changes.

The seam between what a device means and where its wires end: on the Pi's header, on a Pico, or in
a fake. Whoever sits above it knows nothing of pins.
"""

from collections.abc import Callable
from typing import Protocol, TypeAlias

Changed: TypeAlias = Callable[[bool, float], None]
"""Called with the new level, and when it came, in seconds of a steady clock."""


class Contact(Protocol):
    """One wire, as it stands; nothing about it is debounced.

    active: pressed, tilted, or high: the level that means something.
    when_changed: called after each edge, in order, from any thread, so it must only take note.
    lost: edges that the wire's owner knows to have missed since the start, 0 if it cannot tell.
    """

    when_changed: Changed | None

    @property
    def active(self) -> bool:
        """The level now."""

    @property
    def lost(self) -> int:
        """How many edges are known to be missed so far."""

    def close(self) -> None:
        """Let the wire go; may be called twice."""
