"""Tiki Topple against its rulebook."""

import pytest

from companion.rules import tiki_topple as game
from companion.rules.base import InvalidAction
from tests.rules.tiki_topple_tables import START, after, play_out, refused, table

CARDS = [["nani", "nui", "eepo"], ["huhu", "lokahi", "kapu"], None, None]


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("hookipa lokahi nani", 5),
        ("wikiwiki hookipa akamai", 7),
        ("lokahi wikiwiki hookipa", 11),
        ("akamai huhu hookipa", 2),
    ],
)
def test_the_rulebooks_four_players_score_as_printed(card: str, points: int) -> None:
    """TT-11: the scoring example, final line Lokahi, Hookipa, Akamai."""
    secret = game.parse_secret_card(card.split())
    assert game.points_of(secret, ("lokahi", "hookipa", "akamai")) == points


@pytest.mark.parametrize(("seats", "cards"), [(2, 7), (3, 6), (4, 6)])
def test_two_players_hold_a_second_up_1(seats: int, cards: int) -> None:
    """TT-1: seven cards with two players, otherwise six."""
    for hand in table(seats).hands:
        assert len(hand) == cards
        assert hand.count("up1") == (2 if seats == 2 else 1)
        assert hand.count("toast") == 2


def test_a_line_out_of_its_groups_is_played_with_a_warning() -> None:
    """TT-2: the groups are the owner's business."""
    mixed = ["nani", "nui", "kapu", "huhu", "lokahi", "eepo", "wikiwiki", "akamai", "hookipa"]
    state = game.initial(3)
    assert game.turn(state) is None
    for action in game.legal_actions(state):
        assert isinstance(action, game.Lined)
        assert game.is_grouped(action.line)
    state = after(state, f"line {' '.join(mixed)}")
    assert game.turn(state) == 0
    assert "three groups of one symbol" in " ".join(game.warnings(state))
    assert not game.warnings(table(3))


def test_a_line_has_every_tiki_once() -> None:
    """TT-2: eight tikis or a repeated one are refused."""
    state = game.initial(2)
    assert refused(state, f"line {' '.join(START[:8])}") == "TT-2"
    assert refused(state, f"line {' '.join(START[:8])} nani") == "TT-2"
    assert refused(table(), f"line {' '.join(START)}") == "TT-2"


def test_odd_secret_cards_are_warned_about() -> None:
    """TT-3: two tikis of one symbol, or the same card twice."""
    odd = table(cards=[["nani", "huhu", "nui"], None, None, None])
    assert any("two tikis with the same symbol" in warning for warning in game.warnings(odd))
    twice = table(cards=[["nani", "nui", "eepo"], ["nani", "nui", "eepo"], None, None])
    assert any("two players have" in warning for warning in game.warnings(twice))


def test_a_seat_gets_one_secret_card_a_round() -> None:
    """TT-3: a second card, or one for a seat that is not there, is refused."""
    state = after(table(), "card 0 nani nui eepo")
    assert refused(state, "card 0 kapu nui nani") == "TT-3"
    assert refused(state, "card 7 kapu nui nani") == "TT-3"
    with pytest.raises(InvalidAction):
        game.parse_action("card 0 nani nani nui")


def test_a_card_is_spent_when_played() -> None:
    """TT-4: it is not in the hand again before the next round."""
    state = after(table(2), "up3 nui", "up1 kapu")
    assert refused(state, "up3 lokahi") == "TT-4"
    assert "up3" not in state.hands[0]


def test_only_a_tiki_in_the_line_can_be_chosen() -> None:
    """TT-4: a toasted tiki is out for the round."""
    state = after(table(2), "up1 nui", "up1 nui", "toast hookipa")
    assert refused(state, "up3 hookipa") == "TT-4"
    assert game.state_to_json(state)["toasted"] == ["hookipa"]


@pytest.mark.parametrize(("card", "line"), [("up1", 1), ("up2", 2), ("up3", 3)])
def test_a_tiki_climbs_exactly_as_far_as_the_card_says(card: str, line: int) -> None:
    """TT-5: and those that it passes keep their order."""
    for place, tiki in enumerate(START):
        if place < line:
            assert refused(table(), f"{card} {tiki}") == "TT-5"
            continue
        rest = [other for other in START if other != tiki]
        expected = (*rest[: place - line], tiki, *rest[place - line :])
        assert after(table(), f"{card} {tiki}").line == expected


def test_topple_sends_a_tiki_to_the_end() -> None:
    """TT-6: the others close up in their order."""
    assert after(table(), "topple nani").line == (*START[1:], "nani")
    assert after(table(), "topple kapu").line == (*START[:6], "eepo", "hookipa", "kapu")


def test_topple_on_the_last_tiki_is_an_option() -> None:
    """TT-6: refused by default, a lost card where the table allows it."""
    assert refused(table(), "topple hookipa") == "TT-6"
    state = table(options={"topple_last": True})
    assert game.parse_action("topple hookipa") in game.legal_actions(state)
    assert after(state, "topple hookipa").line == tuple(START)


def test_toast_takes_the_last_tiki_only() -> None:
    """TT-7: the line is one shorter."""
    state = after(table(2), "up1 nui", "up1 nui")
    assert refused(state, "toast nani") == "TT-7"
    assert after(state, "toast hookipa").line == state.line[:-1]


def test_nobody_begins_a_round_with_toast() -> None:
    """TT-8: each player's own first card, not only the round's first."""
    state = table(3)
    for seat in range(3):
        assert game.turn(state) == seat
        assert refused(state, "toast hookipa") == "TT-8"
        state = after(state, "up1 nui")
    assert after(state, "toast hookipa").line == state.line[:-1]


def test_someone_left_with_toasts_must_play_them() -> None:
    """TT-7: nothing else is listed once only Toasts are held."""
    state = table(2, {"hand": ["up1", "toast", "toast"]})
    state = after(state, "up1 nui", "up1 nui", "toast hookipa", "toast eepo")
    assert game.legal_actions(state) == (game.parse_action("toast kapu"),)


def test_the_sixth_toast_ends_the_round_at_once() -> None:
    """TT-9: cards still held are not played, unequal turns stand."""
    state = table(4, {"rounds": 1})
    state = after(state, "up1 nui", "up1 nui", "up1 kapu", "up1 kapu")
    for tiki in reversed(state.line[3:]):
        state = after(state, f"toast {tiki}")
    assert state.phase == "reveal"
    assert state.ended_by == "TT-9"
    assert game.turn(state) is None
    assert refused(state, f"up1 {state.line[2]}") == "TT-9"
    assert len(state.hands[0]) == 3
    assert len(state.hands[3]) == 4


def test_the_round_ends_when_all_cards_are_played() -> None:
    """TT-10: with more than three tikis still standing."""
    state = play_out(table(3, {"hand": ["up1", "up2"], "rounds": 1}))
    assert state.ended_by == "TT-10"
    assert len(state.line) == 9


def test_cards_unknown_at_the_end_are_asked_for_seat_by_seat() -> None:
    """TT-11: the round is scored with the last card shown."""
    state = play_out(table(2, {"hand": ["up1"], "rounds": 1}, cards=CARDS[:2]))
    assert state.phase == "over"
    state = play_out(table(2, {"hand": ["up1"], "rounds": 1}))
    listed = map(game.format_action, game.legal_actions(state))
    assert all(text.startswith("card 0 ") for text in listed)
    state = after(state, "card 1 kapu nui nani")
    assert state.rounds == ()
    state = after(state, f"card 0 {state.line[0]} {state.line[2]} {state.line[1]}")
    assert state.rounds[0].points[0] == 11
    assert refused(state, "card 0 kapu nui nani") == "TT-12"


@pytest.mark.parametrize(("seats", "rounds"), [(2, 4), (3, 3), (4, 4)])
def test_the_number_of_rounds_follows_the_players(seats: int, rounds: int) -> None:
    """TT-12: the rulebook's own numbers, and a longer game where agreed."""
    assert game.parse_options({}, seats).rounds == rounds
    assert game.parse_options({"rounds": 9}, seats).rounds == 9


def test_most_points_win_after_the_last_round() -> None:
    """TT-12: the outcome names scores, winner and clause."""
    chance = {"line": START, "cards": [["nani", "huhu", "wikiwiki"], ["hookipa", "eepo", "kapu"]]}
    options = {"hand": ["up1"], "rounds": 2}
    state = game.initial(2, options, {"rounds": [chance, chance]})
    state = after(state, "up1 eepo", "up1 eepo")
    assert game.outcome(state) is None
    state = after(state, "up1 eepo", "up1 eepo")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((32, 0), (0,), "TT-12")
    assert game.legal_actions(state) == ()
    assert refused(state, "up1 nani") == "TT-12"


def tied(tie: str) -> game.State:
    """Return three players after one round in which seats 1 and 2 share the lead."""
    cards = [["hookipa", "eepo", "kapu"], ["nani", "nui", "kapu"], ["nani", "nui", "eepo"]]
    rounds = [{"line": START, "cards": cards}, {"line": START, "cards": cards}]
    state = game.initial(3, {"rounds": 1, "hand": ["up1"], "tie": tie}, {"rounds": rounds})
    return after(state, "up1 eepo", "up1 eepo", "up1 eepo")


def test_the_tied_play_on_among_themselves() -> None:
    """TT-13: full hands for those two, none for the third, until one leads."""
    state = tied("playoff")
    assert state.players == (1, 2)
    assert state.hands == ((), ("up1",), ("up1",))
    assert game.turn(state) == 1
    state = after(state, "up1 huhu", "up1 nani")
    assert state.phase == "line"
    assert state.players == (1, 2)
    state = after(state, f"line {' '.join(START)}", "up1 eepo", "up1 eepo")
    state = after(state, "card 1 nani nui kapu", "card 2 huhu nui eepo")
    result = game.outcome(state)
    assert result is not None
    assert result.winners == (1,)
    assert result.ended_by == "TT-13"


def test_the_tied_may_share_the_win() -> None:
    """TT-13: option tie=share."""
    result = game.outcome(tied("share"))
    assert result is not None
    assert (result.winners, result.ended_by) == ((1, 2), "TT-13")


def test_the_next_seat_begins_the_next_round() -> None:
    """TT-14: tikis, hands and secret cards are new, the start moves on by one."""
    rounds = [{"line": START, "cards": [["nani", "nui", "eepo"]] * 3}] * 4
    state = game.initial(3, {"rounds": 4}, {"first": 2, "rounds": rounds})
    for starter in (2, 0, 1, 2):
        assert game.turn(state) == state.starter == starter
        assert state.line == tuple(START)
        assert all(hand == state.options.hand for hand in state.hands)
        state = play_out(state)
    assert state.phase == "over" or len(state.players) < 3 or len(state.rounds) == 4


@pytest.mark.parametrize("seat", [None, 0, 1, 2, 3])
def test_a_view_shows_only_ones_own_secret_card(seat: int | None) -> None:
    """TT-3: others' cards stay hidden until the game is over."""
    cards = [
        ["nani", "nui", "eepo"],
        ["huhu", "lokahi", "kapu"],
        ["nui", "nani", "eepo"],
        ["kapu", "nui", "nani"],
    ]
    seen = game.view(table(cards=cards), seat)
    for owner, card in enumerate(seen["cards"]):
        assert (card is not None) == (owner == seat)
