"""The pages of a room that is tried out: the host's page draws, and is told what would be read.

One trial at a time: whoever begins another ends the one before.
"""

import asyncio
import os
import secrets
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.apps.virtual.room import Room
from companion.language.message import message_of, say
from companion.language.speech import translated_json
from companion.recording import BadRecording
from companion.registry import load_app
from companion.web.admission import require_host
from companion.web.forms import Refused, read_form, read_picture
from companion.web.site import Site, site_of, unstored
from vision.capture.frame import BadPicture

if TYPE_CHECKING:
    from companion.apps.virtual.room_trial import RoomTrial  # which judges films: for trials alone

MAX_PICTURE_BYTES: Final = 3_000_000
NICENESS: Final = 10
"""The referee of the game in play needs the cores first."""
UNKNOWN_GAME: Final = say("No table of this game can be tried out.")
OTHER_TRIAL: Final = say("Another trial has begun meanwhile.")
NOT_ASKED: Final = say("That picture was not asked for.")
UNREADABLE: Final = say("The browser’s picture cannot be read; try the room again.")


@dataclass(slots=True)
class OpenTrial:
    """A trial, and by what key its page knows it."""

    trial: "RoomTrial"
    key: str = field(default_factory=secrets.token_urlsafe)
    is_reading: bool = False


_trials: Final[WeakKeyDictionary[Site, OpenTrial]] = WeakKeyDictionary()


def _step_back() -> None:
    """Let the thread that calls this wait behind others, where the machine knows of that."""
    with suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_thread: Final = ThreadPoolExecutor(1, "room trial", _step_back)


def begin_trial(site: Site, game: str, room: Room) -> dict[str, Any]:
    """Begin a trial; return what the page is to draw first.  Raises Refused."""
    before = _trials.pop(site, None)
    if before is not None and not before.is_reading:
        before.trial.close()
    try:
        opened = OpenTrial(load_app("virtual", "room_trial").RoomTrial(game, room))
    except (BadRecording, KeyError):
        raise Refused(409, UNKNOWN_GAME) from None
    _trials[site] = opened
    return _tell(opened)


async def take_picture(request: Request) -> Response:
    """Take a picture that was asked for, and answer with what is to be drawn next, or the end."""
    require_host(request)
    encoded = await read_picture(request, MAX_PICTURE_BYTES)
    require_host(request)  # it may have taken a while
    site = site_of(request)
    opened = _trials.get(site)
    if opened is None or not secrets.compare_digest(opened.key, request.path_params["key"]):
        raise Refused(409, OTHER_TRIAL)
    if opened.is_reading or str(opened.trial.number) != request.path_params["number"]:
        raise Refused(409, NOT_ASKED)
    opened.is_reading = True
    loop = asyncio.get_running_loop()
    try:
        await loop.run_in_executor(_thread, opened.trial.take, encoded)
    except BadPicture:
        raise Refused(400, UNREADABLE) from None
    except load_app("virtual", "room_trial").TrialOver as error:
        raise Refused(410, message_of(error)) from None
    finally:
        opened.is_reading = False
    if _trials.get(site) is not opened:
        opened.trial.close()
        raise Refused(409, OTHER_TRIAL)
    if opened.trial.snapshot is None:
        del _trials[site]
    return _answer(_tell(opened))


def _tell(opened: OpenTrial) -> dict[str, Any]:
    """Return what is to be drawn next, or what came of it."""
    trial = opened.trial
    snapshot = trial.snapshot
    if snapshot is None:
        return {"verdict": load_app("virtual", "trial_words").describe_trial(trial.tried)}
    return {
        "key": opened.key,
        "number": trial.number,
        "snapshot": snapshot,
        "words": trial.words,
    }


def _answer(found: dict[str, Any], status: int = 200) -> Response:
    return unstored(JSONResponse(translated_json(found), status))


def post(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return a route for the page's script, to which what is refused is said as all else."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            return _answer({"error": refused.sentence}, refused.status)

    return Route(path, answer, methods=["POST"])


def routes(find_room: Callable[[Site], tuple[str, Room]]) -> list[Route]:
    """Return where a trial is begun and pictures are sent.

    find_room: returns the game that is laid and the room as it is; raises Refused.
    """

    async def begin(request: Request) -> Response:
        require_host(request)
        await read_form(request)  # it has no fields
        require_host(request)
        site = site_of(request)
        return _answer(begin_trial(site, *find_room(site)))

    return [
        post("/virtual/room-trial", begin),
        post("/virtual/room-trial/{key}/{number}", take_picture),
    ]
