"""Pages in every language on a phone: nothing sticks out, and nothing is cut off."""

import random

import pytest
from playwright.sync_api import Browser, Page

from companion.language.catalogue import LANGUAGES
from companion.referee.live_session import LiveSession
from companion.registry import GAMES
from tests.enterable import enterable
from tests.referee.entering import tell
from tests.web.games import open_game
from tests.web.screens import PHONE, UNFOLD, sticks_out
from tests.web.serving import served

BOXES = "button, h1, h2, summary, label, .button, td, th, p, li"
CUT = f"""() => [...document.querySelectorAll("{BOXES}")]
  .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1
    && getComputedStyle(each).display != "inline")
  .map((each) => each.textContent.trim().slice(0, 60))"""


def cut_off_texts(page: Page) -> list[str]:
    """Return the texts that do not fit into their own boxes."""
    found: list[str] = page.evaluate(CUT)
    return found


def played(game: str) -> LiveSession:
    """Return a session of *game* after some random turns."""
    live_session, rng = open_game(game, 4), random.Random(4)
    for _ in range(25):
        if offers := enterable(live_session):
            tell(live_session, rng.choice(offers))
    return live_session


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["uno_tiki-de"])
def test_texts_fit_on_a_phone(browser: Browser, game: str, language: str) -> None:
    """The board, a seat, the desk, a new game and the rules, all that is folded away unfolded."""
    with served(lambda: played(game)) as house:
        page = browser.new_page(viewport=PHONE, locale=language)
        page.goto(house.host_url)
        page.goto(f"{house.url}join/{house.pub.keys.invitation(0)}")
        page.locator("main form button").first.click()
        for path in ("", "seat", "desk", "desk/new", "rules"):
            page.goto(f"{house.url}{path}")
            assert page.locator("html").get_attribute("lang") == language
            page.evaluate(UNFOLD)
            assert sticks_out(page)[0] <= 0, path
            assert cut_off_texts(page) == [], path


def test_a_text_that_does_not_fit_is_seen(browser: Browser) -> None:
    """A word that is too long for its button fails."""
    page = browser.new_page()
    page.set_content("<button style='width:40px;overflow:hidden'>Donaudampfschifffahrt</button>")
    assert cut_off_texts(page) == ["Donaudampfschifffahrt"]
    page.close()
