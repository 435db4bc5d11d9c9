"""What people send: small forms, checked strictly, and refused in one sentence."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Final, TypeAlias
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from companion.language.message import message_of, say
from companion.rules.base import IllegalAction, RulesError
from companion.session.history import ReplayError
from companion.web.site import Site, Visitor

URLENCODED: Final = "application/x-www-form-urlencoded"
NO_FORM: Final = say("Send a form here, as {kind}.", kind=URLENCODED)
MAX_FORM_BYTES: Final = 16_384  # bytes; our largest form has some 500
MAX_FIELDS: Final = 64
MAX_NAME_CHARS: Final = 20  # characters of a player's name that fit on a phone
UNREADABLE: Final = say("That form cannot be read; go back and send it again.")
PAGES: Final = {"board": "/", "desk": "/desk", "seat": "/seat"}
MOVED_ON: Final = say("The game has changed in the meantime. Check the page, then answer again.")


class Refused(Exception):
    """A request cannot be fulfilled: an HTTP status and one sentence for people.

    retry_s: after so many seconds it may be; None if time does not help.
    clause: of the rules, which forbids it; "" if none does, or naming it would tell a secret.
    """

    def __init__(
        self, status: int, sentence: str, retry_s: int | None = None, clause: str = ""
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence
        self.retry_s = retry_s
        self.clause = clause


Form: TypeAlias = Mapping[str, str]
NOTHING_SENT: Final[Form] = MappingProxyType({})
Admit: TypeAlias = Callable[[Request], Visitor]
"""Returns who sends a form; raises Refused if it is nobody who may."""
Act: TypeAlias = Callable[[Request, Visitor, Form], Response]
"""Does what a form asks for; raises Refused."""
Refuse: TypeAlias = Callable[[Request, Visitor, Form, Refused], Response]
"""Shows why it was not done, on the page that has the form."""


def form_route(path: str, act: Act, admit: Admit, refuse: Refuse | None = None) -> Route:
    """Return the route that takes a form at *path*.

    Who sends it is judged once the last byte has come: a phone may take its time over a form, and
    its seat may be another's by then.  *act* is a plain function, so that nothing can happen
    between the judgement and what it does.
    refuse: None lets the application answer with the sentence alone.
    """

    async def endpoint(request: Request) -> Response:
        admit(request)  # a stranger's form is not even read
        form: Form = {}
        misread: Refused | None = None
        try:
            form = await read_form(request)
        except Refused as refused:
            misread = refused
        visitor = admit(request)
        try:
            if misread is not None:
                raise misread
            with in_a_sentence():
                return act(request, visitor, form)
        except Refused as refused:
            if refuse is None:
                raise
            return refuse(request, visitor, form, refused)

    return Route(path, endpoint, methods=["POST"])


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Turn what the rules, the log or the disk refuse into Refused."""
    try:
        yield
    except ReplayError:
        # Without the error's own text: it may contain a secret.
        raise Refused(409, say("The rules do not allow that here; nothing has changed.")) from None
    except RulesError as error:
        raise not_allowed(error, message_of(error)) from None
    except OSError as error:
        raise Refused(503, unsaved(error)) from None


def not_allowed(error: RulesError, reason: str) -> Refused:
    """Return the refusal of what the rules do not allow, with *reason* in words for people.

    The clause comes along unless the rules' own words are kept back: it could tell a secret, too.
    """
    clause = ""
    if isinstance(error, IllegalAction) and reason == message_of(error):
        clause = error.clause
    sentence = say("The rules do not allow that: {reason}.", reason=reason)
    return Refused(409, sentence, clause=clause)


def unsaved(error: OSError) -> str:
    """Return in a sentence that the disk or the log has refused something, and why."""
    return say("That could not be saved: {reason}.", reason=error.strerror or str(error))


def require_unmoved(site: Site, form: Form) -> None:
    """Raise Refused if the game has changed since the page that sent *form* was made."""
    if field(form, "mark") != str(site.live_session.session.next_seq):
        raise Refused(409, MOVED_ON)


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form; raises Refused, also if one was sent twice."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", URLENCODED):
        raise Refused(415, NO_FORM)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            raise Refused(
                413,
                say("That is too long; a form has at most {bytes} bytes.", bytes=MAX_FORM_BYTES),
            )
    if body and not kind:
        raise Refused(415, NO_FORM)
    try:
        pairs = parse_qsl(
            body.decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_FIELDS,
        )
    except ValueError:
        raise Refused(400, UNREADABLE) from None
    form = dict(pairs)
    if len(form) < len(pairs):
        raise Refused(400, UNREADABLE)
    return form


async def read_picture(request: Request, most: int) -> bytes:
    """Return the picture that was sent; raises Refused if it has more than *most* bytes."""
    encoded = bytearray()
    async for chunk in request.stream():
        encoded += chunk
        if len(encoded) > most:
            raise Refused(
                413, say("That picture is too large; the most is {bytes} bytes.", bytes=most)
            )
    return bytes(encoded)


def field(form: Form, name: str) -> str:
    """Return the field *name*; raises Refused if it was not sent."""
    try:
        return form[name]
    except KeyError:
        raise Refused(
            400, say("“{field}” is missing from the form; go back and send it again.", field=name)
        ) from None


def back_to(form: Form) -> str:
    """Return the address of the page that *form* was sent from; raises Refused."""
    page = PAGES.get(field(form, "back"))
    if page is None:
        raise Refused(400, UNREADABLE)
    return page


def number(form: Form, name: str, least: int, most: int) -> int:
    """Return the field *name* as a whole number from *least* to *most*; raises Refused."""
    text = field(form, name)
    # isdigit alone takes digits that int does not, and a long text takes int a long time.
    if len(text) <= 6 and text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    raise Refused(
        400,
        say(
            "“{field}” must be a number from {least} to {most}.", field=name, least=least, most=most
        ),
    )
