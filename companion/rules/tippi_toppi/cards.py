"""The number cards and actions of Tippi Toppi (Schmidt 2019) as data.

A kind of card is a number from 0 to 27: colour * 7 + value - 1. There are two cards of each kind.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, TypeAlias

from companion.colours import COLOURS as COLOUR_WORDS
from companion.language.message import Message, say_as

Card: TypeAlias = int

HIDDEN: Final[Card] = -1  # TP-18: a card in a hand that the engine does not know

COLOURS: Final = ("green", "pink", "orange", "purple")
VALUES: Final = range(1, 8)
KINDS: Final = range(28)
COPIES: Final = 2  # TP-1
CARDS: Final = 56
HAND: Final = 4  # TP-2
PILES: Final = 4
OPEN_GOALS: Final = 4  # TP-3

NAMES: Final = tuple(f"{colour}{value}" for colour in COLOURS for value in VALUES)
CARD_OF: Final = {name: card for card, name in enumerate(NAMES)}


def card_words(card: Card) -> Message:
    """Return the name of *card* for people.

    >>> card_words(6)
    'green 7'
    """
    colour = COLOUR_WORDS[COLOURS[card // 7]].words
    return say_as("a card", "{colour} {number}", colour=colour, number=card % 7 + 1)


# TP-2: how many goals, by difficulty; a foursome and a solitary player have fewer.
DIFFICULTIES: Final = ("beginner", "normal", "advanced", "expert", "champion")
_FEWER: Final = (12, 14, 16, 18, 20)
_MORE: Final = (14, 16, 18, 20, 22)
GOALS: Final = {1: _FEWER, 2: _MORE, 3: _MORE, 4: _FEWER}

# TP-10: what may be said; data for the page that shows it.
TALK: Final = {
    "usual": {
        "allowed": ["which pile you would like to play on", "which goal should be met next"],
        "forbidden": ["the numbers in your hand", "the colours in your hand"],
    },
    "silence": {"allowed": [], "forbidden": ["anything at all"]},
    "open": {"allowed": ["anything; all hands lie open"], "forbidden": []},
}


@dataclass(frozen=True, slots=True)
class Played:
    """A card went onto a pile; *seat* is named in High Speed only, where there are no turns."""

    card: Card
    pile: int
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card was turned up for the next of the four piles."""

    card: Card


@dataclass(frozen=True, slots=True)
class Revealed:
    """A goal card was turned up."""

    goal: str


@dataclass(frozen=True, slots=True)
class Met:
    """The players found an open goal met that they check themselves."""


@dataclass(frozen=True, slots=True)
class Drew:
    """The card drawn was entered; HIDDEN if that is unknown."""

    card: Card


@dataclass(frozen=True, slots=True)
class HandDeclared:
    """All cards that *seat* holds were entered."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Stuck:
    """Whoever is to play cannot; the hand is hidden, so the people say so."""


@dataclass(frozen=True, slots=True)
class TimeUp:
    """The five minutes of High Speed are over."""


Action: TypeAlias = Played | Laid | Revealed | Met | Drew | HandDeclared | Stuck | TimeUp

MET: Final = Met()
STUCK: Final = Stuck()
TIME_UP: Final = TimeUp()
DREW: Final = {card: Drew(card) for card in (*KINDS, HIDDEN)}
LAID: Final = tuple(map(Laid, KINDS))
PLAYED: Final = tuple(tuple(Played(card, pile) for pile in range(PILES)) for card in KINDS)


@cache
def played_by(seat: int, card: Card, pile: int) -> Played:
    """Return the play of *seat* in High Speed."""
    return Played(card, pile, seat)


def fits(card: Card, top: Card) -> bool:
    """Tell whether *card* may go onto *top*: the same colour or the same number (TP-4)."""
    return card // 7 == top // 7 or card % 7 == top % 7


# FITS[top] has the bit of each card that may go onto it.
FITS: Final = tuple(sum(1 << card for card in KINDS if fits(card, top)) for top in KINDS)
