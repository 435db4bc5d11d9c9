"""`/api`: what programs may ask for, as OpenAPI 3.1 for them and as a page for people."""

from functools import cache
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from companion.web.api.address import Address, Answer
from companion.web.api.schemas import TEXT, Schema, schemas
from companion.web.api.seat_addresses import seat_addresses
from companion.web.api.table_addresses import table_addresses
from companion.web.forms import URLENCODED
from companion.web.http.versions import API_VERSION, BASE, both
from companion.web.site import site_of

OPENAPI: Final = "3.1.0"
PLACE: Final = "http://tiki.local:8321"
"""Where the examples find the companion."""


@cache
def addresses() -> tuple[Address, ...]:
    """Return all addresses for programs."""
    return (*table_addresses(), *seat_addresses())


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
                " table may know; with a seat's token, what that seat may. Texts come in the"
                " language that Accept-Language asks for."
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
                },
                "seat": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A seat's token: what /api/v1/join gives for the seat's link.",
                },
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
    if address.keys:
        found["security"] = [{key: []} if key else {} for key in address.keys]
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
