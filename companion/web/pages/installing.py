"""What lets a browser install the pages as an app, and say that the table is out of reach."""

from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.language.message import say
from companion.language.speech import spoken, translated
from companion.web.shell import FOLDER
from companion.web.site import house_of

GROUND: Final = "#17110d"
"""The ground of dark pages, see static/tiki.css; it is seen for a moment while the app starts."""
ICONS: Final = (("192", "any"), ("512", "any"), ("512", "maskable"))
"""Their sizes in pixels, and what for; a maskable one may be cut to a circle."""


async def show_manifest(request: Request) -> Response:
    """Answer with the app's name and icons, the same for everybody who reads this language.

    No seat is named: a browser that holds one is led to it by its own cookie, see `start`.
    """
    title = house_of(request).title
    manifest = {
        "id": "/",
        "name": title,
        "short_name": title.split()[0],
        "description": translated(
            say("The scoreboard and your own page of the games at the table")
        ),
        "lang": spoken(),
        "start_url": "/start",
        "scope": "/",
        "display": "standalone",
        "background_color": GROUND,
        "theme_color": GROUND,
        "icons": [
            {
                "src": f"/static/icon-{purpose}-{size}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size, purpose in ICONS
        ],
    }
    return JSONResponse(manifest, media_type="application/manifest+json")


async def start(request: Request) -> Response:
    """Lead an app that is opened to the seat that its browser holds, or to the first page."""
    seat = house_of(request).visitor(request).seat
    return RedirectResponse("/" if seat is None else "/seat", 303)


async def send_worker(_: Request) -> Response:
    """Answer with the service worker, from the root: it may act for its own folder only."""
    script = (FOLDER / "static" / "worker.js").read_text(encoding="utf-8")
    return Response(script, media_type="text/javascript")


async def show_offline(request: Request) -> Response:
    """Show that the companion is out of reach, which browsers keep for when it is so."""
    return house_of(request).page(
        "offline.html", {}, address=str(request.base_url).rstrip("/"), title=house_of(request).title
    )


ROUTES: Final = [
    Route("/manifest.webmanifest", show_manifest),
    Route("/start", start),
    Route("/worker.js", send_worker),
    Route("/offline", show_offline),
]
