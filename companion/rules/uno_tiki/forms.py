"""UNO Tiki in text and JSON: set-ups, actions, states and views."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.rules.base import InvalidAction
from companion.rules.uno_tiki.cards import (
    COLOURS,
    DREW,
    HIDDEN,
    IS_WILD,
    KEPT,
    KINDS,
    PASSED,
    Action,
    Called,
    Card,
    Caught,
    Chosen,
    Counted,
    Cut,
    Discarded,
    Drew,
    Kept,
    Named,
    Passed,
    Played,
    Spun,
    Told,
    Took,
    TurnedUp,
)
from companion.rules.uno_tiki.legal import turn
from companion.rules.uno_tiki.play import outcome, warnings
from companion.rules.uno_tiki.setup import options_to_json
from companion.rules.uno_tiki.state import Hand, State

_KINDS: Final = frozenset(KINDS)
_SEAT_WORDS: Final = {str(seat): seat for seat in range(10)}

_BY_CARD: Final[dict[str, Callable[[Card], Action]]] = {
    "cut": Cut,
    "turn": TurnedUp,
    "drew": Took,
    "discard": Discarded,
}
_BY_SEAT: Final[dict[str, Callable[[int], Action]]] = {
    "choose": Chosen,
    "uno": Called,
    "catch": Caught,
}
_ALONE: Final[dict[str, Action]] = {"draw": DREW, "pass": PASSED, "keep": KEPT}


def format_action(action: Action) -> str:
    """Return the text of *action*; parse_action gives it back.

    >>> format_action(Played("wild", "red")), format_action(Spun((1, 2)))
    ('play wild red', 'spin between 1 2')
    """
    match action:
        case Played(card, colour):
            return f"play {card} {colour}" if colour else f"play {card}"
        case Spun(seats):
            return f"spin {_stop(seats)}"
        case Named(colour):
            return f"colour {colour}"
        case Counted(seat, points):
            return f"count {seat} {points}"
        case Drew():
            return "draw"
        case Passed():
            return "pass"
        case Kept():
            return "keep"
        case Chosen(seat):
            return f"choose {seat}"
        case Called(seat):
            return f"uno {seat}"
        case Caught(seat):
            return f"catch {seat}"
        case Cut(card):
            return f"cut {card}"
        case TurnedUp(card):
            return f"turn {card}"
        case Took(card):
            return f"drew {card or 'hidden'}"
        case Told(seat, cards):
            return f"hand {seat} {' '.join(cards)}"
        case Discarded(card):
            return f"discard {card}"


def _stop(seats: tuple[int, ...]) -> str:
    if len(seats) == 2:
        return f"between {seats[0]} {seats[1]}"
    return str(seats[0]) if seats else "void"


def parse_action(text: str) -> Action:
    """Return the action that *text* names: `play red-7`, `play wild blue`, `draw`, `spin 2`, ...

    Raises InvalidAction, saying what would be right.

    >>> parse_action("spin void")
    Spun(seats=())
    """
    match text.split():
        case ["play", card] if card in _KINDS and card not in IS_WILD:
            return Played(card)
        case ["play", card, colour] if card in IS_WILD and colour in COLOURS:
            return Played(card, colour)
        case [word] if word in _ALONE:
            return _ALONE[word]
        case [word, card] if word in _BY_CARD and card in _KINDS:
            return _BY_CARD[word](card)
        case [word, seat] if word in _BY_SEAT and seat in _SEAT_WORDS:
            return _BY_SEAT[word](_SEAT_WORDS[seat])
        case ["drew", "hidden"]:
            return Took(HIDDEN)
        case ["hand", seat, *cards] if seat in _SEAT_WORDS and cards and _KINDS.issuperset(cards):
            return Told(_SEAT_WORDS[seat], tuple(sorted(cards)))
        case ["spin", "void"]:
            return Spun(())
        case ["spin", seat] if seat in _SEAT_WORDS:
            return Spun((_SEAT_WORDS[seat],))
        case ["spin", "between", one, two] if one in _SEAT_WORDS and two in _SEAT_WORDS:
            return Spun((_SEAT_WORDS[one], _SEAT_WORDS[two]))
        case ["colour", colour] if colour in COLOURS:
            return Named(colour)
        case ["count", seat, points] if seat in _SEAT_WORDS and _is_number(points):
            return Counted(_SEAT_WORDS[seat], int(points))
    raise InvalidAction(
        f"'{text[:60]}' is no action; an action is 'play red-7', 'play wild blue', 'draw', 'pass',"
        " 'spin 2', 'spin between 1 2', 'spin void', 'choose 1', 'discard red-7', 'keep', 'uno 1',"
        " 'catch 1', 'turn red-7', 'colour red', 'drew red-7', 'drew hidden',"
        " 'hand 2 red-7 wild', 'cut red-7' or 'count 2 35'"
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 4 and text == str(int(text))


def action_from_json(thing: object) -> Action:
    """Return the action given as its text or as an object with a `type`; raises InvalidAction."""
    if isinstance(thing, str):
        return parse_action(thing)
    if isinstance(thing, Mapping):
        fields = dict(thing)
        words = [_WORDS.get(str(fields.pop("type", "")), "")]
        seats = fields.pop("seats", None)
        if words == ["spin"] and isinstance(seats, list):
            words += {0: ["void"], 2: ["between"]}.get(len(seats), [])
            words += [_word(seat, int) for seat in seats]
        if words == ["drew"] and fields.get("card", "") is None:
            fields["card"] = "hidden"
        cards = fields.pop("cards", None)
        # The values in the order of the text form are the text form.
        words += [_word(fields[key], kind) for key, kind in _FIELDS.items() if key in fields]
        if words == ["hand", words[-1]] and isinstance(cards, list):
            words += [_word(card, str) for card in cards]
            cards = None
        expected = action_keys(words[0])
        if fields.keys() <= expected and (seats is None or words[0] == "spin") and cards is None:
            try:
                return parse_action(" ".join(words))
            except InvalidAction:
                pass
    raise InvalidAction(
        "an action is its text, or an object with type played (card, colour), drew, passed, spun"
        " (seats), chosen (seat), discarded (card), kept, called (seat), caught (seat), turned_up"
        " (card), named (colour), took (card), told (seat, cards), cut (card) or counted (seat,"
        " points)"
    )


_WORDS: Final = {
    "played": "play",
    "drew": "draw",
    "passed": "pass",
    "spun": "spin",
    "chosen": "choose",
    "discarded": "discard",
    "kept": "keep",
    "called": "uno",
    "caught": "catch",
    "turned_up": "turn",
    "named": "colour",
    "took": "drew",
    "told": "hand",
    "cut": "cut",
    "counted": "count",
}
_TYPES: Final = {word: name for name, word in _WORDS.items()}


def action_keys(word: str) -> set[str]:
    """Return the fields of the action whose text begins with *word*."""
    if word in _BY_CARD:
        return {"card"}
    if word in _BY_SEAT:
        return {"seat"}
    return _KEYS.get(word, set())


_KEYS: Final = {
    "play": {"card", "colour"},
    "colour": {"colour"},
    "count": {"seat", "points"},
    "hand": {"seat"},
}
_FIELDS: Final = {"card": str, "seat": int, "colour": str, "points": int}


def _word(value: object, kind: type) -> str:
    return str(value) if type(value) is kind and str(value).split() == [str(value)] else "?"


def action_to_json(action: Action) -> dict[str, Any]:
    """Return *action* as an object with a `type`."""
    told: dict[str, Any] = {"type": _TYPES[format_action(action).split()[0]]}
    match action:
        case Played(card, colour):
            told |= {"card": card, "colour": colour} if colour else {"card": card}
        case Cut(card) | TurnedUp(card) | Took(card) | Discarded(card):
            told["card"] = card or None
        case Told(seat, cards):
            told |= {"seat": seat, "cards": list(cards)}
        case Chosen(seat) | Called(seat) | Caught(seat):
            told["seat"] = seat
        case Spun(seats):
            told["seats"] = list(seats)
        case Named(colour):
            told["colour"] = colour
        case Counted(seat, points):
            told |= {"seat": seat, "points": points}
        case _:
            pass
    return told


def _hand_to_json(hand: Hand) -> list[Card | None] | None:
    """Return *hand* with null for each hidden card; null alone if all are hidden."""
    return [card or None for card in hand] if any(hand) or not hand else None


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
        "between": list(state.between),
        "exposed": state.exposed if state.exposed >= 0 else None,
        "cuts": [{"seat": seat, "value": value} for seat, value in match.cuts],
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
