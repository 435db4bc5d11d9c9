"""States of Topple."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

from companion.rules.topple.board import COLOURS, Colour, Column

Phase: TypeAlias = Literal["start", "roll", "place", "over"]
StartRule: TypeAlias = Literal["next", "roll", "same"]
TieRule: TypeAlias = Literal["play_on", "share"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose; the log's header holds it, so that a game replays exactly.

    target: the points that end the game (TO-12).
    colours: the names of the edition's four colours; seat 0 has the first (TO-2).
    two_colours: whether each of two players has two colours (TO-13).
    young: whether nobody scores and the toppler is out (TO-14).
    count_completing: whether the piece that completes a row counts in it (TO-5).
    must_place: whether everyone must place a piece after rolling (TO-4).
    next_start: who begins the next round (TO-11).
    tie: "play_on" plays rounds until one leads, "share" lets the leaders share the win (TO-12).
    """

    target: int = 100
    colours: tuple[Colour, ...] = COLOURS
    two_colours: bool = False
    young: bool = False
    count_completing: bool = False
    must_place: bool = True
    next_start: StartRule = "next"
    tie: TieRule = "play_on"


class Round(NamedTuple):
    """A finished round: every seat's points in it, who caused its end, and the clause."""

    points: tuple[int, ...]
    seat: int
    ended_by: str


@dataclass(slots=True, unsafe_hash=True)
class State:
    """One moment of a game. Whoever makes a copy fills it in; after that none is ever changed.

    phase: "start" rolls for the first turn, "roll" waits for the die, "place" for a piece.
    players: the seats still in the game, in order of play.
    seat: who rolls or places.  pips: the roll in phase "place"; 0 if it is unknown,
        and in all other phases.
    cells: the pieces on each of the 25 spots.  marks: by colour, the spots that it tops, as bits.
    stock: by colour, the pieces still to be placed.
    tally: by colour, the points placed for.  fines: by seat, what topples have cost and brought.
    before: who had the turn before this one in this round, or -1.
    starter: who began the round.
    rolls: the rolls for the first turn so far.  rolling: the seats that still have to roll.
    total: by seat, the points when the round began.
    """

    options: Options
    phase: Phase
    players: tuple[int, ...]
    seat: int
    pips: int
    cells: tuple[Column, ...]
    marks: tuple[int, ...]
    stock: tuple[int, ...]
    tally: tuple[int, ...]
    fines: tuple[int, ...]
    before: int
    starter: int
    rolls: tuple[tuple[int, int], ...]
    rolling: tuple[int, ...]
    total: tuple[int, ...]
    rounds: tuple[Round, ...]

    def copy(self) -> "State":
        """Return the same again, to be filled in."""
        new = State.__new__(State)
        new.options, new.phase, new.players = self.options, self.phase, self.players
        new.seat, new.pips, new.cells = self.seat, self.pips, self.cells
        new.marks, new.stock, new.tally = self.marks, self.stock, self.tally
        new.fines, new.before, new.starter = self.fines, self.before, self.starter
        new.rolls, new.rolling, new.total = self.rolls, self.rolling, self.total
        new.rounds = self.rounds
        return new

    def _replace(self, **changes: Any) -> "State":
        """Return the same with *changes*."""
        new = self.copy()
        for name, value in changes.items():
            setattr(new, name, value)
        return new
