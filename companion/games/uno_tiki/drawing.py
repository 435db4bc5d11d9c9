"""How the pages draw the cards of UNO Tiki, and how they are laid out to be tapped."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from companion.games.uno_tiki.words import TIKI
from companion.language.message import Message, capitalised, say, say_as
from companion.rules.uno_tiki.cards import COLOUR, COLOURS, IS_TIKI, IS_WILD, NUMBERS, SYMBOL
from companion.rules.uno_tiki.naming import (
    CARD_WORDS,
    COLOUR_WORDS,
    FACES,
    SYMBOL_WORDS,
    pile_words,
)

MAX_OPEN_SUMS: Final = 20
"""So many sums lie open, each of them one tap."""
_ORDER: Final = (*COLOURS, "others", "wild", "tiki")
_TITLES: Final[Mapping[str, str]] = {
    **{colour: capitalised(COLOUR_WORDS[colour]) for colour in COLOURS},
    "others": say("The other colours"),
    "wild": say_as("a card", "Wild"),
    "tiki": say("Tiki Faces"),
}


@dataclass(frozen=True, slots=True)
class Face:
    """How a card is drawn.

    ink: its ground: a colour, "wild" or "tiki".  sign: what stands large on it, *is_number* or
    words.  colour: its colour in a word, for eyes that cannot tell; "" where it has none.
    spin: whether it has the Spin symbol.  words: its name.
    """

    ink: str
    sign: str
    is_number: bool
    colour: str
    spin: bool
    words: str


@dataclass(frozen=True, slots=True)
class Tap:
    """A card that may be tapped, and the action that this enters."""

    face: Face
    action: str


@dataclass(frozen=True, slots=True)
class Pad:
    """Cards that are tapped in one place: of a colour, Wilds, Tiki Faces.

    is_open: whether they lie open, else they are unfolded with one tap.
    """

    name: str
    title: str
    ink: str
    taps: tuple[Tap, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums of points that begin alike, such as 40 to 49."""

    label: str
    sums: tuple[int, ...]


def card_face(card: str, named: str = "") -> Face:
    """Return how *card* is drawn; *named*: the colour that a Wild asks for."""
    words = CARD_WORDS[card]
    if card in IS_TIKI:
        return Face("tiki", FACES[card], False, "", False, words)
    spin = card.endswith("-spin")
    if card in IS_WILD:
        sign = say_as("a card", "Wild")
        if not named:
            return Face("wild", sign, False, "", spin, words)
        asked = COLOUR_WORDS[named]
        full = say("{card} (now {colour})", card=words, colour=asked)
        return Face(named, sign, False, capitalised(asked), spin, full)
    symbol = SYMBOL[card]
    colour = capitalised(COLOUR_WORDS[COLOUR[card]])
    return Face(COLOUR[card], SYMBOL_WORDS[symbol], symbol in NUMBERS, colour, spin, words)


def shown_card(content: str) -> Face | None:
    """Return how what lies on the pile or in the idol is drawn; None for nothing.

    >>> shown_card("red-7").sign, shown_card("tiki").ink, shown_card("")
    ('7', 'tiki', None)
    """
    if content == TIKI:  # on the pile, where one cannot tell which it is
        return Face("tiki", say_as("a card", "Tiki Face"), False, "", False, say("a Tiki Face"))
    return card_face(content) if content else None


def is_photographed(card: str, colour: str, symbol: str) -> bool:
    """Return whether *card* is what a reader calls by this colour and symbol.

    >>> [card for card in ("red-7", "red-7-spin", "wild") if is_photographed(card, "red", "7")]
    ['red-7', 'red-7-spin']
    >>> is_photographed("tiki-goto", "wild", "tiki"), is_photographed("wild", "wild", "tiki")
    (True, False)
    """
    if colour == "wild":
        return card in (IS_TIKI if symbol == "tiki" else IS_WILD)
    return (COLOUR[card], SYMBOL[card]) == (colour, symbol)


def photographed_words(colour: str, symbol: str) -> Message:
    """Return what such a card is called."""
    if colour == "wild":
        return say("a Tiki Face") if symbol == "tiki" else CARD_WORDS["wild"]
    return pile_words(colour, symbol)


def pads(actions: Sequence[Sequence[str]], pile: str) -> tuple[Pad, ...]:
    """Return the cards that *actions* name, laid out so that two taps reach each.

    pile: the colour that a card has to have; all colours lie closed where it is "".
    """
    found: dict[str, list[Tap]] = {}
    for verb, card, *named in actions:
        tap = Tap(card_face(card, *named), " ".join((verb, card, *named)))
        found.setdefault(_pad_of(card, pile), []).append(tap)
    made = [_pad(name, found[name], pile) for name in _ORDER if name in found]
    own = [each for each in made if each.name == pile]
    rest = [each for each in made if each.name != pile]
    if len(made) == 1:
        return (replace(made[0], is_open=True),)
    return (*own, *rest)


def title_of(card: str) -> str:
    """Return the title of the pad on which *card* lies: its colour, Wilds or Tiki Faces."""
    return _TITLES[_pad_of(card, "")]


def _pad_of(card: str, pile: str) -> str:
    if card in IS_TIKI:
        return "tiki"
    if card in IS_WILD:
        return "wild"
    return COLOUR[card] if COLOUR[card] == pile or not pile else "others"


def _pad(name: str, taps: list[Tap], pile: str) -> Pad:
    is_open = bool(pile) and name != "tiki"
    return Pad(name, _TITLES[name], name if name != "others" else "none", tuple(taps), is_open)


def sums_by_tens(sums: Sequence[int]) -> tuple[Sums, ...]:
    """Return *sums* in groups of ten; each alone where they are few enough to lie open.

    >>> [group.label for group in sums_by_tens(range(5, 30))]
    ['5–9', '10–19', '20–29']
    """
    if len(sums) <= MAX_OPEN_SUMS:
        return tuple(Sums(str(each), (each,)) for each in sums)
    tens: dict[int, list[int]] = {}
    for each in sums:
        tens.setdefault(each // 10, []).append(each)
    return tuple(Sums(_range(group), tuple(group)) for group in tens.values())


def _range(group: list[int]) -> str:
    return str(group[0]) if len(group) == 1 else f"{group[0]}–{group[-1]}"
