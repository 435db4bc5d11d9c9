"""The guided step: figures come from knocks and topples, or a reason why they cannot."""

from random import Random

import pytest

from hardware.fake_contact import FakeContact
from hardware.inputs import Edge
from hardware.tilt import TiltDetector, TiltFigures
from hardware.tilt_calibration import CalibrationFailed, EdgeRecorder, EdgeRecording, calibrate_tilt
from tests.hardware.bounces import Pattern, edges_of, fall, knock
from tests.hardware.tilts import play, states


def record(pattern: Pattern) -> EdgeRecording:
    """Return *pattern* as the switches would have said it to a recorder."""
    return EdgeRecording((False,) * pattern.switches, pattern.edges, pattern.until_s)


def tilted(for_s: float, switches: int = 1) -> EdgeRecording:
    """Return a recording in which all switches were tilted once, for so long."""
    return EdgeRecording(
        (False,) * switches, edges_of([[(1.0, 1.0 + for_s)]] * switches, 5.0), until_s=5.0
    )


KNOCKS = [tilted(0.1)] * 3
TOPPLES = [tilted(99.0)] * 3


def test_usual_figures_stay_where_they_will_do() -> None:
    """Short knocks and real falls need no other figures than the usual ones."""
    assert calibrate_tilt(KNOCKS, TOPPLES) == TiltFigures()


def test_a_loose_mount_waits_for_longer() -> None:
    """Where a knock tilts the switch for 0.6 s, a topple has to last for half as long again."""
    figures = calibrate_tilt([*KNOCKS, tilted(0.6)], TOPPLES)
    assert figures.topple_s == pytest.approx(0.9)
    assert figures.lean_s == TiltFigures().lean_s
    hard = Pattern("loose", 1, tilted(0.6).edges, 5.0)
    assert "topple" in states(play(hard))
    assert "topple" not in states(play(hard, TiltDetector([False], figures)))


def test_any_table_can_be_learned() -> None:
    """Knocks and falls as they are imagined teach figures that tell them apart."""
    dice = Random(6)
    for switches in (1, 2, 3):
        knocks = [knock(dice, switches) for _ in range(5)]
        falls = [fall(dice, switches) for _ in range(5)]
        figures = calibrate_tilt(
            [record(each) for each in knocks], [record(each) for each in falls]
        )
        for pattern in (*knocks, *falls):
            found = states(play(pattern, TiltDetector([False] * switches, figures)))
            assert ("topple" in found) == (pattern.fell_s is not None)


def upside_down() -> EdgeRecording:
    """Return what a switch on its head says to a topple."""
    return EdgeRecording((True,), (Edge(0, False, 1.0),), 5.0)


@pytest.mark.parametrize(
    ("knocks", "topples", "said"),
    [
        (KNOCKS[:2], TOPPLES, "2 knocks; a calibration takes 3 or more of each"),
        (KNOCKS, [], "0 topples; a calibration takes 3"),
        ([*KNOCKS, tilted(0.9)], TOPPLES, "a knock tilts the switches for 0.90 s, as long as"),
        ([tilted(99.0)] * 3, TOPPLES, "a knock tilts the switches for 4.00 s"),
        (KNOCKS, [*TOPPLES, tilted(0.2)], "in topple 4 the switches did not stay tilted for 0.60"),
        (
            KNOCKS,
            [upside_down()] * 3,
            "tilt_0 reports a tilt while the tower is standing; set it upright",
        ),
        (
            [tilted(0.1, 2)] * 3,
            [EdgeRecording((False, False), (Edge(0, True, 1.0),), 5.0)] * 3,
            "tilt_1 did not move in any topple; tap it, check its wire",
        ),
    ],
)
def test_what_cannot_be_told_apart_is_refused_with_a_reason(
    knocks: list[EdgeRecording], topples: list[EdgeRecording], said: str
) -> None:
    """One line says what the switches did and what to do about it."""
    with pytest.raises(CalibrationFailed) as caught:
        calibrate_tilt(knocks, topples)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_recorder_writes_down_what_contacts_say() -> None:
    """Each take is what was said since the last one, with how the switches stood before."""
    now_s = 1.0
    contacts = [FakeContact(), FakeContact()]
    recorder = EdgeRecorder(contacts, clock=lambda: now_s)
    contacts[0].press(0.5)
    contacts[1].press(0.6)
    assert recorder.take() == EdgeRecording(
        (False, False), (Edge(0, True, 0.5), Edge(1, True, 0.6)), 1.0
    )
    contacts[0].release(0.9)
    now_s = 2.0
    assert recorder.take() == EdgeRecording((True, True), (Edge(0, False, 0.9),), 2.0)
