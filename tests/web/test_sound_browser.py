"""Sound from the page: melodies and words on a phone or television, where somebody wants them."""

import pytest
from playwright.sync_api import BrowserContext, expect

from companion.rules.tiki_topple import TIKIS
from hardware.earcons import MELODIES, hertz_of
from tests.tables import see, sit_down
from tests.web.lines import LOKAHI_UP
from tests.web.melodies import LISTEN, notes_of, played, said
from tests.web.serving import Served, served


def move(house: Served) -> None:
    """Let the camera see a move, after which it is Bob's turn."""
    house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))


def test_a_page_plays_and_says_what_happens_when_it_is_asked_to(phone: BrowserContext) -> None:
    """Nothing before the switch is on; then the companion's own melody, and its words."""
    phone.add_init_script(LISTEN)
    with served(sit_down) as house:
        page = phone.new_page()
        page.set_extra_http_headers({"Accept-Language": "de-AT"})
        page.goto(house.url)
        move(house)
        expect(page.locator("#turn")).to_contain_text("Bob")
        assert page.evaluate("[played, said]") == [[], []]
        switch = page.locator("#sound")
        expect(switch).to_have_attribute("aria-pressed", "false")
        switch.click()
        expect(switch).to_have_attribute("aria-pressed", "true")
        assert played(page) == notes_of("turn")
        house.do(lambda live_session: live_session.observe(see("2", (*TIKIS[::-1],))))
        expect(page.locator("#question")).to_be_visible()
        [[words, spoken]] = said(page)
        assert spoken == "de"
        assert words
        assert played(page) == notes_of("wrong")
        switch.click()
        house.do(lambda live_session: live_session.observe(see("3", LOKAHI_UP)))
        expect(page.locator("#question")).to_have_count(0)
        assert page.evaluate("played") == []
        page.close()


def test_the_choice_is_kept_and_waits_for_a_touch(phone: BrowserContext) -> None:
    """Browsers let no new page sound by itself: the switch says so, and any touch will do."""
    phone.add_init_script(LISTEN)
    with served(sit_down) as house:
        page = phone.new_page()
        page.goto(house.url)
        page.locator("#sound").click()
        page.reload()
        switch = page.locator("#sound")
        expect(switch).to_have_attribute("aria-pressed", "true")
        expect(switch).to_have_text("Tap to hear the sound again", use_inner_text=True)
        page.locator("h1").click()
        expect(switch).to_have_text("Sound on this device is on", use_inner_text=True)
        move(house)
        assert said(page) == [["Bob", "en"]]
        page.locator("#sound").click()
        page.reload()
        expect(page.locator("#sound")).to_have_attribute("aria-pressed", "false")
        page.close()


def test_a_seats_phone_says_what_everybody_may_hear(phone: BrowserContext) -> None:
    """The same words as on the scoreboard; the secret card that it has entered is none of them."""
    phone.add_init_script(LISTEN)
    with served(sit_down) as house:
        link = house.do(lambda _: house.pub.keys.invitation(1))
        page, board = phone.new_page(), phone.new_page()
        page.goto(f"{house.url}join/{link}")
        page.locator("main form button").first.click()
        board.goto(house.url)
        for each in (page, board):
            each.locator("#sound").click()
            played(each)
        page.bring_to_front()  # behind another, it would be drawn once in a second
        for row, tiki in (("top9", "nani"), ("middle5", "huhu"), ("bottom2", "nui")):
            page.locator(f'input[name="{row}"][value="{tiki}"]').check()
        page.get_by_role("button", name="Save my card").click()
        expect(page.locator("#my-card")).to_contain_text("is saved")
        page.locator("h1").click()
        move(house)
        assert said(page) == said(board) == [["Bob", "en"]]
        call = "document.getElementById('call').outerHTML"
        assert page.evaluate(call) == board.evaluate(call)
        page.close()
        board.close()


def test_the_browsers_own_sound_takes_it(phone: BrowserContext) -> None:
    """Every melody is played by a real browser, which complains of nothing."""
    with served(sit_down) as house:
        page = phone.new_page()
        page.goto(house.url)
        page.locator("#sound").click()
        expect(page.locator("#sound")).not_to_have_class("waiting")
        move(house)
        expect(page.locator("#turn")).to_contain_text("Bob")
        melodies = page.evaluate("fetch('/earcons.json').then((answer) => answer.json())")
        assert melodies == {
            name: [[hertz_of(semitones), seconds] for semitones, seconds in notes]
            for name, notes in MELODIES.items()
        }
        page.close()


def test_a_page_that_stays_silent_is_noticed(
    phone: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Waiting for what is never played fails."""
    monkeypatch.setattr("tests.web.melodies.PATIENCE_S", 0.05)
    page = phone.new_page()
    page.set_content("<p>")
    page.evaluate("window.played = []")
    with pytest.raises(AssertionError, match="nothing was played"):
        played(page)
    page.close()
