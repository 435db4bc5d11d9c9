"""A careful hand: it aims at places and stacks, but never quite hits them."""

import math
from collections.abc import Sequence
from random import Random
from typing import Final

from companion.apps.virtual.footprint import ROUND
from companion.apps.virtual.piece import CARD, Piece
from companion.table.virtual_set import Slot

MISS_MM: Final = {CARD: 1.6}
USUAL_MISS_MM: Final = 0.9
"""How far from the middle of what it aims at a hand lets go, as a standard deviation."""
MISS_DEG: Final = {CARD: 2.2}
USUAL_MISS_DEG: Final = 1.2
KEPT_SHARE: Final = 0.12
"""Of how far beside it somebody lets go, so much is left."""
MOST_MM: Final = 3.0
STACK_SHARE: Final = 0.5
"""Round pieces are put on a stack from within this share of their width; cards likewise."""


class CarefulHand:
    """Puts pieces to *slots* and stacks, as straight as hands do."""

    def __init__(self, slots: Sequence[Slot], random: Random) -> None:
        self._slots = tuple(slots)
        self._random = random

    def aim(self, piece: Piece, others: Sequence[Piece]) -> None:
        """Bring *piece* nearer to the middle of the stack or slot that it is let go over."""
        slot = self._slot_at(piece)
        stack = _stack_at(piece, others)
        if stack is not None:
            self._bring(piece, stack.x, stack.y)
        elif slot is not None:
            self._bring(piece, slot.x, slot.y)
        if slot is not None and slot.turn is not None:
            self._straighten(piece, slot.turn)

    def make_room(
        self, piece: Piece, others: Sequence[Piece], origin: tuple[float, float] | None
    ) -> None:
        """Shove what lies in a row along, so that the slot which *piece* goes to is free.

        origin: from where it was taken: the gap there is closed, if there is one.
        """
        slot = self._slot_at(piece)
        if slot is None:
            return
        lying: dict[int, Piece] = {}
        for other in others:
            place = self._nearest(other.kind, other.x, other.y)
            if place is not None and other.kind == piece.kind:
                lying[place] = other
        wanted = self._slots.index(slot)
        if wanted not in lying:
            return
        free = [at for at in range(len(self._slots)) if at not in lying]
        if not free:
            return
        left = None if origin is None else self._nearest(piece.kind, *origin)
        hole = min(free, key=lambda at: (at != left, abs(at - wanted)))
        step = 1 if hole < wanted else -1
        for gap in range(hole, wanted, step):
            if gap + step in lying:
                shoved, to = lying[gap + step], self._slots[gap]
                self._bring(shoved, to.x, to.y)

    def _slot_at(self, piece: Piece) -> Slot | None:
        at = self._nearest(piece.kind, piece.x, piece.y)
        return None if at is None else self._slots[at]

    def _nearest(self, kind: str, x: float, y: float) -> int | None:
        near = [
            (math.hypot(x - slot.x, y - slot.y), at)
            for at, slot in enumerate(self._slots)
            if kind in slot.kinds
        ]
        far, at = min(near, default=(math.inf, -1))
        return at if at >= 0 and far <= self._slots[at].reach else None

    def _bring(self, piece: Piece, x: float, y: float) -> None:
        miss = MISS_MM.get(piece.kind, USUAL_MISS_MM)
        dx = KEPT_SHARE * (piece.x - x) + self._random.gauss(0, miss)
        dy = KEPT_SHARE * (piece.y - y) + self._random.gauss(0, miss)
        far = math.hypot(dx, dy)
        scale = min(1.0, MOST_MM / far) if far > 0 else 1.0
        piece.x, piece.y = x + scale * dx, y + scale * dy

    def _straighten(self, piece: Piece, turn: float) -> None:
        off = (piece.turn - turn + 90.0) % 180.0 - 90.0
        half = piece.turn - turn - off
        miss = self._random.gauss(0, MISS_DEG.get(piece.kind, USUAL_MISS_DEG))
        piece.turn = (turn + half + KEPT_SHARE * off + miss) % 360.0


def _stack_at(piece: Piece, others: Sequence[Piece]) -> Piece | None:
    """Return the top of the stack of its kind that *piece* is let go over."""
    if piece.kind not in ROUND and piece.kind != CARD:
        return None
    reach = STACK_SHARE * min(piece.size[:2])
    near = [
        other
        for other in others
        if other.kind == piece.kind
        and other.size == piece.size
        and math.hypot(piece.x - other.x, piece.y - other.y) <= reach
    ]
    return max(near, key=lambda each: (each.z, each.id), default=None)
