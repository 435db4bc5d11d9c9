"""What can be printed, and on which paper, by the words that people use."""

from dataclasses import dataclass
from typing import Final

from companion.registry import with_mats

RULER: Final = "ruler"
SEATS: Final = "seats"


@dataclass(frozen=True, slots=True)
class Paper:
    """A size of paper, upright, in mm."""

    title: str
    width: float
    height: float


PAPERS: Final = {"a4": Paper("A4", 210.0, 297.0), "letter": Paper("Letter", 215.9, 279.4)}


def printable() -> tuple[str, ...]:
    """Return what can be printed: the games that have tiles, the check ruler and the seat cards."""
    return (*with_mats(), RULER, SEATS)
