"""States of TacTiki."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from companion.rules.tactiki.pieces import Column, Piece, Result

Phase: TypeAlias = Literal["move", "clash", "over"]
StatueRule: TypeAlias = Literal["five", "pure"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose; the log's header holds it, so that a game replays exactly.

    statue: "five" counts one's own pieces on the field, "pure" wants no enemy among them (TA-11).
    repetition: occurrences of a position before a draw may be claimed, 0 never (TA-13).
    quiet_turns: turns without attack, arrival or reincarnation until a draw, 0 never (TA-13).
    max_turns: turns until a draw, whatever happens in them, 0 never (TA-13).
    """

    statue: StatueRule = "five"
    repetition: int = 3
    quiet_turns: int = 200
    max_turns: int = 1000


class Clash(NamedTuple):
    """Two pieces met: in which turn, which, and how the attacker fared."""

    turn: int
    attacker: Piece
    defender: Piece
    result: Result


class Return(NamedTuple):
    """A defeated piece came back: in which turn, and as which piece from then on."""

    turn: int
    piece: Piece


class Removed(NamedTuple):
    """A piece left the board and no rule says why: in which turn, and which."""

    turn: int
    piece: Piece


Fact: TypeAlias = Clash | Return | Removed


@dataclass(slots=True, unsafe_hash=True)
class State:
    """One moment of a game. Whoever makes a copy fills it in; after that none is ever changed.

    phase: "move" waits for a move or a reincarnation, "clash" for the result of an attack.
    moved: how many moves of this turn have been made, 0 or 1.
    columns: the pieces on each of the 25 fields, bottom first.
    tops: by seat, the fields where a piece of its stands on top, as bits.
    pools: by seat, the ranks of the defeated pieces in order, 0 for each that is unknown.
    ranks: by seat, the rank of piece k, 0 if unknown.
    facts: what clashes and returns have shown, oldest first.
    field: where an attack is being resolved in phase "clash".
    turns: the number of this turn, from 1.
    quiet: turns since the last attack, arrival or reincarnation; -1 in a turn that had one.
    look: the side of every piece on the board, as one number (see `pieces.LOOK`).
    seen: the looks since the last arrival, each with the seat to act, oldest first.
    claim: whether the position has occurred often enough to claim a draw.
    """

    options: Options
    phase: Phase
    seat: int
    moved: int
    columns: tuple[Column, ...]
    tops: tuple[int, int]
    pools: tuple[tuple[int, ...], tuple[int, ...]]
    ranks: tuple[tuple[int, ...], tuple[int, ...]]
    facts: tuple[Fact, ...]
    field: int
    turns: int
    quiet: int
    look: int
    seen: tuple[int, ...]
    claim: bool
    ended_by: str

    def copy(self) -> "State":
        """Return the same again, to be filled in."""
        new = State.__new__(State)
        new.options, new.phase, new.seat = self.options, self.phase, self.seat
        new.moved, new.columns, new.tops = self.moved, self.columns, self.tops
        new.pools, new.ranks, new.facts = self.pools, self.ranks, self.facts
        new.field, new.turns, new.quiet = self.field, self.turns, self.quiet
        new.look, new.seen, new.claim = self.look, self.seen, self.claim
        new.ended_by = self.ended_by
        return new

    def _replace(self, **changes: Any) -> "State":
        """Return the same with *changes*."""
        new = self.copy()
        for name, value in changes.items():
            setattr(new, name, value)
        return new
