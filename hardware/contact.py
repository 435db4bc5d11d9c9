"""A contact: one wire that is active or not, and reports changes.

The interface between a device and where its wires end: on the Pi's header, on a Pico, or in
a fake. Devices know nothing of pins.
"""

import logging
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias, TypeVar, runtime_checkable

T = TypeVar("T")

_log: Final = logging.getLogger(__name__)

Changed: TypeAlias = Callable[[bool, float], None]
"""Called with the new level, and when it came, in seconds of a steady clock."""


class Contact(Protocol):
    """One wire, not debounced.

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


@runtime_checkable
class CountedContact(Contact, Protocol):
    """An encoder's first wire, if its steps are counted where it ends; no edge is told of it.

    when_moved: called with steps, clockwise positive, and when the last was made.
    """

    when_moved: Callable[[int, float], None] | None


def notify(listener: Callable[[T, float], None] | None, news: T, at_s: float) -> None:
    """Notify *listener* of an edge; a failure is logged, so that the wire keeps working."""
    if listener is None:
        return
    try:
        listener(news, at_s)
    except Exception as error:  # noqa: BLE001 - whatever it is, the wire's thread has to live on
        _log.error("a listener failed on an edge and missed it: %s", error)
