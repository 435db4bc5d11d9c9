"""Games for programs: the list of them, each at any step, and its record to keep."""

import json
from dataclasses import asdict, dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.language.message import say
from companion.language.speech import translated_json
from companion.referee.game_record import record_of
from companion.registry import GAMES, game_of
from companion.scoreboard import Scoreboard, read_scoreboard
from companion.session.log import LogError
from companion.session.session import Header
from companion.web.admission import require_host_or_key
from companion.web.forms import Refused
from companion.web.http.versions import BASE
from companion.web.pages.past_games import course_asked, step_asked
from companion.web.site import Site, site_of

JSON_LINES: Final = "application/jsonl"


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game in the list of all games.

    number: its address is /games/NUMBER.  opened_at: when it began, ISO 8601 in UTC.
    is_current: whether it is the one in play.  record: the address of its game record.
    """

    number: int
    game: str
    title: str
    players: tuple[str, ...]
    opened_at: str
    is_current: bool
    record: str


@dataclass(frozen=True, slots=True)
class GameList:
    """All games that the log holds and this version knows, the newest first."""

    games: tuple[ListedGame, ...]


@dataclass(frozen=True, slots=True)
class GameStep:
    """A game as it stood after one of its steps.

    step: from 0, the beginning.  steps: how many there are so far.  is_over: whether the whole game
    has ended.  state: the scoreboard of that step.
    """

    number: int
    step: int
    steps: int
    opened_at: str
    is_over: bool
    state: Scoreboard


def listed_games(site: Site) -> GameList:
    """Return all games of the log; those that cannot be read are left out."""
    log, here = site.live_session.log, site.live_session.session.number
    found = []
    for number, opened_at in log.opened().items():
        try:
            header = Header.from_json(log.header(number))
        except LogError:
            continue
        if header.game in GAMES:
            found.append(
                ListedGame(
                    number,
                    header.game,
                    game_of(header.game).title,
                    header.players,
                    opened_at,
                    number == here,
                    f"{BASE}/games/{number}/record",
                )
            )
    return GameList(tuple(reversed(found)))


async def list_games(request: Request) -> Response:
    """Answer with all games of the log."""
    return JSONResponse(asdict(listed_games(site_of(request))))


async def show_step(request: Request) -> Response:
    """Answer with a game as it stood after a step of it."""
    site = site_of(request)
    number, course = course_asked(site, request)
    step = step_asked(request, course)
    opened_at = site.live_session.log.opened()[number]
    with course.at(step) as past:
        board = read_scoreboard(past)
        found = GameStep(number, step, course.steps, opened_at, course.is_over, board)
        return JSONResponse(translated_json(asdict(found)))


async def send_record(request: Request) -> Response:
    """Send a game as a file of JSON lines; the host may have all of a finished one."""
    site = site_of(request)
    number, course = course_asked(site, request)
    full = "full" in request.query_params
    if full:
        require_host_or_key(request)
        if not course.is_over:
            raise Refused(
                409, say("This game is not finished yet. Its full record is available once it is.")
            )
    opened_at = site.live_session.log.opened()[number]
    record = record_of(course, opened_at, full=full)
    name = f"tiki-{record.header.game}-{number}{'-full' if full else ''}.jsonl"
    answer = Response(
        "".join(map(_line, record.lines())),
        media_type=JSON_LINES,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    if full:
        answer.headers["Cache-Control"] = "no-store"
    return answer


def _line(thing: dict[str, Any]) -> str:
    return f"{json.dumps(thing, ensure_ascii=False)}\n"


ROUTES: Final = [
    Route(f"{BASE}/games", list_games),
    Route(f"{BASE}/games/{{number}}", show_step),
    Route(f"{BASE}/games/{{number}}/record", send_record),
]
