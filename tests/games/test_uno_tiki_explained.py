"""What UNO Tiki says about why: reasons, ends of rounds, clauses in plain words."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from companion.games.uno_tiki.blind import without_hands
from companion.games.uno_tiki.game import GAME
from companion.language.message import Message
from companion.rules import uno_tiki as rules
from companion.rules.uno_tiki import Action, State
from tests.rules.texts import Texts
from tests.tables import NAMES

PLAYERS = NAMES[:3]


def after(*texts: str, seats: int = 3, **options: Any) -> State:
    """Return a game after *texts*, the last seat dealing, so that seat 0 begins."""
    state = rules.initial(seats, GAME.parse_options(options, seats), GAME.setup(seats - 1))
    return Texts(rules).after(state, *texts)


def with_left(state: State, *left: int) -> State:
    """Return *state* with so many hidden cards in each hand."""
    return state._replace(hands=tuple(("",) * number for number in left))


def why(state: State, text: str) -> tuple[str, str]:
    """Return the reason of the action *text*, and its clause."""
    players = NAMES[: len(state.hands)]
    reason = GAME.reason(state, rules.parse_action(text), players)
    assert reason is not None
    assert isinstance(reason.message, Message)
    return reason.message, reason.clause


@pytest.mark.parametrize(
    ("begun", "text", "words", "clause"),
    [
        ((), "turn tiki-goto", "A Tiki Face cannot start the pile", "UT-3"),
        ((), "turn red-7", "Ann sits to the left of Cem, who dealt, and begins", "UT-3"),
        ((), "turn red-reverse", "Cem dealt and begins, and play goes to the right", "UT-3"),
        ((), "turn red-skip", "Ann loses a turn, and Bob begins", "UT-3"),
        ((), "turn wild", "Ann, to the left of Cem, chooses the colour and begins", "UT-3"),
        (("turn wild",), "colour blue", "so Ann chose one: blue", "UT-8"),
        (("turn red-7",), "play red-2", "the colour of the pile, red", "UT-4"),
        (("turn red-7",), "play blue-7", "the number of the pile, 7", "UT-4"),
        (("turn red-7",), "play red-skip", "Bob loses a turn", "UT-7"),
        (("turn red-7",), "play red-reverse", "round to the right", "UT-6"),
        (("turn red-reverse",), "play red-reverse", "round to the left", "UT-6"),
        (("turn red-7",), "play wild green", "The colour is now green", "UT-8"),
        (("turn red-7",), "play tiki-goto", "goes into the idol, and Ann spins", "UT-9"),
        (("turn red-7",), "play red-2-spin", "The idol is empty", "UT-10"),
        (
            ("turn tiki-draw4", "turn red-7"),
            "play red-2-spin",
            "The card has a Spin symbol, so Ann spins the idol for Draw 4",
            "UT-10",
        ),
        (("turn red-7",), "draw", "Ann could not or did not want to play", "UT-5"),
        (("turn red-7", "draw"), "pass", "so the turn is over", "UT-5"),
        (("turn red-7", "play tiki-goto"), "spin void", "so Ann spins again", "UT-11"),
        (("turn red-7", "play tiki-goto"), "spin between 1 2", "so Ann chooses one", "UT-11"),
        (
            ("turn red-7", "play tiki-goto", "spin between 1 2"),
            "choose 2",
            "The idol shows Go To: play goes on with Cem",
            "UT-14",
        ),
        (
            ("turn red-7", "play tiki-draw1"),
            "spin 1",
            "Bob draws 1 card and does not lose a turn",
            "UT-12",
        ),
        (
            ("turn red-7", "play tiki-draw4"),
            "spin 0",
            "Ann draws 4 cards and does not lose a turn",
            "UT-12",
        ),
        (("turn red-7", "play tiki-discard2"), "spin 1", "Bob may discard two cards", "UT-13"),
        (
            ("turn red-7", "play tiki-discard-red"),
            "spin 1",
            "may discard all cards of that colour",
            "UT-13",
        ),
        (
            ("turn red-7", "play tiki-discard2", "spin 1"),
            "discard blue-1",
            "Blue 1 goes under the top card of the pile",
            "UT-13",
        ),
        (
            ("turn red-7", "play tiki-discard2", "spin 1"),
            "keep",
            "Bob does not have to discard any more",
            "UT-13",
        ),
    ],
)
def test_every_action_says_why(begun: tuple[str, ...], text: str, words: str, clause: str) -> None:
    """In a sentence that a newcomer understands, with the clause behind it."""
    found = why(after(*begun), text)
    assert words in found[0]
    assert found[1] == clause


@pytest.mark.parametrize(
    ("options", "words"),
    [({}, "works like a Skip: Bob loses a turn"), ({"two_player_reverse": "none"}, "changes noth")],
)
def test_between_two_a_reverse_says_what_it_does(options: dict[str, Any], words: str) -> None:
    """UT-6: as the table plays it."""
    state = after("turn red-7", seats=2, **options)
    assert words in why(state, "play red-reverse")[0]


def test_a_forgotten_uno_is_explained() -> None:
    """UT-15: that it must be called, that it was, or that somebody noticed."""
    state = with_left(after("turn red-7"), 2, 7, 7)
    assert why(state, "play red-1")[0].endswith("Ann has one card left and must call UNO")
    state = Texts(rules).after(state, "play red-1")
    assert why(state, "uno 0") == ("Ann has one card left and called UNO in time", "UT-15")
    assert why(state, "catch 0") == (
        "Ann has one card left and did not call UNO in time: 2 cards to draw",
        "UT-15",
    )


def test_who_draws_for_the_deal_is_explained_when_it_is_decided() -> None:
    """UT-2: not before; a tie is said."""
    state = rules.initial(3, GAME.parse_options({}, 3))
    assert GAME.reason(state, rules.parse_action("cut red-9"), PLAYERS) is None
    state = Texts(rules).after(state, "cut red-9", "cut red-3")
    assert "draw again" in why(state, "cut blue-9")[0]
    assert why(state, "cut blue-4") == ("Ann drew the highest number and deals", "UT-2")


def test_a_draw_of_a_known_hand_says_what_for() -> None:
    """UT-12: each card that the idol makes somebody draw; of a turn's draw nobody asks twice."""
    state = after("turn red-7")._replace(hands=(("tiki-draw2", "red-3"), ("red-1",), ("red-4",)))
    state = Texts(rules).after(state, "play tiki-draw2", "spin 1")
    assert why(state, "drew hidden") == ("Bob draws because the idol shows Draw 2", "UT-12")
    turn = Texts(rules).after(after("turn red-7")._replace(hands=(("blue-3",),) * 3), "draw")
    assert GAME.reason(turn, rules.parse_action("drew blue-1"), PLAYERS) is None


def test_an_empty_pile_is_explained() -> None:
    """UT-16, UT-21: a turn without a card to draw, and a round in which nobody can go on."""
    state = after("turn red-7")._replace(deck_size=0)
    assert why(state, "draw") == (
        "There is no card to draw, so Ann’s turn is over",
        "UT-16",
    )
    stuck = state._replace(idle=2)
    message, clause = why(stuck, "draw")
    assert (message.endswith("and nobody scores"), clause) == (True, "UT-21")
    end = GAME.round_end(stuck, rules.parse_action("draw"), PLAYERS)
    assert end is not None
    assert (end.winners, end.points, end.clause) == ((), (0, 0, 0), "UT-21")
    assert end.reasons == (("nobody scores",),) * 3
    lowest = stuck._replace(options=rules.parse_options({"scoring": "lowest"}, 3))
    assert why(lowest, "draw") == ("Nobody can play or draw, so the round is over", "UT-21")


def last_round(**options: Any) -> State:
    """Return a game in which Ann has played her last card, and Bob's hand has been counted."""
    state = with_left(after("turn tiki-draw4", "turn red-7", **options), 1, 2, 2)
    return Texts(rules).after(state, "play red-1", "count 1 24")


def test_a_round_ends_with_what_the_points_are_made_of() -> None:
    """UT-18: the winner has them from each hand; the last card stays on the table."""
    state = last_round()
    assert GAME.round_end(state, rules.parse_action("spin 1"), PLAYERS) is None
    end = GAME.round_end(state, rules.parse_action("count 2 50"), PLAYERS)
    assert end is not None
    assert (end.number, end.winners, end.clause) == (1, (0,), "UT-17")
    assert end.message == "Ann has no cards left and wins the round"
    assert (end.points, end.scores) == ((74, 0, 0), (74, 0, 0))
    assert end.reasons == (
        ("24 points from Bob’s hand", "50 points from Cem’s hand"),
        ("24 points in hand, for Ann",),
        ("50 points in hand, for Ann",),
    )
    assert end.places == ("red-1", "tiki-draw4")
    assert (end.view["discard"][-1], end.view["hand_sizes"]) == ("red-1", [0, 2, 2])
    assert why(state, "count 2 50")[0].startswith("Ann has no cards left and scores the cards")


def test_where_few_points_are_good_each_player_keeps_their_own() -> None:
    """UT-19: the end of the game is explained, since the highest score ends and loses it."""
    state = last_round(scoring="lowest", target=50)
    end = GAME.round_end(state, rules.parse_action("count 2 50"), PLAYERS)
    assert end is not None
    assert (end.points, end.winners) == ((0, 24, 50), (0,))
    assert end.reasons == (("no cards left",), ("24 points in hand",), ("50 points in hand",))
    assert end.message.endswith(
        "Someone has 50 points, so the game is over, and whoever has the fewest wins"
    )


def test_a_last_spin_shows_whom_it_made_draw() -> None:
    """UT-17: the final table has the cards that were drawn before the count."""
    state = with_left(after("turn red-7"), 1, 1, 1)
    assert "It still spins the idol" in why(state, "play tiki-draw2")[0]
    state = Texts(rules).after(state, "play tiki-draw2")
    assert why(state, "spin 0") == ("Ann has no cards left, so nothing happens", "UT-17")
    known = state._replace(hands=((), ("red-4",), ("red-5",)), deck=("wild", "red-9"), deck_size=2)
    end = GAME.round_end(known, rules.parse_action("spin 1"), PLAYERS)
    assert end is not None
    assert (end.points, end.view["hand_sizes"]) == ((68, 0, 0), [0, 3, 1])
    assert end.view["hands"] == [None, None, None] or not any(filter(None, end.view["hands"]))


def test_an_action_that_was_another_has_no_reason() -> None:
    """Later play may have shown that; the page must not fail."""
    action = rules.parse_action("play blue-2")
    assert GAME.reason(after("turn red-7"), action, PLAYERS) is None
    assert GAME.round_end(after("turn red-7"), action, PLAYERS) is None


def known_games(seeds: range) -> Iterator[tuple[State, Action]]:
    """Yield each state of some random games in which all cards are known, and what is played."""
    census = GAME.parse_options({}, 3)["deck"]
    for seed in seeds:
        rng = random.Random(seed)
        decks = []
        for _ in range(2):
            deck = [card for card, copies in census.items() for _ in range(copies)]
            rng.shuffle(deck)
            decks.append(deck)
        options = GAME.parse_options({"target": 400}, 3)
        state = rules.initial(3, options, {"dealer": 0, "decks": decks})
        for _ in range(300):
            legal = rules.legal_actions(state)
            if not legal or len(state.match.rounds) == 2:
                break
            plays = [action for action in legal if isinstance(action, rules.Played)]
            action = rng.choice(plays or legal)
            yield state, action
            state = rules.apply(state, action)


def test_no_reason_tells_of_a_hand() -> None:
    """What is said of a game whose cards are known is what is said where none is, to the letter."""
    said = 0
    for state, action in known_games(range(6)):
        if GAME.round_end(state, action, PLAYERS) is None:
            known, blind = (
                GAME.reason(each, action, PLAYERS) for each in (state, without_hands(state))
            )
            assert known == blind
            said += known is not None
    assert said > 250


def test_no_end_of_a_round_shows_a_hand() -> None:
    """Its points are shown; which cards they were is not."""
    ends = [
        end
        for state, action in known_games(range(6))
        if (end := GAME.round_end(state, action, PLAYERS)) is not None
    ]
    assert len(ends) > 2
    for end in ends:
        assert not any(any(hand or ()) for hand in end.view["hands"])
        assert "deck" not in end.view
        assert sum(end.points) == sum(end.scores) or end.number > 1
