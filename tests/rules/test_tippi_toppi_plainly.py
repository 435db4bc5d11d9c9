"""Tippi Toppi beside a plain reading of its clauses: goals, and what whole games come to."""

from random import Random

import pytest

from companion.rules import tippi_toppi as game
from tests.rules import plain_goals
from tests.rules.tables import Table, tippi_toppi_tables, walk

CARDS = [(colour, number) for colour in game.COLOURS for number in range(1, 8)]
ALL = game.all_goals()


def is_plainly_met(goal: str, state: game.State) -> bool | None:
    """Tell whether *goal* is met, None where an option or the players decide what it means."""
    usual = state.options.run_order == "ascending" and state.options.alternating == "exact"
    if goal == "other" or (not usual and goal.startswith(("run", "alternate"))):
        return None
    return plain_goals.is_met(goal, [CARDS[card] for card in state.tops])


def fits(card: int, state: game.State) -> bool:
    """Tell whether *card* has the colour or the number of a top card (TP-4)."""
    colour, number = CARDS[card]
    tops = [CARDS[top] for top in state.tops]
    return any(colour == one or number == other for one, other in tops)


def test_every_goal_means_what_a_plain_reading_says() -> None:
    """TP-7, TP-8, TP-9: on random top cards, most of them of few colours and numbers."""
    rng = Random(1)
    met = set()
    tops = [tuple(rng.choices(range(28), k=4)) for _ in range(150)]
    for _ in range(450):
        few = rng.sample(range(28), 2)
        near = [card // 7 * 7 + rng.randrange(7) for card in few]
        tops.append(tuple(rng.choices(few + near, k=4)))
    for each in tops:
        cards = [CARDS[card] for card in each]
        for goal in ALL:
            is_met = game.is_met(game.parse_goal(goal), each)
            assert is_met == plain_goals.is_met(goal, cards), (goal, cards)
            met |= {goal} if is_met else set()
    assert len(met) > 0.8 * len(ALL)


@pytest.mark.parametrize("table", list(tippi_toppi_tables()), ids=str)
def test_whole_games_come_to_what_the_book_says(table: Table) -> None:
    """TP-6, TP-11 to TP-14: a goal is put aside when it is met, and all win with the last."""
    for seed in range(4):
        before = 0
        for state, _ in walk(table, Random(seed)):
            assert len(state.met) + len(state.goals) + state.goals_left == state.options.goals
            if len(state.tops) == 4:
                assert not any(is_plainly_met(goal.text, state) for goal in state.goals)
                new = [is_plainly_met(goal.text, state) for goal in state.met[before:]]
                assert False not in new
            before = len(state.met)
        result = game.outcome(state)
        assert result is not None
        assert result.scores == (before,) * table.seats
        won = before == state.options.goals
        assert result.winners == (tuple(range(table.seats)) if won else ())
        assert won == (result.ended_by == "TP-11")
        fast = state.options.high_speed
        assert result.ended_by in ("TP-11", "TP-13", "TP-14" if fast else "TP-12")
        if not won:
            hands = state.hands if fast and not state.time_up else (state.hands[state.seat],)
            known = [card for hand in hands for card in hand or () if card >= 0]
            assert state.time_up or not any(fits(card, state) for card in known)
