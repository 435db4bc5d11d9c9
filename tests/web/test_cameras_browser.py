"""The cameras of the set-up page in a real browser."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.cameras import SETTINGS, connect, film, table_picture
from tests.evenings import KEY
from tests.web.screens import PHONE, grave, sticks_out
from tests.wired_tables import at_home
from vision.capture.camera_list import FoundCamera


def test_a_camera_is_chosen_on_a_phone(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is seen small, tapped, and the page is about it; one that is gone is said."""
    table = table_picture()
    one, two = film(tmp_path / "C920.avi", table), film(tmp_path / "C270.avi", table[:, ::-1])
    gone = FoundCamera("video", str(tmp_path / "gone.avi"), "USB Camera", "/dev/video4")
    connect(monkeypatch, [one, two, gone])
    with at_home(tmp_path, SETTINGS) as house:
        page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        page.goto(f"{house.url}/?key={KEY}")
        page.goto(f"{house.url}/desk/set-up")
        expect(page.locator("#sentence")).to_contain_text("The picture is good")
        cameras = page.locator(".cameras li")
        expect(cameras).to_have_count(3)
        expect(page.locator(".cameras .current b")).to_have_text("C920")
        for at in range(2):
            picture = cameras.nth(at).locator("img")
            picture.scroll_into_view_if_needed()
            page.wait_for_function(
                "each => each.naturalWidth === 240", arg=picture.element_handle()
            )
        assert grave(page) == []
        assert sticks_out(page)[0] == 0
        page.get_by_role("button", name="Use USB Camera").click()
        expect(page.locator("#cameras .alert")).to_contain_text("USB Camera cannot be used")
        expect(page.locator(".cameras .current b")).to_have_text("C920")
        page.get_by_role("button", name="Use C270").click()
        expect(page.locator(".cameras .current b")).to_have_text("C270")
        expect(page.locator("#sentence")).to_contain_text("mirror")
        page.locator("#cameras summary").click()  # closed, now that one is chosen
        page.get_by_label("Address of a network camera").fill("garage")
        page.get_by_role("button", name="Use the network camera").click()
        expect(page.locator("#alert")).to_contain_text("not a camera’s address")
        page.context.close()


def test_without_a_camera_the_page_waits_for_one(
    browser: Browser, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """And shows it by itself once it is plugged in."""
    cameras: list[FoundCamera] = []
    connect(monkeypatch, cameras)
    with at_home(tmp_path, SETTINGS) as house:
        page = browser.new_context(viewport=PHONE, has_touch=True).new_page()
        page.goto(f"{house.url}/?key={KEY}")
        page.goto(f"{house.url}/desk/set-up")
        expect(page.get_by_text("No camera is connected yet")).to_be_visible()
        cameras.append(film(tmp_path / "C920.avi", table_picture()))
        expect(page.locator("#sentence")).to_contain_text("The picture is good")
        page.context.close()
