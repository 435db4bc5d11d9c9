"""The set-up page's part that measures the camera's lens with a tile in the host's hand."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from companion.language.message import say
from companion.web.forms import Form, Refused
from companion.web.site import Site, Visitor, site_of

REGION: Final = "lens"
RECORDED: Final = say("The game is being recorded. Stop the recording to measure the camera.")


def lens_values(site: Site) -> Mapping[str, Any]:
    """Return what the part says: whether measuring is offered, whether it goes on, its words."""
    setup = site.table.table_setup
    if setup is None or setup.is_recording:
        return {"offered": False, "measuring": False, "words": []}
    measuring = setup.measuring
    return {
        "offered": measuring.is_offered,
        "measuring": measuring.report.is_going_on,
        "words": [*measuring.report.words],
    }


def measure_lens(request: Request, _visitor: Visitor, _form: Form) -> Response:
    """Begin to measure."""
    site = site_of(request)
    setup = site.table.table_setup
    if setup is None or setup.is_recording:
        raise Refused(409, say("There is no camera to measure."))
    if setup.is_recorded:
        raise Refused(409, RECORDED)
    setup.measuring.begin(site.live_session.changed)
    site.live_session.changed()
    return RedirectResponse("/desk/set-up#lens-measuring", 303)
