"""Tippi Toppi with hands and goals that the engine does not know, or knows in part."""

from companion.rules import tippi_toppi as game
from tests.rules.tippi_toppi_tables import after, blind, listed, partly_told, refused


def test_hidden_hands_are_bounded_by_what_has_been_seen() -> None:
    """TP-18: a third copy is refused, and being stuck is believed only if it can be."""
    state = after(blind("green4 pink4 orange5 pink2", ["sum all 28"]), "play green7 0")
    state = after(state, "play green7 0")
    assert refused(state, "play green7 0") == "TP-18"
    assert "stuck" in listed(state)
    result = game.outcome(after(state, "stuck"))
    assert result is not None
    assert result.ended_by == "TP-12"
    assert refused(game.initial(2), "stuck") == "TP-12"
    every = blind("green1 pink2 orange3 purple4", ["sum all 28"])
    assert refused(every._replace(hands=((-1,) * 30, *every.hands[1:])), "stuck") == "TP-18"


def test_unknown_goals_are_observed() -> None:
    """TP-3: from the deck where there is one; others are taken with a warning (TP-7)."""
    deck = ["sum all 28", "run 3", "run 4"]
    state = game.initial(1, {"goals": 2, "goal_deck": deck})
    state = after(state, "lay green1", "lay pink1", "lay green2", "lay pink2")
    assert listed(state) == {f"goal {goal}" for goal in deck}
    state = after(state, "goal run 3", "goal below 2")
    assert state.phase == "play"
    assert "'below 2' came up more often" in game.warnings(state)[0]
    assert len(listed(game.initial(1)) & {"lay green1"}) == 1


def test_some_hands_may_be_told_while_the_draw_pile_is_unknown() -> None:
    """TP-18: told hands play what they hold, hidden ones what nobody else has."""
    state = partly_told()
    assert listed(state) == {
        *("play green7 0", "play pink1 0", "play pink1 1", "play pink2 1"),
    }
    assert refused(state, "play green2 0") == "TP-4"
    state = after(state, "play pink1 1")
    assert (state.phase, game.turn(state)) == ("draw", None)
    assert "drew green7" not in listed(state)
    assert refused(state, "drew green7") == refused(state, "drew pink2") == "TP-18"
    told = after(state, "drew purple7")
    assert "purple7" in game.state_to_json(told)["hands"][0]
    assert "play green7 0" not in listed(told)
    assert refused(told, "play green7 0") == "TP-18"
    assert refused(told, "drew purple1") == "TP-5"


def test_a_draw_nobody_tells_hides_a_card_of_a_told_hand() -> None:
    """TP-5, TP-18: that hand is not asked again before it is told anew."""
    state = after(partly_told(), "play pink1 1", "drew hidden")
    assert game.state_to_json(state)["hands"][0] == [None, "green7", "pink2", "pink2"]
    state = after(state, "play green2 0", "play orange4 2", "drew hidden", "play green7 0")
    assert (state.phase, game.turn(state)) == ("play", 1)
    assert refused(state, "hand 0 green1 green2 green3 green4") == "TP-18"
    anew = after(state, "hand 0 purple6 pink2 pink2 purple7")
    assert game.state_to_json(anew)["hands"][0] == ["pink2", "pink2", "purple6", "purple7"]


def test_a_hand_is_told_by_an_action() -> None:
    """TP-1, TP-18: and a hand that turns out to be stuck loses at once (TP-12)."""
    state = blind("green1 pink2 orange3 purple4", ["sum all 28"])
    assert refused(state, "hand 0 green1 green1 pink1 pink3") == "TP-18"
    assert refused(state, "hand 0 pink1 pink3") == refused(state, "hand 3 pink1") == "TP-18"
    two = blind("green1 green2 green1 green2", ["sum all 28"])
    result = game.outcome(after(two, "hand 0 pink3 pink4 pink5 pink6"))
    assert result is not None
    assert result.ended_by == "TP-12"
    assert game.outcome(after(two, "hand 1 pink3 pink4 pink5 pink6")) is None
    thing = {"type": "told", "seat": 0, "cards": ["pink1", "green2"]}
    assert game.action_from_json(thing) == game.parse_action("hand 0 green2 pink1")
    assert game.action_from_json({"type": "drew", "card": None}) == game.parse_action("drew hidden")


def test_a_partly_hidden_hand_may_be_stuck() -> None:
    """TP-12, TP-18: believed unless a card that is known of it fits."""
    state = partly_told("green1 green2 green1 green2")
    assert refused(state, "stuck") == "TP-12"
    state = after(state, "play green7 0", "drew hidden")
    assert {"stuck", "play green3 0"} <= listed(state)
    mixed = state._replace(seat=0)
    assert refused(mixed, "stuck") == "TP-18"  # its pink 1 goes onto green 1
    assert "stuck" in listed(mixed._replace(tops=(6, 5, 4, 3)))


def test_high_speed_with_told_hands_names_the_seat() -> None:
    """TP-14, TP-18: hands are told at the set-up there, or not at all."""
    state = partly_told(high_speed=True)
    assert {"play green7 0 by 0", "play orange3 2 by 2", "play green3 0 by 1"} <= listed(state)
    assert refused(state, "play green7 0") == "TP-14"
    state = after(state, "play green7 0 by 2")
    assert {"drew green4", "time"} <= listed(state)
    assert game.turn(after(state, "drew green4")) is None
    fast = blind("green1 pink2 orange3 purple4", ["sum all 28"], high_speed=True)
    assert refused(fast, "hand 0 pink1 pink3 pink4 pink5") == "TP-14"
