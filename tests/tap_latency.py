"""How long it takes from a tap on one phone until the other phones show what it did."""

import random
import statistics
from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, sync_playwright

from tests.conftest import CHROMIUM, no_browser
from tests.referee.entering import sit
from tests.web.phones import Phone, Table, entries, table_of

TAPS: Final = 100
SEATS: Final = 3
SHARE: Final = 0.99
DEADLINE_MS: Final = 5000
WATCH: Final = """() => {
  window.shown = 0;
  new MutationObserver(() => {
    window.shown = performance.timeOrigin + performance.now();
  }).observe(document.querySelector('[data-region="history"]'), {childList: true, subtree: true});
}"""
TOUCH: Final = """() => addEventListener("pointerdown", (event) => {
  sessionStorage.setItem("touched", performance.timeOrigin + event.timeStamp);
}, {capture: true})"""


def delays_ms(table: Table, taps: int = TAPS) -> list[float]:
    """Return how late each other page showed each of *taps* of random play, in milliseconds."""
    rng = random.Random(3)
    pages = [phone.page for phone in table.seats]
    for page in pages:
        page.add_init_script(f"({TOUCH})()")
        page.reload()
    found: list[float] = []
    while len(found) < taps * (len(pages) - 1):
        seat = table.house.do(lambda live: live.game.expected(live.session.state))
        if seat is None:
            break
        others = [page for page in pages if page is not pages[seat]]
        for page in others:
            page.evaluate(WATCH)
        touched = _tap(table, table.seats[seat], rng)
        found += [_shown(page) - touched for page in others]
    return found


def _tap(table: Table, phone: Phone, rng: random.Random) -> float:
    """Tap one of what is offered, and return when, in milliseconds of the common clock."""
    buttons = phone.page.locator(
        '.region.seat button[name="action"]:visible:not(:disabled):not(.grave)'
    )
    buttons.first.wait_for()
    before = table.house.do(entries)
    with phone.page.expect_navigation():
        buttons.nth(rng.randrange(buttons.count())).click()
    assert table.house.do(entries) != before
    return float(phone.page.evaluate("sessionStorage.getItem('touched')"))


def _shown(page: Page) -> float:
    page.wait_for_function("window.shown > 0", timeout=DEADLINE_MS)
    return float(page.evaluate("window.shown"))


def bench(row: Callable[[str, str, str], None]) -> None:
    """Print the median and the 99th percentile."""
    if reason := no_browser():
        row("a tap on one phone, shown on the others", "-", reason)
        return
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        with table_of(browser, lambda: sit("topple", seats=SEATS)) as table:
            found = sorted(delays_ms(table))
        browser.close()
    late = found[min(len(found) - 1, int(SHARE * len(found)))]
    row(f"a tap on one of {SEATS} phones, shown on another: median", _ms(found), "ms")
    row(f"  99 of 100 of {len(found)}", f"{late:.0f}", "ms, <= 300")


def _ms(found: list[float]) -> str:
    return f"{statistics.median(found):.0f}"
