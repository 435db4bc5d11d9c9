"""The topics of one table."""

from dataclasses import dataclass
from typing import Final

SCHEMA: Final = 1
"""Counts up when readers have to change; every message has it."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of *table*; see docs/mqtt.md.

    >>> Topics("cafe/tiki", "bar").state
    'cafe/tiki/bar/state'
    """

    prefix: str
    table: str

    def _of(self, name: str) -> str:
        return f"{self.prefix}/{self.table}/{name}"

    @property
    def availability(self) -> str:
        """Whether the table is there; retained."""
        return self._of("availability")

    @property
    def claim(self) -> str:
        """By which a table asks whether another one of its name is there."""
        return self._of("claim")

    @property
    def state(self) -> str:
        """The scoreboard; retained."""
        return self._of("state")

    @property
    def events(self) -> str:
        """Every entry of the log."""
        return self._of("events")

    @property
    def notices(self) -> str:
        """What is not in the log, for whoever listens now."""
        return self._of("notices")

    @property
    def tower(self) -> str:
        """What the tower does, as Home Assistant wants events."""
        return self._of("tower")

    @property
    def idol(self) -> str:
        """What the idol does, as Home Assistant wants events."""
        return self._of("idol")

    @property
    def command(self) -> str:
        """What the table is told to do, if it may be."""
        return self._of("command")

    @property
    def again(self) -> str:
        """By which readers ask for the events after one that they have."""
        return self._of("again")
