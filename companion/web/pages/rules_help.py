"""How to play: each game's rules in short, for everyone at the table."""

from importlib.util import find_spec
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import say
from companion.registry import GAMES, game_of, load
from companion.web.forms import Refused
from companion.web.site import site_of


async def show_rules(request: Request) -> Response:
    """Show the help of the game that is on, or of the one that the address names."""
    site = site_of(request)
    name = request.path_params.get("game", site.live_session.header.game)
    if name not in GAMES:
        raise Refused(404, say("That game is not available. Choose one from the list."))
    told = _help(name)
    return site.page(
        "rules.html",
        {},
        game=game_of(name),
        games=[game_of(each) for each in GAMES],
        sections=told.SECTIONS if told else (),
        rules=list(dict.fromkeys(told.CLAUSES.values())) if told else (),
    )


def _help(game: str) -> Any:
    """Return the module with the help of *game*, None if it has none."""
    return load(game, "help") if find_spec(f"{GAMES[game].package}.help") else None


ROUTES: Final = [Route("/rules", show_rules), Route("/rules/{game}", show_rules)]
