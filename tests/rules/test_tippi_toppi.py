"""Tippi Toppi against its rulebook: playing, winning and losing."""

from random import Random
from typing import Any

import pytest

from companion.rules import tippi_toppi as game
from tests.rules.tippi_toppi_tables import DECK, after, blind, listed, refused, table


def test_edgar_and_andrea_meet_two_goals() -> None:
    """TP-6, TP-9: green 7 on orange 7 leaves two colours, orange 2 on pink 2 makes pink 4."""
    hands = (
        "green7 green1 green2 purple3 orange2 orange3 purple5 purple6 orange7 purple1 green3 green4"
    )
    goals = ["sum pink 4", "only green pink", "run 3", "sum all 28", "adjacent orange"]
    state = table("pink4 orange7 pink2 green7", goals, hands)
    state = after(state, "play green7 1")
    assert [goal.text for goal in state.met] == ["only green pink"]
    assert [goal.text for goal in state.goals][-1] == "adjacent orange"
    assert game.turn(state) == 1
    state = after(state, "play orange2 2")
    assert [goal.text for goal in state.met] == ["only green pink", "sum pink 4"]
    assert "play orange7 1" in listed(state)
    state = after(state, "play orange7 1")
    assert [goal.text for goal in state.met][2:] == ["adjacent orange"]


def test_a_card_follows_colour_or_number() -> None:
    """TP-4: onto any of the four piles, from one's own hand."""
    hands = "green7 green1 purple2 purple3 pink5 pink5 pink6 pink6 orange1 orange1 orange2 orange2"
    state = table("green2 pink1 orange7 pink2", ["sum all 28"], hands)
    assert listed(state) == {
        *("play green7 0", "play green7 2", "play green1 0", "play green1 1"),
        *("play purple2 0", "play purple2 3"),
    }
    assert refused(state, "play purple3 0") == "TP-4"
    assert refused(state, "play pink5 1") == "TP-4"


def test_a_card_is_drawn_while_there_are_any() -> None:
    """TP-5: then play goes on with what is held."""
    state = table("green2 pink1 orange7 pink2", ["sum all 28"])
    seat, card = 0, game.NAMES[state.deck[0]]
    state = game.apply(state, game.legal_actions(state)[0])
    assert card in game.state_to_json(state)["hands"][seat]
    state = blind("green2 pink1 orange7 pink2", ["sum all 28"], seats=4)._replace(cards_left=1)
    state = after(state, "play green7 0", "play green1 0")
    assert game.state_to_json(state)["hand_sizes"] == [4, 3, 4, 4]


def test_all_goals_met_wins_even_with_the_last_card() -> None:
    """TP-11: tested before anybody can be stuck."""
    state = blind("green2 pink1 orange7 pink2", ["sum all 17"], seats=1)
    state = state._replace(hands=((-1,),), cards_left=0)
    state = after(state, "play green7 0")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((1,), (0,), "TP-11")
    assert refused(state, "play green7 0") == "TP-11"


def test_whoever_cannot_play_loses_for_all() -> None:
    """TP-12: tested for the player on turn only."""
    hands = "green7 green1 green2 green3 purple5 purple5 purple6 purple6"
    state = table("green4 pink4 orange4 pink2", ["sum all 28", "run 4"], hands, seats=2)
    assert game.outcome(state) is None
    state = after(state, "play green1 0")
    result = game.outcome(state)
    assert result is not None
    assert (result.winners, result.ended_by) == ((), "TP-12")
    assert refused(table("green4 pink4 orange4 pink2", ["run 4"]), "stuck") == "TP-12"


def test_no_cards_left_loses() -> None:
    """TP-13: with a goal still open."""
    state = blind("green2 pink1 orange7 pink2", ["sum all 28"], seats=1)
    state = after(state._replace(hands=((-1,),), cards_left=0), "play green7 0")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((0,), (), "TP-13")


def test_in_high_speed_anybody_plays_until_time_is_up() -> None:
    """TP-14: no turn, the seat is told, and the clock is an observed fact."""
    hands = "green7 green1 green2 green3 purple5 purple5 purple6 purple6"
    state = table("green4 pink4 orange5 pink2", ["sum all 28"], hands, seats=2, high_speed=True)
    assert game.turn(state) is None
    assert {"play green7 0 by 0", "play purple5 2 by 1", "time"} <= listed(state)
    assert refused(state, "play green7 0") == "TP-14"
    state = after(state, "play purple5 2 by 1", "play purple5 2 by 1")
    result = game.outcome(after(state, "time"))
    assert result is not None
    assert (result.winners, result.ended_by) == ((), "TP-14")
    usual = table("green4 pink4 orange5 pink2", ["sum all 28"], hands, seats=2)
    assert refused(usual, "time") == "TP-14"
    assert refused(usual, "play green7 0 by 0") == "TP-14"


def test_high_speed_seen_by_a_camera_does_not_say_who_played() -> None:
    """TP-14: hand sizes are then unknown as well (TP-18)."""
    state = blind("green4 pink4 orange5 pink2", ["sum all 28"], high_speed=True)
    state = after(state, "play green7 0", "play green7 0")
    assert game.state_to_json(state)["hand_sizes"] == [None] * 3
    assert refused(state, "play green7 0") == "TP-18"


@pytest.mark.parametrize(
    ("options", "talk"),
    [({}, "usual"), ({"silence": True}, "silence"), ({"open_hands": True}, "open")],
)
def test_the_talk_rules_are_data(options: dict[str, Any], talk: str) -> None:
    """TP-10, TP-15, TP-16: what the page shows."""
    view = game.view(table("green4 pink4 orange5 pink2", ["sum all 28"], **options), 0)
    assert view["talk"] == game.TALK[talk]
    assert bool(view["talk"]["forbidden"]) == (talk != "open")


def test_a_view_shows_ones_own_hand_or_all_open_ones() -> None:
    """TP-2, TP-16: never the cards to draw or the goals to come."""
    state = table("green4 pink4 orange5 pink2", ["sum all 28"])
    view = game.view(state, 1)
    assert [hand is not None for hand in view["hands"]] == [False, True, False]
    assert not {"deck", "coming_goals"} & view.keys()
    assert game.view(state, None)["hands"] == [None] * 3
    kids = table("green4 pink4 orange5 pink2", ["sum all 28"], open_hands=True)
    assert None not in game.view(kids, None)["hands"]


def test_one_person_plays_by_the_same_rules() -> None:
    """TP-17: turn after turn."""
    hand = "green1 green2 green3 green6"
    state = table("green4 pink4 orange5 pink2", ["sum all 28"], hand, seats=1)
    state = game.apply(state, game.legal_actions(state)[0])
    assert game.turn(state) == 0


def test_everyone_wins_or_loses_together() -> None:
    """TP-11 to TP-13: over many random games, both happen for a small number of goals."""
    clauses = set()
    for seed in range(200):
        rng = Random(seed)
        state = game.initial(
            2,
            {"goals": 3},
            {"deck": rng.sample(DECK, 56), "goals": ["below 6", "above 2", "sum all 15"]},
        )
        while actions := game.legal_actions(state):
            state = game.apply(state, rng.choice(actions))
        clauses.add(state.ended_by)
    assert {"TP-11", "TP-12"} <= clauses
