"""A seat's own page: one browser a seat, and the secret card that it alone is shown."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.rules import tiki_topple
from companion.rules.tiki_topple import TIKIS, SecretCard
from companion.session.events import SecretEntered
from companion.web.forms import Refused, number, read_form, secret_card
from companion.web.public import COOKIE_S, board_values
from companion.web.scoreboard import SEAT_NOTICE
from companion.web.site import SEAT_COOKIE, Site, Visitor, site_of

REGIONS: Final = ("turn", "seat")
USED: Final = "This link was used already, or replaced; ask the host for a new one."
NO_SEAT: Final = "This browser sits at no seat; ask the host for the link to yours."


def seat_regions(site: Site, visitor: Visitor) -> dict[str, str]:
    """Return the pieces of a seat's page: of its own seat only, and none for anybody else."""
    if visitor.seat is None:
        return {"turn": "", "seat": site.render("region_unseated.html", sentence=NO_SEAT)}
    state = site.sitting.session.state
    values: dict[str, Any] = {
        **board_values(site, visitor),
        "tikis": TIKIS,
        "player": site.board().players[visitor.seat],
        "own": own_card(site, visitor),
        "is_wanted": is_wanted(site, visitor.seat),
        "round_number": site.sitting.referee.table.round_number(state),
    }
    return site.regions(REGIONS, values)


def is_wanted(site: Site, seat: int) -> bool:
    """Tell whether *seat* may enter a secret card now, or another in its place."""
    state = site.sitting.session.state
    wanted = state.phase in ("line", "play", "reveal") and seat in state.players
    return wanted and state.cards[seat] is None


def own_card(site: Site, visitor: Visitor) -> SecretCard | None:
    """Return this round's card as *visitor* itself has entered it.

    What an earlier holder of the seat has entered is not shown: a new link must not open it.
    """
    if visitor.seat is None or visitor.claim is None:
        return None
    session = site.sitting.session
    round_number = site.sitting.referee.table.round_number(session.state)
    for entry in reversed(session.entries[visitor.claim.since :]):
        match entry.event:
            case SecretEntered(visitor.seat, number, action) if number == round_number:
                return tiki_topple.parse_secret_card(action.split()[2:])
    return None


async def show_invitation(request: Request) -> Response:
    """Ask whoever follows a seat's link to take the seat.

    Looking is not taking: a messenger that previews the link must not use it up.
    """
    site = site_of(request)
    key = str(request.path_params["key"])
    seat = site.keys.invited(key)
    if seat is None:
        raise Refused(410, USED)
    return site.page("join.html", {}, player=site.board().players[seat], key=key)


async def join(request: Request) -> Response:
    """Take the seat, once and for one browser."""
    site = site_of(request)
    session = site.sitting.session
    claimed = site.keys.claim(str(request.path_params["key"]), since=len(session.entries))
    if claimed is None:
        raise Refused(410, USED)
    seat, claim = claimed
    name = site.sitting.header.players[seat]
    site.sitting.feed.tell(
        {
            "type": SEAT_NOTICE,
            "seat": seat,
            "what": "joined",
            "session": session.number,
            "message": f"A phone has taken {name}'s seat",
        }
    )
    site.sitting.changed()
    answer = RedirectResponse("/seat", 303)
    answer.set_cookie(SEAT_COOKIE, claim.key, COOKIE_S, httponly=True, samesite="strict")
    return answer


def _show(site: Site, visitor: Visitor, alert: str = "", status: int = 200) -> Response:
    if visitor.seat is None:
        raise Refused(403, NO_SEAT)
    name = site.sitting.header.players[visitor.seat]
    answer = site.page("seat.html", seat_regions(site, visitor), status, alert=alert, name=name)
    answer.headers["Cache-Control"] = "no-store"  # a shared computer must not bring it back
    return answer


async def show_seat(request: Request) -> Response:
    """Show a seat its own page."""
    site = site_of(request)
    return _show(site, site.visitor(request))


def _enter(site: Site, seat: int, form: Mapping[str, str]) -> None:
    referee = site.sitting.referee
    round_number = referee.table.round_number(site.sitting.session.state)
    if number(form, "round", 1, 999) != round_number or not is_wanted(site, seat):
        raise Refused(409, "No secret card is wanted from you now.")
    dealt = tiki_topple.Dealt(seat, secret_card(form))
    referee.enter_secret(seat, tiki_topple.format_action(dealt))


async def enter_card(request: Request) -> Response:
    """Keep the secret card that a seat enters for this round."""
    site = site_of(request)
    visitor = site.visitor(request)
    if visitor.seat is None:
        raise Refused(403, NO_SEAT)
    try:
        _enter(site, visitor.seat, await read_form(request))
    except Refused as refused:
        return _show(site, visitor, refused.sentence, refused.status)
    except OSError as error:
        return _show(site, visitor, f"That could not be kept: {error}.", 503)
    site.sitting.changed()
    return RedirectResponse("/seat", 303)


ROUTES: Final = [
    Route("/join/{key}", show_invitation),
    Route("/join/{key}", join, methods=["POST"]),
    Route("/seat", show_seat),
    Route("/seat", enter_card, methods=["POST"]),
]
