"""Cameras that fail while a table is set up: one line each, and the lesson waits for a picture."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

from companion.rules.tiki_topple import TIKIS
from companion.table.reader_calibration import CalibrationResult
from companion.table.table_look import TableLook
from tests.set_up_tables import PATIENCE_S, Table
from tests.tables import sit_down
from tests.vision.streams import streaming
from tests.web.setting_up import StandingCamera, picture_of
from vision.capture.camera import Camera, Shot
from vision.capture.device import CameraLost, DeviceSettings
from vision.capture.frame import Frame, Picture
from vision.capture.live_camera import LiveCamera
from vision.capture.preview_frame import PreviewFrame, luma_of

GAME = "tiki_topple"
LINE = {"line": list(TIKIS)}
STALL_S = 2.0


class Troubled(Table):
    """A table whose set-up page is open."""

    def __init__(self, folder: Path, camera: Camera | None = None) -> None:
        super().__init__(sit_down(line=None), picture_of(GAME), folder, camera)
        self.lessons: list[CalibrationResult] = []

    def look_until(self, is_so: Callable[[TableLook], bool]) -> TableLook:
        """Return the first look that is so."""
        until_s, number = time.monotonic() + PATIENCE_S, 0
        while time.monotonic() < until_s:
            look = self.setup.look(GAME, number)
            if is_so(look):
                return look
            number = look.number
        raise AssertionError(look.sentence)

    def press(self) -> None:
        """Let the table be learned."""
        self.setup.learn(LINE, self.lessons.append)

    def wait_for_lesson(self) -> CalibrationResult:
        """Return what came of it, once anything has."""
        while not self.lessons:
            self.acts.get(timeout=PATIENCE_S)()
        return self.lessons.pop()

    def files(self) -> list[tuple[str, bytes]]:
        """Return what was learned, as it is kept."""
        kept = sorted(self.log.parent.glob("*colours*"))
        return [(path.name, path.read_bytes()) for path in kept]


def test_a_camera_that_is_unplugged_in_mid_lesson_goes_on_when_it_is_back(tmp_path: Path) -> None:
    """It is named meanwhile, and what was learned before stays."""
    camera = Counting(picture_of(GAME))
    with Troubled(tmp_path, camera) as table:
        table.press()
        assert table.wait_for_lesson().trouble == ""
        kept = table.files()
        camera.picture = None
        look = table.look_until(lambda look: not look.jpeg and "camera 0" in look.sentence)
        assert look.sentence == "The camera: camera 0 gives no picture; plug it in."
        assert not look.is_ready
        table.press()
        camera.wait_for(6)
        assert table.lessons == []
        assert table.files() == kept
        camera.picture = picture_of(GAME)
        assert table.wait_for_lesson().trouble == ""
        assert table.look_until(lambda look: look.is_ready).jpeg


class Counting(StandingCamera):
    """A camera that tells how often it was asked."""

    def __init__(self, picture: Picture) -> None:
        super().__init__(picture)
        self._asked: Queue[None] = Queue()

    def shots(self) -> Iterator[Shot]:
        """Yield what it shows."""
        for shot in super().shots():
            yield shot
            self._asked.put(None)

    def wait_for(self, shots: int) -> None:
        """Return once so many more have been looked at."""
        while not self._asked.empty():
            self._asked.get()
        for _ in range(shots):
            self._asked.get(timeout=PATIENCE_S)


class Slipping(StandingCamera):
    """A camera whose cable slips out while the picture to learn from is fetched."""

    slips = 0

    def shots(self) -> Iterator[Shot]:
        """Yield glances of which the first three cannot be fetched."""

        def fetch() -> Frame:
            if self.slips < 3:
                self.slips += 1
                raise CameraLost("camera 0 gives no picture; plug it in")
            assert self.picture is not None
            return Frame(self.newest, self.picture, time.monotonic())

        for shot in super().shots():
            assert isinstance(shot, PreviewFrame)
            luma = luma_of(picture_of(GAME)) if self.picture is None else shot.luma
            yield PreviewFrame(shot.name, luma, shot.taken_s, fetch)


def test_a_lesson_is_not_lost_with_the_picture_it_waited_for(tmp_path: Path) -> None:
    """The next picture is learned from instead."""
    camera = Slipping(picture_of(GAME))
    with Troubled(tmp_path, camera) as table:
        table.press()
        assert table.wait_for_lesson().trouble == ""
        assert camera.slips == 3


def test_a_network_camera_that_stalls_in_mid_lesson_is_named(tmp_path: Path) -> None:
    """Within seconds, with what to do; once it sends again, the lesson is done."""
    with streaming() as stream:
        stream.picture = picture_of(GAME)
        settings = DeviceSettings("video", stream.address)
        camera = LiveCamera(settings, stall_s=STALL_S, pauses_s=(0.2, 0.5))
        with Troubled(tmp_path, camera) as table:
            assert table.look_until(lambda look: look.is_ready).jpeg
            stream.stalled.set()
            table.look_until(lambda look: not look.jpeg and "no picture" in look.sentence)
            table.press()
            look = table.look_until(lambda look: "no picture" in look.sentence)
            assert look.sentence.startswith(f"The camera: no picture from camera {stream.address}")
            assert len(look.sentence.splitlines()) == 1
            assert table.lessons == []
            stream.stalled.clear()
            lesson = table.wait_for_lesson()
            assert lesson.trouble == ""
            assert lesson.unheld == ("exposure", "white_balance_k")
            assert table.files()
