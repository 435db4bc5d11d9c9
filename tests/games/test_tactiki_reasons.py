"""TacTiki explains itself: what counted and why, how the game ended, the rules in plain words."""

import re
from random import Random

import pytest

from companion.games.tactiki.game import GAME
from companion.games.tactiki.reasons import WEIGHT
from companion.games.tactiki.words import typed
from companion.language.message import Message
from companion.rules import tactiki as rules
from companion.rules.tactiki import State
from tests.rules.tactiki_tables import RANKS, after, place

NAMED = ("Ann", "Bob")
FOUR = {"00": "tiki1 tiki1 tiki2 tiki2", "44": "tiki4", "14": "tac1"}
REASONS = [
    pytest.param(
        {"32": "tiki4", "22": "tac3"},
        "move 32 22",
        "TA-8",
        "Ann’s piece is stronger: 1 piece of Bob’s leaves the board",
        id="won",
    ),
    pytest.param(
        {"32": "tiki4", "22": "tac3 tac1"},
        "move 32 22",
        "TA-8",
        "Ann’s piece is stronger: 2 pieces of Bob’s leave the board",
        id="won-twice",
    ),
    pytest.param(
        {"32": "tiki4", "22": "tac5 tac1"},
        "move 32 22",
        "TA-8",
        "Ann’s piece removes 1 piece of Bob’s, then meets a stronger one and leaves the board",
        id="won-and-lost",
    ),
    pytest.param(
        {"32": "tiki4", "22": "tac5"},
        "move 32 22",
        "TA-8",
        "Bob’s piece is stronger: Ann’s attacker leaves the board",
        id="lost",
    ),
    pytest.param(
        {"32": "tiki4", "22": "tac4"},
        "move 32 22",
        "TA-9",
        "Both pieces have the same rank: both stay, and Bob’s is blocked below Ann’s",
        id="tied",
    ),
    pytest.param(
        {"32": "tiki4", "22": "tac4 tac3 tac2"},
        "move 32 22",
        "TA-9",
        "Ann’s piece removes 2 pieces of Bob’s, then meets one of equal rank: both stay,"
        " and the lower one is blocked",
        id="won-and-tied",
    ),
    pytest.param(
        {"32": "tiki", "22": "tac"},
        "move 32 22",
        "TA-3",
        "Ann meets Bob on C3: compare the ranks of the two pieces",
        id="met",
    ),
    pytest.param(
        {"10": "tiki4"},
        "move 10 00",
        "TA-7",
        "Ann’s piece has arrived on A1 and stays there. It is the first of the five for a statue",
        id="arrived",
    ),
    pytest.param(
        {"00": "tiki1 tiki2", "10": "tiki4"},
        "move 10 00",
        "TA-7",
        "Ann’s piece has arrived on A1 and stays there. That makes 3 of the five for a statue",
        id="arrived-third",
    ),
    pytest.param(
        {"00": "tac5", "10": "tiki1"},
        "move 10 00",
        "TA-7",
        "Ann’s piece is stronger: 1 piece of Bob’s leaves the board. Ann’s piece has arrived"
        " on A1 and stays there. It is the first of the five for a statue",
        id="fought-and-arrived",
    ),
    pytest.param(
        {"00": "tiki1 tiki1 tiki2 tiki2", "10": "tiki4"},
        "move 10 00",
        "TA-11",
        "Five of Ann’s pieces stand on A1: the statue is built, and Ann wins",
        id="statue",
    ),
    pytest.param({"33": "tiki3", "32": "tiki4"}, "move 32 33", "", "", id="stacked"),
    pytest.param({}, "move 44 34", "", "", id="plain"),
]


@pytest.mark.parametrize(("fields", "text", "clause", "words"), REASONS)
def test_what_counted_is_explained(
    fields: dict[str, str], text: str, clause: str, words: str
) -> None:
    """TA-3 to TA-11: who was stronger, what arrived, what stands; no plain step."""
    state = place({**fields, "44": "tiki1", "14": "tac1"})
    reason = GAME.reason(state, rules.parse_action(text), NAMED)
    assert (reason.clause if reason else "", reason.message if reason else "") == (clause, words)
    assert reason is None or isinstance(reason.message, Message)


def test_each_result_that_people_enter_is_explained() -> None:
    """TA-14: one after another, while nobody knows the ranks."""
    met = after(place({"32": "tiki", "22": "tac tac", "44": "tiki"}), "move 32 22")
    won = GAME.reason(met, rules.parse_action("clash win"), NAMED)
    assert won is not None
    assert won.message == (
        "Ann’s piece is stronger: Bob’s leaves the board, and the next one below it is attacked"
    )
    tied = GAME.reason(after(met, "clash win"), rules.parse_action("clash tie"), NAMED)
    assert tied is not None
    assert (tied.clause, tied.message.startswith("Both pieces have the same rank")) == (
        "TA-9",
        True,
    )


def test_an_enemy_below_spoils_a_pure_statue() -> None:
    """TA-11: where the table plays so, a piece that arrives on an enemy is told at once."""
    state = place({"00": "tac3", "10": "tiki3", "44": "tiki1", "14": "tac1"}, statue="pure")
    reason = GAME.reason(state, rules.parse_action("move 10 00"), NAMED)
    assert reason is not None
    assert reason.message.endswith("so the statue cannot be built on this field")


def test_turns_that_end_early_or_are_skipped_are_explained() -> None:
    """TA-5, TA-12: no second move; nothing to do for the other side."""
    alone = place({"10": "tiki", "04": "tac"})
    reason = GAME.reason(alone, rules.parse_action("move 10 00"), NAMED)
    assert reason is not None
    assert "Ann has no second move, so the turn is over" in reason.message
    stuck = place({"22": "tiki", "44": "tac"})._replace(moved=1)
    reason = GAME.reason(stuck, rules.parse_action("move 22 23"), NAMED)
    assert reason is not None
    assert (reason.clause, reason.message) == (
        "TA-12",
        "Bob can neither move nor return a piece and is skipped",
    )


ROUND_ABOUT = ("move 31 32", "move 32 31", "move 11 12", "move 12 11")
DRAWS = [
    ({"repetition": 2}, (*ROUND_ABOUT, "draw"), "Ann has claimed a draw: the board has looked"),
    ({"repetition": 2}, ROUND_ABOUT * 3, "A draw: the board has looked like this 4 times"),
    ({"quiet_turns": 2}, ROUND_ABOUT, "A draw: 2 turns without an attack"),
    ({"max_turns": 2}, ROUND_ABOUT, "A draw after 2 turns"),
]


@pytest.mark.parametrize(("options", "texts", "words"), DRAWS)
def test_each_kind_of_draw_is_explained(
    options: dict[str, int], texts: tuple[str, ...], words: str
) -> None:
    """TA-13: as the reason of the last action, and as the end of the game."""
    state = after(place({"31": "tiki", "11": "tac"}, **options), *texts[:-1])
    last = rules.parse_action(texts[-1])
    reason, ended = GAME.reason(state, last, NAMED), GAME.round_end(state, last, NAMED)
    assert reason is not None
    assert ended is not None
    assert reason.message == ended.message
    assert reason.message.startswith(words)
    assert (reason.clause, ended.clause, ended.winners, ended.points) == (
        *("TA-13", "TA-13"),
        *((), (0, 0)),
    )


def test_a_draw_that_may_be_claimed_is_announced() -> None:
    """TA-13: to whoever may claim it."""
    state = after(place({"31": "tiki", "11": "tac"}, repetition=2), *ROUND_ABOUT[:-1])
    reason = GAME.reason(state, rules.parse_action(ROUND_ABOUT[-1]), NAMED)
    assert reason is not None
    assert reason.message == "The board has looked like this 2 times: Ann may claim a draw"


def test_nobody_can_do_anything() -> None:
    """TA-12: the last move leaves both sides stuck."""
    stuck, last = place({"10": "tiki", "40": "tac"}), rules.parse_action("move 10 00")
    ended = GAME.round_end(stuck, last, NAMED)
    assert ended is not None
    assert (ended.clause, ended.message) == (
        "TA-12",
        "A draw: neither side can move or return a piece",
    )


def test_the_end_says_what_each_point_is_made_of() -> None:
    """TA-11: who won by which statue, how far the other came, and the table as it lay."""
    state = place({**FOUR, "10": "tiki3", "41": "tac5 tac4"})
    last = rules.parse_action("move 10 00")
    ended = GAME.round_end(state, last, NAMED)
    assert ended is not None
    assert ended.message == "Five of Ann’s pieces stand on A1: the statue is built, and Ann wins"
    assert (ended.number, ended.winners, ended.points, ended.scores) == (1, (0,), (1, 0), (1, 0))
    assert ended.reasons == (
        ("1 point for the statue on A1", "0 pieces lost"),
        ("2 of the 5 pieces for a statue", "0 pieces lost"),
    )
    over = after(state, "move 10 00")
    assert (ended.places, ended.view) == (GAME.shown(over), GAME.view(over))
    assert GAME.round_end(place(FOUR), rules.parse_action("move 44 34"), NAMED) is None


def walked(seed: int, length: int) -> list[tuple[State, str]]:
    """Return the states of a random game with ranks and what was done in each."""
    rng = Random(seed)
    ranks = {side: rng.sample(RANKS, 10) for side in rules.SIDES}
    state = rules.initial(2, {}, {"ranks": ranks})
    found: list[tuple[State, str]] = []
    while len(found) < length and (actions := rules.legal_actions(state)):
        action = rng.choice(actions)
        found.append((state, rules.format_action(action)))
        state = rules.apply(state, action)
    return found


@pytest.mark.parametrize("seed", range(2))
def test_no_reason_tells_a_rank(seed: int) -> None:
    """TA-2: the same with other ranks that let the same happen, and never a rank in words."""
    told = 0
    for state, text in walked(seed, 150):
        action = rules.parse_action(text)
        reason = GAME.reason(state, action, NAMED)
        assert reason is None or reason.clause in WEIGHT
        if reason is None:
            continue
        told += 1
        assert not re.search(r"rank \d|piece \d|[1-5] beats", reason.message)
        assert GAME.reason(disguised(state, text, Random(seed)), action, NAMED) == reason
    assert told > 20


def disguised(state: State, text: str, rng: Random) -> State:
    """Return *state* with other ranks for all pieces that *text* does not bring together."""
    met = {int(word[0]) * 5 + int(word[1]) for word in text.split() if len(word) == 2}
    kept = {piece for field in met for piece in state.columns[field]}
    ranks = [
        tuple(
            rank if seat + 2 * number in kept else rng.randint(1, 5)
            for number, rank in enumerate(side)
        )
        for seat, side in enumerate(state.ranks)
    ]
    return state._replace(ranks=(ranks[0], ranks[1]))


def test_a_returned_piece_gives_the_same_reason_whichever_it_is() -> None:
    """TA-10: the rank stays its owner's secret."""
    state = place({"41": "tiki1", "11": "tac1"})._replace(pools=((3, 5), ()))
    told = {GAME.reason(state, rules.parse_action(f"back 40 {rank}"), NAMED) for rank in (3, 5)}
    (reason,) = told
    assert reason is not None
    assert reason.clause == "TA-10"
    assert "only Ann knows which piece it is" in reason.message


def test_ranks_that_are_entered_need_no_reason() -> None:
    """TA-2: they are secret; nor has an impossible action one."""
    start = rules.initial(2)
    for text in ("ranks 0 1 1 2 2 3 3 4 4 5 5", "clash win", "back 40"):
        assert GAME.reason(start, rules.parse_action(text), NAMED) is None
        assert GAME.round_end(start, rules.parse_action(text), NAMED) is None


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("move a5 a4", "move 40 30"),
        ("move C3 c2", "move 22 12"),
        ("back E1 4", "back 04 4"),
        ("back 40", "back 40"),
        ("move a6 a4", "move a6 30"),
        ("clash win", "clash win"),
        ("draw", "draw"),
    ],
)
def test_fields_may_be_typed_by_name(text: str, action: str) -> None:
    """As the drawing has them; what is no field stays, and the rules refuse it."""
    assert typed(text) == action
