"""Telling: what people say happened in a game that nobody watches, on a page or by command."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.referee.scribe import UNDO, Scribe
from companion.session.history import Act
from companion.web import desk, seats
from companion.web.desk import NOT_HOST, intent
from companion.web.forms import Refused, field, in_a_sentence, number, read_form, require_unmoved
from companion.web.games.told import scribe_of
from companion.web.site import Site, Visitor, site_of

LONGEST: Final = 200  # letters of an action; a hand of ten cards has some 150
PAUSE: Final = "pause"
NOT_YOURS: Final = "That is not yours to say now; look again, or ask the host."


def _action(form: Mapping[str, str]) -> str:
    """Return the action of a form, put together from its pieces."""
    pieces = [field(form, "action"), form.get("colour", ""), form.get("points", "")]
    words = " ".join(" ".join(pieces).split())
    if len(words) > LONGEST:
        raise Refused(400, "That is too long to be an action.")
    return words


def _tell(site: Site, visitor: Visitor, form: Mapping[str, str]) -> None:
    scribe = scribe_of(site)
    require_unmoved(site, form)
    action = _action(form)
    if not visitor.is_host:
        if visitor.seat is None:
            raise Refused(403, NOT_HOST)
        if not scribe.may_tell(visitor.seat, action):
            raise Refused(403, NOT_YOURS)
    scribe.tell(action)


async def tell(request: Request) -> Response:
    """Take what the host, or a seat of its own doing, taps in."""
    site = site_of(request)
    visitor = site.visitor(request)
    form = await read_form(request)
    from_seat = visitor.seat is not None and (form.get("back") == "seat" or not visitor.is_host)
    try:
        with in_a_sentence():
            _tell(site, visitor, form)
    except Refused as refused:
        if not (visitor.is_host or from_seat):
            raise
        show = seats.show if from_seat else desk.show
        return show(site, visitor, refused.sentence, refused.status)
    site.sitting.changed()
    return RedirectResponse("/seat" if from_seat else "/desk", 303)


def instead(site: Site, form: Mapping[str, str]) -> None:
    """Put another action in place of what happened last."""
    require_unmoved(site, form)
    scribe_of(site).replace(_action(form))


def pause(site: Site, form: Mapping[str, str]) -> None:
    """Let sensors and camera count for nothing, or again for something."""
    if number(form, "paused", 0, 1) == site.sitting.paused:
        site.sitting.pause()


async def take_command(request: Request) -> Response:
    """Take what `tiki tell` sends, and answer in JSON: what was told, and what is wanted next."""
    site = site_of(request)
    if not site.visitor(request).is_host:
        raise Refused(403, NOT_HOST)
    form = await read_form(request)
    with in_a_sentence():
        if "sensor" in form:
            return JSONResponse({"told": _pretend(site, form["sensor"])})
        told = _command(site, _action(form))
    site.sitting.changed()
    board = site.board()
    scores = {player.name: player.score for player in board.players}
    return JSONResponse({"told": told, "next": board.waiting_for, "scores": scores})


def _pretend(site: Site, words: str) -> str:
    if site.pretend is None:
        raise Refused(409, "No sensor is a fake one; set sensors.kind to 'fake' to pretend.")
    try:
        site.pretend(words)
    except ValueError as error:
        raise Refused(400, f"{error}.") from None
    return f"The sensors say: {words}"


def _command(site: Site, action: str) -> str:
    if action == PAUSE:
        site.sitting.pause()
        return "The game is paused" if site.sitting.paused else "The game goes on"
    scribe = scribe_of(site)
    if action == UNDO:
        last = scribe.newest()
        if last is None:
            raise Refused(409, "There is nothing to take back.")
        scribe.undo()
        return f"Taken back: {_sentence(scribe, last)}"
    scribe.tell(action)
    last = scribe.newest()
    assert last is not None
    return _sentence(scribe, last)


def _sentence(scribe: Scribe[Any, Any], act: Act) -> str:
    return scribe.table.sentence(act.seat, act.forms, scribe.session.header.players)


ROUTES: Final = [
    Route("/tell", tell, methods=["POST"]),
    Route("/instead", intent(instead), methods=["POST"]),
    Route("/pause", intent(pause), methods=["POST"]),
    Route("/api/tell", take_command, methods=["POST"]),
]
