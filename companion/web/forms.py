"""What people send: small forms, checked strictly, and refused in one sentence."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from companion.rules.base import RulesError
from companion.session.history import ReplayError
from companion.web.site import Site

MAX_FORM_BYTES: Final = 16_384  # bytes; our largest form has some 500
MAX_FIELDS: Final = 64
MAX_NAME_CHARS: Final = 20  # characters of a player's name that fit on a phone
MOVED_ON: Final = "The game has changed in the meantime. Check the page, then answer again."


class Refused(Exception):
    """A request cannot be fulfilled: an HTTP status and one sentence for people."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.sentence = sentence


@contextmanager
def in_a_sentence() -> Iterator[None]:
    """Turn what the rules, the log or the disk refuse into Refused."""
    try:
        yield
    except ReplayError:
        # Without the error's own text: it may contain a secret.
        raise Refused(409, "The rules do not allow that here; nothing has changed.") from None
    except RulesError as error:
        raise Refused(409, f"The rules do not allow that: {error}.") from None
    except OSError as error:
        raise Refused(503, f"That could not be saved: {error}.") from None


def require_unmoved(site: Site, form: Mapping[str, str]) -> None:
    """Raise Refused if the game has changed since the page that sent *form* was made."""
    if field(form, "mark") != str(site.live_session.session.next_seq):
        raise Refused(409, MOVED_ON)


async def read_form(request: Request) -> dict[str, str]:
    """Return the fields of a form, the last of each name; raises Refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/x-www-form-urlencoded":
        raise Refused(415, "Send a form here, as application/x-www-form-urlencoded.")
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_FORM_BYTES:
            raise Refused(413, f"That is too long; a form has at most {MAX_FORM_BYTES} bytes.")
    try:
        return dict(
            parse_qsl(
                body.decode("ascii"),
                keep_blank_values=True,
                errors="strict",
                max_num_fields=MAX_FIELDS,
            )
        )
    except ValueError:
        raise Refused(400, "That form cannot be read; go back and send it again.") from None


def field(form: Mapping[str, str], name: str) -> str:
    """Return the field *name*; raises Refused if it was not sent."""
    try:
        return form[name]
    except KeyError:
        raise Refused(400, f"The form lacks '{name}'; go back and send it again.") from None


def number(form: Mapping[str, str], name: str, least: int, most: int) -> int:
    """Return the field *name* as a whole number from *least* to *most*; raises Refused."""
    text = field(form, name)
    # isdigit alone takes digits that int does not, and a long text takes int a long time.
    if len(text) <= 6 and text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    raise Refused(400, f"'{name}' must be a number from {least} to {most}.")


def player_name(form: Mapping[str, str], name: str, default: str) -> str:
    """Return a player's name, with its blanks set right; raises Refused if it cannot be shown."""
    text = " ".join(form.get(name, "").split()) or default
    if len(text) > MAX_NAME_CHARS:
        raise Refused(400, f"A player's name may have at most {MAX_NAME_CHARS} characters.")
    if not text.isprintable():
        raise Refused(400, "A player's name may have only letters, digits and spaces.")
    return text
