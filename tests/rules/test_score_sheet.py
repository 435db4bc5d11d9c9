"""A score sheet: rounds count once all points are there, and the agreed end is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.rules import score_sheet
from companion.rules.base import IllegalAction, InvalidSetup
from companion.rules.score_sheet import Ended, Filled, State, Wrote, apply, initial, outcome, totals


def written(state: State, *rounds: tuple[int, ...]) -> State:
    """Return *state* after everybody's points of *rounds*, written from the last seat on."""
    for points in rounds:
        for seat in reversed(range(len(points))):
            state = apply(state, Wrote(seat, points[seat]))
    return state


def test_a_round_counts_with_its_last_points() -> None:
    """SS-2: in any order, and until then they are written again."""
    state = apply(apply(initial(2), Wrote(1, 7)), Wrote(1, 8))
    assert (state.rounds, state.written, totals(state)) == ((), (None, 8), (0, 0))
    state = apply(state, Wrote(0, -3))
    assert (state.rounds, state.written, totals(state)) == (((-3, 8),), (None, None), (-3, 8))


def test_points_of_several_are_written_at_once() -> None:
    """SS-2: who is left out keeps what is written; every seat is named, and one has points."""
    state = apply(apply(initial(3), Wrote(1, 7)), Filled((None, 8, -2)))
    assert (state.rounds, state.written) == ((), (None, 8, -2))
    assert apply(state, Filled((4, None, None))).rounds == ((4, 8, -2),)
    for points in ((1, 2), (1, 2, 3, 4), (None, None, None), (1, 2, 1000)):
        with pytest.raises(IllegalAction) as refused:
            apply(state, Filled(points))
        assert refused.value.clause == "SS-2"


def test_one_to_ten_share_a_sheet() -> None:
    """SS-1: and nobody beyond them has points."""
    for seats in (0, 11):
        with pytest.raises(InvalidSetup, match=r"for 1 to 10 players, .*SS-1"):
            initial(seats)
    for seats in (1, 10):
        with pytest.raises(IllegalAction) as unknown:
            apply(initial(seats), Wrote(seats, 1))
        assert unknown.value.clause == "SS-1"


@pytest.mark.parametrize(
    ("options", "rounds", "winners"),
    [
        ({"target": 20}, [(5, 19), (20, 0)], (0,)),
        ({"target": 10}, [(10, 10)], (0, 1)),
        ({"rounds": 2, "lowest": True}, [(5, 1), (0, 9)], (0,)),
        ({"target": 20, "lowest": True}, [(0, 21)], (0,)),
    ],
)
def test_the_end_that_was_agreed(
    options: dict[str, int | bool], rounds: list[tuple[int, ...]], winners: tuple[int, ...]
) -> None:
    """SS-3, SS-4: with the round that reaches the target, or the last; equal players share it."""
    state = written(initial(2, options), *rounds[:-1])
    assert outcome(state) is None
    ended = outcome(written(state, rounds[-1]))
    assert ended
    assert (ended.winners, ended.ended_by) == (winners, "SS-3")


def test_it_is_ended_between_two_rounds_only() -> None:
    """SS-5: not before the first round, and not within one."""
    for state in (initial(2), apply(written(initial(2), (1, 2)), Wrote(0, 1))):
        assert Ended() not in score_sheet.legal_actions(state)
        with pytest.raises(IllegalAction) as refused:
            apply(state, Ended())
        assert refused.value.clause == "SS-5"
    over = apply(written(initial(2), (1, 2)), Ended())
    found = outcome(over)
    assert found
    assert found.winners == (1,)
    assert score_sheet.legal_actions(over) == ()
    with pytest.raises(IllegalAction):
        apply(over, Wrote(0, 1))


@given(st.integers(1, 10), st.integers(-99, 999), st.data())
def test_texts_and_objects_say_the_same(seats: int, points: int, data: st.DataObject) -> None:
    """Every action is read back as it was written, also below zero."""
    action = Wrote(data.draw(st.integers(0, seats - 1)), points)
    assert score_sheet.parse_action(score_sheet.format_action(action)) == action
    assert score_sheet.action_from_json(score_sheet.action_to_json(action)) == action
    assert action in score_sheet.legal_actions(initial(seats))
    each = st.none() | st.integers(-99, 999)
    filled = Filled(tuple(data.draw(st.lists(each, min_size=seats, max_size=seats))))
    assert score_sheet.parse_action(score_sheet.format_action(filled)) == filled
    assert score_sheet.action_from_json(score_sheet.action_to_json(filled)) == filled


BAD = ("points 0 1000", "points 0 -100", "points 0 01", "points 0 +1", "points 10 1", "end now")


@pytest.mark.parametrize("options", [{"target": -1}, {"rounds": 100}, {"of": "A B"}, {"tie": 1}])
def test_options_that_cannot_be_are_refused(options: dict[str, object]) -> None:
    """With the clause that they are about."""
    with pytest.raises(InvalidSetup):
        initial(2, options)
