"""States and actions of Tiki Topple."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from companion.rules.tiki_topple.pieces import (
    FULL_HAND,
    SHORT_HAND,
    Card,
    Hand,
    Line,
    SecretCard,
    Tiki,
)

Phase: TypeAlias = Literal["line", "play", "reveal", "over"]
TieRule: TypeAlias = Literal["playoff", "share"]


@dataclass(frozen=True, slots=True)
class Played:
    """The seat to act played *card* on *tiki*."""

    card: Card
    tiki: Tiki


@dataclass(frozen=True, slots=True)
class Lined:
    """The nine tikis were put in line for a round, top first."""

    line: Line


@dataclass(frozen=True, slots=True)
class Dealt:
    """A seat's secret card of this round became known to the engine."""

    seat: int
    card: SecretCard


Action: TypeAlias = Played | Lined | Dealt


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose; the log's header holds it, so that a game replays exactly.

    rounds: how many; the rulebook has 4 for two players, otherwise one a player (TT-12).
    hand: the cards that everyone begins each round with (TT-1).
    topple_last: whether Topple may be played on the last tiki, to no effect (TT-6).
    tie: "playoff" lets the tied play on, "share" lets them share the win (TT-13).
    """

    rounds: int
    hand: Hand
    topple_last: bool = False
    tie: TieRule = "playoff"

    @classmethod
    def usual(cls, seats: int) -> "Options":
        """Return the rulebook's own for *seats* players."""
        return cls(rounds=4 if seats == 2 else seats, hand=FULL_HAND if seats == 2 else SHORT_HAND)


class Chance(NamedTuple):
    """What chance will decide in a coming round, where that is known beforehand.

    line: the starting line, or None if it is to be observed.
    cards: a secret card or None for each seat.
    """

    line: Line | None
    cards: tuple[SecretCard | None, ...]


class Round(NamedTuple):
    """A scored round: the line that stood, cards and points by seat, the clause that ended it."""

    line: Line
    cards: tuple[SecretCard | None, ...]
    points: tuple[int, ...]
    ended_by: str


@dataclass(slots=True, unsafe_hash=True)
class State:
    """One moment of a game. Whoever makes a copy fills it in; after that none is ever changed.

    phase: "line" waits for the starting line, "play" for a card, "reveal" for secret cards.
    players: the seats that play this round, in order of play; all but in a tie round (TT-13).
    starter, seat: who began the round, and who is to act; *seat* counts only in phase "play".
    line: the tikis from the top down, () before they stand.
    hands, cards, scores: by seat; a card is None while the engine does not know it.
    ended_by: the clause that ended the round in phase "reveal", else "".
    """

    options: Options
    phase: Phase
    players: tuple[int, ...]
    starter: int
    seat: int
    line: Line
    hands: tuple[Hand, ...]
    cards: tuple[SecretCard | None, ...]
    scores: tuple[int, ...]
    ended_by: str
    rounds: tuple[Round, ...]
    coming: tuple[Chance, ...]

    def copy(self) -> "State":
        """Return the same again, to be filled in."""
        new = State.__new__(State)
        new.options, new.phase, new.players = self.options, self.phase, self.players
        new.starter, new.seat, new.line = self.starter, self.seat, self.line
        new.hands, new.cards, new.scores = self.hands, self.cards, self.scores
        new.ended_by, new.rounds, new.coming = self.ended_by, self.rounds, self.coming
        return new

    def _replace(self, **changes: Any) -> "State":
        """Return the same with *changes*."""
        new = self.copy()
        for name, value in changes.items():
            setattr(new, name, value)
        return new
