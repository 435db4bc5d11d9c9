"""The page of people: counted where the host wants it, compared, exported, and forgotten."""

import asyncio
import csv
import io
import json
import re
import shutil
from pathlib import Path

import pytest

from companion.apps.statistics.pages import summaries_of
from companion.apps.statistics.past_games import Summaries, standings
from companion.language.catalogue import LANGUAGES
from companion.referee.live_session import LiveSession
from companion.session.log import Log
from companion.web.table_memory import Season, TableMemory
from tests.referee.entering import sit
from tests.tables import open_log
from tests.untranslated import NAMED, Marked, untranslated
from tests.web.forms import form_of
from tests.web.score_sheets import enter_result, sheet_header
from tests.web.spoilt_forms import doubted
from tests.web.visitors import Pub, Visitor, alert, open_pub
from tests.web.well_formed import read_page


def sheet(log: Log, names: str, points: tuple[int, ...]) -> LiveSession:
    """Return a finished score sheet as the game in play of *log*."""
    header = sheet_header(names.split(","))
    live_session = LiveSession(log, header)
    if live_session.header != header:
        live_session.renew(header, "the host began a new game")
    enter_result(live_session, points)
    return live_session


def evening(
    log: Log | None = None, *, keeps: bool = True, memory: TableMemory | None = None
) -> Pub:
    """Return a table at which Ann has beaten Bob twice, and Bob Cem once; Cem's game is on."""
    log = log or open_log()
    for names, points in (("Ann,Bob", (9, 1)), ("ann,Bob", (7, 2)), ("Bob,Cem", (5, 3))):
        live_session = sheet(log, names, points)
    memory = memory or TableMemory()
    memory.keeps_people = keeps
    return open_pub(live_session, memory=memory)


def rows(visitor: Visitor, path: str = "/people", part: str = "results") -> list[tuple[str, ...]]:
    """Return the table of a *part* of the page."""
    answer = visitor.get(path)
    assert answer.status_code == 200, alert(answer)
    read_page(answer.text)
    found = re.search(rf'<section[^>]* id="{part}">.*?</section>', answer.text, re.DOTALL)
    assert found, part
    lines = re.findall(r"<tr><th scope=\"row\">.*?</tr>", found[0], re.DOTALL)
    return [tuple(re.findall(r">([^<>\n]+)</t[hd]>", line)) for line in lines]


def send(visitor: Visitor, path: str, **fields: str) -> None:
    """Send a form of the page, which is shown again."""
    answer = visitor.post(path, **fields)
    assert (answer.status_code, answer.headers.get("location")) == (303, "/people"), alert(answer)


def test_nothing_is_kept_until_the_host_wants_it(tmp_path: Path) -> None:
    """Nobody else can want it; then it is counted at once, and kept over a restart."""
    with Log(tmp_path / "games.db") as log:
        memory = TableMemory(tmp_path / "games.table.json")
        pub = evening(log, keeps=False, memory=memory)
        page = pub.stranger().get("/people")
        read_page(page.text)
        assert "does not count" in page.text
        assert "Ann" not in page.text
        assert "/people/keep" not in page.text
        assert pub.stranger().post("/people/keep", keep="yes").status_code == 403
        assert "known-people" not in pub.host().get("/welcome").text
        assert pub.host().get("/people/export.json").status_code == 409
        assert not (tmp_path / "games.results.json").exists()
        send(pub.host(), "/people/keep", keep="yes")
        assert rows(pub.stranger()) == [
            ("ann", "2", "2", "2"),
            ("Bob", "3", "1", "1"),
            ("Cem", "1", "0", "0"),
        ]
        assert TableMemory(tmp_path / "games.table.json").keeps_people
        assert (tmp_path / "games.results.json").exists()
        assert b"Bob" not in (tmp_path / "games.results.json").read_bytes()
        send(pub.host(), "/people/keep", keep="no")
        assert not (tmp_path / "games.results.json").exists()
        assert "Bob" not in pub.stranger().get("/people").text
        send(pub.host(), "/people/keep", keep="yes")
        assert len(rows(pub.stranger())) == 3
        assert (tmp_path / "games.results.json").exists()


def test_each_game_is_played_again_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also over a restart; a file that is spoilt, or of another version, is begun anew."""
    path, file = tmp_path / "games.db", tmp_path / "games.results.json"

    def counted() -> int:
        with Log(path) as log:
            live_session = LiveSession(log, sheet_header(["Ann"]))
            games = asyncio.run(Summaries(live_session, lambda: file).all())
            assert {each.players for each in games} >= {("Ann", "Bob"), ("Bob", "Cem")}
            return len(games)

    with Log(path) as log:
        evening(log)
    assert counted() == 3
    kept = file.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("companion.apps.statistics.past_games.open_course", None)
        assert counted() == 3
    for spoilt in (b"", b"[" * 100_000, kept.replace(b'"version":"', b'"version":"0')):
        file.write_bytes(spoilt)
        assert counted() == 3
        assert file.read_bytes() == kept


def test_a_game_that_went_on_otherwise_is_counted_anew(tmp_path: Path) -> None:
    """As after a restored backup: its number and its beginning are the same, its end is not."""
    path, file, old = tmp_path / "games.db", tmp_path / "games.results.json", tmp_path / "old.db"

    def wins(points: tuple[int, ...]) -> dict[str, int]:
        with Log(path) as log:
            live_session = LiveSession(log, sheet_header(["Ann"]))
            enter_result(live_session, points)
            live_session.renew(live_session.header, "the host began a new game")
            games = asyncio.run(Summaries(live_session, lambda: file).all())
            return {each.name: each.won for each in standings(games)}

    with Log(path) as log:
        LiveSession(log, sheet_header(["Ann", "Bob"]))
    shutil.copy(path, old)
    assert wins((9, 1)) == {"Ann": 1, "Bob": 0}
    shutil.copy(old, path)
    assert wins((1, 9)) == {"Ann": 0, "Bob": 1}


def test_a_page_does_not_wait_for_a_thousand_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how many are still to be counted, and shows no ratings before that."""
    pub = evening()
    summaries = summaries_of(pub.app.state.site)
    found = asyncio.run(summaries.within(-1))
    assert (len(found.games), found.waiting) == (1, 2)
    monkeypatch.setattr(summaries, "within", lambda: asyncio.sleep(0))
    page = pub.stranger().get("/people").text
    assert "2 games are still to be counted." in page
    monkeypatch.undo()
    assert "still to be counted" not in pub.stranger().get("/people").text


def test_a_game_that_cannot_be_read_is_said_and_left_out() -> None:
    """All others count."""
    pub = evening()
    with pub.live_session.log.transaction():
        pub.live_session.log.open_session({"game": "chess", "players": ["Ann", "Zoe"]})
    assert len(rows(pub.stranger())) == 3
    page = pub.host().get("/people").text
    assert "1 game was saved by another version of the companion and is not counted." in page


def test_a_corrected_result_changes_the_page() -> None:
    """What was taken back is no result; another winner is one."""
    pub = evening()
    assert rows(pub.stranger())[1] == ("Bob", "3", "1", "1")
    pub.live_session.referee.undo()
    assert ("Cem", "1", "0", "0") not in rows(pub.stranger())
    enter_result(pub.live_session, (0, 30))
    assert ("Cem", "1", "1", "1") in rows(pub.stranger())


def test_two_are_compared_on_the_page() -> None:
    """However their names are written in the address; who is not here is said."""
    stranger = evening().stranger()
    page = stranger.get("/people?one=BOB&other=ann")
    read_page(page.text)
    assert re.search(r"<b>Bob</b> <span>0 : 2</span> <b>ann</b>", page.text)
    assert "not played against each other" in stranger.get("/people?one=ann&other=cem").text
    for question, status in (
        ("one=ann&other=zoe", 404),
        ("one=ann", 404),
        ("one=ann&other=ANN", 400),
    ):
        answer = stranger.get(f"/people?{question}")
        assert answer.status_code == status
        assert "two" in alert(answer)


def test_a_season_is_a_year_or_a_span_that_the_host_names() -> None:
    """What is wrong with one is said beside what was typed."""
    pub = evening()
    host, year = pub.host(), re.findall(r"/people\?year=(\d{4})", pub.host().get("/people").text)[0]
    assert len(rows(host, f"/people?year={year}")) == 3
    assert pub.stranger().get("/people?year=1999").status_code == 404
    send(host, "/people/season", name="Long  ago", first="2001-01-01", last="2001-12-31")
    send(host, "/people/season", name="Ever", first="2001-01-01", last="2999-12-31")
    assert "Nobody finished a game" in host.get("/people?season=Long%20ago").text
    assert len(rows(host, "/people?season=Ever")) == 3
    fields = {"name": "Next", "first": "2026-02-01", "last": "2026-01-01"}
    for wrong, words in (
        ({}, "ends before it begins"),
        ({"name": "EVER", "last": "2026-03-01"}, "a season of that name"),
        ({"name": " "}, "Give the season a name"),
        ({"name": "x" * 21}, "Give the season a name"),
        ({"first": "1.2.2026"}, "like 2026-01-31"),
        ({"first": ""}, "like 2026-01-31"),
    ):
        answer = host.post("/people/season", **{**fields, **wrong})
        assert answer.status_code in (400, 409)
        assert words in alert(answer)
        assert f'value="{({**fields, **wrong})["last"]}"' in answer.text
    assert host.post("/people/forget-season", name="Never").status_code == 404
    send(host, "/people/forget-season", name="Long ago")
    assert host.get("/people?season=Long%20ago").status_code == 404


def test_seasons_outlast_a_restart(tmp_path: Path) -> None:
    """Unless the file is spoilt; what else it has counts then."""
    file = tmp_path / "games.table.json"
    TableMemory(file).keep(seasons=[Season("Ever", "2001-01-01", "2999-12-31")], keeps_people=True)
    assert TableMemory(file).seasons == (Season("Ever", "2001-01-01", "2999-12-31"),)
    kept = json.loads(file.read_text())
    file.write_text(json.dumps({**kept, "seasons": [{"name": 3}]}))
    assert TableMemory(file).seasons == ()
    assert TableMemory(file).keeps_people


def test_somebody_is_forgotten_everywhere(tmp_path: Path) -> None:
    """In past games, in the one in play, which goes on, and on the disk."""
    with Log(tmp_path / "games.db") as log:
        pub = evening(log)
        host = pub.host()
        assert host.get("/games/1").text.count("Ann")
        assert "Bob" in host.get("/desk/past").text
        rows(host)
        host.post("/invite", seat="0")
        assert "new link to Bob" in host.get("/desk").text
        fields = form_of(host.get("/people"), "/people/forget").fields
        send(host, "/people/forget", **{**fields, "person": "BOB "})
        assert rows(host) == [("ann", "2", "2", "2"), ("Cem", "1", "0", "0")]
        for path in ("/", "/desk", "/desk/past", "/games/1", "/games/statistics", "/people"):
            page = host.get(path).text
            assert "Bob" not in page, path
        assert "Somebody" in host.get("/games/1").text
        pub.live_session.referee.undo()
        pub.live_session.referee.enter("points 0 50")
        assert pub.live_session.header.players == ("Somebody", "Cem")
        answer = host.post("/people/forget", person="Bob")
        assert (answer.status_code, "Nobody of that name" in alert(answer)) == (404, True)
        phone = pub.player(1)
        for path in ("/people/forget", "/people/forget-all"):
            assert phone.post(path, person="Cem", all="yes").status_code == 403
        send(host, "/people/forget-all", all="yes")
        assert pub.live_session.header.players == ("Somebody", "Somebody 2")
    left = b"".join(each.read_bytes() for each in tmp_path.iterdir())
    assert not [name for name in (b"Ann", b"ann", b"Bob", b"Cem") if name in left]


def test_an_open_question_is_answered_before_somebody_is_forgotten() -> None:
    """It may name who is to be forgotten."""
    pub = open_pub(doubted(open_log()))
    for path, fields in (
        ("/people/forget", {"person": "Ann"}),
        ("/people/forget-all", {"all": "yes"}),
    ):
        answer = pub.host().post(path, **fields)
        assert answer.status_code == 409
        assert "Answer the question at the table first" in alert(answer)
    assert pub.live_session.header.players[0] == "Ann"


def test_nobody_is_forgotten_while_the_log_cannot_be_written() -> None:
    """It says why, and all is as it was."""
    pub = evening()
    pub.live_session.log.trouble = "games.db: the disk is full; free some space on it"
    answer = pub.host().post("/people/forget", person="Bob")
    assert answer.status_code == 503
    assert "the disk is full" in alert(answer)
    assert rows(pub.stranger())[1][0] == "Bob"


def test_a_new_game_offers_the_names_of_those_who_have_played() -> None:
    """With the colour chosen last; nobody's name is offered."""
    pub = evening()
    header = sheet_header(["Dia", "Player 2"], ["pink", ""])
    pub.live_session.renew(header, "the host began a new game")
    page = pub.host().get("/desk/new")
    read_page(page.text)
    names = re.findall(r'<option value="([^"]+)"(?: data-colour="(\w+)")?></option>', page.text)
    assert names == [("ann", ""), ("Bob", ""), ("Cem", ""), ("Dia", "pink")]
    assert page.text.count('list="known-people"') == 2


def test_everything_is_exported_for_the_host() -> None:
    """As JSON with ratings, and as a table that no spreadsheet takes for formulas."""
    pub = evening()
    pub.live_session.renew(sheet_header(["=1+1", "Bob"]), "the host began a new game")
    enter_result(pub.live_session, (1, 2))
    for ending in ("json", "csv"):
        assert pub.stranger().get(f"/people/export.{ending}").status_code == 403
    found = pub.host().get("/people/export.json").json()
    assert {each["name"]: each["won"] for each in found["people"]} == {
        "ann": 2, "Bob": 2, "Cem": 0, "=1+1": 0,
    }  # fmt: skip
    assert [each["winners"] for each in found["games"]] == [["Bob"], ["Bob"], ["ann"], ["Ann"]]
    assert [each["name"] for each in found["ratings"]["Score sheet"]] == ["Bob"]
    lines = [*csv.DictReader(io.StringIO(pub.host().get("/people/export.csv").text))]
    assert len(lines) == 8
    assert lines[0]["player"] == "'=1+1"
    assert [each["place"] for each in lines[:2]] == ["2", "1"]


def test_every_text_of_the_page_can_be_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the host and for others, kept or not."""
    pubs = [evening(), evening(keeps=False), open_pub(sit("score_sheet", seats=2))]
    pubs[0].app.state.site.table.memory.seasons = (Season("Ever", "2001-01-01", "2999-12-31"),)
    visitors = [who for pub in pubs for who in (pub.host(), pub.stranger())]
    monkeypatch.setattr("companion.language.speech.language_of", lambda _: Marked())
    names = [*NAMED, *LANGUAGES.values(), "ann", "Bob", "Cem", "Ever", "Score sheet"]
    for visitor in visitors:
        for path in ("/people", "/people?one=ann&other=bob", "/people?season=Ever"):
            page = re.sub(r"<small>.*?</small>|\d{4}", "", visitor.get(path).text)
            page = re.sub(r'<p class="hint">[^<]* – [^<]*</p>', "", page)
            assert list(untranslated(page, names)) == []
