"""How a game of UNO Tiki is set up, and its options."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from companion.rules.base import InvalidSetup
from companion.rules.uno_tiki.cards import HAND, HIDDEN, IS_TIKI, KINDS, Card, usual_census
from companion.rules.uno_tiki.rounds import deal
from companion.rules.uno_tiki.state import Hand, Match, Options, State

SEATS: Final = range(2, 11)  # UT-1
MOST_COPIES: Final = 99
MOST_POINTS: Final = 9999
_KINDS: Final = frozenset(KINDS)


def initial(
    seats: int,
    options: Mapping[str, Any] | None = None,
    setup: Mapping[str, Any] | None = None,
) -> State:
    """Return the state before the first card.

    options: see `Options`; what is missing takes the rulebook's value.
    setup: `dealer`, a seat; without it everybody draws for the deal (UT-2). `decks`, for each
        coming round all cards in the order of dealing: seven for each seat from seat 0, then the
        cards to turn up and draw; in a round without one the hands are hidden until told.
        `hands`, beside `dealer` and instead of `decks`: the first round's hands where they are
        known, seven cards or null for each seat (UT-20).
    Raises InvalidSetup.
    """
    if type(seats) is not int or seats not in SEATS:
        raise InvalidSetup(f"UNO Tiki is for 2 to 10 players, not {seats!r} (UT-1)")
    setup = dict(setup or {})
    dealer, decks = setup.pop("dealer", None), setup.pop("decks", [])
    hands = setup.pop("hands", None)
    if setup:
        raise InvalidSetup(f"setup has no '{next(iter(setup))}'; it has dealer, decks, hands")
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
    if hands is not None and (decks or dealer is None):
        raise InvalidSetup("setup.hands needs a dealer (UT-2), and decks say the hands themselves")
    if dealer is not None:
        state = deal(chosen, match)
        return state if hands is None else state._replace(hands=_parse_hands(hands, seats))
    blind = deal(chosen, match._replace(coming=()))
    return blind._replace(phase="cut", seat=0, match=match)


def _parse_hands(hands: object, seats: int) -> tuple[Hand, ...]:
    if not isinstance(hands, list) or len(hands) != seats:
        raise InvalidSetup(f"setup.hands has {HAND} cards or null for each of {seats} seats (UT-2)")
    for hand in hands:
        if hand is not None and not (
            isinstance(hand, list)
            and len(hand) == HAND
            and all(isinstance(card, str) and card in _KINDS for card in hand)
        ):
            raise InvalidSetup(f"a hand of setup.hands is {HAND} cards, such as red-7, or null")
    return tuple((HIDDEN,) * HAND if hand is None else tuple(sorted(hand)) for hand in hands)


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
