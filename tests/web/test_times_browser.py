"""Times on pages: in the reader's own zone, and without a script in the server's, by its name."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from companion.referee.live_session import LiveSession
from companion.web.times import time_of
from tests.hub.pictures import serving
from tests.hub.publishing import Table, keep
from tests.hub.visiting import open_house
from tests.tables import open_log, sit_down
from tests.web.serving import served

BEGUN = datetime(2026, 3, 3, 23, 5, 7, 200_000, tzinfo=UTC)
LOCALES = {
    "en-GB": "4 Mar 2026 · 08:05",
    "en-US": "Mar 4, 2026 · 8:05 AM",
    "de": "4. März 2026 · 08:05",
}


@pytest.fixture
def _in_new_york(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Put this machine into another zone."""
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def begun() -> LiveSession:
    """Return a session that was begun in a night of March."""
    return sit_down(log=open_log(now=lambda: BEGUN.isoformat(timespec="milliseconds")))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.usefixtures("_in_new_york")
def test_a_game_began_when_the_reader_says_it_did(browser: Browser, locale: str) -> None:
    """In the zone and the way of writing of the browser, wherever the companion stands."""
    with served(begun) as house:
        page = browser.new_context(locale=locale, timezone_id="Asia/Tokyo").new_page()
        page.goto(f"{house.url}games/1")
        expect(page.locator("time")).to_have_text(LOCALES[locale])
        expect(page.locator("time")).to_have_attribute("datetime", "2026-03-03T23:05:07Z")
        page.context.close()


@pytest.mark.usefixtures("_in_new_york")
def test_without_a_script_the_zone_is_named(browser: Browser) -> None:
    """The time is the server's, and says so."""
    with served(begun) as house:
        page = browser.new_context(java_script_enabled=False, locale="de").new_page()
        page.goto(f"{house.url}games/1")
        expect(page.locator("time")).to_have_text("03.03.2026 · 18:05 EST")
        page.context.close()


@pytest.mark.usefixtures("_in_new_york")
def test_what_is_new_has_no_day() -> None:
    """Today's times have none; whose today it is, is the reader's zone again."""
    now = BEGUN + timedelta(hours=1)
    assert ">6:05\u202fPM EST</time>" in time_of(BEGUN, now)
    assert ">3/3/26 · 6:05\u202fPM EST</time>" in time_of(BEGUN, now + timedelta(days=1))


def test_the_hub_s_times_are_the_reader_s_also_when_they_change(
    browser: Browser, tmp_path: Path
) -> None:
    """A table that is away, on a page that was open before."""
    with open_house(tmp_path) as house, serving(house) as url:
        page = browser.new_context(locale="en-GB", timezone_id="Asia/Tokyo").new_page()
        page.goto(url)
        page.clock.set_fixed_time(BEGUN + timedelta(hours=2))
        keep(house.database, Table("pub").event(at=BEGUN), now=BEGUN)
        house.refresh()
        away = page.locator(".note.away")
        expect(away).to_have_text("Away since 08:05")
        page.clock.set_fixed_time(BEGUN + timedelta(days=2))
        page.reload()
        expect(away).to_have_text("Away since 04/03/2026 · 08:05")
        page.context.close()
