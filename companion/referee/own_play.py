"""What the companion needs of a game to play a seat of it itself, while people move its pieces."""

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from companion.rules.protocol import Spoken
from vision.observation import Table

S = TypeVar("S")
A = TypeVar("A")


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

    def chore(self, state: S, players: Sequence[str]) -> str:
        """Return what people do for a seat that the companion plays before it can choose.

        A sentence without its full stop; "" for nothing.
        """
        return ""

    def own_secret(self, state: S, seat: int, rng: Random) -> str:
        """Return what *seat* keeps to itself in this round if nobody has dealt it anything.

        As the text of an action; "" where it has a secret, or needs none.
        """
        return ""

    def is_ready(self, state: S, seat: int) -> bool:
        """Return whether *seat* knows enough to choose."""
        return True
