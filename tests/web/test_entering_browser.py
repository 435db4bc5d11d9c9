"""Games in a real browser: entered with a thumb, read from across the room."""

from dataclasses import replace
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from companion.registry import GAMES, game_of
from companion.scoreboard import read_scoreboard
from tests.referee.entering import TO_SPIN, sit
from tests.web.counting import Counting
from tests.web.games import open_game
from tests.web.scenes import SCENES
from tests.web.screens import (
    PHONE,
    TAP_PX,
    TELEVISION,
    assert_fits,
    cut_off,
    font_of,
    height_of,
    sticks_out,
)
from tests.web.serving import served

LOW = '<p class="region" data-region="low" style="height:9px"><b style="float:left;height:99px">'
OVER = '<p class="region" data-region="over" style="height:9px;margin:-21px 0 0">x</p>'


@pytest.mark.parametrize("scene", sorted(SCENES))
@pytest.mark.slow(keep=["ten"])
def test_every_scene_fits_and_can_be_tapped(browser: Browser, scene: str) -> None:
    """No page is wider than a phone, the board fits a television, every button fits a thumb."""
    with served(SCENES[scene]) as house:
        page = browser.new_page(viewport=PHONE)
        page.goto(house.host_url)
        assert sticks_out(page)[0] <= 0
        page.goto(f"{house.url}desk")
        assert sticks_out(page)[0] <= 0
        boxes = [button.bounding_box() for button in page.locator("button:visible").all()]
        assert len(boxes) > 2
        assert all(box and min(box["height"], box["width"]) >= TAP_PX for box in boxes)
        page.close()
        assert_fits(browser, house.url, TELEVISION)


@pytest.mark.parametrize("scene", ["asked", "doubted"])
def test_a_question_fits_a_small_television(browser: Browser, scene: str) -> None:
    """All its answers can be read at 1280 by 720, where it takes the room of what stands beside."""
    with served(SCENES[scene]) as house:
        assert_fits(browser, house.url, {"width": 1280, "height": 720}, "#question")


def test_a_page_that_sticks_out_is_seen(browser: Browser) -> None:
    """Something wider and higher than the screen is measured."""
    page = browser.new_page(viewport=PHONE)
    page.set_content('<body style="margin:0"><p style="width:400px;height:900px;margin:0">')
    assert sticks_out(page) == (10, 56)
    page.set_content(LOW)
    assert cut_off(page) == ["low"]
    page.set_content(f"{LOW}</b></p>{OVER}")
    assert cut_off(page) == ["low", "over"]
    page.close()
    with pytest.raises(AssertionError, match="low"):
        assert_fits(browser, f"data:text/html,{quote(LOW + 'words')}", PHONE)


def test_the_clock_is_read_from_afar(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is on every page, no smaller than the longest name beside it, and hides nothing."""
    monkeypatch.setattr(
        "companion.web.site.read_scoreboard",
        lambda live_session: replace(read_scoreboard(live_session), seconds_left=125),
    )
    with served(SCENES["long names"]) as house:
        page = browser.new_page(viewport=PHONE)
        page.goto(house.host_url)
        page.goto(f"{house.url}join/{house.pub.keys.invitation(0)}")
        page.get_by_role("button", name="I am").click()
        clock, name = page.locator("#clock"), page.locator("#turn")
        for path in ("desk", "seat", ""):
            page.goto(f"{house.url}{path}")
            assert sticks_out(page)[0] <= 0
            expect(clock).to_have_text("2:05")
            assert height_of(clock) >= (30 if path else 40)
            assert font_of(clock) >= font_of(name)
        page.set_viewport_size(TELEVISION)
        assert height_of(clock) > TELEVISION["height"] / 8
        assert font_of(clock) >= font_of(name)
        assert cut_off(page) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["[topple]"])
def test_another_game_is_begun_with_a_thumb(phone: BrowserContext, game: str) -> None:
    """From the desk to another game's: its button, then Start; all that is tapped is large."""
    other = next(each for each in reversed(GAMES) if each != game)
    with served(lambda: open_game(game)) as house:
        page = phone.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}desk")
        with page.expect_navigation():
            page.get_by_role("link", name="New people").click()
        with page.expect_navigation():
            page.locator(f'button[value="game-{other}"]').click()
        assert sticks_out(page)[0] <= 0
        # What is folded away has no height yet.
        page.locator("details").evaluate_all("(all) => all.forEach((each) => each.open = true)")
        places = page.locator("main :is(button, .button, .pick, select, input[maxlength])").all()
        assert len(places) > len(GAMES)
        assert min(map(height_of, places)) >= TAP_PX
        page.get_by_role("button", name="Start").click()
        page.get_by_role("link", name="Scoreboard").click()
        expect(page.locator("h1")).to_have_text(game_of(other).title)
        page.close()


def test_a_lesson_is_taught_with_a_thumb(phone: BrowserContext) -> None:
    """What a device waits for comes first; each press leads on, and the button is a big one."""
    with served(lambda: sit("uno_tiki", *TO_SPIN, seats=10)) as house:
        house.pub.app.state.site.table.calibrations = {"idol": Counting()}
        page = phone.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}desk")
        assert sticks_out(page)[0] <= 0
        for number in range(2):
            button = page.get_by_role("button", name=f"Say {number}")
            expect(button).to_be_visible()
            page.wait_for_load_state()  # its style, too
            box = button.bounding_box()
            assert box
            assert box["height"] >= 1.4 * TAP_PX
            assert box["y"] + box["height"] < PHONE["height"]
            button.click()
        expect(page.locator("[data-step]")).to_have_text("Step 2")
        page.close()
