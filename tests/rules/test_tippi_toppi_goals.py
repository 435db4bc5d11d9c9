"""Tippi Toppi's goals against the rulebook, and the deck of them."""

from collections import Counter
from pathlib import Path

import pytest

from companion.games import game_of
from companion.games.decks import InvalidDeck
from companion.games.tippi_toppi.deck import load_goals
from companion.rules import tippi_toppi as game
from companion.rules.base import InvalidAction


def met(goal: str, tops: str, **rules: str) -> bool:
    """Tell whether *tops* meet *goal*."""
    cards = tuple(map(game.NAMES.index, tops.split()))
    return game.is_met(game.parse_goal(goal, **rules), cards)


def test_one_green_seven_is_a_green_sum_of_seven() -> None:
    """TP-8: the other three piles show other colours."""
    assert met("sum green 7", "green7 pink1 orange2 purple3")


@pytest.mark.parametrize(
    ("goal", "good", "bad"),
    [
        ("sum pink 4", "pink1 pink3 green7 green7", "pink4 pink3 green7 green7"),
        ("sum all 15", "pink1 pink3 green7 green4", "pink1 pink3 green7 green3"),
        ("equal green pink", "pink3 green1 green2 orange7", "orange3 orange1 orange2 orange7"),
        ("double green purple", "green6 purple3 pink1 pink1", "green3 purple6 pink1 pink1"),
        ("count green 3", "green1 green2 green3 pink1", "green1 green2 green3 green1"),
        ("adjacent pink", "green1 pink1 pink2 green2", "pink3 pink1 pink2 green2"),
        ("apart pink", "pink1 green1 green2 pink2", "pink1 pink2 green1 green2"),
        ("alternate pink", "green1 pink1 green2 pink2", "pink1 green1 green2 pink2"),
        ("only green pink", "green1 green2 green3 green1", "green1 green2 green3 purple1"),
        ("different colours", "green1 pink1 orange1 purple1", "green1 pink1 orange1 pink2"),
        ("different numbers", "green1 green2 green3 green4", "green1 green2 green3 pink1"),
        ("different both", "green1 pink2 orange3 purple4", "green1 pink2 orange3 purple1"),
        ("run 3", "green7 pink1 pink2 pink3", "green7 pink3 pink2 pink1"),
        ("run 3 either", "green7 pink3 pink2 pink1", "pink1 green7 pink2 pink3"),
        ("run 3 any", "pink1 green7 pink3 pink2", "pink1 green7 pink3 pink4"),
        ("run 4 any", "pink4 green1 pink3 pink2", "pink4 green1 pink3 pink3"),
        ("below 4", "pink1 pink2 pink3 pink3", "pink1 pink2 pink3 pink4"),
        ("above 4", "pink5 pink6 pink7 pink5", "pink5 pink6 pink7 pink4"),
        ("parity even", "pink2 pink4 pink6 pink6", "pink2 pink4 pink6 pink7"),
        ("parity odd", "pink1 pink3 pink5 pink7", "pink2 pink3 pink5 pink7"),
        ("parity alternating", "pink2 pink3 pink4 pink7", "pink2 pink3 pink5 pink6"),
    ],
)
def test_each_kind_of_goal_means_what_it_says(goal: str, good: str, bad: str) -> None:
    """TP-7, TP-8, TP-9: a position that meets it and one that nearly does."""
    assert met(goal, good)
    assert not met(goal, bad)


def test_a_colour_must_show_for_its_sum() -> None:
    """TP-8: nought is not twice nought."""
    assert not met("double green purple", "pink1 pink2 orange1 orange2")
    assert not met("equal green purple", "pink1 pink2 orange1 orange2")


def test_the_open_readings_are_options() -> None:
    """TP-7: the direction of a run and further piles of an alternating colour."""
    assert met("run 3", "green7 pink3 pink2 pink1", run_order="either")
    assert not met("alternate pink", "pink1 pink2 pink3 green1")
    assert met("alternate pink", "pink1 pink2 pink3 green1", alternating="any")


def test_every_goal_of_the_grammar_can_be_met_or_is_known_not_to() -> None:
    """TP-7: texts are unique, and all but huge sums of one colour have a position."""
    texts = game.all_goals()
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert game.parse_goal(text).text == text
        assert game.parse_goal(text).good


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sum",
        "sum red 4",
        "sum pink 0",
        "sum pink 29",
        "equal pink green",
        "only pink pink",
        "run 5",
        "run 3 up",
        "below 8",
        "parity",
        "count pink 5",
        "sum  pink 4 x",
    ],
)
def test_what_is_no_goal_is_named_so(text: str) -> None:
    """TP-7: InvalidAction says what a goal looks like."""
    with pytest.raises(InvalidAction, match="goal"):
        game.parse_action(f"goal {text}")


def test_the_goal_deck_that_ships_is_unconfirmed_and_whole() -> None:
    """TP-7: 52 goals, all of the grammar, each to be confirmed by the owner."""
    deck = load_goals()
    assert len(deck.cards) == 52
    assert not deck.is_confirmed
    state = game.initial(2, game_of("tippi_toppi").usual_options())
    assert Counter(state.options.goal_deck) == Counter(deck.cards)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "goals = 1",
        "goals = [1]",
        "goals = [{goal = 'fly'}]",
        "goals = [{goal = 'run 3', count = -1}]",
        "goals = [{goal = 'run 3', x = 1}]",
        "goals = [{goal = 'run 3'}, {goal = 'run 3'}]",
        "goals = [",
    ],
)
def test_a_broken_deck_file_is_named(text: str, tmp_path: Path) -> None:
    """TP-7: the file, and what would be right."""
    path = tmp_path / "goals.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDeck, match=r"goals\.toml"):
        load_goals(path)
    with pytest.raises(InvalidDeck, match="cannot be read"):
        load_goals(tmp_path / "none.toml")


def test_an_owner_confirms_card_by_card(tmp_path: Path) -> None:
    """TP-7: the deck is confirmed when every card is."""
    path = tmp_path / "goals.toml"
    path.write_text("goals = [{goal = 'run 3', confirmed = true}, {goal = 'run 4', count = 2}]")
    deck = load_goals(path)
    assert (deck.cards, deck.confirmed) == (["run 3", "run 4", "run 4"], frozenset(("run 3",)))
