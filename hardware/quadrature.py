"""Two wires of a rotary encoder, and the index beside them, as steps.

Each wire is high for half a pulse, and they are a quarter of a pulse apart, so a pulse has four
edges and each edge is one step.  Between two edges nothing changes: the four pairs of levels follow
each other in a ring, a step leads to a neighbour in it, and which wire changed tells which
neighbour.  The first wire leads when the shaft turns clockwise, as in gpiozero's RotaryEncoder.
"""

from typing import Final

A: Final = 0
B: Final = 1
INDEX: Final = 2
EDGES: Final = 4
"""Edges in one pulse, both wires together."""

STEPS: Final = ((+1, -1), (-1, +1), (-1, +1), (+1, -1))
"""The step when a wire (A, B) changes, for each pair of levels (a * 2 + b) before it did."""
MASKS: Final = (2, 1)
"""Where a wire's level stands in that number."""


class Quadrature:
    """Counts steps and contradictions.

    position: steps clockwise since the start, at the start 0.
    way: the last step, +1 clockwise, -1 anticlockwise, 0 before the first.
    missed: how often the wires contradicted what was known of them.

    An odd number of edges lost on a wire is found at its next edge, which then brings a level that
    is known already; so is one edge lost on each, as both wires are seen to have changed.  What
    slips through is a multiple of four steps, whole pulses: only time or the index can tell those.

    >>> shaft = Quadrature(a=False, b=False)
    >>> [shaft.edge(A, True, 0.01), shaft.edge(B, True, 0.02), shaft.edge(A, True, 0.03)]
    [1, 1, 0]
    >>> shaft.position, shaft.missed
    (2, 1)
    """

    __slots__ = ("_at_s", "_levels", "_wire", "missed", "position", "way")

    def __init__(self, a: bool, b: bool) -> None:
        self._levels = a * MASKS[A] + b * MASKS[B]
        self._at_s = float("-inf")
        self._wire = A
        self.position = 0
        self.way = 0
        self.missed = 0

    def edge(self, wire: int, active: bool, at_s: float) -> int:
        """Return the step that *wire*, A or B, made at *at_s* by becoming *active*; 0 if none.

        Missed: the level was known already; the edge is older than the last; the other wire changed
        at the very same time, so that nobody knows which was first (that one counts as it came).
        """
        levels, mask = self._levels, MASKS[wire]
        if bool(levels & mask) == active or at_s < self._at_s:
            self.missed += 1
            return 0
        if at_s == self._at_s and wire != self._wire:
            self.missed += 1
        step = STEPS[levels][wire]
        self._levels = levels ^ mask
        self._at_s, self._wire = at_s, wire
        self.position += step
        self.way = step
        return step

    def amend(self, wire: int, active: bool) -> int:
        """Take *wire* for *active*: it was found to stand so.  Return the step, if no edge said it.

        That step is missed, and may have been three the other way: the position is then wrong by a
        whole pulse, as after every loss.
        """
        levels, mask = self._levels, MASKS[wire]
        if bool(levels & mask) == active:
            return 0
        self.missed += 1
        self._levels = levels ^ mask
        self.position += STEPS[levels][wire]
        return STEPS[levels][wire]

    def marks(self, active: bool) -> bool:
        """Whether the index, by becoming *active*, marks its one place on the circle.

        The pulse has a width: only its anticlockwise end counts, whichever way it is passed.
        """
        return self.way != 0 and active == (self.way > 0)
