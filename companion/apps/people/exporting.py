"""All that the table keeps of people, as files for the host."""

import csv
import io
import json
from collections.abc import Sequence
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.apps.people.names import spellings
from companion.apps.people.ratings import rate
from companion.apps.people.results import people_in, places
from companion.apps.statistics.pages import summaries_of
from companion.apps.statistics.past_games import Summary
from companion.language.message import say
from companion.web.admission import require_host
from companion.web.forms import Refused
from companion.web.site import Site, site_of, unstored

COLUMNS: Final = ("number", "played", "game", "player", "points", "place", "won", "kind")
FORMULA: Final = ("=", "+", "-", "@", "\t")
"""What a spreadsheet takes for the beginning of a formula."""


async def _finished(site: Site) -> list[Summary]:
    """Return all finished games, the newest first; raises Refused where none are kept."""
    if not site.table.memory.keeps_people:
        raise Refused(409, say("This table does not count people’s results."))
    return [game for game in await summaries_of(site).all() if game.is_over]


def _kind(game: Summary) -> str:
    if game.computer:
        return "with the computer"
    return "together" if game.together else "contest"


async def send_json(request: Request) -> Response:
    """Send everybody's results and ratings, and the games that they follow from."""
    require_host(request)
    games = await _finished(site_of(request))
    ratings, names = rate(games), spellings(games)
    thing = {
        "people": [
            {
                "name": each.name,
                "games": each.games,
                "won": each.won,
                "longest_streak": each.streak,
                "games_with_computer": each.with_computer,
                "won_with_computer": each.won_with_computer,
            }
            for each in people_in(games)
        ],
        "ratings": {
            title: [
                {"name": names[each.key], "points": each.points, "games": each.games}
                for each in rated
            ]
            for title, rated in ratings.items()
        },
        "games": [_game_json(game) for game in games],
    }
    return _file(json.dumps(thing, ensure_ascii=False, indent=1), "application/json", "json")


def _game_json(game: Summary) -> dict[str, Any]:
    return {
        "number": game.number,
        "played": game.at,
        "game": game.title,
        "kind": _kind(game),
        "players": list(game.players),
        "points": list(game.scores),
        "winners": [game.players[seat] for seat in game.winners],
    }


async def send_csv(request: Request) -> Response:
    """Send a line for each player of each game."""
    require_host(request)
    target = io.StringIO()
    lines = csv.writer(target)
    lines.writerow(COLUMNS)
    for game in await _finished(site_of(request)):
        lines.writerows(_rows(game))
    return _file(target.getvalue(), "text/csv", "csv")


def _rows(game: Summary) -> Sequence[tuple[object, ...]]:
    return [
        (
            game.number,
            game.at,
            game.title,
            f"'{name}" if name.startswith(FORMULA) else name,
            game.scores[seat],
            places(game)[seat] + 1,
            int(seat in game.winners),
            _kind(game),
        )
        for seat, name in enumerate(game.players)
    ]


def _file(text: str, kind: str, ending: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="tiki-people.{ending}"'}
    return unstored(Response(text, media_type=kind, headers=headers))


ROUTES: Final = [Route("/people/export.json", send_json), Route("/people/export.csv", send_csv)]
