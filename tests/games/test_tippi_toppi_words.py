"""Tippi Toppi in words, and as its files have it."""

import pytest

from companion.games.tippi_toppi.deck import load_goals
from companion.games.tippi_toppi.game import GAME
from companion.games.tippi_toppi.words import goal_words
from companion.referee.game import EMPTY
from companion.rules import tippi_toppi as rules
from companion.rules.base import InvalidSetup

NAMED = ("Ann", "Bob", "Cem", "Dia")


def test_every_goal_has_words_of_its_own() -> None:
    """No two goals of the grammar read alike, and none as the grammar has it."""
    words = {goal: goal_words(goal) for goal in rules.all_goals()}
    assert len(set(words.values())) == len(words)
    assert all(words[goal] != goal for goal in words)
    assert goal_words("count green 3") == "exactly three green"
    assert goal_words("run 3 any") == "three consecutive numbers, on any piles"
    assert goal_words("count green 0") == "no green"
    assert [goal_words(f"count 7 {n}") for n in (0, 1, 2)] == [
        *("no 7s", "exactly one 7", "exactly two 7s"),
    ]
    assert goal_words("no goal") == "no goal"


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("play green7 3", "green 7 on pile 4"),
        ("play green7 0 by 1", "green 7 on pile 1"),
        ("lay pink2", "pink 2 starts a pile"),
        ("goal parity even", "new goal: all numbers even"),
        ("met", "a goal that you check yourselves is met"),
        ("drew pink1", "pink 1 is drawn"),
        ("drew hidden", "a card is drawn"),
        ("hand 1 pink1 pink2", "Bob holds pink 1, pink 2"),
        ("hand 1", "Bob enters the whole hand"),
        ("stuck", "no card fits"),
        ("time", "time is up"),
        ("what", "what"),
    ],
)
def test_what_happens_has_plain_words(action: str, words: str) -> None:
    """Piles are counted from 1, and people have names."""
    assert GAME.words(action, NAMED) == words
    assert GAME.sentence(0, (action,), NAMED) == f"Ann: {words}"
    assert GAME.sentence(None, (action,), NAMED) == words[0].upper() + words[1:]


def test_places_have_plain_words() -> None:
    """A pile has a card, no card, or nobody knows."""
    assert GAME.place_words(0, "green 7") == "green 7 on pile 1"
    assert GAME.place_words(3, EMPTY) == "no card on pile 4"
    assert GAME.place_words(1, None) == "some card on pile 2"


def test_options_begin_with_the_goal_deck() -> None:
    """TP-7: the file's goals unless others are given."""
    deck = load_goals().cards
    assert GAME.usual_options() == {"goal_deck": deck}
    assert GAME.parse_options({}, 2)["goal_deck"] == deck
    assert GAME.parse_options({"goal_deck": []}, 2)["goal_deck"] == []
    assert [GAME.setup(first) for first in (None, 2)] == [{"first": 0}, {"first": 2}]
    with pytest.raises(InvalidSetup):
        GAME.parse_options({"difficulty": "hopeless"}, 2)
