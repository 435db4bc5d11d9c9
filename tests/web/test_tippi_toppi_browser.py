"""Tippi Toppi in a real browser: tapped in with a thumb, read from across the room."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.referee.entering import tell
from tests.referee.fast_rounds import GOALS, LAYS
from tests.tables import NAMES, open_log
from tests.web.screens import PHONE, TAP_PX, TELEVISION, assert_fits, sticks_out
from tests.web.serving import served
from tests.web.tippi_toppi_tables import WON

LONGEST = "goal double purple orange"


def sit_at(*actions: str, seats: int = 4, **options: object) -> LiveSession:
    """Return a session at which *actions* have been entered."""
    live_session = LiveSession(
        open_log(), open_header(game_of("tippi_toppi"), NAMES[:seats], options, 0)
    )
    tell(live_session, *actions)
    live_session.changed()
    return live_session


def full_of_goals() -> LiveSession:
    """Return a game of 22 goals with the longest words, all but the last four met."""
    lays = (f"lay {card}" for card in ("green7", "pink2", "orange1", "pink3"))
    goals = ["goal apart pink"] * 18 + [LONGEST] * 4
    return sit_at(*lays, *goals, goals=22, goal_deck=[])


def lost() -> LiveSession:
    """Return a game that one who has no card has lost, with all hands open."""
    hand = "green1 green2 pink4 purple5"
    return sit_at(*LAYS, *GOALS, f"hand 1 {hand}", "stuck", open_hands=True)


SCENES: dict[str, Callable[[], LiveSession]] = {
    "laying": lambda: sit_at(LAYS[0]),
    "goals": lambda: sit_at(*LAYS),
    "any goal": lambda: sit_at(*LAYS, goal_deck=[]),
    "playing": lambda: sit_at(*LAYS, *GOALS),
    "full of goals": full_of_goals,
    "high speed": lambda: sit_at(*LAYS, *GOALS, high_speed=True),
    "alone": lambda: sit_at(*LAYS, *GOALS, seats=1),
    "drawing": lambda: sit_at(
        *LAYS, *GOALS, "hand 0 green1 green2 pink4 purple5", "play green1 0", open_hands=True
    ),
    "lost": lost,
    "won": lambda: sit_at(*WON, seats=2, goals=5),
    "hand to enter": lambda: sit_at(*LAYS, *GOALS, open_hands=True),
}


@pytest.mark.parametrize("scene", sorted(SCENES))
@pytest.mark.slow(keep=["alone"])
def test_every_scene_fits_and_can_be_tapped(browser: Browser, scene: str) -> None:
    """No page is wider than a phone, with all folds open; a television has all of the board."""
    with served(SCENES[scene]) as house:
        link = house.do(lambda _: house.pub.keys.invitation(0))
        page = browser.new_page(viewport=PHONE)
        page.goto(house.host_url)
        assert sticks_out(page)[0] <= 0
        page.goto(f"{house.url}join/{link}")
        page.get_by_role("button", name="I am Ann").click()
        for path in ("desk", "seat"):
            page.goto(f"{house.url}{path}")
            page.evaluate(
                "document.querySelectorAll('details').forEach((each) => each.open = true)"
            )
            assert sticks_out(page)[0] <= 0
            taps = page.locator(":is(button, select):visible").all()
            boxes = [tap.bounding_box() for tap in taps]
            assert all(box and min(box["height"], box["width"]) >= TAP_PX for box in boxes)
        page.close()
        assert_fits(browser, house.url, TELEVISION)
        television = browser.new_page(viewport=TELEVISION)
        television.goto(house.url)
        assert small_letters(television) == []
        television.close()


def small_letters(page: Page) -> list[str]:
    """Return what of the table is written in letters under 40 pixels."""
    found: list[str] = page.evaluate(
        """[...document.querySelectorAll(".region.table *")].filter((piece) =>
          piece.checkVisibility() && parseFloat(getComputedStyle(piece).fontSize) < 40
          && [...piece.childNodes].some((each) => each.nodeType == 3 && each.data.trim())
        ).map((piece) => piece.textContent)"""
    )
    return found


def test_small_letters_are_found(browser: Browser) -> None:
    """On a phone they are smaller, and may be."""
    with served(lambda: sit_at(*LAYS, *GOALS)) as house:
        page = browser.new_page(viewport=PHONE)
        page.goto(house.url)
        assert "Open goals" in small_letters(page)
        page.close()


def test_a_goal_is_turned_up_with_few_taps(phone: BrowserContext) -> None:
    """One of the deck by its kind; another with its kind, its number and its colour."""
    with served(lambda: sit_at(*LAYS)) as house:
        page, board = phone.new_page(), phone.new_page()
        board.goto(house.url)
        page.goto(house.host_url)
        page.bring_to_front()  # behind another, it would be drawn once in a second
        page.goto(f"{house.url}desk")
        page.locator(".goalkinds summary", has_text="A colour adds up to").click()
        page.get_by_role("button", name="pink 10").click()
        expect(board.locator("#open-goals")).to_have_text("pink adds up to 10")
        page.locator("#other-goal > summary").click()
        page.locator("#other-goal summary", has_text="How many of a colour, exactly").click()
        page.locator("#kind-5 label", has_text="4").click()
        page.locator("#other-goal").get_by_role("button", name="orange").locator(
            "visible=true"
        ).click()
        expect(board.locator("#open-goals li").nth(1)).to_have_text("exactly four orange")
        page.close()
        board.close()


def test_an_opened_card_stays_open_while_others_play(phone: BrowserContext) -> None:
    """High Speed: what somebody else plays comes in live, under the thumb of who is about to."""
    with served(lambda: sit_at(*LAYS, *GOALS, high_speed=True)) as house:
        link = house.do(lambda _: house.pub.keys.invitation(2))
        page = phone.new_page()
        page.goto(f"{house.url}join/{link}")
        page.get_by_role("button", name="I am Cem").click()
        expect(page.locator("#clock")).to_be_visible()
        page.locator("#card-pink7 > summary").click()

        def play(live_session: LiveSession) -> None:
            tell(live_session, "play green1 0")
            live_session.changed()

        house.do(play)
        expect(page.locator("#card-pink7 > summary")).to_contain_text("3 piles")
        page.get_by_role("button", name="pink 7 on pile 2").click()
        expect(page.locator("#card-pink7 > summary")).to_contain_text("3 piles")
        house.do(lambda live_session: expect_last(live_session, "play pink7 1"))
        page.close()


def expect_last(live_session: LiveSession, action: str) -> None:
    """Fail unless *action* came last."""
    newest = live_session.referee.newest()
    assert newest is not None
    assert newest.forms == (action,)
