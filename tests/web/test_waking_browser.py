"""Phones that slept, and taps that nobody answers: the page says so, and is right again soon."""

import re
import time

from playwright.sync_api import BrowserContext, Page, expect

from tests.tables import see, sit_down
from tests.web.lines import LOKAHI_UP
from tests.web.serving import Served, served
from tests.web.swallowing import Wire, wire_to

ANSWER_MS = 5_000
SECOND_MS = 7_000
# The driver asks a page nothing while that waits for its next one: the page taps by itself.
TAP_TWICE = """() => {
  const tap = (word) => document.querySelector(`[name=language][value=${word}]`).click();
  const told = document.getElementById("unanswered");
  const note = () => told.hidden || sessionStorage.setItem("told", performance.now() - tapped);
  new MutationObserver(note).observe(told, { attributes: true });
  const tapped = performance.now();
  setTimeout(tap, 0, "es");
  setTimeout(tap, SECOND_MS, "de");
}""".replace("SECOND_MS", str(SECOND_MS))
WAKE = "document.dispatchEvent(new Event('visibilitychange'))"


def opened(phone: BrowserContext, house: Served, wire: Wire) -> Page:
    """Return the host's scoreboard, which comes over *wire*."""
    page = phone.new_page()
    page.goto(house.host_url.replace(str(house.port), str(wire.port)))
    expect(page.locator("#connection")).to_be_hidden()
    return page


def move(house: Served) -> None:
    """Let the camera see a move."""
    house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))


def test_a_page_that_wakes_looks_at_once(phone: BrowserContext) -> None:
    """Its old connection says nothing any more, and the beats of 25 s are not waited for."""
    with served(sit_down) as house, wire_to(house.port) as wire:
        page = opened(phone, house, wire)
        wire.sleep()
        move(house)
        page.wait_for_timeout(500)
        assert page.locator('[data-slot="0"]').get_attribute("data-tiki") != "lokahi"
        wire.swallows = False
        page.evaluate(WAKE)
        first = page.locator('[data-slot="0"]')
        expect(first).to_have_attribute("data-tiki", "lokahi", timeout=3_000)
        expect(page.locator("#connection")).to_be_hidden()
        page.close()


def test_until_it_has_an_answer_the_page_is_marked(phone: BrowserContext) -> None:
    """If the first request is swallowed, another follows after 5 s, and not never."""
    with served(sit_down) as house, wire_to(house.port) as wire:
        page = opened(phone, house, wire)
        wire.sleep()
        move(house)
        page.evaluate(WAKE)
        expect(page.locator("#connection")).to_have_text(re.compile("Looking at the table again"))
        assert page.locator("body.lost").count() == 1
        expect(page.locator("#connection")).to_have_text(
            re.compile("Connection lost"), timeout=ANSWER_MS + 3_000
        )
        assert wire.swallowed
        wire.swallows = False
        first = page.locator('[data-slot="0"]')
        expect(first).to_have_attribute("data-tiki", "lokahi", timeout=ANSWER_MS + 5_000)
        expect(page.locator("#connection")).to_be_hidden()
        assert page.locator("body.lost").count() == 0
        page.close()


def test_a_tap_that_is_not_answered_is_told(phone: BrowserContext) -> None:
    """After 5 s; and a second tap counts."""
    with served(sit_down) as house, wire_to(house.port) as wire:
        page = opened(phone, house, wire)
        page.goto(page.url.partition("?")[0].rstrip("/") + "/desk")
        expect(page.locator("#unanswered")).to_be_hidden()
        wire.sleep()
        page.evaluate(TAP_TWICE)
        time.sleep(ANSWER_MS / 1000 + 1)
        wire.swallows = False
        expect(page.locator("html")).to_have_attribute("lang", "de", timeout=10_000)
        expect(page.locator("#unanswered")).to_be_hidden()
        waited_ms = float(page.evaluate("sessionStorage.getItem('told')"))
        assert ANSWER_MS - 500 < waited_ms < ANSWER_MS + 1_500
        page.close()
