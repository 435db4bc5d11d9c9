"""TacTiki on the pages: steps by two taps, attacks, returns, and ranks for one phone alone."""

import itertools
import re

import httpx
from playwright.sync_api import Browser

from companion.referee.live_session import LiveSession
from tests.onlookers import open_timeless_log
from tests.referee.entering import acts, sit, tell
from tests.web.forms import Form, form_of, forms_of
from tests.web.screens import PHONE, TAP_PX
from tests.web.serving import served
from tests.web.visitors import HOST_KEY, Pub, Visitor, alert, open_pub

ANNS = "1 5 2 4 3 3 4 2 5 1"
BOBS = "5 4 3 2 2 1 1 3 4 5"
TWINS = "5 4 3 2 1 2 1 3 4 5"
"""As BOBS, but for the two pieces on C1; each of them falls to a 3."""


def sit_two(*actions: str) -> LiveSession:
    """Return a game of Ann, who is TIKI, and Bob, at which *actions* have been entered."""
    return sit("tactiki", *actions, seats=2, log=open_timeless_log())


def play(pub: Pub, *actions: str) -> None:
    """Enter *actions* by hand, and let the pages know."""
    tell(pub.live_session, *actions)
    pub.live_session.changed()


def enter_ranks(visitor: Visitor, ranks: str) -> httpx.Response:
    """Return the answer to a form of ten rows in which *ranks* are tapped."""
    return visitor.post("/seat", **{f"piece{k}": rank for k, rank in enumerate(ranks.split())})


def form_with(page: httpx.Response, action: str) -> Form:
    """Return the one form of *page* by which *action* may be entered."""
    (found,) = (form for form in forms_of(page) if action in form.choices.get("action", ()))
    return found


def tap(visitor: Visitor, path: str, *actions: str, **parts: str) -> None:
    """Tap in *actions* on the page at *path*, by its own forms."""
    for action in actions:
        form = form_with(visitor.get(path), action)
        assert {*parts} <= {*form.choices}
        answer = visitor.post(form.path, **{**form.fields, **parts, "action": action})
        assert (answer.status_code, answer.headers["location"]) == (303, path), alert(answer)


def statue() -> list[str]:
    """Return the moves of a game in which TIKI builds the statue on C1 with the last of them."""
    ways = [("41", "42")] * 2 + [("43", "42")] + [("42", "42")] * 2
    tiki = [
        f"move {source} {target}"
        for start, column in reversed(ways)
        for source, target in itertools.pairwise(
            ([start] if start != column else []) + [f"{row}2" for row in (4, 3, 2, 1, 0)]
        )
    ]
    tac = ["move 02 01", "move 02 03"] + ["move 04 03", "move 03 04"] * 20
    turns = [tiki[at : at + 2] + tac[at : at + 2] for at in range(0, len(tiki), 2)]
    whole = [action for turn in turns for action in turn]
    return whole[: whole.index(tiki[-1], len(whole) - 4) + 1]


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


def host_desk(pub: Pub) -> str:
    """Return the desk as the host has it."""
    return pub.host().get("/desk").text


def test_a_new_game_asks_for_the_statue_and_not_who_begins() -> None:
    """TA-1: TIKI begins, always."""
    pub = open_pub(sit_two())
    host = pub.host()
    form = form_of(host.get("/desk/new"), "/new")
    assert form.choices["statue"] == ["five", "pure"]
    assert "first" not in form.choices
    assert host.post("/new", **{**form.fields, "statue": "pure"}).status_code == 303
    assert pub.live_session.header.options["statue"] == "pure"
    assert pub.live_session.header.setup == {}
    assert host.post("/new", **{**form.fields, "statue": "tall"}).status_code == 400


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
