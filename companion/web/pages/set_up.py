"""The set-up page: the live picture for the host alone, and what lies there, to be learned."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.language.message import Message, capitalised, say
from companion.language.speech import translated_json
from companion.referee.game import EMPTY
from companion.registry import GAMES, game_of
from companion.table.calibration_words import describe_result
from companion.table.reader_calibration import UNCHANGED, CalibrationResult, Fit
from companion.table.readers import reader_setup_of
from companion.table.table_look import TableLook, to_json
from companion.table.table_setup import NotFitted, TableSetup
from companion.web.admission import require_host, require_host_or_key
from companion.web.forms import NOTHING_SENT, Form, Refused, field, form_route
from companion.web.pages.cameras import (
    NONE_YET,
    camera_state,
    camera_values,
    choose_camera,
    send_camera_picture,
)
from companion.web.pages.game_pages import pages_of
from companion.web.pages.measuring_lens import REGION as LENS
from companion.web.pages.measuring_lens import lens_values, measure_lens
from companion.web.pages.phone import ROUTES as PHONE_ROUTES
from companion.web.pages.phone import invite_phone, phone_values
from companion.web.pages.public import board_values
from companion.web.site import Learning, Site, Visitor, site_of, unstored

REGIONS: Final = ("lesson", "camera", LENS)
MAX_DIGITS: Final = 9
"""Of a picture's number."""
NO_CAMERA: Final = say(
    "No camera is set up, so you enter moves by hand. To use one, name it in the settings"
    " (source under [camera]) and restart the companion."
)
MOVED_ON: Final = say(
    "The table no longer shows that position. Check the page, then calibrate again."
)


@dataclass(frozen=True, slots=True)
class Position:
    """A known table that the camera can learn from.

    name: in the form.  words: what lies there.  truth: see `ReaderSetup`.
    is_now: whether it is the table as the log knows it, which the page draws.
    """

    name: str
    words: Message | str
    truth: Mapping[str, Any]
    is_now: bool = False


def positions(site: Site) -> list[Position]:
    """Return the known tables from which the game in play can be learned now."""
    pages, session = pages_of(site), site.live_session.session
    game = site.live_session.game
    shown = game.shown(session.state)
    known = reader_setup_of(game.name).known_truth(shown)
    found = []
    if known is not None and known != pages.known:
        begun = say("The game as it stands now")
        words = begun if session.history.acts else say("The starting position")
        if all(content == EMPTY for content in shown):  # such as after a tower has fallen
            words = say("The empty board, without any pieces")
        found.append(Position("now", words, known, is_now=True))
    if pages.known is not None:
        found.append(Position("put-up", pages.known_words or pages.calibration_words, pages.known))
    if pages.samples is not None:
        found.append(Position("samples", pages.samples_words, pages.samples))
    return found


def set_up_regions(site: Site, visitor: Visitor) -> Mapping[str, str]:
    """Return the pieces of the page that change; for anybody but the host they are empty."""
    if not visitor.is_host:
        return dict.fromkeys(REGIONS, "")

    def make() -> Mapping[str, str]:
        camera = camera_state(site)
        return site.regions(REGIONS, {"lesson": site.learning.words, "lens": lens, **camera})

    lens = lens_values(site)
    return site.once(("set-up", visitor, site.learning.words, repr(lens)), make)


def obstacle(site: Site) -> Message | None:
    """Return why there is nothing to be set up, None if there is."""
    game = site.live_session.game
    if not GAMES[game.name].has_mat:
        return say("{game} needs no camera: you enter everything on your phones.", game=game.title)
    if site.table.table_setup is None:
        return NO_CAMERA if site.table.cameras is None else NONE_YET
    if not site.table.table_setup.knows(game.name):
        return say(
            "The companion does not know how the table for {game} is laid out.", game=game.title
        )
    return None


def _setup_of(site: Site) -> TableSetup:
    """Return what sets the camera up; raises Refused if there is nothing to be set up."""
    why = obstacle(site)
    if why is not None or site.table.table_setup is None:
        raise Refused(409, why or NO_CAMERA)
    return site.table.table_setup


async def show_set_up(request: Request) -> Response:
    """Show the page."""
    return _show(request, require_host(request))


def _show(
    request: Request,
    visitor: Visitor,
    refused: Refused | None = None,
    sent: Form = NOTHING_SENT,
) -> Response:
    site = site_of(request)
    why = obstacle(site)
    alert = refused.sentence if refused else ""
    cameras = {**camera_values(site), **phone_values(site, visitor)}
    values: dict[str, Any] = {"alert": alert, "obstacle": why, **cameras}
    if why is None:
        values |= _values(site, visitor, sent)
    status = refused.status if refused else 200
    return unstored(site.page("set_up.html", set_up_regions(site, visitor), status, **values))


def _values(site: Site, visitor: Visitor, sent: Form) -> dict[str, Any]:
    setup, game = _setup_of(site), site.live_session.header.game
    plan = setup.plan(game)
    offered = positions(site)
    chosen = sent.get("position", offered[0].name if offered else "")
    return {
        **board_values(site, visitor),
        **pages_of(site).board_values(site, visitor),
        "positions": offered,
        "chosen": chosen,
        "choice": setup.choice,
        "corners": sent.get("corners", site.learning.corners),
        "is_recording": setup.is_recording,
        "is_fitted": setup.is_fitted(game),
        "plan": plan,
        "plan_mm": _plan_mm(plan),
        "title": site.live_session.game.title,
    }


def _plan_mm(plan: Any) -> dict[str, Any]:
    """Return *plan* as the page's script draws it while corners are dragged."""
    if plan is None:
        return {"outline": [], "places": []}
    return {
        "outline": plan.outline.points,
        "places": [[(round(x, 1), round(y, 1)) for x, y in each.points] for each in plan.places],
    }


async def invite(request: Request) -> Response:
    """Let a phone be the camera, or show why it may not."""
    try:
        return await invite_phone(request)
    except Refused as refused:
        return _show(request, require_host(request), refused)


async def look(request: Request) -> Response:
    """Answer with what the newest picture shows, as pieces of the page."""
    found, site = await _look(request, require_host)
    pieces = {
        "picture": found.number if found.jpeg else 0,
        "size": [found.width, found.height],
        "words": site.render("set_up_words.html", look=found),
        "overlay": site.render("set_up_overlay.html", look=found),
    }
    return unstored(JSONResponse({**pieces, "number": found.number}))


async def tell_state(request: Request) -> Response:
    """Answer with what the newest picture shows and what can be learned, as `tiki setup` asks."""
    try:
        found, site = await _look(request, require_host_or_key)
    except Refused as refused:
        return unstored(JSONResponse({"error": str(refused.sentence)}, refused.status))
    offered = [{"name": each.name, "words": each.words} for each in positions(site)]
    state = {
        "game": site.live_session.game.title,
        **to_json(found),
        "positions": offered,
        "lesson": [*site.learning.words],
        "learning": site.learning.is_going_on,
        "learned": site.learning.has_gone_well,
        "lens": lens_values(site),
    }
    return unstored(JSONResponse(translated_json(state)))


async def _look(request: Request, admit: Any) -> tuple[TableLook, Site]:
    admit(request)
    site = site_of(request)
    setup = _setup_of(site)
    after = _number(request.query_params.get("after", "0"), 0)
    drags = request.query_params.get("by") == "corners"
    game = site.live_session.header.game
    found = await asyncio.to_thread(setup.look, game, after, drags_corners=drags)
    admit(request)  # it took a while
    return found, site


def _number(said: str, otherwise: int) -> int:
    """Return the number of a picture that somebody *said*; *otherwise* if it is none."""
    is_number = said.isascii() and said.isdigit() and len(said) <= MAX_DIGITS
    return int(said) if is_number else otherwise


async def send_picture(request: Request) -> Response:
    """Answer with the picture of a look."""
    require_host(request)
    jpeg = _setup_of(site_of(request)).jpeg(_number(request.path_params["number"], -1))
    if not jpeg:
        raise Refused(404, say("That picture is no longer available; try again."))
    return unstored(Response(jpeg, media_type="image/jpeg"))


def learn(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Let the camera learn the position that lies there."""
    site = site_of(request)
    setup, game = _setup_of(site), site.live_session.header.game
    if setup.is_recording:
        raise Refused(409, say("This is a recording, so there is nothing to calibrate."))
    chosen = field(form, "position")
    position = next((each for each in positions(site) if each.name == chosen), None)
    if position is None:
        raise Refused(409, MOVED_ON)
    if position.is_now and site.board().question is not None:
        raise Refused(
            409,
            say("Answer the open question first: the companion is not sure what is on the table."),
        )
    fit: Fit = UNCHANGED
    if corners := form.get("corners", ""):
        if setup.is_recorded:
            raise Refused(
                409, say("The game is being recorded. Stop the recording to set the corners again.")
            )
        try:
            fit = setup.fit(game, _parse_corners(corners))
        except NotFitted as error:
            raise Refused(409, say("{reason}.", reason=capitalised(error.args[0]))) from None
    elif form.get("tiles"):
        fit = None

    def report(lesson: CalibrationResult) -> None:
        words = reader_setup_of(game).class_words, game_of(game).place_words
        site.learning = Learning(
            tuple(describe_result(lesson, *words)),
            has_gone_well=not lesson.trouble,
            corners=site.learning.corners if lesson.trouble else "",
        )
        site.live_session.changed()

    waiting = say("Waiting until nothing moves …")
    site.learning = Learning((waiting,), is_going_on=True, corners=corners)
    setup.learn(position.truth, report, fit)
    site.live_session.changed()
    return RedirectResponse("/desk/set-up#lesson", 303)


def _parse_corners(text: str) -> tuple[tuple[float, float], ...]:
    """Return four corners in shares of the picture; raises Refused."""
    try:
        numbers = [float(each) for each in text.split()]
    except ValueError:
        numbers = []
    if len(numbers) != 8 or not all(0.0 <= each <= 1.0 for each in numbers):
        raise Refused(400, say("Some of the corners did not arrive; drag them again."))
    return tuple(zip(numbers[::2], numbers[1::2], strict=True))


def _refuse(request: Request, visitor: Visitor, form: Form, refused: Refused) -> Response:
    if request.headers.get("authorization"):
        return JSONResponse({"error": str(refused.sentence)}, refused.status)
    return _show(request, visitor, refused, form)


ROUTES: Final = [
    Route("/desk/set-up", show_set_up),
    Route("/set-up/look", look),
    Route("/set-up/phone", invite, methods=["POST"]),
    *PHONE_ROUTES,
    Route("/set-up/state", tell_state),
    Route("/set-up/picture/{number}", send_picture),
    Route("/set-up/camera/{key}", send_camera_picture),
    form_route("/set-up/camera", choose_camera, require_host, _refuse),
    form_route("/set-up/learn", learn, require_host_or_key, _refuse),
    form_route("/set-up/lens", measure_lens, require_host_or_key, _refuse),
]
