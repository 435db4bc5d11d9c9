"""Counts that add up: of pictures, films and simulated games."""

from dataclasses import dataclass, fields
from typing import Self


@dataclass(slots=True)
class Counts:
    """The base of dataclasses whose fields are numbers and lists."""

    def add(self, other: Self) -> None:
        """Add the numbers of *other*, and append its lists."""
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
