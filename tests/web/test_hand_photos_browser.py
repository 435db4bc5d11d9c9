"""A hand is photographed with the phone itself, completed by taps, and its points entered."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.vision.hands import write_hand
from tests.web.phones import Phone, table_of
from tests.web.thirteen_cards import POINTS, THIRTEEN
from tests.web.uno_tiki_tables import counting

DRAWN = "c => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 200)"


def test_a_hand_is_counted_by_its_photograph(browser: Browser, tmp_path: Path) -> None:
    """A card that is not sure is marked in the picture; two taps name it, one enters the points.

    A card of the table is taken out of the host's picture with two.
    """
    hand = (*THIRTEEN[:6], ("wild", "tiki"), *THIRTEEN[7:])
    with table_of(browser, counting) as table:
        take_out(table.host, write_hand(tmp_path / "hand.png", (("red", "5"), *THIRTEEN)))
        phone = table.seats[0]
        camera = phone.page.locator("input[capture][data-hand]")
        camera.set_input_files(write_hand(tmp_path / "hand.png", hand))
        answer = phone.page.locator("#card-photo")
        expect(answer).to_contain_text("1 card is uncertain")
        expect(answer.locator("svg circle[r]").first).to_be_visible()
        assert answer.locator("canvas").evaluate(DRAWN)
        button = answer.locator("button.main")
        expect(button).to_be_disabled()
        phone.tap(answer.locator("[data-hand-card] button", has_text="?1"))
        phone.tap(answer.locator('[data-hand-choice="wild tiki"]'))
        expect(answer.locator("output")).to_have_text(str(POINTS - 7 + 20))
        assert phone.enter(button) == 1
        expect(table.seats[2].page.locator("main")).to_contain_text(str(POINTS - 7 + 20))


def take_out(host: Phone, picture: Path) -> None:
    """Put *picture*, which shows a card too many, right with two taps."""
    host.page.locator("input[capture][data-hand]").set_input_files(picture)
    answer = host.page.locator("#card-photo")
    expect(answer).to_contain_text("14 cards, but the hand has 13")
    host.tap(answer.locator("[data-hand-card] button", has_text="Red"))
    host.tap(answer.locator("[data-hand-away]"))
    expect(answer.locator("output")).to_have_text(str(POINTS))
    expect(answer.locator("button.main")).to_be_enabled()
