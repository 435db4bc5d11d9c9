"""UNO Tiki in text and JSON: set-ups, actions, states and views."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.uno_tiki.cards import (
    COLOURS,
    DREW,
    HAND,
    IS_TIKI,
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
    Took,
    TurnedUp,
    usual_census,
)
from companion.rules.uno_tiki.legal import turn
from companion.rules.uno_tiki.play import outcome, warnings
from companion.rules.uno_tiki.rounds import deal, size
from companion.rules.uno_tiki.state import Hand, Match, Options, State

SEATS: Final = range(2, 11)  # UT-1
MOST_COPIES: Final = 99
MOST_POINTS: Final = 9999
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
            return f"drew {card}"
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
        " 'catch 1', 'turn red-7', 'colour red', 'drew red-7', 'cut red-7' or 'count 2 35'"
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
        # The values in the order of the text form are the text form.
        words += [_word(fields[key], kind) for key, kind in _FIELDS.items() if key in fields]
        expected = action_keys(words[0])
        if fields.keys() <= expected and (seats is None or words[0] == "spin"):
            try:
                return parse_action(" ".join(words))
            except InvalidAction:
                pass
    raise InvalidAction(
        "an action is its text, or an object with type played (card, colour), drew, passed, spun"
        " (seats), chosen (seat), discarded (card), kept, called (seat), caught (seat), turned_up"
        " (card), named (colour), took (card), cut (card) or counted (seat, points)"
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
    return {"play": {"card", "colour"}, "colour": {"colour"}, "count": {"seat", "points"}}.get(
        word, set()
    )


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
            told["card"] = card
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


def initial(
    seats: int,
    options: Mapping[str, Any] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> State:
    """Return the state before the first card.

    options: see `Options`; what is missing takes the rulebook's value.
    setup: `dealer`, a seat; without it everybody draws for the deal (UT-2). `decks`, for each
        coming round all cards in the order of dealing: seven for each seat from seat 0, then the
        cards to turn up and draw; in a round without one the hands stay unknown.
    Raises InvalidSetup.
    """
    if type(seats) is not int or seats not in SEATS:
        raise InvalidSetup(f"UNO Tiki is for 2 to 10 players, not {seats!r} (UT-1)")
    setup = dict(setup or {})
    dealer, decks = setup.pop("dealer", None), setup.pop("decks", [])
    if setup:
        raise InvalidSetup(f"setup has no '{next(iter(setup))}'; it has dealer, decks")
    if dealer is not None and (type(dealer) is not int or not 0 <= dealer < seats):
        raise InvalidSetup(f"setup.dealer is a seat from 0 to {seats - 1}, not {dealer!r} (UT-2)")
    chosen = parse_options(options or {}, seats)
    if not isinstance(decks, list):
        raise InvalidSetup("setup.decks is a list with a list of cards for each round (UT-1)")
    match = Match(
        scores=(0,) * seats,
        dealer=dealer or 0,
        cuts=(),
        cutting=tuple(range(seats)) if dealer is None else (),
        counted=(None,) * seats,
        rounds=(),
        coming=tuple(_parse_order(order, chosen) for order in decks),
    )
    if dealer is not None:
        return deal(chosen, match)
    blind = deal(chosen, match._replace(coming=()))
    return blind._replace(phase="cut", seat=0, match=match)


def _parse_order(order: object, options: Options) -> tuple[Card, ...]:
    if isinstance(order, list) and all(isinstance(card, str) for card in order):
        census = {card: copies for card, copies in options.deck if copies}
        if Counter(order) == census:
            return tuple(order)
    raise InvalidSetup("each of setup.decks has all the cards of options.deck (UT-1)")


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    usual = options_to_json(Options(tuple(usual_census().items())))
    unknown = set(options) - set(usual)
    if unknown:
        known = ", ".join(usual)
        raise InvalidSetup(f"there is no option '{min(unknown, key=str)}'; the options are {known}")
    chosen = usual | dict(options)
    for key, (words, clause) in _CHOICES.items():
        if chosen[key] not in words or type(chosen[key]) is not type(words[0]):
            told = " or ".join(str(word).lower() for word in words)
            raise InvalidSetup(f"{key} is {told} ({clause})")
    target = chosen["target"]
    if type(target) is not int or not 1 <= target <= MOST_POINTS:
        raise InvalidSetup(f"target is a number from 1 to {MOST_POINTS}, not {target!r} (UT-19)")
    return Options(**{**chosen, "deck": _parse_census(chosen["deck"], seats)})


_CHOICES: Final[dict[str, tuple[tuple[Any, ...], str]]] = {
    "scoring": (("winner", "lowest"), "UT-18"),
    "two_player_reverse": (("skip", "none"), "UT-6"),
    "discard_two": (("up_to_two", "two_or_none"), "UT-13"),
    "last_card_spin": ((True, False), "UT-17"),
    "goto_overrides_skip": ((True, False), "UT-14"),
}


def _parse_census(census: object, seats: int) -> tuple[tuple[Card, int], ...]:
    if not isinstance(census, dict) or not census.keys() <= _KINDS:
        raise InvalidSetup("deck is an object of cards, such as red-7-spin, and numbers (UT-1)")
    for card, copies in census.items():
        if type(copies) is not int or not 0 <= copies <= MOST_COPIES:
            raise InvalidSetup(f"deck.{card} is a number from 0 to {MOST_COPIES} (UT-1)")
    usable = sum(copies for card, copies in census.items() if card not in IS_TIKI)
    if usable <= HAND * seats:
        raise InvalidSetup(
            f"{seats} players need more than {HAND * seats} cards beside Tiki Faces, deck has"
            f" {usable} (UT-1)"
        )
    return tuple(sorted(census.items(), key=lambda entry: KINDS.index(entry[0])))


def options_to_json(options: Options) -> dict[str, Any]:
    """Return *options* as parse_options takes them."""
    return {
        "deck": dict(options.deck),
        "scoring": options.scoring,
        "target": options.target,
        "two_player_reverse": options.two_player_reverse,
        "discard_two": options.discard_two,
        "last_card_spin": options.last_card_spin,
        "goto_overrides_skip": options.goto_overrides_skip,
    }


def _hand_to_json(hand: Hand) -> list[Card] | None:
    return list(hand) if isinstance(hand, tuple) else None


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
        "hand_sizes": [size(hand) for hand in state.hands],
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
    del seen["deck"]
    if state.seat != seat:
        seen["drawn"] = None
    seen["warnings"] = list(warnings(state))
    return seen
