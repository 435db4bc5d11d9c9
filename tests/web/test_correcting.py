"""Correcting an earlier move: the likeliest first, on the host's page and for programs."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, expect

from companion.referee.game import EMPTY
from companion.referee.live_session import LiveSession
from companion.referee.referee import Referee
from companion.registry import GAMES
from companion.web.api.openapi import document
from companion.web.pages.correcting import FEW
from tests.referee.entering import sit, tell
from tests.referee.played import play
from tests.tables import moves, see, sit_down
from tests.web.forms import form_of, taps_of
from tests.web.schema_check import misfits
from tests.web.screens import PHONE, sticks_out
from tests.web.serving import served
from tests.web.visitors import HOST_KEY, Pub, Visitor, open_pub

KEY = {"authorization": f"Bearer {HOST_KEY}"}
NAMED = document()["components"]["schemas"]


def listed(pub: Pub, seq: int) -> list[dict[str, Any]]:
    """Return what a program is told that the move *seq* may have been."""
    answer = pub.stranger().ask("GET", f"/api/v1/corrections/{seq}", headers=KEY)
    assert answer.status_code == 200, answer.text
    assert [*misfits(answer.json(), NAMED["CorrectionList"], NAMED)] == []
    found: list[dict[str, Any]] = answer.json()["corrections"]
    return found


def actions(pub: Pub, seq: int) -> list[str]:
    """Return the actions among them, in order."""
    return [each["action"] for each in listed(pub, seq)]


def send(pub: Pub, **fields: Any) -> httpx.Response:
    """Return the answer to a program that corrects something."""
    return pub.stranger().ask("POST", "/api/v1/corrections", fields, headers=KEY)


def test_the_neighbours_of_what_was_entered_come_first() -> None:
    """The same tiki with another card, then others; a die one pip off; a field beside it."""
    pub = open_pub(sit_down())
    tell(pub.live_session, "up1 kapu", "up1 nani")
    found = actions(pub, 1)
    assert found[:4] == ["up2 kapu", "up1 huhu", "up3 kapu", "up1 eepo"]
    assert len(found) > 20
    pub = open_pub(sit("topple", "roll 3"))
    assert set(actions(pub, 1)[:2]) == {"roll 2", "roll 4"}
    pub = open_pub(sit("topple", "roll 6"))
    placed = next(each for each in pub.live_session.referee.offers() if each.startswith("place"))
    tell(pub.live_session, placed)
    verb, _, colour = placed.split()
    assert all(each.split()[::2] == [verb, colour] for each in actions(pub, 2)[:3])


def test_what_the_camera_sees_comes_before_all_else() -> None:
    """The picture shows the table as a far move would leave it, and the log has another."""
    live_session = sit_down()
    pub = open_pub(live_session)
    shown = corrected_table(live_session.referee, "up3 nui")
    tell(live_session, "up1 kapu")
    assert actions(pub, 1)[0] == "up2 kapu"
    live_session.observe(see("1.jpg", shown))
    tell_apart = {act.forms[0] for act in live_session.session.history.acts}
    assert tell_apart == {"up1 kapu"}  # a picture of another table alone changes no move
    found = listed(pub, 1)
    assert (found[0]["action"], found[0]["is_seen"]) == ("up3 nui", True)
    assert not any(each["is_seen"] for each in found[1:])
    page = pub.host().get("/desk/correct/1").text
    assert page.index("fits what the camera sees") < page.index('value="up2 kapu"')


def corrected_table(referee: Referee[Any, Any], action: str) -> list[str]:
    """Return what lies there after *action*."""
    rules, state = referee.session.rules, referee.session.state
    after = rules.apply(state, rules.parse_action(action))
    return [name or EMPTY for name in referee.game.shown(after)]


@pytest.mark.parametrize("game", GAMES)
def test_the_page_and_programs_are_offered_the_same(game: str) -> None:
    """In the same order; the first few in one tap, all others behind one fold."""
    pub = open_pub(play(game, 5, 30, with_secrets=False))
    host, seen = pub.host(), 0
    for act in pub.live_session.session.history.acts[-6:]:
        found = actions(pub, act.seq)
        page = host.get(f"/desk/correct/{act.seq}")
        taps = taps_of(page)
        if 'class="row sheet-entry"' not in page.text:
            assert [*taps] == found
        few = FEW if len(found) > FEW + 2 else len(found)
        assert [taps.get(each, 1) for each in found[:few]] == [1] * few
        seen += len(found)
        assert not set(act.forms) & set(found) or len(act.forms) > 1
    assert seen or game == "score_sheet"


def test_a_program_corrects_a_move() -> None:
    """It is judged as on the page, and told what comes next."""
    pub = open_pub(sit_down())
    tell(pub.live_session, "up1 lokahi", "topple nani")
    answer = send(pub, seq=1, action="up1 nani", mark=3)
    assert (answer.status_code, "Nani" in answer.json()["told"]) == (200, True)
    assert [*misfits(answer.json(), NAMED["Told"], NAMED)] == []
    assert moves(pub.live_session)[0] == (0, "up1 nani")
    assert pub.live_session.session.entries[-1].event.type == "corrected"


@pytest.mark.parametrize(
    ("form", "status", "words"),
    [
        ({"seq": 1, "action": "up1 nani", "mark": 2}, 409, "has changed"),
        ({"seq": 1, "action": "toast nui", "mark": 3}, 409, "take back the later moves"),
        ({"seq": 99, "action": "up1 nani", "mark": 3}, 409, "does not fit"),
        ({"seq": "x", "action": "up1 nani", "mark": 3}, 400, "a number"),
        ({"action": "up1 nani", "mark": 3}, 400, "missing"),
    ],
)
def test_a_program_is_refused_in_a_sentence(form: dict[str, Any], status: int, words: str) -> None:
    """And nothing has changed."""
    pub = open_pub(sit_down())
    tell(pub.live_session, "up1 lokahi", "up1 nani")
    answer = send(pub, **form)
    assert (answer.status_code, words in answer.json()["error"]) == (status, True), answer.text
    assert len(pub.live_session.session.entries) == 2


def test_programs_need_the_hosts_key() -> None:
    """Neither a stranger nor a seat sees or corrects anything; a move that is gone is none."""
    pub = open_pub(sit_down())
    tell(pub.live_session, "up1 lokahi")
    for visitor in (pub.stranger(), pub.player(0)):
        assert visitor.get("/api/v1/corrections/1").status_code == 403
        answer = visitor.post("/api/v1/corrections", seq=1, action="up1 nani", mark=2)
        assert answer.status_code == 403
    gone = pub.stranger().ask("GET", "/api/v1/corrections/7", headers=KEY)
    assert (gone.status_code, gone.json()["error"]) == (404, "That move no longer counts.")


def corrected(log_of: LiveSession) -> LiveSession:
    """Return *log_of* after two moves."""
    tell(log_of, "up1 kapu", "up1 nani")
    return log_of


def test_a_move_is_corrected_with_a_thumb(browser: Browser) -> None:
    """In a real browser: few buttons at first, the others behind a fold, one tap corrects."""
    with served(lambda: corrected(sit_down())) as house:
        page = browser.new_page(viewport=PHONE)
        page.goto(house.host_url)
        page.goto(f"{house.url}desk/correct/1")
        assert sticks_out(page)[0] <= 0
        expect(page.locator("button[name=action]:visible")).to_have_count(FEW)
        page.locator("#others summary").click()
        assert page.locator("button[name=action]:visible").count() > FEW
        page.locator('button[value="up2 kapu"]').click()
        page.wait_for_url("**/desk")
        assert house.do(moves)[0] == (0, "up2 kapu")


def test_the_end_of_a_game_is_undone_with_a_thumb(browser: Browser) -> None:
    """In a real browser: again by mistake, back, away once more, and reopened from the list."""

    def over() -> LiveSession:
        return sit("score_sheet", "points 0 12", "points 1 8", "end", seats=2)

    with served(over) as house:
        page = browser.new_page(viewport=PHONE)
        page.goto(house.host_url)
        page.locator("#again button").click()
        page.locator("#board-last-game").click()
        expect(page.locator("#again")).to_be_visible()
        page.locator("#again button").click()
        expect(page.locator("#board-last-game")).to_be_visible()
        page.goto(f"{house.url}desk/past")
        page.locator(".sure summary").click()
        assert sticks_out(page)[0] <= 0
        page.locator(".sure button").click()
        page.wait_for_url("**/desk")
        assert house.do(moves) == [(0, "points 0 12"), (1, "points 1 8")]


def test_the_form_of_a_page_is_what_is_taken() -> None:
    """As a browser sends it."""
    pub = open_pub(corrected(sit_down()))
    host: Visitor = pub.host()
    form = form_of(host.get("/desk/correct/1"), "/correct")
    assert host.post("/correct", **form.fields, action=form.choices["action"][0]).status_code == 303
