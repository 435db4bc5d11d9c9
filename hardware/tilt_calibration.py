"""Calibrating the tilt: knock the table, then topple the tower; the figures follow from that."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hardware.contact import Contact
from hardware.device import HardwareError
from hardware.facts import Fact, TowerMoved
from hardware.inputs import Edge
from hardware.tilt import TiltDetector, TiltFigures

MIN_EXAMPLES: Final = 3
"""Knocks and topples, each, that make a calibration."""
TOPPLE_MARGIN: Final = 1.5
"""A topple has to last so many times longer than the longest tilt of any knock."""
MAX_TOPPLE_S: Final = 1.2
"""A topple reported later than this would be entered by the players first."""


class CalibrationFailed(HardwareError, ValueError):
    """A calibration from which nothing can be learned; one line says why, and what to do."""


@dataclass(frozen=True, slots=True)
class EdgeRecording:
    """What the switches said in one knock or one topple.

    active: how they stood before.  edges: in order.  until_s: when it was over, on their clock.
    """

    active: tuple[bool, ...]
    edges: tuple[Edge, ...]
    until_s: float


class EdgeRecorder:
    """Writes down what *contacts* say, in place of a `TowerTilt`, until `take` is called."""

    def __init__(
        self, contacts: Sequence[Contact], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._contacts = tuple(contacts)
        self._clock = clock
        self._edges: list[Edge] = []
        for number, contact in enumerate(self._contacts):
            contact.when_changed = self._note(number)
        self._active = self._levels()

    def take(self) -> EdgeRecording:
        """Return what was said since the last time, and begin again."""
        edges, self._edges = self._edges, []
        active, self._active = self._active, self._levels()
        return EdgeRecording(active, tuple(edges), self._clock())

    def _levels(self) -> tuple[bool, ...]:
        return tuple(contact.active for contact in self._contacts)

    def _note(self, number: int) -> Callable[[bool, float], None]:
        def note(active: bool, at_s: float) -> None:
            self._edges.append(Edge(number, active, at_s))

        return note


def calibrate_tilt(
    knocks: Sequence[EdgeRecording],
    topples: Sequence[EdgeRecording],
    usual: TiltFigures | None = None,
) -> TiltFigures:
    """Return the figures that distinguish *knocks* from *topples*, *usual* ones where they suffice.

    knocks: of the table, hard ones too, the tower standing before and after.  topples: each ends
    with the tower lying, and lasts two seconds longer.  At least three of each.
    Raises CalibrationFailed if there are too few, if the switches say tilted while the tower stands
    or do not say so when it lies, or if a knock tilts them for as long as a topple would.
    """
    figures = usual or TiltFigures()
    _check(knocks, topples)
    longest_s = max(_longest_tilt_s(knock, figures) for knock in knocks)
    if longest_s * TOPPLE_MARGIN > MAX_TOPPLE_S:
        raise CalibrationFailed(
            f"a knock tilts the switches for {longest_s:.2f} s, as long as a fall; fix them more"
            " firmly, away from the table's edge, or knock less hard, and repeat the calibration"
        )
    figures = replace(figures, topple_s=max(figures.topple_s, longest_s * TOPPLE_MARGIN))
    for number, topple in enumerate(topples, 1):
        if not _falls(topple, figures):
            raise CalibrationFailed(
                f"in topple {number} the switches did not stay tilted for {figures.topple_s:.2f} s;"
                " mount them so that they open when the board has fallen, and repeat the"
                " calibration"
            )
    return figures


def _check(knocks: Sequence[EdgeRecording], topples: Sequence[EdgeRecording]) -> None:
    for kind, recordings in (("knocks", knocks), ("topples", topples)):
        if len(recordings) < MIN_EXAMPLES:
            raise CalibrationFailed(
                f"{len(recordings)} {kind}; a calibration takes {MIN_EXAMPLES} or more of each"
            )
    for recording in (*knocks, *topples):
        for switch, active in enumerate(recording.active):
            if active:
                raise CalibrationFailed(
                    f"tilt_{switch} reports a tilt while the tower is standing; set it upright on"
                    " its pins, or check its wire, and repeat the calibration"
                )
    for switch in range(len(topples[0].active)):
        if not any(edge.contact == switch for topple in topples for edge in topple.edges):
            raise CalibrationFailed(
                f"tilt_{switch} did not move in any topple; tap it, check its wire and repeat the"
                " calibration, or leave it out of the config"
            )


def _longest_tilt_s(recording: EdgeRecording, figures: TiltFigures) -> float:
    detector = TiltDetector(recording.active, figures)
    longest_s = 0.0
    for edge in recording.edges:
        longest_s = max(longest_s, detector.tilted_for_s(edge.at_s))
        detector.edge(*edge)
    return max(longest_s, detector.tilted_for_s(recording.until_s))


def _falls(recording: EdgeRecording, figures: TiltFigures) -> bool:
    detector = TiltDetector(recording.active, figures)
    facts: list[Fact] = []
    for edge in recording.edges:
        facts += detector.due(edge.at_s)
        detector.edge(*edge)
    facts += detector.due(recording.until_s)
    return any(isinstance(fact, TowerMoved) and fact.state == "topple" for fact in facts)
