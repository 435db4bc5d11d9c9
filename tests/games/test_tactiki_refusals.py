"""TacTiki: what is said of tables that no turn leaves, and the clause against each."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tactiki.game import GAME
from companion.language.message import Message, message_of
from companion.rules import tactiki as rules
from companion.rules.base import IllegalAction
from companion.rules.tactiki import State
from tests.rules.tables import tactiki_tables, walk
from tests.rules.tactiki_tables import after, place

PAIR = {"22": "tiki", "44": "tiki tiki", "11": "tac"}
REFUSED = [
    pytest.param(PAIR, 1, {"22": "empty", "13": "tiki 1"}, "TA-4", "C3 to D2", id="diagonal"),
    pytest.param(PAIR, 1, {"22": "empty", "02": "tiki 1"}, "TA-4", "C3 to C1", id="two-fields"),
    pytest.param(PAIR, 0, {"22": "empty", "32": "tiki 1"}, "TA-4", "C3 to C4", id="backward"),
    pytest.param(
        PAIR, 0, {"22": "empty", "33": "tiki 1"}, "TA-4", "forward, left or right", id="back-aside"
    ),
    pytest.param(
        PAIR,
        0,
        {"44": "tiki 1", "34": "tiki 1", "22": "empty", "32": "tiki 1"},
        *("TA-4", "C3 to C4"),
        id="only-the-second-move",
    ),
    pytest.param(
        {"42": "tiki", "44": "tiki", "20": "tac"},
        0,
        {"42": "empty", "12": "tiki 1"},
        *("TA-4", "one move too many"),
        id="three-moves-of-one",
    ),
    pytest.param(
        {"40": "tiki", "42": "tiki", "44": "tiki", "20": "tac"},
        0,
        dict.fromkeys(("40", "42", "44"), "empty") | dict.fromkeys(("30", "32", "34"), "tiki 1"),
        *("TA-4", "a turn has only two moves"),
        id="three-moves-of-three",
    ),
    pytest.param(
        PAIR, 1, {"44": "empty", "34": "tiki 2"}, "TA-4", "2 pieces moved at once", id="whole-stack"
    ),
    pytest.param(
        PAIR,
        0,
        {"11": "empty", "21": "tac 1"},
        "TA-4",
        "the top piece on B2 is TAC’s; it is Ann’s turn",
        id="enemy",
    ),
    pytest.param(
        {"22": "tiki tac", "44": "tiki"},
        0,
        {"22": "tiki 1", "32": "tac 1"},
        *("TA-9", "C3 to C4"),
        id="blocked",
    ),
    pytest.param(
        {"00": "tiki", "44": "tiki", "22": "tac"},
        0,
        {"00": "empty", "01": "tiki 1"},
        *("TA-7", "A1 to B1, but a piece that has arrived stays"),
        id="arrived",
    ),
    pytest.param(
        {"41": "tac", "40": "tiki", "22": "tiki"},
        0,
        {"40": "empty", "41": "tiki 2"},
        *("TA-7", "arrived and is safe"),
        id="onto-arrived-tie",
    ),
    pytest.param(
        {"41": "tac", "40": "tiki", "22": "tiki"},
        0,
        {"40": "empty", "41": "tiki 1"},
        *("TA-7", "arrived and is safe"),
        id="onto-arrived-win",
    ),
    pytest.param(
        {"41": "tac tac", "40": "tiki", "22": "tiki"},
        0,
        {"40": "empty", "41": "tac 1"},
        *("TA-7", "arrived and is safe"),
        id="onto-arrived-loss",
    ),
]


def seen(state: State, patch: dict[str, str]) -> tuple[str | None, ...]:
    """Return what *state* shows but for the fields in *patch*."""
    table = list(GAME.shown(state))
    for field, content in patch.items():
        table[int(field[0]) * 5 + int(field[1])] = content
    return tuple(table)


@pytest.mark.parametrize(("fields", "moved", "patch", "clause", "words"), REFUSED)
def test_a_forbidden_move_is_named(
    fields: dict[str, str], moved: int, patch: dict[str, str], clause: str, words: str
) -> None:
    """TA-4, TA-7, TA-9: what it looks like, and the clause against it."""
    state = place(fields)._replace(moved=moved)
    table = seen(state, patch)
    assert table not in {play.table for play in GAME.plays(state)}
    refusal = GAME.refusal(state, table, "Ann")
    assert refusal is not None
    assert refusal.clause == clause
    assert words in refusal.message
    assert "tiki" not in refusal.message
    assert isinstance(refusal.message, Message)


RETURNS = [
    pytest.param(
        0, 0, {"41": "tiki 2"}, "B5 is not one of TIKI’s empty start fields", id="upon-own"
    ),
    pytest.param(0, 0, {"42": "tiki 2"}, "C5 is not one of", id="upon-enemy"),
    pytest.param(0, 0, {"33": "tiki 1"}, "D4 is not one of", id="mid-board"),
    pytest.param(0, 1, {"40": "tiki 1"}, "cannot be the second move", id="second-move"),
    pytest.param(0, 0, {"00": "tac 1"}, "but it is Ann’s turn", id="out-of-turn"),
    pytest.param(0, 0, {"22": "tac 1"}, "C3 is not one of TAC’s", id="by-the-other"),
    pytest.param(1, 0, {"00": "tac 1"}, "TAC has no defeated pieces", id="nobody-defeated"),
    pytest.param(
        *(0, 0, {"40": "tiki 1", "41": "empty", "31": "tiki 1"}),
        "returning a piece takes the whole turn",
        id="and-a-move",
    ),
]


@pytest.mark.parametrize("rank", [0, 3])
@pytest.mark.parametrize(("seat", "moved", "patch", "words"), RETURNS)
def test_a_forbidden_return_is_named(
    seat: int, moved: int, patch: dict[str, str], words: str, rank: int
) -> None:
    """TA-10: only onto an empty start field of one's own, and only as the whole turn."""
    state = place({"41": "tiki", "42": "tac", "11": "tac"}, seat)
    tac = () if seat else (rank,)
    state = state._replace(moved=moved, pools=((rank,), tac))
    refusal = GAME.refusal(state, seen(state, patch), "Ann")
    assert refusal is not None
    assert refusal.clause == "TA-10"
    assert words in refusal.message
    assert "rank" not in refusal.message


def test_a_result_that_no_ranks_explain_is_named() -> None:
    """TA-14: with the clashes that contradict each other, as long as these give no rank away."""
    blind = place({"32": "tiki", "22": "tac", "44": "tiki tiki"})._replace(
        moved=1, facts=(rules.Clash(1, 2, 1, "tie"), rules.Clash(1, 4, 1, "tie")), turns=2
    )
    table = seen(blind, {"32": "empty", "22": "tiki 2"})
    assert table not in {play.table for play in GAME.plays(blind)}
    refusal = GAME.refusal(blind, table, "Ann")
    assert refusal is not None
    assert refusal.clause == "TA-14"
    assert refusal.message.startswith("This looks like C4 to C3 and equal ranks, but each side")
    assert "TIKI’s upper piece from A5 tied with TAC’s lower piece from A1" in refusal.message
    known = blind._replace(ranks=(blind.ranks[0], (3,)))
    refusal = GAME.refusal(known, table, "Ann")
    assert refusal is not None
    assert refusal.message.endswith("but that does not fit the earlier results")


FORBIDDEN = [
    ({}, "move 40 31", "TA-4", "a move is one field forward, left or right"),
    ({}, "move 30 20", "TA-4", "there is no piece on A4"),
    ({}, "move 00 10", "TA-4", "the top piece on A1 is TAC’s"),
    ({"22": "tiki tac"}, "move 22 12", "TA-9", "the top piece on C3 is TAC’s"),
    ({"00": "tiki"}, "move 00 01", "TA-7", "a piece that has arrived stays where it is"),
    ({"44": "tac", "43": "tiki"}, "move 43 44", "TA-7", "the enemy there has arrived and is safe"),
    ({}, "back 40", "TA-10", "A5 is not one of TIKI’s empty start fields"),
    ({}, "clash win", "TA-8", "there is no attack to enter a result for"),
    ({}, "draw", "TA-13", "the board has not looked like this often enough for a draw"),
]


@pytest.mark.parametrize(("fields", "text", "clause", "words"), FORBIDDEN)
def test_what_may_not_be_entered_is_explained(
    fields: dict[str, str], text: str, clause: str, words: str
) -> None:
    """With fields as people name them; the clause has plain words of its own."""
    state = place({"44": "tiki", "14": "tac", **fields}) if fields else rules.initial(2)
    with pytest.raises(IllegalAction) as refused:
        rules.apply(state, rules.parse_action(text))
    assert (refused.value.clause, message_of(refused.value)) == (clause, words)
    assert isinstance(message_of(refused.value), Message)
    assert GAME.clause_words(clause)


def test_while_an_attack_goes_on_only_its_result_is_taken() -> None:
    """TA-8: and after the end nothing at all."""
    met = after(place({"32": "tiki", "22": "tac", "44": "tiki"}), "move 32 22")
    with pytest.raises(IllegalAction, match="C3 is being attacked; enter the result first"):
        rules.apply(met, rules.parse_action("move 44 34"))
    won = after(place({"00": "tiki tiki tiki tiki", "10": "tiki"}), "move 10 00")
    with pytest.raises(IllegalAction, match="the game is over"):
        rules.apply(won, rules.parse_action("move 44 34"))


@pytest.mark.parametrize(
    "patch",
    [
        {},
        {"22": "empty"},
        {"22": "tiki 3"},
        {"22": "empty", "11": "tiki 4"},
        {"22": "empty", "44": "empty", "11": "empty"},
        {"22": "tac 1"},
    ],
)
def test_what_looks_like_nothing_is_not_named(patch: dict[str, str]) -> None:
    """No clause is guessed at."""
    state = place({"22": "tiki", "44": "tiki", "11": "tac"})
    assert GAME.refusal(state, seen(state, patch), "Ann") is None


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_lies_there_has_an_answer(seed: int) -> None:
    """A sentence and a clause of this game, or nothing; and nothing while an attack goes on."""
    rng = Random(seed)
    table = rng.choice(list(tactiki_tables()))
    *_, (state, _) = walk(table, rng, rng.randrange(60))
    shown = list(GAME.shown(state))
    for field in rng.sample(range(25), rng.randint(1, 3)):
        shown[field] = rng.choice(("empty", "tiki 1", "tac 1", "tiki 2", "tac 3", None))
    refusal = GAME.refusal(state, tuple(shown), "Ann")
    assert refusal is None or state.phase == "move"
    assert refusal is None or refusal.clause.startswith("TA-")
    assert refusal is None or "\n" not in refusal.message
