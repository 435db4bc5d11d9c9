"""TacTiki at the table: what the referee and the pages are told of it."""

from collections.abc import Hashable, Iterator
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tactiki.game import GAME
from companion.referee.game import EMPTY, Game, Play
from companion.rules import tactiki as rules
from companion.rules.tactiki import Action, Claimed, State
from tests.rules.secrets import twins
from tests.rules.tables import Table, tactiki_tables, walk
from tests.rules.tactiki_tables import after, both_ways, place
from vision.columns.grid import TALLEST
from vision.columns.heights import name_class

NAMED = ("Ann", "Bob")
TOLD = "ranks 0 1 1 2 2 3 3 4 4 5 5"
SEEDS = st.integers(0, 2**32)
FEW = settings(max_examples=10, deadline=None)
REFEREED: Game[State, Action] = GAME  # mypy holds the class to the contract
MOST_FACTS = 8  # the rules alone prove what clashes may tell too slowly for a test of more
KNOWN, BLIND, HALF_KNOWN, SHORT = tactiki_tables()

TAC = ("move 14 13", "move 13 14")


def reached(table: Table, seed: int, share: float, steps: int) -> Iterator[State]:
    """Yield a *share* of the states of a random game."""
    rng = Random(seed)
    for state, _ in walk(table, rng, steps):
        if rng.random() < share:
            yield state


def ends(state: State) -> Iterator[State]:
    """Yield everything that one move, a whole turn or a return may lead to, by the rules alone."""
    for middle in _moves(state):
        yield middle
        if middle.phase == "move" and middle.moved:
            yield from _moves(middle)


def _moves(state: State) -> Iterator[State]:
    for action in rules.legal_actions(state):
        if not isinstance(action, Claimed):
            yield from _resolved(rules.apply(state, action))


def _resolved(state: State) -> Iterator[State]:
    if state.phase != "clash":
        yield state
        return
    for action in rules.legal_actions(state):
        yield from _resolved(rules.apply(state, action))


def told(state: State) -> Hashable:
    """Return *state* without the order of the facts, and the rank of a piece that came back."""
    return (state.columns, frozenset(state.facts), GAME.shown(state), GAME.ruling(state))


def played(state: State, play: Play) -> State:
    """Return what *play* leads to, going by its texts."""
    return after(state, *play.actions)


@pytest.mark.parametrize("table", [KNOWN, BLIND, HALF_KNOWN, SHORT], ids=str)
def test_plays_are_all_that_the_rules_allow(table: Table) -> None:
    """TA-4 to TA-11: each end of a move, a turn or a return is there, and no other.

    But for a turn there and back again, which nobody sees.
    """
    checked = 0
    for state in reached(table, 1, 0.08, 110):
        if state.phase != "move":
            assert not GAME.plays(state)
        if state.phase != "move" or len(state.facts) > MOST_FACTS:
            continue
        plays = GAME.plays(state)
        wanted = [end for end in ends(state) if GAME.shown(end) != GAME.shown(state)]
        assert {play.table for play in plays} == {GAME.shown(end) for end in wanted}
        assert {told(played(state, play)) for play in plays} == {told(end) for end in wanted}
        checked += 1
    assert checked > 2


@pytest.mark.parametrize("table", [KNOWN, BLIND], ids=str)
@FEW
@given(seed=SEEDS)
def test_a_play_says_what_it_leads_to(table: Table, seed: int) -> None:
    """Its texts lead to its table and its ruling, and to no other play's end."""
    rng = Random(seed)
    state = rng.choice(list(reached(table, seed, 0.5, 60)) or [table.initial(rng)])
    plays = GAME.plays(state)
    for play in rng.sample(plays, min(len(plays), 25)):
        end = played(state, play)
        assert (play.table, play.ruling) == (GAME.shown(end), GAME.ruling(end))
        assert play.seat == state.seat
    if any(map(any, state.ranks)):
        return  # then plays that differ in the rank of who returned are as good as one
    assert len({told(played(state, play)) for play in plays}) == len(plays)


def test_two_orders_of_a_turn_are_one_play() -> None:
    """TA-4: the first order is told."""
    plays = [play.actions for play in GAME.plays(rules.initial(2))]
    assert ("move 40 30", "move 42 32") in plays
    assert ("move 42 32", "move 40 30") not in plays
    assert ("move 40 30",) in plays
    assert ("move 40 30", "move 40 30") in plays


def test_a_statue_after_the_first_move_is_no_reason_to_leave_out_the_other_order() -> None:
    """TA-11: whoever makes it second has moved something else before."""
    state = place({"00": "tiki tiki tiki tiki", "10": "tiki", "44": "tiki", "22": "tac"})
    plays = {play.actions for play in GAME.plays(state)}
    assert ("move 10 00",) in plays
    assert ("move 44 34", "move 10 00") in plays
    assert ("move 10 00", "move 44 34") not in plays


def test_an_attack_is_played_with_every_result() -> None:
    """TA-8, TA-9: pair by pair, in the order in which they met; people speak first in between."""
    state = place({"32": "tiki", "22": "tac tac", "44": "tiki"})._replace(moved=1)
    plays = {
        play.actions[1:]: play.table[12]
        for play in GAME.plays(state)
        if play.actions[0] == "move 32 22"
    }
    assert plays == {
        ("clash win", "clash win"): "tiki 1",
        ("clash win", "clash lose"): "tac 1",
        ("clash win", "clash tie"): "tiki 2",
        ("clash lose",): "tac 2",
        ("clash tie",): "tiki 3",
    }
    assert not GAME.plays(after(state, "move 32 22"))


def test_a_draw_is_claimed_by_word_only() -> None:
    """TA-13: no picture shows it."""
    state = rules.initial(2)._replace(claim=True)
    assert not any("draw" in play.actions for play in GAME.plays(state))
    assert Claimed() in GAME.offers(state)


def test_in_which_order_positions_occurred_tells_nothing() -> None:
    """TA-13: two ways through the same positions are one branch; through others they are two."""
    start = place({"31": "tiki", "33": "tiki", "14": "tac"})
    left = ("move 31 30", "move 33 34", *TAC, "move 30 31", "move 34 33", *TAC)
    right = ("move 31 32", "move 33 34", *TAC, "move 32 31", "move 34 33", *TAC)
    one, other = after(start, *left, *right), after(start, *right, *left)
    assert one.seen != other.seen
    assert GAME.key(one) == GAME.key(other)
    assert GAME.key(after(start, *left, *left)) != GAME.key(one)


def test_a_place_shows_what_the_eyes_call_it() -> None:
    """A column is told by its height, as far as the eyes tell heights apart, and its top."""
    state = place({"00": "tac tiki tac", "22": "tiki", "44": " ".join(["tac"] * 9)})
    shown = GAME.shown(state)
    assert len(shown) == GAME.places == 25
    assert (shown[0], shown[12], shown[24], shown[1]) == ("tac 3", "tiki 1", "tac 6", EMPTY)
    names = {
        name_class(paint, height) for paint in ("tac", "tiki") for height in range(TALLEST + 1)
    }
    assert {*shown} - {EMPTY} <= names


@pytest.mark.parametrize("table", [KNOWN, HALF_KNOWN], ids=str)
@FEW
@given(seed=SEEDS)
def test_what_all_may_see_depends_on_no_rank(table: Table, seed: int) -> None:
    """TA-2: two games that differ in ranks only look alike, and people may enter the same."""
    rng = Random(seed)
    for state in reached(table, seed, 0.3, 80):
        for twin in twins(rules, state, None, rng):
            assert GAME.view(twin) == GAME.view(state)
            assert GAME.offers(twin) == GAME.offers(state)
            assert GAME.ruling(twin) == GAME.ruling(state)
            assert GAME.wants(twin, NAMED) == GAME.wants(state, NAMED)


def test_a_blind_game_looks_like_a_known_one() -> None:
    """TA-2: nobody is told whether the companion knows the ranks."""
    known, blind = both_ways(0)
    assert GAME.view(known) == GAME.view(blind)
    assert GAME.ruling(known) == GAME.ruling(blind)
    assert GAME.offers(known) == GAME.offers(blind)


@FEW
@given(seed=SEEDS)
def test_each_offer_may_be_entered(seed: int) -> None:
    """What people enter is legal in one of its forms, and says no rank."""
    for table in (KNOWN, BLIND):
        for state in reached(table, seed, 0.2, 60):
            for action in GAME.offers(state):
                text = rules.format_action(action)
                assert GAME.public(text) == text
                forms = GAME.forms(state, action)
                assert {GAME.public(rules.format_action(form)) for form in forms} == {text}
                if state.phase == "move":
                    assert all(rules.apply(state, form) for form in forms)


def test_which_rank_comes_back_is_offered_to_nobody() -> None:
    """TA-10: which of the defeated it is, is its owner's secret; each may be entered."""
    state = place({"41": "tiki1", "11": "tac1"})._replace(pools=((3, 3, 5), (4,)))
    everybody = {rules.format_action(action) for action in GAME.offers(state)}
    assert {text for text in everybody if text.startswith("back")} == {
        "back 40",
        "back 42",
        "back 43",
        "back 44",
    }
    back = rules.parse_action("back 40")
    forms = [rules.format_action(form) for form in GAME.forms(state, back)]
    assert forms == ["back 40 3", "back 40 5"]


def test_either_side_may_tell_how_a_clash_went() -> None:
    """TA-14: all three results, whatever the engine knows."""
    state = after(place({"32": "tiki", "22": "tac", "44": "tiki"}), "move 32 22")
    texts = [rules.format_action(action) for action in GAME.offers(state)]
    assert texts == ["clash win", "clash lose", "clash tie"]
    assert GAME.wants(state, NAMED) == (
        "clash",
        "Ann and Bob, enter the result of the attack on C3",
    )
    assert GAME.expected(state) is None
    for action in GAME.offers(state):
        assert GAME.entry_seat(state, action) is None
        assert GAME.actor(state, action) is None


@pytest.mark.parametrize(
    ("text", "seat"), [("move 01 11", 1), ("back 00", 1), ("draw", 1), (TOLD, 0)]
)
def test_who_may_say_what(text: str, seat: int) -> None:
    """Moves, returns and draws are the moving seat's, and ranks are their owner's."""
    state = after(rules.initial(2), "move 40 30", "move 30 20")
    action = rules.parse_action(text)
    assert GAME.entry_seat(state, action) == seat
    assert GAME.actor(state, action) == seat


def test_ranks_are_a_secret_that_counts_at_once() -> None:
    """TA-2: they are entered before the first move, and never shown."""
    state = rules.initial(2)
    told_ranks = rules.parse_action(TOLD)
    assert GAME.is_secret(state, told_ranks)
    assert GAME.is_kept(told_ranks)
    assert GAME.secrets_due(state) == ()
    assert GAME.secrets_entered(state) == ()
    assert GAME.secrets_entered(after(state, TOLD)) == (0,)
    assert GAME.offers(after(state, TOLD)) == GAME.offers(state)
    for text in ("move 40 30", "back 40 5", "clash win", "draw"):
        assert not GAME.is_secret(state, rules.parse_action(text))
        assert not GAME.is_kept(rules.parse_action(text))
