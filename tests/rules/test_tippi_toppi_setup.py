"""Tippi Toppi against its rulebook: the deal, set-ups and options."""

from typing import Any

import pytest

from companion.rules import tippi_toppi as game
from companion.rules.base import InvalidAction, InvalidSetup
from tests.rules.tippi_toppi_tables import DECK, HANDS, after, refused, table


@pytest.mark.parametrize("seats", [0, 5, True, 2.0, "2", None])
def test_only_one_to_four_people_play(seats: Any) -> None:
    """TP-1: any other number is refused."""
    with pytest.raises(InvalidSetup, match="TP-1"):
        game.initial(seats)


@pytest.mark.parametrize("deck", [DECK[:55], [*DECK[:55], "green1"], "x", [1] * 56, [None] * 56])
def test_a_deck_has_two_of_each_card(deck: Any) -> None:
    """TP-1: nothing else is played with."""
    with pytest.raises(InvalidSetup, match="TP-1"):
        game.initial(2, {}, {"deck": deck})
    assert refused(after(game.initial(2), "lay pink1", "lay pink1"), "lay pink1") == "TP-1"


@pytest.mark.parametrize(
    ("seats", "goals"),
    [
        (1, (12, 14, 16, 18, 20)),
        (2, (14, 16, 18, 20, 22)),
        (3, (14, 16, 18, 20, 22)),
        (4, (12, 14, 16, 18, 20)),
    ],
)
def test_the_number_of_goals_follows_the_table(seats: int, goals: tuple[int, ...]) -> None:
    """TP-2: by players and difficulty; one person has the solo column (TP-17)."""
    for difficulty, number in zip(game.DIFFICULTIES, goals, strict=True):
        assert game.parse_options({"difficulty": difficulty}, seats).goals == number


def test_everybody_is_dealt_four_cards() -> None:
    """TP-2: four begin the piles, the rest are drawn from."""
    state = game.initial(4, {"goals": 1}, {"deck": DECK, "goals": ["sum all 28"]})
    assert [len(hand) for hand in state.hands if isinstance(hand, tuple)] == [4] * 4
    assert state.cards_left == 36
    assert refused(state, "lay green1") == "TP-2"


def test_a_goal_met_by_the_first_cards_is_replaced_at_once() -> None:
    """TP-3: and counts; the replacement too if it is met."""
    goals = ["count green 4", "sum all 4", "only green pink", "run 3", "run 4", "count pink 1"]
    state = table("green1 green1 pink1 pink1", goals)
    assert [goal.text for goal in state.met] == ["sum all 4", "only green pink"]
    assert len(state.goals) == 4
    usual = table("purple1 pink1 pink2 orange1", ["run 4"])
    assert refused(usual, "goal run 3") == "TP-3"
    assert refused(game.initial(2), "play green1 0") == "TP-3"


@pytest.mark.parametrize(
    "options",
    [
        {"difficulty": "easy"},
        {"difficulty": []},
        {"goals": 0},
        {"goals": True},
        {"silence": 1},
        {"run_order": "up"},
        {"goal_deck": "x"},
        {"goal_deck": [1]},
        {"goal_deck": ["fly"]},
        {"goal_deck": ["run 3"]},
        {"x": 1},
    ],
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    """TP-2: options are checked by name and range."""
    with pytest.raises(InvalidSetup):
        game.initial(3, options)


@pytest.mark.parametrize(
    "setup", [{"first": 3}, {"first": True}, {"x": 1}, {"goals": 1}, {"goals": ["run 3"]}]
)
def test_a_wrong_set_up_is_refused(setup: dict[str, Any]) -> None:
    """TP-2: set-ups are checked before anyone plays."""
    with pytest.raises(InvalidSetup):
        game.initial(3, {}, setup)


@pytest.mark.parametrize(
    "thing",
    [
        "",
        "play green8 0",
        "play green7 4",
        "play green7 0 by 4",
        "lay",
        "goal",
        "stuck now",
        "time 5",
        {"type": "played", "card": "green7", "pile": True},
        {"type": "played", "card": "green7", "pile": 0, "x": 1},
        {"type": "played", "card": "green7", "pile": 0, "seat": True},
        {"type": "revealed", "goal": "fly"},
        {"type": "laid", "card": 7},
        7,
    ],
)
def test_what_is_no_action_is_named_so(thing: Any) -> None:
    """TP-4: InvalidAction, not IllegalAction."""
    with pytest.raises(InvalidAction):
        game.action_from_json(thing)


@pytest.mark.parametrize(
    "setup",
    [
        {"hands": HANDS[:2]},
        {"hands": HANDS, "deck": DECK},
        {"hands": [["green1"], None, None]},
        {"hands": [["green8"] * 4, None, None]},
        {"hands": [["green1"] * 4, None, None]},
        {"hands": 5},
    ],
)
def test_wrong_hands_are_refused(setup: dict[str, Any]) -> None:
    """TP-1, TP-2: four cards that exist, two of a kind at most, or null for each seat."""
    with pytest.raises(InvalidSetup):
        game.initial(3, {}, setup)
