"""What a hand of UNO Tiki in a photograph is worth, and what in it cannot be (UT-18, UT-20).

A photograph shows colour and symbol. Whether a card has the Spin symbol, and which Tiki Face it
is, is left open: neither changes its points.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

from companion.games.uno_tiki.drawing import is_photographed, photographed_words
from companion.language.message import Message, say
from companion.rules.uno_tiki import KINDS
from companion.rules.uno_tiki.cards import COLOURS, POINTS, SYMBOLS, usual_census

Seen: TypeAlias = tuple[str, str]
"""Colour and symbol, as readers name them."""
CARDS: Final[tuple[Seen, ...]] = (
    *((colour, symbol) for colour in COLOURS for symbol in SYMBOLS),
    ("wild", "wild"),
    ("wild", "tiki"),
)
"""All that a photograph can tell apart."""


class Excess(NamedTuple):
    """A card of which a photograph shows more than there can be.

    card: which.  seen, possible: how often it is in the picture, and how often it may be.
    """

    card: Seen
    seen: int
    possible: int


def kinds_of(card: Seen) -> tuple[str, ...]:
    """Return the cards of the rules that *card* may be.

    >>> kinds_of(("red", "7"))
    ('red-7', 'red-7-spin')
    """
    return tuple(kind for kind in KINDS if is_photographed(kind, *card))


def points_of(card: Seen) -> int:
    """Return what *card* is worth: the same whichever of its kinds it is.

    >>> points_of(("red", "7")), points_of(("wild", "tiki")), points_of(("wild", "wild"))
    (7, 20, 50)
    """
    return POINTS[kinds_of(card)[0]]


def find_excess(cards: Iterable[Seen], left: Mapping[str, int] | None = None) -> tuple[Excess, ...]:
    """Return of which of *cards* there are more than there can be.

    left: how many of each card of the rules may be in this hand; None: what the usual deck has.
    """
    left = usual_census() if left is None else left
    found = []
    for card, seen in Counter(cards).items():
        possible = sum(left.get(kind, 0) for kind in kinds_of(card))
        if seen > possible:
            found.append(Excess(card, seen, possible))
    return tuple(found)


def excess_words(excess: Excess) -> Message:
    """Return what is odd about it, in a sentence for people."""
    return say(
        "The picture shows {seen} × {card}, but this hand can have at most {possible}.",
        seen=excess.seen,
        card=photographed_words(*excess.card),
        possible=excess.possible,
    )


def sum_points(cards: Sequence[Seen]) -> int:
    """Return what *cards* are worth together."""
    return sum(map(points_of, cards))
