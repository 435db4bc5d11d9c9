"""The pages of UNO Tiki: what is offered, in how few taps, and what stays after a round."""

import re

import pytest

from companion.games.uno_tiki.drawing import MAX_OPEN_SUMS, pads, sums_by_tens
from companion.rules.uno_tiki import COLOURS, KINDS
from tests.referee.entering import TO_SPIN, sit, tell
from tests.web.uno_tiki_tables import counting
from tests.web.visitors import open_pub


def test_every_card_is_reached_in_two_taps() -> None:
    """All of them lie in six pads, each card once; what fits the pile lies open."""
    closed = pads([("turn", card) for card in KINDS], "")
    assert [pad.name for pad in closed] == [*COLOURS, "wild", "tiki"]
    assert not any(pad.is_open for pad in closed)
    assert sorted(tap.action for pad in closed for tap in pad.taps) == sorted(
        f"turn {card}" for card in KINDS
    )
    plays = [("play", "blue-1"), ("play", "red-7"), ("play", "wild", "red"), ("play", "tiki-goto")]
    fitting = pads(plays, "blue")
    assert [(pad.name, pad.is_open) for pad in fitting] == [
        ("blue", True),
        ("others", True),
        ("wild", True),
        ("tiki", False),
    ]
    assert pads([("discard", "red-1"), ("discard", "red-2")], "")[0].is_open


def test_every_card_says_its_colour_in_a_word() -> None:
    """Also a Wild whose colour is named; only a Wild on its own and a Tiki Face have none."""
    for pad in pads([("turn", card) for card in KINDS], ""):
        for tap in pad.taps:
            said = f"{tap.face.colour} {tap.face.words}".lower()
            assert tap.face.ink in ("wild", "tiki") or said.count(tap.face.ink) == 2
    (wild,) = pads([("play", "wild", "red")], "blue")
    assert (wild.taps[0].face.ink, wild.taps[0].face.colour) == ("red", "Red")


def test_every_sum_is_reached_in_two_taps() -> None:
    """Those that a hand can be worth and no others; a few lie open."""
    sums = [*range(12), 20, 25, 50, *range(100, 110)]
    groups = sums_by_tens(sums)
    assert [each for group in groups for each in group.sums] == sums
    assert [group.label for group in groups] == ["0–9", "10–11", "20–25", "50", "100–109"]
    assert all(len(group.sums) <= 10 for group in groups)
    few = sums_by_tens(sums[:MAX_OPEN_SUMS])
    assert all(len(group.sums) == 1 for group in few)


def test_the_last_cards_stay_until_the_next_round_begins() -> None:
    """On the board and on each phone, with who won and what the points are made of."""
    live_session = counting()
    pub = open_pub(live_session)
    pages = [(pub.stranger(), "/"), (pub.player(0), "/seat"), (pub.player(1), "/seat")]
    tell(live_session, "count 0 100", "count 2 30")
    for visitor, path in pages:
        page = visitor.get(path).text
        assert 'data-top="red 9"' in page
        assert 'data-face="Tiki Face Draw 4"' in page
        assert "100 points from Ann’s hand" in page
        assert "30 points in hand, for Bob" in page
    tell(live_session, "turn blue-1")
    live_session.changed()
    for visitor, path in pages:
        page = visitor.get(path).text
        assert 'data-top="blue 1"' in page
        assert "from the hand of" not in page


@pytest.mark.parametrize(("scoring", "places"), [("winner", [2, 1, 2]), ("lowest", [3, 1, 2])])
def test_where_few_points_win_the_fewest_are_first(scoring: str, places: list[int]) -> None:
    """A seat's own page says its place by the rule that is played."""
    live_session = counting(scoring=scoring)
    pub = open_pub(live_session)
    tell(live_session, "count 0 100", "count 2 30")
    found = [
        re.findall(r'data-rank="(\d+)"', pub.player(seat).get("/seat").text) for seat in range(3)
    ]
    assert found == [[str(place)] for place in places]


def test_a_hand_is_counted_by_whoever_holds_it() -> None:
    """Its owner and the host are asked, nobody else; no impossible sum is offered."""
    pub = open_pub(counting())
    assert 'value="count 0 100"' in pub.player(0).get("/seat").text
    assert 'value="count' not in pub.player(2).get("/seat").text
    desk = pub.host().get("/desk").text
    assert 'value="count 0 5"' not in desk
    assert 'value="count 0 100"' in desk


def test_everyone_sees_how_many_cards_each_holds_and_which_way_play_goes() -> None:
    """On the board and on a phone; in words, beside the sign."""
    live_session = sit("uno_tiki", "turn red-7", "play red-reverse")
    pub = open_pub(live_session)
    for visitor, path in ((pub.stranger(), "/"), (pub.player(2), "/seat")):
        page = visitor.get(path).text
        assert re.findall(r'class="inhand"[^>]*aria-label="(\d+) cards"', page) == ["7", "6", "7"]
        assert "Play goes to the right, anticlockwise" in page


def test_a_refusal_names_people_and_cards() -> None:
    """No seat's number, no clause and no code of a card is in it; nothing is lost by it."""
    pub = open_pub(sit("uno_tiki", *TO_SPIN))
    host = pub.host()
    mark = str(pub.live_session.session.next_seq)
    for action in ("play blue-2", "choose 2", "uno 1", "catch 0", "discard red-1", "count 1 9"):
        page = host.post("/enter", mark=mark, action=action, back="desk")
        assert page.status_code == 409
        said = re.findall(r'id="alert">([^<]*)', page.text)[0]
        assert said.startswith("The rules do not allow that")
        assert not re.search(r"UT-|seat|\b[a-z]+-[0-9a-z]+\b|\d", said), said
        assert 'value="spin 2"' in page.text
