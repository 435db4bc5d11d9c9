"""Playing by program: a seat's token, what the seat may know and do, and what it does."""

from dataclasses import asdict, dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.language.message import say
from companion.language.speech import translated_json
from companion.referee.game import Game
from companion.rules.base import RulesError
from companion.web.admission import (
    anybody,
    by_token,
    find_seat,
    limit_actions,
    require_seat_or_token,
)
from companion.web.forms import MOVED_ON, Form, Refused, field, form_route
from companion.web.http.versions import BASE
from companion.web.pages.entering import (
    NOT_YOURS,
    action_of,
    answer_entry,
    drawn,
    enter_action,
    told_answer,
)
from companion.web.pages.game_pages import pages_of
from companion.web.pages.kept import own_secret
from companion.web.pages.seats import USED, take_seat
from companion.web.site import Site, Visitor, site_of, unstored


@dataclass(frozen=True, slots=True)
class LegalAction:
    """Something that may be entered now.

    action: its text, as it is sent.  object: the same as the rules' JSON has it, with a `type`.
    words: for people.  seat: whose business it is, null: anybody's.
    """

    action: str
    object: dict[str, Any]
    words: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class LegalList:
    """What may be entered now, for all that the one who asks may know.

    seat: who asks, null: a bystander, who sees what all seats may enter.
    mark: to be sent with an action; it is another one once the game has changed.
    turn: the seat that is waited for.  is_over: whether the whole game has ended.
    chance: whether `chance` may be sent, by which the companion rolls or draws.
    secret: the first word of the action that this seat may enter in secret now, "" if none.
    """

    seat: int | None
    mark: str
    turn: int | None
    is_over: bool
    chance: bool
    secret: str
    actions: tuple[LegalAction, ...]


@dataclass(frozen=True, slots=True)
class SeatView:
    """What a seat may know of the game.

    mark: see `LegalList`.  secret: the action by which it has entered this round's secret itself,
    null if it has not.  view: see the rules of the game.
    """

    seat: int
    name: str
    mark: str
    secret: str | None
    view: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat that was taken.

    token: to be sent as a bearer's; it ends when the host gives the seat a new link.
    """

    seat: int
    name: str
    token: str


def mark_of(site: Site) -> str:
    """Return what changes with every entry of the log and with every new game."""
    session = site.live_session.session
    return f"{session.number}.{session.next_seq}"


def legal_for(site: Site, seat: int | None, *, knows_secret: bool = False) -> LegalList:
    """Return what *seat* may enter now, or all seats for None.

    knows_secret: whether who asks has entered the seat's secret, and may name what it alone knows.
    """
    live_session, game = site.live_session, site.live_session.game
    state, players = live_session.session.state, live_session.header.players
    seen = state if seat is None else game.rules.seen_by(state, seat)
    details = _details(game, seen) if knows_secret else {}
    actions = []
    for action in game.offers(state):
        whose = game.entry_seat(state, action)
        if seat is not None and (whose not in (None, seat) or not _fits(game, seen, action, whose)):
            continue
        for form in details.get(game.rules.format_action(action), (action,)):
            text = game.rules.format_action(form)
            thing = game.rules.action_to_json(form)
            actions.append(LegalAction(text, thing, game.words(text, players), whose))
    return LegalList(
        seat,
        mark_of(site),
        game.expected(state),
        game.rules.outcome(state) is not None,
        bool(_own_chance(site, seat)),
        "" if seat is None else pages_of(site).secret_wanted(site, seat),
        tuple(actions),
    )


def _details(game: Game[Any, Any], seen: Any) -> dict[str, list[Any]]:
    """Return by its open text what may happen in *seen* and that text leaves out something of."""
    found: dict[str, list[Any]] = {}
    for action in game.rules.legal_actions(seen):
        text = game.rules.format_action(action)
        if (open_text := game.public(text)) != text:
            found.setdefault(open_text, []).append(action)
    return found


def _fits(game: Game[Any, Any], seen: Any, action: Any, whose: int | None) -> bool:
    """Return whether *action* is legal for all that its seat may know, which is *seen*.

    What anybody may enter is not judged by what one seat knows.
    """
    for form in () if whose is None else game.forms(seen, action):
        try:
            game.rules.apply(seen, form)
        except RulesError:
            continue
        return True
    return whose is None


def _view(site: Site, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know: in some games that takes a search."""
    rules, state = site.live_session.session.rules, site.live_session.session.state
    found: dict[str, Any] = site.once_an_entry(("view", seat), lambda: rules.view(state, seat))
    return found


def _own_chance(site: Site, seat: int | None) -> tuple[str, ...]:
    referee = site.live_session.referee
    texts = pages_of(site).drawn(site)
    return tuple(text for text in texts if seat is None or referee.may_enter(seat, text))


async def list_legal(request: Request) -> Response:
    """Answer with what may be entered now."""
    site, visitor = site_of(request), by_token(request) or anybody(request)
    seat, knows = visitor.seat, own_secret(site, visitor) is not None
    found = site.once_an_entry(
        ("legal", seat, knows), lambda: legal_for(site, seat, knows_secret=knows)
    )
    return JSONResponse(translated_json(asdict(found)))


async def show_seat(request: Request) -> Response:
    """Answer with what the seat may know."""
    site, visitor = site_of(request), require_seat_or_token(request)
    live_session, seat, secret = site.live_session, visitor.seat, own_secret(site, visitor)
    assert seat is not None
    game, state = live_session.game, live_session.session.state
    found = SeatView(
        seat,
        live_session.header.players[seat],
        mark_of(site),
        secret,
        _view(site, None if _is_closed(game, state, secret) else seat),
    )
    return unstored(JSONResponse(translated_json(asdict(found))))


def _is_closed(game: Game[Any, Any], state: Any, secret: str | None) -> bool:
    """Return whether a seat is shown what everyone is, as its page does: its *secret* is not there.

    Whoever held the seat before may have entered one, which a new link does not open; nor does it
    open what pieces have seen of each other.
    """
    return secret is None and bool(game.secrets_entered(state))


def join(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Take a seat by its link, once, and answer with its token."""
    site = site_of(request)
    invitation = field(form, "link").rstrip("/").rpartition("/")[2]
    if find_seat(site, request, invitation) is None:
        raise Refused(410, USED)
    seat, claim = take_seat(site, invitation, is_program=True)
    joined = Joined(seat, site.live_session.header.players[seat], claim.key)
    return unstored(JSONResponse(asdict(joined)))


def play(request: Request, visitor: Visitor, form: Form) -> Response:
    """Enter an action of the own seat, a secret one too."""
    site, seat = site_of(request), visitor.seat
    assert seat is not None
    limit_actions(site, seat)
    if field(form, "mark") != mark_of(site):
        raise Refused(409, MOVED_ON)
    action = drawn(site, action_of(form))
    live_session = site.live_session
    if not live_session.referee.may_enter(seat, action):
        raise Refused(403, NOT_YOURS)
    wanted = pages_of(site).secret_wanted(site, seat)
    if wanted and action.split()[0] == wanted:
        live_session.referee.enter_secret(seat, action)
        live_session.changed()
        return told_answer(site, say("Kept for your seat alone"))
    told = enter_action(site, visitor, action)
    live_session.changed()
    return answer_entry(site, told)


ROUTES: Final = [
    Route(f"{BASE}/legal", list_legal),
    Route(f"{BASE}/seat", show_seat),
    form_route(f"{BASE}/join", join, anybody),
    form_route(f"{BASE}/play", play, require_seat_or_token),
]
