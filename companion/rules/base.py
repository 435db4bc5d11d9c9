"""What every game's rules offer, and the words they share.

A game is a module (or package) of functions; `Rules` states which. Nothing here or below it knows a
clock, a die or a file: chance is an action that somebody observed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

S = TypeVar("S")
A = TypeVar("A")


class RulesError(ValueError):
    """Something that the rules refuse; the state has not changed."""


class InvalidAction(RulesError):
    """A text or object that is not an action of this game at all."""


class InvalidSetup(RulesError):
    """Seats, options or a set-up with which this game cannot be played."""


class IllegalAction(RulesError):
    """An action of this game that may not be played now.

    clause: the id of the clause that forbids it, as in docs/rules/.
    """

    def __init__(self, message: str, clause: str) -> None:
        super().__init__(message)
        self.clause = clause


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    scores: points by seat.  winners: the seats that won, several if they share it.
    ended_by: the id of the clause that ended it.
    """

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    ended_by: str


class Rules(Protocol[S, A]):
    """The functions that a game's module has; there is nothing to instantiate."""

    def initial(
        self,
        seats: int,
        options: Mapping[str, Any] | None = None,
        setup: Mapping[str, Any] | None = None,
    ) -> S:
        """Return the state before the first action, or raise InvalidSetup."""

    def turn(self, state: S) -> int | None:
        """Return the seat to act, or None when chance acts or the game is over."""

    def legal_actions(self, state: S) -> tuple[A, ...]:
        """Return all that may happen next; empty if and only if the game is over."""

    def apply(self, state: S, action: A) -> S:
        """Return the state after *action*, or raise IllegalAction."""

    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it goes on."""

    def view(self, state: S, seat: int | None) -> dict[str, Any]:
        """Return what *seat* may know, ready for JSON; None is a bystander."""

    def parse_action(self, text: str) -> A:
        """Return the action that *text* names, or raise InvalidAction."""

    def format_action(self, action: A) -> str:
        """Return the text of *action*; parse_action gives it back."""
