"""What the page of people shows, from the games that are counted."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from babel.dates import format_date

from companion.apps.people.names import spellings
from companion.apps.people.ratings import rate
from companion.apps.people.results import (
    Duel,
    duel_of,
    people_in,
    played_between,
    records_of,
    team_records,
    years_of,
)
from companion.apps.people.seasons import no_season
from companion.apps.statistics.pages import summaries_of
from companion.apps.statistics.past_games import Summary, person_key
from companion.language.message import say
from companion.language.speech import spoken
from companion.web.forms import Refused
from companion.web.site import Site


@dataclass(frozen=True, slots=True)
class Question:
    """What a reader wants: a calendar year or a season, and two people; "" for none."""

    year: str = ""
    season: str = ""
    one: str = ""
    other: str = ""


def people_values(site: Site, question: Question) -> dict[str, Any]:
    """Return what the template shows; raises Refused if *question* names what is not there."""
    memory, counted = site.table.memory, summaries_of(site).so_far()
    keeps = memory.keeps_people
    games = counted.games if keeps else []
    chosen = _games_asked(site, games, question)
    people = people_in(chosen)
    return {
        "keeps": keeps,
        "question": question,
        "waiting": counted.waiting,
        "unreadable": counted.unreadable,
        "people": people,
        "companions": [each for each in people if each.with_computer],
        "records": [*records_of(chosen, people)],
        "together": [*team_records(chosen)],
        "ratings": _ratings(site, games) if not counted.waiting else [],
        "everybody": people_in(games),
        "duel": _duel(games, question),
        "years": years_of(games),
        "seasons": [(each.name, _days(each.first, each.last)) for each in memory.seasons],
    }


def _games_asked(site: Site, games: Sequence[Summary], question: Question) -> list[Summary]:
    """Return those of *games* that the reader wants to see; raises Refused."""
    if question.year:
        if question.year not in years_of(games):
            raise no_season()
        return played_between(games, f"{question.year}-01-01", f"{question.year}-12-31")
    if question.season:
        for each in site.table.memory.seasons:
            if each.name == question.season:
                return played_between(games, each.first, each.last)
        raise no_season()
    return [*games]


def _ratings(site: Site, games: Sequence[Summary]) -> list[tuple[str, list[tuple[str, int, int]]]]:
    """Return by title everybody's name, points and games; made once until the log goes on."""

    def make() -> list[tuple[str, list[tuple[str, int, int]]]]:
        names = spellings(games)
        return [
            (title, [(names[each.key], each.points, each.games) for each in rated])
            for title, rated in rate(games).items()
            if rated
        ]

    return site.once_an_entry(("ratings", len(games)), make)


def _duel(games: Sequence[Summary], question: Question) -> Duel | None:
    """Return how the two that *question* names have done; raises Refused."""
    if not question.one and not question.other:
        return None
    names = spellings(games)
    one, other = person_key(question.one), person_key(question.other)
    if one not in names or other not in names:
        raise Refused(404, say("Choose two people who have played here."))
    if one == other:
        raise Refused(400, say("Choose two different people."))
    return duel_of(games, (one, other), (names[one], names[other]))


def _days(first: str, last: str) -> str:
    """Return from when to when, as the reader writes days."""
    days = (
        format_date(date.fromisoformat(day), "medium", locale=spoken()) for day in (first, last)
    )
    return " – ".join(days)
