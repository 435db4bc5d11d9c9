"""UNO Tiki against its rulebook: the end of a round and of the game."""

from companion.rules import uno_tiki as game
from tests.rules.uno_tiki_tables import after, refused, table


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


def test_a_round_in_which_nothing_goes_is_over() -> None:
    """UT-21: nobody plays and there is nothing to draw."""
    state = table("blue-1", "blue-2")._replace(deck=(), deck_size=0)
    state = after(state, "draw", "draw")
    assert state.match.rounds[0] == game.Round((0, 0), -1, "UT-21")
    lowest = table("blue-1", "blue-2", scoring="lowest")._replace(deck=(), deck_size=0)
    assert after(lowest, "draw", "draw").match.scores == (1, 2)
