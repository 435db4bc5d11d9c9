"""TacTiki in words: what happened, what is told and what is waited for."""

from typing import Any

import pytest

from companion.games.tactiki.game import GAME
from companion.games.tactiki.words import ending_words
from companion.referee.facts import ButtonFact, TowerFact
from companion.referee.game import EMPTY, People
from companion.rules import tactiki as rules
from tests.rules.tactiki_tables import after, place

NAMED = ("Ann", "Bob")
TOLD = "ranks 0 1 1 2 2 3 3 4 4 5 5"


@pytest.mark.parametrize(
    ("text", "public"),
    [
        ("back 40 5", "back 40"),
        ("back 40", "back 40"),
        (TOLD, "ranks 0"),
        ("move 40 30", "move 40 30"),
        ("clash tie", "clash tie"),
        ("draw", "draw"),
    ],
)
def test_a_public_text_has_no_rank(text: str, public: str) -> None:
    """TA-2: what everybody reads in the log; it may be read again, and in words."""
    assert GAME.public(text) == public
    assert GAME.public(public) == public
    assert GAME.words(public, NAMED) == GAME.words(text, NAMED)


@pytest.mark.parametrize(
    ("seat", "texts", "sentence"),
    [
        (0, ["move 40 30"], "Ann moves A5 to A4"),
        (1, ["move 04 14", "move 03 13"], "Bob: moves E1 to E2 or moves D1 to D2"),
        (0, ["back 42 3", "back 42 5"], "Ann returns a piece to C5"),
        (None, ["clash win"], "The attacker wins the clash"),
        (None, ["clash lose"], "The attacker loses the clash"),
        (None, ["clash tie"], "The attacker ties the clash"),
        (None, [TOLD], "Ann has entered their ranks"),
        (1, ["draw"], "Bob claims a draw"),
        (None, ["move 40 30"], "Moves A5 to A4"),
        (None, ["clash win", "clash tie"], "The attacker: wins the clash or ties the clash"),
        (None, ["move 40 30", "move 40 41"], "Moves A5 to A4 or moves A5 to B5"),
    ],
)
def test_what_happened_is_said_in_a_line(seat: int | None, texts: list[str], sentence: str) -> None:
    """Fields are named as on a chessboard, and no rank is said."""
    assert GAME.sentence(seat, texts, NAMED) == sentence


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("tac 3", "3 high on C2 with TAC on top"),
        (EMPTY, "nothing on C2"),
        (None, "something on C2"),
    ],
)
def test_a_place_in_words(content: str | None, words: str) -> None:
    """As people look at the board."""
    assert GAME.place_words(7, content) == words


@pytest.mark.parametrize(
    ("fields", "text", "words"),
    [
        (
            {"32": "tiki4", "22": "tac5 tac1 tac3"},
            "move 32 22",
            "Ann attacks C3, beats 2 pieces, then loses",
        ),
        ({"32": "tiki4", "22": "tac3 tac1"}, "move 32 22", "Ann attacks C3 and beats 2 pieces"),
        ({"32": "tiki4", "22": "tac4"}, "move 32 22", "Ann attacks C3: a tie"),
        ({"32": "tiki4", "22": "tac5"}, "move 32 22", "Ann attacks C3 and loses"),
        ({"32": "tiki4", "22": "tiki5"}, "move 32 22", None),
        ({"32": "tiki", "22": "tac"}, "move 32 22", None),
        (
            {"00": "tiki1 tiki1 tiki2 tiki2", "10": "tiki3"},
            "move 10 00",
            "Ann has built the statue on A1!",
        ),
    ],
)
def test_the_table_is_told_how_an_attack_went(
    fields: dict[str, str], text: str, words: str | None
) -> None:
    """TA-8, TA-11: also where the companion has worked it out from the ranks."""
    state = place({**fields, "44": "tiki1", "14": "tac1"})
    transient_notice = GAME.transient_notice(state, rules.parse_action(text), NAMED)
    assert (transient_notice.words if transient_notice else None) == words
    assert transient_notice is None or transient_notice.seats == (0,)


def test_the_table_is_told_each_result_that_people_tell() -> None:
    """TA-14: one after another."""
    state = after(place({"32": "tiki", "22": "tac tac", "44": "tiki"}), "move 32 22")
    won = GAME.transient_notice(state, rules.parse_action("clash win"), NAMED)
    assert won is not None
    assert won.words == "Ann attacks C3, beats 1 piece and goes on"
    lost = GAME.transient_notice(after(state, "clash win"), rules.parse_action("clash lose"), NAMED)
    assert lost is not None
    assert lost.words == "Ann attacks C3 and loses"
    assert GAME.transient_notice(state, rules.parse_action("move 44 34"), NAMED) is None


def test_the_table_is_told_of_a_return_but_not_which() -> None:
    """TA-10: the rank stays its owner's secret."""
    state = place({"41": "tiki1", "11": "tac1"})._replace(pools=((3, 5), ()))
    moments = [
        GAME.transient_notice(state, rules.parse_action(f"back 40 {rank}"), NAMED)
        for rank in (3, 5)
    ]
    assert moments[0] == moments[1]
    assert moments[0] is not None
    assert moments[0].words == "Ann returns a piece to A5"


@pytest.mark.parametrize(
    ("fields", "options", "texts", "words"),
    [
        (
            {"31": "tiki", "11": "tac"},
            {"max_turns": 1},
            ("move 31 32", "move 32 31"),
            "A draw after 1 turn",
        ),
        (
            {"10": "tiki1", "00": "tac5", "40": "tac4"},
            {"max_turns": 1},
            ("move 10 00",),
            "Ann attacks A1 and beats 1 piece. A draw after 1 turn",
        ),
    ],
)
def test_a_draw_is_explained(
    fields: dict[str, str], options: dict[str, int], texts: tuple[str, ...], words: str
) -> None:
    """TA-12, TA-13: when nobody has claimed it, the table is told why."""
    state = after(place(fields, **options), *texts[:-1])
    transient_notice = GAME.transient_notice(state, rules.parse_action(texts[-1]), NAMED)
    assert transient_notice is not None
    assert transient_notice.words == words
    assert words.endswith(ending_words(after(state, texts[-1])))


def test_a_return_may_be_the_last_turn() -> None:
    """TA-10, TA-13: both are told."""
    state = place({"41": "tiki1", "11": "tac1"}, max_turns=1)._replace(pools=((3,), ()))
    transient_notice = GAME.transient_notice(state, rules.parse_action("back 40 3"), NAMED)
    assert transient_notice is not None
    assert transient_notice.words == "Ann returns a piece to A5. A draw after 1 turn"


def test_the_second_move_is_waited_for() -> None:
    """TA-5: it has to be made."""
    state = rules.initial(2)
    assert GAME.wants(state, NAMED) == ("", "")
    assert GAME.expected(state) == 0
    assert GAME.wants(after(state, "move 40 30"), NAMED) == ("move", "Ann makes the second move")


def test_a_button_is_answered_in_words() -> None:
    """There is none in this game; nothing is played."""
    people = People(NAMED)
    start = rules.initial(2)
    for state, words in (
        (start, "Bob, that button does nothing right now"),
        (after(start, "move 40 30"), "Ann makes the second move"),
    ):
        reaction = GAME.on_fact(state, ButtonFact("done", 1), people)
        assert reaction is not None
        assert not reaction.action
        assert reaction.transient_notice is not None
        assert reaction.transient_notice.words == words
    assert GAME.on_fact(start, TowerFact("topple"), people) is None
    assert GAME.time_limit_s(start) is None


def test_how_the_game_stands() -> None:
    """It is one round, begun by TIKI, and only its end is scored."""
    state = rules.initial(2, GAME.parse_options({"statue": "pure"}, 2), GAME.setup(1))
    assert state.options.statue == "pure"
    assert GAME.setup(None) == {}
    assert (GAME.round_number(state), GAME.rounds(state), GAME.last_round(state)) == (1, 1, None)
    assert (GAME.scores(state), GAME.playing(state)) == ((0, 0), (0, 1))
    won = after(place({"00": "tiki tiki tiki tiki", "10": "tiki", "44": "tac"}), "move 10 00")
    assert GAME.scores(won) == (1, 0)
    assert GAME.expected(won) is None
    assert not GAME.plays(won)
    assert GAME.refusal(won, GAME.shown(won), "Ann") is None
    view: Any = GAME.view(won)
    assert view["phase"] == "over"
    assert view["names"][4] == ["A5", "B5", "C5", "D5", "E5"]
