"""The watcher: from a camera's shots to observations, learning on the way."""

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.registry import GAMES, TILES, with_mats
from companion.rules.tiki_topple import TIKIS
from companion.table.calibration_picture import (
    SavedCalibration,
    calibrate,
    load_calibration,
    save_calibration_picture,
)
from companion.table.heartbeat import MAX_JUDGING_S
from companion.table.readers import find_games
from companion.table.watcher import Watcher
from tests.recordings import SHIPPED
from tests.scripted_cameras import GAME, ScriptedCamera, reader, still, watch
from vision.capture.camera import Shot
from vision.capture.device import CameraLost
from vision.capture.frame import Frame, Picture, load_frame
from vision.capture.motion_gate import MotionGate
from vision.capture.preview_frame import PreviewFrame, glance_at
from vision.line.reader import LineReader
from vision.observation import Observation, Reason, Status


def taught() -> LineReader:
    """Return a reader that has learned from the calibration frame."""
    eyes = reader()
    eyes.calibrate(load_frame(SHIPPED / "000.jpg"), {"line": TIKIS})
    return eyes


def test_a_table_that_came_to_rest_is_read_once() -> None:
    """Motion is told, then the line, and nothing more once that is believed."""
    observations = watch([*still("001.jpg", 0), *still("003.jpg", 2)], taught())
    assert [(observation.frame, observation.status) for observation in observations] == [
        ("001.jpg", Status.UNSETTLED),
        ("001.jpg", Status.OK),
        ("003.jpg", Status.UNSETTLED),
        ("003.jpg", Status.OK),
    ]


def test_what_nobody_believes_is_looked_at_again_ever_more_seldom() -> None:
    """Further looks may settle it: after one second, then two, then four."""
    shots = still("001.jpg", 0, 9)
    shots = [glance_at(replace(shot.fetch(), name=f"live-{at}")) for at, shot in enumerate(shots)]
    taken = {shot.name: shot.taken_s for shot in shots}
    observations = watch(shots, taught(), believes=False)
    looks = [taken[each.frame] for each in observations if each.status is Status.OK]
    gaps = [round(after - before, 1) for before, after in pairwise(looks)]
    assert gaps == [1.0, 2.0, 4.0]


def test_a_hand_that_rests_is_told_once_and_looked_at_again() -> None:
    """The hand in 002 stays 4 s; when it is gone the line is read at once."""
    observations = watch([*still("002.jpg", 0, 4), *still("003.jpg", 4)], taught())
    reasons = [observation.reason for observation in observations]
    assert reasons.count(Reason.HAND) >= 1
    assert observations[-1].reading is not None


def test_a_lost_camera_is_told() -> None:
    """No picture is a reason to wait, not the end."""
    observations = watch([CameraLost("no picture"), *still("001.jpg", 0)], taught())
    assert observations[0].reason is Reason.PICTURE
    assert observations[-1].status is Status.OK


def test_a_lost_camera_is_named_until_pictures_come_and_the_table_read_again() -> None:
    """Once each time; what was believed before may have been changed by hand meanwhile."""
    lost, other = CameraLost("no picture; plug it in"), CameraLost("black; uncover it")
    reported: list[str] = []
    observations: list[Observation] = []

    def post(observation: Observation) -> None:
        observations.append(observation)
        if observation.status is Status.OK:
            watcher.set_reference(observation.frame, ())

    shots: list[Shot] = [*still("001.jpg", 0), lost, lost, other, *still("001.jpg", 4), lost]
    watcher = Watcher(ScriptedCamera(shots), MotionGate(0.5), post, report_camera=reported.append)
    watcher.watch(GAME, taught())
    watcher.start()
    watcher._thread.join()
    assert reported == [str(lost), str(other), "", str(lost)]
    statuses = [observation.status for observation in observations]
    assert statuses.count(Status.OK) == 2
    assert statuses.index(Status.UNREADABLE) < len(statuses) - 2


class StrangeReader:
    """A reader whose calls end as *outcomes* say, one after the other."""

    def __init__(self, outcomes: Sequence[Callable[[], None]]) -> None:
        self._outcomes = iter(outcomes)

    def calibrate(self, frame: Frame, truth: object) -> None:
        """Learn nothing."""

    def read(self, frame: Frame) -> Observation:
        """Return that nothing is certain, unless the outcome is another."""
        next(self._outcomes)()
        return Observation(frame.name, Status.UNSETTLED, reason=Reason.UNCLEAR)

    def set_reference(self, frame: str, table: object) -> None:
        """Learn nothing."""


def fail() -> None:
    """Fail as a network does."""
    raise RuntimeError("Got invalid\ndimensions")


def test_a_reader_that_fails_again_and_again_is_named() -> None:
    """A single failure is one bad picture; a reading that succeeds ends it."""
    troubles: list[str | None] = []

    def note() -> None:
        troubles.append(watcher.new_trouble())

    def note_and_fail() -> None:
        note()
        fail()

    outcomes = [note_and_fail, note_and_fail, note_and_fail, note, note]
    watcher = Watcher(ScriptedCamera(still("001.jpg", 0, 20)), MotionGate(0.5), lambda _: None)
    watcher.watch(GAME, StrangeReader(outcomes))
    watcher.start()
    watcher._thread.join()
    assert troubles[:2] == [None, None]
    assert "RuntimeError: Got invalid dimensions" in str(troubles[2])
    assert troubles[3:] == [None, ""]


def test_a_reader_that_never_returns_is_named_until_it_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A call into a library cannot be ended; nothing is named while it may still be slow."""
    begun, over = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        assert over.wait(60.0)

    now_s = 100.0
    watcher = Watcher(ScriptedCamera(still("001.jpg", 0)), MotionGate(0.5), lambda _: None)
    monkeypatch.setattr(watcher._heartbeat, "_clock", lambda: now_s)
    watcher.watch(GAME, StrangeReader([hang]))
    watcher.start()
    assert begun.wait(60.0)
    now_s += MAX_JUDGING_S - 1.0
    assert watcher.new_trouble() is None
    now_s += 2.0
    assert "more than 20 s" in str(watcher.new_trouble())
    assert watcher.new_trouble() is None
    over.set()
    watcher._thread.join()
    assert watcher.new_trouble() == ""


def test_a_lesson_makes_an_ignorant_reader_read() -> None:
    """The line that is told is learned from the next quiet picture."""
    shots = [*still("000.jpg", 0), *still("001.jpg", 2)]
    observations = watch(shots, reader(), lesson=TIKIS)
    assert Observation("", Status.OK) in observations  # the lesson went well
    assert observations[-1].reading is not None
    assert observations[-1].reading["line"][0] == "nani"


def test_a_lesson_that_fails_says_why() -> None:
    """A picture without tiles teaches nothing, and the reason is told."""
    nothing = load_frame(SHIPPED / "000.jpg").picture * 0
    black = [glance_at(Frame("black", nothing, tick * 0.2)) for tick in range(10)]
    observations = watch(black, reader(), lesson=TIKIS)
    assert any("tiles" in observation.frame for observation in observations)


def test_a_line_in_another_order_teaches_nothing() -> None:
    """Colours under wrong names would spoil every later reading; the default colours object."""
    observations = watch(still("001.jpg", 0), reader(), lesson=TIKIS)
    assert any("seems to be Nani, Hookipa" in observation.frame for observation in observations)


def test_kept_colours_are_recalled(tmp_path: Path) -> None:
    """After a restart the eyes know this set again."""
    log = tmp_path / "games.db"
    eyes = reader()
    assert calibrate(eyes, load_calibration(log, GAME)) is None
    held = {"ExposureTime": 20_000.0}
    known = SavedCalibration(load_frame(SHIPPED / "000.jpg"), {"line": TIKIS}, held)
    save_calibration_picture(log, GAME, known)
    assert calibrate(eyes, load_calibration(log, GAME)) == held
    assert eyes.read(load_frame(SHIPPED / "001.jpg")).status is Status.OK


def test_spoilt_colours_are_not_recalled(tmp_path: Path) -> None:
    """A file cut short teaches nothing, and is no error."""
    log = tmp_path / "games.db"
    known = SavedCalibration(load_frame(SHIPPED / "000.jpg"), {"line": TIKIS}, {})
    save_calibration_picture(log, GAME, known)
    picture = tmp_path / f"games.{GAME}.colours.jpg"
    picture.write_bytes(picture.read_bytes()[:2000])
    assert load_calibration(log, GAME) is None


TILE_PX, MARKER_PX = 120, 96
CORNERS = ((60, 40), (1300, 60), (1280, 680), (80, 660))


def tiles_of(*games: str, missing: int = 0) -> Picture:
    """Return a plain table on which the corner tiles of *games* lie, each game's further inwards.

    missing: how many of the last game's four are not there.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    picture = np.full((864, 1536, 3), 150, np.uint8)
    for inwards, game in enumerate(games):
        count = TILES - (missing if game == games[-1] else 0)
        for corner, (x, y) in enumerate(CORNERS[:count]):
            left = x + (1 if x < 700 else -1) * 160 * inwards
            top = y + (1 if y < 400 else -1) * 160 * inwards
            marker = cv2.aruco.generateImageMarker(
                dictionary, TILES * GAMES[game].mat + corner, MARKER_PX
            )
            edge = (TILE_PX - MARKER_PX) // 2
            picture[top : top + TILE_PX, left : left + TILE_PX] = 255
            inner = picture[top + edge :, left + edge :][:MARKER_PX, :MARKER_PX]
            inner[:] = marker[..., None]
    return picture


def scene(*pictures: Picture) -> list[PreviewFrame]:
    """Return *pictures* as a camera at 5 Hz sees them, each lying still for four seconds."""
    return [
        glance_at(Frame(f"{number}", picture, number * 4.0 + tick * 0.2))
        for number, picture in enumerate(pictures)
        for tick in range(20)
    ]


def spot(game: str, eyes: LineReader | None, *pictures: Picture) -> list[str]:
    """Return the games whose tiles are told while the table for *game* shows *pictures*."""
    spotted: list[str] = []
    watcher = Watcher(
        ScriptedCamera(scene(*pictures)), MotionGate(0.5), lambda _: None, spotted.append
    )
    watcher.watch(game, eyes)
    watcher.start()
    watcher._thread.join()
    return spotted


BARE = tiles_of()


def test_the_drawn_tables_show_what_they_are_said_to() -> None:
    """Of each game alone, of two, and nothing."""
    assert find_games(Frame("table", BARE, 0.0)) == []
    for game in with_mats():
        assert find_games(Frame("table", tiles_of(game), 0.0)) == [game]
    assert find_games(Frame("table", tiles_of("topple", GAME), 0.0)) == [GAME, "topple"]


@pytest.mark.parametrize(("other", "eyes"), [("topple", reader), ("tactiki", lambda: None)])
def test_another_games_tiles_are_told_once(
    other: str, eyes: Callable[[], LineReader | None]
) -> None:
    """However long they lie there, and whoever reaches over the table between."""
    arm = tiles_of(other).copy()
    arm[300:500, 500:] = 40
    assert spot(GAME, eyes(), tiles_of(other), arm, tiles_of(other)) == [other]


def test_tiles_that_are_put_back_are_told_again() -> None:
    """The table was bare in between."""
    assert spot(GAME, reader(), tiles_of("topple"), BARE, tiles_of("topple")) == ["topple"] * 2
    assert spot(GAME, reader(), tiles_of("topple"), tiles_of("tactiki")) == ["topple", "tactiki"]


@pytest.mark.parametrize(
    ("game", "eyes"),
    [(GAME, reader), (GAME, lambda: None), ("topple", lambda: None)],
    ids=["watched", "unwatched", "another"],
)
def test_while_the_own_tiles_lie_there_no_others_are_told(
    game: str, eyes: Callable[[], LineReader | None]
) -> None:
    """Alone, or with those of another game beside them; of two other games neither is told."""
    known = eyes() if game == GAME else None
    first, second, *_ = (other for other in with_mats() if other != game)
    assert spot(game, known, tiles_of(game)) == []
    assert spot(game, known, tiles_of(game, first)) == []
    assert spot(game, known, tiles_of(first, second)) == []
    assert spot(game, known, BARE) == []


def test_three_tiles_suffice_and_two_do_not() -> None:
    """One may lie under a sleeve."""
    assert spot(GAME, reader(), tiles_of("topple", missing=1)) == ["topple"]
    assert spot(GAME, reader(), tiles_of("topple", missing=2)) == []


def test_after_another_game_was_begun_the_first_ones_tiles_are_told() -> None:
    """The watcher follows what it is told to watch."""
    spotted: list[str] = []
    observations: list[Observation] = []
    shots = scene(tiles_of("topple"), tiles_of(GAME))

    class Turning(ScriptedCamera):
        """Shows the first table, then has the other game watched."""

        def shots(self) -> Iterator[Shot]:
            yield from self._shots[:20]
            assert spotted == ["topple"]
            watcher.watch("topple", None)
            yield from self._shots[20:]

    watcher = Watcher(Turning(shots), MotionGate(0.5), observations.append, spotted.append)
    watcher.watch(GAME, reader())
    watcher.start()
    watcher._thread.join()
    assert spotted == ["topple", GAME]
    assert {observation.frame for observation in observations} == {"0"}


def test_a_game_that_nobody_watches_is_not_waited_for() -> None:
    """No hand, no motion, no missing picture is told; nor can anything be learned.

    No reading would ever put an end to that waiting.
    """
    shots: list[Shot] = [CameraLost("no picture"), *still("002.jpg", 0, 4), *still("003.jpg", 4)]
    assert watch(shots, None) == []
    (answer,) = watch(shots, None, lesson=TIKIS)
    assert answer.frame == "this game is not read by a camera"
