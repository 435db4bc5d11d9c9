"""The scoreboard on a television, read from four metres, and as a strip in a film."""

from dataclasses import replace

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.web.pages.public import turn_words
from tests.hardware.boards import states
from tests.tables import see, sit_down
from tests.web.screens import LEAST_PX, TELEVISION, cut_off, photograph, small_texts, sticks_out
from tests.web.serving import served
from tests.web.test_browser import LOKAHI_UP
from tests.web.test_entering_browser import SCENES

CLIP = "(piece) => piece.scrollWidth > piece.clientWidth + 1"


def television(browser: Browser, url: str, view: str = "") -> Page:
    """Return the scoreboard on a television."""
    page = browser.new_page(viewport=TELEVISION)
    page.goto(f"{url}?view={view}")
    return page


@pytest.mark.parametrize("scene", sorted(SCENES))
@pytest.mark.slow(keep=["asked", "ten"])
def test_what_matters_is_read_from_four_metres(browser: Browser, scene: str) -> None:
    """No letter of it is under 40 pixels, no name is cut, and there is no menu."""
    with served(SCENES[scene]) as house:
        page = television(browser, house.url)
        assert list(small_texts(page)) == []
        names = page.locator(".player h2")
        assert names.count() >= 2
        assert not any(name.evaluate(CLIP) for name in names.all())
        expect(page.locator("nav:visible")).to_have_count(0)
        expect(page.locator(":is(.history, .hands):visible")).to_have_count(0)
        page.close()


def test_a_letter_that_is_too_small_is_found(browser: Browser) -> None:
    """The measure fails on what it is there to find."""
    page = browser.new_page()
    page.set_content('<p id="turn" style="font-size:39px">Ann</p><p id="clock">')
    assert list(small_texts(page)) == ["#turn: Ann has 39.0 px"]
    page.close()


def area_of(page: Page, region: str) -> float:
    """Return how many pixels a piece of the page has."""
    box = page.locator(f".region.{region}").bounding_box()
    assert box
    return box["width"] * box["height"]


@pytest.mark.parametrize("scene", ["line", "ten"])
def test_the_largest_pieces_are_turn_board_and_scores(browser: Browser, scene: str) -> None:
    """They have most of the screen, and the name of who is to act the largest letters."""
    with served(SCENES[scene]) as house:
        page = television(browser, house.url)
        areas = [area_of(page, region) for region in ("turn", "table", "scores")]
        assert sum(areas) > 0.7 * TELEVISION["width"] * TELEVISION["height"]
        assert area_of(page, "masthead") < min(areas) / 2
        sizes: list[float] = page.evaluate(
            "[...document.querySelectorAll('#turn, .region :is(p, h1, h2, li)')].map("
            "(each) => parseFloat(getComputedStyle(each).fontSize))"
        )
        assert sizes.index(max(sizes)) == sizes.index(max(sizes[:3]))
        page.close()


def test_makers_see_lights_and_display(browser: Browser) -> None:
    """On request, beside all the rest, which stays whole; they follow the game."""
    with served(sit_down) as house:
        page = television(browser, house.url, "maker")
        expect(page.locator("#display")).to_be_visible()
        before = page.locator("#display").get_attribute("src")
        house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))
        expect(page.locator("#display")).not_to_have_attribute("src", before or "")
        expect(page.locator("#turn")).to_contain_text("Bob")
        assert max(sticks_out(page)) <= 0
        assert cut_off(page) == []
        page.close()


@pytest.mark.parametrize("scene", ["ten", "line"])
def test_the_overlay_is_a_strip_at_the_lower_edge(browser: Browser, scene: str) -> None:
    """Above it the picture of the film is seen; its letters grow with the window."""
    with served(SCENES[scene]) as house:
        page = browser.new_page()
        page.goto(f"{house.url}?view=overlay")
        for height in (1080, 720):
            page.set_viewport_size({"width": height * 16 // 9, "height": height})
            box = page.locator(".strip").bounding_box()
            assert box
            assert height * 0.6 < box["y"] < box["y"] + box["height"] < height
            assert max(sticks_out(page)) <= 0
            sizes = page.locator(".strip :is(p, li)").evaluate_all(
                "(all) => all.map((each) => parseFloat(getComputedStyle(each).fontSize))"
            )
            assert min(sizes) >= LEAST_PX * height / 1080
        assert box
        shot = photograph(page, omit_background=True).convert("RGBA")
        assert shot.getpixel((9, 9)) == (0, 0, 0, 0)
        middle = shot.getpixel((round(box["x"] + 12), round(box["y"] + box["height"] - 12)))
        assert isinstance(middle, tuple)
        assert middle[3] == 255


def test_the_overlay_follows_the_game(browser: Browser) -> None:
    """Scores, turn and last move, by the same stream as every page."""
    with served(lambda: sit_down(4)) as house:
        page = television(browser, house.url, "overlay")
        expect(page.locator(".whose")).to_have_text("Ann to move")
        house.do(lambda live_session: live_session.observe(see("1", LOKAHI_UP)))
        expect(page.locator(".whose")).to_have_text("Bob to move")
        expect(page.locator(".news")).to_have_text("Last move Ann: Tiki Up 1 on Lokahi")
        assert page.locator("[data-score]").count() == 4
        page.close()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("turn 1", "Bob to move"),
        ("won", "Bob wins!"),
        ("tie", "Ann and Bob win!"),
        ("calm", "A new line"),
    ],
)
def test_one_line_says_whose_turn_it_is_or_who_has_won(state: str, words: str) -> None:
    """While it is nobody's turn, what the game says instead."""
    assert turn_words(states()[state], "A new line") == words


def test_a_game_that_all_have_lost_is_said() -> None:
    """It is nobody's turn any more, and nobody's game."""
    assert turn_words(replace(states()["calm"], is_over=True), "") == "Nobody has won"
