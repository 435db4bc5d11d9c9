"""TacTiki against its rulebook: moves, attacks, returns and the end."""

import pytest

from companion.rules import tactiki as game
from tests.rules.tactiki_tables import after, listed, place, refused, shows


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
    state = shuffle_about(place(start, repetition=0), 199)
    assert game.outcome(state) is None
    result = game.outcome(shuffle_about(state, 1)) if game.turn(state) == 0 else None
    result = result or game.outcome(after(state, "move 11 12", "move 12 11"))
    assert result is not None
    assert result.ended_by == "TA-13"
    assert game.outcome(shuffle_about(place(start, repetition=0, quiet_turns=0), 250)) is None
