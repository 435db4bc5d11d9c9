"""A phone as the camera: the page that it opens, what it sends, and the host who lets it in.

Its key comes behind the # of the address, so that no server and no other page is told it, and goes
with each picture; it opens nothing else.
"""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from companion.cameras import PHONE, CannotChoose
from companion.language.message import as_sentence, say
from companion.language.speech import translated_json
from companion.table.phone_words import explain_phone
from companion.web.admission import anybody, require_host, require_phone
from companion.web.forms import UNREADABLE, Refused, field, in_a_sentence, read_form, read_picture
from companion.web.http.certificate import NoCertificate
from companion.web.http.guard import host_name
from companion.web.http.reach import Place, url_of
from companion.web.http.server import CannotStart
from companion.web.pages.cameras import chooser_of, require_free_choice
from companion.web.pages.qr import qr_code
from companion.web.site import Site, Visitor, site_of, unstored
from vision.capture.camera_list import FoundCamera
from vision.capture.phone_camera import Order, PhoneCamera, PhoneFault, RefusedPicture

PAGE: Final = "/phone-camera"
INVITE, END = WISHES = ("invite", "end")
"""What the host's form may wish."""
MAX_GLANCE_BYTES: Final = 200_000
MAX_WHOLE_BYTES: Final = 8_000_000
MAX_SIDE_PX: Final = 5000
REPORTED: Final = (PhoneFault.HIDDEN, PhoneFault.INTERRUPTED)
"""What the page itself may say of the phone."""
OUT_OF_DATE: Final = say("The phone’s page is out of date; open it again.")
MAX_LABEL_CHARS: Final = 60
_ID: Final = re.compile(r"[0-9a-f]{8,32}")


def phone_values(site: Site, visitor: Visitor) -> Mapping[str, Any]:
    """Return what the host's page shows of the way in for a phone; its address is a secret."""
    here = _secure(site, visitor.came_by) if site.keys.phone else ""
    secure = ((_secure(site, place.url), place.link) for place in visitor.places)
    return {
        "phone_page": here,
        "phone_path": f"{PAGE}#{site.keys.phone}",
        "phone_places": [Place(url, link) for url, link in secure if url],
        "awaits_phone": bool(here) and not _is_watching(site),
        "unreachable": site.table.reach.obstacle,
        "qr": qr_code,
        "is_home_made": not _is_encrypted(visitor),
    }


def _is_watching(site: Site) -> bool:
    """Return whether a phone watches whose page has been opened."""
    chooser = site.table.cameras
    current = None if chooser is None else chooser.current
    return current is not None and current.source == PHONE and bool(chooser_of(site).phone.page)


def _secure(site: Site, address: str) -> str:
    """Return where the pages at *address* are served over TLS, "" where they are not."""
    if address.startswith("https:"):
        return address
    if site.table.tls is None or not site.table.tls.port:
        return ""
    plain = url_of(urlsplit(address).hostname or "", site.table.tls.port)
    return plain.replace("http:", "https:", 1)


def _is_encrypted(visitor: Visitor) -> bool:
    """Return whether a proxy serves the pages over TLS."""
    return (visitor.address or visitor.came_by).startswith("https:")


async def invite_phone(request: Request) -> Response:
    """Let a phone be the camera, by a page that is served over TLS, or none any more."""
    require_host(request)
    site, form = site_of(request), await read_form(request)
    visitor = require_host(request)
    chooser_of(site)
    wish = field(form, "phone")
    if wish not in WISHES:
        raise Refused(400, UNREADABLE)
    with in_a_sentence():
        if wish == END:
            site.keys.end_phone()
        else:
            await _open_tls(site, visitor, request)
            require_host(request)  # it took a while
            site.keys.invite_phone()
    return RedirectResponse("/desk/set-up#cameras", 303)


async def _open_tls(site: Site, visitor: Visitor, request: Request) -> None:
    """Serve the pages over TLS, unless a proxy does; raises Refused."""
    if _is_encrypted(visitor) or site.table.tls is None:
        return
    own = (urlsplit(place.url).hostname or "" for place in visitor.places)
    names = (*own, host_name(request.headers.get("host", "")), *site.table.names)
    try:
        await site.table.tls.open(names)
    except (CannotStart, NoCertificate) as error:
        words = say("The pages cannot be served over TLS: {reason}.", reason=error.args[0])
        raise Refused(503, words) from None


async def show_page(request: Request) -> Response:
    """Show the page for the phone; it is nothing without the key, which its script has."""
    site, visitor = site_of(request), anybody(request)
    secure = _secure(site, visitor.came_by)
    return unstored(site.page("phone_camera.html", {}, secure=secure and f"{secure}{PAGE}"))


async def begin(request: Request) -> Response:
    """Let the phone that sends this be the camera, as soon as it has sent a picture."""
    require_phone(request)
    site, asked = site_of(request), request.query_params
    phone, label, page = (asked.get(name, "") for name in ("phone", "label", "page"))
    label = label.strip()
    is_named = label.isprintable() and len(label) <= MAX_LABEL_CHARS
    if not (_ID.fullmatch(phone) and _ID.fullmatch(page) and is_named):
        raise Refused(400, OUT_OF_DATE)
    camera = FoundCamera(PHONE, f"{phone} {label}".strip(), label or say("a phone"))
    chooser = chooser_of(site)
    if not chooser.is_current(camera):
        require_free_choice(site)
    try:
        chooser.meet_phone(camera, page)
    except CannotChoose as error:
        raise Refused(409, error.args[0]) from None
    return _answer(site, Order.NEXT)


async def show(request: Request) -> Response:
    """Take a small picture; the answer comes once it is known what is wanted next."""
    asked = request.query_params

    def take(phone: PhoneCamera, page: str, jpeg: bytes) -> Order:
        size = _pixels(asked.get("width", "")), _pixels(asked.get("height", ""))
        return phone.show(page, jpeg, size)

    return await _take(request, MAX_GLANCE_BYTES, take)


async def deliver(request: Request) -> Response:
    """Take the whole picture of the last small one."""
    return await _take(request, MAX_WHOLE_BYTES, PhoneCamera.deliver)


async def report(request: Request) -> Response:
    """Note why the phone sends nothing for now."""
    require_phone(request)
    site, asked = site_of(request), request.query_params
    fault = next((each for each in REPORTED if each == asked.get("why")), None)
    if fault is None:
        raise Refused(400, OUT_OF_DATE)
    chooser_of(site).phone.report(asked.get("page", ""), fault)
    return _answer(site, Order.NEXT)


async def _take(
    request: Request, most: int, take: Callable[[PhoneCamera, str, bytes], Order]
) -> Response:
    require_phone(request)  # a stranger's picture is not even read
    jpeg = await read_picture(request, most)
    require_phone(request)
    site, page = site_of(request), request.query_params.get("page", "")
    phone = chooser_of(site).phone
    if not phone.page:  # the companion was started again
        return _answer(site, Order.BEGIN)
    try:
        order = await asyncio.to_thread(take, phone, page, jpeg)
    except RefusedPicture as refused:
        return _answer(site, Order.NEXT, explain_phone(refused.fault))
    require_phone(request)
    return _answer(site, order)


def _answer(site: Site, order: Order, trouble: str = "") -> Response:
    """Return what the phone is to do, and what its page says."""
    chooser = chooser_of(site)
    words: str = say("This phone watches the table. Leave this page open and in front.")
    if trouble:
        words = as_sentence(trouble)
    elif order is Order.STOP:
        words = chooser.trouble or say(
            "Another camera watches the table now. Press Start to use this phone again."
        )
    elif chooser.trying is not None:
        words = say("Trying {camera} …", camera=chooser.trying.name)
    return _said(order, words, is_wrong=bool(trouble))


def _said(order: Order, words: str, status: int = 200, *, is_wrong: bool) -> Response:
    said = {"order": order.value, "words": words, "is_wrong": is_wrong}
    return unstored(JSONResponse(translated_json(said), status))


def _post(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return a route for the page's script, to which what is refused is said as all else."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            order = Order.NEXT if refused.status == 413 else Order.STOP
            return _said(order, refused.sentence, refused.status, is_wrong=True)

    return Route(f"{PAGE}/{path}", answer, methods=["POST"])


def _pixels(text: str) -> int:
    """Return a side of a picture; raises Refused."""
    if len(text) <= 4 and text.isascii() and text.isdigit() and 0 < int(text) <= MAX_SIDE_PX:
        return int(text)
    raise Refused(400, OUT_OF_DATE)


ROUTES: Final = [
    Route(PAGE, show_page),
    _post("begin", begin),
    _post("glance", show),
    _post("whole", deliver),
    _post("away", report),
]
