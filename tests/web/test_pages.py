"""The pages that everybody may see, and what comes back for what cannot be had."""

import io
import logging
import re
from dataclasses import replace

import pytest
from PIL import Image

from companion.registry import GAMES, folder_of
from companion.rules.tiki_topple import TIKIS
from companion.scoreboard import read_scoreboard
from companion.session.log import LogError
from companion.web.app import create_app
from companion.web.http.keys import Keys
from companion.web.running_table import RunningTable
from hardware.display import draw_digits
from hardware.fakes import FakeDisplay, FakeStrip
from hardware.output_devices import OutputDevices
from hardware.zones import Zones, parse_zone
from tests.tables import see, see_hand, sit_down
from tests.web.visitors import HOST_KEY, Visitor, alert, assert_silent_about, open_pub
from tests.web.well_formed import read_page

LOKAHI_UP = ("lokahi", "hookipa", *TIKIS[2:])


def test_a_page_with_an_open_element_is_noticed() -> None:
    """The reader of pages fails on what browsers would have to guess at."""
    with pytest.raises(AssertionError):
        read_page("<p><b>bold</p>")


def test_the_scoreboard_shows_line_turn_scores_and_last_move() -> None:
    """One look tells what stands, who is to move, what was played and how it stands."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    page = open_pub(live_session).stranger().get("/")
    elements = read_page(page.text)
    line = [each["data-tiki"] for each in elements if "data-slot" in each]
    assert line == list(LOKAHI_UP)
    assert [each["data-score"] for each in elements if "data-score" in each] == ["0", "0", "0"]
    assert [each["data-seat"] for each in elements if "data-seat" in each] == ["0", "1", "2"]
    assert {"turn", "last-move", "waiting"} <= {each.get("id") for each in elements}
    assert "Ann: Tiki Up 1 on Lokahi" in page.text
    assert "<span>Bob</span>" in page.text


def test_a_hand_over_the_line_is_said() -> None:
    """What the referee waits for stands on the page."""
    live_session = sit_down()
    live_session.observe(see_hand("1", "near"))
    assert "A hand is over the table." in open_pub(live_session).stranger().get("/").text


def test_a_wrong_line_is_marked_with_the_nearest_beside_it() -> None:
    """Wrong slots bear a sign, and what should stand there is named."""
    live_session = sit_down()
    wrong = (*TIKIS[:3], TIKIS[8], *TIKIS[4:8], TIKIS[3])
    live_session.observe(see("1", wrong))
    elements = read_page(open_pub(live_session).stranger().get("/").text)
    marked = [each["data-slot"] for each in elements if "data-wrong" in each]
    due = [each["data-due"] for each in elements if "data-due" in each]
    assert (marked, due) == (["3", "8"], [TIKIS[3], TIKIS[8]])
    assert "question" in {each.get("id") for each in elements}


@pytest.mark.parametrize(
    ("left", "clock"),
    [
        (None, None),
        (125, 'data-seconds="125">2:05<'),
        (10, 'class="hurry" data-seconds="10">0:10<'),
        (0, 'class="hurry" data-seconds="0">0:00<'),
    ],
)
def test_a_timed_game_has_a_clock(
    monkeypatch: pytest.MonkeyPatch, left: int | None, clock: str | None
) -> None:
    """Minutes and seconds; the last ten stand out; a game without a limit has no clock."""
    monkeypatch.setattr(
        "companion.web.site.read_scoreboard",
        lambda live_session: replace(read_scoreboard(live_session), seconds_left=left),
    )
    page = open_pub(sit_down()).stranger().get("/").text
    assert ('id="clock"' in page) == (clock is not None)
    assert not clock or clock in page


def test_names_are_text_and_never_markup() -> None:
    """A player's name cannot put anything into other people's pages."""
    pub = open_pub(sit_down())
    name = "<script>x</script>"
    answer = pub.host().post(
        "/new", step="start", game="tiki_topple", players=2, name0=name, name1="Bea", first=0
    )
    assert answer.status_code == 303
    page = pub.stranger().get("/").text
    assert name not in page
    assert "&lt;script&gt;" in page


def test_pages_need_nothing_from_elsewhere_and_say_so_to_browsers() -> None:
    """No inline script or style, no foreign address; a strict policy forbids both."""
    page = open_pub(sit_down()).host().get("/desk")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    for each in read_page(page.text):
        assert "style" not in each
        assert not any(name.startswith("on") for name in each)
        for address in (each.get("src"), each.get("href"), each.get("action")):
            assert not address or address.startswith(("/", "#", "http://192.168.1.7:8000/join/"))


def test_the_state_is_json() -> None:
    """Programs read the same scoreboard."""
    live_session = sit_down()
    live_session.observe(see("1", LOKAHI_UP))
    state = open_pub(live_session).stranger().get("/api/state").json()
    assert state["places"] == list(LOKAHI_UP)
    assert (state["turn"], state["round"], state["rounds"]) == (1, 1, 3)
    assert state["table"]["hands"][0] == ["toast", "toast", "topple", "up2", "up3"]


def test_the_display_is_a_picture_of_what_the_device_has() -> None:
    """The page's picture is the display's, pixel for pixel."""
    pub = open_pub(sit_down())
    picture = Image.new("1", (128, 64))
    picture.putpixel((5, 6), 255)
    pub.outputs.display.value = picture
    shown = Image.open(io.BytesIO(pub.stranger().get("/display.png").content))
    assert shown.resize((128, 64)).tobytes() == picture.tobytes()


def test_the_page_shows_what_people_see_of_the_devices() -> None:
    """Digits as digits, and of a longer strip the lights beside the line, in the line's order."""
    outputs = OutputDevices(
        FakeStrip(12), FakeDisplay((8, 8), "segments"), zones=Zones(slots=parse_zone("11-3"))
    )
    visitor = Visitor(create_app(RunningTable(sit_down(), Keys(HOST_KEY), outputs)))
    outputs.display.value = draw_digits("12")
    outputs.strip.value = ((9, 9, 9), *((0, 0, 0),) * 10, (255, 0, 0))
    shown = Image.open(io.BytesIO(visitor.get("/display.png").content))
    assert shown.resize((88, 17)).tobytes() == outputs.display.face.tobytes()
    assert "data-rgb" not in visitor.get("/").text
    page = visitor.get("/?view=maker").text
    assert 'width="88" height="17" alt="The score display"' in page
    assert re.findall(r'data-rgb="([\d ]+)"', page) == ["255 0 0", *["0 0 0"] * 8]


def test_every_page_wears_the_style_of_all_games() -> None:
    """The sheets of the games are one file, beside that of all pages."""
    visitor = open_pub(sit_down()).stranger()
    sheet = visitor.get("/static/games.css")
    assert sheet.headers["content-type"].startswith("text/css")
    for game in GAMES:
        own = folder_of(game) / "page.css"
        assert not own.exists() or own.read_text() in sheet.text
    assert sheet.text.count("{") == sheet.text.count("}") > 0
    assert '<link rel="stylesheet" href="/static/games.css">' in visitor.get("/").text


def test_there_is_no_other_view() -> None:
    """One sentence says which there are; a page, a stream alike."""
    stranger = open_pub(sit_down()).stranger()
    for path in ("/?view=tv", "/live?page=board&view=%3Cb%3E"):
        answer = stranger.get(path)
        assert answer.status_code == 404
        assert "there are “maker” and “overlay”" in answer.text
        read_page(answer.text)


def test_unknown_paths_and_methods_get_one_sentence() -> None:
    """A page for people, JSON for programs, and no traceback in either."""
    visitor = open_pub(sit_down()).stranger()
    page = visitor.get("/nothing")
    assert (page.status_code, alert(page)) == (
        404,
        "This page does not exist; the scoreboard is at /.",
    )
    assert visitor.get("/api/nothing").json() == {"error": alert(page)}
    assert visitor.post("/api/state").status_code == 405
    assert visitor.get("/static/../app.py").status_code == 404
    assert visitor.get("/live?page=nothing").status_code == 404


def test_a_defect_of_ours_is_told_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    """Neither page nor log repeats an error's text, which might hold a secret."""
    pub = open_pub(sit_down())
    words = " ".join(("card", "0", *TIKIS[2:5]))

    def fail() -> None:
        raise RuntimeError(words)

    pub.live_session.on_change.add(fail)
    with caplog.at_level(logging.ERROR):
        answer = pub.stranger().post(f"/join/{pub.keys.invitation(0)}")
    assert (answer.status_code, answer.text.count("\n")) == (500, 1)
    assert "RuntimeError" in caplog.text
    assert_silent_about(answer.text + caplog.text, *TIKIS[2:5], "join/")


def test_the_wrong_key_lets_nobody_in() -> None:
    """Only the printed address makes a host."""
    pub = open_pub(sit_down())
    visitor = pub.stranger()
    answer = visitor.get("/?key=guess")
    assert answer.status_code == 403
    assert visitor.get("/desk").status_code == 403
    assert visitor.get(f"/?key={HOST_KEY}").headers["location"] == "/"
    assert visitor.get("/desk").status_code == 200


def test_the_hosts_cookie_is_kept_from_scripts_and_other_sites() -> None:
    """The cookie is HttpOnly and SameSite=Strict, and the key leaves the address at once."""
    cookie = open_pub(sit_down()).stranger().get(f"/?key={HOST_KEY}").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie


def test_the_guard_stands_before_the_pages() -> None:
    """Neither a foreign name nor another site's form comes in, even with the host's cookie."""
    host = open_pub(sit_down()).host()
    foreign = host.ask("GET", "/api/state", headers={"host": "evil.example"})
    assert (foreign.status_code, "players" in foreign.text) == (421, False)
    assert host.ask("GET", "/", headers={"host": "tiki.local:80"}).status_code == 200
    for origin, status in (("http://evil.example", 403), ("http://192.168.1.7:8000", 409)):
        answer = host.ask("POST", "/undo", {"seq": "1"}, headers={"origin": origin})
        assert answer.status_code == status


@pytest.mark.parametrize("path", ["/", "/api/state", "/desk"])
def test_a_log_that_cannot_be_written_is_said_wherever_it_comes_to_light(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, path: str
) -> None:
    """In its own sentence, with 503, and without a traceback."""
    pub = open_pub(sit_down())
    host = pub.host()

    def refuse(_: object) -> None:
        raise LogError("games.db: the disk is full; make room")

    monkeypatch.setattr("companion.web.site.Site.board", refuse)
    answer = host.get(path)
    assert answer.status_code == 503
    assert "That could not be saved: games.db: the disk is full; make room." in answer.text
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_pages_with_keys_in_them_are_not_stored() -> None:
    """A shared computer brings back neither the seats' links nor a seat's secret."""
    pub = open_pub(sit_down())
    host, link = pub.host(), f"/join/{pub.keys.invitation(0)}"
    pub.live_session.referee.enter("up1 lokahi")
    pages = ("/desk", "/desk/new", f"/desk/correct/{pub.live_session.session.next_seq - 1}", link)
    for answer in (*(host.get(page) for page in pages), host.post("/undo", seq=99)):
        assert answer.headers["cache-control"] == "no-store"
    assert host.get("/").headers["cache-control"] == "no-cache"
