"""The pages in a browser: for everybody, from four metres, on a phone, and up to date."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from tests.hub.pictures import draw, fill, serving
from tests.hub.publishing import Table, keep
from tests.hub.visiting import HOST_KEY, House, open_house
from tests.web.screens import PHONE, TELEVISION, grave, small_texts, sticks_out

PATHS = ("/", "/tables/table-1", "/standings?of=all", "/tournament", "/tournament?number=1")
MATTERS = (".tiles h2", ".tiles .who", ".tiles .points", ".match .who[translate]", ".match .points")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Give a hub that knows twelve tables and a tournament of eight."""
    with open_house(tmp_path_factory.mktemp("hub")) as house:
        fill(house, 12)
        draw(house)
        house.refresh()
        yield house


@pytest.fixture(scope="module")
def url(house: House) -> Iterator[str]:
    """Return where its pages are."""
    with serving(house) as address:
        yield address


@pytest.mark.parametrize("size", [PHONE, TELEVISION], ids=["phone", "television"])
@pytest.mark.slow(keep=["phone"])
def test_everybody_can_use_the_pages(browser: Browser, url: str, size: ViewportSize) -> None:
    """Nothing grave by axe-core for the host, who sees all that a guest sees; nothing sticks out.

    In German, whose words are the longest.
    """
    page = browser.new_page(viewport=size, locale="de")
    page.goto(f"{url}/?key={HOST_KEY}")
    for path in PATHS:
        page.goto(url + path)
        assert grave(page) == []
        assert sticks_out(page)[0] <= 0, path


@pytest.mark.parametrize("path", ["/", "/tournament"])
def test_a_dozen_tables_and_a_bracket_are_read_from_four_metres(
    browser: Browser, url: str, path: str
) -> None:
    """No letter that matters is under 40 pixels, and all of it is on the screen at once."""
    page = browser.new_page(viewport=TELEVISION)
    page.goto(url + path)
    small = [each for each in small_texts(page, MATTERS) if float(each.split()[-2]) < 38.5]
    assert small == []
    below = page.evaluate(
        "[...document.querySelectorAll('.tile, .match')].filter("
        "(each) => each.getBoundingClientRect().bottom > innerHeight + 1).length"
    )
    assert below == 0
    page.close()


def test_the_pages_follow_the_tables(browser: Browser, url: str, house: House) -> None:
    """Without a reload; what a host is filling in stays."""
    page = browser.new_page()
    page.goto(f"{url}/?key={HOST_KEY}")
    page.goto(f"{url}/tournament")
    page.locator("#begin summary").click()
    page.locator("#new-name").fill("Next")
    now = datetime.now(UTC)
    cup = Table("table-5", players=("Cem", "Fatima"), mark="live", session=8)
    keep(house.database, cup.event([4, 9], [1], at=now), now=now)
    house.refresh()
    expect(page.locator(".match .winner").last).to_contain_text("Fatima")
    expect(page.locator("#new-name")).to_have_value("Next")
    page.close()
