"""Photographs of a card that a phone takes of it: read, and offered to be entered with one tap."""

import asyncio
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.language.message import Message, say
from companion.web.admission import require_player
from companion.web.forms import Refused
from companion.web.pages import pages_of
from companion.web.site import Site, site_of, unstored
from vision.capture.frame import BadPicture

KINDS: Final = frozenset(("image/jpeg", "image/png", "image/webp"))
MAX_PHOTO_BYTES: Final = 8_000_000
"""Pages send some 300,000; a phone's whole picture has 3 to 6 million."""
NO_PHOTO: Final = say("That is no picture that can be read; take another one.")
_one_at_a_time: Final = asyncio.Lock()
"""Reading one takes a core for a tenth of a second, and referees need cores too."""


async def read_photo(request: Request) -> Response:
    """Answer with what the photograph in the request shows, as a piece of the page that sent it.

    Who sends it is judged again once it has come and was read: that may take a while.
    """
    require_player(request)  # a stranger's picture is not even received
    site, status = site_of(request), 200
    try:
        encoded = await _receive(request)
        require_player(request)
        found = await _read(request.headers.get("content-type", ""), encoded)
        visitor = require_player(request)
        back = "seat" if request.query_params.get("back") == "seat" else "desk"
        seat = visitor.seat if back == "seat" or not visitor.is_host else None
        values = _values(site, seat, found)
    except Refused as refused:
        require_player(request)
        back, status, values = "", refused.status, {"sentence": refused.sentence}
    values = {"pad": None, **values, "place": back, "mark": site.live_session.session.next_seq}
    return unstored(HTMLResponse(site.render("card_photo.html", **values), status))


async def _receive(request: Request) -> bytes:
    """Return what was sent; raises Refused if that is too much."""
    encoded = bytearray()
    async for chunk in request.stream():
        encoded += chunk
        if len(encoded) > MAX_PHOTO_BYTES:
            raise Refused(
                413,
                say("That picture is too large; it may have {bytes} bytes.", bytes=MAX_PHOTO_BYTES),
            )
    return bytes(encoded)


def _name(encoded: bytes) -> tuple[str, str] | Message:
    # Loaded by the first photograph: most tables never send one.
    from companion.watching.card_photos import name_photographed  # noqa: PLC0415

    return name_photographed(encoded)


async def _read(kind: str, encoded: bytes) -> tuple[str, str] | Message:
    """Return the card in a photograph, or why there is none, read beside all else.

    Raises Refused if it is no photograph.
    """
    if kind.partition(";")[0].strip().lower() not in KINDS:
        raise Refused(415, say("Send a picture here, as {kind}.", kind="image/jpeg"))
    try:
        async with _one_at_a_time:
            return await asyncio.to_thread(_name, encoded)
    except BadPicture:
        raise Refused(400, NO_PHOTO) from None


def _values(site: Site, seat: int | None, found: tuple[str, str] | Message) -> dict[str, Any]:
    """Return what the answer says, and what may be entered by *seat*; raises Refused."""
    if isinstance(found, Message):
        return {"sentence": found}
    return pages_of(site).card_values(site, seat, *found)


ROUTES: Final = [Route("/card-photo", read_photo, methods=["POST"])]
