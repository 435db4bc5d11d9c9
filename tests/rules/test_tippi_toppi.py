"""Tippi Toppi against its rulebook."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games import game_of
from companion.games.decks import InvalidDeck
from companion.games.tippi_toppi.deck import load_goals
from companion.rules import tippi_toppi as game
from companion.rules.base import IllegalAction, InvalidAction, InvalidSetup

DECK = [name for name in game.NAMES for _ in range(2)]


def table(
    tops: str, goals: list[str], hands: str = "", seats: int = 3, **options: Any
) -> game.State:
    """Return a game with these piles and goals; *hands* are seat by seat, four cards each."""
    front = [*hands.split(), *tops.split()]
    rest = list((Counter(DECK) - Counter(front)).elements())
    dealt = hands.split() or [rest.pop() for _ in range(4 * seats)]
    setup = {"deck": [*dealt, *tops.split(), *rest], "goals": goals}
    return game.initial(seats, {"goals": len(goals), **options}, setup)


def blind(tops: str, goals: list[str], seats: int = 3, **options: Any) -> game.State:
    """Return the same with hands unknown."""
    state = game.initial(seats, {"goals": len(goals), **options}, {"goals": goals})
    return after(state, *(f"lay {card}" for card in tops.split()))


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
    return refusal.value.clause


def listed(state: game.State) -> set[str]:
    """Return the texts of all legal actions."""
    return {game.format_action(action) for action in game.legal_actions(state)}


def met(goal: str, tops: str, **rules: str) -> bool:
    """Tell whether *tops* meet *goal*."""
    cards = tuple(map(game.NAMES.index, tops.split()))
    return game.is_met(game.parse_goal(goal, **rules), cards)


def test_edgar_and_andrea_meet_two_goals() -> None:
    """TP-6, TP-9: green 7 on orange 7 leaves two colours, orange 2 on pink 2 makes pink 4."""
    hands = (
        "green7 green1 green2 purple3 orange2 orange3 purple5 purple6 orange7 purple1 green3 green4"
    )
    goals = ["sum pink 4", "only green pink", "run 3", "sum all 28", "adjacent orange"]
    state = table("pink4 orange7 pink2 green7", goals, hands)
    state = after(state, "play green7 1")
    assert [goal.text for goal in state.met] == ["only green pink"]
    assert [goal.text for goal in state.goals][-1] == "adjacent orange"
    assert game.turn(state) == 1
    state = after(state, "play orange2 2")
    assert [goal.text for goal in state.met] == ["only green pink", "sum pink 4"]
    assert "play orange7 1" in listed(state)
    state = after(state, "play orange7 1")
    assert [goal.text for goal in state.met][2:] == ["adjacent orange"]


def test_one_green_seven_is_a_green_sum_of_seven() -> None:
    """TP-8: the other three piles show other colours."""
    assert met("sum green 7", "green7 pink1 orange2 purple3")


@pytest.mark.parametrize(
    ("goal", "good", "bad"),
    [
        ("sum pink 4", "pink1 pink3 green7 green7", "pink4 pink3 green7 green7"),
        ("sum all 15", "pink1 pink3 green7 green4", "pink1 pink3 green7 green3"),
        ("equal green pink", "pink3 green1 green2 orange7", "orange3 orange1 orange2 orange7"),
        ("double green purple", "green6 purple3 pink1 pink1", "green3 purple6 pink1 pink1"),
        ("count green 3", "green1 green2 green3 pink1", "green1 green2 green3 green1"),
        ("adjacent pink", "green1 pink1 pink2 green2", "pink3 pink1 pink2 green2"),
        ("apart pink", "pink1 green1 green2 pink2", "pink1 pink2 green1 green2"),
        ("alternate pink", "green1 pink1 green2 pink2", "pink1 green1 green2 pink2"),
        ("only green pink", "green1 green2 green3 green1", "green1 green2 green3 purple1"),
        ("different colours", "green1 pink1 orange1 purple1", "green1 pink1 orange1 pink2"),
        ("different numbers", "green1 green2 green3 green4", "green1 green2 green3 pink1"),
        ("different both", "green1 pink2 orange3 purple4", "green1 pink2 orange3 purple1"),
        ("run 3", "green7 pink1 pink2 pink3", "green7 pink3 pink2 pink1"),
        ("run 3 either", "green7 pink3 pink2 pink1", "pink1 green7 pink2 pink3"),
        ("run 3 any", "pink1 green7 pink3 pink2", "pink1 green7 pink3 pink4"),
        ("run 4 any", "pink4 green1 pink3 pink2", "pink4 green1 pink3 pink3"),
        ("below 4", "pink1 pink2 pink3 pink3", "pink1 pink2 pink3 pink4"),
        ("above 4", "pink5 pink6 pink7 pink5", "pink5 pink6 pink7 pink4"),
        ("parity even", "pink2 pink4 pink6 pink6", "pink2 pink4 pink6 pink7"),
        ("parity odd", "pink1 pink3 pink5 pink7", "pink2 pink3 pink5 pink7"),
        ("parity alternating", "pink2 pink3 pink4 pink7", "pink2 pink3 pink5 pink6"),
    ],
)
def test_each_kind_of_goal_means_what_it_says(goal: str, good: str, bad: str) -> None:
    """TP-7, TP-8, TP-9: a position that meets it and one that nearly does."""
    assert met(goal, good)
    assert not met(goal, bad)


def test_a_colour_must_show_for_its_sum() -> None:
    """TP-8: nought is not twice nought."""
    assert not met("double green purple", "pink1 pink2 orange1 orange2")
    assert not met("equal green purple", "pink1 pink2 orange1 orange2")


def test_the_open_readings_are_options() -> None:
    """TP-7: the direction of a run and further piles of an alternating colour."""
    assert met("run 3", "green7 pink3 pink2 pink1", run_order="either")
    assert not met("alternate pink", "pink1 pink2 pink3 green1")
    assert met("alternate pink", "pink1 pink2 pink3 green1", alternating="any")


def test_every_goal_of_the_grammar_can_be_met_or_is_known_not_to() -> None:
    """TP-7: texts are unique, and all but huge sums of one colour have a position."""
    texts = game.all_goals()
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert game.parse_goal(text).text == text
        assert game.parse_goal(text).good


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sum",
        "sum red 4",
        "sum pink 0",
        "sum pink 29",
        "equal pink green",
        "only pink pink",
        "run 5",
        "run 3 up",
        "below 8",
        "parity",
        "count pink 5",
        "sum  pink 4 x",
    ],
)
def test_what_is_no_goal_is_named_so(text: str) -> None:
    """TP-7: InvalidAction says what a goal looks like."""
    with pytest.raises(InvalidAction, match="goal"):
        game.parse_action(f"goal {text}")


@pytest.mark.parametrize("seats", [0, 5, True, 2.0, "2", None])
def test_only_one_to_four_people_play(seats: Any) -> None:
    """TP-1: any other number is refused."""
    with pytest.raises(InvalidSetup, match="TP-1"):
        game.initial(seats)


@pytest.mark.parametrize("deck", [DECK[:55], [*DECK[:55], "green1"], "x", [1] * 56, [None] * 56])
def test_a_deck_has_two_of_each_card(deck: Any) -> None:
    """TP-1: nothing else is played with."""
    with pytest.raises(InvalidSetup, match="TP-1"):
        game.initial(2, {}, {"deck": deck})
    assert refused(after(game.initial(2), "lay pink1", "lay pink1"), "lay pink1") == "TP-1"


@pytest.mark.parametrize(
    ("seats", "goals"),
    [
        (1, (12, 14, 16, 18, 20)),
        (2, (14, 16, 18, 20, 22)),
        (3, (14, 16, 18, 20, 22)),
        (4, (12, 14, 16, 18, 20)),
    ],
)
def test_the_number_of_goals_follows_the_table(seats: int, goals: tuple[int, ...]) -> None:
    """TP-2: by players and difficulty; one person has the solo column (TP-17)."""
    for difficulty, number in zip(game.DIFFICULTIES, goals, strict=True):
        assert game.parse_options({"difficulty": difficulty}, seats).goals == number


def test_everybody_is_dealt_four_cards() -> None:
    """TP-2: four begin the piles, the rest are drawn from."""
    state = game.initial(4, {"goals": 1}, {"deck": DECK, "goals": ["sum all 28"]})
    assert [len(hand) for hand in state.hands if isinstance(hand, tuple)] == [4] * 4
    assert state.cards_left == 36
    assert refused(state, "lay green1") == "TP-2"


def test_a_goal_met_by_the_first_cards_is_replaced_at_once() -> None:
    """TP-3: and counts; the replacement too if it is met."""
    goals = ["count green 4", "sum all 4", "only green pink", "run 3", "run 4", "count pink 1"]
    state = table("green1 green1 pink1 pink1", goals)
    assert [goal.text for goal in state.met] == ["sum all 4", "only green pink"]
    assert len(state.goals) == 4
    usual = table("purple1 pink1 pink2 orange1", ["run 4"])
    assert refused(usual, "goal run 3") == "TP-3"
    assert refused(game.initial(2), "play green1 0") == "TP-3"


def test_a_card_follows_colour_or_number() -> None:
    """TP-4: onto any of the four piles, from one's own hand."""
    hands = "green7 green1 purple2 purple3 pink5 pink5 pink6 pink6 orange1 orange1 orange2 orange2"
    state = table("green2 pink1 orange7 pink2", ["sum all 28"], hands)
    assert listed(state) == {
        *("play green7 0", "play green7 2", "play green1 0", "play green1 1"),
        *("play purple2 0", "play purple2 3"),
    }
    assert refused(state, "play purple3 0") == "TP-4"
    assert refused(state, "play pink5 1") == "TP-4"


def test_a_card_is_drawn_while_there_are_any() -> None:
    """TP-5: then play goes on with what is held."""
    state = table("green2 pink1 orange7 pink2", ["sum all 28"])
    seat, card = 0, game.NAMES[state.deck[0]]
    state = game.apply(state, game.legal_actions(state)[0])
    assert card in game.state_to_json(state)["hands"][seat]
    state = blind("green2 pink1 orange7 pink2", ["sum all 28"], seats=4)._replace(cards_left=1)
    state = after(state, "play green7 0", "play green1 0")
    assert game.state_to_json(state)["hand_sizes"] == [4, 3, 4, 4]


def test_all_goals_met_wins_even_with_the_last_card() -> None:
    """TP-11: tested before anybody can be stuck."""
    state = blind("green2 pink1 orange7 pink2", ["sum all 17"], seats=1)
    state = state._replace(hands=((-1,),), cards_left=0)
    state = after(state, "play green7 0")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((1,), (0,), "TP-11")
    assert refused(state, "play green7 0") == "TP-11"


def test_whoever_cannot_play_loses_for_all() -> None:
    """TP-12: tested for the player on turn only."""
    hands = "green7 green1 green2 green3 purple5 purple5 purple6 purple6"
    state = table("green4 pink4 orange4 pink2", ["sum all 28", "run 4"], hands, seats=2)
    assert game.outcome(state) is None
    state = after(state, "play green1 0")
    result = game.outcome(state)
    assert result is not None
    assert (result.winners, result.ended_by) == ((), "TP-12")
    assert refused(table("green4 pink4 orange4 pink2", ["run 4"]), "stuck") == "TP-12"


def test_no_cards_left_loses() -> None:
    """TP-13: with a goal still open."""
    state = blind("green2 pink1 orange7 pink2", ["sum all 28"], seats=1)
    state = after(state._replace(hands=((-1,),), cards_left=0), "play green7 0")
    result = game.outcome(state)
    assert result is not None
    assert (result.scores, result.winners, result.ended_by) == ((0,), (), "TP-13")


def test_in_high_speed_anybody_plays_until_time_is_up() -> None:
    """TP-14: no turn, the seat is told, and the clock is an observed fact."""
    hands = "green7 green1 green2 green3 purple5 purple5 purple6 purple6"
    state = table("green4 pink4 orange5 pink2", ["sum all 28"], hands, seats=2, high_speed=True)
    assert game.turn(state) is None
    assert {"play green7 0 by 0", "play purple5 2 by 1", "time"} <= listed(state)
    assert refused(state, "play green7 0") == "TP-14"
    state = after(state, "play purple5 2 by 1", "play purple5 2 by 1")
    result = game.outcome(after(state, "time"))
    assert result is not None
    assert (result.winners, result.ended_by) == ((), "TP-14")
    usual = table("green4 pink4 orange5 pink2", ["sum all 28"], hands, seats=2)
    assert refused(usual, "time") == "TP-14"
    assert refused(usual, "play green7 0 by 0") == "TP-14"


def test_high_speed_seen_by_a_camera_does_not_say_who_played() -> None:
    """TP-14: hand sizes are then unknown as well (TP-18)."""
    state = blind("green4 pink4 orange5 pink2", ["sum all 28"], high_speed=True)
    state = after(state, "play green7 0", "play green7 0")
    assert game.state_to_json(state)["hand_sizes"] == [None] * 3
    assert refused(state, "play green7 0") == "TP-18"


@pytest.mark.parametrize(
    ("options", "talk"),
    [({}, "usual"), ({"silence": True}, "silence"), ({"open_hands": True}, "open")],
)
def test_the_talk_rules_are_data(options: dict[str, Any], talk: str) -> None:
    """TP-10, TP-15, TP-16: what the page shows."""
    view = game.view(table("green4 pink4 orange5 pink2", ["sum all 28"], **options), 0)
    assert view["talk"] == game.TALK[talk]
    assert bool(view["talk"]["forbidden"]) == (talk != "open")


def test_a_view_shows_ones_own_hand_or_all_open_ones() -> None:
    """TP-2, TP-16: never the cards to draw or the goals to come."""
    state = table("green4 pink4 orange5 pink2", ["sum all 28"])
    view = game.view(state, 1)
    assert [hand is not None for hand in view["hands"]] == [False, True, False]
    assert not {"deck", "coming_goals"} & view.keys()
    assert game.view(state, None)["hands"] == [None] * 3
    kids = table("green4 pink4 orange5 pink2", ["sum all 28"], open_hands=True)
    assert None not in game.view(kids, None)["hands"]


def test_one_person_plays_by_the_same_rules() -> None:
    """TP-17: turn after turn."""
    hand = "green1 green2 green3 green6"
    state = table("green4 pink4 orange5 pink2", ["sum all 28"], hand, seats=1)
    state = game.apply(state, game.legal_actions(state)[0])
    assert game.turn(state) == 0


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


def test_the_goal_deck_that_ships_is_unconfirmed_and_whole() -> None:
    """TP-7: 52 goals, all of the grammar, each to be confirmed by the owner."""
    deck = load_goals()
    assert len(deck.cards) == 52
    assert not deck.is_confirmed
    state = game.initial(2, game_of("tippi_toppi").usual_options())
    assert Counter(state.options.goal_deck) == Counter(deck.cards)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "goals = 1",
        "goals = [1]",
        "goals = [{goal = 'fly'}]",
        "goals = [{goal = 'run 3', count = -1}]",
        "goals = [{goal = 'run 3', x = 1}]",
        "goals = [{goal = 'run 3'}, {goal = 'run 3'}]",
        "goals = [",
    ],
)
def test_a_broken_deck_file_is_named(text: str, tmp_path: Path) -> None:
    """TP-7: the file, and what would be right."""
    path = tmp_path / "goals.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDeck, match=r"goals\.toml"):
        load_goals(path)
    with pytest.raises(InvalidDeck, match="cannot be read"):
        load_goals(tmp_path / "none.toml")


def test_an_owner_confirms_card_by_card(tmp_path: Path) -> None:
    """TP-7: the deck is confirmed when every card is."""
    path = tmp_path / "goals.toml"
    path.write_text("goals = [{goal = 'run 3', confirmed = true}, {goal = 'run 4', count = 2}]")
    deck = load_goals(path)
    assert (deck.cards, deck.confirmed) == (["run 3", "run 4", "run 4"], frozenset(("run 3",)))


@pytest.mark.parametrize(
    "options",
    [
        {"difficulty": "easy"},
        {"difficulty": []},
        {"goals": 0},
        {"goals": True},
        {"silence": 1},
        {"run_order": "up"},
        {"goal_deck": "x"},
        {"goal_deck": [1]},
        {"goal_deck": ["fly"]},
        {"goal_deck": ["run 3"]},
        {"x": 1},
    ],
)
def test_unknown_options_are_refused(options: dict[str, Any]) -> None:
    """TP-2: options are checked by name and range."""
    with pytest.raises(InvalidSetup):
        game.initial(3, options)


@pytest.mark.parametrize(
    "setup", [{"first": 3}, {"first": True}, {"x": 1}, {"goals": 1}, {"goals": ["run 3"]}]
)
def test_a_wrong_set_up_is_refused(setup: dict[str, Any]) -> None:
    """TP-2: set-ups are checked before anyone plays."""
    with pytest.raises(InvalidSetup):
        game.initial(3, {}, setup)


@pytest.mark.parametrize(
    "thing",
    [
        "",
        "play green8 0",
        "play green7 4",
        "play green7 0 by 4",
        "lay",
        "goal",
        "stuck now",
        "time 5",
        {"type": "played", "card": "green7", "pile": True},
        {"type": "played", "card": "green7", "pile": 0, "x": 1},
        {"type": "played", "card": "green7", "pile": 0, "seat": True},
        {"type": "revealed", "goal": "fly"},
        {"type": "laid", "card": 7},
        7,
    ],
)
def test_what_is_no_action_is_named_so(thing: Any) -> None:
    """TP-4: InvalidAction, not IllegalAction."""
    with pytest.raises(InvalidAction):
        game.action_from_json(thing)


def test_everyone_wins_or_loses_together() -> None:
    """TP-11 to TP-13: over many random games, both happen for a small number of goals."""
    clauses = set()
    for seed in range(200):
        rng = Random(seed)
        state = game.initial(
            2,
            {"goals": 3},
            {"deck": rng.sample(DECK, 56), "goals": ["below 6", "above 2", "sum all 15"]},
        )
        while actions := game.legal_actions(state):
            state = game.apply(state, rng.choice(actions))
        clauses.add(state.ended_by)
    assert {"TP-11", "TP-12"} <= clauses


HANDS = [["green7", "pink1", "pink2", "pink2"], None, ["green7", "orange3", "orange4", "purple5"]]


def partly_told(tops: str = "green1 pink4 orange5 purple3", **options: Any) -> game.State:
    """Return seat 0 about to play; the hands of seats 0 and 2 were told at the set-up."""
    chosen = {"goals": 1, **options}
    state = game.initial(3, chosen, {"hands": HANDS, "goals": ["sum all 28"]})
    return after(state, *(f"lay {card}" for card in tops.split()))


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


@pytest.mark.parametrize(
    "setup",
    [
        {"hands": HANDS[:2]},
        {"hands": HANDS, "deck": DECK},
        {"hands": [["green1"], None, None]},
        {"hands": [["green8"] * 4, None, None]},
        {"hands": [["green1"] * 4, None, None]},
        {"hands": 5},
    ],
)
def test_wrong_hands_are_refused(setup: dict[str, Any]) -> None:
    """TP-1, TP-2: four cards that exist, two of a kind at most, or null for each seat."""
    with pytest.raises(InvalidSetup):
        game.initial(3, {}, setup)
