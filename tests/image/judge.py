"""What has to be there after a plug was pulled: all that was shown, and nothing that nobody did."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from companion.rules.base import RulesError
from tests.bare_rules import Bare

Row: TypeAlias = Mapping[str, Any]

DOINGS: Final = ("move", "observed", "undo")
"""Rows by which people change the game; all others follow from these."""
CHANCE: Final = "chance"
NUMBERS: Final = ("seq", "id")
"""A record counts from 1, a log may have had games before."""


@dataclass
class Known:
    """What people know of a game at one moment.

    shown: the rows that a page has shown, in order.  answered: what the table has answered with
    yes since, before a page has shown it.  under_way: what was done and had no answer yet.
    """

    shown: list[Row] = field(default_factory=list)
    answered: list[str] = field(default_factory=list)
    under_way: str = ""


def plain(row: Row) -> dict[str, Any]:
    """Return *row* without what counts rows, and without what is empty."""
    return {
        name: value
        for name, value in row.items()
        if name not in NUMBERS and value not in (None, [], "")
    }


def doing(row: Row) -> str:
    """Return what people did in *row*, in the words in which they would enter it."""
    return "undo" if row["type"] == "undo" else str(row["action"])


def fits(words: str, row: Row) -> bool:
    """Return whether *row* is what people did who entered *words*; "chance" rolls the die."""
    return doing(row) == words or (words == CHANCE and doing(row).startswith("roll "))


def faults(known: Known, found: Sequence[Row]) -> list[str]:
    """Return what is wrong with a game that was *found* again; nothing if all is there."""
    told: list[str] = []
    for number, (shown, row) in enumerate(zip(known.shown, found, strict=False), 1):
        if plain(shown) != plain(row):
            told.append(f"row {number} was {plain(shown)}, and is {plain(row)}")
            return told
    if len(found) < len(known.shown):
        lost = [dict(plain(row)) for row in known.shown[len(found) :]]
        return [f"lost: {len(lost)} rows that were shown, from {lost[0]} on"]
    done = [row for row in found[len(known.shown) :] if row["type"] in DOINGS]
    words = [doing(row) for row in done]
    due = len(known.answered)
    if len(done) < due or not all(map(fits, known.answered, done)):
        told.append(f"lost: {known.answered} was answered, {words} is there")
    elif done[due:] and not (len(done) == due + 1 and fits(known.under_way, done[due])):
        told.append(f"nobody did {words[due:]}; under way was '{known.under_way}'")
    return told


def scores(header: Row, rows: Sequence[Row]) -> tuple[int, ...]:
    """Return the scores of the game, as the rules alone make them of *rows*; raises ValueError."""
    try:
        bare = Bare(dict(header), [{"also": (), **row} for row in rows])
    except (RulesError, AssertionError, LookupError) as error:
        raise ValueError(f"the rules refuse what was found: {error}") from error
    found = {tuple(bare.rules.totals(state)) for state in bare.ways[-1]}
    if len(found) != 1:
        raise ValueError(f"what was found may mean several scores: {found}")
    return found.pop()
