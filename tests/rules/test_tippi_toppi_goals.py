"""Tippi Toppi's goals against the rulebook, and the deck of them."""

from collections import Counter
from pathlib import Path

import pytest

from companion.games.decks import InvalidDeck
from companion.games.tippi_toppi.deck import load_goals
from companion.registry import game_of
from companion.rules import tippi_toppi as game
from companion.rules.base import InvalidAction
from tests.rules.tippi_toppi_tables import after, listed


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
        ("count green 0", "pink1 orange1 purple1 pink1", "pink1 orange1 purple1 green1"),
        ("count 7 2", "green7 pink7 green1 pink1", "green7 pink7 orange7 pink1"),
        ("count 7 0", "green1 pink1 green2 pink2", "green1 pink1 green2 pink7"),
        ("same number", "green7 pink7 orange7 green7", "green7 pink7 orange7 green6"),
        ("same colour", "green7 green1 green2 green3", "green7 green1 green2 pink3"),
        ("pairs numbers", "green7 pink1 orange7 green1", "green7 pink7 orange7 green1"),
        ("pairs colours", "green7 pink1 pink7 green1", "green7 pink1 pink7 orange1"),
        ("pairs numbers", "green7 pink1 orange7 green1", "green7 pink7 orange7 green7"),
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


SYMMETRIC = ("equal", "only")


def written(goal: str) -> list[str]:
    """Return all texts of *goal*: with its two colours in either order, and with more spaces."""
    words = goal.split()
    orders = [words, [words[0], *reversed(words[1:])]] if words[0] in SYMMETRIC else [words]
    return [space.join(order) for order in orders for space in (" ", "  ")]


def test_every_goal_of_the_grammar_can_be_met_or_is_known_not_to() -> None:
    """TP-7: texts are unique, and all but huge sums of one colour have a position."""
    texts = game.all_goals()
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert bool(game.parse_goal(text).good) == (text != "other")


def test_every_goal_is_read_in_each_of_its_texts_and_written_in_one() -> None:
    """TP-7: as an action in text and JSON, in a deck, and in the order of the set-up."""
    for goal in game.all_goals():
        texts = written(goal)
        for text in texts:
            assert game.parse_goal(text).text == goal
            action = game.parse_action(f"goal {text}")
            assert action == game.action_from_json({"type": "revealed", "goal": text})
            assert game.format_action(action) == f"goal {goal}"
            assert game.action_to_json(action) == {"type": "revealed", "goal": goal}
            options = {"goals": 1, "goal_deck": [text]}
            state = game.initial(2, options, {"goals": [text]})
            assert (state.options.goal_deck, state.coming) == ((goal,), (goal,))


def test_two_texts_of_a_goal_mean_the_same() -> None:
    """TP-7: for every four top cards; where colours are not asked for alike, they do not."""
    for kind in SYMMETRIC:
        assert game.parse_goal(f"{kind} purple pink") == game.parse_goal(f"{kind} pink purple")
    assert game.parse_goal("double pink green") != game.parse_goal("double green pink")
    assert met("equal pink green", "pink3 green1 green2 orange7")


def test_a_goal_from_the_deck_counts_however_its_colours_are_ordered() -> None:
    """TP-7: no warning, and it is not offered again."""
    deck = ["equal pink green", "only purple orange", "sum pink 4"]
    state = game.initial(2, {"goals": 3, "goal_deck": deck})
    state = after(state, "lay green1", "lay pink2", "lay orange3", "lay purple4")
    state = after(state, "goal equal pink green")
    assert listed(state) == {"goal only orange purple", "goal sum pink 4"}
    assert game.view(state, None)["warnings"] == []
    state = after(state, "goal equal green pink")
    assert "'equal green pink' came up more often" in game.view(state, None)["warnings"][0]


def test_what_is_no_goal_is_named_so() -> None:
    """TP-7: InvalidAction says what a goal looks like."""
    for text in (
        *("", "sum", "sum red 4", "sum pink 0", "sum pink 29", "sum  pink 4 x", "equal pink"),
        *("equal pink pink", "only pink pink", "same", "same numbers", "pairs both", "count 8 1"),
        *("count 7 5", "count pink 5", "other 1", "run 5", "run 3 up", "below 8", "parity"),
    ):
        with pytest.raises(InvalidAction, match="goal"):
            raise AssertionError(f"{text} is {game.parse_action(f'goal {text}')}")


QUOTED = ("count green 3", "sum green 7", "sum pink 4", "only green pink", "adjacent orange")
"""The goals that the rulebook names in its hints and examples."""


def test_the_goal_deck_that_ships_is_unconfirmed_and_whole() -> None:
    """TP-7: as many goals as the box has, 53, each to be confirmed by the owner."""
    deck = load_goals()
    assert len(deck.cards) == 53
    assert deck.copies.keys() >= set(QUOTED)
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
        "goals = [{goal = 'only green pink'}, {goal = 'only pink green'}]",
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


def test_a_deck_file_may_name_the_colours_in_either_order(tmp_path: Path) -> None:
    """TP-7: they are read as the rules write them, confirmed or not."""
    path = tmp_path / "goals.toml"
    path.write_text(
        "goals = [{goal = 'equal pink green', confirmed = true}, {goal = 'only purple pink'}]"
    )
    deck = load_goals(path)
    assert deck.cards == ["equal green pink", "only pink purple"]
    assert deck.confirmed == frozenset(("equal green pink",))
