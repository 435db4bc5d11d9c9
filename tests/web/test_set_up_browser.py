"""The set-up page in a real browser: the live picture, corners that are dragged, and learning."""

from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.referee.live_session import LiveSession
from tests.tables import sit_down
from tests.web.setting_up import picture_of, set_table
from tests.web.test_browser import browser, pytestmark

__all__ = ["browser", "pytestmark"]

PHONE: ViewportSize = {"width": 390, "height": 844}


def open_page(browser: Browser, host_url: str, size: ViewportSize = PHONE) -> Page:
    """Return the set-up page in the host's browser."""
    page = browser.new_context(viewport=size, has_touch=True).new_page()
    page.goto(host_url)
    page.goto(host_url.partition("?")[0] + "desk/set-up")
    return page


def lay() -> LiveSession:
    """Return a game whose line is not known yet."""
    return sit_down(line=None)


def test_the_table_is_seen_and_learned(browser: Browser, tmp_path: Path) -> None:
    """Live picture, overlay and meters; one press, and what is weakest under this lamp."""
    with set_table(lay, picture_of("tiki_topple"), tmp_path) as (house, _):
        page = open_page(browser, house.host_url)
        expect(page.locator("#sentence")).to_contain_text("All is seen well", timeout=20_000)
        expect(page.locator("#overlay .tile")).to_have_count(4)
        expect(page.locator("#overlay .place")).to_have_count(9)
        expect(page.locator(".gauges .good")).to_have_count(3)
        page.get_by_role("button", name="Let the camera learn this table").click()
        expect(page.locator("#lesson")).to_contain_text("has learned this table", timeout=20_000)
        expect(page.locator("#lesson")).to_contain_text("Hookipa and Eepo")
        assert (tmp_path / "games.tiki_topple.colours.json").exists()
        page.context.close()
