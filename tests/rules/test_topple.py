"""Topple against its rulebook."""

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import topple as game
from companion.rules.base import InvalidSetup
from tests.rules.texts import Texts

_TEXTS: Final = Texts(game)
after, refused, listed = _TEXTS.after, _TEXTS.refused, _TEXTS.listed
Cells = dict[str, str]


def place(cells: Cells, seats: int = 4, pips: int = 6, **options: Any) -> game.State:
    """Return seat 0, pink, about to place: `{"22": "pink blue"}` has blue on pink."""
    state = game.initial(seats, options, {"first": 0})
    colours = state.options.colours
    columns: list[tuple[int, ...]] = [()] * 25
    marks, stock = [0] * 4, list(state.stock)
    for spot, words in cells.items():
        number = int(spot[0]) * 5 + int(spot[1])
        columns[number] = tuple(map(colours.index, words.split()))
        marks[columns[number][-1]] |= 1 << number
        for colour in columns[number]:
            stock[colour] -= 1
    state = state._replace(cells=tuple(columns), marks=tuple(marks), stock=tuple(stock))
    return after(state, f"roll {pips}") if pips else state


def score(state: game.State, text: str) -> int:
    """Return what seat 0 earns with *text*."""
    return game.totals(after(state, text))[0] - game.totals(state)[0]


ROW = {"20": "pink", "21": "yellow", "22": "blue", "23": "green"}


def test_completing_a_row_with_one_other_of_ones_colour_scores_four() -> None:
    """TO-5: the rulebook's first caption, 3 for the row and 1 for the other pink stack."""
    assert score(place(ROW), "place 24 pink") == 4


def test_adding_to_a_row_with_two_of_ones_colour_scores_two() -> None:
    """TO-6: the second caption; the new piece on top counts."""
    assert score(place({**ROW, "24": "yellow"}), "place 24 pink") == 2


def test_a_tall_stack_with_two_of_ones_colour_scores_two() -> None:
    """TO-7: the third caption; the stack had three pieces already."""
    assert score(place({"33": "pink blue yellow"}), "place 33 pink") == 2
    assert score(place({"33": "pink blue"}), "place 33 pink") == 0


def test_two_rows_and_a_stack_score_five() -> None:
    """TO-8: the fourth caption; the new piece counts in both rows and in the stack."""
    across = {"20": "yellow", "21": "yellow", "23": "blue", "24": "blue"}
    down = {"02": "pink", "12": "green", "32": "green", "42": "yellow"}
    middle = {"22": "pink yellow blue"}
    assert score(place({**across, **down, **middle}), "place 22 pink") == 1 + 2 + 2


def test_one_piece_may_complete_four_rows() -> None:
    """TO-8: the middle lies in a row, a column and both diagonals (TO-5)."""
    spots = [f"{r}{c}" for r in range(5) for c in range(5) if r in (2, c, 4 - c) or c == 2]
    assert score(place({spot: "yellow" for spot in spots if spot != "22"}), "place 22 pink") == 12


def test_the_completing_piece_counts_by_option() -> None:
    """TO-5: count_completing adds one for the piece itself, in rule 1 only."""
    assert score(place(ROW, count_completing=True), "place 24 pink") == 5
    full = {**ROW, "24": "yellow"}
    assert score(place(full, count_completing=True), "place 24 pink") == 2


def test_a_broken_diagonal_is_no_row() -> None:
    """TO-5: only the two long diagonals have five spots."""
    assert score(place({"01": "pink", "12": "pink", "23": "pink"}), "place 34 pink") == 0
    diagonal = {"04": "pink", "13": "pink", "22": "pink", "31": "pink"}
    assert score(place(diagonal), "place 40 pink") == 7


def test_the_board_has_five_levels() -> None:
    """TO-1: 54345 / 43234 / 32123 / 43234 / 54345."""
    assert "".join(map(str, game.LEVEL)) == "5434543234321234323454345"


def test_each_player_has_twelve_pieces_of_an_own_colour() -> None:
    """TO-2: other colours stay in the box, and only one's own may be placed."""
    assert game.initial(3).stock == (12, 12, 12, 0)
    for colour in ("yellow", "green", "mauve"):
        assert refused(place({}, seats=3), f"place 22 {colour}") == "TO-2"


def test_the_highest_roll_begins() -> None:
    """TO-3: those who share it roll again."""
    state = after(game.initial(4), "roll 5", "roll 2", "roll 5", "roll 1")
    assert (state.phase, state.rolling) == ("start", (0, 2))
    state = after(state, "roll 3", "roll 3", "roll 1", "roll 4")
    assert (state.phase, state.seat) == ("roll", 2)
    assert refused(game.initial(4), "place 22 pink") == "TO-4"


@pytest.mark.parametrize(("pips", "spots"), [(1, 1), (2, 4), (3, 8), (4, 8), (5, 4), (6, 25)])
def test_the_die_says_the_level(pips: int, spots: int) -> None:
    """TO-4: and a 6 allows every spot, empty or not."""
    state = place({"22": "blue", "00": "blue"}, pips=pips)
    assert sum(text.startswith("place") for text in listed(state)) == spots
    if pips not in (5, 6):
        assert refused(state, "place 00 pink") == "TO-4"


def test_one_rolls_once_and_then_places() -> None:
    """TO-4: a second roll is refused, as is a piece before the first."""
    assert refused(place({}), "roll 3") == "TO-4"
    for text in ("place 22 pink", "topple", "pass"):
        assert refused(place({}, pips=0), text) == "TO-4"


def test_passing_is_an_option() -> None:
    """TO-4: refused by default; with must_place off the turn goes on."""
    assert refused(place({}), "pass") == "TO-4"
    state = after(place({}, must_place=False), "pass")
    assert (state.phase, state.seat) == ("roll", 1)


def test_whoever_has_no_piece_left_is_skipped_after_passes() -> None:
    """TO-4: possible only where passing is allowed (TO-11)."""
    state = place({}, seats=3, must_place=False)._replace(stock=(1, 0, 3, 0))
    assert after(state, "place 22 pink").seat == 2


def test_toppling_costs_ten_and_brings_the_last_player_three() -> None:
    """TO-9: the piece that fell scores nothing, and totals may be negative."""
    state = place(ROW, seats=3)
    state = after(state, "place 24 pink", "roll 6", "topple")
    assert game.totals(state) == (4 + 3, -10, 0)
    assert state.rounds[0] == game.Round((7, -10, 0), 1, "TO-9")
    assert not any(state.cells)


def test_toppling_first_brings_nobody_anything() -> None:
    """TO-9: on the round's first turn nobody had the turn before."""
    assert game.totals(after(place({}, seats=3), "topple")) == (-10, 0, 0)


def test_a_knock_costs_ten_and_brings_nobody_anything() -> None:
    """TO-10: on turn or not; but there must be something to fall."""
    state = after(place(ROW, seats=3), "place 24 pink")
    assert game.totals(after(state, "knock 2")) == (4, 0, -10)
    assert game.totals(after(state, "roll 2", "knock 2")) == (4, 0, -10)
    assert refused(place({}), "knock 2") == "TO-10"
    assert refused(state, "knock 3") == "TO-10"


def test_a_round_ends_with_the_last_piece() -> None:
    """TO-11: the pieces go back, the points stay."""
    state = place({}, seats=3)._replace(stock=(1, 0, 0, 0))
    state = after(state, "place 22 pink")
    assert state.rounds[0].ended_by == "TO-11"
    assert state.stock == (12, 12, 12, 0)
    assert (state.phase, state.seat) == ("roll", 1)


@pytest.mark.parametrize(
    ("rule", "texts", "seat"),
    [
        ("next", ["place 22 pink", "roll 1", "topple"], 2),
        ("next", ["place 22 pink", "roll 1", "knock 3"], 2),
        ("next", ["place 22 pink", "knock 3"], 1),
        ("same", ["place 22 pink", "roll 1", "topple"], 0),
    ],
)
def test_who_begins_the_next_round(rule: str, texts: list[str], seat: int) -> None:
    """TO-11: the left neighbour of the last turn, or by option next_start."""
    state = after(place({}, next_start=rule), *texts)
    assert (state.phase, state.seat) == ("roll", seat)


@pytest.mark.parametrize(
    ("texts", "seat"),
    [
        (["pass", "knock 0"], 1),
        (["pass", "roll 6", "knock 1"], 0),
        (["place 22 pink", "knock 3"], 1),
        (["place 22 pink", "roll 6", "pass", "roll 6", "place 22 pink", "knock 0"], 1),
    ],
)
def test_a_knock_before_the_roll_comes_after_the_last_turn(texts: list[str], seat: int) -> None:
    """TO-11: seats 1 and 2 have no piece left, and are passed over in this round only."""
    state = place({"00": "pink"}, must_place=False)._replace(stock=(3, 0, 0, 5))
    state = after(state, *texts)
    assert state.rounds[0].ended_by == "TO-10"
    assert (state.phase, state.seat) == ("roll", seat)


@settings(max_examples=100, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    stock=st.lists(st.integers(0, 2), min_size=4, max_size=4).filter(any),
    young=st.booleans(),
)
def test_the_left_neighbour_of_the_last_turn_begins(
    seed: int, stock: list[int], young: bool
) -> None:
    """TO-11: however the round ended, whoever was passed over, whoever is out."""
    rng = Random(seed)
    options = {"must_place": False, "young": young, "target": 9999}
    state = game.initial(4, options, {"first": next(at for at in range(4) if stock[at])})
    state = state._replace(stock=tuple(stock))
    last = -1  # who had the last turn: it begins with the roll
    while not state.rounds:
        action = rng.choice(game.legal_actions(state))
        last = state.seat if isinstance(action, game.Rolled) else last
        state = game.apply(state, action)
    following = [(last + step) % 4 for step in range(1, 5)]
    if state.phase != "over":
        assert state.seat == next(seat for seat in following if seat in state.players)


def test_a_roll_that_nobody_tells_may_have_allowed_any_spot() -> None:
    """TO-4: play goes on without the die; who begins cannot be told without it (TO-3)."""
    state = after(game.initial(3, None, {"first": 0}), "roll ?")
    assert (state.phase, state.pips) == ("place", game.UNSEEN)
    assert game.legal_actions(state) == game.legal_actions(place({}))
    for spot in ("00", "22", "43"):
        assert after(state, f"place {spot} pink").seat == 1
    assert refused(state, "roll 3") == "TO-4"
    assert refused(game.initial(3), "roll ?") == "TO-3"
    assert game.parse_action("roll ?") == game.action_from_json({"type": "rolled", "pips": None})
    assert game.action_to_json(game.Rolled(game.UNSEEN)) == {"type": "rolled", "pips": None}
    assert game.format_action(game.Rolled(game.UNSEEN)) == "roll ?"


def test_everybody_may_roll_for_the_next_round() -> None:
    """TO-11: option next_start=roll (TO-3)."""
    state = after(place({}, next_start="roll"), "place 22 pink", "knock 0")
    assert (state.phase, state.rolling) == ("start", (0, 1, 2, 3))


def test_the_target_counts_at_the_end_of_a_round_only() -> None:
    """TO-12: and the highest total wins."""
    state = after(place(ROW, seats=3, target=4), "place 24 pink")
    assert game.outcome(state) is None
    result = game.outcome(after(state, "knock 1"))
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((4, -10, 0), (0,), "TO-12")
    over = after(state, "knock 1")
    for text in ("roll 1", "place 22 pink", "topple", "knock 1", "pass"):
        assert refused(over, text) == "TO-12"
    assert game.outcome(after(state, "knock 0")) is None


def test_a_tie_at_the_top_is_played_on_or_shared() -> None:
    """TO-12: option tie."""
    for tie, over in (("play_on", False), ("share", True)):
        state = place({}, target=5, tie=tie)._replace(tally=(5, 5, 0, 0))
        result = game.outcome(after(state, "place 22 pink", "knock 3"))
        assert (result is not None) == over
        if result:
            assert result.winners == (0, 1)


def test_two_players_have_two_colours_each() -> None:
    """TO-13: seat 0 has the first and third, chooses at will, and both add up."""
    state = place({**ROW, "24": "yellow"}, seats=2)
    assert state.options.two_colours
    assert {"place 22 pink", "place 22 blue"} <= listed(state)
    assert refused(state, "place 22 green") == "TO-2"
    pink, blue = after(state, "place 24 pink"), after(state, "place 24 blue")
    assert (pink.tally, blue.tally) == ((2, 0, 0, 0), (0, 0, 2, 0))
    assert game.totals(pink) == game.totals(blue) == (2, 0)
    assert game.initial(2, {"two_colours": False}).stock == (12, 12, 0, 0)
    with pytest.raises(InvalidSetup, match="TO-13"):
        game.initial(3, {"two_colours": True})


def test_young_people_do_not_score_and_the_toppler_is_out() -> None:
    """TO-14: until one is left."""
    state = after(place(ROW, seats=3, young=True), "place 24 pink")
    assert game.totals(state) == (0, 0, 0)
    state = after(state, "roll 6", "topple")
    assert (state.players, state.seat, state.stock) == ((0, 2), 2, (12, 0, 12, 0))
    state = after(state, "roll 6", "place 22 blue", "roll 6", "place 22 pink")
    assert refused(state, "knock 1") == "TO-10"
    result = game.outcome(after(state, "knock 2"))
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((0, 0, 0), (0,), "TO-14")
