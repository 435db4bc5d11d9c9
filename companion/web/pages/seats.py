"""A seat's own page: one browser a seat, and what it alone is shown."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.language.message import say
from companion.scoreboard import SEAT_NOTICE, HistoryLine
from companion.web.admission import NO_SEAT, anybody, find_seat, require_seat, set_cookie
from companion.web.app_pages import app_pages
from companion.web.forms import MOVED_ON, NOTHING_SENT, Form, Refused, field, form_route
from companion.web.http.keys import SEAT_COOKIE, Claim
from companion.web.pages.game_pages import SEAT, pages_of
from companion.web.pages.offers import offered_words
from companion.web.pages.public import board_values
from companion.web.site import Site, Visitor, site_of, unstored

USED: Final = say("This link has already been used or replaced; ask the host for a new one.")


def seat_regions(site: Site, visitor: Visitor, sent: Form = NOTHING_SENT) -> dict[str, str]:
    """Return the pieces of a seat's page: of its own seat only, and none for anybody else.

    sent: a form that was refused; what was right in it stands there again.
    """
    pages = pages_of(site)
    if visitor.seat is None:
        unseated = site.render("region_unseated.html", sentence=NO_SEAT)
        return {**dict.fromkeys(SEAT, ""), "seat": unseated}
    values: dict[str, Any] = {
        **board_values(site, visitor),
        "actions": offered_words(site, visitor.seat),
        **pages.seat_values(site, visitor),
        "place": "seat",
        "mark": site.live_session.session.next_seq,
        "player": site.board().players[visitor.seat],
        "sent": sent,
        "rank": _rank(site, visitor.seat),
        "own_last": own_last(site, visitor.seat),
    }
    for each in app_pages():
        values |= each.seat_values(site, visitor)
    return site.regions(SEAT, values)


def _rank(site: Site, seat: int) -> int:
    """Return the place of *seat* by its points, from 1; 0 while all have equally many."""
    sign = -1 if pages_of(site).lowest_wins(site) else 1
    scores = [sign * player.score for player in site.board().players]
    return 1 + sum(score > scores[seat] for score in scores) if len(set(scores)) > 1 else 0


def own_last(site: Site, seat: int) -> HistoryLine | None:
    """Return the newest thing that happened if *seat* has done or entered it, else None.

    It may take that back, as long as nobody else has done anything since.
    """
    session, game = site.live_session.session, site.live_session.game
    last = session.history.newest()
    if last is None or last.adopted is not None or last.seat not in (None, seat):
        return None
    if last.seat is None:
        before, form, _ = session.history.step(session.history.index(last.seq))
        if game.entry_seat(before, session.rules.parse_action(form)) != seat:
            return None
    return next((line for line in site.board().history if line.seq == last.seq), None)


def take_back(request: Request, visitor: Visitor, form: Form) -> Response:
    """Take back what the seat itself has done last."""
    site = site_of(request)
    assert visitor.seat is not None
    last = own_last(site, visitor.seat)
    if last is None or field(form, "seq") != str(last.seq):
        raise Refused(409, MOVED_ON)
    site.live_session.referee.undo()
    site.live_session.changed()
    return RedirectResponse("/seat", 303)


async def show_invitation(request: Request) -> Response:
    """Ask whoever follows a seat's link to take the seat.

    Looking is not taking: a messenger that previews the link must not use it up.
    """
    site = site_of(request)
    key = str(request.path_params["key"])
    seat = find_seat(site, request, key)
    if seat is None:
        raise Refused(410, USED)
    player = site.board().players[seat]
    joining = pages_of(site).joining
    return unstored(site.page("join.html", {}, player=player, key=key, joining=joining))


def join(request: Request, _visitor: Visitor, _form: Form) -> Response:
    """Take the seat, once and for one browser."""
    site = site_of(request)
    invitation = str(request.path_params["key"])
    if find_seat(site, request, invitation) is None:
        raise Refused(410, USED)
    answer = RedirectResponse("/seat", 303)
    sit(request, answer, invitation, held=request.cookies.get(SEAT_COOKIE, ""))
    return answer


def sit(request: Request, answer: Response, invitation: str, held: str = "") -> None:
    """Let the browser that is given *answer* sit where an open *invitation* says, for all to know.

    held: what its cookie holds, see `Keys.claim`.
    """
    _, claim = take_seat(site_of(request), invitation, held=held)
    set_cookie(answer, request, SEAT_COOKIE, claim.key)


def take_seat(
    site: Site, invitation: str, *, held: str = "", is_program: bool = False
) -> tuple[int, Claim]:
    """Use an open *invitation* up, for all to know, and return its seat and the claim on it.

    held: see `Keys.claim`.  is_program: whether a program plays there, which people are told.
    """
    session = site.live_session.session
    claimed = site.keys.claim(invitation, since=len(session.entries), held=held)
    assert claimed is not None
    seat, claim = claimed
    name = site.live_session.header.players[seat]
    words = say("{player} has joined with a phone", player=name)
    if is_program:
        words = say("A program plays for {player}", player=name)
    site.live_session.feed.publish(
        {
            "type": SEAT_NOTICE,
            "seat": seat,
            "what": "joined",
            "session": session.number,
            "message": words,
        }
    )
    site.live_session.changed()
    return seat, claim


def show(
    site: Site, visitor: Visitor, alert: str = "", status: int = 200, sent: Form = NOTHING_SENT
) -> Response:
    """Return a seat's page, with *alert* if the form *sent* was refused.

    Raises Refused to strangers.
    """
    if visitor.seat is None:
        raise Refused(403, NO_SEAT)
    name = site.live_session.header.players[visitor.seat]
    regions = seat_regions(site, visitor, sent)
    return unstored(site.page("seat.html", regions, status, alert=alert, name=name))


async def show_seat(request: Request) -> Response:
    """Show a seat its own page."""
    return show(site_of(request), anybody(request))


def keep(request: Request, visitor: Visitor, form: Form) -> Response:
    """Keep what a seat enters for its own eyes."""
    site = site_of(request)
    assert visitor.seat is not None
    pages_of(site).keep(site, visitor.seat, form)
    site.live_session.changed()
    return RedirectResponse("/seat", 303)


def _refuse(request: Request, visitor: Visitor, form: Form, refused: Refused) -> Response:
    return show(site_of(request), visitor, refused.sentence, refused.status, form)


ROUTES: Final = [
    Route("/join/{key}", show_invitation),
    form_route("/join/{key}", join, anybody),
    Route("/seat", show_seat),
    form_route("/seat", keep, require_seat, _refuse),
    form_route("/take-back", take_back, require_seat, _refuse),
]
