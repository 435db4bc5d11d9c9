"""Games that are told, in a real browser: tapped in with a thumb, read from across the room."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.referee.sitting import Sitting
from tests.referee.test_scribe import TO_SPIN, hear, sit, tower
from tests.web.serving import served
from tests.web.test_browser import PHONE, TAP_PX, TELEVISION, browser, phone, pytestmark
from tests.web.test_teaching import Counting

__all__ = ["browser", "phone", "pytestmark"]

FALLEN = ("roll 3", "place 20 pink", "roll 6", "place 21 yellow")
BIG_HAND = (
    "turn tiki-discard-yellow",
    "turn wild-spin",
    "colour yellow",
    "play yellow-reverse-spin",
)


def asked() -> Sitting:
    """Return a game of Topple whose tower fell between two turns."""
    sitting = sit("topple", *FALLEN, seats=4)
    hear(sitting, tower("topple"))
    return sitting


SCENES: dict[str, Callable[[], Sitting]] = {
    "topple": lambda: sit("topple", *FALLEN, "roll 6", seats=4),
    "topple of two": lambda: sit("topple", "roll 3", seats=2),
    "asked": asked,
    "cards": lambda: sit("uno_tiki", *BIG_HAND[:3], seats=4),
    "spin": lambda: sit("uno_tiki", *BIG_HAND, seats=4),
    "between": lambda: sit("uno_tiki", *TO_SPIN, "spin between 1 2"),
    "ten": lambda: sit("uno_tiki", *TO_SPIN, seats=10),
}


def sticks_out(page: Page) -> tuple[int, int]:
    """Return by how many pixels *page* is larger than the screen, across and down."""
    across, down = page.evaluate(
        "[document.documentElement.scrollWidth - innerWidth,"
        " document.documentElement.scrollHeight - innerHeight]"
    )
    return across, down


@pytest.mark.parametrize("scene", sorted(SCENES))
def test_every_scene_fits_and_can_be_tapped(browser: Browser, scene: str) -> None:
    """No page is wider than a phone, the board fits a television, every button fits a thumb."""
    with served(SCENES[scene]) as house:
        page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
        page.goto(house.host_url)
        assert sticks_out(page)[0] <= 0
        page.goto(f"{house.url}desk")
        assert sticks_out(page)[0] <= 0
        boxes = [button.bounding_box() for button in page.locator("button:visible").all()]
        assert len(boxes) > 2
        assert all(box and min(box["height"], box["width"]) >= TAP_PX for box in boxes)
        page.close()
        wide = browser.new_page(viewport={"width": TELEVISION[0], "height": TELEVISION[1]})
        wide.goto(house.url)
        assert max(sticks_out(wide)) <= 0
        wide.close()


def test_a_page_that_sticks_out_is_seen(browser: Browser) -> None:
    """Something wider and higher than the screen is measured."""
    page = browser.new_page(viewport={"width": PHONE[0], "height": PHONE[1]})
    page.set_content('<body style="margin:0"><p style="width:400px;height:900px;margin:0">')
    assert sticks_out(page) == (10, 56)
    page.close()


def test_a_turn_of_topple_is_tapped_in(phone: BrowserContext) -> None:
    """Die, colour, spot: three taps; then it falls, and one tap takes that back."""
    with served(lambda: sit("topple", seats=2)) as house:
        page = phone.new_page()
        page.goto(house.host_url)
        page.get_by_role("link", name="Host's desk").click()
        page.get_by_role("button", name="3", exact=True).click()
        expect(page.locator("#waiting")).to_have_text("Ann places a piece on a spot of level 3.")
        page.get_by_text("Blue", exact=True).click()
        page.locator('button[value="place 20"]').click()
        expect(page.locator("#last-move")).to_contain_text("Ann: blue on A3")
        page.get_by_role("button", name="6", exact=True).click()
        house.do(lambda sitting: hear(sitting, tower("topple")))
        expect(page.locator("#moment")).to_have_text("It fell while Bob was placing")
        page.locator("#nothing-fell").click()
        expect(page.locator("#fallen")).to_have_count(0)
        expect(page.locator("#waiting")).to_contain_text("Bob places")
        page.close()


def test_a_card_and_its_spin_are_tapped_in(phone: BrowserContext) -> None:
    """The player's own phone plays the card; the board follows by itself."""
    with served(lambda: sit("uno_tiki", "turn tiki-draw4", "turn red-7")) as house:
        link = house.do(lambda _: house.pub.keys.invitation(1))
        page, board = phone.new_page(), phone.new_page()
        board.goto(house.url)
        page.goto(f"{house.url}join/{link}")
        page.get_by_role("button", name="I am Bob").click()
        page.get_by_role("button", name="red 2 with Spin").click()
        expect(board.locator("[data-top]")).to_have_attribute("data-top", "red 2 with Spin")
        page.get_by_role("button", name="Cem").click()
        expect(board.locator("#moment")).to_have_text("Cem! Draw 4")
        expect(board.locator('[data-seat="2"] .held')).to_have_text("11 cards")
        page.close()
        board.close()


def test_a_lesson_is_taught_with_a_thumb(phone: BrowserContext) -> None:
    """What a device waits for comes first; each press leads on, and the button is a big one."""
    with served(lambda: sit("uno_tiki", *TO_SPIN, seats=10)) as house:
        house.pub.app.state.site.lessons = {"idol": Counting()}
        page = phone.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}desk")
        assert sticks_out(page)[0] <= 0
        for number in range(2):
            button = page.get_by_role("button", name=f"Say {number}")
            box = button.bounding_box()
            assert box
            assert box["height"] >= 1.4 * TAP_PX
            assert box["y"] + box["height"] < PHONE[1]
            button.click()
        expect(page.locator("[data-step]")).to_have_text("Step 2")
        page.close()
