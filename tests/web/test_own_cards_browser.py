"""A card is shown to the host's phone once, and a seat's phone then tells its player its name."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from companion.apps.cards.card_register import register_path
from companion.apps.cards.compared_register import find_compared
from tests.registers import encode, photograph
from tests.tables import open_log, sit_down
from tests.web.phones import table_of


def test_a_card_is_shown_once_and_named_afterwards(browser: Browser, tmp_path: Path) -> None:
    """The host's list is unfolded, a card shown and named; a seat is told; it is removed again."""
    shown, seen = tmp_path / "shown.jpg", tmp_path / "seen.jpg"
    shown.write_bytes(encode(photograph(0)))
    seen.write_bytes(encode(photograph(0, 20.0)))
    with table_of(browser, lambda: sit_down(log=open_log(tmp_path / "games.db"))) as table:
        desk, seat = table.host.page, table.seats[0].page
        desk.locator("#own-cards summary").click()
        desk.locator("[data-kept-name]").fill("Secret 3")
        desk.locator("[data-kept-photo]").set_input_files(shown)
        expect(desk.locator("#own-cards")).to_contain_text("“Secret 3” is saved")
        while find_compared(register_path(tmp_path / "games.db")) is None:
            desk.wait_for_timeout(50)
        seat.reload()
        seat.locator("#own-card input").set_input_files(seen)
        answer = seat.locator("#own-card-answer")
        expect(answer).to_contain_text("Secret 3")
        expect(table.seats[1].page.locator("main")).not_to_contain_text("Secret 3")
        desk.locator("[data-kept-remove]").click()
        expect(desk.locator("#own-cards")).to_contain_text("“Secret 3” is removed")
