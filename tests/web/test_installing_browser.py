"""The pages as an app in a real browser: what it makes of the manifest, and out of reach."""

import io

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests import app_icons
from tests.tables import see, sit_down
from tests.web.lines import LOKAHI_UP
from tests.web.screens import PHONE, sticks_out
from tests.web.serving import served

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) found.push(...await (await caches.open(name)).keys());
  return found.map((each) => new URL(each.url).pathname).sort();
}"""


def visit(browser: Browser, url: str, language: str = "en") -> Page:
    """Return the page at *url*, once the worker is at work there."""
    page = browser.new_context(viewport=PHONE, locale=language).new_page()
    page.goto(url)
    page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return page


@pytest.mark.parametrize(
    ("language", "heading"), [("en", "The table is out of reach"), ("de", "nicht erreichbar")]
)
def test_out_of_reach_is_said_until_the_table_is_back(
    browser: Browser, language: str, heading: str
) -> None:
    """By name and address, in the reader's language; then the page that was wanted comes."""
    with served(sit_down) as house:
        port = house.port
        page = visit(browser, house.url, language)
    page.goto(f"http://127.0.0.1:{port}/?view=maker")
    expect(page.locator("h1")).to_contain_text(heading)
    expect(page.locator("main")).to_contain_text("Tiki Companion")
    expect(page.locator("main")).to_contain_text(f"http://127.0.0.1:{port}")
    assert page.evaluate("getComputedStyle(document.querySelector('a')).minHeight") == "52px"
    assert sticks_out(page)[0] <= 0
    with served(lambda: sit_down(line=LOKAHI_UP), port):
        expect(page.locator('[data-slot="0"]')).to_have_attribute("data-tiki", "lokahi")
        assert page.url.endswith("/?view=maker")
        page.context.close()


def test_the_worker_keeps_nothing_of_the_game(browser: Browser) -> None:
    """One page with its style and script; every other page is the companion's own, as it is now."""
    with served(sit_down) as house:
        page = visit(browser, house.url)
        link = house.do(lambda _: house.pub.keys.invitation(1))
        page.goto(f"{house.url}join/{link}")
        page.locator("main form button").first.click()
        assert page.evaluate(KEPT) == ["/offline", "/static/offline.css", "/static/offline.js"]
        page.goto(house.url)
        house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))
        page.reload()
        expect(page.locator('[data-slot="0"]')).to_have_attribute("data-tiki", "lokahi")
        assert page.evaluate(KEPT) == ["/offline", "/static/offline.css", "/static/offline.js"]
        page.context.close()


def test_another_language_is_kept_anew(browser: Browser) -> None:
    """The worker's address has the language, so that a browser fetches it and its page again."""
    with served(sit_down) as house:
        page = visit(browser, house.url)
        page.locator('.languages [lang="es"]').click()
        said = "() => caches.match('/offline').then((found) => found.text())"
        for _ in range(200):
            if "No se llega a la mesa" in page.evaluate(said):
                break
            page.wait_for_timeout(50)
        assert "No se llega a la mesa" in page.evaluate(said)
        page.context.close()


def test_the_browser_takes_the_manifest(browser: Browser) -> None:
    """It finds no fault with it, and would install the app."""
    with served(sit_down) as house:
        page = visit(browser, house.url)
        session = page.context.new_cdp_session(page)
        found = session.send("Page.getAppManifest")
        assert found["errors"] == []
        assert found["url"] == f"{house.url}manifest.webmanifest"
        assert '"/start"' in found["data"]
        assert session.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
        page.context.close()


@pytest.mark.parametrize(("size", "purpose"), app_icons.DRAWN)
def test_the_icons_are_those_of_the_sign(browser: Browser, size: str, purpose: str) -> None:
    """They are drawn from static/icon.svg; one that may be cut has no transparent edge."""
    kept, drawn = (
        np.asarray(Image.open(io.BytesIO(png)).convert("RGBA"), np.int16)
        for png in (
            app_icons.icon_file(size, purpose).read_bytes(),
            app_icons.draw(browser, size, purpose),
        )
    )
    assert kept.shape == (int(size), int(size), 4)
    assert np.abs(kept - drawn).mean() < 2  # another browser draws edges a little otherwise
    assert (int(kept[..., 3].min()) == 255) is (purpose == "maskable")
