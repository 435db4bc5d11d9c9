"""Tiki Topple in text and JSON: set-ups, actions, states and views."""

from collections.abc import Mapping
from typing import Any, Final, TypeGuard

from companion.rules.base import InvalidAction, InvalidSetup
from companion.rules.codec import (
    Codec,
    InvalidValue,
    custom,
    flag,
    invalid_value,
    list_of,
    number,
    one_of,
    optional,
    plain,
    read_object,
    seat,
)
from companion.rules.notation import Choices, Kind, Notation, read_setup, require_seats
from companion.rules.tiki_topple.pieces import CARDS, TIKIS, Hand, SecretCard, Tiki
from companion.rules.tiki_topple.play import outcome, turn, warnings
from companion.rules.tiki_topple.state import Action, Chance, Dealt, Lined, Options, Played, State

SEATS: Final = range(2, 5)  # TT-1
MAX_ROUNDS: Final = 99
_TIKI: Final = one_of(TIKIS)
_CARD: Final = one_of(CARDS)
_PLACES: Final = dict.fromkeys(SecretCard._fields, _TIKI)
_THREE: Final = list_of(
    _TIKI, f"three different tikis: {', '.join(_PLACES)}", len(_PLACES), len(_PLACES), differ=True
)


def is_tiki(name: object) -> TypeGuard[Tiki]:
    """Tell whether *name* is one of the nine tikis."""
    return name in TIKIS


def _read_secret_card(thing: object) -> SecretCard:
    if isinstance(thing, Mapping):
        thing = list(read_object(thing, _PLACES).values())
    return SecretCard(*_THREE.from_json(thing))


def parse_secret_card(card: object) -> SecretCard:
    """Return the secret card given as three names or as an object with top9, middle5 and bottom2.

    Raises InvalidAction.
    """
    try:
        return _read_secret_card(card)
    except InvalidValue as error:
        raise InvalidAction(f"a secret card is {error}") from None


_SECRET_CARD: Final = Codec[SecretCard](
    _THREE.what, _read_secret_card, plain, lambda text: _read_secret_card(text.split()), " ".join
)
_ACTIONS: Final = Notation[Action](
    Kind(
        Played,
        "played",
        f"a card ({', '.join(CARDS)}) and a tiki ({', '.join(TIKIS)}), such as 'up2 nani'",
        {"card": _CARD, "tiki": _TIKI},
        first_words=CARDS,
    ),
    Kind(Lined, "lined", f"'line {' '.join(TIKIS)}'", {"line": list_of(_TIKI, "a line of tikis")}),
    Kind(
        Dealt,
        "dealt",
        "'card 0 kapu nui nani' (a seat, three tikis)",
        {"seat": seat(100), "card": _SECRET_CARD},
    ),
)
format_action: Final = _ACTIONS.format_action
parse_action: Final = _ACTIONS.parse_action
action_to_json: Final = _ACTIONS.action_to_json
action_from_json: Final = _ACTIONS.action_from_json


_A_HAND: Final = (
    f"a list of cards ({', '.join(CARDS)}), at least one of them no toast, since nobody may begin"
    " with that"
)


def _read_hand(thing: object) -> Hand:
    """Return a hand in the order of CARDS."""
    cards = list_of(_CARD, _A_HAND).from_json(thing)
    if not set(cards) - {"toast"}:
        raise invalid_value(_A_HAND, thing)
    return tuple(sorted(cards, key=CARDS.index))


_OPTIONS: Final = Choices[Options](
    rounds=(number(range(1, MAX_ROUNDS + 1)), "TT-12"),
    hand=(custom(_A_HAND, _read_hand), "TT-8"),
    topple_last=(flag(), "TT-6"),
    tie=(one_of(("playoff", "share")), "TT-13"),
)
options_to_json: Final = _OPTIONS.to_json


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    return _OPTIONS.read(Options.usual(seats), options)


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
    require_seats(seats, SEATS, "Tiki Topple", "TT-1")
    cards = list_of(
        optional(_SECRET_CARD, None),
        f"a list with a secret card or null for each of the {seats} seats",
        seats,
        seats,
    )
    chance = {
        "line": optional(list_of(_TIKI, "all nine tikis, each once", 9, 9, differ=True), None),
        "cards": optional(cards, (None,) * seats),
    }
    rounds = list_of(
        custom("an object", lambda thing: Chance(**read_object(thing, chance))),
        "a list of one or more objects with line and cards",
        least=1,
    )
    setup_values = read_setup(
        setup,
        first=(optional(seat(seats), 0), "TT-1"),
        rounds=(optional(rounds, None), "TT-2, TT-3"),
        line=(chance["line"], "TT-2"),
        cards=(chance["cards"], "TT-3"),
    )
    beside = [key for key in chance if key in (setup or {})]
    if setup_values["rounds"] is not None and beside:
        raise InvalidSetup(
            f"setup.rounds stands beside {' and '.join(beside)}; give what is known of the first"
            " round in the first object of rounds, not both (TT-2, TT-3)"
        )
    coming = setup_values["rounds"] or (Chance(setup_values["line"], setup_values["cards"]),)
    chosen = parse_options(options or {}, seats)
    return State(
        options=chosen,
        phase="play" if coming[0].line else "line",
        players=tuple(range(seats)),
        starter=setup_values["first"],
        seat=setup_values["first"],
        line=coming[0].line or (),
        hands=(chosen.hand,) * seats,
        cards=coming[0].cards,
        scores=(0,) * seats,
        ended_by="",
        rounds=(),
        coming=coming[1:],
    )


def state_to_json(state: State) -> dict[str, Any]:
    """Return all that the engine knows of *state*, secrets included."""
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
        "cards": plain(state.cards),
        "scores": list(state.scores),
        "rounds": plain(state.rounds),
    }


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Return what *seat* may know; None is a bystander, who knows no secret card (TT-3).

    Played cards lie open (TT-4), so all hands are public; of the coming rounds nothing is shown.
    """
    seen = seen_by(state, seat)
    known = state_to_json(seen)
    known["warnings"] = list(warnings(seen))
    result = outcome(state)
    known["winners"] = list(result.winners) if result else None
    return known


def seen_by(state: State, seat: int | None) -> State:
    """Return *state* with all that *seat* may not know unknown; None is a bystander (TT-3)."""
    if state.phase == "over":
        return state._replace(coming=())
    cards = tuple(card if owner == seat else None for owner, card in enumerate(state.cards))
    return state._replace(cards=cards, coming=())
