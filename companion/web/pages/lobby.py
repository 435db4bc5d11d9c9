"""The lobby: until all sit or somebody has moved, the room sees how phones join.

The table's code and its QR code are shown to the host, to whoever sits, and on the table's screens:
a browser of the companion's own machine, or one that the host has let in.  A stranger on the
network is shown who has joined, and nothing that opens a seat.
docs/decisions/0326-let-the-room-join.md says why.
"""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from companion.language.message import say
from companion.scenes import Invitation
from companion.web.admission import anybody, limit_screens, set_cookie
from companion.web.forms import MOVED_ON, Form, Refused, field, form_route, number
from companion.web.http.keys import SCREEN_COOKIE
from companion.web.http.reach import told_apart
from companion.web.pages.past_games import last_game
from companion.web.pages.qr import qr_code
from companion.web.seat_links import count_moves
from companion.web.site import Site, Visitor, site_of
from companion.wifi.own_wifi import OwnWifi

SCREEN_PAGE: Final = "/"
NOT_OURS: Final = "none"


def sees_code(site: Site, visitor: Visitor) -> bool:
    """Return whether there is a code, and *visitor* is in the room."""
    return bool(site.keys.code) and visitor.is_at_table


def room_invitations(site: Site) -> tuple[Invitation, ...]:
    """Return how phones join, for the small display in the room; () once nobody is waited for.

    One for each address; without a network one that says so, or of the table's own Wi-Fi while
    that is what they have to join first.
    """
    own_wifi = site.table.own_wifi
    if own_wifi is not None and own_wifi.is_awaited:
        credentials = own_wifi.credentials
        return (Invitation(credentials.code, credentials.password, credentials.name),)
    board, code, reach = site.board(), site.keys.code, site.table.reach
    if not code or board.is_over or not site.table.memory.is_set_up:
        return ()
    if count_moves(site.live_session.session):
        return ()
    if reach.is_cut_off:
        return (Invitation("", code),)
    return tuple(
        Invitation(f"{place.url}/join?code={code}", code, place.link)
        for place in told_apart(reach.places)
    )


def lobby_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the lobby shows to *visitor*.

    lobby: "welcome" while the table is not set up, "joining" while phones can join by the code,
    "again" for the host of a game that is over, else "".
    """
    keys, board = site.keys, site.board()
    state = ""
    if not site.table.memory.is_set_up and not count_moves(site.live_session.session):
        state = "welcome"
    elif board.is_over:
        state = "again" if visitor.is_host else ""
    elif keys.code:
        state = "joining"
    shown = state == "joining" and sees_code(site, visitor)
    becomes_host = state == "welcome" and visitor.is_own_screen and not keys.has_host
    return {
        "lobby": state,
        "code": keys.code if shown else "",
        "is_late": count_moves(site.live_session.session) > 0,
        "host_path": f"/?key={keys.host}" if becomes_host else "",
        "unreachable": site.table.reach.obstacle,
        "taken": [keys.is_taken(player.seat) for player in board.players],
        "own_sign": site.screens.sign_of(visitor.screen_cookie),
        "own_wifi": _own_wifi(site, visitor),
        "is_wifi_first": site.table.own_wifi is not None and not site.table.own_wifi.is_visited,
        "last_game": last_game(site) if visitor.is_host else None,
        "qr": qr_code,
    }


def _own_wifi(site: Site, visitor: Visitor) -> OwnWifi | None:
    """Return the table's own Wi-Fi while phones can join it, for the screen on its own machine."""
    own_wifi = site.table.own_wifi
    if own_wifi is None or not own_wifi.is_open or not visitor.is_own_screen:
        return None
    return own_wifi


def ask_to_show(request: Request, visitor: Visitor, _form: Form) -> Response:
    """Let a browser ask to be one of the table's screens: it shows a sign, the host answers."""
    site = site_of(request)
    answer = RedirectResponse(SCREEN_PAGE, 303)
    held = request.cookies.get(SCREEN_COOKIE)
    if not visitor.is_screen and not site.screens.sign_of(held):
        limit_screens(site, request)
        set_cookie(answer, request, SCREEN_COOKIE, site.screens.ask())
        site.live_session.changed()
    return answer


def let_screen_in(site: Site, form: Form) -> None:
    """Let the browser that shows a sign be a screen of the table, or none of those that ask."""
    sign = field(form, "sign")
    if sign == NOT_OURS:
        site.screens.clear()
        return
    cookie = site.screens.take(sign)
    if cookie is None:
        raise Refused(
            409, say("No screen shows these letters any more. Ask for new ones on your screen.")
        )
    site.keys.add_screen(cookie)


def forget_screens(site: Site, _form: Form) -> None:
    """Let no browser be a screen of the table any more."""
    site.keys.forget_screens()


def open_joining(site: Site, form: Form) -> None:
    """Put a new code in force, or end the one there is."""
    opens, code = number(form, "open", 0, 1), field(form, "code")
    if code != site.keys.code and (opens or code):
        raise Refused(409, MOVED_ON)
    if opens:
        site.seat_links.wrong_codes.begin()
        site.keys.renew_code()
    else:
        site.keys.end_code()


ROUTES: Final = [form_route("/screen", ask_to_show, anybody)]
