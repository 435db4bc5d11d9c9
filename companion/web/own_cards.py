"""Cards that the owner shows once and names, on the host's page: added, listed, removed."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.language.message import message_of, say
from companion.web.admission import require_host
from companion.web.card_photos import own_cards_path, read_beside, receive_photo
from companion.web.forms import Form, Refused, field, form_route, unsaved
from companion.web.site import Site, Visitor, site_of, unstored

# The register compares pictures: it is loaded by who shows a card, as most tables never do.
if TYPE_CHECKING:
    from companion.watching.card_register import Register

NOT_KEPT: Final = say("Nothing is kept at this table, so that no card can be.")


def has_own_cards(site: Site) -> bool:
    """Return whether any card was registered."""
    path = own_cards_path(site)
    return path is not None and path.exists()


def compare_own_cards(site: Site) -> None:
    """Let the cards that were registered be compared with each other, before anybody needs it."""
    path = own_cards_path(site)
    if path is None or not path.exists():
        return
    from companion.watching.compared_register import begin_comparing  # noqa: PLC0415

    begin_comparing(path)


async def list_cards(request: Request) -> Response:
    """Answer the host with the names of all cards, as a piece of the desk."""
    require_host(request)
    return _answer(request, "")


async def add_card(request: Request) -> Response:
    """Keep the card that the host's photograph shows; its name is in the address."""
    require_host(request)
    site, status, sentence = site_of(request), 200, ""
    name = request.query_params.get("name", "")
    try:
        encoded = await receive_photo(request)
        require_host(request)
        path = _path(site)
        cards = await read_beside(request, lambda data: _with_shown(data, name, path), encoded)
        require_host(request)
        await asyncio.to_thread(_save, path, cards)
        sentence = say("“{name}” is kept.", name=" ".join(name.split()))
    except Refused as refused:
        require_host(request)  # who is the host no more is not told which cards there are
        status, sentence = refused.status, refused.sentence
    except ValueError as error:
        status, sentence = 409, say("That card was not kept: {reason}.", reason=message_of(error))
    return _answer(request, sentence, status)


def _with_shown(encoded: bytes, name: str, path: Path) -> "Register":
    from companion.watching.card_register import shown_card  # noqa: PLC0415
    from companion.watching.compared_register import find_compared  # noqa: PLC0415

    return shown_card(encoded, name, path, find_compared(path) if path.exists() else None)


def remove_card(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Forget a card."""
    from companion.watching.card_register import load_register, without_card  # noqa: PLC0415

    name = field(form, "name")
    try:
        path = _path(site_of(request))
        _save(path, without_card(load_register(path), name))
    except ValueError as error:
        raise Refused(409, say("That was not done: {reason}.", reason=message_of(error))) from None
    return _answer(request, say("“{name}” is forgotten.", name=name))


def _path(site: Site) -> Path:
    path = own_cards_path(site)
    if path is None:
        raise Refused(409, NOT_KEPT)
    return path


def _save(path: Path, cards: "Register") -> None:
    from companion.watching.card_register import save_register  # noqa: PLC0415
    from companion.watching.compared_register import begin_comparing  # noqa: PLC0415

    try:
        save_register(path, cards)
    except OSError as error:
        raise Refused(503, unsaved(error)) from None
    begin_comparing(path)


def _answer(request: Request, sentence: str, status: int = 200) -> Response:
    from companion.watching.card_register import BadRegister, load_register  # noqa: PLC0415

    site, names = site_of(request), []
    path = own_cards_path(site)
    try:
        names = [card.name for card in load_register(path)] if path is not None else []
    except BadRegister as error:
        sentence = sentence or str(error)
    words = site.render("own_cards.html", sentence=sentence, names=names)
    return unstored(HTMLResponse(words, status))


ROUTES: Final = [
    Route("/own-cards", list_cards),
    Route("/own-cards", add_card, methods=["POST"]),
    form_route("/own-cards/remove", remove_card, require_host),
]
