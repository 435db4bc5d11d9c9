"""Photographs of a card or a hand that a phone takes: read, and offered to be entered by a tap.

A photograph is answered to who has sent it alone, and is not kept.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.apps.cards.reading_thread import read_aside
from companion.language.message import say
from companion.web.admission import require_player
from companion.web.forms import Refused, read_picture
from companion.web.pages.game_pages import PhotographedCard, pages_of
from companion.web.site import Site, site_of, unstored
from vision.capture.frame import BadPicture

# Readers are loaded by the first photograph: most tables never send one.
if TYPE_CHECKING:
    from companion.apps.cards.card_photos import Named

KINDS: Final = frozenset(("image/jpeg", "image/png", "image/webp"))
MAX_PHOTO_BYTES: Final = 8_000_000
"""Pages send some 300,000; a phone's whole picture has 3 to 6 million."""
CONTAINER: Final = slice(4, 8), b"ftyp"
"""Where and by what HEIC is known, whatever a browser calls it: ISO/IEC 14496-12, section 4.3."""
OTHER_KIND: Final = say(
    "The companion cannot read this kind of picture. Set your phone’s camera to JPEG, or take the"
    " picture with this button."
)
NO_PHOTO: Final = say("That picture cannot be read; take another one.")
Found = TypeVar("Found")


async def read_photo(request: Request) -> Response:
    """Answer with what the photograph in the request shows, as a piece of the page that sent it.

    Who sends it is judged again once it has come and was read: that may take a while.
    """
    require_player(request)  # a stranger's picture is not even received
    site, status = site_of(request), 200
    try:
        encoded = await read_picture(request, MAX_PHOTO_BYTES)
        require_player(request)
        found = await read_beside(request, name_card, encoded)
        values = _values(site, sender_of(request), found)
    except Refused as refused:
        require_player(request)
        status, values = refused.status, {"sentence": refused.sentence}
    return answer_piece(request, values, status)


async def read_hand_photo(request: Request) -> Response:
    """Answer with the cards of a hand in the photograph, as a piece of the page that sent it.

    Whose hand may be sent is judged once it has come, and again once it was read.
    """
    require_player(request)
    site, status = site_of(request), 200
    try:
        encoded = await read_picture(request, MAX_PHOTO_BYTES)
        pages_of(site).hand_due(site, sender_of(request))
        found = await read_beside(request, _name_hand, encoded)
        seat = pages_of(site).hand_due(site, sender_of(request))
        values = pages_of(site).hand_values(site, seat, *found)
    except Refused as refused:
        require_player(request)
        status, values = refused.status, {"sentence": refused.sentence}
    return answer_piece(request, values, status)


def sender_of(request: Request) -> int | None:
    """Return the seat for which the visitor of *request* sends a photograph; None for the host."""
    visitor = require_player(request)
    return visitor.seat if _back(request) == "seat" or not visitor.is_host else None


def _back(request: Request) -> str:
    return "seat" if request.query_params.get("back") == "seat" else "desk"


def answer_piece(request: Request, values: dict[str, Any], status: int) -> Response:
    """Return the piece of a page that shows *values*: those of a hand, of a card, or a sentence."""
    site = site_of(request)
    mark = site.live_session.session.next_seq
    values = {"pad": None, **values, "place": _back(request), "mark": mark}
    template = "hand_photo.html" if "tiles" in values else "card_photo.html"
    return unstored(HTMLResponse(site.render(template, **values), status))


def name_card(encoded: bytes) -> "Named":
    """Return which card the bytes of a picture show; raises BadPicture."""
    from companion.apps.cards.card_photos import name_photographed  # noqa: PLC0415

    return name_photographed(encoded)


def _name_hand(encoded: bytes) -> tuple[list[PhotographedCard], tuple[int, int]]:
    from companion.apps.cards.hand_photos import read_photographed  # noqa: PLC0415

    cards, size = read_photographed(encoded)
    found = [
        PhotographedCard(
            (card.reading.color, card.reading.symbol) if card.reading else None,
            (float(card.at[0]), float(card.at[1])),
            card.size_px,
        )
        for card in cards
    ]
    return found, size


async def read_beside(request: Request, read: Callable[[bytes], Found], encoded: bytes) -> Found:
    """Return what *read* finds in a photograph, beside all else.

    Raises Refused if it is no photograph.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    place, mark = CONTAINER
    if kind not in KINDS or encoded[place] == mark:
        raise Refused(415, OTHER_KIND)
    try:
        return await read_aside(lambda: read(encoded))
    except BadPicture:
        raise Refused(400, NO_PHOTO) from None


def _values(site: Site, seat: int | None, found: "Named") -> dict[str, Any]:
    """Return what the answer says, and what may be entered by *seat*; raises Refused."""
    if found.card is None:
        return {"sentence": found.problem}
    return pages_of(site).card_values(site, seat, *found.card)


ROUTES: Final = [
    Route("/card-photo", read_photo, methods=["POST"]),
    Route("/hand-photo", read_hand_photo, methods=["POST"]),
]
