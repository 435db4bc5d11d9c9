"""The pages in a real browser: Debian's Chromium, driven by Playwright."""

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from companion.rules.tiki_topple import TIKIS
from tests.tables import see, sit_down
from tests.web.lines import LOKAHI_UP
from tests.web.screens import PHONE, TAP_PX, TELEVISION, sticks_out
from tests.web.serving import served

HEAVIEST = 100 * 1024


def line_of(page: Page) -> list[str | None]:
    """Return the tikis that the page's picture of the line shows."""
    return [slot.get_attribute("data-tiki") for slot in page.locator("[data-slot]").all()]


def test_a_move_appears_by_itself(phone: BrowserContext) -> None:
    """What the camera sees stands on an open page a moment later, without a reload."""
    with served(sit_down) as house:
        page = phone.new_page()
        page.goto(house.url)
        assert line_of(page) == list(TIKIS)
        page.evaluate("window.stayed = true")
        house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))
        expect(page.locator("#last-move")).to_contain_text("Ann: Tiki Up 1 on Lokahi")
        expect(page.locator("#turn")).to_contain_text("Bob")
        assert line_of(page) == list(LOKAHI_UP)
        assert page.evaluate("window.stayed")
        expect(page.locator("#announcement")).to_contain_text("Ann: Tiki Up 1 on Lokahi. Bob")


def test_the_page_is_light(phone: BrowserContext) -> None:
    """All that a phone loads for the scoreboard is less than 100 KiB."""
    sizes: list[int] = []
    with served(sit_down) as house:
        page = phone.new_page()
        page.on(
            "requestfinished",
            lambda request: sizes.append(request.sizes()["responseBodySize"]),
        )
        page.goto(house.url, wait_until="load")
        expect(page.locator("#turn")).to_be_visible()
        page.close()
    assert len(sizes) >= 4
    assert 5_000 < sum(sizes) < HEAVIEST


def test_a_lost_connection_is_said_and_mends_itself(phone: BrowserContext) -> None:
    """While the companion is gone the page says so; when it is back, the page follows again."""
    with served(sit_down) as house:
        page = phone.new_page()
        page.goto(house.url)
        expect(page.locator("#connection")).to_be_hidden()
        port = house.port
    expect(page.locator("#connection")).to_have_text(re.compile("Connection lost"))
    with served(lambda: sit_down(line=LOKAHI_UP), port):
        expect(page.locator("#connection")).to_be_hidden()
        expect(page.locator('[data-slot="0"]')).to_have_attribute("data-tiki", "lokahi")
        page.close()


@pytest.mark.parametrize(("beat_s", "asks_again"), [(0.5, False), (60.0, True)])
@pytest.mark.slow
def test_a_page_that_hears_nothing_asks_again(
    phone: BrowserContext, monkeypatch: pytest.MonkeyPatch, beat_s: float, asks_again: bool
) -> None:
    """While beats come in the page is content; without them it connects anew by itself."""
    monkeypatch.setattr("companion.web.http.streams.BEAT_S", beat_s)
    page = phone.new_page()
    streams: list[str] = []
    page.on("request", lambda request: streams.append(request.url))
    page.clock.install()
    with served(sit_down) as house:
        page.goto(house.url)
        expect(page.locator("#connection")).to_be_hidden()
        for _ in range(4):  # a page gives up after 25 s, and a busy machine may hold up a beat
            page.wait_for_timeout(1_000)
            page.clock.run_for(8_000)
        page.wait_for_timeout(500)
        page.close()
    assert (sum("/live?" in url for url in streams) > 1) is asks_again


def test_the_host_answers_by_a_tap(phone: BrowserContext) -> None:
    """A standing question is settled on the scoreboard itself, with targets fit for a thumb."""
    with served(sit_down) as house:
        page = phone.new_page()
        page.goto(house.host_url)
        assert page.url == house.url
        house.do(
            lambda live_session: live_session.observe(
                see("1", ("nani", "lokahi", "hookipa", *TIKIS[3:]))
            )
        )
        button = page.locator("#question [data-candidate]").first
        expect(button).to_be_visible()
        box = button.bounding_box()
        assert box
        assert box["height"] >= TAP_PX
        button.click()
        expect(page.locator("#question")).to_have_count(0)
        assert page.url == house.url
        page.close()


def test_the_host_needs_no_script(browser: Browser) -> None:
    """Where scripts are off, the same forms do it all."""
    with served(sit_down) as house:
        context = browser.new_context(java_script_enabled=False)
        page = context.new_page()
        page.goto(house.host_url)
        page.goto(f"{house.url}desk")
        page.locator('label[for="card-up1"]').click()
        page.locator('button[value="up1 lokahi"]').click()
        assert page.url == f"{house.url}desk"
        expect(page.locator("#last-move")).to_contain_text("Ann: Tiki Up 1 on Lokahi")
        page.locator("#undo").click()
        expect(page.locator("#last-move")).to_have_text("")
        context.close()


@pytest.mark.parametrize("scene", ["playing", "wrong"])
def test_nothing_sticks_out_of_the_screen(browser: Browser, scene: str) -> None:
    """A phone scrolls down only; a television, which nobody scrolls, not at all."""
    with served(sit_down) as house:
        if scene == "wrong":
            house.do(lambda live_session: live_session.observe(see("1", (*TIKIS[::-1],))))
        page = browser.new_page(viewport=PHONE)
        page.goto(house.url)
        assert sticks_out(page)[0] <= 0
        page.set_viewport_size(TELEVISION)
        assert max(sticks_out(page)) <= 0
