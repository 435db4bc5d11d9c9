"""An address for programs: what may be asked for and sent there, and what may come back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from companion.language.message import say
from companion.web.api.schemas import Schema, ref

EVENTS: Final = "text/event-stream"
JSON: Final = "application/json"


@dataclass(frozen=True, slots=True)
class Answer:
    """What may come back: the status, what it means, and of which type and schema it is."""

    status: int
    words: str
    kind: str = JSON
    schema: Schema = field(default_factory=lambda: ref("Problem"))


@dataclass(frozen=True, slots=True)
class Asked:
    """Something that a program may add to an address.

    place: "path", "query" or "header".
    """

    name: str
    place: str
    words: str
    schema: Schema


@dataclass(frozen=True, slots=True)
class Address:
    """One address for programs.

    paths: the one with the version first, then older ones for the same.
    form: the fields that are sent with POST; *sent*: some that may be.
    needs_all: whether all of them have to be there.
    keys: the key that has to come along, of "host" or of a "seat"; "" among them: none has to.
    example: the words of `curl` behind its name; {place} stands for where the companion is.
    """

    name: str
    paths: tuple[str, ...]
    words: str
    answers: tuple[Answer, ...]
    example: str
    asked: tuple[Asked, ...] = ()
    form: Mapping[str, str] = field(default_factory=dict)
    sent: Mapping[str, str] = field(default_factory=dict)
    needs_all: bool = False
    keys: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        """How it is asked for."""
        return "POST" if self.form else "GET"


WAIT: Final = say("Too many wrong keys; “Retry-After” says how many seconds to wait.")


def form_refusals() -> tuple[Answer, ...]:
    """Return how a form that comes with the host's key may be refused."""
    return (
        Answer(400, say("Part of the form is missing or cannot be read.")),
        Answer(403, say("The key is missing or wrong.")),
        Answer(413, say("The form is too long.")),
        Answer(415, say("What was sent is not a form.")),
        Answer(429, WAIT),
        Answer(503, say("This cannot be saved; the disk may be full.")),
    )
