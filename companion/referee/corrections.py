"""Corrections: what a move may have been instead, the likeliest first."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from operator import ne
from typing import Any, Final

from companion.referee.evidence import Fit
from companion.referee.game import Table
from companion.referee.known_secrets import has_known_secrets
from companion.referee.referee import Referee
from companion.rules.base import InvalidAction
from companion.session.events import Entry, MoveCorrected
from companion.session.history import History, ReplayError

_WORDS: Final = re.compile(r"\d|[^\W\d]+")
MAX_DIGIT_DISTANCE: Final = 2
"""Two digits further apart are as different as two words."""


@dataclass(frozen=True, slots=True)
class Correction:
    """What a move may have been, so that all later ones still fit.

    action: its text.  table: what would lie there now.
    was_open: whether nothing that showed the move told it from what was logged.
    distance: how far it is from what was logged: by its text, then by the places that differ.
    """

    action: str
    table: Table
    was_open: bool
    distance: tuple[int, int]


def corrections(referee: Referee[Any, Any], seq: int) -> Iterator[Correction]:
    """Yield the moves that number *seq* may have been instead.

    None where a secret counts in the game already: what fits would give it away, unseen by others.
    """
    history, game = referee.session.history, referee.game
    place = next((at for at, act in enumerate(history.acts) if act.seq == seq), None)
    if place is None or has_known_secrets(game, history):
        return
    act, known, shown = history.acts[place], history.forms(seq), game.shown(history.state)
    forms = dict.fromkeys(
        referee.session.rules.format_action(action)
        for branch in history.positions[place]
        for action in game.offers(branch.state)
    )
    for form in forms:
        after = corrected(referee, seq, form) if known != {form} else None
        if after is not None:
            table = game.shown(after.state)
            differing = sum(map(ne, table, shown))
            distance = (words_between(act.forms[0], form), differing)
            yield Correction(form, table, form in act.forms, distance)


def corrected(referee: Referee[Any, Any], seq: int, form: str) -> History[Any, Any] | None:
    """Return the game in which the move *seq* was *form*; None if a later one does not fit."""
    trial = referee.session.history.copy()
    try:
        trial.take(Entry(0, "", MoveCorrected(seq, form)))
    except (ReplayError, InvalidAction):
        return None
    return trial


def likeliest_first(
    referee: Referee[Any, Any], found: Iterable[Correction]
) -> list[tuple[Correction, bool]]:
    """Return *found* in order, and of each whether the last picture shows its table.

    First what the picture shows rather than the table as logged; then what could not be told from
    the move; then the neighbours of what was logged.
    """
    every = list(found)
    shown, seen = referee.game.shown(referee.session.state), referee.last_seen
    tables = [each.table for each in every]
    fit = Fit(seen) if seen is not None else None

    def is_seen(each: Correction) -> bool:
        return bool(fit and fit.prefers(each.table, shown) and fit.may_be(each.table, tables))

    marked = [(each, is_seen(each)) for each in every]
    return sorted(marked, key=lambda one: (not one[1], not one[0].was_open, one[0].distance))


def words_between(one: str, other: str) -> int:
    """Return how far two actions are apart: by their digits, and two for each other word.

    >>> words_between("up1 nani", "up2 nani"), words_between("up1 nani", "up1 huhu")
    (1, 2)
    >>> words_between("move 42 32", "move 42 43"), words_between("roll 3", "topple")
    (2, 4)
    """
    pairs = zip_longest(_WORDS.findall(one), _WORDS.findall(other), fillvalue="")
    return sum(_between(*pair) for pair in pairs if pair[0] != pair[1])


def _between(one: str, other: str) -> int:
    if one.isdigit() and other.isdigit():
        return min(abs(int(one) - int(other)), MAX_DIGIT_DISTANCE)
    return MAX_DIGIT_DISTANCE
