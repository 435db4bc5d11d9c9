"""The support bundle on the host's desk: one button, and a box for the pictures."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import say
from companion.web.admission import require_host
from companion.web.forms import Refused
from companion.web.site import site_of, unstored

NAME: Final = "tiki-support.zip"


async def send_bundle(request: Request) -> Response:
    """Send the host the support bundle."""
    require_host(request)
    make = site_of(request).table.make_bundle
    if make is None:
        raise Refused(409, say("The support file cannot be made here; use tiki doctor --bundle."))
    data = await make("frames" in request.query_params)
    headers = {"Content-Disposition": f'attachment; filename="{NAME}"'}
    return unstored(Response(data, media_type="application/zip", headers=headers))


ROUTES: Final = [Route("/desk/support", send_bundle)]
