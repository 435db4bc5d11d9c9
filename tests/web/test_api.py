"""What programs may ask for is what the description says, in every game and at every moment."""

import asyncio
import importlib
import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from starlette.routing import Route

from companion.language.catalogue import LANGUAGES
from companion.referee.notices import Ask, Candidate, Illegal, notice_to_json
from companion.registry import GAMES
from companion.web.api.openapi import OPENAPI, addresses, document
from companion.web.forms import MAX_FORM_BYTES
from companion.web.http.versions import API_VERSION, is_for_programs
from tests.onlookers import answer_to
from tests.referee.played import play, play_on
from tests.tables import see, sit_down
from tests.untranslated import Marked, untranslated
from tests.web.schema_check import misfits
from tests.web.visitors import HOST_KEY, Pub, open_pub

KEY = {"authorization": f"Bearer {HOST_KEY}"}
NAMED = document()["components"]["schemas"]


def assert_fits(thing: Any, name: str) -> None:
    """Fail unless *thing* is what the schema *name* says."""
    found = list(misfits(thing, NAMED[name], NAMED))
    assert not found, f"{found[0]} in {json.dumps(thing)[:600]}"


def test_the_description_is_openapi() -> None:
    """A validator of the standard finds nothing, and reading it as JSON changes nothing."""
    validator = pytest.importorskip("openapi_spec_validator")
    validator.validate(json.loads(json.dumps(document())))
    assert document()["openapi"] == OPENAPI


def test_every_reference_leads_somewhere() -> None:
    """A schema that is named is there, and each that is there is used."""
    used = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document())))
    assert used == set(NAMED)


def test_every_address_for_programs_is_described() -> None:
    """No route is forgotten, none is invented, and each takes what the description says."""
    pub = open_pub(sit_down())
    routes = {
        route.path: "POST" if "POST" in (route.methods or ()) else "GET"
        for route in pub.app.routes
        if isinstance(route, Route)
        and (is_for_programs(route.path) or route.path == "/display.png")
    }
    described = {path: next(iter(of)).upper() for path, of in document()["paths"].items()}
    assert described == {
        path: method for path, method in routes.items() if path not in ("/api", "/api/v1")
    }


def test_the_older_addresses_answer_alike() -> None:
    """Who asks without the version gets the very same."""
    stranger = open_pub(sit_down()).stranger()
    for address in addresses():
        if (
            address.method == "GET"
            and address.name not in ("events", "seat")
            and "{" not in address.paths[0]
        ):
            first, *others = (stranger.get(path).content for path in address.paths)
            assert all(other == first for other in others)
    pub = open_pub(sit_down())
    for path in ("/api/tell", "/api/v1/tell"):
        answer = pub.stranger().ask("POST", path, {"action": "pause"}, headers=KEY)
        assert answer.status_code == 200, answer.text


def streamed(pub: Pub) -> list[dict[str, Any]]:
    """Return all that the stream tells from the beginning of the game."""
    text = asyncio.run(answer_to(pub.stranger(), "/api/v1/events"))
    found = [json.loads(data) for data in re.findall(r"^data: (.+)$", text, re.MULTILINE)]
    return [body for body in found if body]


def lines_of(text: str) -> list[dict[str, Any]]:
    """Return the lines of a record."""
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow(keep=["0-"])
def test_every_answer_in_a_game_is_what_the_description_says(game: str, seed: int) -> None:
    """From the first moment to the last: the state, the stream, the games, their steps, records."""
    pub, rng = open_pub(play(game, seed, 0)), random.Random(seed)
    stranger, kinds = pub.stranger(), set()
    pub.player(0)
    for _ in range(8):
        assert_fits(stranger.get("/api/v1/state").json(), "Scoreboard")
        events = streamed(pub)
        for event in events:
            assert_fits(event, "Event")
        assert events[0]["type"] == "state"
        kinds |= {event["type"] for event in events}
        play_on(rng, pub.live_session, 25)
    assert {"seat", "state"} < kinds
    assert_fits(stranger.get("/api/v1/games").json(), "GameList")
    steps = stranger.get("/api/v1/games/1").json()["steps"]
    for step in {0, 1, steps // 2, steps}:
        answer = stranger.get(f"/api/v1/games/1?step={step}").json()
        assert_fits(answer, "GameStep")
        assert answer["step"] == step
    for line in lines_of(stranger.get("/api/v1/games/1/record").text):
        assert_fits(line, "RecordLine")
    if stranger.get("/api/v1/games/1").json()["is_over"]:
        whole = pub.host().get("/api/v1/games/1/record?full=1")
        for line in lines_of(whole.text):
            assert_fits(line, "RecordLine")


def test_questions_and_wrong_tables_are_what_the_description_says() -> None:
    """What the referee asks and refuses, and a command that is taken."""
    pub = open_pub(sit_down())
    line = ("nui", "kapu", "nani", "huhu")
    pub.live_session.observe(see("1.jpg", line))
    told = pub.stranger().ask("POST", "/api/v1/tell", {"action": "up1 nani"}, headers=KEY)
    assert_fits(told.json(), "Told")
    pub.live_session.observe(see("2.jpg", line))
    events = streamed(pub)
    for event in events:
        assert_fits(event, "Event")
    candidates = (Candidate(("up1 nani",), "Tiki Up 1 on Nani"), Candidate(("undo",), "Nothing"))
    for notice in (
        Ask("3.jpg", "What was it?", candidates),
        Illegal(None, (1,), "Wrong.", ("nani", None), ("nui", None), "TT-4", candidates),
    ):
        assert_fits(json.loads(json.dumps(notice_to_json(notice))), "Event")
    assert {"illegal", "move", "state"} <= {event["type"] for event in events}


def forms() -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield a status that the description names for commands, and what leads to it."""
    yield 400, {"data": {}, "headers": KEY}
    yield 403, {"data": {"action": "pause"}}
    yield 403, {"data": {"action": "pause"}, "headers": {"authorization": "Bearer nobody's"}}
    yield 409, {"data": {"action": "toast nani"}, "headers": KEY}
    yield 413, {"data": {"action": "x" * MAX_FORM_BYTES}, "headers": KEY}
    yield 415, {"json": {"action": "pause"}, "headers": KEY}


@pytest.mark.parametrize(("status", "request_"), [*forms()])
def test_every_refusal_is_described(status: int, request_: dict[str, Any]) -> None:
    """It has the status and the form that the description says, and names the version."""
    answer = open_pub(sit_down()).stranger().ask("POST", "/api/v1/tell", **request_)
    assert answer.status_code == status
    assert str(status) in document()["paths"]["/api/v1/tell"]["post"]["responses"]
    assert_fits(answer.json(), "Problem")
    assert answer.headers["api-version"] == API_VERSION


def test_games_and_steps_that_are_not_there_are_refused_as_described() -> None:
    """A number too high, no number at all, a step too far, and what is the host's alone."""
    stranger = open_pub(sit_down()).stranger()
    for path, status in (
        ("/api/v1/games/2", 404),
        ("/api/v1/games/one", 404),
        ("/api/v1/games/1%31111111111", 404),
        ("/api/v1/games/1?step=1", 404),
        ("/api/v1/games/1?step=-1", 404),
        ("/api/v1/games/1/record?full", 403),
    ):
        answer = stranger.get(path)
        assert answer.status_code == status, path
        assert_fits(answer.json(), "Problem")
    full = stranger.ask("GET", "/api/v1/games/1/record?full", headers=KEY)
    assert full.status_code == 409


def test_browsers_get_a_page_and_programs_get_json(monkeypatch: pytest.MonkeyPatch) -> None:
    """At one address; the page names all addresses, and can be said in any language."""
    stranger = open_pub(sit_down()).stranger()
    for accept in ("*/*", "application/json"):
        answer = stranger.ask("GET", "/api", headers={"accept": accept})
        assert answer.json() == json.loads(json.dumps(document()))
        assert answer.headers["vary"] == "Accept"
    monkeypatch.setattr("companion.language.speech.language_of", lambda _: Marked())
    browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
    page = stranger.ask("GET", "/api", headers=browser)
    assert page.headers["content-type"].startswith("text/html")
    for address in addresses():
        assert f"{address.method} {address.paths[0]}" in page.text
    words = re.sub(r"<code>.*?</code>", "", page.text, flags=re.DOTALL)
    assert list(untranslated(words, ["OpenAPI", *LANGUAGES.values()])) == []


def test_only_pages_that_the_owner_names_may_read_from_elsewhere() -> None:
    """An overlay of the owner's is let in to read; any other page's script is not."""
    live_session = sit_down()
    pub = open_pub(live_session, origins=["http://absolute"])
    for path, origin, is_let_in in (
        ("/api/v1/state", "http://absolute", True),
        ("/api/v1/state", "http://evil.example", False),
        ("/api/v1/state", "null", False),
        ("/desk/new", "http://absolute", False),
    ):
        answer = pub.host().ask("GET", path, headers={"origin": origin})
        assert answer.headers.get("access-control-allow-origin") == (origin if is_let_in else None)
        policy = answer.headers["cross-origin-resource-policy"]
        assert policy == ("cross-origin" if is_let_in else "same-origin")
    told = {"origin": "http://absolute", **KEY}
    answer = pub.stranger().ask("POST", "/api/v1/tell", {"action": "pause"}, headers=told)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda event: event.pop("seat"), "lacks seat"),
        (lambda event: event.update(seat="0"), "is no integer"),
        (lambda event: event.update(secret="kapu"), "has secret too many"),
    ],
)
def test_the_check_of_answers_can_fail(spoil: Callable[[dict[str, Any]], Any], why: str) -> None:
    """A field too few, of another type or too many is seen."""
    event = {"type": "move", "seq": 1, "seat": 0, "action": "up1 nani", "frame": None, "at": "now"}
    assert_fits(event, "Event")
    spoil(event)
    with pytest.raises(AssertionError, match=why):
        assert_fits(event, "MoveAccepted")
    with pytest.raises(AssertionError):
        assert_fits(event, "Event")


def test_the_types_are_those_of_the_standard() -> None:
    """Where it is there, jsonschema finds in a real answer what our own check finds: nothing."""
    jsonschema = pytest.importorskip("jsonschema")
    assert importlib.util.find_spec("openapi_spec_validator")
    pub = open_pub(play("topple", 1, 40))
    whole = {"components": {"schemas": NAMED}, "$ref": "#/components/schemas/Event"}
    for event in streamed(pub):
        jsonschema.validate(event, whole)
