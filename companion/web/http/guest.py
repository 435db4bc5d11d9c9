"""What the gate has to know of an open connection, whatever it is."""

import asyncio
from typing import Protocol


class Guest(Protocol):
    """An open connection, as the gate sees it.

    host: the peer's address.  number: of its socket's file.  opened_s: on the loop's clock.
    aborted: whether it is being closed at once.
    """

    host: str
    number: int
    opened_s: float
    aborted: bool
    transport: asyncio.Transport

    @property
    def is_busy(self) -> bool:
        """Whether it is in use."""

    def check(self, now_s: float) -> None:
        """Close it if its peer has kept it waiting for too long."""

    def abort(self) -> None:
        """Close it now."""
