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
    sides: the sides of the pieces on each field, as a word (see `pieces.sides_of`).
    tops: the side of the piece on top of each field, a word for each row (see `pieces.tops_of`).
    pools: by seat, the ranks of the defeated pieces in order, 0 for each that is unknown.
    ranks: by seat, the rank of piece k, 0 if unknown.
    facts: what clashes and returns have shown, oldest first.
    field: where an attack is being resolved in phase "clash".
    turns: the number of this turn, from 1.
    quiet: turns since the last attack, arrival or reincarnation; -1 in a turn that had one.
    seen: how the board has looked since the last arrival, oldest first (see `pieces.look_of`).
    claim: whether the position has occurred often enough to claim a draw.
    """

    options: Options
    phase: Phase
    seat: int
    moved: int
    columns: tuple[Column, ...]
    sides: tuple[str, ...]
    tops: tuple[str, ...]
    pools: tuple[tuple[int, ...], tuple[int, ...]]
    ranks: tuple[tuple[int, ...], tuple[int, ...]]
    facts: tuple[Fact, ...]
    field: int
    turns: int
    quiet: int
    seen: tuple[str, ...]
    claim: bool
    ended_by: str

    def copy(self) -> "State":
        """Return the same again, to be filled in."""
        new = State.__new__(State)
        new.options, new.phase, new.seat = self.options, self.phase, self.seat
        new.moved, new.columns, new.sides = self.moved, self.columns, self.sides
        new.tops, new.pools, new.ranks = self.tops, self.pools, self.ranks
        new.facts, new.field, new.turns = self.facts, self.field, self.turns
        new.quiet, new.seen, new.claim = self.quiet, self.seen, self.claim
        new.ended_by = self.ended_by
        return new

    def _replace(self, **changes: Any) -> "State":
        """Return the same with *changes*."""
        new = self.copy()
        for name, value in changes.items():
            setattr(new, name, value)
        return new
