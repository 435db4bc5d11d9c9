"""When something is wrong: what the doctor finds, and the support bundle, for the host alone."""

from collections.abc import Mapping
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import say
from companion.web.admission import require_host
from companion.web.forms import Refused
from companion.web.running_table import Checkup
from companion.web.site import site_of, unstored

NAME: Final = "tiki-support.zip"
STATUSES: Final = {
    "ok": say("in order"),
    "failed": say("not in order"),
    "simulated": say("simulated"),
    "skipped": say("not needed here"),
}


def checkup_of(request: Request) -> Checkup:
    """Return who examines this machine, for the host; raises Refused."""
    require_host(request)
    checkup = site_of(request).table.checkup
    if checkup is None:
        raise Refused(409, say("This machine cannot be checked from here; use tiki doctor."))
    return checkup()


async def send_bundle(request: Request) -> Response:
    """Send the host the support bundle."""
    checkup = checkup_of(request)
    data = await checkup.make_bundle(with_pictures="frames" in request.query_params)
    headers = {"Content-Disposition": f'attachment; filename="{NAME}"'}
    return unstored(Response(data, media_type="application/zip", headers=headers))


async def show_findings(request: Request) -> Response:
    """Show what the doctor finds now: of one check, if the address names it, else of all."""
    checkup, site = checkup_of(request), site_of(request)
    asked = request.query_params.get("check")
    if asked is not None and asked not in checkup.checks:
        raise Refused(
            404,
            say("There is no such check. There are: {checks}.", checks=", ".join(checkup.checks)),
        )
    found = await checkup.examine(checkup.checks if asked is None else (asked,))
    return unstored(
        site.page(
            "doctor.html",
            {},
            findings=sorted((each.to_json() for each in found), key=_is_well),
            statuses=STATUSES,
            troubles=site.live_session.troubles,
        )
    )


def _is_well(finding: Mapping[str, str]) -> bool:
    return finding["status"] != "failed"


ROUTES: Final = [
    Route("/desk/support", send_bundle),
    Route("/desk/doctor", show_findings),
]
