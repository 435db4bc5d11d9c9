"""TacTiki on the pages: steps by two taps, attacks, returns, and ranks for one phone alone."""

import re

from playwright.sync_api import Browser

from tests.referee.entering import acts
from tests.web.forms import form_of
from tests.web.screens import PHONE, TAP_PX
from tests.web.serving import served
from tests.web.tactiki_tables import host_desk, play, sit_two
from tests.web.visitors import HOST_KEY, alert, open_pub


def test_the_board_shows_every_column() -> None:
    """Fields have names; height, top, all sides from the bottom up; sides differ in shape too."""
    pub = open_pub(sit_two("move 42 32", "move 32 22", "move 02 12", "move 12 22", "clash tie"))
    board = pub.stranger().get("/").text
    (field,) = re.findall(r'<g [^>]*data-spot="22".*?</g>', board, re.DOTALL)
    assert 'data-sides="tiki tac"' in field
    assert '<rect class="piece paint-blue tac" x="9"' in field
    assert ">2</text>" in field
    assert '<circle class="piece paint-red tiki"' in board
    assert "● TIKI, ■ TAC" in board
    assert "C3 TIKI TAC," in board
    for name in ("A5 TIKI TIKI,", "E1 TAC TAC,"):
        assert name in board


def test_each_player_sees_the_board_from_the_own_side() -> None:
    """The fields of a phone lie as they do before its owner; each step points where it goes."""
    pub = open_pub(sit_two("move 42 32", "move 43 33"))
    bob, host = pub.player(1).get("/seat").text, pub.host().get("/desk").text
    names = r'class="level" aria-hidden="true">([A-E][1-5])</span>\s*(?:</span>|</label>)'
    assert re.findall(names, bob)[:5] == ["E5", "D5", "C5", "B5", "A5"]
    assert re.findall(names, host)[:5] == ["A1", "B1", "C1", "D1", "E1"]
    assert 'class="spot to up" name="action" value="move 02 12"' in bob
    assert 'class="spot to left" name="action" value="move 02 03"' in bob
    assert 'class="spot to down" name="action" value="move 02 12"' in host
    play(pub, "move 02 12", "move 12 22")
    assert 'class="spot to up attack" name="action" value="move 32 22"' in host_desk(pub)


def test_a_new_game_asks_for_the_statue_and_not_who_begins() -> None:
    """TA-1: TIKI begins, always."""
    pub = open_pub(sit_two())
    host = pub.host()
    form = form_of(host.get("/desk/new"), "/new")
    assert form.choices["statue"] == ["five", "pure"]
    assert "first" not in form.choices
    assert host.post("/new", step="start", **{**form.fields, "statue": "pure"}).status_code == 303
    assert pub.live_session.header.options["statue"] == "pure"
    assert pub.live_session.header.setup == {}
    assert host.post("/new", step="start", **{**form.fields, "statue": "tall"}).status_code == 400


def test_fields_are_entered_by_name_too() -> None:
    """By command and by form, as the drawing has them; a piece stays chosen if that is refused."""
    pub = open_pub(sit_two())
    host, ann = pub.host(), pub.player(0)
    answer = host.post("/api/tell", action="move c5 c4")
    assert (answer.status_code, answer.json()["told"]) == (200, "Ann moves C5 to C4")
    mark = {"mark": str(pub.live_session.session.next_seq), "back": "seat", "from": "32"}
    refused = ann.post("/enter", action="move C4 C5", **mark)
    assert (refused.status_code, alert(refused)) == (
        409,
        "The rules do not allow that: a move is one field forward, left or right.",
    )
    assert 'id="seat-from-32" checked' in refused.text
    assert ann.post("/enter", action="move C4 c3", **mark).status_code == 303
    assert acts(pub.live_session) == ["move 42 32", "move 32 22"]


def test_a_step_is_two_taps_without_any_script(browser: Browser) -> None:
    """First the piece, then one of the fields that then show themselves, all large enough."""
    with served(sit_two) as house:
        context = browser.new_context(viewport=PHONE, java_script_enabled=False)
        page = context.new_page()
        page.goto(f"{house.url}?key={HOST_KEY}")
        page.goto(f"{house.url}desk")
        assert page.locator("button.to:visible").count() == 0
        page.click("label[for=desk-from-40]")
        targets = page.locator("button.to:visible")
        assert [each.get_attribute("value") for each in targets.all()] == [
            "move 40 30",
            "move 40 41",
        ]
        for each in (*targets.all(), page.locator("label[for=desk-from-41]")):
            box = each.bounding_box()
            assert box is not None
            assert min(box["width"], box["height"]) >= TAP_PX
        page.click('button[value="move 40 41"]')
        assert page.url == f"{house.url}desk"
        assert house.do(acts) == ["move 40 41"]
        context.close()
