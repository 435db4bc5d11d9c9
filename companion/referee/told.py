"""Games that are told: by people who tap, and by what sensors heard.

A game says what a sensor's word means where the game stands; it never acts by itself. Everything
that it proposes goes through the rules before it counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, TypeVar

from companion.referee.moments import Moment
from companion.referee.notices import Ask
from companion.referee.tables import Game
from companion.session.events import SpinObserved

S = TypeVar("S")
A = TypeVar("A")

TowerWord: TypeAlias = Literal["still", "wobble", "lean", "topple"]
ButtonWord: TypeAlias = Literal["done", "uno", "me", "undo", "pause"]


@dataclass(frozen=True, slots=True)
class Reaction:
    """What the referee makes of a sensor's word.

    action: to be played, "" for none.  instead: whether it takes the newest action's place.
    moment: what the table is told.  ask: what people have to say before anything counts.
    """

    action: str = ""
    instead: bool = False
    moment: Moment | None = None
    ask: Ask | None = None


def remark(words: str, *seats: int) -> Reaction:
    """Return a reaction of words alone."""
    return Reaction(moment=Moment("remark", seats, words=words))


@dataclass(frozen=True, slots=True)
class Table:
    """Who sits at the table, and the text of the newest action that still counts, "" for none."""

    players: Sequence[str]
    newest: str = ""


class ToldGame(Game[S, A], Protocol[S, A]):
    """A game whose every action is tapped in or heard."""

    def is_secret(self, action: A) -> bool:
        """Tell whether *action* would tell everybody what only one seat may know."""

    def actor(self, state: S, action: A) -> int | None:
        """Return the seat whose move *action* is, None if no player chose it."""

    def teller(self, state: S, action: A) -> int | None:
        """Return the one seat, beside the host, that may tell *action*; None if any may."""

    def expected(self, state: S) -> int | None:
        """Return the seat that everybody waits for, None once the game is over."""

    def wants(self, state: S, players: Sequence[str]) -> tuple[str, str]:
        """Return what is waited for, as a word and as a sentence; both empty at the end."""

    def scores(self, state: S) -> tuple[int, ...]:
        """Return everybody's points at this moment."""

    def playing(self, state: S) -> tuple[int, ...]:
        """Return the seats that take part in this round."""

    def public(self, state: S) -> dict[str, Any]:
        """Return what everybody may know of *state*, as plain JSON values."""

    def moment(self, before: S, action: A, players: Sequence[str]) -> Moment | None:
        """Return what the table is told when *action* has been played after *before*."""

    def on_tower(self, state: S, move: TowerWord, knocked: bool, table: Table) -> Reaction | None:
        """Return what the tower's moving means now, None if this game has none."""

    def on_spin(self, state: S, spin: SpinObserved, reason: str, table: Table) -> Reaction | None:
        """Return what a spin means now, None if this game has no idol; *reason*: why no seat."""

    def on_button(self, state: S, button: ButtonWord, seat: int, table: Table) -> Reaction:
        """Return what it means that *seat* pressed its *button* now."""
