"""What ball switches are imagined to say: knocks, wobbles, leans and falls, from physics.

No switch has been measured for this.  The datasheets of SW-520D-like switches give angles (they
let go between 15 and 45 degrees) and resistances, but no bounce, so the ranges are taken wide:

- A table that is hit rings at 8 to 80 Hz with 1 to 15 % damping.  While its acceleration exceeds
  what holds the ball (0.3 to 1 g), each cycle throws the ball: it flies for 2 v / g at most, no
  longer than the 3 to 8 mm of its can allow (80 ms), hops on with 20 to 70 % of its speed, and
  now and then has to roll back to its seat for 10 to 160 ms.  Aloft it is an open contact.
- A shove is a sideways acceleration of 50 to 250 ms; to the ball it looks like a tilt.
- A board that sways past the switch's angle and comes back stays there for 2 tau acosh(1 / u), an
  inverted pendulum's dwell: tau 80 to 200 ms (a centre of mass 6 to 40 cm above the stem), u the
  share of the way from the switch's angle to the point of no return that was left over.
- A board that falls passes the angle for good.  The ball then lies at the far end of its can, and
  impacts throw it back to the contacts for 0.1 to 15 ms; a board that rocks closes them for 60 ms.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import TypeAlias

from hardware.inputs import Edge

Span: TypeAlias = tuple[float, float]
"""From when to when, in seconds."""
Throw: TypeAlias = tuple[float, float]
"""When, and how long the ball is aloft, in seconds."""
GRAVITY = 9.81
WATCHED_S = 3.0


@dataclass(frozen=True)
class Pattern:
    """What *switches* said; *fell_s*: when the board passed the angle for good, None if never."""

    kind: str
    switches: int
    edges: tuple[Edge, ...]
    until_s: float
    fell_s: float | None = None


def union(spans: list[Span]) -> list[Span]:
    """Return *spans* in order, those that touch made one."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def edges_of(wires: list[list[Span]], until_s: float) -> tuple[Edge, ...]:
    """Return the edges of switches that are active during their spans."""
    edges = [
        Edge(wire, active, at_s)
        for wire, spans in enumerate(wires)
        for span in union(spans)
        for active, at_s in zip((True, False), span, strict=True)
        if at_s < until_s
    ]
    return tuple(sorted(edges, key=lambda edge: edge.at_s))


@dataclass(frozen=True)
class Table:
    """One table and one mounting; every pattern draws a new one."""

    ring_hz: float
    damping: float
    holds_g: float
    hop: float
    can_s: float
    sticky: float

    @classmethod
    def draw(cls, rng: Random) -> "Table":
        """Return a table of any kind."""
        return cls(
            ring_hz=rng.uniform(8, 80),
            damping=rng.uniform(0.01, 0.15),
            holds_g=rng.uniform(0.3, 1.0),
            hop=rng.uniform(0.2, 0.7),
            can_s=2 * math.sqrt(2 * rng.uniform(0.003, 0.008) / GRAVITY),
            sticky=rng.uniform(0.0, 0.4),
        )

    def throws(self, rng: Random, at_s: float, peak_g: float) -> list[Throw]:
        """Return when a hit of *peak_g* throws a ball that lies on its seat, and for how long."""
        found: list[Throw] = []
        strength_g = peak_g
        while strength_g > self.holds_g and len(found) < 200:
            flight_s = min(2 * strength_g / (2 * math.pi * self.ring_hz), self.can_s)
            cycle = len(found) + rng.uniform(-0.1, 0.1)
            found.append((at_s + cycle / self.ring_hz, flight_s * rng.uniform(0.5, 1.0)))
            strength_g *= math.exp(-2 * math.pi * self.damping)
        if found and rng.random() < self.sticky:
            found.append((found[-1][0] + 0.001, rng.uniform(0.010, 0.160)))
        return found

    def shaken(self, rng: Random, hits: list[tuple[float, float]]) -> list[Span]:
        """Return when a switch's ball is off its seat, for *hits* of seconds and g.

        A ball aloft cannot be thrown, and one that lands touches its seat, however briefly.
        """
        throws = sorted(throw for hit in hits for throw in self.throws(rng, *hit))
        spans: list[Span] = []
        free_s = -math.inf
        for (at_s, flight_s), (next_s, _) in pairwise([*throws, (math.inf, 0.0)]):
            start_s, aloft_s = at_s, flight_s
            while aloft_s > 0.0002 and free_s <= start_s < next_s:
                spans.append((start_s, start_s + aloft_s))
                free_s = start_s + aloft_s + rng.uniform(0.00002, 0.001)
                start_s, aloft_s = free_s, aloft_s * self.hop
        return spans


def dwell_s(rng: Random, least_left: float) -> float:
    """Return how long a board that comes back stays past the switch's angle."""
    return 2 * rng.uniform(0.08, 0.2) * math.acosh(1 / rng.uniform(least_left, 0.999))


def sway(rng: Random, at_s: float, least_left: float, swings: int) -> list[Span]:
    """Return the swings past the angle, each weaker; the contact rattles where they begin."""
    spans: list[Span] = []
    for _ in range(swings):
        stays_s = dwell_s(rng, least_left) + rng.uniform(0.005, 0.060)
        for _ in range(rng.randint(0, 3)):
            spans.append((at_s, at_s + rng.uniform(0.0002, 0.004)))
            at_s += rng.uniform(0.004, 0.008)
        spans.append((at_s, at_s + stays_s))
        at_s += stays_s + rng.uniform(0.1, 0.5)
        least_left = (1 + least_left) / 2
    return spans


def moved(rng: Random, spans: list[Span]) -> list[Span]:
    """Return *spans* as another switch on the same board says them."""
    late_s = rng.uniform(0, 0.01)
    return [(start + late_s, end + late_s + rng.uniform(0, 0.02)) for start, end in spans]


def tap(rng: Random, switches: int) -> list[list[Span]]:
    """Put down a glass, or tap with a finger."""
    table, peak_g = Table.draw(rng), rng.uniform(0.5, 6)
    return [table.shaken(rng, [(0.1, peak_g * rng.uniform(0.7, 1.3))]) for _ in range(switches)]


def bang(rng: Random, switches: int) -> list[list[Span]]:
    """Bang with a fist, which bounces once; all that stands on the table rattles on."""
    table, peak_g = Table.draw(rng), rng.uniform(5, 60)
    hits = [(0.1, peak_g), (0.1 + rng.uniform(0.06, 0.15), peak_g * rng.uniform(0.1, 0.5))]
    hits += [(rng.uniform(0.1, 0.7), rng.uniform(0.3, 3)) for _ in range(rng.randint(0, 8))]
    swung = sway(rng, 0.1 + rng.uniform(0.0, 0.2), 0.6, rng.choice((0, 0, 1, 2)))
    return [table.shaken(rng, hits) + moved(rng, swung) for _ in range(switches)]


def drumming(rng: Random, switches: int) -> list[list[Span]]:
    """Drum on the table, as children do."""
    table, rate_hz, peak_g = Table.draw(rng), rng.uniform(4, 12), rng.uniform(0.5, 8)
    beats = int(rate_hz * rng.uniform(0.5, 4))
    hits = [
        (0.1 + (beat + rng.uniform(-0.2, 0.2)) / rate_hz, peak_g * rng.uniform(0.4, 1.5))
        for beat in range(beats)
    ]
    return [table.shaken(rng, hits) for _ in range(switches)]


def chair(rng: Random, switches: int) -> list[list[Span]]:
    """Bump a chair into the table: it is shoved, once or more, and rings a little."""
    table, at_s, shoves = Table.draw(rng), 0.1, []
    for _ in range(rng.randint(1, 4)):
        lasts_s = rng.uniform(0.05, 0.25)
        shoves.append((at_s, at_s + lasts_s))
        at_s += lasts_s + rng.uniform(0.05, 0.3)
    return [
        moved(rng, shoves) + table.shaken(rng, [(0.1, rng.uniform(0.3, 4))])
        for _ in range(switches)
    ]


def placing(rng: Random, switches: int) -> list[list[Span]]:
    """Put a piece on the board, which wobbles."""
    table, swung = Table.draw(rng), sway(rng, 0.15, 0.7, rng.randint(1, 3))
    return [
        moved(rng, swung) + table.shaken(rng, [(0.1, rng.uniform(0.2, 2))]) for _ in range(switches)
    ]


def leaning(rng: Random, switches: int) -> list[list[Span]]:
    """Lean slowly, and come back."""
    swung = sway(rng, 0.1, 0.3, 1)
    return [moved(rng, swung) for _ in range(switches)]


def impacts(rng: Random, fell_s: float, hits: int, rocks: bool) -> list[Span]:
    """Return the spans of a switch that is tilted for good, touched by each impact's blips."""
    closed: list[Span] = []
    at_s = fell_s + rng.uniform(0.05, 0.4)
    for hit in range(hits):
        for _ in range(rng.randint(0, 6)):
            start_s = at_s + rng.expovariate(1 / 0.02)
            closed.append((start_s, start_s + rng.uniform(0.0001, 0.015)))
        if rocks and hit and rng.random() < 0.5:
            closed.append((at_s, at_s + rng.uniform(0.010, 0.060)))
        at_s += rng.uniform(0.06, 0.15)
    spans, start_s = [], fell_s
    for shut_s, open_s in union(closed):
        spans.append((start_s, shut_s))
        start_s = open_s
    return [*spans, (start_s, math.inf)]


def fast_fall(rng: Random, switches: int, fell_s: float) -> list[list[Span]]:
    """Go over at once and lie still."""
    return [
        impacts(rng, fell_s + rng.uniform(0, 0.03), rng.randint(0, 2), rocks=False)
        for _ in range(switches)
    ]


def slow_slide(rng: Random, switches: int, fell_s: float) -> list[list[Span]]:
    """Creep over the angle, chattering there, and slide down without a hit."""
    wires = []
    for _ in range(switches):
        at_s, creeping = fell_s - rng.uniform(0.05, 0.6), []
        while at_s < fell_s - 0.01:
            lasts_s = rng.uniform(0.0005, 0.05)
            creeping.append((at_s, min(at_s + lasts_s, fell_s - 0.001)))
            at_s += lasts_s + rng.uniform(0.0005, 0.05)
        wires.append([*creeping, (fell_s + rng.uniform(0, 0.05), math.inf)])
    return wires


def bouncing_fall(rng: Random, switches: int, fell_s: float) -> list[list[Span]]:
    """Fall, bounce and rock before lying still."""
    return [
        impacts(rng, fell_s + rng.uniform(0, 0.03), rng.randint(2, 4), rocks=True)
        for _ in range(switches)
    ]


KNOCKS: tuple[Callable[[Random, int], list[list[Span]]], ...] = (tap, bang, drumming, chair)
UNEASY: tuple[Callable[[Random, int], list[list[Span]]], ...] = (placing, leaning)
FALLS: tuple[Callable[[Random, int, float], list[list[Span]]], ...] = (
    fast_fall, slow_slide, bouncing_fall,
)  # fmt: skip


def knock(rng: Random, switches: int) -> Pattern:
    """Return a table knock of any kind, after which the tower stands."""
    kind = rng.choice(KNOCKS)
    wires = kind(rng, switches)
    until_s = max((end for spans in wires for _, end in spans), default=0.1) + 2.0
    return Pattern(kind.__name__, switches, edges_of(wires, until_s), until_s)


def unease(rng: Random, switches: int) -> Pattern:
    """Return a wobble or a lean from which the tower comes back."""
    kind = rng.choice(UNEASY)
    wires = kind(rng, switches)
    until_s = max(end for spans in wires for _, end in spans) + 2.0
    return Pattern(kind.__name__, switches, edges_of(wires, until_s), until_s)


def fall(rng: Random, switches: int, *, failing: bool = False) -> Pattern:
    """Return a topple of any kind, sometimes after a bang; one switch never moves if *failing*."""
    kind = rng.choice(FALLS)
    banged = bang(rng, switches) if rng.random() < 0.25 else [[] for _ in range(switches)]
    fell_s = rng.uniform(0.7, 1.2)
    wires = [
        [(start, min(end, fell_s)) for start, end in before if start < fell_s] + after
        for before, after in zip(banged, kind(rng, switches, fell_s), strict=True)
    ]
    if failing:
        wires[rng.randrange(switches)] = []
    until_s = fell_s + WATCHED_S
    return Pattern(kind.__name__, switches, edges_of(wires, until_s), until_s, fell_s)
