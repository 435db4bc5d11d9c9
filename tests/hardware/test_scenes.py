"""Scenes: every state of the table has its own light and its own picture."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules.tiki_topple import TIKIS
from companion.scenes import display_picture, is_lively, perform, strip_colours
from companion.web.scoreboard import Player, Question, Scoreboard, read_scoreboard
from hardware.hands import Hands
from hardware.lights import DARK, Strip, current_ma
from tests.tables import see, sit_down

ROUGH = 40  # steps of brightness, of 765, that are seen as different from across a table


def board_of(seats: int = 4) -> Scoreboard:
    """Return the scoreboard of a game that has just begun."""
    return read_scoreboard(sit_down(seats))


def brightness(strip: Strip) -> tuple[int, ...]:
    """Return how bright each light is, roughly and without its colour."""
    return tuple(sum(colour) // ROUGH for colour in strip)


def states() -> dict[str, Scoreboard]:
    """Return one scoreboard for each thing that the lights tell."""
    board = board_of()
    wrong = Question("illegal", "wrong", (1, 4), mark="1")
    return {
        **{f"turn {seat}": replace(board, turn=seat) for seat in range(4)},
        "wrong": replace(board, question=wrong),
        "put right": replace(board, question=replace(wrong, kind="put_right")),
        "ask": replace(board, question=Question("ask", "What happened?", mark="1")),
        "no view": replace(board, waiting="tiles"),
        "reveal": replace(board, turn=None, phase="reveal"),
        "start": replace(board, turn=None, phase="line"),
        "won": replace(board, turn=None, phase="over", winners=(1,)),
    }


def assert_told_apart(strips: dict[str, Strip]) -> None:
    """Fail if two of *strips* have the same pattern of brightness."""
    patterns: dict[tuple[int, ...], str] = {}
    for name, strip in strips.items():
        twin = patterns.setdefault(brightness(strip), name)
        assert twin == name, f"{name} looks like {twin} without its colour"


def test_scenes_are_told_apart_without_colour() -> None:
    """Who sees no colours still sees what the lights say."""
    assert_told_apart({name: strip_colours(board) for name, board in states().items()})


def test_two_scenes_of_one_pattern_are_noticed() -> None:
    """The check fails on lights that differ in their hue alone."""
    red, green = ((200, 0, 0), DARK), ((0, 200, 0), DARK)
    with pytest.raises(AssertionError, match="without its colour"):
        assert_told_apart({"red": red, "green": green})


@pytest.mark.parametrize("name", states())
def test_no_scene_draws_more_than_the_budget(name: str) -> None:
    """Every beat of every scene can be shown on the strip as it ships."""
    with Hands() as hands:
        for beat in range(18):
            perform(hands, states()[name], beat)
            assert current_ma(hands.strip.value) <= hands.strip.budget_ma


def test_only_the_wrong_slots_are_lit_and_they_blink() -> None:
    """The lights point at the slots; blinking is more than another colour."""
    board = states()["wrong"]
    even, odd = strip_colours(board, 0), strip_colours(board, 1)
    for strip in (even, odd):
        assert [slot for slot, colour in enumerate(strip) if colour != DARK] == [1, 4]
    assert brightness(even) != brightness(odd)
    assert is_lively(board)


def test_nothing_blinks_while_all_is_well() -> None:
    """A quiet table has quiet lights."""
    board = board_of()
    assert not is_lively(board)
    assert len({strip_colours(board, beat) for beat in range(9)}) == 1


def test_as_many_lights_as_the_seats_number_are_bright() -> None:
    """The third player's turn lights the three lights at the top."""
    pattern = brightness(strip_colours(replace(board_of(), turn=2)))
    assert min(pattern[:3]) > max(pattern[3:])


def test_every_state_has_its_own_picture() -> None:
    """The display never shows two states alike."""
    pictures = {name: display_picture(board).tobytes() for name, board in states().items()}
    del pictures["put right"]
    assert len(set(pictures.values())) == len(pictures)


def lit(board: Scoreboard, box: tuple[int, int, int, int]) -> int:
    """Return how many pixels of *box* are lit on the display."""
    return sum(byte.bit_count() for byte in display_picture(board).crop(box).tobytes())


def test_a_question_takes_the_left_third_of_the_display() -> None:
    """The large sign stands on a lit ground, to be seen from two metres."""
    calm, asked = board_of(), states()["ask"]
    sign = (0, 0, 32, 64)
    assert lit(asked, sign) > 1200 > lit(calm, sign)


names = st.text(st.characters(min_codepoint=32, max_codepoint=0x17F), min_size=1, max_size=20)


@given(st.lists(names, min_size=2, max_size=4), st.integers(0, 999), st.integers(0, 3))
def test_any_names_and_scores_can_be_drawn(given: list[str], score: int, turn: int) -> None:
    """Long names are made smaller or cut; nothing that a table can be called breaks the display."""
    players = tuple(
        Player(seat, name, "", score, (), (), seat == turn, True, False, None, False)
        for seat, name in enumerate(given)
    )
    board = replace(board_of(), players=players, turn=turn % len(players))
    assert display_picture(board).size == (128, 64)


def test_hands_are_not_sent_what_they_show_already() -> None:
    """A strip at the end of a wire hears of changes only."""
    with Hands() as hands:
        heard: list[None] = []
        for device in (hands.strip, hands.display):
            device.followers.append(lambda: heard.append(None))
        for _ in range(3):
            perform(hands, board_of())
        assert len(heard) == 2


def test_a_move_moves_lights_and_display() -> None:
    """What is seen at the table is shown by the hands."""
    sitting = sit_down(4)
    with Hands() as hands:
        perform(hands, read_scoreboard(sitting))
        before = (hands.strip.value, hands.display.value.tobytes())
        sitting.observe(see("1", ("lokahi", "hookipa", *TIKIS[2:])))
        perform(hands, read_scoreboard(sitting))
        after = (hands.strip.value, hands.display.value.tobytes())
    assert before[0] != after[0]
    assert before[1] != after[1]
