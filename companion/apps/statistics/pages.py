"""The page of all past games together: who has won how often, and what stood out."""

from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from babel.numbers import format_decimal
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.apps.statistics import idol_page
from companion.apps.statistics.past_games import Summaries, records, standings
from companion.language.speech import spoken
from companion.web.app_pages import AppPages
from companion.web.site import Site, site_of

_summaries: Final[WeakKeyDictionary[Site, Summaries]] = WeakKeyDictionary()
"""Of each table's past games, in numbers."""


def _begin(site: Site) -> None:
    log, memory = site.live_session.log, site.table.memory

    def file() -> Path | None:
        return log.beside("results.json") if memory.keeps_people else None

    _summaries[site] = Summaries(site.live_session, file)


def summaries_of(site: Site) -> Summaries:
    """Return the past games of a table, which other pages count, too."""
    return _summaries[site]


async def show_statistics(request: Request) -> Response:
    """Show what past games tell of the people who played them."""
    site = site_of(request)
    counted = await summaries_of(site).within()
    games = counted.games
    found = standings(games)
    averages = [
        (each.name, title, format_decimal(average, locale=spoken()))
        for each in found
        for title, average in each.averages
    ]
    return site.page(
        "statistics.html",
        {},
        count=sum(game.is_over for game in games),
        standings=found,
        averages=averages,
        records=[*records(games)],
        waiting=counted.waiting,
    )


PAGES: Final = AppPages(
    [Route("/games/statistics", show_statistics), *idol_page.ROUTES],
    {"idol": idol_page.idol_regions},
    begin=_begin,
)
