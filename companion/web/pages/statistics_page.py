"""The page of all past games together: who has won how often, and what stood out."""

from typing import Final

from babel.numbers import format_decimal
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.speech import spoken
from companion.statistics.past_games import records, standings
from companion.web.site import site_of


async def show_statistics(request: Request) -> Response:
    """Show what past games tell of the people who played them."""
    site = site_of(request)
    games = await site.summaries.all()
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
    )


ROUTES: Final = [Route("/games/statistics", show_statistics)]
