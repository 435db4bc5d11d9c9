"""Tiki Topple in text and JSON: set-ups, actions, states and views."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard, cast

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.tiki_topple.pieces import CARDS, TIKIS, Card, Hand, Line, SecretCard, Tiki
from companion.rules.tiki_topple.play import outcome, turn, warnings
from companion.rules.tiki_topple.state import (
    Action,
    Chance,
    Dealt,
    Lined,
    Options,
    Played,
    State,
)

SEATS: Final = range(2, 5)  # TT-1
MOST_ROUNDS: Final = 99


def is_tiki(name: object) -> TypeGuard[Tiki]:
    """Tell whether *name* is one of the nine tikis."""
    return name in TIKIS


def is_card(name: object) -> TypeGuard[Card]:
    """Tell whether *name* is an action card."""
    return name in CARDS


def format_action(action: Action) -> str:
    """Return the text of *action*; parse_action gives it back.

    >>> format_action(Played("up2", "nani"))
    'up2 nani'
    """
    match action:
        case Played(card, tiki):
            return f"{card} {tiki}"
        case Lined(line):
            return " ".join(("line", *line))
        case Dealt(seat, card):
            return f"card {seat} {' '.join(card)}"


def parse_action(text: str) -> Action:
    """Return the action that *text* names: `up2 nani`, `line nani ...`, `card 0 kapu nui nani`.

    Raises InvalidAction, saying what would be right.

    >>> parse_action("toast eepo")
    Played(card='toast', tiki='eepo')
    """
    words = text.split()
    match words:
        case [card, tiki] if is_card(card) and is_tiki(tiki):
            return Played(card, tiki)
        case ["line", *tikis]:
            return Lined(_line(tikis))
        case ["card", seat, *tikis] if seat.isascii() and seat.isdigit() and len(seat) < 3:
            return Dealt(int(seat), parse_secret_card(tikis))
    raise InvalidAction(
        f"'{text[:60]}' is no action; an action is a card ({', '.join(CARDS)}) and a tiki"
        f" ({', '.join(TIKIS)}), such as 'up2 nani'"
    )


def _line(names: Sequence[object]) -> Line:
    tikis = tuple(name for name in names if is_tiki(name))
    if len(tikis) != len(names):
        raise InvalidAction(f"a line is made of these tikis: {', '.join(TIKIS)}")
    return tikis


def parse_secret_card(card: object) -> SecretCard:
    """Return the secret card given as three names or as an object with top9, middle5 and bottom2.

    Raises InvalidAction.
    """
    if isinstance(card, Mapping) and set(card) == set(SecretCard._fields):
        card = [card[field] for field in SecretCard._fields]
    if isinstance(card, Sequence) and len(card) == len(SecretCard._fields):
        tikis = [name for name in card if is_tiki(name)]
        if len(tikis) == len(card) == len(set(tikis)):
            return SecretCard(*tikis)
    raise InvalidAction("a secret card is three different tikis: top9, middle5, bottom2")


def action_from_json(thing: object) -> Action:
    """Return the action given as its text or as an object with a `type`; raises InvalidAction."""
    match thing:
        case str():
            return parse_action(thing)
        case {"type": "played", "card": card, "tiki": tiki, **rest} if not rest:
            if is_card(card) and is_tiki(tiki):
                return Played(card, tiki)
        case {"type": "lined", "line": [*names], **rest} if not rest:
            return Lined(_line(names))
        case {"type": "dealt", "seat": int(seat), "card": card, **rest} if not rest:
            if not isinstance(seat, bool):
                return Dealt(seat, parse_secret_card(card))
    raise InvalidAction(
        "an action is its text, or an object with type 'played' (card, tiki), 'lined' (line) or"
        " 'dealt' (seat, card)"
    )


def action_to_json(action: Action) -> dict[str, Any]:
    """Return *action* as an object with a `type`."""
    match action:
        case Played(card, tiki):
            return {"type": "played", "card": card, "tiki": tiki}
        case Lined(line):
            return {"type": "lined", "line": list(line)}
        case Dealt(seat, card):
            return {"type": "dealt", "seat": seat, "card": card._asdict()}


def initial(
    seats: int,
    options: Mapping[str, Any] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> State:
    """Return the state before the first card.

    options: see `Options`; what is missing takes the rulebook's value.
    setup: `first` (the seat that starts, 0 if missing), and `rounds`: for each coming round an
        object with `line` (nine names, top first) and `cards` (a secret card or null by seat).
        `line` and `cards` beside `first` stand for the first round alone. What is missing is to
        be observed.
    Raises InvalidSetup.
    """
    if type(seats) is not int or seats not in SEATS:
        raise InvalidSetup(f"Tiki Topple is for 2 to 4 players, not {seats!r} (TT-1)")
    setup = dict(setup or {})
    first = setup.pop("first", 0)
    if type(first) is not int or not 0 <= first < seats:
        raise InvalidSetup(f"setup.first is a seat from 0 to {seats - 1}, not {first!r}")
    rounds = setup.pop("rounds", None)
    if rounds is None:
        rounds = [{key: setup.pop(key) for key in ("line", "cards") if key in setup}]
    if setup.keys() & {"line", "cards"}:
        raise InvalidSetup(
            "setup has line and cards for the first round alone, or rounds for several, not both"
        )
    if setup:
        raise InvalidSetup(f"setup has no '{next(iter(setup))}'; it has first, line, cards, rounds")
    if not isinstance(rounds, list) or not rounds:
        raise InvalidSetup("setup.rounds is a list of objects with line and cards")
    coming = tuple(_parse_chance(chance, seats) for chance in rounds)
    chosen = parse_options(options or {}, seats)
    return State(
        options=chosen,
        phase="play" if coming[0].line else "line",
        players=tuple(range(seats)),
        starter=first,
        seat=first,
        line=coming[0].line or (),
        hands=(chosen.hand,) * seats,
        cards=coming[0].cards,
        scores=(0,) * seats,
        ended_by="",
        rounds=(),
        coming=coming[1:],
    )


def _parse_chance(chance: object, seats: int) -> Chance:
    if not isinstance(chance, Mapping) or not set(chance) <= {"line", "cards"}:
        raise InvalidSetup("a round's set-up is an object with line and cards")
    line, cards = chance.get("line"), chance.get("cards")
    if line is not None and (not isinstance(line, list) or sorted(map(str, line)) != sorted(TIKIS)):
        raise InvalidSetup("a starting line has all nine tikis, each once (TT-2)")
    if cards is not None and (not isinstance(cards, list) or len(cards) != seats):
        raise InvalidSetup(
            f"cards has one secret card or null for each of the {seats} seats (TT-3)"
        )
    try:
        return Chance(
            _line(line) if line else None,
            tuple(
                None if card is None else parse_secret_card(card)
                for card in cards or [None] * seats
            ),
        )
    except InvalidAction as error:
        raise InvalidSetup(f"{error} (TT-3)") from None


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    usual = Options.usual(seats)
    chosen = options_to_json(usual) | dict(options)
    unknown = set(options) - set(options_to_json(usual))
    if unknown:
        known = ", ".join(options_to_json(usual))
        raise InvalidSetup(f"there is no option '{min(unknown, key=str)}'; the options are {known}")
    rounds, hand = chosen["rounds"], chosen["hand"]
    if type(rounds) is not int or not 1 <= rounds <= MOST_ROUNDS:
        raise InvalidSetup(f"rounds is a number from 1 to {MOST_ROUNDS}, not {rounds!r} (TT-12)")
    if not isinstance(hand, list) or not all(map(is_card, hand)) or not set(hand) - {"toast"}:
        raise InvalidSetup(
            f"hand is a list of {', '.join(CARDS)}, not of toasts alone, or no first card could be"
            " played (TT-8)"
        )
    if not isinstance(chosen["topple_last"], bool):
        raise InvalidSetup("topple_last is true or false (TT-6)")
    if chosen["tie"] not in ("playoff", "share"):
        raise InvalidSetup("tie is 'playoff' or 'share' (TT-13)")
    cards = cast("Hand", tuple(sorted(hand, key=CARDS.index)))
    return Options(rounds, cards, chosen["topple_last"], chosen["tie"])


def options_to_json(options: Options) -> dict[str, Any]:
    """Return *options* as parse_options takes them."""
    return {
        "rounds": options.rounds,
        "hand": list(options.hand),
        "topple_last": options.topple_last,
        "tie": options.tie,
    }


def state_to_json(state: State) -> dict[str, Any]:
    """Return all that the engine knows of *state*, secrets included."""
    seats = range(len(state.scores))
    return {
        "options": options_to_json(state.options),
        "round": len(state.rounds) + (state.phase != "over"),
        "phase": state.phase,
        "players": list(state.players),
        "starter": state.starter,
        "turn": turn(state),
        "line": list(state.line),
        "toasted": [tiki for tiki in TIKIS if state.line and tiki not in state.line],
        "hands": [list(hand) for hand in state.hands],
        "cards": [_card_to_json(state.cards[seat]) for seat in seats],
        "scores": list(state.scores),
        "rounds": [
            {
                "line": list(played.line),
                "cards": [_card_to_json(card) for card in played.cards],
                "points": list(played.points),
                "ended_by": played.ended_by,
            }
            for played in state.rounds
        ],
    }


def _card_to_json(card: SecretCard | None) -> dict[str, Any] | None:
    return card._asdict() if card else None


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know; None is a bystander, who knows no secret card (TT-3).

    Played cards lie open (TT-4), so all hands are public; of the coming rounds nothing is shown.
    """
    known = state_to_json(state)
    if state.phase != "over":
        known["cards"] = [
            card if owner == seat else None for owner, card in enumerate(known["cards"])
        ]
    known["warnings"] = list(warnings(_as_seen(state, seat)))
    result = outcome(state)
    known["winners"] = list(result.winners) if result else None
    return known


def _as_seen(state: State, seat: int | None) -> State:
    if state.phase == "over":
        return state
    return state._replace(
        cards=tuple(card if owner == seat else None for owner, card in enumerate(state.cards))
    )
