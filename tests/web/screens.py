"""Screens for tests: their sizes, and what cannot be seen, read or tapped on a page."""

import io
from collections.abc import Iterator
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Error, Locator, Page, ViewportSize, expect

PHONE: Final[ViewportSize] = {"width": 390, "height": 844}
SMALL_PHONE: Final[ViewportSize] = {"width": 320, "height": 568}
TELEVISION: Final[ViewportSize] = {"width": 1920, "height": 1080}
TAP_PX: Final = 48
GRAVE: Final = ("serious", "critical")
LEAST_PX: Final = 40.0
# What has to be read from four metres: whose turn it is and what is waited for, names and scores,
# the question with its answers, the last move, what happens right now.
MATTERS: Final = (
    "#turn", "#clock", "#waiting", "#moment", "#last-move > b", "#last-move",
    ".player h2", ".player .score", ".player .held", ".player .crown",
    "#question h2", "#question p", "#question li", "#question button",
)  # fmt: skip
UNFOLD: Final = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


def photograph(shown: Page | Locator, **how: Any) -> Image.Image:
    """Return what *shown* looks like; a browser that was too busy to paint is asked again."""
    for _ in range(5):
        try:
            return Image.open(io.BytesIO(shown.screenshot(**how)))
        except Error as error:
            if "Unable to capture screenshot" not in str(error):
                raise
    return Image.open(io.BytesIO(shown.screenshot(**how)))


def sticks_out(page: Page) -> tuple[int, int]:
    """Return by how many pixels *page* is larger than the screen, across and down.

    A click returns once the next page has begun: it is waited for.
    """
    page.wait_for_load_state()
    across, down = page.evaluate(
        "[document.documentElement.scrollWidth - innerWidth,"
        " document.documentElement.scrollHeight - innerHeight]"
    )
    return across, down


def cut_off(page: Page) -> list[str]:
    """Return the pieces of *page* that are cut off or lie over another; of the moves a few will do.

    A television's page never scrolls: what does not fit is not seen.
    """
    found: list[str] = page.evaluate(
        """(() => {
          const all = [...document.querySelectorAll(".region")];
          const shown = all.filter((each) => each.offsetHeight);
          const box = (piece) => piece.getBoundingClientRect();
          const low = (piece) => Math.max(box(piece).bottom, ...[...piece.children].map(
            (each) => box(each).bottom));
          const apart = (one, other) => one.right <= other.left || other.right <= one.left
            || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;
          return shown.filter((piece) => box(piece).top < 0 || box(piece).bottom > innerHeight
            || (low(piece) > box(piece).bottom + 1 && piece.dataset.region != "history")
            || shown.some((other) => other != piece && !apart(box(piece), box(other)))
          ).map((piece) => piece.dataset.region);
        })()"""
    )
    return found


def assert_fits(browser: Browser, url: str, screen: ViewportSize, shown: str = "body") -> None:
    """Fail unless all of a page, with *shown* on it, can be seen at once on such a *screen*."""
    page = browser.new_page(viewport=screen)
    page.goto(url)
    expect(page.locator(shown)).to_be_visible()
    assert max(sticks_out(page)) <= 0, url
    assert not (found := cut_off(page)), found
    page.close()


def height_of(place: Locator) -> float:
    """Return how many pixels high something is on the screen."""
    box = place.bounding_box()
    assert box
    return box["height"]


def font_of(place: Locator) -> float:
    """Return the size of the letters in pixels."""
    return float(place.evaluate("(piece) => parseFloat(getComputedStyle(piece).fontSize)"))


def small_texts(page: Page, selectors: tuple[str, ...] = MATTERS) -> Iterator[str]:
    """Yield what matters, can be seen and is written in letters that are too small."""
    for selector in selectors:
        for piece in page.locator(f"{selector}:visible").all():
            words = (piece.text_content() or "").strip()
            size = piece.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")
            if words and size < LEAST_PX:
                yield f"{selector}: {words} has {size:.1f} px"


def violations(page: Page, *rules: str) -> list[dict[str, Any]]:
    """Return all that axe-core finds fault with on *page*, by *rules* or by all of them."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    if rules:
        options["runOnly"] = rules
    found: list[dict[str, Any]] = Axe().run(page, options=options).response["violations"]
    return found


def grave(page: Page) -> list[str]:
    """Return what axe-core calls serious or critical on *page*, all of which is unfolded.

    In the light; in the dark only contrasts are others.
    """
    page.evaluate(UNFOLD)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    dark = violations(page, "color-contrast")
    page.emulate_media(color_scheme="light")
    return [
        f"{page.url} {each['id']}: {node['html'][:200]}"
        for each in (*dark, *violations(page))
        for node in each["nodes"]
        if each["impact"] in GRAVE
    ]
