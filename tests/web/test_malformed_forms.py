"""Every form of every page, spoilt in every way: refused in a sentence, and nothing has changed.

Who handles a form judges all of it before anything is done.
"""

import random
import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from urllib.parse import quote_plus

import httpx
import pytest
from starlette.routing import Route

from companion.apps.hub.pages import create_app as create_hub
from companion.registry import GAMES
from companion.web.app import create_app
from companion.web.forms import MAX_FIELDS, MAX_FORM_BYTES, URLENCODED
from companion.web.http.keys import Keys
from companion.web.running_table import RunningTable
from companion.web.table_memory import TableMemory
from hardware.output_devices import OutputDevices
from tests.hub.publishing import Table, keep
from tests.hub.visiting import House, open_house
from tests.tables import open_log, sit_down
from tests.unharmed import nothing_changes, play_on
from tests.web.asking import routes_of
from tests.web.counting import Counting
from tests.web.forms import forms_of
from tests.web.games import open_game
from tests.web.set_up_stand_ins import Setup
from tests.web.spoilt_forms import (
    CAMERA,
    CASES,
    ELSEWHERE,
    PICTURES,
    WRONG,
    Case,
    Fields,
    doubted,
    exactly,
    line,
)
from tests.web.visitors import HOST_KEY, Pub, Visitor, open_pub


def fields_of(case: Case, pub: Pub, visitor: Visitor) -> Fields:
    """Return what *case* sends, with the mark of the question that stands."""
    sent = case.sent(pub, visitor)
    if case.live is doubted:
        sent["mark"] = pub.app.state.site.board().question.mark
    return sent


def open_table(case: Case, folder: Path) -> tuple[Pub, Visitor, list[Any]]:
    """Return a table that has everything, its visitor, and a list of what devices were told."""
    (folder / "tiki.toml").write_text('game = "tiki_topple"\n')
    live_session, told = case.live(open_log(folder / "games.db")), list[Any]()
    keys, outputs, setup = Keys(HOST_KEY, folder / "keys.json"), OutputDevices(), Setup()
    cameras = SimpleNamespace(
        found=[CAMERA], current=None, trying=None, trouble="", is_asking=False,
        is_phone_only=False, is_current=lambda _: False, choose=told.append,
        phone=SimpleNamespace(page="", release=lambda: None),
    )  # fmt: skip
    table = RunningTable(
        live_session, keys, outputs,
        calibrate=lambda known, _: told.append(known),
        table_setup=setup,  # type: ignore[arg-type]
        cameras=cameras,  # type: ignore[arg-type]
        calibrations={"idol": Counting(pressed=told)},
        memory=TableMemory(folder / "table.json"),
    )  # fmt: skip
    setup.lessons = told
    pub = Pub(live_session, create_app(table), keys, outputs)
    visitor = {"host": pub.host, "seat": lambda: pub.player(0), "stranger": pub.stranger}[case.who]
    return pub, visitor(), told


def state_of(pub: Pub, told: list[Any], folder: Path) -> dict[str, Any]:
    """Return all that a form may change."""
    live_session, site = pub.live_session, pub.app.state.site
    session = live_session.session
    return {
        "game": (session.number, [*session.entries], session.state, live_session.paused),
        "question": live_session.referee.question,
        "files": {
            file.name: file.read_bytes() for file in folder.iterdir() if "-shm" not in file.name
        },
        "told": [*told],
        "words": (site.calibration_status, site.learning, site.table.table_setup.measuring.report),
        "screens": site.screens.signs,
    }


def spoilt(case: Case, sent: Fields) -> Iterator[tuple[str, bytes, str]]:
    """Yield what is wrong with a form, the form, and of which kind it says that it is."""
    wanted = [name for name in sent if name not in case.free]
    if wanted:
        yield "empty", b"", ""
        yield "empty", b"", URLENCODED
        yield "of other names", encoded({"bogus": "1"}), URLENCODED
    for name in wanted:
        yield f"without {name}", encoded({k: v for k, v in sent.items() if k != name}), URLENCODED
        wrong = (*case.wrong, *(() if name in case.blank else ("",)))
        for value in wrong:
            yield f"{name}={value[:9]!r}", encoded({**sent, name: value}), URLENCODED
    for name, value in sent.items():
        yield f"{name} twice", encoded(sent) + b"&" + encoded({name: value}), URLENCODED
        large = encoded({**sent, name: "x" * MAX_FORM_BYTES})
        yield f"a large {name}", large, URLENCODED
    whole = encoded(sent)
    yield "a large form", encoded({**sent, "more": "x" * MAX_FORM_BYTES}), URLENCODED
    many = encoded({f"more{number}": "1" for number in range(MAX_FIELDS + 1)})
    yield "a form of many fields", many, URLENCODED
    for junk in (b"%ff=1", b"a=%ff", b"\xff=\xfe"):
        yield f"with {junk!r}", whole + b"&" + junk if whole else junk, URLENCODED
    for kind in ("application/json", "text/plain", "multipart/form-data; boundary=x"):
        yield f"as {kind}", whole or b"a=1", kind


def encoded(fields: Fields) -> bytes:
    """Return *fields* as a browser sends them."""
    pairs = (f"{quote_plus(name)}={quote_plus(value)}" for name, value in fields.items())
    return "&".join(pairs).encode()


def assert_refused(answer: httpx.Response, what: str) -> None:
    """Fail unless *answer* refuses in a sentence for people."""
    assert 400 <= answer.status_code < 500, f"{what}: {answer.status_code}"
    found = re.search(
        r'"error":\s*"([^"]+)|(?:role="alert"|class="note")[^>]*>([^<]+)<', answer.text
    )
    assert found, f"{what}: {answer.text[:300]}"
    sentence = found[1] or found[2]
    assert re.search(r"[.?…]$", sentence.strip()), f"{what}: {sentence}"


def test_every_form_is_spoilt_here() -> None:
    """A route that takes a form is among them, takes a picture, or is spoilt elsewhere."""
    paths = {path for path, methods in routes_of(create_app(bare())) if "POST" in methods}
    assert paths == {*CASES} | PICTURES | ELSEWHERE


def bare() -> RunningTable:
    """Return a table without anything."""
    return RunningTable(sit_down(), Keys(HOST_KEY), OutputDevices())


@pytest.mark.parametrize("path", CASES)
def test_a_malformed_form_changes_nothing(path: str, tmp_path: Path) -> None:
    """Missing, empty, doubled, of a wrong type, too large; then the form as it is meant."""
    case = CASES[path]
    pub, visitor, told = open_table(case, tmp_path)
    sent, where = fields_of(case, pub, visitor), case.path(pub) if case.path else path
    before, seen = state_of(pub, told, tmp_path), 0
    for what, body, kind in spoilt(case, sent):
        headers = {"content-type": kind} if kind else {}
        answer = visitor.ask("POST", where, content=body, headers=headers)
        assert_refused(answer, what)
        assert state_of(pub, told, tmp_path) == before, what
        seen += 1
    assert seen > 5
    answer = visitor.post(where, **sent)
    assert answer.status_code in (200, 303), answer.text
    assert (state_of(pub, told, tmp_path) == before) is case.is_quiet


SHOWN: Final = ("back", "from", "card")
"""What only says where the answer is shown, or which buttons were: the action names it too."""


@pytest.mark.parametrize("game", GAMES)
def test_a_malformed_form_of_a_game_changes_nothing(game: str) -> None:
    """Each form by which something is entered at its beginning, and in its middle."""
    rng, seen = random.Random(3), set[tuple[str, ...]]()
    pub = open_pub(open_game(game))
    host = pub.host()
    for _ in range(4):
        for form in forms_of(host.get("/desk")):
            sent = {**form.fields, **{name: values[0] for name, values in form.choices.items()}}
            if form.path != "/enter" or tuple(sent) in seen:
                continue
            seen.add(tuple(sent))
            parts = [name for name in sent if name.startswith("part")]
            # The last part may be one too many, and points may be any number and left blank.
            free = (*SHOWN, *(parts[-1:] if pub.live_session.game.places else parts))
            case = Case(exactly(), line, free=free, blank=tuple(form.fields), wrong=WRONG[:1])
            for what, body, kind in spoilt(case, sent):
                headers = {"content-type": kind} if kind else {}
                with nothing_changes(pub.live_session):
                    assert_refused(host.ask("POST", "/enter", content=body, headers=headers), what)
        for _ in range(3):
            play_on(pub.live_session, rng)
        pub.live_session.changed()
    assert seen


HUB: Final[Mapping[str, tuple[Fields, tuple[str, ...]]]] = {
    "/tournament/begin": ({"name": "Cup", "kind": "league", "entrants": "Ann\nBob"}, ("name",)),
    "/tournament/match": ({"match": "1", "table": "bar"}, ()),
    "/tournament/winner": ({"match": "1", "winner": "1"}, ()),
    "/tournament/end": ({"number": "1"}, ()),
    "/language": ({"language": "de", "back": "/"}, ("back",)),
}
"""By path, what the hub's forms send, and what of it may be anything."""
BLANK: Final = ("table", "winner")
"""None, which is an answer too."""


def test_every_form_of_the_hub_is_spoilt_here(tmp_path: Path) -> None:
    """A route that takes a form is among them."""
    with open_house(tmp_path) as house:
        routes = (each for each in create_hub(house.site).routes if isinstance(each, Route))
        assert {each.path for each in routes if "POST" in (each.methods or ())} == {*HUB}


@pytest.mark.parametrize("path", HUB)
def test_a_malformed_form_changes_nothing_at_the_hub(path: str, tmp_path: Path) -> None:
    """The same, and its database holds what it held."""
    sent, free = HUB[path]
    case = Case(exactly(), line, free=free, blank=BLANK)
    with open_house(tmp_path) as house:
        keep(house.database, Table().event())
        host = house.host()
        if path != "/tournament/begin":
            assert host.post("/tournament/begin", **HUB["/tournament/begin"][0]).status_code == 303
        before = dumped(house)
        for what, body, kind in spoilt(case, sent):
            headers = {"content-type": kind} if kind else {}
            assert_refused(host.ask("POST", path, content=body, headers=headers), what)
            assert dumped(house) == before, what
        assert host.post(path, **sent).status_code == 303
        assert (dumped(house) == before) is (path == "/language")


def dumped(house: House) -> list[str]:
    """Return all that the hub's database holds."""
    import sqlite3  # noqa: PLC0415

    with closing(sqlite3.connect(house.database.shown)) as db:
        return [*db.iterdump()]
