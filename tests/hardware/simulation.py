"""Simulated spins: what truly happened beside what the judge made of it.

Two things are assumed.  A hand pushes over a tenth of a turn or more, and a finger never stops the
idol dead: otherwise it would look as if steps were missed, and be doubted.  A backlog loses edges
as a kernel's buffer does: the oldest or the newest of what came while the reader was kept waiting,
for both wires together or for each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Final, TypeAlias

from hardware.facts import Spun
from hardware.fake_idol import Motion, spin_edges
from hardware.inputs import Edge
from hardware.momentum import Backlog
from hardware.quadrature import A, B
from hardware.sectors import Sectors, turned
from hardware.spin import SpinDetector, SpinFigures
from tests.hardware.spins import detect_spin, levels

HEADER: Final = Backlog()
WARY: Final = Backlog(edges=1, wait_s=float("inf"))
"""Looks for missing steps everywhere, as if edges could be lost at any time and speed."""
TRUSTING: Final = Backlog(wait_s=0.0)
UNEVEN: Final = 0.15
BURSTS: Final = (1, 2, 3, 4, 4, 4, 5, 8, 8, 12, 16, 40, 80)
CHANCES: Final = (0.002, 0.01, 0.05)

Lose: TypeAlias = Callable[[list[Edge], Random], list[Edge]]


@dataclass(slots=True)
class Tally:
    """How many spins were told how.

    wrong: a seat was named that the idol did not point at, or two with the line between them
    elsewhere.  missed: no spin was told at all, or a good one without a seat.
    """

    spins: int = 0
    whole: int = 0
    trusted: int = 0
    lossy: int = 0
    doubted: int = 0
    void: int = 0
    between: int = 0
    wrong: int = 0
    missed: int = 0


@dataclass(frozen=True, slots=True)
class Circle:
    """Where people truly sit, and what an encoder was taught of it."""

    true_deg: tuple[float, ...]
    table: Sectors
    figures: SpinFigures
    uneven: float

    def read(self, angle_deg: float) -> float:
        """Return what the encoder says of an angle: where the last of its edges before it is."""
        return count_at(angle_deg, self.figures.step_deg, self.uneven) * self.figures.step_deg

    def count(self, told: Spun | None, end_deg: float, *, lost: bool, tally: Tally) -> None:
        """Add to *tally* what was *told* of a spin that truly ended at *end_deg*."""
        tally.spins += 1
        tally.lossy += lost
        tally.whole += not lost
        if told is None:
            tally.missed += not lost
            tally.doubted += lost
            return
        tally.trusted += told.trusted and not lost
        tally.doubted += lost and not told.trusted
        tally.void += told.void
        tally.between += len(told.seats) == 2
        tally.missed += told.trusted and not told.void and not told.seats
        if told.seats and not self.is_right(told.seats, end_deg):
            tally.wrong += 1

    def is_right(self, seats: tuple[int, ...], end_deg: float) -> bool:
        """Whether the idol truly points at the one seat, or at the line between the two.

        Truth is not rounded: people sit where they sit, and meet half-way.
        """
        count = len(self.true_deg)
        away = [turned(seat_deg, end_deg) for seat_deg in self.true_deg]
        nearest = min(range(count), key=lambda seat: abs(away[seat]))
        if len(seats) == 1:
            return seats == (nearest,)
        beside = (nearest + (1 if away[nearest] > 0 else -1)) % count
        reach_deg = (abs(away[beside]) - abs(away[nearest])) / 2
        allowed_deg = self.table.margin_deg + self.figures.step_deg * (1 + UNEVEN)
        return seats == tuple(sorted((nearest, beside))) and reach_deg <= allowed_deg


def draw_circle(rng: Random, pulses: int, backlog: Backlog = HEADER) -> Circle:
    """Return 2 to 10 people somewhere round the idol, taught by pointing at each."""
    figures = SpinFigures(pulses=pulses, backlog=backlog)
    step_deg = figures.step_deg
    count = rng.randint(2, 10)
    hand_deg = rng.uniform(2.0, min(12.0, 180 / count - 3 * step_deg))
    least_deg = 2 * (hand_deg + 3 * step_deg)
    cuts = sorted(rng.uniform(0, 360 - count * least_deg) for _ in range(count))
    first_deg, uneven = rng.uniform(0, 360), rng.uniform(-UNEVEN, UNEVEN)
    true = tuple(first_deg + cut + seat * least_deg for seat, cut in enumerate(cuts))
    angles_deg = {
        seat: count_at(seat_deg, step_deg, uneven) * step_deg for seat, seat_deg in enumerate(true)
    }
    return Circle(true, Sectors(angles_deg, step_deg, hand_deg), figures, uneven)


def spin_by_edges(circle: Circle, rng: Random, tally: Tally, lose: Lose | None = None) -> None:
    """Spin once with every edge of it, some of them lost if *lose* says so; may dither at rest."""
    start_deg, turns, clockwise = rng.uniform(0, 360), rng.uniform(0.6, 3.0), rng.random() < 0.5
    if circle.figures.pulses > 100:
        turns = rng.uniform(0.95, 1.2)
    rate = rng.uniform(1.5, 10.0)
    motion = Motion(turns, rate, 2 * rng.uniform(0.1, 0.4) / rate)
    whole = list(
        spin_edges(
            start_deg,
            motion,
            circle.figures.pulses,
            clockwise=clockwise,
            uneven=circle.uneven,
        )
    )
    heard = lose(whole, rng) if lose else whole
    lost = len(heard) < len(whole)
    if rng.random() < 0.2:
        wire, active, at_s = whole[-1]
        dither = [
            Edge(wire, active == bool(number % 2), at_s + (number + 1) * 0.03)
            for number in range(rng.choice((2, 4, 6)))
        ]
        whole, heard = whole + dither, heard + dither
    detector = SpinDetector(levels(whole), circle.figures, circle.table)
    detector.correct(circle.read(start_deg))
    facts = detect_spin(detector, heard, whole=whole)
    told = [fact for fact in facts if isinstance(fact, Spun)]
    end_deg = start_deg + (turns if clockwise else -turns) * 360
    circle.count(told[-1] if told else None, end_deg, lost=lost, tally=tally)


def spin_by_counts(
    circle: Circle, detector: SpinDetector, start_deg: float, rng: Random, tally: Tally
) -> float:
    """Spin once, in a few counts of many steps as a microcontroller tells them; nothing is lost.

    Returns where it truly ended; the next spin begins there.
    """
    way_deg = rng.uniform(0.3, 12.0) * 360 * rng.choice((-1, 1))
    first, last = (
        count_at(angle_deg, circle.figures.step_deg, circle.uneven)
        for angle_deg in (start_deg, start_deg + way_deg)
    )
    stages = sorted((first, *(rng.randint(*sorted((first, last))) for _ in range(3)), last))
    for part, (before, after) in enumerate(pairwise(stages if last > first else stages[::-1])):
        if after != before:
            detector.move(after - before, part * 0.1)
    if rng.random() < 0.2:
        detector.move(-1 if last > first else 1, 0.5)
        detector.move(1 if last > first else -1, 0.6)
    (told,) = (fact for fact in detector.due(9.0) if isinstance(fact, Spun))
    circle.count(told, start_deg + way_deg, lost=False, tally=tally)
    return start_deg + way_deg


def lose_burst(edges: list[Edge], rng: Random) -> list[Edge]:
    """Lose some edges in a row, at any place and speed."""
    gone = min(rng.choice(BURSTS), len(edges) // 2)
    first = rng.randrange(len(edges) - gone + 1)
    return edges[:first] + edges[first + gone :]


def lose_lone(edges: list[Edge], rng: Random) -> list[Edge]:
    """Lose each edge with the same small chance, as a bad contact does."""
    chance = rng.choice(CHANCES)
    return [edge for edge in edges if rng.random() > chance]


def skip_pulse(edges: list[Edge], rng: Random) -> list[Edge]:
    """Lose both edges of a pulse on one wire, at any place and speed, as a worn contact does."""
    first = rng.randrange(len(edges) - 2)
    return [edge for number, edge in enumerate(edges) if number not in (first, first + 2)]


def lose_backlog(edges: list[Edge], rng: Random) -> list[Edge]:
    """Lose what a full buffer cannot hold while its reader is kept waiting now and then."""
    oldest, apart = rng.random() < 0.5, rng.random() < 0.5
    gone: set[int] = set()
    at_s = rng.uniform(-HEADER.wait_s, HEADER.wait_s)
    while at_s < edges[-1].at_s:
        until_s = at_s + rng.uniform(0, HEADER.wait_s)
        for wires, room in [((A,), 16), ((B,), 16)] if apart else [((A, B), 32)]:
            waiting = [
                number
                for number, edge in enumerate(edges)
                if at_s < edge.at_s <= until_s and edge.contact in wires
            ]
            gone.update(waiting[:-room] if oldest else waiting[room:])
        at_s = until_s + rng.expovariate(3.0)
    return [edge for number, edge in enumerate(edges) if number not in gone]


def count_at(angle_deg: float, step_deg: float, uneven: float) -> int:
    """Return how many edges lie between 0 and an angle, as `spin_edges` sets them."""
    place = angle_deg / step_deg
    nearest = round(place)
    return nearest - (place <= nearest + (uneven if nearest % 2 else -uneven))
