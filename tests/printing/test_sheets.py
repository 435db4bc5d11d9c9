"""The printed sheets, measured on the rendered page by a detector of its own."""

from collections.abc import Callable, Mapping
from functools import partial

import cv2
import numpy as np
import pytest

from companion.apps.printing.booklet import make_pdf
from companion.apps.printing.check_ruler import CARD_MM
from companion.apps.printing.choices import PAPERS
from companion.apps.printing.paper import Page
from companion.apps.printing.seat_cards import join_link
from companion.apps.printing.sheets import Print, check_ruler, game_sheets, seat_cards
from companion.apps.printing.tiles import NoTiles, tile_sizes
from companion.registry import GAMES, with_mats
from companion.table.readers import usual_table
from tests.printing.pages import (
    PX_PER_MM,
    margins,
    markers,
    overlapping_words,
    page_sizes,
    render,
    ruler_lengths,
    scaled,
    texts,
)
from vision.cards.layout import TIPPI_TOPPI, UNO_TIKI
from vision.columns.grid import parse_stacks, parse_tower
from vision.geometry.layout import TIKI_TOPPLE, parse_board_markers

EXACT_MM = 0.2
ADDRESS = "http://192.168.178.123:8321"
PRINTS: Mapping[str, Callable[[], Print]] = {
    **{game: partial(game_sheets, game) for game in with_mats()},
    "ruler": check_ruler,
    "seats": partial(seat_cards, ADDRESS, 10),
}


def printed(what: str, paper: str = "a4", language: str = "en") -> bytes:
    """Return a PDF of *what*."""
    return PRINTS[what]().to_pdf(paper, language)


def assert_square(
    corners: "np.ndarray[tuple[int, ...], np.dtype[np.float64]]", side: float
) -> None:
    """Check that *corners* are an upright square of *side* mm."""
    expected = np.array([[0, 0], [side, 0], [side, side], [0, side]])
    assert np.abs(corners - corners[0] - expected).max() < EXACT_MM


@pytest.mark.parametrize(
    ("game", "paper"), [*zip(with_mats(), ["a4", "letter", "a4", "letter", "a4"], strict=True)]
)
def test_a_games_four_tiles_are_found_at_true_scale(game: str, paper: str) -> None:
    """Their numbers choose the game; each is upright, of its size, and where it is to lie."""
    page = render(printed(game, paper))[0]
    mat, tile = tile_sizes(game)
    found = markers(page)
    assert sorted(found) == [4 * GAMES[game].mat + corner for corner in range(4)]
    assert (mat.marker_mm, tile) == (40, 50)
    for corners in found.values():
        assert_square(corners, mat.marker_mm)
    top_left, top_right, bottom_right, bottom_left = (
        found[number].mean(axis=0) for number in mat.marker_ids
    )
    step = tile + 12
    for one, other, apart in (
        (top_left, top_right, (step, 0)),
        (bottom_left, bottom_right, (step, 0)),
        (top_left, bottom_left, (0, step)),
    ):
        assert np.abs(other - one - apart).max() < EXACT_MM


def test_a_tile_has_its_white_rim() -> None:
    """Five millimetres all around, but for the strip's words, which are outside."""
    coloured = render(printed("topple"))[0]
    page = cv2.cvtColor(coloured, cv2.COLOR_BGR2GRAY)
    mat, tile = tile_sizes("topple")
    rim = (tile - mat.marker_mm) / 2
    for corners in markers(coloured).values():
        left, top = corners[0]
        outer = [round((edge - rim + 0.4) * PX_PER_MM) for edge in (left, top)]
        wide = round((tile - 0.8) * PX_PER_MM)
        around = page[outer[1] : outer[1] + wide, outer[0] : outer[0] + wide].copy()
        inset = round((rim - 0.6) * PX_PER_MM)
        around[inset:-inset, inset:-inset] = 255
        assert around.min() == 255


def test_the_sizes_are_those_that_the_readers_expect() -> None:
    """Of a table that is not described otherwise."""
    for game, layout in (
        ("tiki_topple", TIKI_TOPPLE),
        ("tippi_toppi", TIPPI_TOPPI),
        ("uno_tiki", UNO_TIKI),
    ):
        assert tile_sizes(game)[0] == layout.mat
    assert tile_sizes("tactiki")[0] == parse_stacks(usual_table("tactiki")).mat
    assert tile_sizes("topple")[0] == parse_tower(usual_table("topple")).mat


def test_the_stickers_are_found_at_true_scale() -> None:
    """Flush in the corners of the board, their middles lie where the reader expects them."""
    page = render(printed("topple"))[1]
    known = parse_board_markers(usual_table("topple"))
    assert known is not None
    assert (known.mat.marker_ids, known.mat.marker_mm, known.inset_mm) == ((40, 41, 42, 43), 16, 11)
    assert known.mat == parse_tower(usual_table("topple")).board
    assert known.mat.width + 2 * known.inset_mm == 208
    found = markers(page)
    assert tuple(sorted(found)) == known.mat.marker_ids
    for corners in found.values():
        assert_square(corners, known.mat.marker_mm)
    left = [found[number][0, 0] for number in known.mat.marker_ids]
    assert np.diff(left) == pytest.approx([22 + 18] * 3, abs=EXACT_MM)


def test_only_a_board_with_markers_has_stickers() -> None:
    """The others' prints have one page."""
    pages = {game: len(game_sheets(game).pages) for game in with_mats()}
    assert pages == {**dict.fromkeys(with_mats(), 1), "topple": 2}


@pytest.mark.parametrize(("paper", "language"), [("a4", "en"), ("letter", "de"), ("a4", "es")])
@pytest.mark.parametrize("what", PRINTS)
def test_every_page_can_be_measured_and_read(what: str, paper: str, language: str) -> None:
    """Two rulers of 100 mm, margins that printers leave, no word in another, nothing missing."""
    pdf = printed(what, paper, language)
    expected = (PAPERS[paper].width, PAPERS[paper].height)
    assert page_sizes(pdf) == [pytest.approx(expected, abs=0.01)] * len(render(pdf, 1))
    for page in render(pdf):
        assert ruler_lengths(page) == pytest.approx((100, 100), abs=EXACT_MM)
        assert min(margins(page)) > 7
    assert overlapping_words(pdf) == []
    assert b"/PrintScaling /None" in pdf
    assert b"/Lang (" + language.encode() + b")" in pdf
    for words in texts(pdf):
        assert "100" in words
        assert "\ufffd" not in words
        assert "\x00" not in words


def test_each_page_says_what_it_is_and_where_it_goes() -> None:
    """In the language that is asked for."""
    (tiles,) = texts(printed("tiki_topple"))
    for words in (
        "Tiki Topple: corner tiles",
        "Print at 100 %",
        "50 mm wide, its black square 40 mm",
        "420 mm",
        "300 mm",
        "top left",
        "Tiki Topple 3",
    ):
        assert words in tiles
    stickers = texts(printed("topple", language="de"))[1]
    assert "Topple: Aufkleber für das Brett" in stickers
    assert "11 mm" in stickers
    assert "208 mm" in stickers


def test_a_stretched_page_makes_up_for_the_printer() -> None:
    """What a printer then prints at 97 % across and 98.5 % down has its true size."""
    pdf = game_sheets("tiki_topple").to_pdf("a4", "en", (100 / 97, 100 / 98.5))
    page = render(pdf)[0]
    as_printed = scaled(page, 0.97, 0.985)
    assert ruler_lengths(as_printed) == pytest.approx((100, 100), abs=EXACT_MM)
    for corners in markers(as_printed).values():
        assert_square(corners, 40)


def test_a_page_printed_at_97_percent_is_seen() -> None:
    """The measures above can fail."""
    pdf = game_sheets("tiki_topple").to_pdf("a4", "en", (0.97, 0.97))
    page = render(pdf)[0]
    assert ruler_lengths(page) == pytest.approx((97, 97), abs=EXACT_MM)
    with pytest.raises(AssertionError):
        assert_square(markers(page)[0], 40)


def test_words_that_run_into_each_other_are_seen() -> None:
    """And a page without markers has none."""

    def draw(page: Page) -> None:
        page.text(50, 50, "one line of words")
        page.text(60, 51, "another line")

    pdf = make_pdf("title", [draw], PAPERS["a4"])
    assert len(overlapping_words(pdf)) == 1
    assert markers(render(pdf)[0]) == {}


def test_a_bank_card_shows_the_scale() -> None:
    """At its edge lies the line of the percentage at which the page is printed."""
    page = cv2.cvtColor(render(printed("ruler"))[0], cv2.COLOR_BGR2GRAY) < 100
    corner = _thick_corner(page)
    for percent in (94, 97, 100, 103, 106):
        row = round((corner[1] + 5.0 + (percent - 94 + 0.25) * 3.4) * PX_PER_MM)
        found = np.flatnonzero(page[row, round((corner[0] + 75) * PX_PER_MM) :])[0]
        x = 75 + (round(corner[0] * PX_PER_MM) - corner[0] * PX_PER_MM + found) / PX_PER_MM
        wide = 0.5 if percent == 100 else 0.25
        assert (x + wide / 2) * percent / 100 == pytest.approx(CARD_MM[0], abs=EXACT_MM)


def _thick_corner(page: "np.ndarray[tuple[int, ...], np.dtype[np.bool_]]") -> tuple[float, float]:
    """Return the middle of the two thick lines that meet at the card's corner, in mm."""
    top = int(np.argmax(page[: round(200 * PX_PER_MM)].sum(axis=1) > 80 * PX_PER_MM))
    inside = page[top + 30 * PX_PER_MM, 30 * PX_PER_MM :]
    left = int(np.flatnonzero(inside)[0]) + 30 * PX_PER_MM
    return left / PX_PER_MM + 0.25, top / PX_PER_MM + 0.25


def test_each_seat_card_leads_to_the_page_that_asks_for_the_letters() -> None:
    """With the seat's number, and with no key in it."""
    pages = render(printed("seats", "letter"))
    assert len(pages) == 2
    found = [text for page in pages for text in _qr_texts(page)]
    assert sorted(found) == sorted(join_link(ADDRESS, card) for card in range(1, 11))
    assert join_link(ADDRESS, 3) == f"{ADDRESS}/join?card=3"


def _qr_texts(page: "np.ndarray[tuple[int, ...], np.dtype[np.uint8]]") -> list[str]:
    """Return what a phone reads on each card."""
    found = []
    for left in (31.0, 115.0):
        for row in range(4):
            top = 47.0 + row * 52.0
            x, y, wide, high = (round(mm * PX_PER_MM) for mm in (left, top, 42.0, 48.0))
            text, _, _ = cv2.QRCodeDetector().detectAndDecode(page[y : y + high, x : x + wide])
            found += [text] if text else []
    return found


def test_a_game_without_a_mat_has_no_tiles() -> None:
    """It says so, and draws nothing."""
    with pytest.raises(NoTiles, match="score_sheet is played without a mat"):
        game_sheets("score_sheet")


def test_a_long_address_stays_on_its_card() -> None:
    """In the code and in the words below it."""
    address = f"https://{'tiki-companion.' * 4}example.org"
    pdf = seat_cards(address, 2).to_pdf("a4", "de")
    assert overlapping_words(pdf) == []
    assert _qr_texts(render(pdf)[0]) == [join_link(address, 1), join_link(address, 2)]
