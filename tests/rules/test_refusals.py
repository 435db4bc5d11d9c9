"""What cannot be played or said, in every game: where it is, what was given, what is right."""

import re
from typing import Any, Final

import pytest

from companion.rules import score_sheet, tactiki, tiki_topple, tippi_toppi, topple, uno_tiki
from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.protocol import Spoken
from tests.rules.tactiki_tables import RANKS
from tests.rules.tippi_toppi_tables import DECK as CARDS

Rules = Spoken[Any, Any]
Fields = dict[Rules, dict[str, tuple[str, list[Any]]]]
LINE: Final = list(tiki_topple.TIKIS)
DECK: Final = [card for card, copies in uno_tiki.usual_census().items() for _ in range(copies)]
HANDS: Final = [DECK[:7], None, None]
WRONG_HANDS: Final = (["green1"], ["green8"] * 4)
FLAG: Final = "true or false"
SEATS: Final[dict[Rules, tuple[str, tuple[int, ...]]]] = {
    tiki_topple: ("TT-1", (1, 5)),
    tactiki: ("TA-1", (1, 3)),
    topple: ("TO-2", (1, 5)),
    tippi_toppi: ("TP-1", (5,)),
    uno_tiki: ("UT-1", (1, 11)),
    score_sheet: ("SS-1", (11,)),
}
"""The clause on how many play, and the numbers just outside of it."""

# Beside wrong types: what is wrong in each field though its type is right, and a word of what
# would be right.
OPTIONS: Final[Fields] = {
    tiki_topple: {
        "rounds": ("a number from 1 to 99", [0, 100]),
        "hand": ("at least one of them no toast", [[], ["toast"], ["up1", "up4"], ["up1", 1]]),
        "topple_last": (FLAG, [0]),
        "tie": ("playoff or share", ["playof"]),
    },
    tactiki: {
        "statue": ("five or pure", ["four"]),
        "repetition": ("0 or from 2 to 99", [1, 100]),
        "quiet_turns": ("a number from 0 to 9999", [-1]),
        "max_turns": ("a number from 0 to 9999", [-1, 10_000]),
    },
    topple: {
        "target": ("a number from 1 to 9999", [0, 10_000]),
        "colours": (
            "a list of 4 different words",
            [[], ["red"], ["red"] * 4, ["a", "b", "c", "d", "e"], ["a", "b", "c", "D"]],
        ),
        "two_colours": ("true or false|false for 3 players", [True]),
        "young": (FLAG, [1]),
        "count_completing": (FLAG, [1]),
        "must_place": (FLAG, [1]),
        "next_start": ("next, roll or same", ["rol"]),
        "tie": ("play_on or share", ["playoff"]),
    },
    tippi_toppi: {
        "difficulty": ("beginner, normal, advanced, expert or champion", ["easy"]),
        "goals": ("a number from 1 to 99", [0, 100]),
        "silence": (FLAG, [1]),
        "open_hands": (FLAG, [1]),
        "high_speed": (FLAG, [1]),
        "run_order": ("ascending, either or any", ["up"]),
        "alternating": ("exact or any", ["all"]),
        "goal_deck": ("a list of goals", [["fly"]]),
    },
    uno_tiki: {
        "deck": (
            "an object of cards, such as red-7-spin|more than 21 cards|a number from 0 to 99",
            [{"red-11": 40}, {"red-1": -1}, {"red-1": 100}, {"red-1": 21}, {"tiki-goto": 99}],
        ),
        "scoring": ("winner or lowest", ["loser"]),
        "target": ("a number from 1 to 9999", [0]),
        "two_player_reverse": ("skip or none", ["skips"]),
        "discard_two": ("up_to_two or two_or_none", ["two"]),
        "last_card_spin": (FLAG, [1]),
        "goto_overrides_skip": (FLAG, [1]),
    },
    score_sheet: {
        "target": ("a number from 0 to 9999", [-1]),
        "rounds": ("a number from 0 to 99", [100]),
        "lowest": (FLAG, [1]),
    },
}
SETUPS: Final[Fields] = {
    tiki_topple: {
        "first": ("a seat number from 0 to 2", [-1, 3]),
        "rounds": (
            "a list of one or more objects with line and cards|all nine tikis|a secret card",
            [[], [1], [{"line": ["nani"]}], [{"cards": [None]}], [{"x": 1}]],
        ),
        "line": ("all nine tikis, each once", [[], LINE[:8], [*LINE[:8], "nani"], [*LINE, "x"]]),
        "cards": (
            "a list with a secret card or null for each of the 3 seats|top9, middle5, bottom2",
            [[], [None], [["nani"] * 3, None, None], [{"top9": "nani"}, None, None]],
        ),
    },
    tactiki: {
        "ranks": (
            "an object with tiki, tac|ten numbers, two of each from 1 to 5",
            [{"tiki": each} for each in (RANKS[:9], [1] * 10, [True] * 10, [None] * 10, 5)],
        ),
    },
    topple: {"first": ("a seat number from 0 to 2", [-1, 3])},
    tippi_toppi: {
        "first": ("a seat number from 0 to 2", [-1, 3]),
        "deck": ("all 56 cards, 2 of each", [CARDS[:55], [*CARDS[:55], "green1"], [None] * 56]),
        "goals": ("a list of at least 16 goals", [["run 3"]]),
        "hands": ("4 cards or null", [[None], *([each, None, None] for each in WRONG_HANDS)]),
    },
    uno_tiki: {
        "dealer": ("a seat number from 0 to 2", [-1, 3]),
        "decks": (
            "one for each coming round|all the cards of options.deck in the order of dealing",
            [[[]], [DECK[:-1]], [[*DECK[1:], "red-11"]], [["red-1", *DECK[1:]]]],
        ),
        "hands": (
            "a list with 7 cards or null for each of the 3 seats|a list of 7 cards",
            [[], HANDS[:2], [DECK[:6], None, None], [["red-11"] * 7, None, None]],
        ),
    },
}
WRONG_TYPES: Final[tuple[Any, ...]] = ("x", 1.5, -7, True, None, [1], {"x": 1})
ACTIONS: Final[dict[Rules, list[Any]]] = {
    tiki_topple: [
        *("up2", "up4 nani", "toast  ", "line nani x", "card x kapu nui nani", "card 0"),
        *("", "card 0 nani nani nui"),
        {"type": "dealt", "seat": True, "card": ["nani", "nui", "eepo"]},
    ],
    tactiki: [
        *("move 42", "move 42 5", "move 45 44", "back", "back 40 6", "clash", "clash draw"),
        *("ranks 0 1", "ranks 2 1 1 2 2 3 3 4 4 5 5"),
        {"type": "moved", "from": [True, 1], "to": [0, 1]},
        {"type": "moved", "from": [5, 1], "to": [0, 1]},
        {"type": "reincarnated", "field": [4, 0], "rank": True},
        {"type": "clashed"},
    ],
    topple: [
        *("roll", "roll 7", "roll ²", "place 22", "place 25 pink", "place 22 Pink", "knock 4"),
        {"type": "rolled", "pips": True},
        {"type": "placed", "spot": [2, 5], "colour": "pink"},
        {"type": "placed", "spot": [2, 2], "colour": "pink", "x": 1},
        {"type": "knocked", "seat": None},
    ],
    tippi_toppi: [
        *("play green8 0", "play green7 4", "play green7 0 by 4", "lay", "goal", "stuck now"),
        *("time 5", 7),
        {"type": "played", "card": "green7", "pile": True},
        {"type": "played", "card": "green7", "pile": 0, "seat": True},
        {"type": "revealed", "goal": "fly"},
        {"type": "laid", "card": 7},
    ],
    uno_tiki: [
        *("play", "play red-10", "play wild", "play red-7 blue", "spin 10", "spin between 1"),
        *("count 1 01", "count 1 ²", "colour pink", "keep red-7", "uno", "turn"),
        {"type": "played", "card": "wild"},
        *({"type": "spun", "seats": seats} for seats in ([1, 2, 3], [True])),
        {"type": "chosen", "seat": True},
        {"type": "counted", "seat": 1, "points": "5"},
        {"type": "drew", "card": "red-7"},
    ],
    score_sheet: [
        *("points 0 1000", "points 0 -100", "points 0 01", "points 0 +1", "points 10 1", "end now"),
        *("points 0", "points 0 1.5", "round", "round 1 x", "round ?5"),
    ],
}
every_game = pytest.mark.parametrize("rules", SEATS, ids=lambda rules: rules.NAME)


def seats_of(rules: Rules) -> int:
    """Return how many play in these tests."""
    return 2 if rules is tactiki else 3


def refusal(rules: Rules, options: Any, setup: Any) -> str:
    """Return the words of the refusal, "" if it is none."""
    try:
        rules.initial(seats_of(rules), options, setup)
    except InvalidSetup as error:
        return str(error)
    return ""


def check(words: str, name: str, right: str, value: Any) -> None:
    """Hold a refusal against what it has to say."""
    assert "\n" not in words
    assert re.match(rf"{name}\b", words), words or f"{name}: {value} was not refused"
    assert re.search(right, words), words
    assert re.search(r"\b(not|missing)\b", words), words
    assert re.search(r"\((T[TAOP]|UT|SS)-\d+(, TT-\d+)?\)$", words), words
    shown = repr(value)[:60] if not isinstance(value, list | dict) else ""
    assert shown in words, words


@every_game
def test_another_number_of_players_is_refused(rules: Rules) -> None:
    """With the clause on it."""
    clause, beyond = SEATS[rules]
    wrong: tuple[Any, ...] = (*beyond, 0, True, 2.0, "2", None)
    for seats in wrong:
        with pytest.raises(InvalidSetup, match=rf"not {seats!r} \({clause}\)"):
            rules.initial(seats)


@every_game
def test_a_wrong_option_is_named_with_what_would_be_right(rules: Rules) -> None:
    """A true where a word belongs, a 0 where a round belongs."""
    for name, (right, wrong) in OPTIONS[rules].items():
        for value in (*WRONG_TYPES, *wrong):
            words = refusal(rules, {name: value}, None)
            if words or not (value is True and right == FLAG):
                check(words, name, right, value)
    assert "there is no option 'x'" in refusal(rules, {"x": 1}, None)


@pytest.mark.parametrize("rules", SETUPS, ids=lambda rules: rules.NAME)
def test_a_wrong_set_up_is_named_with_what_would_be_right(rules: Rules) -> None:
    """An empty list of rounds among them."""
    for name, (right, wrong) in SETUPS[rules].items():
        beside = {"dealer": 0} if rules is uno_tiki and name in ("decks", "hands") else {}
        for value in (*WRONG_TYPES, *wrong):
            words = refusal(rules, None, {**beside, name: value})
            if words or value is not None:  # null: not known
                check(words, f"setup.{name}", right, value)


@every_game
def test_what_is_no_action_is_named_so(rules: Rules) -> None:
    """InvalidAction, not IllegalAction."""
    for thing in ("", [], None, {"type": ["x"]}, *ACTIONS[rules]):
        with pytest.raises(InvalidAction):
            raise AssertionError(f"{thing!r} is {rules.action_from_json(thing)}")


def test_what_does_not_go_together_is_named() -> None:
    """Two fields with which of them to give, too few goals, too many of a card."""
    deal = "setup.hands stands beside setup.decks, which deal the hands; give one of them"
    order = "in the order of dealing: red-0 1 times, not 0 times"
    twice = "setup.hands has a card more than 2 times (TP-1)"
    for rules, setup, words in (
        (tiki_topple, {"rounds": [{}], "line": LINE}, "setup.rounds stands beside line; give"),
        (tiki_topple, {"rounds": [{}], "cards": None}, "setup.rounds stands beside cards; give"),
        (tippi_toppi, {"hands": [["green1"] * 4, None, None]}, twice),
        (uno_tiki, {"hands": HANDS}, "setup.hands stands without setup.dealer; give"),
        (uno_tiki, {"hands": HANDS, "dealer": 0, "decks": [DECK]}, deal),
        (uno_tiki, {"decks": [["red-1", *DECK[1:]]]}, order),
        (uno_tiki, {"dealers": 1}, "did you mean 'dealer'"),
        (topple, {"x": 1}, "an object with first, not with 'x'"),
    ):
        assert words in refusal(rules, None, setup)
    few = refusal(tippi_toppi, {"goal_deck": ["run 3"]}, None)
    assert few == "the goal deck has 1 goals, but 16 are needed"
    assert refusal(tippi_toppi, None, {"hands": HANDS, "deck": CARDS})
    assert refusal(topple, None, []) == ""


def test_the_check_can_fail() -> None:
    """A refusal that leaves out any of it is noticed."""
    good = "rounds is a number from 1 to 99, not 0 (TT-12)"
    check(good, "rounds", "a number from 1 to 99", 0)
    for bad in (
        "",
        "a number from 1 to 99, not 0 (TT-12)",
        "rounds is wrong, not 0 (TT-12)",
        "rounds is a number from 1 to 99 (TT-12)",
        "rounds is a number from 1 to 99, not 0",
        "rounds is a number from 1 to 99, not 1 (TT-12)",
    ):
        with pytest.raises(AssertionError):
            check(bad, "rounds", "a number from 1 to 99", 0)
