"""Entering: actions that people report, on a page or by command."""

from collections.abc import Iterator
from contextlib import contextmanager
from random import SystemRandom
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from companion.language.message import say, sequence
from companion.language.speech import translated_json
from companion.referee.notices import Ask, notice_to_json
from companion.referee.referee import UNDO
from companion.referee.table_dispute import ADOPT, sentence_of
from companion.rules.base import RulesError
from companion.session.history import Act
from companion.web.admission import require_host_or_key, require_player
from companion.web.forms import (
    Form,
    Refused,
    field,
    form_route,
    not_allowed,
    number,
    require_unmoved,
)
from companion.web.http.versions import both
from companion.web.pages import desk, seats
from companion.web.pages.desk import intent
from companion.web.pages.game_pages import pages_of
from companion.web.site import Site, Visitor, site_of

MAX_ACTION_CHARS: Final = 200  # letters of an action; a hand of ten cards has some 150
PAUSE: Final = "pause"
LEAD_BACK: Final = "lead-back"
CHANCE: Final = "chance"
"""Sent instead of an action where the companion should draw or roll."""
DICE: Final = SystemRandom()
NOT_YOURS: Final = say("You cannot enter that now. Check the page again, or ask the host.")
NOT_OPENLY: Final = say(
    "Only the phone that knows this secret may enter this detail. Leave it out."
)
HOST: Final = Visitor((), is_host=True, seat=None, claim=None)
"""The host, whatever seat the same browser holds."""


def action_of(form: Form) -> str:
    """Return the action of a form, put together from its fields.

    These are `action`, then `part0`, `part1` and so on, then as many of `pick0`, `pick1`, ... as
    were ticked.  Raises Refused, also if a part is missing between others.
    """
    parts = sum(name.startswith("part") for name in form)
    pieces = [field(form, "action"), *(field(form, f"part{place}") for place in range(parts))]
    pieces += [form[name] for name in sorted(filter(is_pick, form), key=lambda name: int(name[4:]))]
    words = " ".join(" ".join(pieces).split())
    if len(words) > MAX_ACTION_CHARS:
        raise Refused(400, say("That is too long for an action."))
    return words


def is_pick(name: str) -> bool:
    """Return whether *name* is one of `pick0`, `pick1`, ...: ticked boxes of a form."""
    return name.startswith("pick") and name[4:].isascii() and name[4:].isdigit() and len(name) < 9


def drawn(site: Site, action: str) -> str:
    """Return *action* as the rules have it, or what the companion draws if that is left to it.

    Raises Refused.
    """
    if action != CHANCE:
        return pages_of(site).typed(action)
    actions = pages_of(site).drawn(site)
    if not actions:
        raise Refused(409, say("There is nothing to roll or draw now."))
    return DICE.choice(actions)


@contextmanager
def _openly(site: Site, visitor: Visitor, action: str) -> Iterator[None]:
    """Enter *action* for *visitor*; raises Refused, in words that reveal no secret."""
    pages = pages_of(site)
    if not pages.own_words(site, visitor, action):
        raise Refused(403, NOT_OPENLY)
    try:
        yield
    except RulesError as error:
        raise not_allowed(error, pages.reason(site, error)) from None


def enter(request: Request, visitor: Visitor, form: Form) -> Response:
    """Handle what the host or a seat enters."""
    site = site_of(request)
    referee, seat = site.live_session.referee, visitor.seat
    require_unmoved(site, form)
    action = pages_of(site).composed(site, form) or drawn(site, action_of(form))
    if objection := pages_of(site).objection(action):
        raise Refused(400, objection)
    if seat is not None and not visitor.is_host and not referee.may_enter(seat, action):
        raise Refused(403, NOT_YOURS)
    with _openly(site, visitor, action):
        referee.enter(action)
    site.live_session.changed()
    return RedirectResponse("/seat" if is_from_seat(visitor, form) else "/desk", 303)


def is_from_seat(visitor: Visitor, form: Form) -> bool:
    """Return whether *form* was sent from a seat's page, so that the answer is shown there."""
    return visitor.seat is not None and (form.get("back") == "seat" or not visitor.is_host)


def refuse(request: Request, visitor: Visitor, form: Form, refused: Refused) -> Response:
    """Show why it was not done, on the page that *form* was sent from."""
    show = seats.show if is_from_seat(visitor, form) else desk.show
    return show(site_of(request), visitor, refused.sentence, refused.status, form)


def instead(site: Site, form: Form) -> None:
    """Put another action in place of what happened last."""
    require_unmoved(site, form)
    action = action_of(form)
    with _openly(site, HOST, action):
        site.live_session.referee.replace(action)


def pause(site: Site, form: Form) -> None:
    """Ignore sensors and camera from now on, or no longer."""
    if number(form, "paused", 0, 1) == site.live_session.paused:
        site.live_session.pause()


def take_command(request: Request, visitor: Visitor, form: Form) -> Response:
    """Handle what `tiki tell` sends, and answer in JSON: what was entered, and what comes next.

    Where the entry only opens a question nothing is entered yet, and the answer is that question.
    """
    site = site_of(request)
    if "sensor" in form:
        return JSONResponse(translated_json({"told": _simulate(site, form["sensor"])}))
    told = _command(site, visitor, drawn(site, action_of(form)))
    site.live_session.changed()
    return answer_entry(site, told)


def answer_entry(site: Site, told: str | Ask) -> JSONResponse:
    """Return what was entered and what comes next, or what has to be answered first."""
    return _unanswered(told) if isinstance(told, Ask) else told_answer(site, told)


def told_answer(site: Site, told: str) -> JSONResponse:
    """Return what was entered, and what comes next."""
    board = site.board()
    scores = {player.name: player.score for player in board.players}
    return JSONResponse(
        translated_json({"told": told, "next": board.waiting_for, "scores": scores})
    )


def _unanswered(asked: Ask) -> JSONResponse:
    """Return that nothing is entered before *asked* is answered."""
    words = say(
        "Nothing has been entered yet. Answer on the host’s page: {question} "
        "Possible answers: {answers}.",
        question=asked.message,
        answers=sequence((candidate.text for candidate in asked.candidates), "; "),
    )
    return JSONResponse(translated_json({"error": words, "question": notice_to_json(asked)}), 409)


def _simulate(site: Site, words: str) -> str:
    if site.table.simulate is None:
        raise Refused(
            409, say("Sensors are not simulated here. Set sensors.kind to “fake” to simulate them.")
        )
    try:
        site.table.simulate(words)
    except ValueError as error:
        raise Refused(400, f"{error}.") from None
    return say("Simulated: {words}", words=words)


def _command(site: Site, visitor: Visitor, action: str) -> str | Ask:
    """Do what *action* says; return what was done, or what has to be answered first."""
    if action == PAUSE:
        site.live_session.pause()
        if site.live_session.paused:
            return say("The game is paused")
        return say("The game continues")
    referee = site.live_session.referee
    if action == UNDO:
        last = referee.newest()
        if last is None:
            raise Refused(409, say("There is nothing to take back."))
        referee.undo()
        return say("Taken back: {what}", what=_sentence(site, last))
    match action.split():
        case [word, seat, *used] if word == ADOPT and seat.isdecimal() and len(seat) < 3:
            referee.dispute.adopt_at_once(int(seat), " ".join(used))
        case [word] if word == LEAD_BACK:
            referee.dispute.lead_back()
            return say("Put the table back to match the game")
        case _:
            return enter_action(site, visitor, action)
    return _newest(site)


def enter_action(site: Site, visitor: Visitor, action: str) -> str | Ask:
    """Enter *action* for *visitor*; return what was done, or what has to be answered first.

    Raises Refused.
    """
    referee = site.live_session.referee
    before = referee.session.next_seq
    with _openly(site, visitor, action):
        referee.enter(action)
    if referee.session.next_seq == before and isinstance(referee.question, Ask):
        return referee.question
    return _newest(site)


def _newest(site: Site) -> str:
    last = site.live_session.referee.newest()
    assert last is not None
    return _sentence(site, last)


def _sentence(site: Site, act: Act) -> str:
    game, players = site.live_session.game, site.live_session.header.players
    return sentence_of(act, list(map(game.public, act.forms)), game, players)


ROUTES: Final = [
    form_route("/enter", enter, require_player, refuse),
    intent("/instead", instead),
    intent("/pause", pause),
    *(form_route(path, take_command, require_host_or_key) for path in both("/tell")),
]
