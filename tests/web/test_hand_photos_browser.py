"""A hand is photographed with the phone itself, completed by taps, and its points entered."""

from pathlib import Path

import cv2
from playwright.sync_api import Browser, expect

from tests.vision.hands import draw_hand
from tests.web.phones import table_of
from tests.web.test_browser import browser, pytestmark
from tests.web.test_hand_photos import POINTS, THIRTEEN
from tests.web.test_uno_tiki import counting

__all__ = ["browser", "pytestmark"]
DRAWN = """() => {
  const c = document.querySelector("[data-hand-picture]");
  const levels = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  return levels.some((v) => v > 200 && v < 255);
}"""


def write_hand(path: Path, cards: tuple[tuple[str, str], ...]) -> Path:
    """Write the photograph of *cards* into *path*."""
    cv2.imwrite(str(path), draw_hand(cards, (88, 0), size=(1500, 620)))
    return path


def test_a_hand_is_counted_by_its_photograph(browser: Browser, tmp_path: Path) -> None:
    """A card that is not sure is marked in the picture; two taps name it, one enters the points."""
    hand = (*THIRTEEN[:6], ("wild", "tiki"), *THIRTEEN[7:])
    with table_of(browser, counting) as table:
        phone = table.seats[0]
        camera = phone.page.locator("input[data-card-photo][data-hand]")
        camera.set_input_files(write_hand(tmp_path / "hand.png", hand))
        answer = phone.page.locator("#card-photo")
        expect(answer).to_contain_text("1 card is not sure", timeout=30_000)
        expect(answer.locator("svg circle[r]").first).to_be_visible()
        drawn = (
            "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 200)"
        )
        assert answer.locator("canvas").evaluate(drawn)
        button = answer.locator("button.main")
        expect(button).to_be_disabled()
        phone.tap(answer.locator("[data-hand-card] button", has_text="?1"))
        phone.tap(answer.locator('[data-hand-choice="wild tiki"]'))
        expect(answer.locator("output")).to_have_text(str(POINTS - 7 + 20))
        assert phone.enter(button) == 1
        expect(table.seats[2].page.locator("main")).to_contain_text(str(POINTS - 7 + 20))


def test_a_card_of_the_table_is_taken_out_again(browser: Browser, tmp_path: Path) -> None:
    """A picture with a card too many is put right with two taps."""
    with table_of(browser, counting) as table:
        page = table.host.page
        page.locator("input[data-hand]").set_input_files(
            write_hand(tmp_path / "hand.png", (("red", "5"), *THIRTEEN))
        )
        answer = page.locator("#card-photo")
        expect(answer).to_contain_text("14 cards, and the hand has 13", timeout=30_000)
        table.host.tap(answer.locator("[data-hand-card] button", has_text="Red"))
        table.host.tap(answer.locator("[data-hand-away]"))
        expect(answer.locator("output")).to_have_text(str(POINTS))
        expect(answer.locator("button.main")).to_be_enabled()
