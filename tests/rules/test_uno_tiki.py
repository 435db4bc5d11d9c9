"""UNO Tiki against its rulebook: playing, and what cards and faces do."""

import pytest

from companion.rules import uno_tiki as game
from companion.rules.base import IllegalAction
from tests.rules.uno_tiki_tables import REST, after, blind, listed, refused, sizes, table


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


def test_uno_may_be_called_while_the_chosen_player_discards() -> None:
    """UT-15: no other player's turn has begun; the discard goes on after the two cards."""
    hands = ("tiki-discard-blue red-3", "blue-1 blue-2 red-5", REST)
    state = after(table(*hands), "play tiki-discard-blue", "spin 1", "discard blue-1")
    assert listed(state) == {"discard blue-2", "uno 0", "catch 0"}
    assert after(state, "uno 0") == state._replace(exposed=-1)
    caught = after(state, "catch 0")
    assert (sizes(caught), caught.target, caught.owed) == ([3, 2, 5], 1, state.owed)
    assert listed(caught) == {"discard blue-2"}
    assert game.turn(after(caught, "discard blue-2")) == 1
    drawing = after(state._replace(deck=()), "catch 0")
    assert (drawing.phase, drawing.target) == ("draw", 0)
    pending = {"phase": "discard", "target": 1, "owed": 2}
    assert game.state_to_json(drawing)["pending"] == pending
    assert after(drawing, "drew green-3", "drew green-4").phase == "discard"


def test_uno_may_be_called_while_the_chosen_player_draws() -> None:
    """UT-15: whoever is caught then draws after that, and play goes on in order."""
    state = table("tiki-draw2 red-3", REST, REST)._replace(deck=())
    state = after(state, "play tiki-draw2", "spin 2", "drew green-3")
    assert {"uno 0", "catch 0", "drew green-4"} <= listed(state)
    caught = after(state, "catch 0", "drew green-4")
    assert (caught.phase, caught.target, sizes(caught)) == ("draw", 0, [1, 5, 7])
    done = after(caught, "drew green-6", "drew green-7")
    assert (done.phase, done.seat, sizes(done)) == ("play", 1, [3, 5, 7])
    assert refused(done, "catch 0") == "UT-15"


def test_a_draw_that_is_cut_short_ends_the_danger_too() -> None:
    """UT-15, UT-16: the pile had one card, and there is nothing to shuffle."""
    state = table("tiki-draw4 red-3", REST)._replace(deck=(), deck_size=1)
    state = after(state, "play tiki-draw4", "spin 0", "drew green-3")
    assert (state.phase, sizes(state)) == ("play", [2, 5])
    assert refused(state, "catch 0") == refused(state, "uno 0") == "UT-15"


def test_the_last_card_drawn_has_the_rest_shuffled_at_once() -> None:
    """UT-16: what is played afterwards is no part of the new pile."""
    state = table("red-2 red-1", "red-3 red-4", idol="tiki-goto tiki-draw4")
    state = state._replace(discard=("blue-1", "red-7"), deck=("green-9",), deck_size=1)
    state = after(state, "draw")
    assert (state.phase, state.drawn) == ("drawn", "green-9")
    assert (state.deck, state.shuffled) == (("blue-1", "tiki-goto"), True)
    assert (state.discard, state.idol) == (("red-7",), ("tiki-draw4",))
    state = after(state, "pass", "play red-3", "draw")
    assert listed(state) == {"drew blue-1", "drew tiki-goto"}
    # Turning up the first card may have emptied it.
    first = game.initial(2, {"deck": {"red-7": 15, "tiki-goto": 2}}, {"dealer": 0})
    first = after(first, "turn tiki-goto", "turn tiki-goto", "turn red-7")
    assert (first.deck_size, first.idol) == (1, ("tiki-goto",))


def test_a_pile_with_nothing_to_shuffle_is_made_at_the_next_draw() -> None:
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
