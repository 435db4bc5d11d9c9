"""A card is photographed with the phone itself: the page sends it, and one tap enters it."""

from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Browser, expect

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from rendering.drawn import COLOURS, Design, draw_card
from rendering.prints import draw_ground
from tests.tables import NAMES, open_log
from tests.web.phones import table_of


def lay() -> LiveSession:
    """Return a game whose first card Ann turns up."""
    return LiveSession(open_log(), open_header(game_of("uno_tiki"), NAMES[:3], {}, 0))


def photograph(path: Path) -> Path:
    """Write the photograph of a red 7 on wood, as large as a phone takes it, into *path*."""
    random = np.random.default_rng(2)
    picture = draw_ground(random, 500, (0.5, 0.35, 0.2), 0.05)
    card = draw_card("7", COLOURS["red"], Design(symbol=30.0), random)
    picture[80 : 80 + card.shape[0], 140 : 140 + card.shape[1]] = card
    cv2.imwrite(str(path), cv2.resize(picture, (2400, 2400), interpolation=cv2.INTER_LINEAR))
    return path


def test_a_card_is_entered_by_its_photograph(browser: Browser, tmp_path: Path) -> None:
    """The answer stands below the button; a tap on the card enters it as if it had been found.

    A photograph of no card says in one line what to do, and enters nothing.
    """
    dark = tmp_path / "dark.jpg"
    cv2.imwrite(str(dark), np.zeros((300, 400, 3), np.uint8))
    with table_of(browser, lay) as table:
        phone = table.seats[0]
        camera = phone.page.locator("input[data-card-photo]")
        assert camera.get_attribute("capture") == "environment"
        camera.set_input_files(dark)
        answer = phone.page.locator("#card-photo")
        expect(answer).to_contain_text("too dark")
        assert not answer.locator("button").count()
        camera.set_input_files(photograph(tmp_path / "card.jpg"))
        expect(answer).to_contain_text("In the picture: red 7")
        assert phone.enter(answer.locator("button")) == 1
        expect(phone.page.locator("main")).to_contain_text("Red 7 starts the pile")
        expect(table.seats[1].page.locator("main")).to_contain_text("Red 7 starts the pile")
