"""The pages: what everybody sees, what the host alone may do, in every language."""

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.apps.hub.overview import MAX_LATE
from companion.apps.hub.pages import LIVE_PAGES
from companion.apps.hub.published import Board, Seat
from companion.language import speech
from companion.language.catalogue import LANGUAGES
from companion.web.http.streams import follow_regions
from companion.web.site import Visitor as Asking
from tests.hub.publishing import Table, keep, minutes
from tests.hub.visiting import House, open_house
from tests.untranslated import Marked, untranslated
from tests.web.visitors import Visitor

PAGES = ("/", "/tables/bar", "/standings", "/standings?of=all", "/tournament")
FOUR = "Ann\nBob\nCem\nDia"
BOARD = Board(
    "topple", "Topple", (Seat("Ann", 3, is_turn=True), Seat("<Bob>", 1, colour="pink")),
    round=1, rounds=3, last_move="Ann places", waiting_for="Ann rolls the die",
    warnings=("The camera is dark",),
)  # fmt: skip


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """Give a hub that knows a finished game, a table that is away and one with a gap."""
    bar, pub = Table(), Table("pub", players=("Cem", "Dia"))
    with open_house(tmp_path) as house:
        keep(house.database, bar.event(at=minutes(-90)), bar.event([3, 8], [1], at=minutes(-80)))
        keep(house.database, pub.event())
        pub.event()
        keep(house.database, pub.event([1, 0]))
        house.boards["bar"] = BOARD
        house.refresh()
        yield house


def text_of(visitor: Visitor, path: str, status: int = 200) -> str:
    """Return the page at *path*."""
    answer = visitor.get(path)
    assert answer.status_code == status, answer.text
    return answer.text


def test_everybody_sees_all_tables(house: House) -> None:
    """Who plays what, whose turn it is, who is away, and where something is missing."""
    page = text_of(house.stranger(), "/")
    assert page.index("bar") < page.index("pub")
    for words in (
        "0 of 2 tables", "Away since", "round 1 of 3", "to move", "&lt;Bob&gt;", "paint-pink",
        "There is a gap here", "arrived late",
    ):  # fmt: skip
        assert words in page
    assert "<Bob>" not in page


def test_a_table_has_its_games_and_what_came_late(house: House) -> None:
    """And the warnings of its scoreboard."""
    page = text_of(house.stranger(), "/tables/bar")
    for words in (
        "The camera is dark",
        "Ann rolls the die",
        "Arrived late",
        "Game 1, entry 2",
        "★ Bob 8",
    ):
        assert words in page
    assert page.count("entry ") <= MAX_LATE
    assert "knows no table with that name" in text_of(house.stranger(), "/tables/cellar", 404)


def test_standings_are_of_tonight_and_of_all(house: House) -> None:
    """The game of noon long ago counts among all."""
    assert "No game has been finished yet." in text_of(house.stranger(), "/standings")
    page = text_of(house.stranger(), "/standings?of=all")
    assert re.search(r"Bob</th><td[^>]*>1</td><td[^>]*>1<", page)
    assert text_of(house.stranger(), "/standings?of=x", 404)


def test_a_screen_may_show_a_part(house: House) -> None:
    """Of many tables that stand in one room."""
    assert "pub" not in text_of(house.stranger(), "/?part=1/2")
    assert "pub" in text_of(house.stranger(), "/?part=2/2")
    for part in ("3/2", "0/2", "1", "x/y", "1/0", "9999/9999"):
        assert "There is no such part" in text_of(house.stranger(), f"/?part={part}", 404)


def test_the_host_leads_a_tournament(house: House) -> None:
    """From the draw to the champion."""
    host, guest = house.host(), house.stranger()
    assert "There is no tournament yet." in text_of(guest, "/tournament")
    form = {"name": "Friday <cup>", "kind": "knockout", "entrants": FOUR}
    assert host.post("/tournament/begin", **form).status_code == 303
    assert host.post("/tournament/match", match="1", table="bar").status_code == 303
    page = text_of(guest, "/tournament")
    assert "Friday &lt;cup&gt;" in page
    assert "To be played at bar" in page
    assert "Semi-finals" in page
    assert "Run this match" not in page
    assert "Run this match" in text_of(host, "/tournament")
    for match, winner in (("1", "1"), ("2", "2"), ("3", "1")):
        assert host.post("/tournament/winner", match=match, winner=winner).status_code == 303
    assert "Ann has won the tournament" in text_of(guest, "/tournament")
    assert host.post("/tournament/end", number="1").status_code == 303
    league = {"name": "League", "kind": "league", "entrants": FOUR}
    assert host.post("/tournament/begin", **league).status_code == 303
    assert "Friday" in text_of(guest, "/tournament?number=1")
    assert "Round 3" in text_of(guest, "/tournament")
    assert text_of(guest, "/tournament?number=7", 404)


FORMS = {
    "/tournament/begin": {"name": "Cup", "kind": "knockout", "entrants": FOUR},
    "/tournament/match": {"match": "1", "table": "bar"},
    "/tournament/winner": {"match": "1", "winner": "1"},
    "/tournament/end": {"number": "1"},
}


@pytest.mark.parametrize("path", FORMS)
def test_only_the_host_changes_anything(house: House, path: str) -> None:
    """A stranger, a wrong cookie and another site's page are refused; nothing has changed."""
    house.host().post("/tournament/begin", **FORMS["/tournament/begin"])
    before = text_of(house.stranger(), "/api/v1/state")
    guest = house.stranger()
    for cookies in ({}, {"tiki_host": "guessed"}):
        guest.cookies = cookies
        assert guest.post(path, **FORMS[path]).status_code == 403
    foreign = house.host().ask(
        "POST", path, FORMS[path], headers={"origin": "https://evil.example"}
    )
    assert foreign.status_code == 403
    assert text_of(house.stranger(), "/api/v1/state") == before


def test_a_wrong_key_lets_nobody_in_and_is_limited(house: House) -> None:
    """After some the right one has to wait, too, for it may be one that can be guessed."""
    guest = house.stranger()
    assert [guest.get("/?key=guess").status_code for _ in range(10)] == [403] * 10
    assert guest.get("/?key=guess").status_code == 429
    assert guest.get("/?key=the-host's-key").status_code == 429


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("/tournament/begin", {"name": "Cup", "kind": "knockout"}, 400),
        ("/tournament/begin", {"name": "", "kind": "league", "entrants": FOUR}, 409),
        ("/tournament/begin", {"name": "Cup", "kind": "league", "entrants": "Ann"}, 409),
        ("/tournament/match", {"match": "x", "table": "bar"}, 400),
        ("/tournament/match", {"match": "99", "table": "bar"}, 409),
        ("/tournament/winner", {"match": "1"}, 400),
        ("/tournament/end", {"number": "9"}, 409),
        ("/language", {"language": "tlh"}, 400),
    ],
)
def test_a_form_that_cannot_be_done_is_answered_in_a_sentence(
    house: House, path: str, form: dict[str, str], status: int
) -> None:
    """And no traceback."""
    answer = house.host().post(path, **form)
    assert answer.status_code == status
    assert 'role="alert"' in answer.text


def test_a_database_that_fails_is_said_in_a_sentence(house: House) -> None:
    """To whoever looks, and to the host."""
    house.database.close()
    (Path(house.database.shown)).write_bytes(b"no database " * 500)
    assert "cannot be read just now" in text_of(house.stranger(), "/tables/bar", 503)
    answer = house.host().post("/tournament/begin", **FORMS["/tournament/begin"])
    assert answer.status_code == 503
    assert "That could not be saved" in answer.text


def test_what_is_wrong_with_the_broker_is_on_every_page(house: House) -> None:
    """Once, also if two parts say it."""
    house.troubles.update(events="the broker has gone", states="the broker has gone")
    house.refresh()
    for path in PAGES:
        assert text_of(house.stranger(), path).count("the broker has gone") == 1


def test_programs_read_everything(house: House) -> None:
    """As JSON; errors too."""
    found = json.loads(text_of(house.stranger(), "/api/v1/state"))
    assert [each["name"] for each in found["tables"]] == ["bar", "pub"]
    assert found["tables"][0]["players"][1]["colour"] == "pink"
    assert "does not exist" in json.loads(text_of(house.stranger(), "/api/v1/none", 404))["error"]


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pages be rendered in a language that marks what it translates."""
    monkeypatch.setattr(speech, "language_of", lambda _: Marked())


@pytest.mark.usefixtures("marked")
def test_every_word_can_be_translated(house: House) -> None:
    """But names, and what the tables say in their own language."""
    house.host().post("/tournament/begin", **FORMS["/tournament/begin"])
    names = ["Tiki Hub", "Tiki Companion", *LANGUAGES.values(), "Topple", "bar", "AM", "PM"]
    for visitor in (house.stranger(), house.host()):
        for path in PAGES:
            assert [*untranslated(text_of(visitor, path), names)] == [], path


@pytest.mark.parametrize("page", LIVE_PAGES)
def test_a_page_is_kept_up_to_date(house: House, page: str) -> None:
    """The stream begins with all pieces, and sends what changes."""
    view = "bar" if page == "table" else ""

    async def part() -> list[str]:
        asking = Asking((), is_host=False, seat=None, claim=None)
        found = []
        stream = follow_regions(
            house.site.notifier, lambda: LIVE_PAGES[page](house.site, asking, view)
        )
        found.append(str((await anext(stream)).data))
        house.troubles["events"] = "the broker has gone"
        house.refresh()
        found.append(str((await anext(stream)).data))
        return found

    first, second = map(json.loads, asyncio.run(part()))
    assert set(first) == {"head", page}
    assert set(second) == {"head"}
    assert "the broker has gone" in second["head"]["html"]


def test_an_empty_hub_says_what_is_missing(tmp_path: Path) -> None:
    """No table, no tournament."""
    with open_house(tmp_path) as house:
        assert "No table has published anything yet" in text_of(house.stranger(), "/")
        assert "There is no tournament yet." in text_of(house.stranger(), "/tournament")
