"""Cards that the owner shows once and names, on the host's page: added, listed, removed."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from companion.apps.cards.photo_pages import MAX_PHOTO_BYTES, own_cards_path, read_beside
from companion.language.message import message_of, say
from companion.web.admission import require_host
from companion.web.forms import Refused, field, read_form, read_picture, unsaved
from companion.web.site import Site, site_of, unstored
from vision.capture.frame import decode

# The register compares pictures: it is loaded by who shows a card, as most tables never do.
if TYPE_CHECKING:
    from companion.apps.cards.card_register import Register

NOT_KEPT: Final = say("This table saves nothing, so it cannot save cards either.")


def has_own_cards(site: Site) -> bool:
    """Return whether any card was registered."""
    path = own_cards_path(site)
    return path is not None and path.exists()


def compare_own_cards(site: Site) -> None:
    """Let the cards that were registered be compared with each other, before anybody needs it."""
    path = own_cards_path(site)
    if path is None or not path.exists():
        return
    from companion.apps.cards.compared_register import begin_comparing  # noqa: PLC0415

    begin_comparing(path)


async def list_cards(request: Request) -> Response:
    """Answer the host with the names of all cards, as a piece of the desk."""
    require_host(request)
    return await _answer(request, "")


async def add_card(request: Request) -> Response:
    """Keep the card that the host's photograph shows; its name is in the address."""
    require_host(request)
    name = request.query_params.get("name", "")

    async def add() -> str:
        encoded = await read_picture(request, MAX_PHOTO_BYTES)
        require_host(request)
        path = _path(site_of(request))
        await read_beside(request, lambda data: _keep_shown(data, name, path), encoded)
        return say("“{name}” is saved.", name=" ".join(name.split()))

    return await _answer_after(request, add())


async def remove_card(request: Request) -> Response:
    """Forget a card."""
    require_host(request)

    async def remove() -> str:
        name = field(await read_form(request), "name")
        require_host(request)
        await asyncio.to_thread(_forget, name, _path(site_of(request)))
        return say("“{name}” is removed.", name=name)

    return await _answer_after(request, remove())


def _path(site: Site) -> Path:
    path = own_cards_path(site)
    if path is None:
        raise Refused(409, NOT_KEPT)
    return path


def _keep_shown(encoded: bytes, name: str, path: Path) -> None:
    from companion.apps.cards.card_register import with_shown  # noqa: PLC0415
    from companion.apps.cards.compared_register import find_compared  # noqa: PLC0415

    picture = decode(encoded, "the photograph")
    _change(
        path,
        lambda cards: with_shown(cards, name, picture, find_compared(path) if cards else None),
    )


def _forget(name: str, path: Path) -> None:
    from companion.apps.cards.card_register import without_card  # noqa: PLC0415

    _change(path, lambda cards: without_card(cards, name))


def _change(path: Path, change: Callable[["Register"], "Register"]) -> None:
    from companion.apps.cards.card_register import change_register  # noqa: PLC0415
    from companion.apps.cards.compared_register import begin_comparing  # noqa: PLC0415

    try:
        change_register(path, change)
    except OSError as error:
        raise Refused(503, unsaved(error)) from None
    begin_comparing(path)


async def _answer_after(request: Request, change: Awaitable[str]) -> Response:
    """Answer with what *change* has done, or why it could not."""
    status = 200
    try:
        sentence = await change
    except Refused as refused:
        status, sentence = refused.status, refused.sentence
    except ValueError as error:
        status, sentence = 409, say("That did not work: {reason}.", reason=message_of(error))
    require_host(request)  # who is the host no more is not told which cards there are
    return await _answer(request, sentence, status)


async def _answer(request: Request, sentence: str, status: int = 200) -> Response:
    from companion.apps.cards.card_register import BadRegister, load_register  # noqa: PLC0415

    site, names = site_of(request), []
    path = own_cards_path(site)
    try:
        if path is not None:
            names = [card.name for card in await asyncio.to_thread(load_register, path)]
    except BadRegister as error:
        sentence = sentence or str(error)
    words = site.render("own_cards.html", sentence=sentence, names=names)
    return unstored(HTMLResponse(words, status))


ROUTES: Final = [
    Route("/own-cards", list_cards),
    Route("/own-cards", add_card, methods=["POST"]),
    Route("/own-cards/remove", remove_card, methods=["POST"]),
]
