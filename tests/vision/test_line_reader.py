"""The line reader on recorded pictures: what it must read, and what it must never say."""

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.judging import assert_all_read, assert_never_wrong, assert_unsettled
from tests.vision.sessions import (
    CALIBRATION,
    SESSIONS,
    calibrated_reader,
    covered_shots,
    layout_of,
    settled_shots,
    shots_of,
)
from vision.capture.frame import Frame, Picture
from vision.geometry.layout import TIKIS, Layout, Slot
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.pose import Pose
from vision.geometry.table_view import TableView
from vision.line.reader import BadCalibration, LineReader
from vision.observation import EMPTY, HIDDEN, Evidence, Reason, Status


@pytest.mark.parametrize("session", SESSIONS)
def test_every_settled_picture_is_read(session: str) -> None:
    """Clutter, toasted Tikis and hands beside the board do not disturb a reading.

    What no piece stands in is EMPTY in the evidence, not merely missing from the line.
    """
    shots = settled_shots(session)
    for shot, observation in zip(
        shots, assert_all_read(calibrated_reader(session), shots), strict=True
    ):
        assert shot.line is not None
        assert all(
            set(slot.probabilities) == {*TIKIS, EMPTY, HIDDEN} for slot in observation.places
        )
        best = [slot.best for slot in observation.places]
        assert best == [*shot.line, *[EMPTY] * (len(TIKIS) - len(shot.line))]
        assert (observation.doubtful, observation.arms) == ((), frozenset())


@pytest.mark.parametrize("session", SESSIONS)
def test_a_covered_slot_is_never_read(session: str) -> None:
    """A hand over the line, even over one slot only, makes the picture unsettled.

    What it covers is among the slots in doubt, and its arm comes in from one side at most.
    """
    for observation in assert_unsettled(calibrated_reader(session), covered_shots(session)):
        assert observation.reason is Reason.HAND
        assert observation.confidence == 0.0
        hidden = {at for at, slot in enumerate(observation.places) if slot.best == HIDDEN}
        assert set[int]() < hidden <= set(observation.doubtful)
        assert len(observation.arms) <= 1


def test_the_judge_notices_a_wrong_reading() -> None:
    """The judging helper fails when a picture is read otherwise than it truly is."""
    shot = settled_shots("s01")[0]
    assert shot.line is not None
    lie = replace(shot, line=shot.line[::-1])
    with pytest.raises(AssertionError, match="is wrong"):
        assert_never_wrong(calibrated_reader("s01"), [lie], read_at_least=0)


def test_the_judge_notices_a_reading_under_a_hand() -> None:
    """The judging helper fails when a picture is read that has no line to read."""
    lie = replace(settled_shots("s01")[0], line=None)
    with pytest.raises(AssertionError, match="is wrong"):
        assert_never_wrong(calibrated_reader("s01"), [lie], read_at_least=0)


def test_the_judge_notices_what_is_read_though_it_should_not_be() -> None:
    """The helper for hands fails when a picture without one is read."""
    with pytest.raises(AssertionError, match="is read"):
        assert_unsettled(calibrated_reader("s01"), settled_shots("s01"))


def test_the_judge_notices_that_too_few_are_read() -> None:
    """The judging helper fails when fewer pictures are read than must be, or the mat is missed."""
    reader, covered = calibrated_reader("s01"), covered_shots("s01")[0]
    with pytest.raises(AssertionError, match="0 of 1 read, not 1"):
        assert_never_wrong(reader, [covered], read_at_least=1)
    blank = covered.altered(np.zeros_like(covered.frame.picture))
    with pytest.raises(AssertionError, match="no mat is found"):
        assert_never_wrong(reader, [blank], read_at_least=0)


def test_the_judge_notices_evidence_that_is_no_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judging helper fails where probabilities do not sum to 1."""
    reader, shot = calibrated_reader("s01"), settled_shots("s01")[0]
    seen = reader.read(shot.frame)
    doubled = replace(seen, places=(Evidence({"nani": 1.0, EMPTY: 1.0}), *seen.places[1:]))
    monkeypatch.setattr(reader, "read", lambda _: doubled)
    with pytest.raises(AssertionError, match="are none"):
        assert_never_wrong(reader, [shot], read_at_least=0)


def test_the_judge_notices_an_abstention() -> None:
    """The stricter judging helper fails when a picture is not read."""
    with pytest.raises(AssertionError, match="unsettled"):
        assert_all_read(calibrated_reader("s01"), covered_shots("s01")[:1])


@pytest.mark.parametrize("session", SESSIONS)
def test_without_calibration_nothing_is_read_wrongly(session: str) -> None:
    """The default faces name the line, or the reader abstains."""
    reader = LineReader(layout_of(session))
    shots = [shots_of(session)[0], *settled_shots(session)]
    assert_never_wrong(reader, shots, read_at_least=len(shots) - 1)


def test_a_reader_learns_in_the_middle_of_a_game() -> None:
    """A line of only some Tikis calibrates too; the reader then reads on or abstains."""
    for session in SESSIONS:
        known, *others = settled_shots(session)
        assert known.reading is not None
        reader = LineReader(layout_of(session))
        reader.calibrate(known.frame, known.reading)
        assert_all_read(reader, [known])
        assert_never_wrong(reader, others, read_at_least=len(others))
        for shot in covered_shots(session):
            assert reader.read(shot.frame).status is Status.UNSETTLED


def test_a_piece_turned_round_is_still_named() -> None:
    """People put Tikis down either way round: every second face is turned by half a turn."""
    layout = layout_of("s02")
    shot = next(s for s in settled_shots("s02") if s.line and len(s.line) == len(TIKIS))
    pose = _pose("s02", shot.frame)
    picture = shot.frame.picture
    for slot in layout.slots[::2]:
        here = pose.project(_top_corners(layout, slot))
        picture = _copy_piece(picture, here, np.roll(here, 2, axis=0))
    assert_all_read(calibrated_reader("s02"), [shot.altered(picture)])


def _pose(session: str, frame: Frame) -> Pose:
    pose = MarkerTracker(layout_of(session)).locate(TableView(frame.picture))
    assert pose is not None
    return pose


def _top_corners(layout: Layout, slot: Slot) -> NDArray[np.float64]:
    """Return the corners (4, 3) in mm of the top face of a piece in *slot*."""
    half_w, half_h = layout.piece.w / 2, layout.piece.h / 2
    return np.array(
        [
            [slot.x + x * half_w, slot.y + y * half_h, layout.top_z]
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
        ]
    )


def _copy_piece(
    picture: Picture, source: NDArray[np.float64], target: NDArray[np.float64]
) -> Picture:
    """Return the picture with what lies within *source* (4, 2) pixels drawn over *target* too."""
    here, there = source.astype(np.float32), target.astype(np.float32)
    size = (picture.shape[1], picture.shape[0])
    moved = cv2.warpPerspective(picture, cv2.getPerspectiveTransform(here, there), size)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, there.round().astype(np.int32), 1)
    return np.where(mask[..., None] > 0, moved, picture).astype(np.uint8)


def test_a_gap_is_a_move_in_progress() -> None:
    """A piece below an empty slot is reported as a gap, not as a line."""
    layout = layout_of("s01")
    shot = next(s for s in settled_shots("s01") if s.line and len(s.line) < len(TIKIS) - 1)
    assert shot.line is not None
    last, beyond = len(shot.line) - 1, len(shot.line) + 1
    pose = _pose("s01", shot.frame)
    source, target = (
        pose.project(_top_corners(layout, layout.slots[index])) for index in (last, beyond)
    )
    picture = _copy_piece(shot.frame.picture, source, target)
    observation = calibrated_reader("s01").read(replace(shot.frame, picture=picture))
    assert observation.status is Status.UNSETTLED
    assert observation.reason is Reason.GAP
    # The empty slot, the Tiki below it, and the one that it was copied from.
    assert observation.doubtful == (last, last + 1, beyond)


def test_a_lamp_in_one_face_is_no_hand() -> None:
    """What spoils one piece alone, with no arm to it, leaves the others told; that one is asked."""
    layout = layout_of("s02")
    shot = next(s for s in settled_shots("s02") if s.line and len(s.line) == len(TIKIS))
    there = _pose("s02", shot.frame).project(_top_corners(layout, layout.slots[-1]))
    mask = np.zeros(shot.frame.picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, there.round().astype(np.int32), 1)
    shining = np.where(mask[..., None] > 0, 255 - shot.frame.picture, shot.frame.picture)
    spoilt = replace(shot.frame, picture=shining.astype(np.uint8))
    observation = calibrated_reader("s02").read(spoilt)
    assert (observation.status, observation.reason) == (Status.UNSETTLED, Reason.UNCLEAR)
    assert observation.doubtful == (len(TIKIS) - 1,)
    assert shot.line is not None
    assert [place.best for place in observation.places] == [*shot.line[:-1], HIDDEN]


@pytest.mark.parametrize(
    ("session", "name", "arms"),
    [
        ("replay", "050.jpg", {"right"}),
        ("replay", "016.jpg", {"far"}),
        ("s04", "003.jpg", {"near"}),
        ("replay", "029.jpg", set()),
    ],
)
def test_an_arm_that_comes_in_straight_has_a_side(session: str, name: str, arms: set[str]) -> None:
    """Players 1 and 2 sit right and far; 029's arm slants and is cut off early, so nobody's."""
    reader = calibrated_reader(session)
    sleeve = next(shot for shot in shots_of(session) if shot.frame.name == name)
    observation = reader.read(sleeve.frame)
    assert observation.reason is Reason.HAND
    assert observation.arms == arms


@pytest.mark.parametrize(
    "line", [("nani", "nani"), ("nani", "pele"), (*TIKIS, "nani")], ids=["twice", "unknown", "ten"]
)
def test_no_calibration_on_an_impossible_line(line: tuple[str, ...]) -> None:
    """A line with a Tiki twice, an unknown name or ten pieces is refused in one line."""
    reader = LineReader()
    with pytest.raises(
        BadCalibration, match=r"^000\.jpg: .* is not a line of its different pieces$"
    ):
        reader.calibrate(shots_of("s01")[0].frame, {"line": line})


@pytest.mark.parametrize(
    "truth",
    [{}, {"lines": ["nani"]}, {"line": None}, {"line": "nani"}, {"line": ["nani", 3]}],
    ids=["nothing", "another key", "none", "a name", "a number"],
)
def test_no_calibration_without_a_line(truth: dict[str, Any]) -> None:
    """A truth that has no list of names says in one line what it should have."""
    with pytest.raises(BadCalibration, match=r"^000\.jpg: 'line' is .*; it must be a list"):
        LineReader().calibrate(shots_of("s01")[0].frame, truth)


def test_no_calibration_without_tiles() -> None:
    """A picture without the mat teaches nothing, and says what to do."""
    blank = Frame("blank.jpg", np.zeros((90, 160, 3), np.uint8), 0.0)
    with pytest.raises(BadCalibration, match="uncover all four"):
        LineReader().calibrate(blank, CALIBRATION)
