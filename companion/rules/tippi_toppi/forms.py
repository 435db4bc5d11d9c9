"""Tippi Toppi in text and JSON: set-ups, actions, states and views."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.tippi_toppi.cards import (
    CARD_OF,
    CARDS,
    COPIES,
    DIFFICULTIES,
    DREW,
    GOALS,
    HAND,
    HIDDEN,
    NAMES,
    PILES,
    PLAYED,
    STUCK,
    TALK,
    TIME_UP,
    Action,
    Card,
    Drew,
    Laid,
    Played,
    Revealed,
    Stuck,
    TimeUp,
    Told,
)
from companion.rules.tippi_toppi.goals import ALTERNATIONS, RUN_ORDERS, parse_goal
from companion.rules.tippi_toppi.hands import unseen
from companion.rules.tippi_toppi.play import (
    goal_of,
    outcome,
    see_to_goals,
    turn,
    warnings,
)
from companion.rules.tippi_toppi.state import Hand, Options, State

SEATS: Final = range(1, 5)  # TP-1
MOST_GOALS: Final = 99


def format_action(action: Action) -> str:
    """Return the text of *action*; parse_action gives it back.

    >>> format_action(Played(6, 0)), format_action(Played(6, 0, 2))
    ('play green7 0', 'play green7 0 by 2')
    """
    match action:
        case Played(card, pile, None):
            return f"play {NAMES[card]} {pile}"
        case Played(card, pile, seat):
            return f"play {NAMES[card]} {pile} by {seat}"
        case Laid(card):
            return f"lay {NAMES[card]}"
        case Revealed(goal):
            return f"goal {goal}"
        case Drew(card):
            return f"drew {NAMES[card] if card >= 0 else 'hidden'}"
        case Told(seat, cards):
            return f"hand {seat} {' '.join(_names(cards))}"
        case Stuck():
            return "stuck"
        case TimeUp():
            return "time"


def parse_action(text: str) -> Action:
    """Return the action that *text* names: `play green7 0`, `lay pink2`, `goal sum pink 4`, ...

    Raises InvalidAction, saying what would be right.

    >>> parse_action("goal sum pink 4")
    Revealed(goal='sum pink 4')
    """
    match text.split():
        case ["play", card, ("0" | "1" | "2" | "3") as pile] if card in CARD_OF:
            return PLAYED[CARD_OF[card]][int(pile)]
        case ["play", card, ("0" | "1" | "2" | "3") as pile, "by", seat] if card in CARD_OF:
            if seat in ("0", "1", "2", "3"):
                return Played(CARD_OF[card], int(pile), int(seat))
        case ["lay", card] if card in CARD_OF:
            return Laid(CARD_OF[card])
        case ["goal", *words]:
            return Revealed(parse_goal(" ".join(words)).text)
        case ["drew", card] if card in CARD_OF:
            return DREW[CARD_OF[card]]
        case ["drew", "hidden"]:
            return DREW[HIDDEN]
        case ["hand", ("0" | "1" | "2" | "3") as seat, *cards] if cards and all(
            map(is_name, cards)
        ):
            return Told(int(seat), _cards(cards))
        case ["stuck"]:
            return STUCK
        case ["time"]:
            return TIME_UP
    raise InvalidAction(
        f"'{text[:60]}' is no action; an action is 'play green7 0' (a card, a pile from 0 to 3),"
        " 'play green7 0 by 2', 'lay green7', 'goal sum pink 4', 'drew green7',"
        " 'drew hidden', 'hand 2 green7 pink1 pink2 pink2', 'stuck' or 'time'"
    )


def is_name(card: object) -> bool:
    """Tell whether *card* names a number card."""
    return isinstance(card, str) and card in CARD_OF


def _cards(names: Sequence[str]) -> tuple[Card, ...]:
    return tuple(sorted(CARD_OF[name] for name in names))


def _is_in(number: object, allowed: range) -> bool:
    return type(number) is int and number in allowed


def action_from_json(thing: object) -> Action:
    """Return the action given as its text or as an object with a `type`; raises InvalidAction."""
    match thing:
        case str():
            return parse_action(thing)
        case {"type": "played", "card": str(card), "pile": pile, **rest} if card in CARD_OF:
            seat = rest.pop("seat", None)
            if _is_in(pile, range(PILES)) and not rest and (seat is None or _is_in(seat, range(4))):
                return Played(CARD_OF[card], pile, None if seat is None else int(str(seat)))
        case {"type": "laid", "card": str(card), **rest} if card in CARD_OF and not rest:
            return Laid(CARD_OF[card])
        case {"type": "revealed", "goal": str(goal), **rest} if not rest:
            return Revealed(parse_goal(goal).text)
        case {"type": "drew", "card": None | str() as card, **rest} if not rest:
            if card is None or card in CARD_OF:
                return DREW[HIDDEN if card is None else CARD_OF[card]]
        case {"type": "told", "seat": seat, "cards": [*cards], **rest} if not rest:
            if _is_in(seat, range(4)) and cards and all(map(is_name, cards)):
                return Told(int(str(seat)), _cards(cards))
        case {"type": "stuck", **rest} if not rest:
            return STUCK
        case {"type": "time_up", **rest} if not rest:
            return TIME_UP
    raise InvalidAction(
        "an action is its text, or an object with type 'played' (card, pile, seat), 'laid' (card),"
        " 'revealed' (goal), 'drew' (card), 'told' (seat, cards), 'stuck' or 'time_up'"
    )


def action_to_json(action: Action) -> dict[str, Any]:
    """Return *action* as an object with a `type`."""
    match action:
        case Played(card, pile, seat):
            told = {} if seat is None else {"seat": seat}
            return {"type": "played", "card": NAMES[card], "pile": pile, **told}
        case Laid(card):
            return {"type": "laid", "card": NAMES[card]}
        case Revealed(goal):
            return {"type": "revealed", "goal": goal}
        case Drew(card):
            return {"type": "drew", "card": NAMES[card] if card >= 0 else None}
        case Told(seat, cards):
            return {"type": "told", "seat": seat, "cards": _names(cards)}
        case Stuck():
            return {"type": "stuck"}
        case TimeUp():
            return {"type": "time_up"}


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
        four cards or null for each seat; TP-18). Without `deck` cards drawn are told or hidden.
    Raises InvalidSetup.
    """
    if not _is_in(seats, SEATS):
        raise InvalidSetup(f"Tippi Toppi is for 1 to 4 players, not {seats!r} (TP-1)")
    setup = dict(setup or {})
    first, deck, goals = setup.pop("first", 0), setup.pop("deck", None), setup.pop("goals", None)
    hands = setup.pop("hands", None)
    if setup:
        raise InvalidSetup(f"setup has no '{next(iter(setup))}'; it has first, deck, goals, hands")
    if hands is not None and deck is not None:
        raise InvalidSetup("setup.hands is instead of setup.deck, which says the hands itself")
    if not _is_in(first, range(seats)):
        raise InvalidSetup(f"setup.first is a seat from 0 to {seats - 1}, not {first!r}")
    chosen = parse_options(options or {}, seats)
    coming = _parse_goals(goals, chosen, "setup.goals") if goals is not None else ()
    if goals is not None and len(coming) < chosen.goals:
        raise InvalidSetup(f"setup.goals has {len(coming)} goals, {chosen.goals} are needed (TP-2)")
    state = State(
        options=chosen,
        phase="lay",
        seat=first,
        piles=((),) * PILES,
        tops=(),
        hands=_parse_hands(hands, seats, chosen),
        deck=(),
        cards_left=CARDS - HAND * seats - PILES,
        goals=(),
        coming=coming[: chosen.goals],
        goals_left=chosen.goals,
        met=(),
        drawer=None,
        ended_by="",
    )
    return state if deck is None else see_to_goals(_dealt(state, _parse_deck(deck)))


def _parse_deck(deck: object) -> tuple[Card, ...]:
    if isinstance(deck, list) and all(isinstance(name, str) and name in CARD_OF for name in deck):
        cards = tuple(CARD_OF[name] for name in deck)
        if Counter(cards) == dict.fromkeys(range(len(NAMES)), COPIES):
            return cards
    raise InvalidSetup("setup.deck has all 56 cards, two of each from green1 to purple7 (TP-1)")


def _parse_hands(hands: object, seats: int, options: Options) -> tuple[Hand, ...]:
    unknown = (HIDDEN,) * HAND
    if hands is None:
        return (None if options.high_speed else unknown,) * seats
    if not isinstance(hands, list) or len(hands) != seats:
        raise InvalidSetup(f"setup.hands has {HAND} cards or null for each of {seats} seats (TP-2)")
    for hand in hands:
        told = isinstance(hand, list) and len(hand) == HAND and all(map(is_name, hand))
        if hand is not None and not told:
            raise InvalidSetup(f"a hand of setup.hands is {HAND} cards, such as green7, or null")
    if max(Counter(card for hand in hands for card in hand or ()).values(), default=0) > COPIES:
        raise InvalidSetup(f"setup.hands has a card more than {COPIES} times (TP-1)")
    return tuple(unknown if hand is None else _cards(hand) for hand in hands)


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


def _parse_goals(goals: object, options: Options, where: str) -> tuple[str, ...]:
    if not isinstance(goals, list) or not all(isinstance(goal, str) for goal in goals):
        raise InvalidSetup(f"{where} is a list of goals, such as 'sum pink 4' (TP-7)")
    try:
        return tuple(goal_of(options, goal).text for goal in goals)
    except InvalidAction as error:
        raise InvalidSetup(f"{where}: {error} (TP-7)") from None


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    difficulty = options.get("difficulty", "normal")
    if difficulty not in DIFFICULTIES:
        raise InvalidSetup(f"difficulty is one of {', '.join(DIFFICULTIES)} (TP-2)")
    usual = Options(difficulty, GOALS[seats][DIFFICULTIES.index(difficulty)])
    chosen = options_to_json(usual) | dict(options)
    unknown = set(options) - set(options_to_json(usual))
    if unknown:
        known = ", ".join(options_to_json(usual))
        raise InvalidSetup(f"there is no option '{min(unknown, key=str)}'; the options are {known}")
    for key, clause in (("high_speed", "TP-14"), ("silence", "TP-15"), ("open_hands", "TP-16")):
        if not isinstance(chosen[key], bool):
            raise InvalidSetup(f"{key} is true or false ({clause})")
    for key, words in (("run_order", RUN_ORDERS), ("alternating", ALTERNATIONS)):
        if chosen[key] not in words:
            raise InvalidSetup(f"{key} is one of {', '.join(words)} (TP-7)")
    if not _is_in(chosen["goals"], range(1, MOST_GOALS + 1)):
        raise InvalidSetup(f"goals is a number from 1 to {MOST_GOALS} (TP-2)")
    whole = Options(**{**chosen, "goal_deck": ()})
    deck = _parse_goals(chosen["goal_deck"], whole, "goal_deck")
    if deck and len(deck) < whole.goals:
        raise InvalidSetup(f"goal_deck has {len(deck)} goals, {whole.goals} are needed (TP-2)")
    return Options(**{**chosen, "goal_deck": deck})


def options_to_json(options: Options) -> dict[str, Any]:
    """Return *options* as parse_options takes them."""
    return {
        "difficulty": options.difficulty,
        "goals": options.goals,
        "goal_deck": list(options.goal_deck),
        "high_speed": options.high_speed,
        "silence": options.silence,
        "open_hands": options.open_hands,
        "run_order": options.run_order,
        "alternating": options.alternating,
    }


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
