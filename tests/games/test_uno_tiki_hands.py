"""What a photographed hand of UNO Tiki is worth, and what in it cannot be."""

from collections import Counter

from companion.games.uno_tiki.hand_counts import (
    CARDS,
    Excess,
    excess_words,
    find_excess,
    kinds_of,
    points_of,
    sum_points,
)
from companion.rules.uno_tiki import KINDS
from companion.rules.uno_tiki.cards import POINTS, usual_census


def test_every_card_of_the_rules_is_seen_as_one() -> None:
    """What a photograph tells apart covers all kinds, each once, and all of one are worth alike."""
    kinds = [kind for card in CARDS for kind in kinds_of(card)]
    assert Counter(kinds) == Counter(KINDS)
    for card in CARDS:
        assert {POINTS[kind] for kind in kinds_of(card)} == {points_of(card)}


def test_points_are_those_of_the_rulebook() -> None:
    """A number counts itself, Skip, Reverse and a Tiki Face 20, a Wild 50."""
    hand = [("red", "7"), ("blue", "0"), ("green", "skip"), ("wild", "tiki"), ("wild", "wild")]
    assert sum_points(hand) == 7 + 0 + 20 + 20 + 50
    assert sum_points([]) == 0


def test_more_of_a_card_than_the_deck_has_is_noticed() -> None:
    """With and without the Spin symbol count together: nobody can tell them in a photograph."""
    census = usual_census()
    most = census["red-2"] + census["red-2-spin"]
    assert find_excess([("red", "2")] * most) == ()
    assert find_excess([("red", "2")] * (most + 1)) == (Excess(("red", "2"), most + 1, most),)
    assert find_excess([("red", "0")] * 2) == (Excess(("red", "0"), 2, 1),)


def test_what_lies_open_cannot_be_in_the_hand() -> None:
    """The log knows it; the words say how many may be."""
    left = {**usual_census(), "red-7": 0, "red-7-spin": 0}
    (excess,) = find_excess([("red", "7"), ("blue", "1")], left)
    assert excess == Excess(("red", "7"), 1, 0)
    assert "red 7" in str(excess_words(excess))
