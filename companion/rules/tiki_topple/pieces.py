"""The pieces and cards of Tiki Topple (Gamewright 2008) as data."""

from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

Tiki: TypeAlias = Literal[
    "hookipa", "lokahi", "nani", "wikiwiki", "akamai", "huhu", "kapu", "eepo", "nui"
]
Card: TypeAlias = Literal["toast", "topple", "up1", "up2", "up3"]
Line: TypeAlias = tuple[Tiki, ...]
Hand: TypeAlias = tuple[Card, ...]

TIKIS: Final[tuple[Tiki, ...]] = get_args(Tiki)
CARDS: Final[tuple[Card, ...]] = get_args(Card)
SPACES: Final[dict[Card, int]] = {"up1": 1, "up2": 2, "up3": 3}

# TT-2: three tikis share each symbol on their backs. Which symbol belongs to which three is printed
# on the pieces only; the three threes are what matters for the starting line.
GROUPS: Final[tuple[frozenset[Tiki], ...]] = (
    frozenset(("nani", "wikiwiki", "huhu")),
    frozenset(("nui", "lokahi", "akamai")),
    frozenset(("eepo", "hookipa", "kapu")),
)

# TT-1: with two players seven cards each, otherwise one Up 1 goes back into the box.
FULL_HAND: Final[Hand] = ("toast", "toast", "topple", "up1", "up1", "up2", "up3")
SHORT_HAND: Final[Hand] = ("toast", "toast", "topple", "up1", "up2", "up3")

TIKIS_AT_END: Final = 3  # TT-9: tikis left when the round ends
SECRET_CARDS: Final = 27  # TT-3
POINTS: Final = (9, 5, 2)  # TT-11


class SecretCard(NamedTuple):
    """A secret card: which tiki scores 9, which 5 and which 2 points (TT-3)."""

    top9: Tiki
    middle5: Tiki
    bottom2: Tiki


def is_grouped(line: Line) -> bool:
    """Tell whether a full line stands in three threes of one symbol each (TT-2)."""
    return all(frozenset(line[top : top + 3]) in GROUPS for top in (0, 3, 6))


def is_usual(card: SecretCard) -> bool:
    """Tell whether *card* shows one tiki of each symbol, as all known printed ones do (TT-3)."""
    return all(len(group & set(card)) == 1 for group in GROUPS)


@cache
def spend(hand: Hand, card: Card) -> Hand:
    """Return *hand* without one *card*; raises ValueError if it holds none."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]


@cache
def kinds(hand: Hand) -> tuple[Card, ...]:
    """Return the different cards of *hand*, in the order of `CARDS`."""
    return tuple(card for card in CARDS if card in hand)
