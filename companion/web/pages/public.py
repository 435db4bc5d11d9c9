"""What everyone on the network may look at: the scoreboard, its JSON, the event stream."""

import io
import zlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.language.message import listed, say, say_count
from companion.language.speech import translated_json
from companion.referee.follower import Follower
from companion.scenes.calls import call_of
from companion.scoreboard import Scoreboard, read_scoreboard
from companion.web.admission import open_desk, set_cookie
from companion.web.forms import Refused
from companion.web.http.keys import HOST_COOKIE
from companion.web.http.streams import follow_feed, stream
from companion.web.http.versions import BASE, both
from companion.web.pages.game_pages import VIEWS, pages_of
from companion.web.pages.lobby import lobby_values
from companion.web.pages.marks import marks_of
from companion.web.pages.replays import replay_values
from companion.web.seat_links import count_moves
from companion.web.site import Site, Visitor, site_of
from hardware.earcons import MELODIES, hertz_of
from hardware.lights import Strip

EYE_GAMMA: Final = 2.2
PNG_SCALE: Final = 4
"""Page pixels for each pixel of the display, so that they stay square and sharp."""


VIRTUAL_PAGE: Final = "/virtual"
"""Where a host plays whose table is in the browser."""


def board_regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return the pieces of the scoreboard page as *visitor* sees them."""
    # In the lobby, who is in the room sees an address, and who asks to be a screen its own sign.
    places = visitor.places if visitor.is_at_table else ()
    sign = site.screens.sign_of(visitor.screen_cookie)
    kind = (visitor.is_host, visitor.is_screen, visitor.is_own_screen, places, sign)
    key = ("board", visitor.seat, visitor.view, kind)

    def make() -> Mapping[str, str]:
        values = {**board_values(site, visitor), **lobby_values(site, visitor)}
        return site.regions(VIEWS[visitor.view], values)

    return site.once(key, make)


def check_view(visitor: Visitor) -> None:
    """Raise Refused if the scoreboard is wanted in a way that there is none."""
    if visitor.view not in VIEWS:
        raise Refused(404, say("The scoreboard has no such view; there are “maker” and “overlay”."))


def board_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the scoreboard's pieces are made of; no secret is among it."""
    pages, board = pages_of(site), site.board()
    display = site.table.outputs.display.face
    values = {"phrase": "", **pages.board_values(site, visitor)}
    return {
        **values,
        "board": board,
        "marks": marks_of(board.question),
        "spoken_turn": turn_words(board, values["phrase"]),
        "names_of": lambda seats: [board.players[seat].name for seat in seats],
        "is_judged": site.live_session.game.has_own_play,
        "rule_of": site.live_session.game.clause_words,
        "has_ranks": pages.ranks and not board.together,
        "session_number": site.live_session.session.number,
        "visitor": visitor,
        **replay_values(site, visitor),
        "place": "board",
        "own_page": pages.own,
        "has_idol": pages.idol and site.table.idol_sectors is not None,
        "strip": [
            {"fill": _on_screen(colour), "rgb": " ".join(map(str, colour)), "lit": any(colour)}
            for colour in _lights(site)
        ],
        "cue": call_of(board),
        "display": f"{zlib.crc32(display.tobytes()):08x}",  # changes with what it shows
        "display_size": display.size,
    }


def turn_words(board: Scoreboard, phrase: str) -> str:
    """Return whose turn it is or who has won, in one line; *phrase* while it is nobody's turn."""
    if board.winners:
        names = listed(board.players[winner].name for winner in board.winners)
        return say_count("{names} wins!", "{names} win!", len(board.winners), names=names)
    if board.is_over:
        return say("Nobody has won")
    if board.turn is None:
        return phrase or board.waiting_for
    return say("{player} to move", player=board.players[board.turn].name)


def _lights(site: Site) -> Strip:
    """Return the lights beside the line, or all there are if none stand there."""
    outputs = site.table.outputs
    return outputs.zones.read("slots", outputs.strip.value) or outputs.strip.value


def _on_screen(colour: tuple[int, int, int]) -> str:
    """Return a light's colour for a screen: LEDs shine in proportion to their level, pixels do not.

    >>> _on_screen((255, 0, 16))
    '#ff0048'
    """
    return "#" + "".join(f"{round(255 * (level / 255) ** (1 / EYE_GAMMA)):02x}" for level in colour)


async def show_board(request: Request) -> Response:
    """Show the scoreboard; with the host's key in the address, let the host in first."""
    site = site_of(request)
    if "key" in request.query_params:
        return _let_host_in(site, request)
    visitor = site.visitor(request)
    check_view(visitor)
    return site.page(
        "board.html",
        board_regions(site, visitor),
        stage_label=pages_of(site).stage_label,
        virtual_page=VIRTUAL_PAGE if site.table.virtual_camera is not None else "",
        can_play_instead=visitor.is_host and site.table.play_instead is not None,
        view=visitor.view,
    )


def _let_host_in(site: Site, request: Request) -> Response:
    cookie = open_desk(site, request, request.query_params["key"])
    if cookie is None:
        raise Refused(403, say("That is not the host’s key; use the address shown at the start."))
    with suppress(OSError):  # which the pages say; the host is let in all the same
        site.keys.let_host_in()
    is_new = not site.table.memory.is_set_up and not count_moves(site.live_session.session)
    site.live_session.changed()
    first = VIRTUAL_PAGE if site.table.virtual_camera is not None else "/"
    answer = RedirectResponse("/welcome" if is_new else first, 303)
    set_cookie(answer, request, HOST_COOKIE, cookie)
    return answer


async def show_state(request: Request) -> Response:
    """Answer with the scoreboard as JSON."""
    return JSONResponse(translated_json(site_of(request).board().to_json()))


async def show_events(request: Request) -> Response:
    """Stream what happens; a follower that says where it was is told what it has missed."""
    site, last_id = site_of(request), _last_id(request)
    # Read again rather than from the page's copy: it must fit the id of the newest item.
    events = follow_feed(
        Follower(site.live_session, last_id),
        site.notifier,
        lambda: read_scoreboard(site.live_session).to_json(),
    )
    return stream(events)


def _last_id(request: Request) -> str:
    """Return the id of the last event that a follower has had, "" if it names none.

    A new EventSource can name it in the address alone.  When it connects again by itself that
    address is the old one, and the header counts.  A plus that was not quoted comes as a space.
    """
    named = request.query_params.get("last_event_id", "").replace(" ", "+")
    return request.headers.get("last-event-id") or named


async def show_display(request: Request) -> Response:
    """Show what is on the score display, as a PNG."""
    picture, target = site_of(request).table.outputs.display.face, io.BytesIO()
    size = (picture.width * PNG_SCALE, picture.height * PNG_SCALE)
    picture.resize(size).save(target, "PNG", optimize=True)
    return Response(target.getvalue(), media_type="image/png")


async def show_earcons(_: Request) -> Response:
    """Answer with the melodies that pages play, by name.

    Of each note its frequency in hertz, 0 for a silence, and its length in seconds.
    """
    return JSONResponse(
        {
            name: [(hertz_of(each), seconds) for each, seconds in notes]
            for name, notes in MELODIES.items()
        }
    )


ROUTES: Final = [
    Route("/", show_board),
    *(Route(path, show_state) for path in both("/state")),
    *(Route(path, show_events) for path in both("/events")),
    *(Route(path, show_display) for path in (f"{BASE}/display.png", "/display.png")),
    Route("/earcons.json", show_earcons),
]
