"""The colours of UNO Tiki for eyes that cannot tell some of them apart, and from four metres."""

import itertools
from typing import Final

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from playwright.sync_api import Browser, Locator, expect

from companion.rules.uno_tiki import COLOURS
from tests.referee.entering import sit
from tests.web.screens import PHONE, TELEVISION, font_of, photograph
from tests.web.serving import served

MIN_DELTA_E: Final = 15.0
"""CIE76; about 2.3 can just be seen side by side, and these are told apart at a glance."""
READ_PX: Final = 40


def ground_of(card: Locator) -> NDArray[np.float32]:
    """Return the colour of a card's ground on the screen, as CIELAB."""
    picture = np.asarray(photograph(card).convert("RGB"))
    corner = picture[10:14, 12:16].reshape(-1, 3).mean(axis=0, dtype=np.float32) / 255
    lab: NDArray[np.float32] = cv2.cvtColor(corner.reshape(1, 1, 3), cv2.COLOR_RGB2LAB)[0, 0]
    return lab


def test_cards_are_told_apart_by_all_eyes(browser: Browser) -> None:
    """By their grounds as Chromium shows them to such eyes, and by the word on each."""
    page = browser.new_page(viewport=PHONE)
    wire = page.context.new_cdp_session(page)
    with served(lambda: sit("uno_tiki", "turn wild")) as house:
        page.goto(house.host_url)
        page.goto(f"{house.url}desk")
        cards = {colour: page.locator(f'.unocard[value="colour {colour}"]') for colour in COLOURS}
        for colour, card in cards.items():
            expect(card).to_have_text(colour.capitalize())
        for eyes in ("none", "protanopia", "deuteranopia", "tritanopia"):
            wire.send("Emulation.setEmulatedVisionDeficiency", {"type": eyes})
            grounds = {colour: ground_of(card) for colour, card in cards.items()}
            for one, other in itertools.combinations(COLOURS, 2):
                apart = float(np.linalg.norm(grounds[one] - grounds[other]))
                assert apart > MIN_DELTA_E, (eyes, one, other, apart)


def test_the_comparison_of_colours_can_fail(browser: Browser) -> None:
    """A red and a green that are nearly as light are hard to tell apart for some eyes."""
    context = browser.new_context()
    page = context.new_page()
    page.set_content(
        "".join(
            f'<p style="background:{c};width:40px;height:40px">' for c in ("#ff6b63", "#4fd07a")
        )
    )
    cards = page.locator("p").all()
    plain = np.linalg.norm(ground_of(cards[0]) - ground_of(cards[1]))
    context.new_cdp_session(page).send(
        "Emulation.setEmulatedVisionDeficiency", {"type": "deuteranopia"}
    )
    dim = np.linalg.norm(ground_of(cards[0]) - ground_of(cards[1]))
    context.close()
    assert dim < MIN_DELTA_E < plain


@pytest.mark.parametrize(
    ("begun", "word"),
    [
        (("turn red-7",), "Red"),
        (("turn red-7", "play wild green"), "Green"),
    ],
)
def test_the_pile_says_its_colour_from_afar(
    browser: Browser, begun: tuple[str, ...], word: str
) -> None:
    """In a word, also the one that was named for a Wild; nothing on it is small."""
    page = browser.new_page(viewport=TELEVISION)
    with served(lambda: sit("uno_tiki", *begun)) as house:
        page.goto(house.url)
        said = page.locator("#table figure").first.get_by_text(word, exact=True)
        expect(said).to_be_visible()
        for piece in page.locator("#table :is(.sign, small, .named, figcaption, .unoway)").all():
            assert font_of(piece) >= READ_PX, piece.text_content()
    page.close()
