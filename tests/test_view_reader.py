"""What people learn of a bump, and that reading goes on."""

from collections.abc import Callable, Mapping
from typing import Any

import cv2
import numpy as np
import pytest

from companion.recording import load_recording
from companion.referee.game import Table as Known
from companion.registry import recordings
from companion.table.reader_opening import open_reader
from companion.table.view_reader import READS_A_LOOK, ViewReader, describe_change
from companion.table.watcher import LOOKS_AT_LIGHT, Watcher
from tests.scripted_cameras import ScriptedCamera
from tests.vision.bumps import Moved, Table
from vision.capture.frame import Frame, Picture
from vision.capture.motion_gate import MotionGate
from vision.capture.preview_frame import glance_at
from vision.geometry.marker_tracking import MarkerTracker
from vision.geometry.table_view import TableView
from vision.geometry.view_watch import Mover, ViewChange
from vision.observation import Observation, Status

GAME = "tiki_topple"


class Onlooker:
    """A reader on one table, and what it told."""

    def __init__(self) -> None:
        recording = load_recording(recordings()[GAME])
        self.table = Table.of(recording.folder, "001.jpg")
        self.changes: list[str] = []
        self.troubles: list[tuple[str, str]] = []
        self.reader = ViewReader(
            open_reader(recording),
            self.table.rig,
            self.changes.append,
            lambda device, trouble: self.troubles.append((device, trouble)),
        )

    def read(self, picture: Picture) -> Observation:
        """Read *picture*."""
        return self.reader.read(Frame("001.jpg", picture, 0.0))


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("camera", "The camera moved 8 mm to the left; the board was found again."),
        ("board", "The board moved 8 mm to the left; it was found again."),
    ],
)
def test_after_a_bump_the_same_line_is_read(what: Moved, words: str) -> None:
    """And it is said what was bumped."""
    onlooker = Onlooker()
    before = onlooker.read(onlooker.table.picture)
    after = onlooker.read(onlooker.table.bump(what, -8.0, 1.0))
    assert before.status is after.status is Status.OK
    assert before.reading == after.reading
    assert onlooker.changes == [words]
    assert onlooker.troubles == []


def test_pictures_of_another_shape_are_named_once() -> None:
    """Of another size alone, or of a camera that was turned upright, nothing is said."""
    onlooker = Onlooker()
    picture = onlooker.table.picture
    wide, upright = picture[:, 80:-80], np.ascontiguousarray(np.rot90(picture))
    small = cv2.resize(picture, None, fx=0.8, fy=0.8, interpolation=cv2.INTER_AREA)
    half = np.asarray(small, np.uint8)
    for seen in (picture, half, upright, np.ascontiguousarray(wide), np.ascontiguousarray(wide)):
        onlooker.read(seen)
    (said,) = onlooker.changes
    assert said.startswith("The camera’s pictures have another shape than before")


def test_a_tile_that_slid_is_named_until_it_is_back_or_learned() -> None:
    """Once, and then that all is well."""
    onlooker = Onlooker()
    slid = onlooker.table.slide(2, 0.0, 12.0)
    for picture in (onlooker.table.picture, slid, slid, slid, onlooker.table.picture):
        onlooker.read(picture)
    assert [device for device, _ in onlooker.troubles] == ["the mat"] * 2
    (first, last) = (trouble for _, trouble in onlooker.troubles)
    assert first.startswith("the tile at the bottom right has slipped 12 mm towards the near side")
    assert last == ""
    assert onlooker.changes == []


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda picture: picture * 0.35, "much darker"),
        (lambda picture: np.clip(picture * 2.4, 0, 255), "much brighter"),
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 3.0), "blurred; focus"),
    ],
)
def test_light_and_focus_are_named_until_they_are_right(
    spoil: Callable[[Picture], Picture], words: str
) -> None:
    """After two looks that agree, for an arm's shadow passes."""
    onlooker = Onlooker()
    good = onlooker.table.picture
    bad = np.asarray(spoil(good), np.uint8)
    for picture in (good, good, *[bad] * (READS_A_LOOK + 1), good, good):
        onlooker.read(picture)
    assert [device for device, _ in onlooker.troubles] == ["the picture"] * 2
    assert words in onlooker.troubles[0][1]
    assert onlooker.troubles[1][1] == ""


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda picture: picture * 0.25, "too dark; switch a lamp on; then calibrate"),
        (
            lambda picture: np.clip(picture * 2.2, 0, 255),
            "too bright, so that colours are lost; dim the lamp",
        ),
        (lambda picture: cv2.GaussianBlur(picture, (0, 0), 2.6), "blurred; focus"),
        (
            lambda picture: picture * np.array([0.25, 0.6, 1.0]),
            "too yellow: white paper looks orange",
        ),
    ],
    ids=["dark", "bright", "blurred", "candle"],
)
def test_a_picture_that_was_bad_from_the_start_is_named_if_it_cannot_be_read(
    spoil: Callable[[Picture], Picture], words: str
) -> None:
    """Nothing has changed since the table was learned, and nothing is accepted silently."""
    troubles: list[str] = []
    table = Table.of(recordings()[GAME], "001.jpg")
    reader = ViewReader(
        Learner(), table.rig, lambda _: None, lambda _, words: troubles.append(words)
    )
    bad = np.asarray(spoil(table.picture), np.uint8)
    reader.calibrate(Frame("bad", bad, 0.0), {})
    for at in range(3):
        reader.read(Frame(f"{at}", bad, 0.0))
    assert len(troubles) == 1, troubles
    assert words in troubles[0]
    for at in range(3):
        reader.read(Frame(f"well {at}", table.picture, 0.0))
    assert not troubles[-1] or "brighter" in troubles[-1]


def test_a_good_picture_that_nobody_can_read_is_not_blamed() -> None:
    """A hand rests there, or the reader knows nothing yet."""
    troubles: list[str] = []
    table = Table.of(recordings()[GAME], "001.jpg")
    reader = ViewReader(
        Learner(), table.rig, lambda _: None, lambda _, words: troubles.append(words)
    )
    for at in range(5):
        reader.read(Frame(f"{at}", table.picture, 0.0))
    assert troubles == []


def test_a_smear_is_named_by_the_corner_where_it_is() -> None:
    """A finger on the lens blurs one side."""
    onlooker = Onlooker()
    smeared = onlooker.table.picture.copy()
    corners = MarkerTracker(onlooker.table.rig)
    assert corners.locate(TableView(smeared)) is not None
    tile = corners.list_detected().seen[onlooker.table.rig.mat.marker_ids[1]]
    (left, top), (right, bottom) = tile.min(axis=0).astype(int), tile.max(axis=0).astype(int)
    part = np.s_[max(top - 60, 0) : bottom + 60, max(left - 60, 0) : right + 60]
    smeared[part] = cv2.GaussianBlur(smeared[part], (0, 0), 3.0)
    for picture in (onlooker.table.picture, *[smeared] * (READS_A_LOOK + 1)):
        onlooker.read(picture)
    assert onlooker.troubles == [("the picture", "blurred at the top right; wipe the lens")]


class Learner:
    """A reader that learns anything."""

    def calibrate(self, frame: Frame, truth: Mapping[str, Any]) -> None:
        """Learn."""

    def read(self, frame: Frame) -> Observation:
        """Read nothing."""
        return Observation(frame.name, Status.UNSETTLED)

    def set_reference(self, frame: str, table: Known) -> None:
        """Believe."""


def test_calibrating_takes_the_table_as_it_is() -> None:
    """A tile that has slid lies where it lies from then on."""
    slid: list[str] = []
    table = Table.of(recordings()[GAME], "001.jpg")
    reader = ViewReader(Learner(), table.rig, slid.append, lambda _, words: slid.append(words))
    moved = Frame("002.jpg", table.slide(0, 10.0, 0.0), 1.0)
    for frame in (Frame("001.jpg", table.picture, 0.0), moved, moved):
        reader.read(frame)
    reader.calibrate(moved, {})
    for _ in range(3):
        reader.read(moved)
    assert [bool(words) for words in slid] == [True, False]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            ViewChange(Mover.CAMERA, 1.0, -30.0, -4.6),
            "moved 30 mm towards the far side and turned by 5°",
        ),
        (ViewChange(Mover.BOARD, 9.0, 2.0), "The board moved 9 mm to the right"),
        (ViewChange(Mover.EITHER, 3.0, 4.0), "camera or the board was moved by 5 mm"),
    ],
)
def test_a_change_is_one_line(change: ViewChange, words: str) -> None:
    """What moved, how far, where to."""
    assert words in describe_change(change)


def test_darkness_in_a_still_game_is_named_though_nothing_moves() -> None:
    """The lamp goes out over a table that was read and believed; and it is lit again."""
    onlooker, posted = Onlooker(), list[Observation]()
    shots = [
        glance_at(Frame(f"{at}.jpg", np.asarray(onlooker.table.picture * lit, np.uint8), at * 0.2))
        for at, lit in enumerate([1.0] * 20 + [0.35] * 20 + [1.0] * 20)
    ]

    def post(observation: Observation) -> None:
        posted.append(observation)
        watcher.set_reference(observation.frame, ())

    watcher = Watcher(ScriptedCamera(shots), MotionGate(0.5), post)
    watcher.watch(GAME, onlooker.reader)
    watcher.start()
    watcher._thread.join()
    assert ["much darker" in trouble for _, trouble in onlooker.troubles] == [True, False]
    assert onlooker.troubles[1] == ("the picture", "")
    assert len(posted) <= 1 + 2 * (LOOKS_AT_LIGHT + 1)
