"""TacTiki's lookahead against what the rules themselves list for each attack."""

from collections.abc import Iterator
from random import Random

import pytest

from companion.rules import tactiki as game
from companion.rules.base import IllegalAction
from tests.rules.tables import Table, tactiki_tables, walk

_, BLIND, HALF_KNOWN, _ = tactiki_tables()


def attacks(state: game.State) -> Iterator[game.State]:
    """Yield every attack that waits for a result after a move, and after its first result."""
    for action in game.legal_actions(state):
        if isinstance(action, game.Moved):
            after = game.apply(state, action)
            if after.phase == "clash":
                yield after
                won = game.apply(after, game.legal_actions(after)[0])
                if won.phase == "clash":
                    yield won


@pytest.mark.parametrize("table", [BLIND, HALF_KNOWN], ids=str)
def test_an_attack_may_go_as_the_rules_list_it(table: Table) -> None:
    """TA-14: whatever other attacks of the turn were asked about before."""
    met = 0
    for state, _ in walk(table, Random(1), 120):
        if state.phase != "move" or len(state.facts) > 14:
            continue
        ahead = game.lookahead_of(state)
        for attack in attacks(state):
            listed = tuple(
                each.result for each in game.legal_actions(attack) if isinstance(each, game.Clashed)
            )
            assert ahead.results(attack) == listed
            met += 1
    assert met > 20


def test_an_attack_is_followed_to_its_end() -> None:
    """TA-8: each result of each pair, as long as the attacker wins."""
    state = game.initial(2)
    for text in ("move 40 30", "move 30 20", "move 00 10", "move 01 11"):
        state = game.apply(state, game.parse_action(text))
    attack = game.apply(state, game.parse_action("move 20 10"))
    ahead = game.lookahead_of(attack)
    ends = dict(ahead.outcomes(attack))
    assert set(ends) == {("win",), ("lose",), ("tie",)}
    assert ends["lose",].pools == ((0,), ())
    assert list(ahead.outcomes(state)) == [((), state)]


def test_foresight_is_shared_by_both_moves_of_a_turn() -> None:
    """TA-4: what one of them has proved holds for the other."""
    state = game.initial(2)
    second = game.apply(state, game.parse_action("move 40 30"))
    assert game.lookahead_of(second) is game.lookahead_of(state)


@pytest.mark.parametrize(
    ("pool", "text", "words"),
    [
        ((), "back 40", "TIKI has no defeated pieces"),
        ((3, 5), "back 40", "say which piece comes back"),
        ((3, 5), "back 40 2", "no defeated piece has rank 2"),
        ((0,), "back 40 2", "leave the rank out"),
    ],
)
def test_who_may_not_return_is_told_without_other_ranks(
    pool: tuple[int, ...], text: str, words: str
) -> None:
    """TA-2, TA-10: a refusal is read by all, so it names no rank that was not said before."""
    state = game.initial(2)
    columns = (*state.columns[:20], (), *state.columns[21:])
    state = state._replace(columns=columns, pools=(pool, ()))
    with pytest.raises(IllegalAction, match=words) as refusal:
        game.apply(state, game.parse_action(text))
    assert refusal.value.clause == "TA-10"
    assert "3" not in str(refusal.value)
    assert "5" not in str(refusal.value)
