"""Faces: what displays show, held to pictures that people have looked at.

`python -m tests.hardware.test_faces` draws the pictures anew; look at them before you keep them.
"""

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops

from companion.scenes import needs_beat, update_outputs
from companion.scenes.faces import display_picture
from companion.scenes.scene import scene_of
from companion.scenes.small_faces import PAGE_BEATS, digits_text, score_pages, segment_labels
from companion.scenes.words import labels, names_of
from companion.scoreboard import Player, Scoreboard, TransientNotice
from hardware.display import DIGITS, draw_digits, draw_segments
from hardware.fakes import FakeDisplay
from hardware.output_devices import OutputDevices
from tests.hardware.boards import board_of, states, with_turn, with_winners
from tests.hardware.face_sheets import DISTANCE_MM, OLED, PITCH_MM, SHEETS, Box, digits, lit_rows

PICTURES: Final = Path(__file__).parent / "pictures"
GAP: Final = 2


def sheet_of(name: str) -> Image.Image:
    """Return every state on one kind of display, one below the other."""
    size, form, seats = SHEETS[name]
    faces = [display_picture(board, size, form) for board in states(seats).values()]
    if form == "segments":
        faces = [draw_segments(face) for face in faces]
    width, height = faces[0].size
    sheet = Image.new("1", (width, len(faces) * (height + GAP)))
    for row, face in enumerate(faces):
        sheet.paste(face, (0, row * (height + GAP)))
    return sheet


def assert_looks_like(drawn: Image.Image, kept: Image.Image) -> None:
    """Fail if more pixels differ than another release of the font explains."""
    assert drawn.size == kept.size
    differing = sum(map(int.bit_count, ImageChops.logical_xor(drawn, kept).tobytes()))
    share = differing / (drawn.width * drawn.height)
    assert share <= 0.01, f"{share:.1%} of the pixels differ"


@pytest.mark.parametrize("name", SHEETS)
def test_faces_are_as_they_were_looked_at(name: str) -> None:
    """What was judged to be readable is what is drawn."""
    with Image.open(PICTURES / f"{name}.png") as kept:
        assert_looks_like(sheet_of(name), kept.convert("1"))


def test_another_picture_is_noticed() -> None:
    """The comparison fails if one state's face takes another's place."""
    drawn = sheet_of("oled-4")
    other = drawn.copy()
    other.paste(drawn.crop((0, 0, 128, 64)), (0, 2 * (64 + GAP)))
    with pytest.raises(AssertionError, match="of the pixels differ"):
        assert_looks_like(other, drawn)


@pytest.mark.parametrize("name", SHEETS)
def test_every_state_has_its_own_picture(name: str) -> None:
    """No display shows two states alike; knock and wobble, small ones leave to the lights."""
    size, form, seats = SHEETS[name]
    told = states(seats)
    if size != OLED:
        del told["knock"], told["wobble"], told["topple by nobody"]
    pictures = {state: display_picture(board, size, form) for state, board in told.items()}
    assert len({picture.tobytes() for picture in pictures.values()}) == len(pictures)


SIGN: Final = (0, 0, 44, 50)
LOWER_SCORE: Final = (97, 33, 128, 64)  # of the fourth player, who is not to act


@pytest.mark.parametrize(
    ("panel", "sign_mm", "score_mm"), [('0.96"', 7.6, 4.5), ('1.3"', 10.3, 6.2)]
)
def test_letters_are_as_high_as_is_said(panel: str, sign_mm: float, score_mm: float) -> None:
    """On an OLED the sign and the scores have the heights that the module states."""
    pitch_mm = PITCH_MM[panel]
    for state in ("turn 1", "calm"):
        assert lit_rows(states()[state], SIGN) * pitch_mm >= sign_mm
    assert lit_rows(board_of(), LOWER_SCORE) * pitch_mm >= score_mm


def test_who_stands_two_metres_away_can_read() -> None:
    """The larger OLED's sign and all of a matrix keep to 1/200 of the distance.

    The smaller one's sign keeps to 1/300 and its scores to the limit of healthy eyes.
    """
    sign, score = lit_rows(states()["turn 1"], SIGN), lit_rows(board_of(), LOWER_SCORE)
    assert sign * PITCH_MM['1.3"'] >= DISTANCE_MM / 200
    assert sign * PITCH_MM['0.96"'] >= DISTANCE_MM / 300
    assert score * PITCH_MM['1.3"'] >= DISTANCE_MM * 0.003
    assert score * PITCH_MM['0.96"'] >= DISTANCE_MM * 0.0015
    digits = lit_rows(with_turn(board_of(), None), (16, 0, 23, 7), (32, 8))
    assert digits * PITCH_MM["matrix"] >= DISTANCE_MM / 200


def lit(board: Scoreboard, box: Box) -> int:
    """Return how many pixels of *box* are lit on an OLED."""
    return sum(map(int.bit_count, display_picture(board).crop(box).tobytes()))


@pytest.mark.parametrize("state", ["ask", "wrong", "put right", "no view"])
def test_what_people_have_to_do_stands_on_a_lit_ground(state: str) -> None:
    """The sign is inverted, to be seen by who does not read it."""
    whole = (0, 0, 44, 64)
    assert lit(states()[state], whole) > 1700 > 1300 > lit(board_of(), whole)


def test_who_is_to_act_stands_on_a_lit_ground() -> None:
    """The score of the seat to act is inverted, and nobody else's."""
    fields = [(46, 0, 86, 31), (87, 0, 127, 31), (46, 33, 86, 64), (87, 33, 127, 64)]
    for seat in range(4):
        bright = [lit(with_turn(board_of(), seat), field) for field in fields]
        assert bright.index(max(bright)) == seat
        assert sorted(bright)[-2] < 600 < max(bright)


def named(*names: str, turn: int = 0) -> Scoreboard:
    """Return a scoreboard of players with these names."""
    board = with_turn(board_of(len(names)), turn)
    pairs = zip(board.players, names, strict=True)
    return replace(board, players=tuple(replace(player, name=name) for player, name in pairs))


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (("Ann", "Bob", "Cem"), ("A", "B", "C")),
        (("Anna", "alex", "Bob"), ("An", "Al", "B")),
        (("Ann", "Anna", "Bob"), ("Ann", "Anna", "B")),
        (("Johanna", "Johannes", "Bob"), ("1", "2", "B")),  # told apart too late
        (("Bob", "Bob", "Bób"), ("1", "2", "3")),
        (("Özge", "Ole", "Bob"), ("Oz", "Ol", "B")),
        (("Jo Ann", "Jo Bea", "Al"), ("Jo A", "Jo B", "A")),
    ],
)
def test_names_are_shortened_to_what_is_unique(
    names: tuple[str, ...], short: tuple[str, ...]
) -> None:
    """The shortest beginning that nobody else has; the seat's number where there is none."""
    assert labels(named(*names)) == short


def test_names_are_written_in_letters_that_displays_have() -> None:
    """Accents fall away, and a name without any such letter becomes the seat's number."""
    board = board_of(3)
    named = zip(board.players, ("Ömer", "Łucja", "花子"), strict=True)
    board = replace(board, players=tuple(replace(player, name=name) for player, name in named))
    assert names_of(board, (0, 1, 2)) == ["Omer", "Lucja", "3"]
    assert labels(board) == ("O", "L", "3")


def test_a_name_without_end_is_cut() -> None:
    """What does not fit even small and narrow loses its end, on every display."""
    board = board_of(2)
    players = tuple(replace(player, name=f"{player.name}{'-m' * 20}") for player in board.players)
    for moment in (None, TransientNotice("between", (0, 1))):
        long = replace(board, players=players, moment=moment)
        for name in ("oled-2", "matrix-32", "digits"):
            size, form, _ = SHEETS[name]
            assert display_picture(long, size, form).getbbox() is not None


def test_digits_tell_scores_and_turn() -> None:
    """Each seat has its places where there are gaps; a point stands behind who is to act."""
    assert digits(with_turn(board_of(3), 0)) == "17.  8 23"
    assert digits(with_turn(board_of(2), 1)) == "  17   8."
    assert digits(scored(1, 2, 3, 4, turn=3)) == " 1 2 3 4."
    assert (
        digits(replace(board_of(), moment=TransientNotice("countdown", seconds_left=7))).strip()
        == "7"
    )


def scored(*scores: int, turn: int = 0) -> Scoreboard:
    """Return a scoreboard with these scores."""
    board = board_of(len(scores))
    pairs = zip(board.players, scores, strict=True)
    players = tuple(replace(player, score=score) for player, score in pairs)
    return with_turn(replace(board, players=players), turn)


def all_digits(board: Scoreboard) -> list[str]:
    """Return every page of eight digits."""
    scene = scene_of(board)
    pages = len(score_pages(board, scene, DIGITS, "segments"))
    return [digits_text(board, scene, page) for page in range(pages)]


def test_four_scores_do_not_run_together() -> None:
    """Two on each page behind their initials, first those of who is to act."""
    assert all_digits(board_of(4)) == ["A.17.  b. 8", "C.23  d.31"]
    assert all_digits(with_turn(board_of(4), 3)) == ["C.23  d.31.", "A.17  b. 8"]
    assert all_digits(scored(104, 98, 7, 150)) == [
        "Ann.  104.", "bob.   98", "Cem.    7", "dia.  150",
    ]  # fmt: skip
    assert all_digits(named("Anna", "Alex", "Bob", "Bo"))[0] == "Anna.  17."


def test_five_single_figures_are_more_than_eight_places() -> None:
    """With the gaps between them; so they have pages."""
    board = board_of(4)
    fifth = replace(board.players[0], seat=4, name="Eva")
    five = replace(board, players=(*board.players, fifth))
    few = replace(five, players=tuple(replace(each, score=3) for each in five.players))
    assert len(all_digits(few)) > 1


def test_players_without_letters_of_their_own_have_a_p_before_their_number() -> None:
    """A mere figure would be part of the score; neither do letters that look alike tell apart."""
    assert segment_labels(named("花子", "Bob", "3x")) == ("P1", "b", "P3")
    assert segment_labels(named("Ian", "Bob", "Uwe", "Vic")) == ("I", "b", "P3", "P4")


@given(
    st.lists(st.integers(-99, 9999), min_size=2, max_size=10),
    st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=9), min_size=10),
    st.integers(0, 9),
)
def test_every_score_stands_on_one_page_by_itself(
    scores: list[int], words: list[str], turn: int
) -> None:
    """Whatever the names, no two scores and no name and score are read as one number."""
    players = tuple(
        Player(seat, words[seat], "", score, (), seat == turn, True, False, False)
        for seat, score in enumerate(scores)
    )
    board = replace(board_of(2), players=players, turn=turn if turn < len(scores) else None)
    pages = all_digits(board)
    assert all(len(page.replace(".", "")) <= DIGITS for page in pages)
    # Of a name, letters only: figures in it are no score.
    read = [number for page in pages for number in tokens(page)]
    assert sorted(read) == sorted(map(str, scores))
    for size in ((32, 8), (64, 8)):
        seats = score_pages(board, scene_of(board), size[0], "pixels")
        assert sorted(seat for page in seats for seat in page) == [*range(len(scores))]


def tokens(page: str) -> list[str]:
    """Return what stands apart on a page of digits: numbers, without the names before them.

    >>> tokens("A.17.  b. 8"), tokens("17.  8 23"), tokens("Anna.  17.")
    (['17', '8'], ['17', '8', '23'], ['17'])
    """
    return re.findall(r"(?<![^ .])-?[0-9]+(?=[ .]|$)", page)


def test_a_name_and_a_score_that_touch_are_noticed() -> None:
    """The reading fails on what it is there to find."""
    assert tokens("17 82331") == ["17", "82331"]
    assert tokens("b17 8") == ["8"]


def test_cells_on_a_matrix_have_a_gap_between_them() -> None:
    """Two dark columns at least between one player's score and the next one's initial."""
    for scores in ((17, 8, 23, 31), (99, 99, 88, 88), (1, 2, 3, 44)):
        for page in range(2):
            picture = display_picture(scored(*scores), (32, 8), beat=page * PAGE_BEATS)
            assert picture.crop((14, 0, 16, 8)).getbbox() is None
            assert picture.crop((30, 0, 32, 8)).getbbox() is None
            assert picture.crop((0, 0, 14, 8)).getbbox() is not None
            assert picture.crop((16, 0, 30, 8)).getbbox() is not None


def test_a_display_that_pages_asks_for_the_beat_and_others_do_not() -> None:
    """Four scores on a short matrix change every three seconds, an OLED stands still."""
    board = board_of(4)
    for display, pages in (
        (FakeDisplay(), 1),
        (FakeDisplay((64, 8)), 1),
        (FakeDisplay((32, 8)), 2),
        (FakeDisplay((8, 8), "segments"), 2),
    ):
        with OutputDevices(display=display) as outputs:
            faces = []
            for beat in range(4 * PAGE_BEATS):
                update_outputs(outputs, board, beat)
                faces.append(outputs.display.value.tobytes())
            assert len(set(faces)) == pages
            assert needs_beat(outputs, board) is (pages > 1)
            changes = sum(one != other for one, other in pairwise(faces))
            assert changes == (3 if pages > 1 else 0)


def test_a_digit_is_drawn_as_its_segments() -> None:
    """An 8 with its point lights all of a digit's bits, the rightmost digit first."""
    picture = draw_digits("1      8.")
    assert [bool(picture.getpixel((0, row))) for row in range(8)] == [True] * 8
    assert [bool(picture.getpixel((7, row))) for row in range(8)].count(True) == 2
    seen = draw_segments(picture)
    assert seen.size == (88, 17)
    assert seen.crop((77, 0, 88, 17)).getbbox() == (1, 1, 10, 16)


def test_digits_that_do_not_fit_are_cut() -> None:
    """No text breaks the display; a point takes no place of its own."""
    assert draw_digits("123456789").tobytes() == draw_digits("12345678").tobytes()
    assert draw_digits("1.2.3.4.5.6.7.8.9.").tobytes() == draw_digits("1.2.3.4.5.6.7.8.").tobytes()


names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)


@given(
    st.lists(names, min_size=2, max_size=4),
    st.integers(-99, 9999),
    st.integers(0, 3),
    st.sampled_from(sorted(states(2))),
)
def test_any_names_and_scores_can_be_drawn(
    given: list[str], score: int, turn: int, state: str
) -> None:
    """Long names are made narrower, smaller or cut; no name breaks any display."""
    players = tuple(
        Player(seat, name, "", score, (), seat == turn, True, False, False)
        for seat, name in enumerate(given)
    )
    board = replace(states(2)[state], players=players)
    if board.turn is not None:
        board = with_turn(board, turn % len(players))
    for size, form, _ in SHEETS.values():
        assert display_picture(board, size, form).size == size


def test_a_tie_names_all_who_won() -> None:
    """Two winners are both inverted and both named."""
    one, two = with_winners(board_of(), 1), with_winners(board_of(), 1, 3)
    assert lit(two, (87, 33, 127, 64)) > 600 > lit(one, (87, 33, 127, 64))
    assert digits(two) == "b-d tiE"


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name in SHEETS:
        sheet_of(name).save(PICTURES / f"{name}.png", optimize=True)
