"""Phones at a table: several real browsers around one game, with every tap counted."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Final

from playwright.sync_api import Browser, Locator, Page

from companion.referee.live_session import LiveSession
from tests.web.screens import PHONE
from tests.web.serving import Served, served

PATIENCE_S: Final = 60.0
EXPECTED: Final = ("ERR_CONNECTION", "status of 400", "status of 409")
"""In a browser's console: that the house closes, and that a form was refused."""


@dataclass
class Phone:
    """A browser with one page that stays open.  taps: how often it was touched."""

    page: Page
    house: Served
    taps: int = 0

    def tap(self, piece: str | Locator) -> None:
        """Touch *piece*, which must be there and visible: nothing is unfolded for free."""
        found = self.page.locator(piece).first if isinstance(piece, str) else piece
        found.click()
        self.taps += 1

    def reach(self, piece: str | Locator) -> None:
        """Touch whatever hides *piece*, each of it counted, and then *piece*."""
        found = self.page.locator(piece).first if isinstance(piece, str) else piece
        while (closed := found.locator("xpath=ancestor::details[not(@open)]")).count():
            self.tap(closed.first.locator("> summary"))
        self.tap(found)

    def enter(self, piece: str | Locator) -> int:
        """Touch *piece* and wait until the log has grown by it; return how many taps it took."""
        begun, before = self.taps, self.house.do(entries)
        self.reach(piece)
        until = monotonic() + PATIENCE_S
        while self.house.do(entries) == before:
            alert = self.page.locator("#alert")
            assert not alert.count(), alert.text_content()
            assert monotonic() < until, f"{piece} was tapped, and nothing happened"
            sleep(0.01)
        return self.taps - begun


def entries(live_session: LiveSession) -> tuple[int, int]:
    """Return the number of the session and how much is logged in it."""
    return live_session.session.number, live_session.session.next_seq


@dataclass
class Table:
    """A game in play with the host's browser and a phone for each seat."""

    house: Served
    host: Phone
    seats: list[Phone]

    @property
    def taps(self) -> int:
        """How often all phones were touched."""
        return sum(phone.taps for phone in (self.host, *self.seats))


@contextmanager
def table_of(browser: Browser, make_session: Callable[[], LiveSession]) -> Iterator[Table]:
    """Lay a table for the session: a phone at each seat with its own page open, and the host's.

    Fails if a page has complained in its console.
    """
    complaints: list[str] = []

    def phone(house: Served, method: str, entrance: str, path: str) -> Phone:
        context = browser.new_context(viewport=PHONE, has_touch=True)
        context.on("console", lambda message: complaints.append(message.text))
        context.on("weberror", lambda error: complaints.append(str(error.error)))
        context.request.fetch(entrance, method=method)
        page = context.new_page()
        page.goto(f"{house.url}{path}")
        return Phone(page, house)

    with served(make_session) as house:
        host = phone(house, "GET", house.host_url, "desk")
        players = range(len(house.pub.live_session.header.players))
        links = [f"{house.url}join/{house.pub.keys.invitation(seat)}" for seat in players]
        seats = [phone(house, "POST", link, "seat") for link in links]
        yield Table(house, host, seats)
        for each in (host, *seats):
            each.page.context.close()
    assert [each for each in complaints if not any(word in each for word in EXPECTED)] == []
