"""Where wires end: on the Pi's own header, or on a Pico."""

import time
from typing import Any, Final, Protocol

from hardware.contact import Contact
from hardware.header import open_contacts
from hardware.momentum import Backlog
from hardware.pins import PinPlan


class Wires(Protocol):
    """Gives the contacts of a plan."""

    @property
    def backlog(self) -> Backlog:
        """How much may be lost before its edges are read."""

    def open(self, plan: PinPlan, *kinds: str) -> dict[str, Contact]:
        """Return a contact for each wire of *plan* of these kinds, by role, such as done_0.

        Raises HardwareError, naming the role, if one cannot be used; then none stays open.
        """

    def clock(self) -> float:
        """Return up to when it is known what the contacts did, in seconds of time.monotonic.

        Whoever attends to the contacts takes this for the time that it is.
        """

    def close(self) -> None:
        """Let everything go; may be called twice."""


class HeaderWires:
    """The wires on the Pi's own header.  factory: from `hardware.header.pin_factory`."""

    backlog: Final = Backlog()

    def __init__(self, factory: Any) -> None:
        self._factory = factory

    def open(self, plan: PinPlan, *kinds: str) -> dict[str, Contact]:
        """Return a contact for each wire of *plan* of these kinds, by role; see `Wires`."""
        return dict(open_contacts(plan, self._factory, *kinds))

    def clock(self) -> float:
        """Return the time: the kernel hands edges on at once."""
        return time.monotonic()

    def close(self) -> None:
        """Let the pins go; may be called twice."""
        self._factory.close()
