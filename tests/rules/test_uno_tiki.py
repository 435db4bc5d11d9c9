"""UNO Tiki against its rulebook."""

from pathlib import Path
from typing import Any

import pytest

from companion.games import game_of
from companion.games.decks import InvalidDeck
from companion.games.uno_tiki.deck import load_census
from companion.rules import uno_tiki as game
from companion.rules.base import IllegalAction, InvalidAction, InvalidSetup
from companion.rules.uno_tiki.cards import possible_points

CENSUS = [card for card, copies in game.usual_census().items() for _ in range(copies)]
REST = "red-1 red-3 yellow-1 yellow-3 green-1"


def table(*hands: str, top: str = "red-7", idol: str = "", **options: Any) -> game.State:
    """Return seat 0 about to play with these hands known; the rest of the deck is to be drawn."""
    state = game.initial(len(hands), options, {"dealer": len(hands) - 1})
    state = after(state, *(f"turn {card}" for card in idol.split()), f"turn {top}")
    known = tuple(tuple(sorted(hand.split())) for hand in hands)
    state = state._replace(hands=known)
    left = tuple(game.unseen(state).elements())
    return state._replace(deck=left, deck_size=len(left))


def blind(seats: int = 3, top: str = "red-7", idol: str = "", **options: Any) -> game.State:
    """Return seat 0 about to play with hands unknown."""
    state = game.initial(seats, options, {"dealer": seats - 1})
    return after(state, *(f"turn {card}" for card in idol.split()), f"turn {top}")


def after(state: game.State, *texts: str) -> game.State:
    """Return *state* after the actions *texts*."""
    for text in texts:
        state = game.apply(state, game.parse_action(text))
    return state


def refused(state: game.State, text: str) -> str:
    """Return the clause that forbids *text*, which is not listed either."""
    action = game.parse_action(text)
    assert action not in game.legal_actions(state)
    with pytest.raises(IllegalAction) as refusal:
        game.apply(state, action)
    assert "\n" not in str(refusal.value)
    return refusal.value.clause


def listed(state: game.State) -> set[str]:
    """Return the texts of all legal actions."""
    return {game.format_action(action) for action in game.legal_actions(state)}


def sizes(state: game.State) -> list[int]:
    """Return how many cards each seat holds."""
    found: list[int] = game.state_to_json(state)["hand_sizes"]
    return found


def test_a_draw_four_acts_again_and_again_until_another_face_is_played() -> None:
    """UT-10, UT-12: the rulebook's example, a blue 2 with a Spin symbol on a Draw 4."""
    state = blind(top="blue-7", idol="tiki-draw4")
    state = after(state, "play blue-2-spin", "spin 2")
    assert sizes(state) == [6, 7, 11]
    assert game.turn(state) == 1
    state = after(state, "play blue-5-spin", "spin 2")
    assert sizes(state) == [6, 6, 15]
    state = after(state, "play tiki-draw1", "spin 0", "play blue-8-spin", "spin 1")
    assert sizes(state) == [6 + 1 - 1, 6 + 1, 14]


@pytest.mark.parametrize("seats", [1, 11, 0, True, 2.0, None])
def test_only_two_to_ten_people_play(seats: Any) -> None:
    """UT-1: any other number is refused."""
    with pytest.raises(InvalidSetup, match="UT-1"):
        game.initial(seats)


def test_the_usual_deck_is_a_guess_of_112_cards() -> None:
    """UT-1: made of cards that exist, and editable."""
    assert len(CENSUS) == 112
    assert set(CENSUS) <= set(game.KINDS)
    own = {"red-1": 30, "blue-2-spin": 2}
    assert dict(game.initial(2, {"deck": own}).options.deck) == own


def test_the_deck_that_ships_is_the_usual_one_and_unconfirmed() -> None:
    """UT-1: the file that the owner edits says what the rules assume without it."""
    deck = load_census()
    assert deck.copies == game.usual_census()
    assert not deck.is_confirmed
    assert game.initial(2, game_of("uno_tiki").usual_options()) == game.initial(2)


def test_a_card_that_does_not_exist_is_named(tmp_path: Path) -> None:
    """UT-1: with the file that it stands in."""
    path = tmp_path / "mine.toml"
    path.write_text("cards = [{card = 'red-11'}]", encoding="utf-8")
    with pytest.raises(InvalidDeck, match="red-11"):
        load_census(path)


@pytest.mark.parametrize(
    "deck", [{}, [], {"red-11": 40}, {"red-1": -1}, {"red-1": True}, {"red-1": 14}, {"wild": 100}]
)
def test_a_deck_must_be_enough_for_the_deal(deck: Any) -> None:
    """UT-1: seven cards each and one to turn up, Tiki Faces apart."""
    with pytest.raises(InvalidSetup, match="UT-1"):
        game.initial(2, {"deck": deck})


def test_the_highest_card_deals() -> None:
    """UT-2: symbols count as nought, and those who share the highest draw again."""
    state = after(game.initial(3), "cut red-8", "cut tiki-goto", "cut blue-8")
    assert state.match.cutting == (0, 2)
    state = after(state, "cut red-skip", "cut blue-1")
    assert (state.phase, state.match.dealer) == ("turn_up", 2)
    assert sizes(state) == [7, 7, 7]
    assert refused(state, "cut red-1") == "UT-2"


def test_a_known_deck_is_dealt_seat_by_seat() -> None:
    """UT-2: seven each, then the cards to turn up and draw."""
    order = [*sorted(CENSUS[:14]), *CENSUS[14:]]
    state = game.initial(2, {}, {"dealer": 0, "decks": [order]})
    assert state.hands[0] == tuple(sorted(order[:7]))
    assert state.discard == (order[14],)
    for wrong in ([order[:-1]], [1], "x", [["red-1"] * 112]):
        with pytest.raises(InvalidSetup):
            game.initial(2, {}, {"decks": wrong})


@pytest.mark.parametrize(
    ("top", "seat", "way", "phase"),
    [
        ("red-7", 0, 1, "play"),
        ("red-2-spin", 0, 1, "play"),
        ("red-reverse", 3, -1, "play"),
        ("red-skip", 1, 1, "play"),
        ("wild", 0, 1, "colour"),
    ],
)
def test_the_first_card_has_its_effect(top: str, seat: int, way: int, phase: str) -> None:
    """UT-3: seat 3 deals, so seat 0 is the left neighbour; a Spin symbol does nothing."""
    state = blind(4, top, idol="tiki-draw4 tiki-goto")
    assert (state.seat, state.way, state.phase) == (seat, way, phase)
    assert state.idol == ("tiki-draw4", "tiki-goto")
    assert sizes(state) == [7] * 4
    assert refused(state, "turn red-1") == "UT-3"


def test_the_left_neighbour_names_the_colour_of_a_first_wild() -> None:
    """UT-3: and then plays."""
    state = blind(3, "wild")
    assert listed(state) == {f"colour {colour}" for colour in game.COLOURS}
    state = after(state, "colour green")
    assert (state.seat, state.colour) == (0, "green")
    assert refused(state, "colour red") == "UT-3"
    assert refused(state, "play red-1") == "UT-4"


def test_a_card_matches_by_colour_number_or_symbol() -> None:
    """UT-4: the rulebook's red 7; Wild and Tiki Face always go."""
    hand = "red-2 blue-7 blue-2 wild tiki-goto blue-skip"
    assert listed(table(hand, REST)) == {
        *("play red-2", "play blue-7", "play tiki-goto", "draw"),
        *(f"play wild {colour}" for colour in game.COLOURS),
    }
    assert "play blue-skip" in listed(blind(2, top="red-skip"))
    state = table(hand, REST)
    assert refused(state, "play blue-2") == "UT-4"
    assert refused(state, "play red-1") == "UT-4"
    assert refused(after(state, "play tiki-goto"), "play red-2") == "UT-4"


def test_a_drawn_card_and_no_other_may_be_played() -> None:
    """UT-5: drawing is free, and passing comes after it only."""
    state = table("red-2 blue-5", REST)._replace(deck=("red-9", "green-9"), deck_size=2)
    assert refused(state, "pass") == "UT-5"
    drawn = after(state, "draw")
    assert listed(drawn) == {"play red-9", "pass"}
    assert refused(drawn, "play red-2") == "UT-5"
    assert refused(drawn, "draw") == "UT-5"
    assert game.turn(after(drawn, "pass")) == game.turn(after(drawn, "play red-9")) == 1
    assert listed(after(state._replace(deck=("green-9",)), "draw")) == {"pass"}


def test_reverse_turns_the_direction() -> None:
    """UT-6: and between two players skips, unless the table says otherwise."""
    hands = ("red-reverse red-1 red-3", REST, REST)
    assert game.turn(after(table(*hands), "play red-reverse")) == 2
    assert game.turn(after(table(*hands[:2]), "play red-reverse")) == 0
    assert game.turn(after(table(*hands[:2], two_player_reverse="none"), "play red-reverse")) == 1


def test_skip_passes_over_the_next_player() -> None:
    """UT-7: between two players the same one plays again."""
    hands = ("red-skip red-1 red-3", REST, REST)
    assert game.turn(after(table(*hands), "play red-skip")) == 2
    assert game.turn(after(table(*hands[:2]), "play red-skip")) == 0


def test_a_wild_names_any_colour() -> None:
    """UT-8: also the one that was asked for before."""
    state = table("wild wild red-1", "red-7 blue-1 green-4")
    named = after(state, "play wild blue")
    assert listed(named) == {"play blue-1", "draw"}
    assert after(state, "play wild red").colour == "red"
    with pytest.raises(IllegalAction) as refusal:
        game.apply(state, game.Played("wild"))
    assert refusal.value.clause == "UT-8"


def test_a_tiki_face_leaves_the_pile_as_it_was() -> None:
    """UT-9: it goes into the idol, which is spun."""
    state = after(table("tiki-draw2 red-1 red-3", REST, REST), "play tiki-draw2")
    assert (state.phase, state.discard, state.colour) == ("spin", ("red-7",), "red")
    state = after(state, "spin 2")
    assert sizes(state) == [2, 5, 7]
    assert game.turn(state) == 1


def test_a_spin_symbol_without_a_face_does_nothing() -> None:
    """UT-10: and on a Skip the card's own effect comes first."""
    assert after(table("red-2-spin red-1 red-3", REST), "play red-2-spin").phase == "play"
    deck = {**game.usual_census(), "red-skip-spin": 1}
    state = table("red-skip-spin red-1 red-3", REST, REST, idol="tiki-draw1", deck=deck)
    state = after(state, "play red-skip-spin", "spin 1")
    assert game.turn(state) == 2
    assert sizes(state) == [2, 6, 5]


def test_a_short_spin_is_repeated_and_between_two_the_spinner_chooses() -> None:
    """UT-11: the idol may point at the spinner, too."""
    state = after(table("tiki-draw2 red-1 red-3", REST, REST, REST), "play tiki-draw2")
    seats = {f"spin {seat}" for seat in range(4)}
    pairs = {f"spin between {a} {b}" for a, b in ((0, 1), (1, 2), (2, 3), (0, 3))}
    assert listed(state) == {"spin void", *seats, *pairs}
    assert after(state, "spin void") == state
    assert refused(state, "spin between 0 2") == "UT-11"
    assert refused(state, "choose 1") == "UT-11"
    between = after(state, "spin between 0 3")
    assert game.turn(between) == 0
    assert listed(between) == {"choose 0", "choose 3"}
    assert refused(between, "choose 1") == "UT-11"
    assert sizes(after(between, "choose 0")) == [4, 5, 5, 5]
    assert refused(after(between, "choose 0"), "spin 1") == "UT-11"


@pytest.mark.parametrize(("face", "cards"), [("draw1", 1), ("draw2", 2), ("draw4", 4)])
def test_the_chosen_player_draws_and_loses_no_turn(face: str, cards: int) -> None:
    """UT-12: play goes on in order."""
    state = after(table(f"tiki-{face} red-1 red-3", REST), f"play tiki-{face}", "spin 1")
    assert sizes(state) == [2, 5 + cards]
    assert game.turn(state) == 1


def test_discard_two_is_at_most_two_and_without_effect() -> None:
    """UT-13: under the top card, and one of two may be kept."""
    start = table("tiki-discard2 red-1 red-3", REST, "blue-skip wild red-4 red-5")
    state = after(start, "play tiki-discard2", "spin 2")
    assert game.turn(state) == 2
    state = after(state, "discard blue-skip")
    assert state.discard == ("blue-skip", "red-7")
    assert "keep" in listed(state)
    assert game.turn(after(state, "keep")) == 1
    state = after(state, "discard wild")
    assert (state.discard, state.colour) == (("blue-skip", "wild", "red-7"), "red")
    assert game.turn(state) == 1
    assert refused(state, "keep") == refused(state, "discard red-1") == "UT-13"


def test_two_or_none_is_an_option() -> None:
    """UT-13: then a first discard needs a second."""
    hands = ("tiki-discard2 red-1 red-3", "blue-1", "red-1 red-2 red-4")
    state = after(table(*hands, discard_two="two_or_none"), "play tiki-discard2")
    assert listed(after(state, "spin 1")) == {"keep"}
    assert refused(after(state, "spin 1"), "discard blue-1") == "UT-13"
    assert refused(after(state, "spin 2", "discard red-1"), "keep") == "UT-13"


def test_discard_all_is_one_colour_all_or_none() -> None:
    """UT-13: whoever has none of it keeps everything."""
    start = table("tiki-discard-blue red-1 red-3", "red-1", "blue-1 blue-2 red-5")
    state = after(start, "play tiki-discard-blue")
    assert listed(after(state, "spin 1")) == {"keep"}
    state = after(state, "spin 2")
    assert listed(state) == {"discard blue-1", "discard blue-2", "keep"}
    assert refused(state, "discard red-5") == "UT-13"
    state = after(state, "discard blue-1")
    assert refused(state, "keep") == "UT-13"
    state = after(state, "discard blue-2")
    assert sizes(state) == [2, 1, 1]
    assert (game.turn(state), state.exposed) == (1, -1)


def test_a_discard_may_put_one_out() -> None:
    """UT-13, UT-17: and the round is over."""
    state = table("tiki-discard2 red-1 red-3", "blue-9 blue-skip", "wild")
    state = after(state, "play tiki-discard2", "spin 1", "discard blue-9", "discard blue-skip")
    assert state.match.rounds[0] == game.Round((4, 0, 50), 1, "UT-17")
    assert state.match.scores == (0, 54, 0)


def test_go_to_moves_the_turn() -> None:
    """UT-14: order runs on from there, and a Skip still to come is cancelled or not."""
    hands = ("tiki-goto red-skip-spin red-3 red-1", REST, REST, REST)
    deck = {**game.usual_census(), "red-skip-spin": 1}
    state = after(table(*hands, deck=deck), "play tiki-goto", "spin 2")
    assert game.turn(state) == 2
    assert game.turn(after(state, "play red-1")) == 3
    start = table(*hands, idol="tiki-goto", deck=deck)
    assert game.turn(after(start, "play red-skip-spin", "spin 2")) == 2
    start = table(*hands, idol="tiki-goto", deck=deck, goto_overrides_skip=False)
    assert game.turn(after(start, "play red-skip-spin", "spin 2")) == 3


def test_uno_must_be_called_before_the_next_player_acts() -> None:
    """UT-15: two cards for being caught; too late once somebody has drawn or played."""
    state = after(table("red-1 red-3", REST, REST), "play red-1")
    assert {"uno 0", "catch 0"} <= listed(state)
    caught = after(state, "catch 0")
    assert sizes(caught) == [3, 5, 5]
    assert game.turn(caught) == 1
    called = after(state, "uno 0")
    assert sizes(called) == [1, 5, 5]
    for late in (caught, called, after(state, "draw"), after(state, "play red-3")):
        assert refused(late, "catch 0") == refused(late, "uno 0") == "UT-15"
    assert refused(state, "catch 1") == "UT-15"


def test_drawing_for_the_idol_ends_the_danger() -> None:
    """UT-15: whoever has more than one card again has no UNO to call."""
    state = after(table("tiki-draw1 red-3", REST), "play tiki-draw1")
    assert "catch 0" in listed(state)
    assert refused(after(state, "spin 0"), "catch 0") == "UT-15"


def test_an_empty_draw_pile_is_made_of_what_was_played() -> None:
    """UT-16: all but the top card and the face that shows; then each card drawn is observed."""
    state = table("red-2 red-1", REST, idol="tiki-goto tiki-draw4")
    state = state._replace(discard=("blue-1", "blue-2", "red-7"), deck=(), deck_size=0)
    assert refused(state, "drew blue-1") == "UT-16"
    state = after(state, "draw")
    assert (state.phase, state.deck_size) == ("draw", 3)
    assert (state.discard, state.idol) == (("red-7",), ("tiki-draw4",))
    assert {"drew blue-1", "drew blue-2", "drew tiki-goto"} <= listed(state)
    assert refused(state, "drew red-2") == "UT-16"
    state = after(state, "drew blue-1")
    assert (state.phase, state.drawn, state.deck_size) == ("drawn", "blue-1", 2)
    one = table("tiki-draw4 red-3 red-1", REST)._replace(deck=("blue-1",), deck_size=1)
    assert sizes(after(one, "play tiki-draw4", "spin 1"))[1] == 6


def test_a_last_card_spins_before_the_round_is_counted() -> None:
    """UT-17: a last Draw 4 is drawn and counts; on the one who is out it does nothing."""
    state = table("tiki-draw4", "red-1", "red-3")._replace(deck=("wild",) * 4, deck_size=4)
    state = after(state, "play tiki-draw4")
    assert state.phase == "spin"
    assert after(state, "spin 1").match.scores == (1 + 200 + 3, 0, 0)
    assert after(state, "spin 0").match.scores == (1 + 3, 0, 0)
    goto = after(table("tiki-goto", "red-1", "red-3"), "play tiki-goto", "spin 1")
    assert goto.match.scores == (4, 0, 0)
    at_once = after(table("tiki-goto", "red-1", "red-3", last_card_spin=False), "play tiki-goto")
    assert at_once.match.rounds[0].ended_by == "UT-17"


def test_the_cards_are_worth_what_the_book_says() -> None:
    """UT-18: numbers their value, Reverse, Skip and Tiki 20, Wild 50."""
    held = "blue-9 blue-0 blue-reverse blue-skip-spin tiki-goto wild"
    state = after(table("red-1", held, "red-3"), "play red-1")
    assert state.match.rounds[0].held == (0, 9 + 0 + 20 + 20 + 20 + 50, 3)
    assert state.match.scores == (122, 0, 0)
    assert (state.phase, state.match.dealer) == ("turn_up", 0)


def test_the_lowest_score_may_win() -> None:
    """UT-18, UT-19: everybody keeps what is left, until one has the target."""
    state = table("red-1", "wild", "red-3", scoring="lowest", target=50)
    result = game.outcome(after(state, "play red-1"))
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((0, 50, 3), (0,), "UT-19")


def test_the_first_to_reach_the_target_wins() -> None:
    """UT-19: 500 by default."""
    assert game.initial(2).options.target == 500
    state = after(table("red-1", "wild", target=50), "play red-1")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((50, 0), (0,), "UT-19")
    for text in ("play red-1", "draw", "pass", "spin 0"):
        assert refused(state, text) == "UT-19"


def test_hidden_hands_are_bounded_by_the_deck() -> None:
    """UT-20: what is used up is not offered; if it comes up all the same, the deck is wrong."""
    state = after(blind(), "play red-0")
    assert "play red-0" not in listed(state)
    state = after(state, "play red-0")
    assert "red-0 has come up more often" in game.warnings(state)[0]
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


def test_a_round_in_which_nothing_goes_is_over() -> None:
    """UT-21: nobody plays and there is nothing to draw."""
    state = table("blue-1", "blue-2")._replace(deck=(), deck_size=0)
    state = after(state, "draw", "draw")
    assert state.match.rounds[0] == game.Round((0, 0), -1, "UT-21")
    lowest = table("blue-1", "blue-2", scoring="lowest")._replace(deck=(), deck_size=0)
    assert after(lowest, "draw", "draw").match.scores == (1, 2)


def test_a_view_shows_only_ones_own_hand() -> None:
    """UT-20: the card just drawn is the drawer's secret."""
    state = after(table("red-2 blue-5", REST), "draw")
    for seat in (None, 0, 1):
        view = game.view(state, seat)
        assert [hand is not None for hand in view["hands"]] == [seat == 0, seat == 1]
        assert (view["drawn"] is not None) == (seat == 0)
        assert "deck" not in view


@pytest.mark.parametrize(
    "options",
    [
        {"target": 0},
        {"target": True},
        {"scoring": "both"},
        {"scoring": []},
        {"two_player_reverse": True},
        {"discard_two": 2},
        {"last_card_spin": 1},
        {"goto_overrides_skip": "yes"},
        {"x": 1},
    ],
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    """UT-19: options are checked by name and range."""
    with pytest.raises(InvalidSetup):
        game.initial(3, options)


@pytest.mark.parametrize("setup", [{"dealer": 3}, {"dealer": True}, {"x": 1}, {"decks": 1}])
def test_a_wrong_set_up_is_refused(setup: dict[str, Any]) -> None:
    """UT-2: set-ups are checked before anyone plays."""
    with pytest.raises(InvalidSetup):
        game.initial(3, {}, setup)


@pytest.mark.parametrize(
    "thing",
    [
        *("", "play", "play red-10", "play wild", "play red-7 blue", "spin 10", "spin between 1"),
        *("count 1 01", "count 1 ²", "colour pink", "keep red-7", "uno", "turn"),
        {"type": "played", "card": "wild"},
        {"type": "played", "card": "red-7", "x": 1},
        {"type": "spun"},
        {"type": "spun", "seats": [1, 2, 3]},
        {"type": "spun", "seats": [True]},
        {"type": "chosen", "seat": True},
        {"type": "counted", "seat": 1, "points": "5"},
        {"type": ["played"]},
        {"type": "drew", "card": "red-7"},
        5,
    ],
)
def test_what_is_no_action_is_named_so(thing: Any) -> None:
    """UT-4: InvalidAction, not IllegalAction."""
    with pytest.raises(InvalidAction):
        game.action_from_json(thing)


HANDS = [
    ["red-1", "red-3", "blue-1", "blue-3", "wild", "green-1", "green-3"],
    None,
    ["yellow-1", "yellow-3", "yellow-4", "yellow-6", "yellow-7", "red-0", "wild"],
]


def partly_told(top: str = "red-7", idol: str = "") -> game.State:
    """Return seat 0 about to play; the hands of seats 0 and 2 were told at the set-up."""
    state = game.initial(3, {}, {"dealer": 2, "hands": HANDS})
    return after(state, *(f"turn {card}" for card in idol.split()), f"turn {top}")


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
    assert any("red-0" in warning for warning in game.view(odd, 2)["warnings"])
    assert game.view(odd, 0)["warnings"] == game.view(odd, None)["warnings"] == []
    thing = {"type": "told", "seat": 0, "cards": cards.split()}
    assert game.action_from_json(thing) == game.parse_action(f"hand 0 {cards}")
    assert game.action_from_json({"type": "took", "card": None}) == game.Took(game.HIDDEN)


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


@pytest.mark.parametrize(
    "setup",
    [
        {"hands": HANDS},
        {"dealer": 0, "hands": HANDS, "decks": [CENSUS]},
        {"dealer": 0, "hands": HANDS[:2]},
        {"dealer": 0, "hands": [["red-1"], None, None]},
        {"dealer": 0, "hands": [["red-11"] * 7, None, None]},
        {"dealer": 0, "hands": "x"},
    ],
)
def test_wrong_hands_are_refused(setup: dict[str, Any]) -> None:
    """UT-2, UT-20: seven cards that exist, or null, for each seat."""
    with pytest.raises(InvalidSetup):
        game.initial(3, {}, setup)
