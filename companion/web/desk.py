"""The host's desk: what one person at the table may tell the referee.  All of it works as forms."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.lessons import Lesson
from companion.recording import SIDES
from companion.referee.arbiter import Arbiter
from companion.rules.tiki_topple import TIKIS
from companion.session.events import Entry, MoveCorrected
from companion.session.history import ReplayError
from companion.web.forms import (
    MOVED_ON,
    Refused,
    field,
    in_a_sentence,
    number,
    player_name,
    require_unmoved,
)
from companion.web.forms import read_form as read
from companion.web.games.kinds import KINDS, pages_of
from companion.web.games.pages import Form, Intent
from companion.web.public import board_values
from companion.web.scoreboard import SEAT_NOTICE
from companion.web.site import Site, Visitor, site_of

PLACES: Final = {"board": "/", "desk": "/desk"}
NOT_HOST: Final = "Only the host may do that; the host's address is printed where Tiki runs."


def desk_regions(site: Site, visitor: Visitor) -> dict[str, str]:
    """Return the pieces of the host's desk; for anybody else they are empty."""
    pages = pages_of(site)
    if not visitor.is_host:
        return dict.fromkeys(pages.desk, "")
    values = {**_values(site, visitor), **pages.desk_values(site, visitor)}
    return site.regions(pages.desk, values, pages.flavours)


def _values(site: Site, visitor: Visitor) -> dict[str, Any]:
    seats = range(len(site.board().players))
    return {
        **board_values(site, visitor),
        "place": "desk",
        "mark": site.sitting.session.next_seq,
        "invitations": [site.keys.invitation(seat) for seat in seats],
        "taken": [site.keys.is_taken(seat) for seat in seats],
        "address": visitor.address,
        "qr": _qr,
        "can_learn": site.learn is not None,
        "lesson": site.lesson,
        "lessons": lessons_of(site),
    }


def lessons_of(site: Site) -> dict[str, Lesson]:
    """Return the lessons of the devices that the game in play uses, by name."""
    idol = pages_of(site).idol
    return {name: lesson for name, lesson in site.lessons.items() if idol or name != "idol"}


def _qr(address: str, label: str) -> Markup:
    """Return *address* as a QR code for the page, so that a phone joins by looking at another."""
    code = segno.make(address, error="l", micro=False)
    # segno escapes the label; all else in the drawing are numbers.
    return Markup(code.svg_inline(omitsize=True, svgclass="qr", light="#fff", title=label))  # noqa: S704


def show(site: Site, visitor: Visitor, alert: str = "", status: int = 200) -> Response:
    """Return the desk as a page, with *alert* if something was refused."""
    return site.page("desk.html", desk_regions(site, visitor), status, alert=alert)


def _host(request: Request) -> tuple[Site, Visitor]:
    site = site_of(request)
    visitor = site.visitor(request)
    if not visitor.is_host:
        raise Refused(403, NOT_HOST)
    return site, visitor


async def show_desk(request: Request) -> Response:
    """Show the desk."""
    site, visitor = _host(request)
    none = "none" in request.query_params
    words = "Then put the line back as it was, tap the move in below, or take back the last one."
    return show(site, visitor, words if none else "")


def intent(act: Intent) -> Callable[[Request], Any]:
    """Return the endpoint for *act*: done and shown anew, or refused in one sentence."""

    async def endpoint(request: Request) -> Response:
        site, visitor = _host(request)
        try:
            with in_a_sentence():
                place = act(site, await read(request))
        except Refused as refused:
            return show(site, visitor, refused.sentence, refused.status)
        site.sitting.changed()
        return RedirectResponse(place or "/desk", 303)

    return endpoint


def _back(form: Form) -> str:
    return PLACES.get(form.get("back", ""), "/desk")


def choose(site: Site, form: Form) -> str:
    """Answer the standing question with one of its candidates, or with none of them."""
    question = site.board().question
    if question is None or question.mark != field(form, "mark"):
        raise Refused(409, MOVED_ON)
    if field(form, "choice") == "none":
        return "/desk?none#by-hand"
    choice = number(form, "choice", 0, len(question.candidates) - 1)
    if not site.sitting.referee.choose(choice):
        raise Refused(409, MOVED_ON)
    return _back(form)


def undo(site: Site, form: Form) -> str:
    """Take back the newest move, if it still is the one that was shown."""
    last = site.sitting.referee.newest()
    if last is None:
        raise Refused(409, "There is no move to take back.")
    if field(form, "seq") != str(last.seq):
        raise Refused(409, MOVED_ON)
    site.sitting.referee.undo()
    return _back(form)


def corrections(referee: Arbiter, seq: int) -> Iterator[str]:
    """Yield the moves that number *seq* may have been instead, so that all later ones still fit."""
    history = referee.session.history
    place = next((at for at, act in enumerate(history.acts) if act.seq == seq), None)
    if place is None:
        return
    known = history.forms(seq)
    forms = dict.fromkeys(
        referee.session.rules.format_action(action)
        for branch in history.positions[place]
        for action in referee.table.offers(branch.state)
    )
    for form in forms:
        if known == {form}:
            continue
        try:
            history.copy().take(Entry(0, "", MoveCorrected(seq, form)))
        except ReplayError:
            continue
        yield form


async def show_correction(request: Request) -> Response:
    """Show what else a move may have been."""
    site, _ = _host(request)
    seq = int(request.path_params["seq"])
    told = next((told for told in site.board().history if told.seq == seq), None)
    if told is None:
        raise Refused(404, "That move does not count any more.")
    table, players = site.sitting.referee.table, site.sitting.header.players
    forms = [(form, table.words(form, players)) for form in corrections(site.sitting.referee, seq)]
    mark = site.sitting.session.next_seq
    return site.page("correct.html", {}, told=told, forms=forms, mark=mark)


def correct(site: Site, form: Form) -> None:
    """Put another move in the place of an earlier one."""
    require_unmoved(site, form)
    seq = number(form, "seq", 1, 999_999)
    action = field(form, "action")
    if action not in corrections(site.sitting.referee, seq):
        raise Refused(409, "That move does not fit there; take back the later moves first.")
    site.sitting.referee.correct(seq, action)


def learn(site: Site, _form: Form) -> None:
    """Let the eyes learn this set's colours from the tikis in their known order."""
    if site.learn is None:
        raise Refused(409, "The recording has taught the eyes already.")

    def tell(trouble: str | None) -> None:
        site.lesson = f"Not learned: {trouble}." if trouble else "The colours are learned."
        site.sitting.changed()

    site.lesson = "Waiting until nothing moves ..."
    site.learn(TIKIS, tell)


def invite(site: Site, form: Form) -> None:
    """Make a new link for a seat, for everybody to see."""
    seat = number(form, "seat", 0, len(site.sitting.header.players) - 1)
    site.keys.invite_anew(seat)
    name = site.sitting.header.players[seat]
    message = f"The host made a new link to {name}'s seat"
    site.sitting.feed.tell(
        {
            "type": SEAT_NOTICE,
            "seat": seat,
            "what": "invited",
            "session": site.sitting.session.number,
            "message": message,
        }
    )


async def show_new(request: Request) -> Response:
    """Show the form for a new game, filled in with what was played last."""
    site, _ = _host(request)
    pages = pages_of(site)
    templates = [f"new.{flavour}.html" for flavour in pages.flavours]
    return site.page(
        (*templates, "new.html"),
        {},
        header=site.sitting.header,
        sides=SIDES,
        seats=pages.seats,
        first_words=pages.first_words,
    )


def new(site: Site, form: Form) -> str:
    """Put the game away and begin another."""
    pages = pages_of(site)
    seats = number(form, "players", pages.seats[0], pages.seats[-1])
    names = tuple(player_name(form, f"name{seat}", f"Player {seat + 1}") for seat in range(seats))
    if len({name.casefold() for name in names}) < seats:
        raise Refused(400, "Two players have the same name; nobody could tell them apart.")
    sides = tuple(form.get(f"side{seat}", "") for seat in range(seats))
    known = all(side in SIDES for side in sides)
    if known and len(set(sides)) < seats:
        raise Refused(400, "Two players sit at the same side of the table.")
    header = pages.begin(form, names, sides if known else (), site.sitting.header)
    site.sitting.renew(header, "the host began a new game")
    return "/desk"


ROUTES: Final = [
    Route("/desk", show_desk),
    Route("/desk/new", show_new),
    Route("/desk/correct/{seq:int}", show_correction),
    *(
        Route(f"/{act.__name__}", intent(act), methods=["POST"])
        for act in (choose, undo, correct, invite, learn, new)
    ),
    *(
        Route(f"/{path}", intent(act), methods=["POST"])
        for pages in KINDS.values()
        for path, act in pages.intents.items()
    ),
]
