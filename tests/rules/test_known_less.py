"""Topple and Tiki Topple, followed by a companion that knows less of the game: it agrees."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules import tiki_topple, topple
from companion.rules.tiki_topple.pieces import GROUPS
from tests.rules.tables import FALLS, Table, topple_setup, walk

SEEDS = st.integers(0, 2**32)
SOME = settings(max_examples=15, deadline=None)


@SOME
@given(
    seed=SEEDS,
    seats=st.integers(2, 4),
    options=st.fixed_dictionaries(
        {
            "must_place": st.booleans(),
            "young": st.booleans(),
            "next_start": st.sampled_from(("next", "same", "roll")),
            "target": st.just(30),
        }
    ),
)
def test_a_die_that_nobody_saw_changes_nothing(
    seed: int, seats: int, options: dict[str, object]
) -> None:
    """TO-4: what is placed then is legal, scores the same and passes the turn on as ever."""
    rng = Random(seed)
    table = Table(topple, seats, options, topple_setup, FALLS)
    seen = None
    for state, action in walk(table, rng, 1500):
        seen = state if seen is None else seen
        assert topple.outcome(seen) == topple.outcome(state)
        assert seen._replace(pips=0) == state._replace(pips=0)
        if action is None:
            break
        is_roll = isinstance(action, topple.Rolled) and state.phase == "roll"
        assert is_roll or action in topple.legal_actions(seen)
        is_unseen = is_roll and rng.random() < 0.7
        seen = topple.apply(seen, topple.Rolled(topple.UNSEEN) if is_unseen else action)


@SOME
@given(seed=SEEDS, seats=st.integers(2, 4), rounds=st.integers(1, 16))
def test_lines_and_cards_that_are_entered_late_change_nothing(
    seed: int, seats: int, rounds: int
) -> None:
    """TT-2, TT-3, TT-11: all are listed when they are due, from a pack that is used up in order."""
    rng = Random(seed)
    chance = setup(rng, seats, rounds)
    hand = ["toast", "toast", "topple", "up1", "up2"]
    options = {"rounds": rounds, "hand": hand, "tie": "share"}
    state = tiki_topple.initial(seats, options, {"rounds": chance})
    seen = tiki_topple.initial(seats, options)
    while state.phase != "over":
        number, cards = len(state.rounds), state.cards
        seen = entered(seen, tiki_topple.Lined(state.line))
        assert seen.line == state.line
        while len(state.rounds) == number:
            action = rng.choice(tiki_topple.legal_actions(state))
            assert tiki_topple.legal_actions(seen) == tiki_topple.legal_actions(state)
            state, seen = tiki_topple.apply(state, action), tiki_topple.apply(seen, action)
        assert not tiki_topple.warnings(state)
        while seen.phase == "reveal":
            seat = next(seat for seat in seen.players if seen.cards[seat] is None)
            card = cards[seat]
            assert card
            seen = entered(seen, tiki_topple.Dealt(seat, card))
        assert seen.rounds == state.rounds
    assert tiki_topple.outcome(seen) == tiki_topple.outcome(state)


def entered(seen: tiki_topple.State, action: tiki_topple.Action) -> tiki_topple.State:
    """Return *seen* after *action*, which is listed."""
    assert action in tiki_topple.legal_actions(seen)
    return tiki_topple.apply(seen, action)


def setup(rng: Random, seats: int, rounds: int) -> list[dict[str, object]]:
    """Return lines in their groups, and cards from a pack that is shuffled when it is short."""
    primary, secondary, rest = (rng.sample(sorted(group), 3) for group in GROUPS)
    threes = [(a, b, c) for a in primary for b in secondary for c in rest]
    pack: list[list[str]] = []
    chance: list[dict[str, object]] = []
    for _ in range(rounds):
        if len(pack) < seats:
            pack = [rng.sample(three, 3) for three in threes]
            rng.shuffle(pack)
        groups = rng.sample((primary, secondary, rest), 3)
        line = [tiki for group in groups for tiki in rng.sample(group, 3)]
        chance.append({"line": line, "cards": [pack.pop() for _ in range(seats)]})
    return chance
