"""TacTiki with ranks that the engine does not know."""

import pytest

from companion.rules import tactiki as game
from companion.rules.base import IllegalAction
from tests.rules.tactiki_tables import after, both_ways, listed, place, refused, shows


def test_an_unknown_result_is_asked_for() -> None:
    """TA-14: one piece after another, and nothing else may happen meanwhile (TA-8)."""
    state = after(place({"32": "tiki", "22": "tac tac", "44": "tiki"}), "move 32 22")
    assert game.turn(state) is None
    assert listed(state) == {"clash win", "clash lose", "clash tie"}
    assert refused(state, "move 44 34") == "TA-8"
    state = after(state, "clash win")
    assert state.phase == "clash"
    state = after(state, "clash lose")
    assert shows(state, "22") == "tac"
    assert refused(state, "clash win") == "TA-8"
    assert game.turn(state) == 0


def test_a_contradiction_names_the_clashes() -> None:
    """TA-14: a rank that beat a five is a one and beats nothing else."""
    ranks = {"tac": [5, 5, 4, 4, 3, 3, 2, 2, 1, 1]}
    state = game.initial(2, {}, {"ranks": ranks})
    state = after(state, "move 40 30", "move 30 20", "move 00 10", "move 01 11")
    state = after(state, "move 20 10")
    assert state.phase == "clash"
    assert listed(state) == {"clash win", "clash lose", "clash tie"}
    state = after(state, "clash win", "move 10 11")
    assert listed(state) == {"clash lose"}
    with pytest.raises(
        IllegalAction,
        match="TIKI’s upper piece from A5 beat TAC’s upper piece from A1 and TIKI’s upper",
    ) as no:
        game.apply(state, game.parse_action("clash win"))
    assert no.value.clause == "TA-14"


def test_three_of_a_rank_contradict() -> None:
    """TA-14: both fives are known, so a third piece cannot be one."""
    facts = (game.Clash(1, 0, 1, "tie"), game.Clash(1, 2, 1, "tie"), game.Clash(2, 4, 1, "tie"))
    assert game.is_possible(facts[:2], {})
    assert not game.is_possible(facts, {})
    assert game.contradiction((*facts, game.Clash(3, 6, 7, "win")), {}) == facts


def test_a_returned_piece_is_one_of_the_defeated() -> None:
    """TA-14: the only piece defeated so far was a one, so the one that is back is too (TA-10)."""
    facts = (game.Clash(1, 1, 0, "win"), game.Return(2, 20))
    known = {1: 2}
    assert game.possible_ranks(facts, known, [0, 20]) == {0: (1,), 20: (1,)}
    assert not game.is_possible((*facts, game.Clash(3, 20, 3, "win")), {**known, 3: 4})
    assert game.is_possible((*facts, game.Clash(3, 20, 3, "win")), {**known, 3: 5})


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.slow(keep=["[2]"])
def test_a_blind_referee_never_doubts_the_truth(seed: int) -> None:
    """TA-14: what really happened is always possible, and so are the true ranks."""
    known, blind = both_ways(seed)
    assert blind.columns == known.columns
    assert blind.facts == known.facts
    assert game.outcome(blind) == game.outcome(known)
    pieces = [piece for column in known.columns for piece in column]
    for piece, ranks in game.possible_ranks(blind.facts, {}, pieces).items():
        assert known.ranks[piece & 1][piece >> 1] in ranks


def test_a_view_tells_a_player_what_the_player_may_know() -> None:
    """TA-2: own and exposed ranks exactly, others as far as they follow; bystanders nothing."""
    ranks = {"tiki": [1, 5, 2, 4, 3, 3, 4, 2, 5, 1], "tac": [1, 4, 2, 5, 3, 3, 4, 2, 5, 1]}
    state = game.initial(2, {}, {"ranks": ranks})
    state = after(state, "move 40 30", "move 30 20", "move 00 10", "move 01 11", "move 20 10")
    cells = game.view(state, 0)["cells"]
    assert cells[4][0] == [{"side": "tiki", "piece": "tiki1", "ranks": [1]}]
    assert cells[1][0] == [{"side": "tiki", "piece": "tiki2", "ranks": [5]}]
    assert cells[0][0] == [{"side": "tac", "piece": "tac1", "ranks": [1, 2, 3, 4, 5]}]
    assert game.view(state, 1)["cells"][1][0][0]["ranks"] == [5]
    assert "rank" not in str(game.view(state, None)["cells"])
    assert game.view(state, None)["defeated"] == {"tiki": [], "tac": [None]}
