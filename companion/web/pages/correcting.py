"""Correcting an earlier move: a page for the host, and the same for programs that have the key."""

from dataclasses import asdict, dataclass
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.language.message import say
from companion.language.speech import translated_json
from companion.referee.corrections import Correction, corrected, corrections, likeliest_first
from companion.scoreboard import HistoryLine
from companion.web.admission import require_host, require_host_or_key
from companion.web.forms import Form, Refused, field, form_route, number, require_unmoved
from companion.web.http.versions import BASE
from companion.web.pages.desk import intent
from companion.web.pages.entering import told_answer
from companion.web.pages.game_pages import pages_of
from companion.web.pages.public import board_values
from companion.web.site import Site, Visitor, site_of, unstored

FEW: Final = 6
"""So many are shown at once; the page has the others behind a fold, unless they are hardly more."""
MAX_NUMBER: Final = 999_999


@dataclass(frozen=True, slots=True)
class ListedCorrection:
    """What a move may have been instead.

    action: as it is sent.  words: for people.  is_seen: whether the camera sees the table that it
    would leave, rather than the one as the log has it.
    """

    action: str
    words: str
    is_seen: bool


@dataclass(frozen=True, slots=True)
class CorrectionList:
    """What a move may have been instead, so that all later ones still fit, the likeliest first.

    seq: its number in the log.  words: what was recorded.  mark: to be sent with a correction; it
    is another one once the game has changed.
    """

    seq: int
    words: str
    mark: int
    corrections: tuple[ListedCorrection, ...]


def listed(site: Site, text: str) -> tuple[HistoryLine, CorrectionList]:
    """Return the move whose number is *text*, and what it may have been; raises Refused."""
    line = next((line for line in site.board().history if str(line.seq) == text), None)
    if line is None:
        raise Refused(404, say("That move no longer counts."))
    game, players = site.live_session.game, site.live_session.header.players
    found = tuple(
        ListedCorrection(each.action, game.words(each.action, players), is_seen)
        for each, is_seen in likeliest_first(site.live_session.referee, _fitting(site, line.seq))
    )
    return line, CorrectionList(line.seq, line.words, site.live_session.session.next_seq, found)


def _fitting(site: Site, seq: int) -> tuple[Correction, ...]:
    """Return what `corrections` finds: trying it out means playing all later moves again."""
    referee = site.live_session.referee
    return site.once_an_entry(("corrections", seq), lambda: tuple(corrections(referee, seq)))


async def show_correction(request: Request) -> Response:
    """Show what else a move may have been."""
    visitor, site = require_host(request), site_of(request)
    line, found = listed(site, request.path_params["seq"])
    history = site.live_session.session.history
    was = history.acts[history.index(line.seq)].forms[0].split()
    forms = found.corrections
    few = FEW if len(forms) > FEW + 2 else len(forms)
    values = {
        **board_values(site, visitor),
        "line": line,
        "was": was,
        "likely": forms[:few],
        "others": forms[few:],
        "mark": found.mark,
    }
    return unstored(site.page("correct.html", {}, **values))


async def list_corrections(request: Request) -> Response:
    """Answer a program with what else a move may have been."""
    require_host_or_key(request)
    _, found = listed(site_of(request), request.path_params["seq"])
    return unstored(JSONResponse(translated_json(asdict(found))))


def correct(site: Site, form: Form) -> None:
    """Put another move in the place of an earlier one."""
    require_unmoved(site, form)
    seq = number(form, "seq", 1, MAX_NUMBER)
    action = pages_of(site).composed(site, form) or field(form, "action")
    fitting = (each.action for each in _fitting(site, seq))
    if action not in fitting and not _rewrites(site, seq, action):
        raise Refused(409, say("That move does not fit there; take back the later moves first."))
    site.live_session.referee.correct(seq, action)


def _rewrites(site: Site, seq: int, action: str) -> bool:
    """Return whether *action* was written into fields in place of the move *seq*, and fits."""
    referee = site.live_session.referee
    act = next((act for act in referee.session.history.acts if act.seq == seq), None)
    if act is None or not pages_of(site).rewrites(act.forms[0], action):
        return False
    return corrected(referee, seq, action) is not None


def take_correction(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Handle a program's correction, and answer with what it was corrected to."""
    site = site_of(request)
    correct(site, form)
    site.live_session.changed()
    line = next(line for line in site.board().history if str(line.seq) == form["seq"])
    return told_answer(site, line.words)


ROUTES: Final = [
    Route("/desk/correct/{seq}", show_correction),
    intent("/correct", correct),
    Route(f"{BASE}/corrections/{{seq}}", list_corrections),
    form_route(f"{BASE}/corrections", take_correction, require_host_or_key),
]
