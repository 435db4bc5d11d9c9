"""The set-up page in a real browser: the live picture, corners that are dragged, and learning."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from companion.referee.live_session import LiveSession
from companion.table.camera_lens import save_lens
from tests.tables import sit_down
from tests.web.screens import PHONE
from tests.web.setting_up import picture_of, set_table
from vision.geometry.lens import Lens


def open_page(browser: Browser, host_url: str, size: ViewportSize = PHONE) -> Page:
    """Return the set-up page in the host's browser."""
    page = browser.new_context(viewport=size, has_touch=True).new_page()
    page.goto(host_url)
    page.goto(host_url.partition("?")[0] + "desk/set-up")
    return page


def lay() -> LiveSession:
    """Return a game whose line is not known yet."""
    return sit_down(line=None)


def test_the_table_is_seen_and_learned(browser: Browser, tmp_path: Path) -> None:
    """Live picture, overlay and meters; one press, and what is weakest under this lamp."""
    with set_table(lay, picture_of("tiki_topple"), tmp_path) as (house, _):
        page = open_page(browser, house.host_url)
        expect(page.locator("#sentence")).to_contain_text("The picture is good")
        expect(page.locator("#overlay .tile")).to_have_count(4)
        expect(page.locator("#overlay .place")).to_have_count(9)
        expect(page.locator(".gauges .good")).to_have_count(3)
        page.get_by_role("button", name="Calibrate the camera").click()
        expect(page.locator("#lesson")).to_contain_text("is calibrated for this table")
        expect(page.locator("#lesson")).to_contain_text("Hookipa and Eepo")
        assert (tmp_path / "games.tiki_topple.colours.json").exists()
        page.context.close()


def test_corners_are_dragged_by_finger_and_by_keys(browser: Browser, tmp_path: Path) -> None:
    """They begin on what is seen; the drawn places follow, a lens shows the corner enlarged."""
    with set_table(lay, picture_of("tiki_topple"), tmp_path) as (house, table):
        page = open_page(browser, house.host_url)
        expect(page.locator("#overlay .outline")).to_have_count(1)
        page.locator("#by-corners summary").click()
        page.get_by_role("button", name="Drag the corners").click()
        expect(page.locator("#dragged .place")).to_have_count(9)
        right = page.locator("#corners").input_value()
        first = page.locator(".handle").first
        before = page.locator("#dragged .place").first.get_attribute("points")
        box = first.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 60, box["y"] + 50)
        expect(page.locator("#lens")).to_be_visible()
        page.mouse.up()
        expect(page.locator("#lens")).to_be_hidden()
        assert page.locator("#dragged .place").first.get_attribute("points") != before
        dragged = page.locator("#corners").input_value()
        first.focus()
        for key in ("ArrowLeft", "Shift+ArrowUp"):
            page.keyboard.press(key)
        keyed = [float(each) for each in page.locator("#corners").input_value().split()]
        moved = [a - float(b) for a, b in zip(keyed, dragged.split(), strict=True)]
        assert moved[0] == pytest.approx(-1 / 1280, abs=2e-5)
        assert moved[1] == pytest.approx(-10 / 720, abs=2e-5)
        assert moved[2:] == [0.0] * 6
        page.evaluate("value => { document.getElementById('corners').value = value; }", right)
        page.get_by_role("button", name="Calibrate the camera").click()
        expect(page.locator("#lesson")).to_contain_text("is calibrated for this table")
        assert table.setup.is_fitted("tiki_topple")
        page.context.close()


def test_a_lost_camera_and_a_dark_table_are_said_live(browser: Browser, tmp_path: Path) -> None:
    """The sentence changes by itself, and back."""
    picture = picture_of("tiki_topple")
    with set_table(lay, picture, tmp_path) as (house, table):
        page = open_page(browser, house.host_url)
        sentence = page.locator("#sentence")
        expect(sentence).to_contain_text("The picture is good")
        table.camera.picture = (picture * 0.2).astype(picture.dtype)
        expect(sentence).to_contain_text("Too dark")
        table.camera.picture = None
        expect(sentence).to_contain_text("gives no picture; plug it in")
        table.camera.picture = picture
        expect(sentence).to_contain_text("The picture is good")
        page.context.close()


def test_nothing_is_fetched_once_nobody_looks(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page is left, and the camera's pictures stay with the watcher."""
    monkeypatch.setattr("companion.table.live_view.INTEREST_S", 0.5)
    with set_table(lay, picture_of("tiki_topple"), tmp_path) as (house, table):
        page = open_page(browser, house.host_url)
        expect(page.locator("#sentence")).to_contain_text("The picture is good")
        page.goto(house.url)
        while table.watcher.live_view.look(0, 0.0).frame is not None:
            page.wait_for_timeout(800)  # longer than the interest in it, and this look is one


def test_the_camera_is_measured_with_a_tile_in_the_hand(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One press; the page says by itself how it goes, and offers it again."""
    monkeypatch.setattr("companion.table.lens_measuring.TIME_S", 3.0)
    save_lens(tmp_path / "games.db", "", Lens(75.0, 0.3))
    with set_table(lay, picture_of("tiki_topple"), tmp_path) as (house, _):
        page = open_page(browser, house.host_url)
        part = page.locator("#lens-measuring")
        expect(part).to_contain_text("Hold a printed corner tile close to the camera")
        part.get_by_role("button", name="Measure the camera").click()
        expect(part).not_to_contain_text("It takes ten seconds")
        expect(part).to_contain_text("Time is up")
        expect(part.get_by_role("button", name="Measure the camera")).to_be_visible()
        page.context.close()
