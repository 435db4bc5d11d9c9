"""Calls: what is heard of a scoreboard, and that no secret ever is."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.scenes.calls import call_of
from companion.scenes.scene import scene_of
from companion.scoreboard import Question, TransientNotice
from hardware.fakes import FakeSound
from hardware.sound import SILENCE, Cue
from tests.hardware.boards import board_of, states, with_turn

CARDS = ("up1", "up2", "up3", "topple", "toast")


@pytest.mark.parametrize("state", states())
def test_every_state_can_be_heard(state: str) -> None:
    """Whatever is told is a cue that every sound device takes."""
    with FakeSound() as sound:
        sound.value = call_of(states()[state])
    silent = state in ("calm", "knock", "wobble")
    assert (call_of(states()[state]) == SILENCE) == silent


def test_loud_states_sound_different() -> None:
    """Who does not look hears whether it was a topple, a spin, a question or a turn."""
    told = ("turn 0", "ask", "wrong", "won", "topple", "spin 1", "void spin", "between", "uno")
    heard = {call_of(states()[state]).earcon for state in told}
    assert len(heard) == len(told)


def test_the_words_name_who_it_concerns() -> None:
    """Names, and what to do next."""
    assert call_of(states()["turn 1"]).words == "Bob"
    assert (
        call_of(states()["between"]).words
        == "It stopped between Ann and Bob: whoever spun it chooses."
    )
    assert call_of(states()["spin 1"]).words == "The idol chose Bob."
    assert call_of(states()["topple by nobody"]).words == "Topple!"
    assert call_of(states()["won"]).words == "Bob won!"
    assert call_of(states()["tie"]).words == "A tie between Ann and Bob!"
    assert call_of(states()["ask"]).words == "Which was it? Please answer on the page."


def test_a_remark_is_only_words() -> None:
    """It is spoken, without a melody, and lights and display go on as if it were not there."""
    board = replace(board_of(), moment=TransientNotice("remark", words="Ann drew a card."))
    assert call_of(board) == Cue(None, "Ann drew a card.")
    assert scene_of(board) == scene_of(board_of())


def test_a_new_question_is_heard_again() -> None:
    """Two questions of one kind are two cues; the same question is one."""
    first = replace(board_of(), question=Question("ask", "What happened?", mark="1"))
    second = replace(board_of(), question=Question("ask", "What happened?", mark="2"))
    assert call_of(first) == call_of(replace(first, id="another")) != call_of(second)


def test_only_the_last_seconds_are_counted_aloud() -> None:
    """Sixty seconds are not sixty calls."""
    cues = [
        call_of(replace(board_of(), moment=TransientNotice("countdown", seconds_left=left)))
        for left in range(60, 0, -1)
    ]
    assert len(set(cues[:55])) == 1
    assert [cue.words for cue in cues[55:]] == ["5", "4", "3", "2", "1"]


@given(
    st.sampled_from(sorted(states())),
    st.lists(st.sampled_from(CARDS), max_size=3),
    st.booleans(),
    st.text(max_size=9),
)
def test_no_secret_is_spoken(state: str, cards: list[str], has_secret: bool, said: str) -> None:
    """What is heard does not depend on cards, on secrets entered, or on what anybody wrote."""
    board = states()[state]
    players = tuple(replace(player, has_secret=has_secret) for player in board.players)
    table = {**board.table, "hands": [cards], "shown": [cards]}
    question = board.question and replace(board.question, message=said, candidates=tuple(cards))
    other = replace(
        board,
        players=players,
        table=table,
        question=question,
        last_move=said,
        warnings=(said,),
        notices=(said,),
    )
    assert call_of(other) == call_of(board)


def test_a_name_that_cannot_be_spoken_is_cut() -> None:
    """A name with a line break, or a very long one, still makes one short call."""
    board = with_turn(board_of(), 0)
    named = replace(board.players[0], name="A\nB" + "x" * 99)
    cue = call_of(replace(board, players=(named, *board.players[1:])))
    assert cue == Cue("turn", "AB" + "x" * 28)
