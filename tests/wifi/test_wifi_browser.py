"""A phone in the own Wi-Fi: it is led to the page, chooses a network, and reads what next."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from companion.web.http import portal
from companion.wifi.own_wifi import OwnWifi
from companion.wifi.radio import Choice, Network, NotJoined
from tests.conftest import CHROMIUM
from tests.tables import sit_down
from tests.web.screens import PHONE, SMALL_PHONE, TELEVISION, assert_fits, grave, sticks_out
from tests.web.serving import Served, served
from tests.wifi.houses import open_wifi


@pytest.fixture(name="table")
def table_with_wifi(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Served, OwnWifi]]:
    """Serve a table whose own Wi-Fi is this machine's loopback."""
    monkeypatch.setattr(portal, "ADDRESS", "127.0.0.1")
    own_wifi = open_wifi()
    with served(sit_down, own_wifi=own_wifi) as found:
        yield found, own_wifi


def test_a_phone_chooses_a_network(browser: Browser, table: tuple[Served, OwnWifi]) -> None:
    """Whatever it asked for first; without a script, as the small browsers of phones have few."""
    found, own_wifi = table
    # As in that Wi-Fi, the name leads here.
    led = f"--host-resolver-rules=MAP captive.apple.com 127.0.0.1:{found.port}"
    phone = browser.browser_type.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", led])
    page = phone.new_context(viewport=PHONE, java_script_enabled=False).new_page()
    page.goto("http://captive.apple.com/hotspot-detect.html")
    expect(page).to_have_url(f"{found.url}wifi")
    page.get_by_label("Home").check()
    page.get_by_label("Password of that network").fill("eight or more")
    page.get_by_role("button", name="Join this network").click()
    expect(page.locator("#joining")).to_contain_text("Home")
    expect(page.locator("#joining")).to_contain_text("http://tiki.local:8321")
    assert own_wifi._choice == Choice("Home", "eight or more")
    phone.close()


def test_a_phone_reads_why_it_failed(phone: BrowserContext, table: tuple[Served, OwnWifi]) -> None:
    """And types the name of a network that is not listed."""
    found, own_wifi = table
    own_wifi.failed = ("Home", NotJoined("password"))
    page = phone.new_page()
    page.goto(f"{found.url}wifi")
    expect(page.locator("#alert")).to_contain_text("not right")
    page.get_by_label("Name of the network").fill("Attic")
    page.get_by_label("Another one").check()
    page.get_by_label("Password of that network").fill("eight or more")
    page.get_by_role("button", name="Join this network").click()
    expect(page.locator("#joining")).to_contain_text("Attic")
    assert own_wifi._choice == Choice("Attic", "eight or more", is_hidden=True)


def test_everybody_can_use_it(browser: Browser, table: tuple[Served, OwnWifi]) -> None:
    """On a small phone nothing sticks out, and axe-core finds nothing serious."""
    found, own_wifi = table
    own_wifi.networks = (*own_wifi.networks, Network("M" * 32, 90))
    own_wifi.failed = ("M" * 32, NotJoined("address"))
    page = browser.new_context(bypass_csp=True, viewport=SMALL_PHONE).new_page()
    page.goto(f"{found.url}wifi")
    assert (sticks_out(page)[0], grave(page)) == (0, [])
    page.get_by_label("Home").check()
    page.get_by_label("Password of that network").fill("eight or more")
    page.get_by_role("button", name="Join this network").click()
    expect(page.locator("#joining")).to_be_visible()
    assert (sticks_out(page)[0], grave(page)) == (0, [])


def test_the_tables_own_screen_has_room_for_it(browser: Browser) -> None:
    """Before a phone has come, and after: then it is shown how to join the game."""
    own_wifi = open_wifi()
    with served(sit_down, own_wifi=own_wifi, has_own_screen=True) as found:
        assert_fits(browser, found.url, TELEVISION, "#wifi-qr")
        own_wifi.is_visited = True
        found.do(lambda live_session: live_session.changed())
        assert_fits(browser, found.url, TELEVISION, "#join-qr")
