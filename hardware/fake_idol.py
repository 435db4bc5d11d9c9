"""A simulated idol: the edges of its encoder's wires while it is spun."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import floor, sqrt
from typing import Final

from hardware.device import BadValue
from hardware.fake_contact import FakeContact
from hardware.inputs import Edge
from hardware.quadrature import EDGES, INDEX, A, B
from hardware.sectors import TURN_DEG
from hardware.spin import SpinFigures

LEVELS: Final = ((False, False), (True, False), (True, True), (False, True))
"""The two wires on the four steps of a pulse, clockwise."""
MAX_RATE: Final = 10.0
MIN_PUSH_S: Final = 1e-3


@dataclass(frozen=True, slots=True)
class Motion:
    """A spin: a hand pushes evenly, then friction slows the idol evenly until it rests.

    turns: how far, in revolutions, more than 0.  rate: revolutions a second when the hand lets go,
    up to 10.  push_s: how long it pushes; no more than half of the way is pushed.
    Raises BadValue.
    """

    turns: float
    rate: float = 3.0
    push_s: float = 0.15

    def __post_init__(self) -> None:
        if not (self.turns > 0 and 0 < self.rate <= MAX_RATE and self.push_s >= MIN_PUSH_S):
            raise BadValue(
                f"a spin of {self.turns:g} turns at {self.rate:g} a second, pushed for"
                f" {self.push_s:g} s: more than 0 turns, at up to 10 a second, pushed for 1 ms or"
                " more"
            )

    @property
    def pushed(self) -> float:
        """How far the hand goes with it, in revolutions."""
        return min(self.rate * self.push_s, self.turns) / 2

    @property
    def lasts_s(self) -> float:
        """Seconds from the first push to rest."""
        return 2 * self.turns / self.rate

    def at_s(self, turned: float) -> float:
        """Return after how many seconds it has turned so far, from 0 to `turns` revolutions."""
        pushed = self.pushed
        if turned < pushed:
            return 2 * sqrt(turned * pushed) / self.rate
        coasted = self.turns - pushed
        left = max(0.0, self.turns - turned) / coasted
        return 2 * (pushed + coasted * (1 - sqrt(left))) / self.rate


def spin_edges(
    start_deg: float,
    motion: Motion,
    pulses: int,
    *,
    clockwise: bool = True,
    index_deg: float | None = None,
    uneven: float = 0.0,
) -> Iterator[Edge]:
    """Yield the edges of a *motion* from *start_deg* on, in order; its first moment is 0.

    index_deg: where the index's pulse begins, which is one step wide; None for none.
    uneven: by what share of a step the first wire's edges come late, and the second's early, as
        seen clockwise; below 0.5.
    """
    step_deg = TURN_DEG / (pulses * EDGES)
    way = 1 if clockwise else -1
    end_deg = start_deg + way * motion.turns * TURN_DEG
    low_deg, high_deg = sorted((start_deg, end_deg))
    first, last = floor(low_deg / step_deg), floor(high_deg / step_deg) + 1
    marks = []
    for edge in range(first, last + 1):
        wire = A if edge % 2 else B
        shift = uneven if wire == A else -uneven
        marks.append(((edge + shift) * step_deg, wire, LEVELS[edge % EDGES][wire]))
    if index_deg is not None:
        for turn in range(floor(low_deg / TURN_DEG) - 1, floor(high_deg / TURN_DEG) + 1):
            begin_deg = index_deg + turn * TURN_DEG
            marks += [(begin_deg, INDEX, True), (begin_deg + step_deg, INDEX, False)]
        marks.sort()
    for place_deg, wire, active in marks[::way]:
        if low_deg < place_deg <= high_deg:
            turned = abs(place_deg - start_deg) / TURN_DEG
            yield Edge(wire, active == clockwise, motion.at_s(turned))


class FakeIdol:
    """A hand, an idol and its encoder; `a`, `b` and `index` are the contacts of an `IdolSpinner`.

    angle_deg: where it truly points, clockwise, counted on over full turns.
    at_s: its own clock: when the last spin came to rest.  Set it to the present before a spin that
        is to be heard as it happens.

    >>> idol = FakeIdol()
    >>> idol.turn(1.5)
    1.0
    >>> idol.angle_deg
    540.0
    """

    def __init__(
        self, figures: SpinFigures | None = None, index_deg: float = 0.0, at_s: float = 0.0
    ) -> None:
        self._pulses = (figures or SpinFigures()).pulses
        self._index_deg = index_deg
        self.angle_deg = 0.0
        self.at_s = at_s
        self.a, self.b, self.index = FakeContact(), FakeContact(), FakeContact()

    def turn(self, turns: float, rate: float = 3.0, push_s: float = 0.15) -> float:
        """Spin it by *turns*, anticlockwise if negative; return when it came to rest.

        All edges are told at once, with the times at which they would have come.
        Raises BadValue as `Motion` does.
        """
        motion = Motion(abs(turns), rate, push_s)
        contacts = (self.a, self.b, self.index)
        edges = spin_edges(
            self.angle_deg,
            motion,
            self._pulses,
            clockwise=turns > 0,
            index_deg=self._index_deg + TURN_DEG / (2 * EDGES * self._pulses),
        )
        for edge in edges:
            contacts[edge.contact].drive(edge.active, self.at_s + edge.at_s)
        self.angle_deg += turns * TURN_DEG
        self.at_s += motion.lasts_s
        return self.at_s

    def point_at(self, angle_deg: float) -> float:
        """Turn it slowly by hand, the shorter way, to *angle_deg*; return when it is there."""
        way_deg = (angle_deg - self.angle_deg + TURN_DEG / 2) % TURN_DEG - TURN_DEG / 2
        if way_deg:
            self.turn(way_deg / TURN_DEG, rate=0.4)
        return self.at_s
