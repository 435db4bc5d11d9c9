"""The cameras on the set-up page, for the host alone: all that are here, and which one watches."""

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from companion.cameras import CannotChoose, parse_address, rig_of
from companion.language.message import say
from companion.web.admission import require_host
from companion.web.forms import Form, Refused, field
from companion.web.site import Site, Visitor, site_of, unstored
from vision.capture.device import CameraLost

if TYPE_CHECKING:
    from companion.cameras import CameraChooser

FIXED: Final = say(
    "The settings say which camera is used. To choose one here, set source to “auto” under"
    " [camera] and restart the companion."
)
GONE: Final = say("That camera is gone. Check the list again.")
NONE_YET: Final = say(
    "No camera is connected yet, so you enter moves by hand. Plug one in, use a phone, or type the"
    " address of a network camera below. The companion looks for cameras every few seconds."
)


def camera_values(site: Site) -> Mapping[str, Any]:
    """Return what the page shows of the cameras, nothing where the settings name one."""
    chooser = site.table.cameras
    if chooser is None:
        return {"cameras": None}
    return {
        "is_asking": chooser.is_asking,
        "is_phone_only": chooser.is_phone_only,
        "cameras": [
            {
                "key": rig_of(each),
                "name": each.name,
                "node": each.node,
                "is_current": chooser.is_current(each),
                "is_shown": chooser.is_current(each) or "://" not in each.device,
            }
            for each in chooser.found
        ],
    }


def camera_state(site: Site) -> Mapping[str, str]:
    """Return which camera watches, which one is being tried, and why the last was not taken."""
    chooser = site.table.cameras
    if chooser is None:
        return {"key": "", "trying": "", "trouble": ""}
    return {
        "key": rig_of(chooser.current) if chooser.current is not None else "",
        "trying": chooser.trying.name if chooser.trying is not None else "",
        "trouble": chooser.trouble,
    }


def chooser_of(site: Site) -> "CameraChooser":
    """Return what lets the host choose; raises Refused where the settings say which it is."""
    if site.table.cameras is None:
        raise Refused(409, FIXED)
    return site.table.cameras


async def send_camera_picture(request: Request) -> Response:
    """Answer with a small picture of a camera, taken now."""
    require_host(request)
    chooser, key = chooser_of(site_of(request)), request.path_params["key"]
    camera = next((each for each in chooser.found if rig_of(each) == key), None)
    if camera is None:
        raise Refused(404, GONE)
    try:
        jpeg = await asyncio.to_thread(chooser.picture, camera)
    except CameraLost as error:
        raise Refused(404, str(error)) from None
    require_host(request)  # it took a while
    if jpeg is None:
        raise Refused(404, say("Its picture appears once you choose it."))
    return unstored(Response(jpeg, media_type="image/jpeg"))


def require_free_choice(site: Site) -> None:
    """Raise Refused while no other camera may watch."""
    setup = site.table.table_setup
    if setup is not None and setup.is_recorded:
        raise Refused(
            409, say("The game is being recorded. Stop the recording to choose another camera.")
        )
    if site.learning.is_going_on:
        raise Refused(409, say("The camera is being calibrated. Wait until that is done."))


def choose_camera(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Let another camera watch, as soon as it gives a picture."""
    site = site_of(request)
    chooser = chooser_of(site)
    if chooser.is_phone_only:
        raise Refused(409, FIXED)
    require_free_choice(site)
    try:
        if "address" in form:
            chooser.choose(parse_address(form["address"]))
        else:
            key = field(form, "camera")
            camera = next((each for each in chooser.found if rig_of(each) == key), None)
            if camera is None:
                raise Refused(409, GONE)
            chooser.choose(camera)
    except CannotChoose as error:
        raise Refused(409, error.args[0]) from None
    return RedirectResponse("/desk/set-up#cameras", 303)
