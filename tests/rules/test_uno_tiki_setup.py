"""UNO Tiki against its rulebook: decks, set-ups, options and the first card."""

from pathlib import Path

import pytest

from companion.games.decks import InvalidDeck
from companion.games.uno_tiki.deck import load_census
from companion.registry import game_of
from companion.rules import uno_tiki as game
from tests.rules.uno_tiki_tables import CENSUS, after, blind, listed, refused, sizes


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


def test_the_highest_card_deals() -> None:
    """UT-2: symbols count as nought, and those who share the highest draw again."""
    state = after(game.initial(3), "cut red-8", "cut tiki-goto", "cut blue-8")
    assert state.match.cutting == (0, 2)
    state = after(state, "cut red-skip", "cut blue-1")
    assert (state.phase, state.match.dealer) == ("turn_up", 2)
    assert sizes(state) == [7, 7, 7]
    assert refused(state, "cut red-1") == "UT-2"


def test_the_same_card_cannot_be_drawn_by_two_for_the_deal() -> None:
    """UT-2, UT-20: not listed; taken with a warning, since the deck's list may be wrong."""
    state = after(game.initial(3), "cut red-0")
    assert "cut red-0" not in listed(state)
    assert {"cut blue-0", "cut red-1"} <= listed(state)
    assert not game.warnings(state)
    twice = after(state, "cut red-0")
    for state in (twice, after(twice, "cut red-9")):
        assert "red 0 has come up more often" in game.view(state, None)["warnings"][0]
    cuts = game.state_to_json(twice)["cuts"]
    assert cuts == [{"seat": seat, "card": "red-0", "value": 0} for seat in (0, 1)]
    # Whoever draws again draws from all cards; and with the deal they are back in the deck.
    assert "cut red-0" in listed(after(twice, "cut blue-0"))
    begun = after(twice, "cut red-9", "turn red-9", "play red-9")
    assert (game.warnings(begun), begun.match.cuts) == ((), ())


def test_a_known_deck_is_dealt_seat_by_seat() -> None:
    """UT-2: seven each, then the cards to turn up and draw."""
    order = [*sorted(CENSUS[:14]), *CENSUS[14:]]
    state = game.initial(2, {}, {"dealer": 0, "decks": [order]})
    assert state.hands[0] == tuple(sorted(order[:7]))
    assert state.discard == (order[14],)


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
