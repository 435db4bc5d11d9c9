"""The host's page of what the eyes see, which follows the camera while it is open."""

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.apps.eyes.regions import eyes_regions, watches
from companion.web.admission import require_host
from companion.web.app_pages import AppPages
from companion.web.site import Site, site_of, unstored


async def show_eyes(request: Request) -> Response:
    """Show the places, the odds of what may have happened, and who said what."""
    visitor, site = require_host(request), site_of(request)
    regions = eyes_regions(site, visitor)
    return unstored(site.page("eyes.html", regions, title=site.live_session.game.title))


def _desk_values(site: Site) -> dict[str, Any]:
    return {"has_eyes": watches(site)}


PAGES: Final = AppPages(
    [Route("/eyes", show_eyes)], {"eyes": eyes_regions}, desk_values=_desk_values
)
"""Beside `eyes_regions`, which other pages may show, too."""
