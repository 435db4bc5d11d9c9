"""The guard at the door by itself, in front of an application of a few pages."""

import asyncio
import logging

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from companion.web.http.guard import HEADERS, Guard, is_home_name
from tests.web.asking import Answered, Asked, answer_to

HERE = "http://192.168.1.7:8000"
OTHER = "http://evil.example"
SECRET = "card 0 kapu nui nani"


async def pages(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a page, one that is not to be kept, or a mistake."""
    if scope["path"].startswith("/broken"):
        raise ValueError(SECRET)
    keep = {"Cache-Control": "no-store"} if scope["path"] == "/kept" else None
    await PlainTextResponse("here", headers=keep)(scope, receive, send)
    if scope["path"] == "/late":
        raise ValueError(SECRET)


def ask(method: str = "GET", url: str = f"{HERE}/", **headers: str) -> httpx.Response:
    """Return the answer to a request with *headers*, whose names have _ for -."""

    async def answer() -> httpx.Response:
        transport = httpx.ASGITransport(Guard(pages, names=("Tiki.Pub.example",)))
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.request(method, url, headers=sent)

    return asyncio.run(answer())


def answered(guard: Guard, asked: Asked) -> Answered:
    """Return the answer to *asked*."""
    return asyncio.run(answer_to(guard, asked))


@pytest.mark.parametrize(
    "name",
    ["tiki.pub.example", "tiki.pub.example.", "tiki.local", "tiki.local.", "tiki", "[fe80::1]"],
)
def test_it_answers_to_the_names_of_the_home_and_of_the_owner(name: str) -> None:
    """With every header that a browser is to heed."""
    answer = ask(url=f"http://{name}:8000/")
    assert (answer.status_code, answer.text) == (200, "here")
    assert {header: answer.headers[header] for header in HEADERS} == HEADERS


def test_a_page_is_asked_for_again_unless_it_says_otherwise() -> None:
    """Pages show the moment."""
    assert ask().headers["cache-control"] == "no-cache"
    assert ask(url=f"{HERE}/kept").headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "pub.example", "", "evil.example:8000", "tiki.local.evil.example"),
        *("[", "]", "[]", "[::1", "[evil]", "[1.2.3.4.5]", "evil.example@192.168.1.7", "a b"),
        *("tiki.local/", "tiki.local?x", "192.168.1.7:http", "192.168.1.7:8000:8000", "1.2.3"),
    ],
)
def test_it_does_not_answer_to_foreign_names(host: str) -> None:
    """A name that anybody could point here, or none, gets one sentence and the headers."""
    answer = ask(host=host)
    assert answer.status_code == 421
    assert answer.text == (
        "The companion does not have that name; use the address shown at the start.\n"
    )
    assert {header: answer.headers[header] for header in HEADERS} == HEADERS


async def no_request() -> Message:
    """Fail: nobody reads what a browser sends."""
    raise AssertionError


def test_a_request_without_a_name_is_not_answered() -> None:
    """Every browser sends one."""
    told: list[Message] = []

    async def send(message: Message) -> None:
        told.append(message)

    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    asyncio.run(Guard(pages)(scope, no_request, send))
    assert told[0]["status"] == 421


def test_what_is_no_request_goes_through_as_it_is() -> None:
    """A server says by the same door that it begins and ends."""
    passed: list[object] = []

    async def app(*call: object) -> None:
        passed.extend(call)

    async def send(message: Message) -> None:
        raise AssertionError(message)

    scope = {"type": "lifespan"}
    asyncio.run(Guard(app)(scope, no_request, send))
    assert passed == [scope, no_request, send]


def test_an_address_may_name_the_way_to_it() -> None:
    """As a browser on the same cable has it."""
    assert is_home_name("[fe80::1%25eth0]:8000")
    assert not is_home_name("")


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_a_link_on_another_site_leads_here(method: str) -> None:
    """Nothing is changed by looking."""
    assert ask(method, origin=OTHER, sec_fetch_site="cross-site").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize(
    "headers",
    [
        {"origin": OTHER},
        {"origin": "null"},
        {"origin": "http://192.168.1.7:9000"},
        {"origin": OTHER, "sec_fetch_site": "same-origin"},
        {"origin": ""},
        {"origin": "192.168.1.7:8000"},
        {"origin": "ftp://192.168.1.7:8000"},
        {"origin": "http://["},
        {"origin": "http://192.168.1.7:8000:8000"},
        {"origin": "http://192.168.1.7:8000/"},
        {"origin": "http://evil@192.168.1.7:8000"},
        {"sec_fetch_site": "cross-site"},
        {"sec_fetch_site": "same-site"},
    ],
)
def test_a_form_on_another_site_is_refused(method: str, headers: dict[str, str]) -> None:
    """Whatever tells where it stands; the origin counts more than the browser's word for it."""
    answer = ask(method, **headers)
    assert answer.status_code == 403
    assert answer.text == ("This came from another website. Use the companion’s own pages.\n")


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": HERE},
        {"sec_fetch_site": "same-origin"},
        {"sec_fetch_site": "none"},
        {"origin": HERE, "sec_fetch_site": "cross-site"},
    ],
)
def test_the_companions_own_forms_come_in(headers: dict[str, str]) -> None:
    """And what is sent by no browser at all."""
    assert ask("POST", **headers).status_code == 200


def test_a_form_may_come_through_the_owners_proxy() -> None:
    """Which has another scheme, and may have another port, or send a Host header of its own."""
    guard = Guard(pages, address="https://Tiki.Pub.example:8443")
    for host in ("tiki.pub.example:8443", "tiki.pub.example", "127.0.0.1:8321"):
        headers = ((b"host", host.encode()), (b"origin", b"https://tiki.pub.example:8443"))
        assert answered(guard, Asked("POST", "/", headers=headers)).status == 200
    for origin in (b"http://tiki.pub.example:8443", b"https://tiki.pub.example.evil:8443"):
        headers = ((b"host", b"127.0.0.1:8321"), (b"origin", origin))
        assert answered(guard, Asked("POST", "/", headers=headers)).status == 403


@pytest.mark.parametrize(
    ("host", "scheme"),
    [
        ("tiki.pub.example", "https"),
        ("tiki.pub.example:443", "https"),
        ("TIKI.pub.example", "https"),
        ("tiki.pub.example:8321", "http"),
        ("192.168.1.7:8321", "http"),
    ],
)
def test_what_comes_by_the_owners_address_has_come_by_its_scheme(host: str, scheme: str) -> None:
    """So that its cookies are sent through TLS only, and links keep to it."""
    seen: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(scope["scheme"])
        await pages(scope, receive, send)

    guard = Guard(app, address="https://tiki.pub.example")
    assert answered(guard, Asked("GET", "/", headers=((b"host", host.encode()),))).status == 200
    assert seen == [scheme]


def test_a_phone_that_leaves_in_the_middle_of_a_form_is_no_mistake(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nobody is there to be answered, and nothing is logged."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await Request(scope, receive).body()
        await pages(scope, receive, send)

    here = ((b"host", b"192.168.1.7"),)
    asked = Asked("POST", "/", headers=here, chunks=(b"a", b"b"), leaves=True)
    assert answered(Guard(app), asked).status == 0
    assert not caplog.records


def test_an_address_cannot_write_a_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """What stands in it is escaped where it is logged."""
    here = ((b"host", b"192.168.1.7"),)
    answer = answered(Guard(pages), Asked("GET", "/broken\nroot logged in", headers=here))
    assert answer.status == 500
    (message,) = [record.getMessage() for record in caplog.records]
    assert message.startswith("GET /broken\\nroot logged in failed with ValueError:\n")


def test_a_mistake_is_one_sentence_and_a_line_that_tells_no_secret(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The log says where it happened; the error's words and an invitation may be secret."""
    with caplog.at_level(logging.ERROR):
        answer = ask("POST", f"{HERE}/broken/invitation")
    assert answer.status_code == 500
    assert answer.text == "Something went wrong in the companion; the game is saved. Try again.\n"
    assert {header: answer.headers[header] for header in HEADERS} == HEADERS
    (message,) = [record.getMessage() for record in caplog.records]
    assert message.startswith("POST /broken failed with ValueError:\n")
    assert ", in pages\n" in message
    assert SECRET not in message
    assert "invitation" not in message


def test_a_mistake_behind_an_answer_leaves_it_as_it_is(caplog: pytest.LogCaptureFixture) -> None:
    """An answer begins once only."""
    with caplog.at_level(logging.ERROR):
        answer = ask(url=f"{HERE}/late")
    assert (answer.status_code, answer.text) == (200, "here")
    assert "GET /late failed with ValueError" in caplog.text


def ask_socket(**headers: str) -> list[Message]:
    """Return what a guard answers to who would open a socket; "accept" if it lets it through."""
    sent: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        del scope, receive
        await send({"type": "websocket.accept"})

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    async def send(message: Message) -> None:
        sent.append(message)

    named = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "websocket", "scheme": "ws", "path": "/virtual/socket", "query_string": b"",
        "headers": named, "extensions": {"websocket.http.response": {}},
    }  # fmt: skip
    asyncio.run(Guard(app, names=("tiki.pub.example",))(scope, receive, send))
    return sent


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("192.168.1.7:8000", HERE),
        ("tiki.local", "http://tiki.local"),
        ("tiki.pub.example", "https://tiki.pub.example"),
    ],
)
def test_our_own_page_may_open_a_socket(host: str, origin: str) -> None:
    """Its browser says from where it does."""
    assert [each["type"] for each in ask_socket(host=host, origin=origin)] == ["websocket.accept"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "192.168.1.7:8000"}, 403),
        ({"host": "192.168.1.7:8000", "origin": OTHER}, 403),
        ({"host": "192.168.1.7:8000", "origin": "http://192.168.1.7:81"}, 403),
        ({"host": "192.168.1.7:8000", "origin": "null"}, 403),
        ({"host": "evil.example", "origin": "http://evil.example"}, 421),
        ({}, 421),
    ],
)
def test_no_other_page_may_open_a_socket(headers: dict[str, str], status: int) -> None:
    """A browser asks nobody first, and sends our cookies along; it gets a sentence instead."""
    start, body = ask_socket(**headers)
    assert (start["type"], start["status"]) == ("websocket.http.response.start", status)
    assert body["body"].endswith(b".\n")
    named = {name.decode() for name, _ in start["headers"]}
    assert {name.lower() for name in HEADERS} <= named
