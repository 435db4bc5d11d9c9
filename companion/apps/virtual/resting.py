"""How pieces come to rest: on the table, a board, or what lies there already."""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from companion.apps.virtual.footprint import Footprint
from companion.apps.virtual.piece import BOARD, CARD, TILE, Piece
from companion.table.virtual_set import Balance, Floor

MAX_LEAN_DEG: Final = 24.0
FLAT: Final = frozenset((CARD, TILE))
"""Kinds that bend, or are so thin that they cannot lean."""


class Ground:
    """What pieces stand on that is no piece: floors of boards, and the table at 0.

    is_fallen: whether the balance board carries nothing any more.
    """

    def __init__(self, floors: Sequence[Floor], balance: Balance | None) -> None:
        self._floors = tuple(floors)
        self._balance = balance
        self.is_fallen = False

    def below(self, x: float, y: float) -> tuple[float, str | None]:
        """Return how high the ground is there, and whether it is the balance board."""
        balance = self._balance
        if balance is not None and not self.is_fallen and balance.floor.carries(x, y):
            return balance.z, BOARD
        heights = (floor.z for floor in self._floors if floor.carries(x, y))
        return max(heights, default=0.0), None


def rest(piece: Piece, below: Iterable[Piece], ground: Ground) -> None:
    """Let *piece* come to rest on the highest of what is *below* it."""
    footprint = piece.footprint
    z, rides = ground.below(piece.x, piece.y)
    floor = z
    carrier: Piece | None = None
    tops = ((other.z + other.rise(piece), other.id, other) for other in below)
    for top, _, other in sorted(tops, reverse=True):
        if top <= z:
            break
        if footprint.meets(other.footprint):
            z, carrier = top, other
            break
    piece.z, piece.lean = z, (0.0, 0.0)
    piece.rides = rides if carrier is None else carrier.rides
    if carrier is not None and piece.kind not in FLAT:
        _lean(piece, footprint, carrier.footprint, z - floor)


def _lean(piece: Piece, own: Footprint, carrier: Footprint, rise: float) -> None:
    """Let a stiff piece lean off what carries it at one side only."""
    if carrier.covers(piece.x, piece.y):
        return
    far = math.hypot(piece.x - carrier.x, piece.y - carrier.y) or 1.0
    angle = min(MAX_LEAN_DEG, math.degrees(math.atan2(rise, own.reach)))
    dx, dy = (piece.x - carrier.x) / far, (piece.y - carrier.y) / far
    # Turned about x, what is nearer goes down; about y, what is farther to the right.
    piece.lean = (round(angle * dy, 2), round(angle * dx, 2))


def settle(pieces: Iterable[Piece], ground: Ground) -> None:
    """Let all *pieces* on the table come to rest, from the lowest one upwards."""
    settled: list[Piece] = []
    for piece in sorted(pieces, key=lambda each: (each.z, each.id)):
        rest(piece, settled, ground)
        settled.append(piece)
