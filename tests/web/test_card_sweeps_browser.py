"""A phone is moved across a hand in a real browser, with a film in place of its camera."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.conftest import CHROMIUM
from tests.vision.hands import draw_hand, write_hand
from tests.vision.phones import jpeg_of
from tests.web.phones import Phone, Table, table_of
from tests.web.screens import grave, sticks_out
from tests.web.thirteen_cards import POINTS, THIRTEEN
from tests.web.uno_tiki_tables import counting

COVERED = (*THIRTEEN[:6], ("wild", "tiki"), *THIRTEEN[7:])
"""A hand with a Tiki Face, which has nothing in its corner."""
HIDE = """isHidden => {
  Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def write_film(path: Path, cards: tuple[tuple[str, str], ...]) -> Path:
    """Write what a phone sees that shakes above *cards* into *path*."""
    picture = draw_hand(cards, (78, 0), size=(1280, 720))
    with path.open("wb") as film:
        for shift in (0, 6, 12, 5):
            moved = np.roll(picture, (shift, -shift), axis=(0, 1))
            film.write(jpeg_of(moved) * 15)
    return path


@contextmanager
def filming(browser: Browser, film: Path | None) -> Iterator[Table]:
    """Give a table at whose end hands are counted, and whose phones see *film*; None: nothing."""
    flags = ["--no-sandbox"]
    if film is not None:
        flags += [
            "--use-fake-ui-for-media-stream",
            "--use-fake-device-for-media-stream",
            f"--use-file-for-fake-video-capture={film}",
        ]
    own = browser.browser_type.launch(executable_path=str(CHROMIUM), args=flags)
    try:
        with table_of(own, counting) as table:
            yield table
    finally:
        own.close()


def begin(phone: Phone) -> Page:
    """Tap the button below which the picture of the camera appears."""
    phone.tap("[data-card-sweep][data-kind=hand]")
    expect(phone.page.locator("#card-sweep video")).to_be_visible()
    return phone.page


def test_a_hand_is_named_while_the_phone_moves(browser: Browser, tmp_path: Path) -> None:
    """One tap opens the camera; once all are named the form is there, and one tap enters it."""
    with filming(browser, write_film(tmp_path / "hand.mjpeg", THIRTEEN)) as table:
        phone = table.seats[0]
        page = begin(phone)
        answer = page.locator("#card-photo")
        expect(answer.locator("output")).to_have_text(str(POINTS), timeout=60_000)
        expect(page.locator("#card-sweep")).to_be_hidden()
        assert page.locator("#card-sweep video").evaluate("each => each.srcObject") is None
        assert phone.enter(answer.locator("button.main")) == 1
        expect(table.seats[2].page.locator("main")).to_contain_text(str(POINTS))


def test_what_is_missing_is_said_and_a_phone_that_leaves_goes_on(
    browser: Browser, tmp_path: Path
) -> None:
    """Named cards light up; what was named stays while the page is hidden, and can be used."""
    with filming(browser, write_film(tmp_path / "hand.mjpeg", COVERED)) as table:
        phone = table.seats[0]
        page = begin(phone)
        said, names = page.locator(".sweepsaid"), page.locator(".sweepnames")
        expect(said).to_contain_text("12 of 13 cards named", timeout=60_000)
        expect(page.locator("#card-sweep .sure")).not_to_have_count(0)
        assert grave(page) == []
        assert sticks_out(page)[0] == 0
        page.evaluate(HIDE, True)
        expect(names).to_contain_text("blue 8")
        page.reload()
        page.evaluate(HIDE, False)
        begin(phone)
        expect(said).to_contain_text("12 of 13 cards named", timeout=20_000)
        phone.tap("[data-sweep-use]")
        answer = page.locator("#card-photo")
        expect(answer).to_contain_text("1 card is uncertain")
        expect(answer.locator("[data-hand-card]")).to_have_count(13)
        expect(page.locator("#card-sweep")).to_be_hidden()


def test_closing_enters_nothing_and_a_refused_camera_is_said(
    browser: Browser, tmp_path: Path
) -> None:
    """The page below is as it was."""
    with filming(browser, write_film(tmp_path / "hand.mjpeg", ())) as table:
        phone = table.seats[0]
        page = begin(phone)
        expect(page.locator(".sweepsaid")).to_contain_text("No card can be read", timeout=30_000)
        expect(page.locator("[data-sweep-use]")).to_be_disabled()
        phone.tap("[data-sweep-close]")
        expect(page.locator("#card-sweep")).to_be_hidden()
        expect(page.locator("#card-photo")).to_be_empty()
        page.evaluate(
            "() => { navigator.mediaDevices.getUserMedia = async () => {"
            " throw new DOMException('', 'NotAllowedError'); }; }"
        )
        phone.tap("[data-card-sweep][data-kind=hand]")
        expect(page.locator(".sweepsaid")).to_contain_text("The camera was refused")


@pytest.mark.parametrize("count", [1, 2])
def test_without_a_camera_the_file_camera_does(
    browser: Browser, tmp_path: Path, count: int
) -> None:
    """One photograph is read as ever; several are joined."""
    files = [write_hand(tmp_path / f"{step}.png", THIRTEEN, step) for step in (88, 90)[:count]]
    with table_of(browser, counting) as table:
        page = table.seats[0].page
        page.evaluate("document.documentElement.classList.remove('films')")
        expect(page.locator("[data-card-sweep][data-kind=hand]")).to_be_hidden()
        asked_for: list[str] = []
        page.on("request", lambda each: asked_for.append(each.url))
        page.locator("input[data-hand][multiple]").set_input_files(files)
        answer = page.locator("#card-photo")
        expect(answer.locator("output")).to_have_text(str(POINTS), timeout=60_000)
        assert any("/hand-photo" in each for each in asked_for) == (count == 1)
        assert sum("/picture" in each for each in asked_for) == (0 if count == 1 else count)
