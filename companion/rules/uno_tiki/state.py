"""States of UNO Tiki."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from companion.rules.uno_tiki.cards import Card

Phase: TypeAlias = Literal[
    "cut",
    "turn_up",
    "colour",
    "play",
    "draw",
    "drawn",
    "spin",
    "choose",
    "discard",
    "count",
    "over",
]
Hand: TypeAlias = tuple[Card, ...]  # in order; what is hidden comes first, as ""
Scoring: TypeAlias = Literal["winner", "lowest"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose; the log's header holds it, so that a game replays exactly.

    deck: how many of each card there are (UT-1).
    scoring, target: who gets the points of a round, and how many end the game (UT-18, UT-19).
    two_player_reverse: "skip" or "none" (UT-6).
    discard_two: "up_to_two" or "two_or_none" (UT-13).
    last_card_spin: whether a last card still spins the idol (UT-17).
    goto_overrides_skip: whether Go To cancels the Skip of the card that spun (UT-14).
    """

    deck: tuple[tuple[Card, int], ...]
    scoring: Scoring = "winner"
    target: int = 500
    two_player_reverse: Literal["skip", "none"] = "skip"
    discard_two: Literal["up_to_two", "two_or_none"] = "up_to_two"
    last_card_spin: bool = True
    goto_overrides_skip: bool = True


class Round(NamedTuple):
    """A finished round: points held by seat, the seat that went out or -1, and the clause."""

    held: tuple[int, ...]
    winner: int
    ended_by: str


class Match(NamedTuple):
    """What stays the same during a round.

    cuts: seats and the cards drawn for the deal, until the first card is turned up.
    cutting: the seats still to draw for it.
    counted: by seat, the points told at the end of the round, None if not yet.
    coming: the deck orders of rounds to come, where known.
    """

    scores: tuple[int, ...]
    dealer: int
    cuts: tuple[tuple[int, Card], ...]
    cutting: tuple[int, ...]
    counted: tuple[int | None, ...]
    rounds: tuple[Round, ...]
    coming: tuple[tuple[Card, ...], ...]


class Pending(NamedTuple):
    """Who draws or discards when the drawing now is over: fields of the state then."""

    phase: Literal["draw", "discard"]
    target: int
    owed: int


@dataclass(slots=True, unsafe_hash=True)
class State:
    """One moment of a game. Whoever makes a copy fills it in; after that none is ever changed.

    phase: what is waited for.  seat: whose turn it is, also while its card takes effect.
    way: 1 to the left, -1 to the right.
    hands: by seat, the cards; each that the engine does not know is HIDDEN.
    deck: the cards to draw where all are known, next first.  deck_size: how many there are.
    shuffled: whether the order of the deck is unknown, since a reshuffle; it is sorted then.
    discard, idol: the cards there, the newest last.  colour, symbol: what has to be matched.
    skip: whether the next seat loses its turn when the effects are over.
    target: who draws or discards.  owed: how many cards are still to be drawn or discarded; -1 for
        all of a colour.  after: the phase that follows the drawing, "over" for the next turn.
    drawn: the card just drawn in phase "drawn", "" if unknown.
    between: the two seats in phase "choose".
    exposed: who has one card left and has neither called nor been caught, or -1.
    out: who has gone out, or -1.  idle: turns in a row in which there was no card to draw.
    pending: what follows the drawing before anything else, since someone was caught; or None.
    """

    options: Options
    phase: Phase
    seat: int
    way: int
    hands: tuple[Hand, ...]
    deck: tuple[Card, ...]
    deck_size: int
    shuffled: bool
    discard: tuple[Card, ...]
    idol: tuple[Card, ...]
    colour: str
    symbol: str
    skip: bool
    target: int
    owed: int
    after: Phase
    drawn: Card
    between: tuple[int, ...]
    exposed: int
    out: int
    idle: int
    pending: Pending | None
    match: Match

    def copy(self) -> "State":
        """Return the same again, to be filled in."""
        new = State.__new__(State)
        new.options, new.phase, new.seat, new.way = self.options, self.phase, self.seat, self.way
        new.hands, new.deck, new.deck_size = self.hands, self.deck, self.deck_size
        new.shuffled, new.discard, new.idol = self.shuffled, self.discard, self.idol
        new.colour, new.symbol, new.skip = self.colour, self.symbol, self.skip
        new.target, new.owed, new.after = self.target, self.owed, self.after
        new.drawn, new.between, new.exposed = self.drawn, self.between, self.exposed
        new.out, new.idle, new.pending = self.out, self.idle, self.pending
        new.match = self.match
        return new

    def _replace(self, **changes: Any) -> "State":
        """Return the same with *changes*."""
        new = self.copy()
        for name, value in changes.items():
            setattr(new, name, value)
        return new
