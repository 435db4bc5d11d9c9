"""What the companion needs of a game to play a seat of it itself, while people move its pieces."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Protocol, TypeAlias, TypeVar

from companion.language.message import say
from companion.rules.protocol import Spoken
from vision.observation import Table

S = TypeVar("S")
A = TypeVar("A")


Choices: TypeAlias = tuple[str, tuple[tuple[str, str, int], ...]]
"""A title, and of each card beneath it the name, the words and how many there may be."""


def hand_text(seat: int, cards: Iterable[str]) -> str:
    """Return the text that tells all cards of *seat*.

    >>> hand_text(1, ["red-7", "blue-2"])
    'hand 1 red-7 blue-2'
    """
    return " ".join(("hand", str(seat), *cards))


def drew_text(card: str) -> str:
    """Return the text that tells which card was drawn."""
    return f"drew {card}"


class OwnPlay(Protocol[S, A]):
    """How a move of the companion's own is told and done.

    rules: see `Rules`.  has_own_play: whether the companion can play a seat.
    """

    has_own_play: bool = False

    rules: Spoken[S, A]

    def shown(self, state: S) -> Table:
        """Return what *state* puts into each place; () if no camera reads the game."""
        return ()

    def touched(self, state: S, action: A) -> tuple[int, ...]:
        """Return the places that the hand touches which does *action*, from first to last.

        *action* is legal in *state*.
        """
        after = self.shown(self.rules.apply(state, action))
        pairs = zip(self.shown(state), after, strict=True)
        return tuple(place for place, (old, new) in enumerate(pairs) if old != new)

    def is_spoken(self, state: S, action: A) -> bool:
        """Return whether *action* is done by saying so, and nobody's hand moves anything."""
        return False

    def chance(self, state: S) -> tuple[A, ...]:
        """Return equally likely actions, of which the companion draws for a seat that it plays.

        () where people draw, or nothing is to be drawn.
        """
        return ()

    def chore(self, state: S, seat: int, players: Sequence[str]) -> str:
        """Return what people do for *seat*, which the companion plays, before it can choose.

        Its cards are dealt or drawn.  A sentence without its full stop; "" for nothing.
        """
        player = players[seat]
        if self.is_drawing(state, seat):
            return say("Draw a card for {player} and show it to the companion", player=player)
        if "" in self.own_hand(state, seat):
            return say("Show the companion the cards of {player}, one by one", player=player)
        return ""

    def reflex(self, state: S, seat: int) -> str:
        """Return what *seat* says at once whoever's turn it is, as the text of an action; or ""."""
        return ""

    def wish(self, state: S, seat: int, players: Sequence[str]) -> str:
        """Return what *seat* may say to its partners before another plays, and wants to.

        A sentence without its full stop; "" for nothing.
        """
        return ""

    def own_hand(self, state: S, seat: int) -> tuple[str, ...]:
        """Return the cards that *seat* holds for itself, "" for each that is unknown.

        () where it holds none, or none that matter any more.
        """
        return ()

    def holds_hand(self, state: S) -> bool:
        """Return whether a card is known of a hand that does not lie open.

        Then not all that may be played as far as everyone knows can be.
        """
        return False

    def is_drawing(self, state: S, seat: int) -> bool:
        """Return whether *seat* has drawn a card that is still to be told."""
        return False

    def hand_choices(self, state: S, seat: int) -> tuple[Choices, ...]:
        """Return the cards that may be among those of *seat*: title by title, see `Choices`."""
        return ()

    def own_secret(self, state: S, seat: int, rng: Random) -> str:
        """Return what *seat* keeps to itself in this round if nobody has dealt it anything.

        As the text of an action; "" where it has a secret, or needs none.
        """
        return ""

    def card_of(self, action: A) -> str:
        """Return the card that *action* takes from a hand, "" for none."""
        return ""
