"""The cards and actions of UNO Tiki (Mattel 2014) as data.

A card is its name: `red-7`, `red-7-spin`, `blue-skip`, `wild`, `tiki-draw4`, `tiki-discard-red`.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

Card: TypeAlias = str

HIDDEN: Final[Card] = ""  # UT-20: a card in a hand that the engine does not know

COLOURS: Final = ("red", "yellow", "green", "blue")
NUMBERS: Final = tuple(map(str, range(10)))
SYMBOLS: Final = (*NUMBERS, "skip", "reverse")
HAND: Final = 7  # UT-2
SPECIAL: Final = 20  # UT-18: Reverse, Skip, Tiki Face
WILD: Final = 50  # UT-18

PLAIN_CARDS: Final = tuple(f"{colour}-{symbol}" for colour in COLOURS for symbol in SYMBOLS)
WILDS: Final = ("wild", "wild-spin")
TIKIS: Final = (
    *("tiki-draw1", "tiki-draw2", "tiki-draw4", "tiki-discard2"),
    *(f"tiki-discard-{colour}" for colour in COLOURS),
    "tiki-goto",
)
KINDS: Final = (*PLAIN_CARDS, *(f"{card}-spin" for card in PLAIN_CARDS), *WILDS, *TIKIS)

SPINS: Final = frozenset((*TIKIS, *(card for card in KINDS if card.endswith("-spin"))))
IS_TIKI: Final = frozenset(TIKIS)
IS_WILD: Final = frozenset(WILDS)
COLOUR: Final = {card: "" if card in IS_TIKI | IS_WILD else card.split("-")[0] for card in KINDS}
SYMBOL: Final = {card: "" if not COLOUR[card] else card.split("-")[1] for card in KINDS}


def _points(card: Card) -> int:
    if card in IS_WILD:
        return WILD
    return int(SYMBOL[card]) if SYMBOL[card] in NUMBERS else SPECIAL


POINTS: Final = {card: _points(card) for card in KINDS}

# UT-12: how many cards each of these faces makes the chosen player draw.
DRAWS: Final = {"tiki-draw1": 1, "tiki-draw2": 2, "tiki-draw4": 4}


def usual_census() -> dict[Card, int]:
    """Return an unconfirmed guess of the deck, 112 cards (UT-1); no list of it is public."""
    census = dict.fromkeys((f"{colour}-0" for colour in COLOURS), 1)
    for card in PLAIN_CARDS:
        if not card.endswith("-0"):
            census[card] = 2
    for colour in COLOURS:
        for symbol in ("2", "5", "8", "reverse"):
            census[f"{colour}-{symbol}"] = census[f"{colour}-{symbol}-spin"] = 1
    faces = {card: 1 if card.startswith("tiki-discard-") else 2 for card in TIKIS}
    return {**census, "wild": 4, **faces, "tiki-goto": 4}


@dataclass(frozen=True, slots=True)
class Cut:
    """The next seat drew *card* for the deal."""

    card: Card


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """*card* was turned up to begin the discard pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class Named:
    """The seat to act named the colour that a turned-up Wild begins with."""

    colour: str


@dataclass(frozen=True, slots=True)
class Played:
    """The seat to act played *card*; *colour* is what a Wild asks for, else empty."""

    card: Card
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Drew:
    """The seat to act draws a card instead of playing one."""


@dataclass(frozen=True, slots=True)
class Took:
    """The card drawn was seen to be *card*; HIDDEN if that is unknown."""

    card: Card


@dataclass(frozen=True, slots=True)
class Passed:
    """The seat to act did not play the card that it has drawn."""


@dataclass(frozen=True, slots=True)
class Spun:
    """The idol stopped: at one seat, between two, or (nobody) before a full turn."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The spinner chose one of the two seats that the idol stopped between."""

    seat: int


@dataclass(frozen=True, slots=True)
class Discarded:
    """The chosen player put *card* under the top of the discard pile."""

    card: Card


@dataclass(frozen=True, slots=True)
class Kept:
    """The chosen player discards nothing more."""


@dataclass(frozen=True, slots=True)
class Called:
    """*seat* called UNO in time."""

    seat: int


@dataclass(frozen=True, slots=True)
class Caught:
    """*seat* was caught not having called UNO."""

    seat: int


@dataclass(frozen=True, slots=True)
class HandDeclared:
    """All cards that *seat* holds were entered."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Counted:
    """At the end of a round *seat* was seen to hold cards worth *points*."""

    seat: int
    points: int


Action: TypeAlias = (
    Cut
    | TurnedUp
    | Named
    | Played
    | Drew
    | Took
    | Passed
    | Spun
    | Chosen
    | Discarded
    | Kept
    | Called
    | Caught
    | HandDeclared
    | Counted
)

DREW: Final = Drew()
PASSED: Final = Passed()
KEPT: Final = Kept()
TOOK: Final = {card: Took(card) for card in (*KINDS, HIDDEN)}
DISCARDED: Final = {card: Discarded(card) for card in KINDS}
NAMED: Final = tuple(map(Named, COLOURS))
PLAYS: Final[dict[Card, tuple[Played, ...]]] = {
    card: tuple(Played(card, colour) for colour in COLOURS) if card in IS_WILD else (Played(card),)
    for card in KINDS
}


@cache
def fitting(colour: str, symbol: str) -> dict[Card, tuple[Played, ...]]:
    """Return the plays of every card that goes onto this colour and symbol (UT-4).

    symbol: "" on a Wild, which is followed by its colour only.
    """
    return {
        card: PLAYS[card]
        for card in KINDS
        if not COLOUR[card] or COLOUR[card] == colour or (symbol and SYMBOL[card] == symbol)
    }


@cache
def spins(seats: int) -> dict[tuple[int, ...], Spun]:
    """Return how the idol may stop among *seats* players in a circle, by where (UT-11)."""
    ends = [tuple(sorted((seat, (seat + 1) % seats))) for seat in range(seats)]
    stops: list[tuple[int, ...]] = [*((seat,) for seat in range(seats)), *ends, ()]
    return {each: Spun(each) for each in stops}


@cache
def choices(seats: tuple[int, ...]) -> tuple[Chosen, ...]:
    """Return the choices between *seats*."""
    return tuple(map(Chosen, seats))


@cache
def calls(seat: int) -> tuple[Called, Caught]:
    """Return what may happen to a seat that has one card left (UT-15)."""
    return Called(seat), Caught(seat)


@cache
def possible_points(copies: tuple[tuple[int, int], ...], cards: int) -> tuple[int, ...]:
    """Return what *cards* cards can be worth, drawn from (points, copies) of each worth (UT-20)."""
    reach = [1] + [0] * cards  # reach[n] has bit p if n cards can be worth p points
    for points, number in copies:
        for _ in range(min(number, cards)):
            for n in range(cards, 0, -1):
                reach[n] |= reach[n - 1] << points
    found = tuple(
        points for points in range(reach[cards].bit_length()) if reach[cards] >> points & 1
    )
    return found or tuple(range(WILD * cards + 1))
