"""A picture of the result: drawn in the browser, of the game's own names, and shared or saved."""

import json
import re
from html import unescape
from pathlib import Path

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import Browser, Page, expect

from companion.registry import GAMES
from tests.referee.played import play
from tests.web.score_sheets import result
from tests.web.screens import PHONE, grave, sticks_out
from tests.web.serving import served
from tests.web.visitors import assert_silent_about, open_pub
from tests.web.well_formed import read_page

SIZE = (1080, 1350)
EDGE_PX = 80
SHARING = """
window.shared = [];
navigator.canShare = ({ files }) => files.length === 1;
navigator.share = (given) => {
  window.shared.push([given.files[0].name, given.files[0].type, given.files[0].size]);
  return Promise.reject(new DOMException("", "WHY"));
};
"""


def saved(page: Page, url: str, file: Path) -> Image.Image:
    """Return the picture that a tap on *url*'s button saves."""
    page.goto(f"{url}games/1")
    expect(page.locator("#share canvas")).to_be_visible()
    with page.expect_download() as found:
        page.locator("#share button").click()
    assert re.fullmatch(r"score-sheet-\d{4}-\d\d-\d\d\.png", found.value.suggested_filename)
    found.value.save_as(file)
    with Image.open(file) as picture:
        assert picture.format == "PNG"
        return picture.convert("RGB")


def test_the_picture_has_names_and_points(browser: Browser, tmp_path: Path) -> None:
    """Another name changes its row, and the sentence if it has won; nothing leaves the machine."""
    asked: list[str] = []
    complaints: list[str] = []
    pictures = []
    for number, names in enumerate((("Ann", "Bob"), ("Ann", "Bob"), ("Eva", "Bob"))):
        with served(result(names)) as house:
            context = browser.new_context(viewport=PHONE)
            page = context.new_page()
            page.on("console", lambda message: complaints.append(message.text))
            page.on("request", lambda request: asked.append(request.url))
            picture = saved(page, house.url, tmp_path / f"{number}.png")
            assert not [url for url in asked if not url.startswith((house.url, "blob:"))]
            assert sticks_out(page)[0] <= 0
            assert grave(page) == []
            context.close()
        asked.clear()
        pictures.append(picture)
    assert complaints == []
    assert pictures[0].size == SIZE
    colours = pictures[0].getcolors(SIZE[0] * SIZE[1])
    assert colours is not None
    assert len(colours) > 50
    assert max(count for count, _ in colours) < 0.8 * SIZE[0] * SIZE[1]
    assert ImageChops.difference(pictures[0], pictures[1]).getbbox() is None
    left, top, right, bottom = ImageChops.difference(pictures[0], pictures[2]).getbbox() or (0,) * 4
    assert EDGE_PX < left < right < SIZE[0] - EDGE_PX
    assert bottom - top < 80  # the loser's row alone


def test_many_and_long_names_stay_in_the_picture(browser: Browser, tmp_path: Path) -> None:
    """Ten players with names of twenty broad letters, and points of three digits."""
    names = [f"{'W' * 19}{seat}" for seat in range(10)]
    with served(result(names, (998,) * 9 + (999,))) as house:
        context = browser.new_context(viewport=PHONE)
        picture = saved(context.new_page(), house.url, tmp_path / "many.png")
        context.close()
    for side in ((0, 560, EDGE_PX, 1160), (SIZE[0] - EDGE_PX, 560, SIZE[0], 1160)):
        assert len(picture.crop(side).getcolors() or range(9)) == 1


@pytest.mark.parametrize(("why", "is_saved"), [("AbortError", False), ("NotAllowedError", True)])
def test_where_the_browser_can_it_is_shared(browser: Browser, why: str, *, is_saved: bool) -> None:
    """Who thinks better of it gets no file; where sharing fails it is saved."""
    with served(result(("Ann", "Bob"))) as house:
        context = browser.new_context(viewport=PHONE)
        page = context.new_page()
        page.add_init_script(SHARING.replace("WHY", why))
        saved_files: list[str] = []
        page.on("download", lambda each: saved_files.append(each.suggested_filename))
        page.goto(f"{house.url}games/1")
        page.locator("#share button").click()
        page.wait_for_function("window.shared.length")
        ((name, kind, size),) = page.evaluate("window.shared")
        assert (name.startswith("score-sheet-"), kind) == (True, "image/png")
        assert size > 10_000
        page.wait_for_timeout(300)
        assert bool(saved_files) is is_saved
        context.close()


@pytest.mark.parametrize("game", GAMES)
def test_only_the_end_of_a_game_has_a_picture(game: str) -> None:
    """With what everyone has seen; nothing that a seat keeps for itself."""
    live_session = play(game, 1, 2000)
    pub = open_pub(live_session)
    page = pub.stranger().get("/games/1").text
    read_page(page)
    (data,) = re.findall(r"data-result='([^']*)'", page)
    found = json.loads(unescape(data))
    assert [each["name"] for each in found["players"]] == [*live_session.header.players]
    assert_silent_about(data, "ranks", "card 0", "hand")
    sign = pub.stranger().get(found["sign"])
    assert (sign.status_code, sign.headers["content-type"]) == (200, "image/svg+xml")
    assert "data-result" not in pub.stranger().get("/games/1?step=1").text
    live_session.referee.undo()
    assert "data-result" not in pub.stranger().get("/games/1").text


def test_a_name_with_quotes_does_not_leave_its_place() -> None:
    """It is data for the drawing, whatever it holds."""
    name = "\"'><script>"
    page = open_pub(result((name, "Bob"))()).stranger().get("/games/1").text
    read_page(page)
    (data,) = re.findall(r"data-result='([^']*)'", page)
    assert json.loads(unescape(data))["players"][0]["name"] == name


def test_a_sign_of_no_game_is_not_there() -> None:
    """As any page that is none."""
    answer = open_pub(result(("Ann", "Bob"))()).stranger().get("/static/signs/chess.svg")
    assert answer.status_code == 404


def test_a_phone_is_led_to_the_picture() -> None:
    """From the end of the game on its own page; not from the screen that all see."""
    pub = open_pub(result(("Ann", "Bob"))())
    link = 'href="/games/1#share"'
    assert link in pub.player(0).get("/seat").text
    assert link in pub.host().get("/desk").text
    assert link not in pub.stranger().get("/").text
