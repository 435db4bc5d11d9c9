"""What a tilt detector tells of a pattern of knocks, leans and falls."""

from hardware.facts import Fact, Tower, TowerMoved
from hardware.tilt import TiltDetector
from tests.hardware.bounces import Pattern

Timed = list[tuple[float, Fact]]


def play(pattern: Pattern, detector: TiltDetector | None = None) -> Timed:
    """Return all that *detector* finds in *pattern*, each with the time at which it is told."""
    detector = detector or TiltDetector([False] * pattern.switches)
    told: Timed = []

    def ask(until_s: float) -> None:
        while (due_s := detector.next_due_s) is not None and due_s <= until_s:
            told.extend((due_s, fact) for fact in detector.due(due_s))
            assert detector.next_due_s != due_s, f"asked for ever at {due_s} of {pattern}"

    for edge in pattern.edges:
        ask(edge.at_s)
        detector.edge(*edge)
    ask(pattern.until_s)
    return told


def states(told: Timed) -> list[Tower]:
    """Return what the tower did, in order."""
    return [fact.state for _, fact in told if isinstance(fact, TowerMoved)]
