"""The virtual table of UNO Tiki: two piles and the idol, and cards in hands."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

from companion.games.uno_tiki.deck import load_census
from companion.rules import uno_tiki
from companion.rules.uno_tiki.cards import COLOUR, HAND, IS_TIKI, IS_WILD, SYMBOL
from companion.table.readers import usual_table
from companion.table.virtual_set import (
    CARD_HEIGHT_MM,
    IDOL,
    IdolSpot,
    Laid,
    Look,
    Lying,
    Size,
    Slot,
    VirtualSet,
    deck_at,
)

KIND: Final = "card"
REACH_MM: Final = 32.0
SPIN: Final = "-spin"
LEARNED: Final = "red-7"
"""What lies on the pile where nobody says which card does."""


def look_of(card: str) -> dict[str, Any]:
    """Return what is printed on *card*; of a Tiki Face also which it is.

    >>> look_of("red-7-spin")
    {'color': 'red', 'symbol': '7', 'spin': True}
    """
    spin = card.endswith(SPIN)
    if card in IS_TIKI:
        return {"color": "wild", "symbol": "tiki", "spin": False, "face": card}
    if card in IS_WILD:
        return {"color": "wild", "symbol": "wild", "spin": spin}
    return {"color": COLOUR[card], "symbol": SYMBOL[card], "spin": spin}


class UnoTikiSet(VirtualSet):
    """The deck, the place of its two piles, and the idol."""

    @cached_property
    def idol(self) -> IdolSpot:
        """The idol."""
        idol = self.layout["idol"]
        return IdolSpot(idol["x"], idol["y"], idol["diameter"])

    def _place(self, name: str) -> tuple[float, float]:
        pile = self.layout[name]
        return pile["x"], pile["y"]

    @property
    def slots(self) -> Sequence[Slot]:
        """Both piles."""
        places = map(self._place, ("discard", "draw"))
        return [Slot(x, y, REACH_MM, (KIND,), 0.0) for x, y in places]

    def start(self, seats: int, random: Random) -> list[Laid]:
        """Return seven cards in each hand, and one that is turned up (UT-2, UT-3).

        A Tiki Face or a Wild that would come first stays in the pile, for the simplest of starts.
        """
        deck = load_census().cards
        random.shuffle(deck)
        hands = [
            self._in_hand(look_of(deck.pop()), seat) for _ in range(HAND) for seat in range(seats)
        ]
        first = next(card for card in deck if card not in IS_TIKI | IS_WILD)
        deck.remove(first)
        return [*hands, *self._piles(look_of(first), deck, random)]

    def lay(self, reading: Mapping[str, Any], random: Random) -> list[Laid]:
        """Return the discard pile of a reading, and the Tiki Face that is in the idol."""
        deck = load_census().cards
        top = dict(reading.get("discard") or look_of(LEARNED))
        same = (card for card in deck if _plain(look_of(card)) == _plain(top))
        if (taken := next(same, None)) is not None:
            deck.remove(taken)
        pieces = self._piles(top, deck, random)
        face = reading.get("idol")
        if face:
            idol = self.idol
            pieces.append(Laid(KIND, look_of(face), self._size, idol.x, idol.y))
        return pieces

    def _in_hand(self, look: Look, seat: int) -> Laid:
        return Laid(KIND, look, self._size, up=False, of=seat)

    def _piles(self, top: Look, deck: Sequence[str], random: Random) -> list[Laid]:
        x, y = self._place("discard")
        at = x + random.gauss(0, 1.5), y + random.gauss(0, 1.5)
        shown = Laid(KIND, top, self._size, *at, turn=random.gauss(0, 3.0))
        return [shown, *deck_at(map(look_of, deck), self._size, self._place("draw"), random)]

    @property
    def _size(self) -> Size:
        card = self.layout["card"]
        return card["w"], card["h"], CARD_HEIGHT_MM

    def lies(
        self, pieces: Iterable[Lying], *, idol_deg: float = 0.0, fallen: bool = False
    ) -> dict[str, Any]:
        """Return the card on top of the discard pile, what the idol shows and where it points."""
        del fallen
        x, y = self._place("discard")
        top: tuple[float, Look] = (-1.0, None)
        face = ""
        for piece in pieces:
            if piece.kind != KIND or not piece.up:
                continue
            if piece.rides == IDOL:
                face = str(piece.look.get("face", ""))
            elif abs(piece.x - x) < REACH_MM and abs(piece.y - y) < REACH_MM:
                top = max(top, (piece.z, piece.look), key=lambda each: each[0])
        found = {"discard": top[1] and _plain(top[1]), "idol_deg": idol_deg % 360.0}
        return {**found, "idol": face} if face else found


def _plain(look: Look) -> dict[str, Any]:
    """Return what a reading says of a card that looks so."""
    return {key: look[key] for key in ("color", "symbol", "spin")}


VIRTUAL_SET: Final = UnoTikiSet(uno_tiki.NAME, usual_table)
