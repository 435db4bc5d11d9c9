"""Why in Tippi Toppi: which cards met a goal, why a card fits, and how the game ended."""

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tippi_toppi.game import GAME
from companion.games.tippi_toppi.why import proof_words
from companion.language.message import Message, message_of
from companion.referee.game import Reason, RoundEnd
from companion.rules import tippi_toppi as rules
from companion.rules.base import IllegalAction
from companion.rules.tippi_toppi import NAMES, State
from tests.games.tippi_toppi_deals import NAMED, after, dealt, known_walk, sit
from tests.rules.secrets import twins

RULES = Path(__file__).parents[2] / "docs" / "rules" / "tippi_toppi.md"
LAYS = ("lay green7", "lay orange7", "lay pink2", "lay pink3")
PLAIN = re.compile(r"TP-\d|seat \d|[a-z]+\d")


def why(state: State, *texts: str) -> Reason | None:
    """Return why the last of *texts* counted as it did."""
    *first, last = texts
    return GAME.reason(after(state, *first), rules.parse_action(last), NAMED)


def said(state: State, *texts: str) -> tuple[str, str]:
    """Return why the last of *texts* counted as it did, in words, and the clause."""
    found = why(state, *texts)
    return (found.message, found.clause) if found else ("", "")


@pytest.mark.parametrize(
    ("goal", "cards", "words"),
    [
        ("sum pink 4", "green7 pink3 pink1 orange7", "pink on piles 2 and 3: 3 + 1 = 4"),
        ("sum green 7", "green7 pink3 pink1 orange7", "green on pile 1: 7"),
        ("sum all 10", "green4 pink3 pink1 orange2", "4 + 3 + 1 + 2 = 10"),
        ("equal green pink", "green4 pink3 pink1 orange2", "green: 4; pink: 3 + 1 = 4"),
        ("double orange green", "green1 green1 pink1 orange4", "orange: 4; green: 1 + 1 = 2"),
        ("count green 3", "green1 green1 pink1 green4", "from left to right: green, green, pink"),
        ("count 1 3", "green1 green1 pink1 green4", "from left to right: 1, 1, 1 and 4"),
        ("only pink green", "green1 green1 pink1 green4", "green, green, pink and green"),
        ("apart pink", "pink1 green1 pink2 green4", "pink, green, pink and green"),
        ("same colour", "pink1 pink2 pink4 pink5", "pink, pink, pink and pink"),
        ("same number", "pink1 green1 orange1 pink1", "1, 1, 1 and 1"),
        ("pairs colours", "pink1 green1 green2 pink1", "pink, green, green and pink"),
        ("pairs numbers", "pink1 green1 green2 pink2", "1, 1, 2 and 2"),
        ("different colours", "pink1 green1 orange2 purple2", "pink, green, orange and purple"),
        (
            "different both",
            "pink1 green2 orange3 purple4",
            "pink 1, green 2, orange 3 and purple 4",
        ),
        ("run 3 any", "pink1 green2 orange3 purple7", "1, 2, 3 and 7"),
        ("parity odd", "pink1 green1 orange3 purple7", "1, 1, 3 and 7"),
        ("below 4", "pink1 green1 orange3 purple2", "1, 1, 3 and 2"),
    ],
)
def test_a_goal_that_is_met_shows_its_sum_or_its_pattern(goal: str, cards: str, words: str) -> None:
    """What the people would point at."""
    tops = tuple(map(NAMES.index, cards.split()))
    assert rules.is_met(rules.parse_goal(goal), tops)
    assert words in proof_words(goal, tops)


def test_every_goal_of_the_rules_can_be_explained() -> None:
    """A sum has its total, and a pattern four parts."""
    rng = Random(1)
    for goal in rules.all_goals():
        parsed = rules.parse_goal(goal)
        for _ in range(400):
            tops = tuple(rng.choices(range(28), k=4))
            if rules.is_met(parsed, tops):
                proof = proof_words(goal, tops)
                assert isinstance(proof, Message) or not re.search("[a-z]", proof)
                kind, *_, last = goal.split()
                if kind == "sum":
                    assert proof.split()[-1] == last
                elif kind not in ("equal", "double"):
                    assert len(re.split(", | and ", proof.partition(": ")[2])) == 4


def test_a_play_that_meets_goals_says_which_and_how() -> None:
    """TP-6 to TP-9: each goal in words, with the cards, and the clause of its kind."""
    state = after(dealt(goal_deck=[]), "play green2 0", "play orange2 2")
    message, clause = said(state, "play orange3 3")
    assert message == (
        "Goal met: only green and orange (from left to right: green, orange, orange and orange)"
    )
    assert clause == "TP-9"
    goals = ("goal sum pink 4", "goal sum all 18", "goal parity odd", "goal run 4 any")
    one = after(sit(goals=2, goal_deck=[]), *LAYS, "goal sum all 18", "goal sum pink 3")
    assert said(one, "play pink1 2")[1] == "TP-7"
    one = after(sit(goals=2, goal_deck=[]), *LAYS, "goal sum all 28", "goal sum pink 4")
    assert said(one, "play pink1 2")[1] == "TP-8"
    both = after(sit(goals=4, goal_deck=[]), *LAYS, *goals)
    message, clause = said(both, "play pink1 2")
    assert message == (
        "Goal met: pink adds up to 4 (pink on piles 3 and 4: 1 + 3 = 4)."
        " Goal met: all four add up to 18 (7 + 7 + 1 + 3 = 18)."
        " Goal met: all numbers odd (from left to right: 7, 7, 1 and 3)"
    )
    assert clause == "TP-6"


def test_a_goal_that_is_met_at_once_says_so() -> None:
    """TP-3 at the set-up, TP-6 later."""
    state = after(sit(goal_deck=[]), *LAYS)
    met = "Goal met as soon as it was turned up: "
    assert said(state, "goal sum pink 5") == (
        f"{met}pink adds up to 5 (pink on piles 3 and 4: 2 + 3 = 5)",
        "TP-3",
    )
    assert said(state, "goal sum pink 6") == ("", "")
    goals = ("goal sum pink 4", "goal sum all 28", "goal count green 4", "goal below 2")
    again = after(state, *goals, "play pink1 2")
    assert said(again, "goal parity odd") == (
        f"{met}all numbers odd (from left to right: 7, 7, 1 and 3)",
        "TP-6",
    )


def test_a_card_that_meets_nothing_says_why_it_fits() -> None:
    """TP-4: a newcomer sees the colour or the number."""
    state = dealt()
    assert said(state, "play green1 0") == ("It fits: green 1 has the colour of green 7", "TP-4")
    assert said(state, "play purple7 0") == ("It fits: purple 7 has the number of green 7", "TP-4")
    assert said(state, "play green7 0") == (
        "It fits: green 7 has the colour and the number of the card below",
        "TP-4",
    )


def test_a_goal_that_people_check_is_met_by_their_word() -> None:
    """TP-7: the companion does not know how."""
    state = after(sit(goals=1, goal_deck=[]), *LAYS, "goal other")
    message, clause = said(state, "met")
    assert message.startswith("Goal met: a goal that you check yourselves (you have checked")
    assert message.endswith("Won: all goals are met")
    assert clause == "TP-11"


def ended(state: State, *texts: str) -> RoundEnd:
    """Return how the game ended by the last of *texts*."""
    *first, last = texts
    found = GAME.round_end(after(state, *first), rules.parse_action(last), NAMED[:3])
    assert found is not None
    return found


def test_a_game_that_is_won_ends_for_all_alike() -> None:
    """TP-11: the reason, the goals that were met, and the final table."""
    state = after(sit(goals=1, goal_deck=[]), *LAYS, "goal sum pink 4")
    found = ended(state, "play pink1 2")
    assert (found.number, found.winners, found.clause) == (1, (0, 1, 2), "TP-11")
    assert found.points == found.scores == (1, 1, 1)
    assert found.message == "Won: all goals are met"
    assert found.reasons == (("1 of one goal met",),) * 3
    assert found.places == ("green 7", "orange 7", "pink 1", "pink 3")
    assert [each["words"] for each in found.view["met"]] == ["pink adds up to 4"]
    assert GAME.round_end(state, rules.parse_action("play pink4 2"), NAMED) is None


def test_a_game_that_is_lost_says_what_was_missing() -> None:
    """TP-12, TP-14: who was stuck or what ran out, and each goal still open."""
    found = ended(dealt(), "play green2 0", "stuck")
    assert (found.winners, found.clause) == ((), "TP-12")
    assert found.message == "Lost: Bob cannot play a card"
    assert found.reasons[0] == (
        "0 of 16 goals met",
        *("Still open: only green and orange", "Still open: all four add up to 28"),
        "Still open: exactly four green",
        "Still open: four consecutive numbers, side by side, rising from left to right",
        "12 goals not turned up",
    )
    fast = ended(dealt(high_speed=True), "time")
    assert (fast.message, fast.clause) == ("Lost: the five minutes are up", "TP-14")
    assert said(dealt(high_speed=True), "time") == ("Lost: the five minutes are up", "TP-14")


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_reasons_give_no_hidden_card_away(seed: int) -> None:
    """They are equal for states that differ in what a bystander may not know."""
    rng = Random(seed)
    for state in known_walk(rng):
        actions = [each for each in rules.legal_actions(state) if not GAME.is_secret(state, each)]
        if not actions or rng.random() < 0.7:
            continue
        action = rng.choice(actions)
        for twin in twins(rules, state, None, rng):
            try:
                ends = [rules.apply(each, action).phase for each in (state, twin)]
            except IllegalAction:
                continue
            # What a hidden card decides openly, a lost game or a goal turned up, is no secret.
            if ends[0] == ends[1] and state.coming == twin.coming:
                assert GAME.reason(state, action, NAMED) == GAME.reason(twin, action, NAMED)


def refused(state: State, text: str) -> IllegalAction | None:
    """Return why *text* may not happen in *state*, None if it may."""
    try:
        after(state, text)
    except IllegalAction as error:
        return error
    return None


def clauses_of(options: dict[str, Any], seed: int) -> set[str]:
    """Return every clause by which a game of *options* refuses or ends, tried at random."""
    rng, found = Random(seed), set[str]()
    state = sit(rng.randint(1, 4), **options)
    texts = [
        *(f"play {card} {rng.randrange(4)}" for card in NAMES),
        *("lay green1", "goal run 3", "met", "drew pink1", "stuck", "time", "hand 3 pink1"),
        *("play pink1 0 by 3", "hand 0 green1 green1 green1 green1"),
    ]
    while actions := rules.legal_actions(state):
        for text in texts:
            if error := refused(state, text):
                assert isinstance(message_of(error), Message), text
                assert not PLAIN.search(message_of(error)), message_of(error)
                found.add(error.clause)
        action = rng.choice(actions)
        reason = GAME.reason(state, action, NAMED)
        if reason:
            assert isinstance(reason.message, Message)
            assert not PLAIN.search(reason.message), reason.message
            found.add(reason.clause)
        state = rules.apply(state, action)
    return found | {state.ended_by}


@pytest.mark.parametrize("options", [{}, {"high_speed": True}, {"open_hands": True}])
def test_every_clause_that_people_can_meet_has_words(options: dict[str, Any]) -> None:
    """Of refusals, reasons and endings; and no refusal is in the words of programs."""
    found = set().union(*(clauses_of(options, seed) for seed in range(4)))
    assert {"TP-2", "TP-3", "TP-4", "TP-7"} <= found
    assert all(GAME.clause_words(clause) for clause in found)
