"""UNO Tiki with hands that the engine does not know, or knows in part."""

from companion.rules import uno_tiki as game
from companion.rules.uno_tiki.cards import possible_points
from tests.rules.uno_tiki_tables import (
    HANDS,
    REST,
    after,
    blind,
    listed,
    partly_told,
    refused,
    table,
)


def test_hidden_hands_are_bounded_by_the_deck() -> None:
    """UT-20: what is used up is not offered; if it comes up all the same, the deck is wrong."""
    state = after(blind(), "play red-0")
    assert "play red-0" not in listed(state)
    state = after(state, "play red-0")
    assert "red 0 has come up more often" in game.warnings(state)[0]
    assert not game.warnings(blind())


def test_hidden_hands_are_counted_at_the_end() -> None:
    """UT-20, UT-18: seat by seat, and only what so many cards can be worth."""
    state = after(blind(2)._replace(hands=(("",), ("", ""))), "play red-1")
    assert game.turn(state) is None
    assert "count 1 101" not in listed(state)
    assert refused(state, "count 1 101") == "UT-20"
    assert refused(state, "count 0 5") == "UT-18"
    state = after(state, "count 1 59")
    assert state.match.scores == (59, 0)
    assert refused(state, "count 1 59") == "UT-18"


def test_possible_points_are_exact() -> None:
    """UT-20: two of a 5, a 20 and a 50."""
    assert possible_points(((5, 1), (20, 1), (50, 1)), 2) == (25, 55, 70)
    assert possible_points((), 0) == (0,)
    assert possible_points((), 1) == tuple(range(51))


def test_a_view_shows_only_ones_own_hand() -> None:
    """UT-20: the card just drawn is the drawer's secret."""
    state = after(table("red-2 blue-5", REST), "draw")
    for seat in (None, 0, 1):
        view = game.view(state, seat)
        assert [hand is not None for hand in view["hands"]] == [seat == 0, seat == 1]
        assert (view["drawn"] is not None) == (seat == 0)
        assert "deck" not in view


def test_some_hands_may_be_told_while_the_draw_pile_is_unknown() -> None:
    """UT-20: told hands play what they hold, hidden ones what the deck can still hold."""
    state = partly_told()
    assert refused(state, "play red-9") == "UT-4"
    plays = {f"play wild {colour}" for colour in game.COLOURS}
    assert listed(state) == {"play red-1", "play red-3", "draw", *plays}
    state = after(state, "play red-1")
    # Another red 3 may be hidden; the only red 0 is in seat 2's hand.
    assert "play red-3" in listed(state)
    assert "play red-0" not in listed(state)
    assert game.state_to_json(state)["hands"] == [
        ["blue-1", "blue-3", "green-1", "green-3", "red-3", "wild"],
        None,
        sorted(HANDS[2] or []),
    ]


def test_a_told_hand_says_what_it_draws_or_has_a_hidden_card() -> None:
    """UT-16, UT-20: nobody is asked again before the whole hand is told anew."""
    state = after(partly_told(), "draw")
    assert (state.phase, game.turn(state)) == ("draw", None)
    assert {"drew hidden", "drew red-9", "drew red-3"} <= listed(state)
    assert "drew yellow-10" not in listed(state)
    told = after(state, "drew red-9")
    assert listed(told) == {"play red-9", "pass"}
    hidden = after(state, "drew hidden")
    assert game.state_to_json(hidden)["hands"][0][0] is None
    assert {"play red-3", "play red-9", "pass"} <= listed(hidden)
    assert "red-3" in after(hidden, "play red-3").hands[0]  # the one just drawn was another
    again = after(hidden, "pass", "draw", "pass", "draw", "drew red-9", "pass", "draw")
    assert again.phase == "drawn"
    assert again.hands[0].count(game.HIDDEN) == 2
    cards = " ".join(card or "green-9" for card in again.hands[0])
    anew = after(again, f"hand 0 {cards}")
    assert listed(anew) == {f"play wild {colour}" for colour in game.COLOURS} | {
        "play red-1",
        "play red-3",
        "pass",
    }


def test_a_hand_is_told_by_an_action() -> None:
    """UT-20: all of it, with what is known of it; more than the deck has earns a warning."""
    state = blind()
    cards = "red-1 red-3 blue-1 blue-3 green-1 green-3 wild"
    state = after(state, f"hand 0 {cards}")
    assert "play red-9" not in listed(state)
    assert refused(state, "hand 0 red-1") == "UT-20"
    assert refused(state, f"hand 0 {cards.replace('wild', 'red-9')}") == "UT-20"
    assert refused(state, f"hand 7 {cards}") == "UT-20"
    assert refused(game.initial(3), f"hand 0 {cards}") == "UT-20"
    odd = after(state, "hand 2 red-0 red-0 red-1 red-1 red-4 red-4 red-6")
    assert any("red 0" in warning for warning in game.view(odd, 2)["warnings"])
    assert game.view(odd, 0)["warnings"] == game.view(odd, None)["warnings"] == []
    thing = {"type": "told", "seat": 0, "cards": cards.split()}
    assert game.action_from_json(thing) == game.parse_action(f"hand 0 {cards}")
    assert game.action_from_json({"type": "took", "card": None}) == game.Took(game.HIDDEN)


def test_all_known_cards_of_the_colour_go_beside_a_hidden_one() -> None:
    """UT-13: Discard All is all or none; of the hidden card nobody else can tell."""
    state = after(blind(idol="tiki-discard-blue"), "play red-2-spin")
    hands = (state.hands[0], ("", "blue-1", "blue-2", "red-1"), state.hands[2])
    state = after(state._replace(hands=hands), "spin 1")
    assert "keep" in listed(state)
    state = after(state, "discard blue-1")
    assert refused(state, "keep") == "UT-13"
    another = after(state, "discard blue-9")  # the hidden one
    assert refused(another, "keep") == "UT-13"
    assert game.turn(after(another, "discard blue-2")) == 1
    state = after(state, "discard blue-2")
    assert "keep" in listed(state)
    assert game.turn(after(state, "keep")) == 1
    assert refused(after(state, "keep"), "keep") == "UT-13"


def test_a_drawn_card_that_the_deck_should_not_have_is_taken() -> None:
    """UT-20: with a warning to its holder, since the deck's list may be wrong."""
    state = after(partly_told(), "draw")
    assert "drew red-0" not in listed(state)
    state = after(state, "drew red-0")
    assert (state.phase, state.drawn) == ("drawn", "red-0")
    assert "red 0 has come up more often" in game.warnings(state)[0]


def test_a_partly_told_hand_is_counted_within_its_bounds() -> None:
    """UT-18, UT-20: what is known of it counts, the rest is what so many cards can be worth."""
    hands = (("red-1",), ("", "wild"), ("red-3",))
    state = after(blind()._replace(hands=hands), "play red-1")
    assert refused(state, "count 1 49") == "UT-20"
    assert after(state, "count 1 59").match.scores == (59 + 3, 0, 0)


def test_a_reshuffle_with_hidden_hands_keeps_the_pile_unknown() -> None:
    """UT-16: with every hand told, what may be drawn is what was shuffled."""
    state = partly_told()._replace(discard=("blue-9", "blue-8", "red-7"), deck_size=0)
    state = after(state, "draw")
    assert (state.deck, state.deck_size) == ((), 2)
    every = partly_told()._replace(discard=("blue-9", "blue-8", "red-7"), deck_size=0)
    every = after(every, "hand 1 red-9 red-9 red-6 red-6 red-4 red-4 red-2", "draw")
    assert listed(every) == {"drew blue-9", "drew blue-8"}
    assert after(every, "drew hidden").deck == ()
