"""Marks: where the table is wrong, for the picture of any game's board."""

from collections.abc import Mapping
from typing import NamedTuple

from companion.scoreboard import Question


class Mark(NamedTuple):
    """A place that is not as the game has it.

    is_wrong: what lies there explains no move; else it has to follow what people said on a page.
    seen, due: what lies there and what should, as a place shows it; "" for nothing.
    """

    is_wrong: bool
    seen: str
    due: str

    @property
    def attribute(self) -> str:
        """The attribute of what is marked, by which it is styled."""
        return "data-wrong" if self.is_wrong else "data-to-do"


def marks_of(asked: Question | None) -> Mapping[int, Mark]:
    """Return the mark of each wrong place, by its number from 0."""
    if asked is None:
        return {}
    seen, due = dict(enumerate(asked.seen)), dict(enumerate(asked.nearest))
    is_wrong = asked.kind in ("unseen", "illegal")
    return {slot: Mark(is_wrong, seen.get(slot) or "", due.get(slot) or "") for slot in asked.slots}
