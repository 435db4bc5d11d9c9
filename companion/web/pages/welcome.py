"""The welcome page: from the host's key to a game at the table, on one page that is a form."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.colours import COLOURS
from companion.language.catalogue import LANGUAGES
from companion.language.message import Message, say
from companion.recording import SIDES
from companion.registry import GAMES, game_of
from companion.web.admission import require_host
from companion.web.app_pages import app_pages
from companion.web.forms import UNREADABLE, Form, Refused, field, form_route, number
from companion.web.pages import again
from companion.web.pages.game_pages import WELCOME, pages_for
from companion.web.pages.new_game import (
    CHANCE,
    LEVELS,
    Draft,
    Misfits,
    first_draft,
    fixed_colours,
    header_of,
    shown_colours,
    typed_draft,
    usual_name,
    usual_options,
)
from companion.web.seat_links import count_moves
from companion.web.site import Site, Visitor, site_of, unstored

SIDE_WORDS: Final = {
    "near": say("near side"),
    "right": say("right side"),
    "far": say("far side"),
    "left": say("left side"),
}
START: Final = "start"
LOOK: Final = "look"


def welcome_regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return what changes on the page while it is open: which mat the camera has seen."""
    if not visitor.is_host:
        return dict.fromkeys(WELCOME, "")
    spotted = game_of(site.spotted) if site.spotted else None
    return site.regions(WELCOME, {"spotted": spotted})


def show(
    site: Site,
    visitor: Visitor,
    draft: Draft,
    errors: Mapping[str, Message] | None = None,
    alert: str = "",
    status: int = 200,
) -> Response:
    """Return the page as *draft* has it, with what is wrong beside each field."""
    errors, fixed = errors or {}, fixed_colours(site, draft)
    session = site.live_session.session
    values: dict[str, Any] = {
        "is_welcome": not site.table.memory.is_set_up,
        "draft": draft,
        "games": [(game_of(each), pages_for(each)) for each in GAMES],
        "game": draft.plays,
        "pages": draft.pages,
        "errors": errors,
        "alert": alert or next(iter(errors.values()), ""),
        "fixed": fixed,
        "shown_colours": shown_colours(draft, fixed),
        "colours": COLOURS,
        "levels": LEVELS if draft.plays.has_own_play else {},
        "usual_names": [usual_name(draft, seat) for seat in range(draft.count)],
        "sides": SIDE_WORDS,
        "sitting": _sitting(draft),
        "next_to_sit": _next_to_sit(draft),
        "languages": LANGUAGES,
        "has_phones": any(map(site.keys.is_taken, range(len(session.header.players)))),
        "is_in_play": count_moves(session) > 0 and not site.board().is_over,
    }
    for each in app_pages():
        values |= each.welcome_values(site)
    return unstored(site.page("welcome.html", welcome_regions(site, visitor), status, **values))


def _sitting(draft: Draft) -> dict[str, int]:
    """Return which seat sits at each side that is taken."""
    return {side: seat for seat, side in enumerate(draft.sides[: draft.count]) if side in SIDES}


def _next_to_sit(draft: Draft) -> int | None:
    """Return the first seat of which nobody has said where it sits."""
    return next((seat for seat in range(draft.count) if draft.sides[seat] not in SIDES), None)


def _chosen(site: Site, form: Mapping[str, str]) -> str:
    """Return the game that a form or an address asks for, usually the one that is on."""
    game = form.get("game", site.live_session.header.game)
    if game not in GAMES:
        raise Refused(404, say("That game is not available. Choose one from the list."))
    return game


async def show_new(request: Request) -> Response:
    """Show the form for a new game, with the people of the last one; or without, for new ones."""
    visitor = require_host(request)
    site = site_of(request)
    is_same = site.table.memory.is_set_up and "people" not in request.query_params
    draft = first_draft(site, _chosen(site, request.query_params), is_same=is_same)
    return show(site, visitor, draft)


def new(request: Request, visitor: Visitor, form: Form) -> Response:
    """Begin what the form says, or change the form as the button that was tapped says."""
    site = site_of(request)
    draft, step = _draft(site, form), field(form, "step")
    if step != START:
        return show(site, visitor, _changed(site, draft, step))
    try:
        header = header_of(site, draft)
    except Misfits as misfits:
        return show(site, visitor, draft, misfits.errors, status=misfits.status)
    again.begin(site, header, "the host began a new game", is_same=draft.is_same)
    try:
        site.table.memory.keep(language=draft.language, is_set_up=True)
        trouble: str = ""
    except OSError as error:
        reason = error.strerror or str(error)
        trouble = say("your choices cannot be saved ({reason})", reason=reason)
    site.live_session.report(say("the table’s settings"), trouble)
    return RedirectResponse("/desk", 303)


def _draft(site: Site, form: Form) -> Draft:
    field(form, "game")
    game = _chosen(site, form)
    seats = game_of(game).seats
    return typed_draft(site, form, game, number(form, "players", seats[0], seats[-1]))


def _changed(site: Site, draft: Draft, step: str) -> Draft:
    """Return *draft* after another game, another number of players, or a tap on the table.

    Raises Refused.
    """
    kind, _, word = step.partition("-")
    if kind == "game" and word in GAMES:
        seats = game_of(word).seats
        draft = replace(draft, game=word, count=min(max(draft.count, seats[0]), seats[-1]))
        draft = replace(draft, options=usual_options(site, draft))
    elif kind == "players" and word in map(str, draft.plays.seats):
        draft = _with_players(site, draft, int(word))
    elif kind == "side" and word in SIDES:
        draft = replace(draft, sides=_seated(draft, word))
    elif step != LOOK:
        raise Refused(400, UNREADABLE)
    can_begin = (*map(str, range(draft.count)), *((CHANCE,) if draft.pages.first_words[1] else ()))
    return draft if draft.first in can_begin else replace(draft, first="0")


def _with_players(site: Site, draft: Draft, count: int) -> Draft:
    """Return *draft* for *count* players; what is asked of so many alone is as it usually is."""
    asked = [choice.key for choice in draft.choices]
    after = replace(draft, count=count)
    usual = usual_options(site, after)
    typed = {key: draft.options[key] if key in asked else usual[key] for key in usual}
    return replace(after, options=typed)


def _seated(draft: Draft, side: str) -> tuple[str, ...]:
    """Return the sides after a tap on *side*: it becomes free, or the next player sits there."""
    seat = _sitting(draft).get(side)
    side = side if seat is None else ""
    seat = _next_to_sit(draft) if seat is None else seat
    return tuple(side if at == seat else each for at, each in enumerate(draft.sides))


def _refuse(request: Request, visitor: Visitor, form: Form, refused: Refused) -> Response:
    """Show the form as it was typed with what was refused, and the usual one if it cannot be."""
    site = site_of(request)
    try:
        draft = _draft(site, form)
    except Refused:
        draft = first_draft(
            site, site.live_session.header.game, is_same=site.table.memory.is_set_up
        )
    return show(site, visitor, draft, alert=refused.sentence, status=refused.status)


ROUTES: Final = [
    Route("/welcome", show_new),
    Route("/desk/new", show_new),
    Route("/new", show_new),  # what the form was sent to, asked for again
    form_route("/new", new, require_host, _refuse),
]
