"""Falls played back: for who is at the table, as long as the film is kept."""

import asyncio
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from PIL import Image
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import say
from companion.web.admission import require_host
from companion.web.forms import Form, Refused, number
from companion.web.site import Site, Visitor, site_of, unstored

if TYPE_CHECKING:
    from companion.table.instant_replay import Film

SLOWNESS: Final = 3.0
"""A saved film takes so many times as long as the fall; static/replay.js has the same."""
MAX_STEP_S: Final = 0.4
"""No picture of a saved film stands longer, but the last."""
WEBP_QUALITY: Final = 70
GONE: Final = say("That film is not kept any more.")
NOT_HERE: Final = say(
    "Only people at the table can see this film: the host, the seats and the table’s screens."
)


def replay_values(site: Site, visitor: Visitor) -> dict[str, Any]:
    """Return what the pages need of falls; no film for who is not at the table."""
    replay = site.table.replay
    return {
        "is_filming": replay is not None and replay.is_on,
        "can_film": replay is not None and site.live_session.has_tower,
        "films_falls": site.table.memory.films_falls,
        "film": replay.film if replay is not None and visitor.is_at_table else None,
        "film_is_news": replay is not None and replay.is_news,
    }


def film_falls(site: Site, form: Form) -> None:
    """Film falls from now on, or no longer."""
    is_on = number(form, "on", 0, 1) == 1
    if is_on and (site.table.replay is None or not site.live_session.has_tower):
        raise Refused(409, say("No camera watches a tower here."))
    site.table.memory.keep(films_falls=is_on)


async def show_picture(request: Request) -> Response:
    """Answer with one picture of a film, a JPEG."""
    site = site_of(request)
    if not site.visitor(request).is_at_table:
        raise Refused(403, NOT_HERE)
    found = {str(place): jpeg for place, jpeg in enumerate(_find_film(request).pictures)}
    jpeg = found.get(request.path_params["place"])
    if jpeg is None:
        raise Refused(404, GONE)
    return unstored(Response(jpeg, media_type="image/jpeg"))


async def save_film(request: Request) -> Response:
    """Answer with the whole film in slow motion, an animated WebP, for the host to keep."""
    require_host(request)
    film = _find_film(request)
    data = await asyncio.to_thread(_animate, film)
    return unstored(Response(data, media_type="image/webp"))


def _find_film(request: Request) -> "Film":
    replay = site_of(request).table.replay
    film = replay.film if replay is not None else None
    if film is None or str(film.number) != request.path_params["number"]:
        raise Refused(404, GONE)
    return film


def _animate(film: "Film") -> bytes:
    steps_s = [min(after - before, MAX_STEP_S) for before, after in pairwise(film.times_s)]
    pictures = [Image.open(BytesIO(jpeg)) for jpeg in film.pictures]
    target = BytesIO()
    pictures[0].save(
        target,
        "WEBP",
        save_all=True,
        append_images=pictures[1:],
        duration=[max(1, round(1000 * SLOWNESS * each)) for each in (*steps_s, MAX_STEP_S)],
        quality=WEBP_QUALITY,
        method=0,
        loop=0,
    )
    return target.getvalue()


ROUTES: Final = [
    Route("/replay/{number}/{place}.jpg", show_picture),
    Route("/replay/{number}/fall.webp", save_film),
]
