"""How a game of UNO Tiki is set up, and its options."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from companion.rules.base import InvalidSetup
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
    read_object,
    seat,
)
from companion.rules.notation import Choices, read_setup, require_seats
from companion.rules.uno_tiki.cards import HAND, HIDDEN, IS_TIKI, KINDS, Card, usual_census
from companion.rules.uno_tiki.rounds import deal
from companion.rules.uno_tiki.state import Match, Options, State

SEATS: Final = range(2, 11)  # UT-1
MAX_COPIES: Final = 99
MAX_TARGET_POINTS: Final = 9999
_CARD: Final = one_of(KINDS, "a card, such as red-7, wild or tiki-draw4")


def initial(
    seats: int,
    options: Mapping[str, Any] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> State:
    """Return the state before the first card.

    options: see `Options`; what is missing takes the rulebook's value.
    setup: `dealer`, a seat; without it everybody draws for the deal (UT-2). `decks`, for each
        coming round all cards in the order of dealing: seven for each seat from seat 0, then the
        cards to turn up and draw; in a round without one the hands are hidden until entered.
        `hands`, beside `dealer` and instead of `decks`: the first round's hands where they are
        known, seven cards or null for each seat (UT-20).
    Raises InvalidSetup.
    """
    require_seats(seats, SEATS, "UNO Tiki", "UT-1")
    chosen = parse_options(options or {}, seats)
    hand = optional(list_of(_CARD, f"a list of {HAND} cards", HAND, HAND), (HIDDEN,) * HAND)
    hands = list_of(
        hand, f"a list with {HAND} cards or null for each of the {seats} seats", seats, seats
    )
    setup_values = read_setup(
        setup,
        dealer=(optional(seat(seats), None), "UT-2"),
        decks=(
            optional(list_of(_deck(chosen), "a list of decks, one for each coming round"), ()),
            "UT-1",
        ),
        hands=(optional(hands, None), "UT-2"),
    )
    dealer, known = setup_values["dealer"], setup_values["hands"]
    match = Match(
        scores=(0,) * seats,
        dealer=dealer or 0,
        cuts=(),
        cutting=tuple(range(seats)) if dealer is None else (),
        counted=(None,) * seats,
        rounds=(),
        coming=setup_values["decks"],
    )
    if known is not None and dealer is None:
        raise InvalidSetup(
            "setup.hands stands without setup.dealer; give the seat that dealt (UT-2)"
        )
    if known is not None and match.coming:
        raise InvalidSetup(
            "setup.hands stands beside setup.decks, which deal the hands; give one of them (UT-2)"
        )
    if dealer is not None:
        state = deal(chosen, match)
        return state if known is None else state._replace(hands=tuple(map(_sorted, known)))
    blind = deal(chosen, match._replace(coming=()))
    return blind._replace(phase="cut", seat=0, match=match)


def _sorted(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(sorted(hand))


def _deck(options: Options) -> Codec[tuple[Card, ...]]:
    what = "all the cards of options.deck in the order of dealing"
    census = Counter(dict(options.deck))

    def read(thing: object) -> tuple[Card, ...]:
        deck = list_of(_CARD, what, most=MAX_COPIES * len(KINDS)).from_json(thing)
        given = Counter(deck)
        for card in KINDS:
            if given[card] != census[card]:
                raise InvalidValue(f"{what}: {card} {census[card]} times, not {given[card]} times")
        return deck

    return custom(what, read)


_A_CENSUS: Final = "an object of cards, such as red-7-spin, and numbers"


def _read_census(thing: object) -> tuple[tuple[Card, int], ...]:
    if not isinstance(thing, Mapping):
        raise invalid_value(_A_CENSUS, thing)
    for card in thing:
        if card not in KINDS:
            raise invalid_value(_A_CENSUS, card, KINDS)
    copies = read_object(thing, dict.fromkeys(thing, number(range(MAX_COPIES + 1))))
    return tuple(sorted(copies.items(), key=lambda entry: KINDS.index(entry[0])))


_OPTIONS: Final = Choices[Options](
    deck=(Codec(_A_CENSUS, _read_census, dict, _read_census, str), "UT-1"),
    scoring=(one_of(("winner", "lowest")), "UT-18"),
    target=(number(range(1, MAX_TARGET_POINTS + 1)), "UT-19"),
    two_player_reverse=(one_of(("skip", "none")), "UT-6"),
    discard_two=(one_of(("up_to_two", "two_or_none")), "UT-13"),
    last_card_spin=(flag(), "UT-17"),
    goto_overrides_skip=(flag(), "UT-14"),
)
options_to_json: Final = _OPTIONS.to_json


def parse_options(options: Mapping[str, Any], seats: int) -> Options:
    """Return a table's options, the rulebook's where *options* is silent; raises InvalidSetup."""
    chosen = _OPTIONS.read(Options(_read_census(usual_census())), options)
    usable = sum(copies for card, copies in chosen.deck if card not in IS_TIKI)
    if usable <= HAND * seats:
        raise InvalidSetup(
            f"deck is one of more than {HAND * seats} cards beside Tiki Faces for {seats} players,"
            f" not of {usable} (UT-1)"
        )
    return chosen
