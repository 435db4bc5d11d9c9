"""Tippi Toppi's goals that the players check themselves, and how High Speed is lost."""

from random import Random

import pytest

from companion.rules import tippi_toppi as game
from companion.rules.base import Outcome
from tests.rules.tables import Table, tippi_toppi_setup, walk
from tests.rules.tippi_toppi_tables import after, blind, listed, partly_told, refused, table

STUCK_HANDS = "pink3 pink4 pink5 pink6 orange3 orange4 orange5 orange6"
TOPS = "green1 green1 green2 green2"


def texts(goals: tuple[game.Goal, ...]) -> list[str]:
    """Return the texts of *goals*."""
    return [goal.text for goal in goals]


def test_players_say_that_a_goal_is_met_which_the_rules_lack() -> None:
    """TP-7: whenever they find it so; the next goal is turned up, and may be met at once (TP-6)."""
    goals = ["other", "sum all 28", "run 4", "run 3", "parity odd", "parity even"]
    state = table("green1 pink1 orange1 purple1", goals)
    assert texts(state.goals) == ["sum all 28", "run 4", "run 3", "other"]
    assert "met" in listed(state)
    state = after(state, "met")
    assert texts(state.met) == ["other", "parity odd"]
    assert texts(state.goals) == ["sum all 28", "run 4", "run 3", "parity even"]
    assert game.turn(state) == 0
    assert refused(state, "met") == "TP-7"


def test_the_last_goal_may_be_one_that_players_check() -> None:
    """TP-11: with it all have won."""
    state = after(table("green1 pink1 orange1 purple1", ["other"]), "met")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((1, 1, 1), (0, 1, 2), "TP-11")
    assert refused(state, "met") == "TP-11"


def test_two_of_them_are_met_one_by_one() -> None:
    """TP-7: they read alike, and the players know which."""
    state = after(table("green1 pink1 orange1 purple1", ["other", "other"]), "met")
    assert (texts(state.goals), texts(state.met)) == (["other"], ["other"])
    assert state.phase == "play"


def test_they_may_be_met_before_the_card_is_drawn() -> None:
    """TP-5, TP-6: goals come first, then the player who has played draws."""
    state = partly_told()
    state = state._replace(goals=(*state.goals, game.parse_goal("other")))
    state = after(state, "play green7 0")
    assert state.phase == "draw"
    assert {"met", "drew hidden"} <= listed(state)
    state = after(state, "met")
    assert (state.phase, state.drawer, texts(state.met)) == ("draw", 0, ["other"])
    assert game.turn(after(state, "drew hidden")) == 1


def test_nobody_has_lost_while_such_a_goal_may_be_met() -> None:
    """TP-11, TP-12: who cannot play says so, or that the last goal is met."""
    state = table(TOPS, ["other"], STUCK_HANDS, seats=2)
    assert listed(state) == {"met", "stuck"}
    lost, won = game.outcome(after(state, "stuck")), game.outcome(after(state, "met"))
    assert lost is not None
    assert won is not None
    assert (lost.ended_by, won.ended_by) == ("TP-12", "TP-11")
    more = after(table(TOPS, ["other", "sum all 28"], STUCK_HANDS, seats=2), "met")
    assert game.outcome(more) == Outcome((1, 1), (), "TP-12")


@pytest.mark.parametrize("fast", [False, True])
def test_nor_when_no_cards_are_left(fast: bool) -> None:
    """TP-13: the same after the last card."""
    state = table(TOPS, ["other"], STUCK_HANDS, seats=2, high_speed=fast)
    state = state._replace(hands=((), ()), deck=(), cards_left=0)
    assert listed(state) - {"time"} == {"met", "stuck"}
    lost = game.outcome(after(state, "stuck"))
    assert lost is not None
    assert lost.ended_by == "TP-13"


def test_high_speed_is_lost_when_nobody_can_play() -> None:
    """TP-14: at once where all hands are known, not by the clause of whoever's turn it is."""
    state = table(TOPS, ["sum all 28"], STUCK_HANDS, seats=2, high_speed=True)
    assert game.outcome(state) == Outcome((0, 0), (), "TP-14")
    assert not state.time_up
    one_can = STUCK_HANDS.replace("orange3", "orange1")
    state = table(TOPS, ["sum all 28"], one_can, seats=2, high_speed=True)
    assert game.outcome(state) is None
    assert refused(state, "stuck") == "TP-14"


def test_in_high_speed_people_say_that_nobody_can_play() -> None:
    """TP-14, TP-18: where hands are hidden; when time is up it was the clock."""
    state = blind(TOPS, ["sum all 28"], high_speed=True)
    stuck, late = after(state, "stuck"), after(state, "time")
    assert [game.outcome(each) for each in (stuck, late)] == 2 * [Outcome((0, 0, 0), (), "TP-14")]
    assert (stuck.time_up, late.time_up) == (False, True)
    assert refused(game.initial(2, {"high_speed": True}), "stuck") == "TP-14"


@pytest.mark.parametrize("known", [False, True])
@pytest.mark.parametrize("fast", [False, True])
def test_games_full_of_them_can_be_played_to_the_end(known: bool, fast: bool) -> None:
    """TP-7: there is something to enter until the game is over, and over means nothing is."""
    goals = ["other"] * 4 + ["run 3"] * 4
    options = {"goal_deck": goals, "goals": 8, "high_speed": fast}

    def setup(rng: Random, seats: int) -> dict[str, object]:
        return {**tippi_toppi_setup(rng, seats), "goals": rng.sample(goals, 8)}

    full = Table(game, 3, options, setup if known else None, frozenset(("stuck", "time", "met")))
    clauses = set()
    for seed in range(40):
        for state, action in walk(full, Random(seed)):
            assert (action is None) == (state.phase == "over")
        clauses.add(state.ended_by)
    assert "TP-14" in clauses if fast else {"TP-12", "TP-13"} & clauses
