"""Tippi Toppi against its rulebook: the deal, set-ups and options."""

import pytest

from companion.rules import tippi_toppi as game
from tests.rules.tippi_toppi_tables import DECK, after, refused, table


def test_a_deck_has_two_of_each_card() -> None:
    """TP-1: a third cannot be laid."""
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
