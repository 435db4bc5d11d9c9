"""The host's desk: what the host may enter and change.  All of it works as forms."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from companion.devices.calibration import DeviceCalibration
from companion.language.message import say
from companion.referee.known_secrets import has_known_secrets
from companion.referee.turn_clock import LIMITS_S
from companion.scoreboard import SEAT_NOTICE, HistoryLine
from companion.table.readers import reader_setup_of
from companion.web.admission import require_host
from companion.web.app_pages import app_pages
from companion.web.forms import (
    MOVED_ON,
    NOTHING_SENT,
    Form,
    Refused,
    field,
    form_route,
    number,
)
from companion.web.pages import wifi
from companion.web.pages.again import play_again, put_away
from companion.web.pages.game_pages import DESK, Intent, pages_of
from companion.web.pages.lobby import forget_screens, let_screen_in, lobby_values, open_joining
from companion.web.pages.new_game import LEVELS
from companion.web.pages.offers import offered_words
from companion.web.pages.public import board_values
from companion.web.pages.replays import film_falls
from companion.web.site import Site, Visitor, site_of, unstored

MAX_CORRECTABLE_MOVES: Final = 40  # older moves are corrected by taking back


def desk_regions(site: Site, visitor: Visitor, sent: Form = NOTHING_SENT) -> Mapping[str, str]:
    """Return the pieces of the host's desk; for anybody else they are empty.

    sent: a form that was refused; what was right in it stands there again.
    """
    if not visitor.is_host:
        return dict.fromkeys(DESK, "")
    # A device may come to another step of its calibration without a change at the table.
    steps = tuple(calibration.step for calibration in site.table.calibrations.values())

    def make() -> Mapping[str, str]:
        values = {**_values(site, visitor), **pages_of(site).desk_values(site, visitor)}
        return site.regions(DESK, {**values, "sent": sent})

    if sent:
        return make()
    return site.once(("desk", visitor, steps, site.calibration_status), make)


def _values(site: Site, visitor: Visitor) -> dict[str, Any]:
    seats = range(len(site.board().players))
    return {
        **board_values(site, visitor),
        **lobby_values(site, visitor),
        "place": "desk",
        "mark": site.live_session.session.next_seq,
        "levels": LEVELS if site.live_session.game.has_own_play else {},
        "invitations": [site.keys.invitation(seat) for seat in seats],
        "taken": [site.keys.is_taken(seat) for seat in seats],
        "signs": site.screens.signs,
        "screens": site.keys.screens,
        "has_begun": bool(site.live_session.session.history.acts),
        "newest": _newest(site),
        "keeps_secrets": _has_known_secrets(site),
        "earlier": _earlier(site),
        "actions": offered_words(site, None),
        "joining": pages_of(site).joining,
        "can_learn": site.table.calibrate is not None and _known(site) is not None,
        "lesson_words": pages_of(site).calibration_words,
        "lesson": site.calibration_status,
        "lessons": calibrations_of(site),
        "turn_limit_s": site.table.memory.turn_limit_s(site.live_session.header.game),
        "turn_limits_s": LIMITS_S,
    }


def _has_known_secrets(site: Site) -> bool:
    game, history = site.live_session.game, site.live_session.session.history
    return site.once_an_entry("known secrets", lambda: has_known_secrets(game, history))


def _newest(site: Site) -> HistoryLine | None:
    """Return what would be taken back, in words."""
    newest = site.live_session.referee.newest()
    history = site.board().history
    return next((line for line in history if newest and line.seq == newest.seq), None)


def _earlier(site: Site) -> list[HistoryLine]:
    """Return what happened lately and can be corrected: nothing that is entered as a whole."""
    game, history = site.live_session.game, site.live_session.session.history
    rewrites = pages_of(site).rewrites

    def can_be_corrected() -> frozenset[int]:
        return frozenset(
            act.seq
            for act, branches in zip(history.acts, history.positions, strict=False)
            if act.adopted is None
            and (game.offers(branches[0].state) or rewrites(act.forms[0], act.forms[0]))
        )

    offered = site.once_an_entry("earlier", can_be_corrected)
    return [
        line
        for line in site.board().history[:MAX_CORRECTABLE_MOVES]
        if line.seat is not None or line.seq in offered
    ]


def _known(site: Site) -> Mapping[str, Any] | None:
    """Return what the reader can be calibrated with, None if nothing."""
    game = site.live_session.game
    shown = game.shown(site.live_session.session.state)
    return pages_of(site).known or reader_setup_of(game.name).calibration_truth(shown)


def calibrations_of(site: Site) -> dict[str, DeviceCalibration]:
    """Return the calibrations of the devices that the game in play uses, by name."""
    used = {"idol": pages_of(site).idol, "tilt": site.live_session.has_tower}
    return {
        name: calibration_status
        for name, calibration_status in site.table.calibrations.items()
        if used.get(name, True)
    }


def show(
    site: Site, visitor: Visitor, alert: str = "", status: int = 200, sent: Form = NOTHING_SENT
) -> Response:
    """Return the desk as a page, with *alert* if the form *sent* was refused."""
    regions = desk_regions(site, visitor, sent)
    values: dict[str, Any] = {"alert": alert, **wifi.desk_values(site)}
    for each in app_pages():
        values |= each.desk_values(site)
    return unstored(site.page("desk.html", regions, status, **values))


async def show_desk(request: Request) -> Response:
    """Show the desk."""
    visitor = require_host(request)
    none = "none" in request.query_params
    words = say(
        "Then put everything back as it was, enter the move below, or take back the last one."
    )
    return show(site_of(request), visitor, words if none else "")


def intent(path: str, act: Intent) -> Route:
    """Return the host's route for *act*: done and shown again, or refused in one sentence."""

    def endpoint(request: Request, _visitor: Visitor, form: Form) -> Response:
        site = site_of(request)
        place = act(site, form)
        site.live_session.changed()
        return RedirectResponse(place or "/desk", 303)

    return form_route(path, endpoint, require_host, _refuse)


def _refuse(request: Request, visitor: Visitor, _form: Form, refused: Refused) -> Response:
    return show(site_of(request), visitor, refused.sentence, refused.status)


def undo(site: Site, form: Form) -> None:
    """Take back the newest move, if it still is the one that was shown."""
    last = site.live_session.referee.newest()
    if last is None:
        raise Refused(409, say("There is nothing to take back."))
    if field(form, "seq") != str(last.seq):
        raise Refused(409, MOVED_ON)
    site.live_session.referee.undo()


def calibrate(site: Site, _form: Form) -> None:
    """Calibrate the reader with this set's colours, from a table that is known."""
    known = _known(site)
    if site.table.calibrate is None or known is None:
        raise Refused(409, say("The camera cannot be calibrated here."))

    def report(trouble: str | None) -> None:
        done = say("The camera is calibrated.")
        not_done = say("Not calibrated: {reason}.", reason=trouble)
        site.calibration_status = not_done if trouble else done
        site.live_session.changed()

    site.calibration_status = say("Waiting until nothing moves …")
    site.table.calibrate(known, report)


def time_turns(site: Site, form: Form) -> None:
    """Time the turns of the game that is on, and of its kind from now on, or no longer."""
    game, limits_s = site.live_session.header.game, dict(site.table.memory.turn_limits_s)
    if field(form, "limit") == "off":
        limits_s.pop(game, None)
    else:
        limit_s = number(form, "limit", 0, max(LIMITS_S))
        if limit_s not in LIMITS_S:
            raise Refused(400, say("Choose one of the times on the page."))
        limits_s[game] = limit_s
    site.table.memory.keep(turn_limits_s=limits_s)


def invite(site: Site, form: Form) -> None:
    """Make a new link for a seat, for everyone to see."""
    header = site.live_session.header
    seat = number(form, "seat", 0, len(header.players) - 1)
    if header.is_computer(seat):
        raise Refused(409, MOVED_ON)
    site.keys.invite_anew(seat)
    name = site.live_session.header.players[seat]
    message = say("The host made a new link to {player}’s seat", player=name)
    site.live_session.feed.publish(
        {
            "type": SEAT_NOTICE,
            "seat": seat,
            "what": "invited",
            "session": site.live_session.session.number,
            "message": message,
        }
    )


ROUTES: Final = [
    Route("/desk", show_desk),
    *(intent(f"/{act.__name__}", act) for act in (undo, invite)),
    intent("/learn", calibrate),
    intent("/films-falls", film_falls),
    intent("/turn-clock", time_turns),
    intent("/again", play_again),
    intent("/put-away", put_away),
    intent("/joining", open_joining),
    intent("/screens", let_screen_in),
    intent("/forget-screens", forget_screens),
]
