"""Secret cards of Tiki Topple: which there may be, of a pack of 27 with no two alike."""

from itertools import product

from companion.rules import tiki_topple as game
from companion.rules.tiki_topple.pieces import GROUPS
from tests.rules.tiki_topple_tables import START, after, listed, play_out


def usual_cards() -> list[list[str]]:
    """Return 27 secret cards, no two alike."""
    threes = product(*map(sorted, GROUPS))
    return [list(three) for three in threes]


def test_secret_cards_come_again_when_too_few_of_the_27_are_left() -> None:
    """TT-3: one of them is left for the 14th round of two, so they are shuffled then."""
    cards = usual_cards()
    pairs = [cards[at : at + 2] for at in range(0, 26, 2)]
    for again, is_odd in ((12, True), (13, False)):
        dealt = [*pairs[:again], pairs[0], pairs[1]]
        rounds = [{"line": START, "cards": each} for each in dealt]
        options = {"hand": ["up1"], "rounds": len(dealt), "tie": "share"}
        state = game.initial(2, options, {"rounds": rounds})
        while state.phase != "over":
            state = play_out(state)
        assert any("was dealt again" in warning for warning in game.warnings(state)) == is_odd


def test_like_cards_in_one_round_are_odd_however_many_were_dealt() -> None:
    """TT-3: and it is said what to do; whoever knows one of the two is not warned."""
    cards = usual_cards()
    dealt = [*(cards[at : at + 2] for at in range(0, 26, 2)), [cards[3], cards[3]]]
    rounds = [{"line": START, "cards": each} for each in dealt]
    options = {"hand": ["up1"], "rounds": 14, "tie": "share"}
    state = game.initial(2, options, {"rounds": rounds})
    while len(state.rounds) < 13:
        state = play_out(state)
    (warning,) = game.warnings(state)
    names = ", ".join(map(game.tiki_name, cards[3]))
    assert f"two players have the secret card {names} in round 14" in warning
    assert "take back the move that ended the round" in warning
    for seat in (None, 0, 1):
        assert game.view(state, seat)["warnings"] == []
    state = play_out(state)
    assert [game.view(state, seat)["warnings"] for seat in (None, 0, 1)] == [[warning]] * 3


def test_a_card_that_somebody_has_shown_is_not_listed_again() -> None:
    """TT-3: nor one of an earlier round; both are taken all the same, with a warning."""
    used = usual_cards()[:3]
    rounds = [{"line": START, "cards": used}, {"line": START}]
    state = game.initial(3, {"hand": ["up1"]}, {"rounds": rounds})
    state = play_out(play_out(state))
    assert state.phase == "reveal"
    state = after(state, "card 1 kapu nui nani")
    assert len(listed(state)) == 27 * 6 - 4
    for card in ("kapu nui nani", *(" ".join(card) for card in used)):
        assert f"card 0 {card}" not in listed(state)
        assert game.warnings(after(state, f"card 0 {card}"))
    assert not game.warnings(after(state, "card 0 nui kapu nani"))
