"""What people say of the companion's seats: that a move is done, and who plays."""

from typing import Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from companion.apps.computer import card_pages, coach_pages, decisive_pages
from companion.language.message import say
from companion.rules.base import RulesError
from companion.web.admission import require_player
from companion.web.app_pages import AppPages
from companion.web.forms import MOVED_ON, Form, Refused, back_to, field, form_route, number
from companion.web.pages.desk import intent
from companion.web.pages.entering import is_from_seat, refuse
from companion.web.pages.new_game import LEVELS
from companion.web.site import Site, Visitor, site_of

PERSON: Final = "person"
NO_COMPUTER: Final = say("The companion cannot play this game. A person has to take that seat.")


def done(request: Request, visitor: Visitor, form: Form) -> Response:
    """Enter what the companion meant to do, which somebody has done."""
    site = site_of(request)
    place = "/seat" if is_from_seat(visitor, form) else back_to(form)
    meant = site.live_session.intention
    if meant is None or not meant.mark or meant.mark != field(form, "mark"):
        raise Refused(409, MOVED_ON)
    try:
        site.live_session.referee.enter(meant.action)
    except RulesError:
        raise Refused(409, MOVED_ON) from None
    site.live_session.changed()
    return RedirectResponse(place, 303)


def take_over(site: Site, form: Form) -> None:
    """Let a person play a seat of the companion's from now on, or the companion a person's."""
    live_session = site.live_session
    if field(form, "session") != str(live_session.session.number):
        raise Refused(409, MOVED_ON)
    header = live_session.header
    seat = number(form, "seat", 0, len(header.players) - 1)
    player = field(form, "player")
    if player != PERSON and (player not in LEVELS or not live_session.game.has_own_play):
        raise Refused(400, NO_COMPUTER)
    levels = [header.level_of(at) for at in range(len(header.players))]
    levels[seat] = "" if player == PERSON else player
    if levels[seat] != header.level_of(seat):
        reason = "the host changed who plays a seat"
        site.seat_links.staying = {other: other for other in range(len(levels)) if other != seat}
        try:
            live_session.resume(live_session.session.number, reason, computers=levels)
        finally:
            site.seat_links.staying = {}


PAGES: Final = AppPages(
    [
        form_route("/computer/done", done, require_player, refuse),
        intent("/computer/seat", take_over),
        *card_pages.ROUTES,
        *coach_pages.ROUTES,
        *decisive_pages.ROUTES,
    ],
    {"computer": card_pages.regions, "decisive": decisive_pages.regions},
    seat_values=coach_pages.seat_values,
)
