"""Spins for tests: edges of an imagined idol, through a judge and nothing else."""

from collections.abc import Iterable, Sequence

from hardware.facts import Fact, Spun, Troubled
from hardware.fake_idol import Motion, spin_edges
from hardware.inputs import Edge
from hardware.momentum import Backlog
from hardware.quadrature import A, B
from hardware.sectors import Sectors
from hardware.spin import SpinDetector, SpinFigures

LATER_S = 5.0
FIGURES = SpinFigures()
LOSSLESS = SpinFigures(backlog=Backlog(wait_s=0.0))
TABLE = Sectors({seat: seat * 90.0 for seat in range(4)}, FIGURES.step_deg)


def levels(edges: Sequence[Edge]) -> tuple[bool, bool]:
    """Return how the wires stand before *edges*."""
    first = {edge.contact: not edge.active for edge in reversed(edges)}
    return (first[A], first[B])


def detect_spin(
    detector: SpinDetector, edges: Iterable[Edge], start_s: float = 0.0, whole: Sequence[Edge] = ()
) -> tuple[Fact, ...]:
    """Return what *detector* tells of *edges*, as a device would hand them on, and of rest after.

    whole: the edges as they really were; how the wires stand after them is told too.
    """
    told: list[Fact] = []
    at_s = start_s
    for contact, active, since_s in edges:
        at_s = start_s + since_s
        due_s = detector.next_due_s
        if due_s is not None and due_s <= at_s:
            told += detector.due(at_s)
        detector.edge(contact, active, at_s)
    for contact, active in {edge.contact: edge.active for edge in whole}.items():
        detector.amend(contact, active)
    told += detector.due(at_s + LATER_S)
    return tuple(told)


def spun(facts: Iterable[Fact]) -> Spun:
    """Return the one spin among *facts*."""
    (found,) = (fact for fact in facts if isinstance(fact, Spun))
    return found


def troubles(facts: Iterable[Fact]) -> list[str]:
    """Return the troubles among *facts*."""
    return [fact.trouble for fact in facts if isinstance(fact, Troubled)]


def still_detector(edges: Sequence[Edge], start_deg: float, figures: SpinFigures) -> SpinDetector:
    """Return a judge of an idol that is about to make *edges* from a known angle."""
    detector = SpinDetector(levels(edges), figures)
    detector.correct(start_deg)
    detector.due(0.0)
    return detector


def edges_of(
    motion: Motion, start_deg: float = 2.0, pulses: int = 20, *, clockwise: bool = True
) -> list[Edge]:
    """Return the edges of a *motion*, without an index."""
    return list(spin_edges(start_deg, motion, pulses, clockwise=clockwise))


def after(
    motion: Motion,
    start_deg: float = 2.0,
    figures: SpinFigures = FIGURES,
    *,
    clockwise: bool = True,
) -> SpinDetector:
    """Return a judge that has just seen a *motion*."""
    edges = edges_of(motion, start_deg, figures.pulses, clockwise=clockwise)
    detector = still_detector(edges, start_deg, figures)
    detect_spin(detector, edges)
    return detector
