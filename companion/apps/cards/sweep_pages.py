"""A phone that is moved across cards: its pictures are joined, and what is missing is said.

Pictures are read one at a time behind all else, dropped when late, and never kept. What they show
is answered to the phone that sends them, and nothing is entered before somebody taps.
"""

import time
from collections.abc import Awaitable, Callable
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.apps.cards.open_sweeps import OpenSweep, OpenSweeps
from companion.apps.cards.photo_pages import (
    MAX_PHOTO_BYTES,
    answer_piece,
    name_card,
    read_beside,
    sender_of,
)
from companion.apps.cards.sweep_words import describe_sweep
from companion.language.message import Message, say
from companion.language.speech import translated_json
from companion.web.admission import require_player
from companion.web.forms import (
    MOVED_ON,
    UNREADABLE,
    Form,
    Refused,
    field,
    form_route,
    read_picture,
)
from companion.web.pages.game_pages import PhotographedCard, pages_of
from companion.web.site import Site, Visitor, site_of, unstored
from vision.cards.sweep import Joining
from vision.cards.sweep_registration import Sighting

MAX_WAIT_S: Final = 5.0
"""A picture that waits longer to be read is dropped: the page has sent another by then."""
OVER: Final = frozenset((403, 409, 410))
"""After these answers a page sends no more pictures."""
NO_CARD: Final = say("No card was named. Show the whole card, with few fingers on it.")
Card = tuple[str, str]
"""Its colour and symbol, by which the reader names it."""
Seen = tuple[list[Sighting], tuple[int, int], Message | None]
"""The cards in a picture, its width and height, and what is wrong with it."""
_tables: Final[WeakKeyDictionary[Site, OpenSweeps]] = WeakKeyDictionary()


def begin_sweep(request: Request, _visitor: Visitor, form: Form) -> Response:
    """Begin one, and answer with its key: of one card, or of the hand that may be counted now."""
    site, sender = site_of(request), sender_of(request)
    kind = field(form, "kind")
    if kind == "hand":
        seat = pages_of(site).hand_due(site, sender)
        key = _sweeps_of(site).begin(sender, "hand", seat, pages_of(site).hand_size(site, seat))
    elif kind == "card":
        key = _sweeps_of(site).begin(sender, "card", None, 1)
    else:
        raise Refused(400, UNREADABLE)
    return _json({"key": key})


async def add_picture(request: Request) -> Response:
    """Join the picture in the request to its sweep, and answer with what is known by now.

    Whose cards may be shown is judged once it has come, and again once it was read.
    """
    _find(request)
    encoded = await read_picture(request, MAX_PHOTO_BYTES)
    opened, site, came_s = _find(request), site_of(request), time.monotonic()
    if opened.is_reading or opened.last_sum == hash(encoded):
        return _json({"is_late": True})
    read = _read_hand if opened.kind == "hand" else _read_card

    def read_in_time(encoded: bytes) -> Seen | None:
        return read(encoded) if time.monotonic() - came_s < MAX_WAIT_S else None

    opened.is_reading = True
    try:
        found = await read_beside(request, read_in_time, encoded)
    finally:
        opened.is_reading = False
    if found is None or _find(request) is not opened:
        return _json({"is_late": True})
    opened.last_sum = hash(encoded)
    cards, opened.size, trouble = found
    return _json(_joined(site, opened, cards, trouble))


async def use_sweep(request: Request) -> Response:
    """Answer with what is known by now as a photograph is answered; the sweep goes on."""
    require_player(request)
    site, status = site_of(request), 200
    try:
        values = _values(site, _find(request))
    except Refused as refused:
        status, values = refused.status, {"sentence": refused.sentence}
    return answer_piece(request, values, status)


def _find(request: Request) -> OpenSweep:
    """Return the sweep that *request* means; raises Refused if its visitor may not go on."""
    site, sender = site_of(request), sender_of(request)
    opened = _sweeps_of(site).find(request.path_params["key"], sender)
    if opened.kind == "hand":
        seat = pages_of(site).hand_due(site, sender)
        if seat != opened.seat or pages_of(site).hand_size(site, seat) != opened.sweep.count:
            raise Refused(409, MOVED_ON)
    return opened


def _sweeps_of(site: Site) -> OpenSweeps:
    return _tables.setdefault(site, OpenSweeps())


def _read_hand(encoded: bytes) -> Seen:
    from companion.apps.cards.hand_photos import read_photographed, sightings_of  # noqa: PLC0415

    cards, size = read_photographed(encoded)
    return sightings_of(cards), size, None


def _read_card(encoded: bytes) -> Seen:
    found = name_card(encoded)
    if found.card is None:
        return [], (1, 1), found.problem
    return [Sighting(found.card, 0.0, (0.0, 0.0), 1.0)], (1, 1), None


def _joined(
    site: Site, opened: OpenSweep, cards: list[Sighting], trouble: Message | None
) -> dict[str, Any]:
    """Return what the page shows after one more picture."""
    joining = opened.sweep.add(cards, opened.size)
    findings, pages = opened.sweep.findings(), pages_of(site)

    def words(name: Any) -> str:
        return pages.card_words(*name)

    said = trouble or describe_sweep(findings, joining, words)
    wide, high = opened.size
    marks = opened.sweep.marks() if opened.kind == "hand" and joining is not Joining.CROWDED else ()
    return {
        "said": said,
        "names": [words(name) for name in cast("tuple[Card, ...]", findings.sure)],
        "is_done": findings.is_done,
        "width": wide,
        "height": high,
        "marks": [
            {
                "x": round(each.at[0]),
                "y": round(each.at[1]),
                "radius": round(each.size_px),
                "name": words(each.name) if each.is_sure else "",
            }
            for each in marks
        ],
    }


def _values(site: Site, opened: OpenSweep) -> dict[str, Any]:
    """Return what the answer to a photograph shows; raises Refused."""
    findings = opened.sweep.findings()
    if opened.kind == "card":
        if not findings.sure:
            return {"sentence": NO_CARD}
        return pages_of(site).card_values(site, opened.sender, *cast("Card", findings.sure[0]))
    assert opened.seat is not None
    named = cast("tuple[Card, ...]", findings.sure)
    cards = [PhotographedCard(name, (0.0, 0.0), 0.0) for name in named]
    unsure = (each for each in opened.sweep.marks() if not each.is_sure)
    cards += [PhotographedCard(None, each.at, each.size_px) for each in unsure][: findings.missing]
    return pages_of(site).hand_values(site, opened.seat, cards, opened.size)


def _json(found: dict[str, Any], status: int = 200) -> Response:
    return unstored(JSONResponse(translated_json(found), status))


def _post(path: str, endpoint: Callable[[Request], Awaitable[Response]]) -> Route:
    """Return a route for the page's script, to which what is refused is said as all else."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Refused as refused:
            return _json(
                {"error": refused.sentence, "is_over": refused.status in OVER}, refused.status
            )

    return Route(path, answer, methods=["POST"])


ROUTES: Final = [
    _post("/card-sweep", form_route("/card-sweep", begin_sweep, require_player).endpoint),
    _post("/card-sweep/{key}/picture", add_picture),
    Route("/card-sweep/{key}/use", use_sweep, methods=["POST"]),
]
