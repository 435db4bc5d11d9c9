"""The spans of days over which records are counted, as the host names them."""

from collections.abc import Iterable
from datetime import date
from typing import Final

from companion.apps.statistics.past_games import person_key
from companion.language.message import say
from companion.web.forms import MAX_NAME_CHARS, Form, Refused, field
from companion.web.table_memory import Season

MAX_SEASONS: Final = 20


def add_season(seasons: Iterable[Season], form: Form) -> tuple[Season, ...]:
    """Return *seasons* and the one that *form* names, the newest first; raises Refused."""
    known, name = tuple(seasons), " ".join(field(form, "name").split())
    first, last = (_day(field(form, each)) for each in ("first", "last"))
    if not name or len(name) > MAX_NAME_CHARS or not name.isprintable():
        raise Refused(
            400,
            say(
                "Give the season a name of at most {most} letters, digits and spaces.",
                most=MAX_NAME_CHARS,
            ),
        )
    if person_key(name) in (person_key(each.name) for each in known):
        raise Refused(409, say("There is a season of that name; choose another name."))
    if last < first:
        raise Refused(400, say("The season ends before it begins; put the earlier day first."))
    if len(known) >= MAX_SEASONS:
        raise Refused(409, say("There are {most} seasons; remove one first.", most=MAX_SEASONS))
    added = Season(name, first.isoformat(), last.isoformat())
    return tuple(sorted((*known, added), key=lambda each: each.first, reverse=True))


def remove_season(seasons: Iterable[Season], name: str) -> tuple[Season, ...]:
    """Return *seasons* without the one called *name*; raises Refused if there is none."""
    known = tuple(seasons)
    left = tuple(each for each in known if each.name != name)
    if len(left) == len(known):
        raise no_season()
    return left


def no_season() -> Refused:
    """Return that a season is not there."""
    return Refused(404, say("There is no such season. Choose one of those shown."))


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(
            400, say("A season has a first and a last day, each like 2026-01-31.")
        ) from None
