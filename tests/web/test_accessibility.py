"""Pages for everybody: what axe-core finds on each of them, in the dark and in the light."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.registry import GAMES
from tests.conftest import CHROMIUM
from tests.web.games import open_game
from tests.web.scenes import SCENES, in_the_middle
from tests.web.screens import PHONE, TELEVISION, UNFOLD, grave, sticks_out
from tests.web.serving import Served, served

HOSTS_PAGES = ("", "desk", "desk/new")
OTHERS = ("idol", "nowhere", "?view=maker", "?view=overlay")
"""Pages that look alike in all games, or that UNO Tiki alone has."""
TURNS = 9  # more, and the first round of Tiki Topple is over
# Longer than any text on the page: so that only what is really cut is found.
CUT_OFF = """(() => [...document.querySelectorAll(
    "main :is(p, h1, h2, h3, li, button, a, label, summary, legend, b, span)")]
  .filter((each) => each.offsetWidth && getComputedStyle(each).position != "absolute"
    && (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).overflowX != "visible"
        || each.getBoundingClientRect().right > innerWidth + 1))
  .map((each) => each.textContent.trim().slice(0, 60)))()"""


def pages_of(house: Served, context: BrowserContext) -> Iterator[Page]:
    """Yield every page that a host and a player may open, one after another."""
    page = context.new_page()
    page.goto(house.host_url)
    keys = house.pub.keys
    for seat in (0, 1):
        house.do(lambda _, seat=seat: keys.invite_anew(seat))  # type: ignore[misc]
    links = [keys.invitation(seat) for seat in (0, 1)]
    others = OTHERS if house.pub.live_session.game.name == "uno_tiki" else ()
    for path in (*HOSTS_PAGES, *others, f"join/{links[1]}"):
        page.goto(f"{house.url}{path}")
        yield page
    page.goto(f"{house.url}join/{links[0]}")
    page.locator("main form button").first.click()
    page.wait_for_url("**/seat", wait_until="load")
    yield page
    seqs = page.goto(f"{house.url}desk") and page.locator("[href^='/desk/correct/']")
    if seqs and seqs.count():
        page.goto(f"{house.url}{(seqs.first.get_attribute('href') or '')[1:]}")
        yield page


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["[topple]"])
def test_axe_finds_nothing_serious(browser: Browser, game: str) -> None:
    """Names, roles, contrast, order and whatever else a program can see, on every page."""
    with served(lambda: in_the_middle(game, TURNS)) as house:
        # axe is put into the page, which our own policy would not let anybody do.
        context = browser.new_context(bypass_csp=True, viewport=PHONE)
        found = [each for page in pages_of(house, context) for each in grave(page)]
    assert found == []


@pytest.mark.parametrize("scene", ["asked", "doubted", "between", "toasted"])
@pytest.mark.slow(keep=["asked"])
def test_axe_finds_nothing_serious_in_a_moment(browser: Browser, scene: str) -> None:
    """A question, a wrong line and what just happened, on a television."""
    with served(SCENES[scene]) as house:
        page = browser.new_page(bypass_csp=True, viewport=TELEVISION)
        page.goto(house.url)
        assert grave(page) == []


def test_axe_finds_what_is_serious(browser: Browser) -> None:
    """The check can fail: a button without a name, letters that are hardly there in the dark."""
    page = browser.new_page()
    page.set_content(
        '<html lang="en"><title>x</title><main><h1>x</h1><button></button>'
        "<style>@media (prefers-color-scheme: dark) { p { color: #bbb } }</style><p>faint</p>"
    )
    ids = " ".join(grave(page))
    assert "button-name" in ids
    assert "color-contrast" in ids


@pytest.fixture
def large(browser: Browser) -> Iterator[Browser]:
    """Start a browser whose owner has letters of 32 pixels instead of 16."""
    found = browser.browser_type.launch(
        executable_path=str(CHROMIUM),
        args=["--no-sandbox", "--blink-settings=defaultFontSize=32"],
    )
    yield found
    found.close()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.slow(keep=["tiki_topple"])
def test_large_letters_lose_nothing(large: Browser, game: str) -> None:
    """At 200 % all of a phone's pages can be read by scrolling down alone."""
    with served(lambda: in_the_middle(game, TURNS)) as house:
        for page in pages_of(house, large.new_context(viewport=PHONE)):
            if "overlay" in page.url or "/join/" in page.url:
                continue  # sized by its window; nothing on it but a name
            page.evaluate(UNFOLD)
            assert sticks_out(page)[0] <= 0, page.url
            assert page.evaluate(CUT_OFF) == [], page.url


def test_the_skip_link_comes_first_and_leads_to_the_game(browser: Browser) -> None:
    """One key shows it, another follows it; every focus can be seen."""
    with served(lambda: open_game("topple")) as house:
        page = browser.new_page()
        page.goto(house.host_url)
        page.keyboard.press("Tab")
        link = page.locator(".skip")
        expect(link).to_be_focused()
        expect(link).to_be_in_viewport()
        width = "parseFloat(getComputedStyle(document.activeElement).outlineWidth)"
        assert page.evaluate(width) >= 3
        page.keyboard.press("Enter")
        expect(page.locator("#content")).to_be_focused()


def test_nothing_moves_for_who_wants_no_motion(browser: Browser) -> None:
    """No animation and no transition is left on a page that asks a question."""
    with served(SCENES["asked"]) as house:
        page = browser.new_page(reduced_motion="reduce")
        page.goto(house.url)
        expect(page.locator("#question .sign")).to_be_visible()
        assert page.evaluate("document.getAnimations().length") == 0
        page.emulate_media(reduced_motion="no-preference")
        assert page.evaluate("document.getAnimations().length") > 0


def test_both_schemes_are_offered_and_differ(browser: Browser) -> None:
    """The page says that it knows both, and its ground is dark in one, light in the other."""
    grounds = []
    with served(lambda: open_game("topple")) as house:
        page = browser.new_page(color_scheme="dark")
        page.goto(house.url)
        offered = page.locator("meta[name=color-scheme]").get_attribute("content")
        assert offered == "dark light"
        for _ in range(2):
            ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
            grounds.append(sum(map(int, ground[4:-1].split(","))))
            page.emulate_media(color_scheme="light")
    assert grounds[0] < 150 < 600 < grounds[1]
