"""`/api`: what programs may ask for, as OpenAPI 3.1 for them and as a page for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.language.message import say
from companion.web.api.exporting import JSON_LINES
from companion.web.api.schemas import NUMBER, TEXT, Schema, ref, schemas
from companion.web.forms import URLENCODED
from companion.web.http.versions import API_VERSION, BASE, both
from companion.web.site import site_of

OPENAPI: Final = "3.1.0"
EVENTS: Final = "text/event-stream"
JSON: Final = "application/json"
PLACE: Final = "http://tiki.local:8321"
"""Where the examples find the companion."""


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
    needs_key: whether the host's key has to come along.
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
    needs_key: bool = False

    @property
    def method(self) -> str:
        """How it is asked for."""
        return "POST" if self.form else "GET"


NUMBERED: Final = Asked("number", "path", say("The number of the game."), NUMBER)
NO_GAME: Final = Answer(404, say("There is no game with that number, or it has no such step."))
WAIT: Final = say("Too many wrong keys; “Retry-After” says how many seconds to wait.")
UNREADABLE: Final = Answer(409, say("That game was saved by another version of the companion."))


@cache
def addresses() -> tuple[Address, ...]:
    """Return all addresses for programs."""
    return (
        _state(),
        _events(),
        _tell(),
        _corrections(),
        _correct(),
        _display(),
        _games(),
        _step(),
        _record(),
        _document(),
    )


def _state() -> Address:
    return Address(
        "state",
        both("/state"),
        say("The scoreboard: who plays, the points, the table, the questions, the moves."),
        (Answer(200, say("The current scoreboard."), schema=ref("Scoreboard")),),
        "{place}/api/v1/state",
    )


def _events() -> Address:
    return Address(
        "events",
        both("/events"),
        say(
            "Everything that happens, as server-sent events. The first one is the scoreboard."
            " Each event has an id; reconnect with the last one and you miss nothing."
        ),
        (Answer(200, say("An endless stream."), EVENTS, ref("Event")),),
        "--no-buffer --max-time 2 -H 'Last-Event-ID: 0' {place}/api/v1/events",
        asked=(
            Asked(
                "Last-Event-ID",
                "header",
                say("The id of the last event that you received. 0 is the beginning of the game."),
                TEXT,
            ),
        ),
    )


def _display() -> Address:
    return Address(
        "display",
        (f"{BASE}/display.png", "/display.png"),
        say("A picture of what the score display shows."),
        (Answer(200, say("The picture."), "image/png", {}),),
        "-o display.png {place}/api/v1/display.png",
    )


def _games() -> Address:
    return Address(
        "games",
        (f"{BASE}/games",),
        say("All games saved here, the newest first."),
        (Answer(200, say("The list."), schema=ref("GameList")),),
        "{place}/api/v1/games",
    )


def _step() -> Address:
    return Address(
        "step",
        (f"{BASE}/games/{{number}}",),
        say("A game as it stood after one of its steps. Step 0 is the beginning."),
        (
            Answer(200, say("The game at that step."), schema=ref("GameStep")),
            NO_GAME,
            UNREADABLE,
        ),
        "'{place}/api/v1/games/1?step=0'",
        asked=(
            NUMBERED,
            Asked("step", "query", say("The step to show; the last one if left out."), NUMBER),
        ),
    )


def _record() -> Address:
    return Address(
        "record",
        (f"{BASE}/games/{{number}}/record",),
        say("A whole game as a file: lines of JSON, which another companion can import."),
        (
            Answer(200, say("The record."), JSON_LINES, ref("RecordLine")),
            Answer(403, say("Only the host can have the full record.")),
            NO_GAME,
            Answer(409, say("The game is not finished, so there is no full record yet.")),
        ),
        "-o game.jsonl {place}/api/v1/games/1/record",
        asked=(
            NUMBERED,
            Asked(
                "full",
                "query",
                say("Hidden cards and ranks too: only for the host, of a finished game."),
                TEXT,
            ),
        ),
    )


def _document() -> Address:
    return Address(
        "document",
        both("/openapi.json"),
        say("This description, as OpenAPI 3.1."),
        (Answer(200, say("The description."), schema={"type": "object"}),),
        "{place}/api/openapi.json",
    )


def _tell() -> Address:
    return Address(
        "tell",
        both("/tell"),
        say(
            "Tells the companion what happened at the table, like the command “tiki tell”. It"
            " needs the host’s key."
        ),
        (
            Answer(200, say("What was entered, and what comes next."), schema=ref("Told")),
            Answer(
                409,
                say("Nothing was entered: the rules forbid it, or a question is still open."),
                schema=ref("NotEntered"),
            ),
            *_refusals(),
        ),
        "-H \"Authorization: Bearer $KEY\" -d action='up1 nani' {place}/api/v1/tell",
        form={
            "action": say("An action, written as in the rules; or undo, or pause."),
            "sensor": say("What a simulated sensor reports, instead of an action."),
        },
        sent={"action": "undo"},
        needs_key=True,
    )


MOVE: Final = Asked("seq", "path", say("The number of the move in the log."), NUMBER)


def _corrections() -> Address:
    return Address(
        "corrections",
        (f"{BASE}/corrections/{{seq}}",),
        say(
            "What a move may have been instead, so that all later moves still fit; the likeliest"
            " first. It needs the host’s key."
        ),
        (
            Answer(200, say("The list."), schema=ref("CorrectionList")),
            Answer(403, say("The key is missing or wrong.")),
            Answer(404, say("That move no longer counts.")),
            Answer(429, WAIT),
        ),
        '-H "Authorization: Bearer $KEY" {place}/api/v1/corrections/1',
        asked=(MOVE,),
        needs_key=True,
    )


def _correct() -> Address:
    return Address(
        "correct",
        (f"{BASE}/corrections",),
        say("Puts another move in the place of an earlier one. It needs the host’s key."),
        (
            Answer(200, say("What was entered, and what comes next."), schema=ref("Told")),
            Answer(409, say("That move does not fit there, or the game has changed meanwhile.")),
            *_refusals(),
        ),
        "-H \"Authorization: Bearer $KEY\" -d seq=1 -d mark=2 -d action='up1 nani'"
        " {place}/api/v1/corrections",
        form={
            "seq": say("The number of the move in the log."),
            "action": say("What it was, as the list of corrections has it."),
            "mark": say("The mark of that list."),
        },
        sent={"seq": "1", "action": "up1 nani", "mark": "2"},
        needs_all=True,
        needs_key=True,
    )


def _refusals() -> tuple[Answer, ...]:
    """Return how a form that comes with the host's key may be refused."""
    return (
        Answer(400, say("Part of the form is missing or cannot be read.")),
        Answer(403, say("The key is missing or wrong.")),
        Answer(413, say("The form is too long.")),
        Answer(415, say("What was sent is not a form.")),
        Answer(429, WAIT),
        Answer(503, say("This cannot be saved; the disk may be full.")),
    )


@cache
def document() -> dict[str, Any]:
    """Return the whole description, as JSON."""
    paths = {
        path: {address.method.lower(): _operation(address, path)}
        for address in addresses()
        for path in address.paths
    }
    return {
        "openapi": OPENAPI,
        "info": {
            "title": "Tiki Companion",
            "version": API_VERSION,
            "description": (
                "For programs on the table's network. They read only what everyone at the"
                " table may know. Texts come in the language that Accept-Language asks for."
                " Every answer gives the version in the header Api-Version."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": schemas(),
            "securitySchemes": {
                "host": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The host's key, which is printed when the companion starts.",
                }
            },
        },
    }


def _operation(address: Address, path: str) -> dict[str, Any]:
    is_old = path != address.paths[0]
    found: dict[str, Any] = {
        "operationId": f"{address.name}Unversioned" if is_old else address.name,
        "summary": str(address.words),
        "responses": {str(answer.status): _response(answer) for answer in address.answers},
        "x-codeSamples": [{"lang": "Shell", "source": curl(address)}],
    }
    if is_old:
        found["description"] = f"The same as {address.paths[0]}, under its older address."
    if address.asked:
        found["parameters"] = [
            {
                "name": each.name,
                "in": each.place,
                "description": str(each.words),
                "required": each.place == "path",
                "schema": each.schema,
            }
            for each in address.asked
        ]
    if address.form:
        fields = {name: {**TEXT, "description": str(of)} for name, of in address.form.items()}
        schema: Schema = {"type": "object", "properties": fields}
        if address.needs_all:
            schema["required"] = [*fields]
        found["requestBody"] = {
            "required": True,
            "content": {URLENCODED: {"schema": schema, "example": dict(address.sent)}},
        }
    if address.needs_key:
        found["security"] = [{"host": []}]
    return found


def _response(answer: Answer) -> dict[str, Any]:
    schema = {"schema": answer.schema} if answer.schema else {}
    return {
        "description": str(answer.words),
        "headers": {"Api-Version": {"schema": TEXT}},
        "content": {answer.kind: schema},
    }


def curl(address: Address, place: str = PLACE) -> str:
    """Return the example of *address* as a command line."""
    return f"curl {address.example.format(place=place)}"


async def show_api(request: Request) -> Response:
    """Answer a program with the description, and a browser with a page that says the same."""
    if "text/html" not in request.headers.get("accept", ""):
        return await show_document(request)
    examples = {address.name: curl(address) for address in addresses()}
    answer = site_of(request).page(
        "api.html", {}, addresses=addresses(), examples=examples, version_of_api=API_VERSION
    )
    answer.headers["Vary"] = "Accept"
    return answer


async def show_document(_: Request) -> Response:
    """Answer with the description."""
    return JSONResponse(document(), headers={"Vary": "Accept"})


ROUTES: Final = [
    Route("/api", show_api),
    Route(BASE, show_api),
    *(Route(path, show_document) for path in both("/openapi.json")),
]
