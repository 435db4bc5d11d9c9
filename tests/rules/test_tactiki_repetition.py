"""TacTiki's repeated positions: what counts as one, and that every game ends."""

from collections import Counter
from collections.abc import Callable, Hashable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import tactiki as game
from companion.rules.tactiki.pieces import look_of, tops_of
from tests.rules.tables import TABLES, Table, walk
from tests.rules.tactiki_tables import RANKS, after, listed, place, reborn, refused, shuffling

Player = Callable[[game.State, Random], game.Action]

SEEDS = st.integers(0, 2**32)
PLAYERS = st.sampled_from(
    [(reborn, shuffling), (shuffling, reborn), (reborn, reborn), (shuffling, shuffling)]
)
TAC = ("move 14 13", "move 13 14")
# One TIKI piece attacks a five, dies, comes back and walks to where it was.
ON_THE_BATTLEFIELD = (
    {"30": "tiki2", "21": "tac5", "14": "tac5"},
    (("move 30 31", "move 31 21"), ("back 41 2",), ("move 41 31", "move 31 30")),
)
ON_A_START_FIELD = (
    {"10": "tiki2", "01": "tac5", "14": "tac5"},
    (
        ("move 10 11", "move 11 01"),
        ("back 41 2",),
        ("move 41 31", "move 31 21"),
        ("move 21 11", "move 11 10"),
    ),
)


def played(
    state: game.State, turns: tuple[tuple[str, ...], ...], rounds: int, *, blind: bool = False
) -> game.State:
    """Return *state* after so many rounds of TIKI's *turns*, each answered by a shuffling TAC."""
    for texts in turns * rounds:
        for text in (*texts, *TAC):
            if state.phase == "over":
                return state
            state = after(state, text.removesuffix(" 2") if blind else text)
            if state.phase == "clash":
                state = after(state, "clash lose")
    return state


@pytest.mark.parametrize(("fields", "turns"), [ON_THE_BATTLEFIELD, ON_A_START_FIELD])
@pytest.mark.parametrize("blind", [False, True])
def test_a_position_is_remembered_over_attacks_and_returns(
    fields: dict[str, str], turns: tuple[tuple[str, ...], ...], blind: bool
) -> None:
    """TA-13: a piece that dies and comes back makes the third occurrence, and the fifth."""
    if blind:
        fields = {field: words.rstrip("25") for field, words in fields.items()}
    start = place(fields)
    assert refused(played(start, turns, 1, blind=blind), "draw") == "TA-13"
    third = played(start, turns, 2, blind=blind)
    assert "draw" in listed(third)
    assert game.outcome(third) is None
    assert game.outcome(played(start, turns, 3, blind=blind)) is None
    fifth = played(start, turns, 4, blind=blind)
    result = game.outcome(fifth)
    assert result is not None
    assert (result.winners, result.ended_by) == ((), "TA-13")
    assert game.legal_actions(fifth) == ()


def test_who_is_to_act_belongs_to_the_position() -> None:
    """TA-13: the board alone has occurred a third time, but with the other side to act."""
    state = place({"30": "tiki1", "14": "tac1"})
    for _ in range(2):
        state = after(state, "move 30 31", "move 31 30")
        assert "draw" not in listed(state)
        state = after(state, *TAC)
    assert "draw" in listed(state)


def test_pieces_of_a_side_look_alike() -> None:
    """TA-13: two that have changed places make the same position, and so does their order."""
    state = place({"30": "tiki1", "31": "tiki2", "14": "tac1"})
    swap = ("move 30 31", "move 31 30"), ("move 31 30", "move 30 31")
    for texts in swap:
        assert "draw" not in listed(state)
        state = after(state, *texts, *TAC)
    assert "draw" in listed(state)
    other = look_of([(3, 1), (2,)])
    assert look_of([(1, 3), (0,)]) == other
    assert look_of([(0, 1), (2,)]) != look_of([(1, 0), (2,)])
    assert look_of([(1,), (3, 0)]) != other


def test_an_arrival_cannot_be_undone_so_what_was_before_is_forgotten() -> None:
    """TA-7, TA-13: no position with fewer arrived pieces comes back; the state stays small."""
    state = after(place({"10": "tiki1", "30": "tiki1", "14": "tac1"}), "move 30 31", "move 31 30")
    assert len(state.seen) == 2
    state = after(state, *TAC, "move 10 00")
    assert state.seen == ()
    assert len(after(state, "move 30 31").seen) == 1


@given(seed=SEEDS, players=PLAYERS)
@settings(max_examples=15, deadline=None)
def test_every_game_ends_however_it_is_dragged_out(
    seed: int, players: tuple[Player, Player]
) -> None:
    """TA-13: no position occurs more than five times, counted here anew; no draw is claimed."""
    rng = Random(seed)
    ranks = {side: rng.sample(RANKS, 10) for side in game.SIDES}
    state = game.initial(2, {"max_turns": 0}, {"ranks": ranks})
    occurred = Counter[Hashable]({_position(state): 1})
    while state.phase != "over":
        turns = state.turns
        state = game.apply(state, players[state.seat](state, rng))
        if state.turns > turns:
            occurred[_position(state)] += 1
            assert state.claim == (occurred[_position(state)] in (3, 4) and state.phase != "over")
    assert max(occurred.values()) <= 5
    assert state.turns < 50_000


def _position(state: game.State) -> Hashable:
    """Return what TA-13 calls a position, without what the engine makes of it."""
    sides = tuple(tuple(piece % 2 for piece in column) for column in state.columns)
    return sides, state.seat, tuple(map(len, state.pools))


@given(seed=SEEDS, players=PLAYERS)
@settings(max_examples=6, deadline=None)
def test_a_blind_referee_calls_repetition_when_a_seeing_one_does(
    seed: int, players: tuple[Player, Player]
) -> None:
    """TA-13, TA-14: after every action, claims and endings among them."""
    rng = Random(seed)
    ranks = {side: rng.sample(RANKS, 10) for side in game.SIDES}
    known, blind = game.initial(2, {}, {"ranks": ranks}), game.initial(2)
    while known.phase != "over" and known.turns < 80:
        action = players[known.seat](known, rng)
        facts = len(known.facts)
        known = game.apply(known, action)
        told = game.Reincarnated(action.field) if isinstance(action, game.Reincarnated) else action
        blind = game.apply(blind, told)
        for fact in known.facts[facts:]:
            if isinstance(fact, game.Clash):
                blind = game.apply(blind, game.Clashed(fact.result))
        assert (blind.seen, blind.claim, blind.quiet) == (known.seen, known.claim, known.quiet)
        assert (blind.phase, blind.ended_by) == (known.phase, known.ended_by)


def test_a_game_without_repetition_ends_too() -> None:
    """TA-13: after as many turns as the option says, whatever happened in them."""
    ended = Counter[str]()
    for seed in range(20):
        rng = Random(seed)
        ranks = {side: rng.sample(RANKS, 10) for side in game.SIDES}
        options = {"max_turns": 150, "repetition": 0}
        state = game.initial(2, options, {"ranks": ranks})
        while state.phase != "over":
            state = game.apply(state, (reborn, shuffling)[state.seat](state, rng))
        assert (state.turns == 151) == (state.ended_by == "TA-13")
        ended[state.ended_by] += 1
    assert ended["TA-13"] > 10


def test_the_last_turn_may_still_win() -> None:
    """TA-11, TA-13: the game is drawn when the turn is over, not before."""
    fields = {"00": "tiki1 tiki1 tiki2 tiki2", "10": "tiki3", "44": "tiki4", "14": "tac1"}
    start = place(fields, max_turns=1)
    assert game.outcome(after(start, "move 44 43")) is None
    drawn = game.outcome(after(start, "move 44 43", "move 43 44"))
    won = game.outcome(after(start, "move 44 43", "move 10 00"))
    assert drawn is not None
    assert won is not None
    assert (drawn.ended_by, won.ended_by) == ("TA-13", "TA-11")
    endless = after(place(fields, max_turns=0), "move 44 43", "move 43 44")
    assert game.outcome(endless) is None


@pytest.mark.parametrize("table", [each for each in TABLES if each.rules is game], ids=str)
@given(seed=SEEDS)
@settings(max_examples=3, deadline=None)
def test_the_look_is_always_that_of_the_board(table: Table, seed: int) -> None:
    """TA-13: attacks in parts, ties and returns leave it right."""
    for state, _ in walk(table, Random(seed), 120):
        assert state.look == look_of(state.columns)
        assert state.tops == tops_of(state.columns)
