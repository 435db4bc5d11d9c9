"""UNO Tiki in text and JSON: actions, states and views."""

from typing import Any, Final

from companion.rules.codec import (
    Codec,
    InvalidValue,
    list_of,
    number,
    one_of,
    optional,
    seat,
)
from companion.rules.notation import Kind, Notation
from companion.rules.uno_tiki import cards
from companion.rules.uno_tiki.cards import COLOURS, HIDDEN, IS_WILD, KINDS, Action, Card
from companion.rules.uno_tiki.legal import turn
from companion.rules.uno_tiki.play import outcome, warnings
from companion.rules.uno_tiki.rounds import cut_value
from companion.rules.uno_tiki.setup import options_to_json
from companion.rules.uno_tiki.state import Hand, Pending, State

_A_STOP: Final = "a seat, two seats or nobody"
_SEAT: Final = seat(10)
_CARD: Final = one_of(KINDS, "a card, such as red-7, wild or tiki-draw4")
_COLOUR: Final = one_of(COLOURS)


def _played(card: Card, colour: str) -> cards.Played:
    if (card in IS_WILD) != bool(colour):
        raise InvalidValue("missing" if card in IS_WILD else "for a Wild only", "colour")
    return cards.Played(card, colour)


def _hand_declared(seat: int, hand: tuple[Card, ...]) -> cards.HandDeclared:
    return cards.HandDeclared(seat, tuple(sorted(hand)))


_ENDS: Final = list_of(_SEAT, _A_STOP, most=2)


def _parse_stop(text: str) -> tuple[int, ...]:
    if text == "void":
        return ()
    if text.startswith("between "):
        return list_of(_SEAT, "two seats", 2, 2).parse(text.removeprefix("between "))
    return (_SEAT.parse(text),)


def _format_stop(seats: tuple[int, ...]) -> str:
    words = ("void", "", "between ")[len(seats)]
    return words + _ENDS.format(seats)


_STOP: Final = Codec(_A_STOP, _ENDS.from_json, _ENDS.to_json, _parse_stop, _format_stop)
_ACTIONS: Final = Notation[Action](
    Kind(
        cards.Played,
        "played",
        "'play red-7', 'play wild blue'",
        {"card": _CARD, "colour": optional(_COLOUR, "", is_shown=False)},
        _played,
    ),
    Kind(cards.Drew, "drew", "'draw'"),
    Kind(cards.Passed, "passed", "'pass'"),
    Kind(cards.Spun, "spun", "'spin 2', 'spin between 1 2', 'spin void'", {"seats": _STOP}),
    Kind(cards.Chosen, "chosen", "'choose 1'", {"seat": _SEAT}),
    Kind(cards.Discarded, "discarded", "'discard red-7'", {"card": _CARD}),
    Kind(cards.Kept, "kept", "'keep'"),
    Kind(cards.Called, "called", "'uno 1'", {"seat": _SEAT}),
    Kind(cards.Caught, "caught", "'catch 1'", {"seat": _SEAT}),
    Kind(cards.TurnedUp, "turned_up", "'turn red-7'", {"card": _CARD}),
    Kind(cards.Named, "named", "'colour red'", {"colour": _COLOUR}),
    Kind(
        cards.Took,
        "took",
        "'drew red-7', 'drew hidden'",
        {"card": optional(_CARD, HIDDEN, "hidden")},
    ),
    Kind(
        cards.HandDeclared,
        "told",
        "'hand 2 red-7 wild'",
        {"seat": _SEAT, "cards": list_of(_CARD, "cards", least=1)},
        _hand_declared,
    ),
    Kind(cards.Cut, "cut", "'cut red-7'", {"card": _CARD}),
    Kind(
        cards.Counted,
        "counted",
        "'count 2 35' (a seat, its points)",
        {"seat": _SEAT, "points": number(range(10_000))},
    ),
)
format_action: Final = _ACTIONS.format_action
parse_action: Final = _ACTIONS.parse_action
action_to_json: Final = _ACTIONS.action_to_json
action_from_json: Final = _ACTIONS.action_from_json


def _hand_to_json(hand: Hand) -> list[Card | None] | None:
    """Return *hand* with null for each hidden card; null alone if all are hidden."""
    return [card or None for card in hand] if any(hand) or not hand else None


def _pending_to_json(pending: Pending | None) -> dict[str, Any] | None:
    return pending and {**pending._asdict(), "owed": abs(pending.owed)}


def state_to_json(state: State) -> dict[str, Any]:
    """Return all that the engine knows of *state*, hands and the cards to draw included."""
    match, result = state.match, outcome(state)
    return {
        "options": options_to_json(state.options),
        "round": len(match.rounds) + (state.phase != "over"),
        "phase": state.phase,
        "turn": turn(state),
        "seat": state.seat,
        "dealer": match.dealer,
        "direction": "left" if state.way == 1 else "right",
        "hands": [_hand_to_json(hand) for hand in state.hands],
        "hand_sizes": [len(hand) for hand in state.hands],
        "deck": list(state.deck) if len(state.deck) == state.deck_size else None,
        "deck_size": state.deck_size,
        "deck_shuffled": state.shuffled,
        "discard": list(state.discard),
        "colour": state.colour or None,
        "symbol": state.symbol or None,
        "idol": list(state.idol),
        "drawn": state.drawn or None,
        "target": state.target if state.phase in ("draw", "discard") else None,
        "owed": abs(state.owed),
        "pending": _pending_to_json(state.pending),
        "between": list(state.between),
        "exposed": state.exposed if state.exposed >= 0 else None,
        "cuts": [
            {"seat": seat, "card": card, "value": cut_value(card)} for seat, card in match.cuts
        ],
        "scores": list(match.scores),
        "rounds": [
            {
                "held": list(played.held),
                "winner": played.winner if played.winner >= 0 else None,
                "ended_by": played.ended_by,
            }
            for played in match.rounds
        ],
        "winners": list(result.winners) if result else None,
    }


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know; None is a bystander, who sees no hand.

    Played cards lie open, so the discard pile and the idol are public (UT-20).
    """
    seen = state_to_json(state)
    seen["hands"] = [hand if owner == seat else None for owner, hand in enumerate(seen["hands"])]
    for hidden in ("deck", "deck_shuffled"):
        del seen[hidden]
    if state.seat != seat:
        seen["drawn"] = None
    hands = tuple(hand if owner == seat else () for owner, hand in enumerate(state.hands))
    seen["warnings"] = list(warnings(state._replace(hands=hands)))
    return seen


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* with all that *seat* may not know unknown; None is a bystander (UT-20)."""
    hands = tuple(
        hand if owner == seat else (HIDDEN,) * len(hand) for owner, hand in enumerate(state.hands)
    )
    return state._replace(
        hands=hands,
        deck=(),
        shuffled=False,
        drawn=state.drawn if state.seat == seat else HIDDEN,
        match=state.match._replace(coming=()),
    )
