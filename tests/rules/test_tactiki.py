"""TacTiki against its rulebook."""

from random import Random
from typing import Any

import pytest

from companion.rules import tactiki as game
from companion.rules.base import IllegalAction, InvalidAction, InvalidSetup
from companion.rules.tactiki.pieces import code_of

RANKS = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]


def place(fields: dict[str, str], seat: int = 0, **options: Any) -> game.State:
    """Return a position: `{"22": "tac5 tac1"}` has rank 1 on rank 5; a bare side is blind."""
    columns: list[tuple[int, ...]] = [()] * 25
    ranks: list[list[int]] = [[], []]
    for field, words in fields.items():
        column = []
        for word in words.split():
            side = game.SIDES.index(word.rstrip("12345"))
            column.append(side + 2 * len(ranks[side]))
            ranks[side].append(int(word[len(game.SIDES[side]) :] or 0))
        columns[int(field[0]) * 5 + int(field[1])] = tuple(column)
    tops = tuple(code_of(tuple(columns[row : row + 5])) for row in range(0, 25, 5))
    start = game.initial(2, options)
    return start._replace(
        seat=seat,
        columns=tuple(columns),
        tops=tops,
        ranks=(tuple(ranks[0]), tuple(ranks[1])),
        seen=((seat, tuple(columns)),),
    )


def after(state: game.State, *texts: str) -> game.State:
    """Return *state* after the actions *texts*."""
    for text in texts:
        state = game.apply(state, game.parse_action(text))
    return state


def refused(state: game.State, text: str) -> str:
    """Return the clause that forbids *text*, which is not listed either."""
    action = game.parse_action(text)
    assert action not in game.legal_actions(state)
    with pytest.raises(IllegalAction) as refusal:
        game.apply(state, action)
    assert "\n" not in str(refusal.value)
    return refusal.value.clause


def shows(state: game.State, field: str) -> str:
    """Return a field's pieces, bottom first, as `place` takes them."""
    pieces = game.state_to_json(state)["cells"][int(field[0])][int(field[1])]
    return " ".join(f"{piece['side']}{piece['rank'] or ''}" for piece in pieces)


def listed(state: game.State) -> set[str]:
    """Return the texts of all legal actions."""
    return {game.format_action(action) for action in game.legal_actions(state)}


def test_a_four_against_a_column_of_three_one_and_five() -> None:
    """TA-8: the rulebook's column attack; 3 and 1 fall, then the 4 falls to the 5."""
    state = place({"32": "tiki4", "22": "tac5 tac1 tac3", "44": "tiki1"})
    state = after(state, "move 32 22")
    assert shows(state, "22") == "tac5"
    assert state.pools == ((4,), (1, 3))
    assert game.turn(state) == 0


STRENGTH = {5: {4, 3, 2}, 4: {3, 2, 1}, 3: {2, 1}, 2: {1}, 1: {5}}


@pytest.mark.parametrize("attacker", range(1, 6))
@pytest.mark.parametrize("defender", range(1, 6))
def test_the_stronger_rank_stays(attacker: int, defender: int) -> None:
    """TA-3: all 25 pairs of the printed hierarchy."""
    state = place({"32": f"tiki{attacker}", "22": f"tac{defender}", "44": "tiki1"})
    state = after(state, "move 32 22")
    expected = f"tac{defender} tiki{attacker}"
    if attacker != defender:
        expected = f"tiki{attacker}" if defender in STRENGTH[attacker] else f"tac{defender}"
    assert shows(state, "22") == expected


def test_tiki_begins_from_row_four() -> None:
    """TA-1: two pieces stand on each start field, forward is towards the other side."""
    state = game.initial(2)
    assert game.turn(state) == 0
    assert [len(column) for column in state.columns] == [2] * 5 + [0] * 15 + [2] * 5
    assert "move 40 30" in listed(state)
    state = after(state, "move 40 30", "move 30 20")
    assert game.turn(state) == 1
    assert "move 04 14" in listed(state)


@pytest.mark.parametrize("seats", [1, 3, True, 2.0, None])
def test_only_two_people_play(seats: Any) -> None:
    """TA-1: any other number is refused."""
    with pytest.raises(InvalidSetup, match="TA-1"):
        game.initial(seats)


@pytest.mark.parametrize(
    "ranks", [RANKS[:9], [1] * 10, "1122334455", [0] * 10, [True] * 10, [None] * 10, 5]
)
def test_a_side_has_two_of_each_rank(ranks: Any) -> None:
    """TA-2: in any arrangement, and nothing else."""
    with pytest.raises(InvalidSetup, match="TA-2"):
        game.initial(2, {}, {"ranks": {"tiki": ranks}})
    shuffled = Random(1).sample(RANKS, 10)
    assert game.initial(2, {}, {"ranks": {"tac": shuffled}}).ranks == ((0,) * 10, tuple(shuffled))


def test_ranks_may_be_told_before_the_first_move() -> None:
    """TA-2: once for each side, whole sets only; seats 0 and 1 only (TA-1)."""
    told = "ranks 1 1 1 2 2 3 3 4 4 5 5"
    state = after(game.initial(2), told)
    assert state.ranks[1] == tuple(RANKS)
    assert refused(state, told) == "TA-2"
    assert refused(state, "ranks 0 1 1 1 2 3 3 4 4 5 5") == "TA-2"
    assert refused(after(state, "move 40 30"), "ranks 0 1 1 2 2 3 3 4 4 5 5") == "TA-2"
    with pytest.raises(IllegalAction) as refusal:
        game.apply(state, game.Arranged(2, tuple(RANKS)))
    assert refusal.value.clause == "TA-1"


def test_a_piece_moves_forward_left_or_right() -> None:
    """TA-4: neither back nor diagonally nor two fields; and only from one's own top piece."""
    state = place({"22": "tiki3", "33": "tac2 tiki1", "11": "tac1"})
    assert listed(state) == {
        *("move 22 12", "move 22 21", "move 22 23"),
        *("move 33 23", "move 33 32", "move 33 34"),
    }
    for text in (
        "move 22 32",
        "move 22 11",
        "move 22 02",
        "move 22 22",
        "move 11 01",
        "move 44 34",
    ):
        assert refused(state, text) == "TA-4"


def test_pieces_do_not_leave_the_board_sideways() -> None:
    """TA-4: the edge of a row is no neighbour of the next."""
    state = place({"20": "tiki3", "34": "tiki3"})
    assert listed(state) == {"move 20 10", "move 20 21", "move 34 24", "move 34 33"}
    assert refused(state, "move 20 14") == "TA-4"


def test_a_turn_is_two_moves_of_one_piece_or_of_two() -> None:
    """TA-4: also an attack and then a move on."""
    state = game.initial(2)
    assert game.turn(after(state, "move 40 30", "move 30 20")) == 1
    assert game.turn(after(state, "move 40 30", "move 41 31")) == 1
    state = place({"32": "tiki4", "22": "tac3", "00": "tac1"})
    assert shows(after(state, "move 32 22", "move 22 12"), "12") == "tiki4"


def test_the_second_move_is_made_if_there_is_one() -> None:
    """TA-5: otherwise the turn passes after the first."""
    state = after(place({"10": "tiki3", "01": "tac1", "00": "tac2"}), "move 10 00")
    assert game.turn(state) == 1
    state = after(place({"10": "tiki3", "33": "tiki3", "01": "tac1"}), "move 10 00")
    assert game.turn(state) == 0
    assert refused(state, "back 40") == "TA-10"
    assert len(listed(state)) == 3


def test_pieces_stack_on_their_own_anywhere() -> None:
    """TA-6: also on their own start row, and only the top one moves on."""
    state = after(game.initial(2), "move 40 41", "move 41 42")
    assert [len(column) for column in state.columns[20:]] == [1, 2, 3, 2, 2]
    assert state.columns[22][-1] == 2


def test_an_arrived_piece_neither_moves_nor_is_attacked() -> None:
    """TA-7: not even from the start field beside it."""
    state = place({"00": "tiki3", "22": "tiki1", "01": "tac1 tac5", "33": "tac2"}, seat=1)
    assert refused(state, "move 01 00") == "TA-7"
    assert "move 01 02" in listed(state)
    state = after(state, "move 01 02", "move 33 43")
    assert refused(state, "move 00 01") == "TA-7"
    assert "move 22 12" in listed(state)


def test_an_attack_stops_at_ones_own_buried_piece() -> None:
    """TA-8: the enemies on top are fought, one's own piece is not."""
    state = place({"32": "tiki5", "22": "tac1 tiki2 tac3 tac4", "44": "tiki1"})
    state = after(state, "move 32 22")
    assert shows(state, "22") == "tac1 tiki2 tiki5"
    assert state.pools == ((), (3, 4))


def test_a_friend_on_a_tied_piece_only_stacks() -> None:
    """TA-6: the enemy below stays where it is (TA-9)."""
    state = place({"32": "tiki5", "22": "tac3 tiki3", "44": "tiki1"})
    assert shows(after(state, "move 32 22"), "22") == "tac3 tiki3 tiki5"


def test_a_tie_ends_the_attack_and_blocks_the_piece_below() -> None:
    """TA-9: until the top piece moves off or is defeated."""
    state = place({"32": "tiki3", "22": "tac5 tac3", "44": "tiki1", "12": "tac4", "02": "tac2"})
    state = after(state, "move 32 22")
    assert shows(state, "22") == "tac5 tac3 tiki3"
    state = after(state, "move 44 34")
    assert refused(state, "move 22 32") == "TA-9"
    freed = after(state, "move 12 22")
    assert shows(freed, "22") == "tac5 tac3 tac4"
    moved_off = after(state, "move 02 01", "move 12 11", "move 22 21")
    assert "move 22 32" in listed(moved_off._replace(seat=1))


def test_a_tie_on_a_start_field_blocks_for_good() -> None:
    """TA-9: the attacker has arrived and stays (TA-7)."""
    state = place({"12": "tiki3", "02": "tac4 tac3", "44": "tiki1", "20": "tac1"})
    state = after(state, "move 12 02", "move 44 34")
    assert shows(state, "02") == "tac4 tac3 tiki3"
    assert refused(state, "move 02 03") == "TA-9"


def test_a_piece_returns_to_an_empty_start_field_as_the_whole_turn() -> None:
    """TA-10: not beside an own piece or an invader, and not as a second move."""
    state = place({"40": "tiki1", "41": "tac2", "22": "tiki4", "12": "tac5"})
    state = state._replace(pools=((3, 3, 5), ()))
    backs = {text for text in listed(state) if text.startswith("back")}
    assert backs == {f"back 4{c} {rank}" for c in (2, 3, 4) for rank in (3, 5)}
    for text in ("back 40 3", "back 41 3", "back 32 3", "back 42 2", "back 42"):
        assert refused(state, text) == "TA-10"
    assert refused(after(state, "move 22 21"), "back 42 3") == "TA-10"
    state = after(state, "back 42 3")
    assert game.turn(state) == 1
    assert state.pools == ((3, 5), ())
    assert shows(state, "42") == "tiki3"


STATUE = {"00": "tac4 tiki1 tiki2 tiki3 tiki4", "10": "tiki5", "44": "tac1", "42": "tiki1"}


def test_five_of_ones_own_make_the_statue() -> None:
    """TA-11: tested after each move, whatever lies below."""
    state = after(place(STATUE), "move 10 00")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((1, 0), (0,), "TA-11")
    assert game.legal_actions(state) == ()
    assert refused(state, "move 44 34") == "TA-11"


def test_a_pure_statue_has_no_enemy_in_it() -> None:
    """TA-11: option statue=pure."""
    assert game.outcome(after(place(STATUE, statue="pure"), "move 10 00")) is None
    pure = {**STATUE, "00": "tiki1 tiki2 tiki3 tiki4"}
    assert game.outcome(after(place(pure, statue="pure"), "move 10 00")) is not None


def test_who_cannot_act_is_passed_over() -> None:
    """TA-12: the other side goes on; if it cannot either, the game is drawn."""
    state = place({"10": "tiki1", "33": "tiki5", "32": "tiki4", "40": "tac1"})
    state = after(state, "move 33 23", "move 32 22")
    assert (game.turn(state), state.turns) == (0, 2)
    result = game.outcome(after(place({"10": "tiki1", "40": "tac1"}), "move 10 00"))
    assert result is not None
    assert (result.winners, result.ended_by) == ((), "TA-12")


def test_with_a_piece_to_return_nobody_is_passed_over() -> None:
    """TA-12: reincarnation is then the turn (TA-10)."""
    state = place({"10": "tiki1", "33": "tiki5", "40": "tac1"})._replace(pools=((), (2,)))
    state = after(state, "move 33 23", "move 23 22")
    assert game.turn(state) == 1
    assert listed(state) == {f"back 0{c} 2" for c in range(5)}


def shuffle_about(state: game.State, turns: int) -> game.State:
    """Return *state* after *turns* turns in which both sides step aside and back."""
    for number in range(turns):
        row = 3 - 2 * (number % 2)
        state = after(state, f"move {row}1 {row}2", f"move {row}2 {row}1")
    return state


def test_a_position_seen_three_times_may_be_claimed_a_draw() -> None:
    """TA-13: by the side to act; not before, and never with repetition=0."""
    start = {"31": "tiki1", "11": "tac1"}
    assert refused(shuffle_about(place(start), 3), "draw") == "TA-13"
    state = shuffle_about(place(start), 4)
    assert "draw" in listed(state)
    result = game.outcome(after(state, "draw"))
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((0, 0), (), "TA-13")
    assert "draw" not in listed(shuffle_about(place(start, repetition=0), 8))


def test_many_quiet_turns_end_the_game() -> None:
    """TA-13: 200 by default, without attack, arrival or reincarnation."""
    start = {"31": "tiki1", "11": "tac1"}
    state = shuffle_about(place(start), 199)
    assert game.outcome(state) is None
    result = game.outcome(shuffle_about(state, 1)) if game.turn(state) == 0 else None
    result = result or game.outcome(after(state, "move 11 12", "move 12 11"))
    assert result is not None
    assert result.ended_by == "TA-13"
    assert game.outcome(shuffle_about(place(start, quiet_turns=0), 250)) is None


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
        IllegalAction, match="turn 3: tiki2 beat tac2; turn 3: tiki2 beat tac4"
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


def both_ways(seed: int) -> tuple[game.State, game.State]:
    """Return a random game's end with ranks known, and the same game refereed blind."""
    rng = Random(seed)
    ranks = {side: rng.sample(RANKS, 10) for side in game.SIDES}
    known, blind = game.initial(2, {}, {"ranks": ranks}), game.initial(2)
    while actions := game.legal_actions(known):
        action = rng.choice(actions)
        facts = len(known.facts)
        known = game.apply(known, action)
        told = game.Reincarnated(action.field) if isinstance(action, game.Reincarnated) else action
        blind = game.apply(blind, told)
        for fact in known.facts[facts:]:
            if isinstance(fact, game.Clash):
                blind = game.apply(blind, game.parse_action(f"clash {fact.result}"))
    return known, blind


@pytest.mark.parametrize("seed", range(3))
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


@pytest.mark.parametrize(
    "options",
    [
        {"statue": "four"},
        {"repetition": 1},
        {"repetition": True},
        {"quiet_turns": -1},
        {"quiet_turns": 1.5},
        {"x": 1},
    ],
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    """TA-11, TA-13: options are checked by name and range."""
    with pytest.raises(InvalidSetup):
        game.initial(2, options)


@pytest.mark.parametrize(
    "thing",
    [
        *("move 42", "move 42 5", "move 45 44", "back", "back 40 6", "clash", "clash draw"),
        *("ranks 0 1", "ranks 2 1 1 2 2 3 3 4 4 5 5"),
        {"type": "moved", "from": [True, 1], "to": [0, 1]},
        {"type": "moved", "from": [5, 1], "to": [0, 1]},
        {"type": "reincarnated", "field": [4, 0], "rank": True},
        {"type": "arranged", "seat": True, "ranks": RANKS},
        {"type": "clashed"},
        None,
    ],
)
def test_what_is_no_action_is_named_so(thing: Any) -> None:
    """TA-4: InvalidAction, not IllegalAction."""
    with pytest.raises(InvalidAction):
        game.action_from_json(thing)
