"""Every refusal of a set-up says where it is, what was given, and what would be right."""

import re
from typing import Any, Final

import pytest

from companion.rules import tiki_topple, topple, uno_tiki
from companion.rules.base import InvalidSetup
from companion.rules.protocol import Spoken

Rules = Spoken[Any, Any]
SEATS: Final = 3
LINE: Final = list(tiki_topple.TIKIS)
DECK: Final = [card for card, copies in uno_tiki.usual_census().items() for _ in range(copies)]
HANDS: Final = [DECK[:7], None, None]

# Beside wrong types: what is wrong in each field though its type is right, and a word of what
# would be right.
OPTIONS: Final[dict[Rules, dict[str, tuple[str, list[Any]]]]] = {
    tiki_topple: {
        "rounds": ("a number from 1 to 99", [0, 100]),
        "hand": ("at least one of them no toast", [[], ["toast"], ["up1", "up4"], ["up1", 1]]),
        "topple_last": ("true or false", [0]),
        "tie": ("playoff or share", ["playof"]),
    },
    topple: {
        "target": ("a number from 1 to 9999", [0, 10_000]),
        "colours": (
            "a list of 4 different words",
            [[], ["red"], ["red"] * 4, ["a", "b", "c", "d", "e"], ["a", "b", "c", "D"]],
        ),
        "two_colours": ("true or false|false for 3 players", [True]),
        "young": ("true or false", [1]),
        "count_completing": ("true or false", [1]),
        "must_place": ("true or false", [1]),
        "next_start": ("next, roll or same", ["rol"]),
        "tie": ("play_on or share", ["playoff"]),
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
        "last_card_spin": ("true or false", [1]),
        "goto_overrides_skip": ("true or false", [1]),
    },
}
SETUPS: Final[dict[Rules, dict[str, tuple[str, list[Any]]]]] = {
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
    topple: {"first": ("a seat number from 0 to 2", [-1, 3])},
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
WRONG_TYPES: Final[tuple[Any, ...]] = (
    "x",
    "",
    1.5,
    -7,
    True,
    None,
    [1],
    [[]],
    [None],
    {"x": 1},
    {},
)


def refusal(rules: Rules, options: Any, setup: Any) -> str:
    """Return the words of the refusal, "" if it is none."""
    try:
        rules.initial(SEATS, options, setup)
    except InvalidSetup as error:
        return str(error)
    return ""


def check(words: str, name: str, right: str, value: Any) -> None:
    """Hold a refusal against what it has to say."""
    assert "\n" not in words
    assert re.match(rf"{name}\b", words), words or f"{name}: {value} was not refused"
    assert re.search(right, words), words
    assert re.search(r"\b(not|missing)\b", words), words
    assert re.search(r"\((T[TO]|UT)-\d+(, TT-\d+)?\)$", words), words
    shown = repr(value)[:60] if not isinstance(value, list | dict) else ""
    assert shown in words, words


@pytest.mark.parametrize("rules", OPTIONS, ids=lambda rules: rules.NAME)
def test_a_wrong_option_is_named_with_what_would_be_right(rules: Rules) -> None:
    """TT-12, TO-12, UT-19: a true where a word belongs, a 0 where a round belongs."""
    for name, (right, wrong) in OPTIONS[rules].items():
        for value in (*WRONG_TYPES, *wrong):
            words = refusal(rules, {name: value}, None)
            if words or not is_right(name, value):
                check(words, name, right, value)


@pytest.mark.parametrize("rules", SETUPS, ids=lambda rules: rules.NAME)
def test_a_wrong_set_up_is_named_with_what_would_be_right(rules: Rules) -> None:
    """TT-2, TO-3, UT-2: an empty list of rounds among them."""
    for name, (right, wrong) in SETUPS[rules].items():
        beside = {"dealer": 0} if name in ("decks", "hands") else {}
        for value in (*WRONG_TYPES, *wrong):
            words = refusal(rules, None, {**beside, name: value})
            if words or value is not None:  # null: not known
                check(words, f"setup.{name}", right, value)


def is_right(name: str, value: Any) -> bool:
    """Tell whether *value* is one of those that this option may have."""
    flags = ("topple_last", "young", "count_completing", "must_place", "last_card_spin")
    return value is True and name in (*flags, "goto_overrides_skip")


def test_fields_that_do_not_go_together_are_both_named() -> None:
    """TT-2, UT-2: with which of them to give."""
    deal = "setup.hands stands beside setup.decks, which deal the hands; give one of them"
    order = "in the order of dealing: red-0 1 times, not 0 times"
    for rules, setup, words in (
        (tiki_topple, {"rounds": [{}], "line": LINE}, "setup.rounds stands beside line; give"),
        (tiki_topple, {"rounds": [{}], "cards": None}, "setup.rounds stands beside cards; give"),
        (uno_tiki, {"hands": HANDS}, "setup.hands stands without setup.dealer; give"),
        (uno_tiki, {"hands": HANDS, "dealer": 0, "decks": [DECK]}, deal),
        (uno_tiki, {"decks": [["red-1", *DECK[1:]]]}, order),
        (uno_tiki, {"dealers": 1}, "did you mean 'dealer'"),
        (topple, {"x": 1}, "an object with first, not with 'x'"),
    ):
        assert words in refusal(rules, None, setup)
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
