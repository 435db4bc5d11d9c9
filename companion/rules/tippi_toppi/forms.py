"""Tippi Toppi in text and JSON: set-ups, actions, states and views."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from companion.language.message import say
from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.codec import (
    MAX_QUOTED_CHARS,
    InvalidValue,
    custom,
    flag,
    invalid_value,
    list_of,
    named,
    number,
    one_of,
    optional,
    seat,
)
from companion.rules.notation import Choices, Kind, Notation, read_setup, require_seats
from companion.rules.tippi_toppi import cards
from companion.rules.tippi_toppi.cards import (
    CARD_OF,
    CARDS,
    COPIES,
    DIFFICULTIES,
    GOALS,
    HAND,
    HIDDEN,
    NAMES,
    PILES,
    TALK,
    Action,
    Card,
)
from companion.rules.tippi_toppi.goals import ALTERNATIONS, GRAMMAR, RUN_ORDERS, parse_goal
from companion.rules.tippi_toppi.hands import unseen
from companion.rules.tippi_toppi.play import outcome, resolve_goals, turn, warnings
from companion.rules.tippi_toppi.state import Hand, Options, State

SEATS: Final = range(1, 5)  # TP-1
MAX_GOALS: Final = 99


def _read_goal(thing: object) -> str:
    try:
        return parse_goal(thing if isinstance(thing, str) else "").text
    except InvalidAction:
        raise InvalidValue(f"not '{str(thing)[:MAX_QUOTED_CHARS]}' but {GRAMMAR}") from None


def _hand_declared(seat: int, names: tuple[Card, ...]) -> cards.HandDeclared:
    return cards.HandDeclared(seat, tuple(sorted(names)))


_WHOLE_DECK: Final = f"all {CARDS} cards, {COPIES} of each from {NAMES[0]} to {NAMES[-1]}"


def _read_deck(thing: object) -> tuple[Card, ...]:
    deck = list_of(_CARD, _WHOLE_DECK).from_json(thing)
    if Counter(deck) != dict.fromkeys(CARD_OF.values(), COPIES):
        raise invalid_value(_WHOLE_DECK, thing)
    return deck


_CARD: Final = named(CARD_OF, f"one of {NAMES[0]} to {NAMES[-1]}")
_GOAL: Final = custom(GRAMMAR, _read_goal)
_ACTIONS: Final = Notation[Action](
    Kind(
        cards.Played,
        "played",
        "'play green7 0' (a card, a pile from 0 to 3), 'play green7 0 by 2'",
        {
            "card": _CARD,
            "pile": number(range(PILES)),
            "seat": optional(seat(4), None, before="by", is_shown=False),
        },
    ),
    Kind(cards.Laid, "laid", "'lay green7'", {"card": _CARD}),
    Kind(cards.Revealed, "revealed", "'goal sum pink 4'", {"goal": _GOAL}),
    Kind(cards.Met, "met", "'met'"),
    Kind(
        cards.Drew,
        "drew",
        "'drew green7', 'drew hidden'",
        {"card": optional(_CARD, HIDDEN, "hidden")},
    ),
    Kind(
        cards.HandDeclared,
        "told",
        "'hand 2 green7 pink1 pink2 pink2'",
        {"seat": seat(4), "cards": list_of(_CARD, "cards", least=1)},
        _hand_declared,
    ),
    Kind(cards.Stuck, "stuck", "'stuck'"),
    Kind(cards.TimeUp, "time_up", "'time'"),
)
format_action: Final = _ACTIONS.format_action
parse_action: Final = _ACTIONS.parse_action
action_to_json: Final = _ACTIONS.action_to_json
action_from_json: Final = _ACTIONS.action_from_json

_OPTIONS: Final = Choices[Options](
    difficulty=(one_of(DIFFICULTIES), "TP-2"),
    goals=(number(range(1, MAX_GOALS + 1)), "TP-2"),
    goal_deck=(list_of(_GOAL, "a list of goals"), "TP-7"),
    high_speed=(flag(), "TP-14"),
    silence=(flag(), "TP-15"),
    open_hands=(flag(), "TP-16"),
    run_order=(one_of(RUN_ORDERS), "TP-7"),
    alternating=(one_of(ALTERNATIONS), "TP-7"),
)
options_to_json: Final = _OPTIONS.to_json


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    chosen = _OPTIONS.read(Options("normal", 0), options)
    usual = GOALS[seats][DIFFICULTIES.index(chosen.difficulty)]
    chosen = chosen if chosen.goals else replace(chosen, goals=usual)
    if chosen.goal_deck and len(chosen.goal_deck) < chosen.goals:
        wrong = say(
            "the goal deck has {number} goals, but {needed} are needed",
            number=len(chosen.goal_deck),
            needed=chosen.goals,
        )
        raise InvalidSetup(wrong)
    return chosen


def initial(
    seats: int,
    options: Mapping[str, Any] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> State:
    """Return the state before the first play.

    options: see `Options`; what is missing takes the rulebook's value.
    setup: `first` (the seat that begins, 0 if missing), `deck` (all 56 cards in the order in which
        they are dealt: four to each seat, four piles, then the cards to draw), `goals` (the goals
        in the order in which they are turned up), `hands` instead of `deck` (those that are known:
        four cards or null for each seat; TP-18). Without `deck` cards drawn are entered or hidden.
    Raises InvalidSetup.
    """
    require_seats(seats, SEATS, "Tippi Toppi", "TP-1")
    chosen = parse_options(options or {}, seats)
    hand = optional(list_of(_CARD, f"{HAND} cards", HAND, HAND), (HIDDEN,) * HAND)
    hands = list_of(hand, f"{HAND} cards or null for each of {seats} seats", seats, seats)
    wanted = f"a list of at least {chosen.goals} goals"
    setup_values = read_setup(
        setup,
        first=(optional(seat(seats), 0), "TP-1"),
        deck=(optional(custom(_WHOLE_DECK, _read_deck), None), "TP-1"),
        goals=(optional(list_of(_GOAL, wanted, chosen.goals), ()), "TP-7"),
        hands=(optional(hands, None), "TP-2"),
    )
    if setup_values["hands"] is not None and setup_values["deck"] is not None:
        raise InvalidSetup("setup.hands is instead of setup.deck, which says the hands itself")
    known = [tuple(sorted(hand)) for hand in setup_values["hands"] or ()]
    if any(n > COPIES for card, n in Counter(sum(known, ())).items() if card != HIDDEN):
        raise InvalidSetup(f"setup.hands has a card more than {COPIES} times (TP-1)")
    unknown = None if chosen.high_speed else (HIDDEN,) * HAND
    state = State(
        options=chosen,
        phase="lay",
        seat=setup_values["first"],
        piles=((),) * PILES,
        tops=(),
        hands=tuple(known) or (unknown,) * seats,
        deck=(),
        cards_left=CARDS - HAND * seats - PILES,
        goals=(),
        coming=setup_values["goals"][: chosen.goals],
        goals_left=chosen.goals,
        met=(),
        drawer=None,
        ended_by="",
    )
    return (
        state
        if setup_values["deck"] is None
        else resolve_goals(_dealt(state, setup_values["deck"]))
    )


def _dealt(state: State, deck: tuple[Card, ...]) -> State:
    seats = len(state.hands)
    hands = tuple(tuple(sorted(deck[HAND * s : HAND * s + HAND])) for s in range(seats))
    tops = deck[HAND * seats : HAND * seats + PILES]
    return state._replace(
        hands=hands,
        piles=tuple((card,) for card in tops),
        tops=tops,
        deck=deck[HAND * seats + PILES :],
    )


def _names(cards: tuple[Card, ...]) -> list[str]:
    return [NAMES[card] for card in cards]


def _hand_to_json(hand: Hand) -> list[str | None] | None:
    """Return *hand* with null for each hidden card; null alone if all are hidden."""
    if hand is None or (hand and hand[-1] == HIDDEN):
        return None
    return [NAMES[card] if card >= 0 else None for card in hand]


def state_to_json(state: State) -> dict[str, Any]:
    """Return all that the engine knows of *state*, hands and the cards to draw included."""
    result = outcome(state)
    return {
        "options": options_to_json(state.options),
        "phase": state.phase,
        "turn": turn(state),
        "seat": state.seat,
        "piles": [_names(pile) for pile in state.piles],
        "hands": [_hand_to_json(hand) for hand in state.hands],
        "hand_sizes": [None if hand is None else len(hand) for hand in state.hands],
        "deck": _names(state.deck) if len(state.deck) == state.cards_left else None,
        "cards_left": state.cards_left,
        "goals": [goal.text for goal in state.goals],
        "coming_goals": list(state.coming),
        "goals_left": state.goals_left,
        "met": [goal.text for goal in state.met],
        "scores": [len(state.met)] * len(state.hands),
        "winners": list(result.winners) if result else None,
        "ended_by": state.ended_by or None,
    }


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know; None is a bystander, who sees no hand but open ones (TP-16).

    The piles may be looked through (TP-4), so which cards are still to come is public. `talk` is
    what may be said (TP-10, TP-15).
    """
    seen = state_to_json(state)
    options = state.options
    if not options.open_hands:
        seen["hands"] = [hand if s == seat else None for s, hand in enumerate(seen["hands"])]
    for hidden in ("deck", "coming_goals"):
        del seen[hidden]
    seen["unseen"] = {NAMES[card]: copies for card, copies in unseen(state).items()}
    talk = "silence" if options.silence else "open" if options.open_hands else "usual"
    seen["talk"] = TALK[talk]
    seen["warnings"] = list(warnings(state))
    return seen


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* with all that *seat* may not know unknown; None is a bystander.

    Open hands are seen by all (TP-16).
    """
    hands = state.hands
    if not state.options.open_hands:
        hands = tuple(
            hand if hand is None or owner == seat else (HIDDEN,) * len(hand)
            for owner, hand in enumerate(hands)
        )
    return state._replace(hands=hands, deck=(), coming=())
