"""The page on which people show the companion the cards that it holds, and see none of them again.

Whoever sits or is the host may deal.  No answer names a card, a photograph's neither: what is asked
of it is what the reader cannot tell.
"""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.apps.cards.photo_pages import MAX_PHOTO_BYTES, name_card, read_beside
from companion.apps.computer.hands import NotThatCard, hands_of
from companion.language.message import Message, say
from companion.web.admission import require_player
from companion.web.forms import MOVED_ON, Form, Refused, field, form_route, number, read_picture
from companion.web.pages.game_pages import pages_of
from companion.web.site import Site, Visitor, site_of, unstored

PAGE: Final = "/computer/cards"
NOTHING_DUE: Final = say("The companion needs to be shown no card now.")
NOT_THAT: Final = say(
    "That card cannot be among them. Show it again, or take back the one before it."
)


def _seat_due(site: Site) -> int | None:
    """Return the seat whose card is to be shown next, None if none is.

    The one that the companion asks for, if it does.
    """
    live, hands = site.live_session, hands_of(site.live_session)
    asked = [live.intention.seat] if live.intention and live.intention.page else []
    seats = (*asked, *range(len(live.header.players)))
    return next((seat for seat in seats if hands.missing(seat)), None)


def regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return what changes on the page; nothing for who neither sits nor is the host."""
    if visitor.seat is None and not visitor.is_host:
        return {"computer": ""}
    return site.regions(("computer",), _values(site))


def _values(site: Site) -> dict[str, Any]:
    live, seat = site.live_session, _seat_due(site)
    hands = hands_of(live)
    values: dict[str, Any] = {"seat": seat, "mark": live.session.next_seq}
    if seat is None:
        return values
    row = hands.row(seat)
    return {
        **values,
        "player": site.board().players[seat],
        "lying": len(row),
        "may_take_back": hands.may_take_back(seat),
        "due": len(row) + 1,
        "of": len(row) + hands.missing(seat),
        "choices": live.game.hand_choices(live.session.state, seat),
        "has_photographs": pages_of(site).photographed(("", "")) is not None,
    }


async def show(request: Request) -> Response:
    """Show the page."""
    visitor, site = require_player(request), site_of(request)
    return _page(site, visitor)


def _page(site: Site, visitor: Visitor, alert: str = "", status: int = 200) -> Response:
    return unstored(site.page("computer.html", regions(site, visitor), status, alert=alert))


def take(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Take the card that was tapped, or forget the last one."""
    site = site_of(request)
    seat = number(form, "seat", 0, len(site.live_session.header.players) - 1)
    place = number(form, "place", 1, 999)
    if field(form, "card") == "back":
        _take_back(site, seat, place)
    else:
        _show(site, seat, field(form, "card"), place)
    return RedirectResponse(PAGE, 303)


def _take_back(site: Site, seat: int, place: int) -> None:
    """Forget the card to the left of the one number *place*; raises Refused."""
    hands = hands_of(site.live_session)
    if place != len(hands.row(seat)) + 1 or not hands.may_take_back(seat):
        raise Refused(409, MOVED_ON)
    hands.take_back(seat)


def _show(site: Site, seat: int, card: str, place: int) -> int:
    """Take *card* as the one number *place* from the left; raises Refused."""
    live, hands = site.live_session, hands_of(site.live_session)
    if not hands.missing(seat) or place != len(hands.row(seat)) + 1:
        raise Refused(409, NOTHING_DUE)
    choices = live.game.hand_choices(live.session.state, seat)
    if card not in [name for _, cards in choices for name, _, _ in cards]:
        raise Refused(400, NOT_THAT)
    try:
        return hands.show(seat, card)
    except NotThatCard:
        raise Refused(409, NOT_THAT) from None


async def read_photo(request: Request) -> Response:
    """Take the card in a photograph, or ask what it does not show; as a piece of the page."""
    require_player(request)
    site, status = site_of(request), 200
    values: dict[str, Any] = {}
    try:
        encoded = await read_picture(request, MAX_PHOTO_BYTES)
        require_player(request)
        found = await read_beside(request, name_card, encoded)
        require_player(request)
        values = _found(site, found.card, found.problem)
    except Refused as refused:
        status, values = refused.status, {"sentence": refused.sentence}
    piece = site.render("computer_photo.html", **{"fits": (), **values})
    return unstored(HTMLResponse(piece, status))


def _found(site: Site, seen: tuple[str, str] | None, problem: Message | None) -> dict[str, Any]:
    live, seat = site.live_session, _seat_due(site)
    if seat is None:
        raise Refused(409, NOTHING_DUE)
    if seen is None:
        return {"sentence": problem}
    choices = live.game.hand_choices(live.session.state, seat)
    may_be = set(pages_of(site).photographed(seen) or ())
    fits = [(name, words) for _, cards in choices for name, words, _ in cards if name in may_be]
    place = len(hands_of(live).row(seat)) + 1
    if len(fits) == 1:
        _show(site, seat, fits[0][0], place)
        said = say("Recognised. Lay it face down as card {number} from the left.", number=place)
        return {"sentence": said}
    if not fits:
        raise Refused(409, NOT_THAT)
    return {"sentence": say("Which of these is it?"), "fits": fits, "seat": seat, "due": place}


def _refuse(request: Request, visitor: Visitor, _form: Form, refused: Refused) -> Response:
    return _page(site_of(request), visitor, refused.sentence, refused.status)


ROUTES: Final = [
    Route(PAGE, show),
    form_route(PAGE, take, require_player, _refuse),
    Route("/computer/photo", read_photo, methods=["POST"]),
]
