"""The host's desk: what one person at the table may tell the referee.  All of it works as forms."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import segno
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.recording import SIDES
from companion.rules import tiki_topple
from companion.rules.base import RulesError
from companion.rules.tiki_topple import CARDS, TIKIS, Played
from companion.session.events import Entry, MoveCorrected
from companion.session.history import History, ReplayError
from companion.session.session import Header
from companion.web.forms import Refused, field, number, player_name, secret_card
from companion.web.forms import read_form as read
from companion.web.public import board_values
from companion.web.scoreboard import SEAT_NOTICE
from companion.web.site import Site, Visitor, site_of

Form: TypeAlias = Mapping[str, str]
Intent: TypeAlias = Callable[[Site, Form], str | None]
"""Does what a form asks for and returns the page to show next, None for the desk."""

REGIONS: Final = ("turn", "question", "undo", "byhand", "corrections", "seats", "eyes")
PLACES: Final = {"board": "/", "desk": "/desk"}
SEATS: Final = range(2, 5)
LONGEST_GAME: Final = 12  # rounds; more than any evening holds
MOVED_ON: Final = "Something happened at the table meanwhile; look again before you answer."
NOT_HOST: Final = "Only the host may do that; the host's address is printed where Tiki runs."


def desk_regions(site: Site, visitor: Visitor) -> dict[str, str]:
    """Return the pieces of the host's desk; for anybody else they are empty."""
    if not visitor.is_host:
        return dict.fromkeys(REGIONS, "")
    return site.regions(REGIONS, _values(site, visitor))


def _values(site: Site, visitor: Visitor) -> dict[str, Any]:
    referee = site.sitting.referee
    missing = referee.table.hidden_cards(site.sitting.session.state)
    return {
        **board_values(site, visitor),
        "place": "desk",
        "mark": site.sitting.session.next_seq,
        "moves": legal_moves(site),
        "tikis": TIKIS,
        "missing": missing,
        "invitations": [site.keys.invitation(seat) for seat in range(len(site.board().players))],
        "taken": [site.keys.is_taken(seat) for seat in range(len(site.board().players))],
        "address": visitor.address,
        "qr": _qr,
        "can_learn": site.learn is not None,
        "lesson": site.lesson,
    }


def _qr(address: str, label: str) -> Markup:
    """Return *address* as a QR code for the page, so that a phone joins by looking at another."""
    code = segno.make(address, error="l", micro=False)
    # segno escapes the label; all else in the drawing are numbers.
    return Markup(code.svg_inline(omitsize=True, svgclass="qr", light="#fff", title=label))  # noqa: S704


def legal_moves(site: Site) -> dict[str, list[str]]:
    """Return the tikis that may be moved, for each card that may be played now."""
    found: dict[str, list[str]] = {card: [] for card in CARDS}
    for branch in site.sitting.session.history.branches:
        for action in tiki_topple.legal_actions(branch.state):
            if isinstance(action, Played) and action.tiki not in found[action.card]:
                found[action.card].append(action.tiki)
    return {card: tikis for card, tikis in found.items() if tikis}


def _show(site: Site, visitor: Visitor, alert: str = "", status: int = 200) -> Response:
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
    return _show(site, visitor, words if none else "")


def intent(act: Intent) -> Callable[[Request], Any]:
    """Return the endpoint for *act*: done and shown anew, or refused in one sentence."""

    async def endpoint(request: Request) -> Response:
        site, visitor = _host(request)
        try:
            place = act(site, await read(request))
        except Refused as refused:
            status, sentence = refused.status, refused.sentence
        except ReplayError:
            # Without the error's own words: it may have met a secret that was to be shown.
            status, sentence = 409, "The rules do not allow that here; nothing has changed."
        except RulesError as error:
            status, sentence = 409, f"The rules do not allow that: {error}."
        except OSError as error:
            status, sentence = 503, f"That could not be kept: {error}."
        else:
            site.sitting.changed()
            return RedirectResponse(place or "/desk", 303)
        return _show(site, visitor, sentence, status)

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
    last = site.sitting.session.history.last_move()
    if last is None:
        raise Refused(409, "There is no move to take back.")
    if field(form, "seq") != str(last.seq):
        raise Refused(409, MOVED_ON)
    site.sitting.referee.undo()
    return _back(form)


def _require_unmoved(site: Site, form: Form) -> None:
    if field(form, "mark") != str(site.sitting.session.next_seq):
        raise Refused(409, MOVED_ON)


def move(site: Site, form: Form) -> None:
    """Take a move that no camera saw."""
    _require_unmoved(site, form)
    card, _, tiki = field(form, "action").partition(" ")
    if tiki not in legal_moves(site).get(card, ()):
        raise Refused(409, "That move is not legal now; choose one of those shown.")
    site.sitting.referee.tell(f"{card} {tiki}")


def line(site: Site, form: Form) -> None:
    """Take the starting line of a round by hand."""
    _require_unmoved(site, form)
    if not site.sitting.referee.table.expects_start(site.sitting.session.state):
        raise Refused(409, "No starting line is wanted now.")
    tikis = [field(form, f"slot{slot}") for slot in range(len(TIKIS))]
    if sorted(tikis) != sorted(TIKIS):
        raise Refused(400, "A starting line has all nine tikis, each once.")
    site.sitting.referee.tell(" ".join(("line", *tikis)))


def card(site: Site, form: Form) -> None:
    """Take a secret card that a seat has shown at the end of the round."""
    seats = site.sitting.referee.table.hidden_cards(site.sitting.session.state)
    seat = number(form, "seat", 0, len(site.sitting.header.players) - 1)
    if seat not in seats:
        raise Refused(409, "No secret card of that seat is wanted now.")
    shown = tiki_topple.Dealt(seat, secret_card(form))
    site.sitting.referee.tell(tiki_topple.format_action(shown))


def corrections(history: History[Any, Any], seq: int) -> Iterator[str]:
    """Yield the moves that number *seq* may have been instead, so that all later ones still fit."""
    place = next((at for at, act in enumerate(history.acts) if act.seq == seq), None)
    if place is None or history.acts[place].seat is None:
        return
    known = history.forms(seq)
    forms = dict.fromkeys(
        tiki_topple.format_action(action)
        for branch in history.positions[place]
        for action in tiki_topple.legal_actions(branch.state)
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
    if told is None or told.seat is None:
        raise Refused(404, "That move does not count any more.")
    words = site.sitting.referee.table.words
    forms = [(form, words(form)) for form in corrections(site.sitting.session.history, seq)]
    mark = site.sitting.session.next_seq
    return site.page("correct.html", {}, told=told, forms=forms, mark=mark)


def correct(site: Site, form: Form) -> None:
    """Put another move in the place of an earlier one."""
    _require_unmoved(site, form)
    seq = number(form, "seq", 1, 999_999)
    action = field(form, "action")
    if action not in corrections(site.sitting.session.history, seq):
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
    header = site.sitting.header
    return site.page("new.html", {}, header=header, sides=SIDES, seats=SEATS)


def new(site: Site, form: Form) -> str:
    """Put the game away and begin another."""
    seats = number(form, "players", SEATS[0], SEATS[-1])
    names = tuple(player_name(form, f"name{seat}", f"Player {seat + 1}") for seat in range(seats))
    if len({name.casefold() for name in names}) < seats:
        raise Refused(400, "Two players have the same name; nobody could tell them apart.")
    sides = tuple(form.get(f"side{seat}", "") for seat in range(seats))
    known = all(side in SIDES for side in sides)
    if known and len(set(sides)) < seats:
        raise Refused(400, "Two players sit at the same side of the table.")
    chosen = {"rounds": number(form, "rounds", 1, LONGEST_GAME)} if form.get("rounds") else {}
    options = tiki_topple.options_to_json(tiki_topple.parse_options(chosen, seats))
    setup = {"first": number(form, "first", 0, seats - 1) if "first" in form else 0}
    header = Header(tiki_topple.NAME, names, options, setup, sides if known else ())
    site.sitting.renew(header, "the host began a new game")
    return "/desk"


ROUTES: Final = [
    Route("/desk", show_desk),
    Route("/desk/new", show_new),
    Route("/desk/correct/{seq:int}", show_correction),
    *(
        Route(f"/{act.__name__}", intent(act), methods=["POST"])
        for act in (choose, undo, move, line, card, correct, invite, learn, new)
    ),
]
