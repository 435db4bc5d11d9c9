"""The watcher and the camera's exposure: adapted before something is learned, and held at that."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from companion.rules.tiki_topple import TIKIS
from companion.table.readers import reader_setup_of
from companion.table.watcher import Watcher
from tests.scripted_cameras import GAME, ScriptedCamera, reader, still, watch
from tests.vision.flickering import banded
from vision.capture.camera import Shot
from vision.capture.device import CameraLost
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.frame import Frame
from vision.capture.motion_gate import MotionGate
from vision.capture.preview_frame import PreviewFrame, glance_at
from vision.observation import Status


class Adapting(ScriptedCamera):
    """Has to adapt before anything is learned, and is held at another exposure each time."""

    def __init__(self, shots: Sequence[Shot]) -> None:
        super().__init__(shots)
        self.names: list[str] = []
        self.lock = Lock({"ExposureTime": 1_000.0})

    def shots(self) -> Iterator[Shot]:
        """Yield the script, and note what has been shown."""
        for shot in self._shots:
            if isinstance(shot, PreviewFrame):
                self.names.append(shot.name)
            yield shot

    @property
    def exposure_us(self) -> float:
        """How long it exposes."""
        exposure_us = self.lock.controls["ExposureTime"]
        assert isinstance(exposure_us, float)
        return exposure_us

    def adapt(self) -> bool:
        """Adapt; what has been shown is of no use for learning."""
        self.names.clear()
        self.lock = Lock({"ExposureTime": 2 * self.exposure_us})
        return True

    def hold(self, controls: Controls) -> None:
        """Hold it."""
        self.lock = Lock(controls)


def test_a_camera_adapts_before_each_thing_that_is_learned() -> None:
    """The picture that is learned from was taken after it, and what it was held at is told."""
    camera = Adapting(still("000.jpg", 0))
    watcher = Watcher(camera, MotionGate(0.5), lambda _: None)
    told: list[tuple[str | None, Controls]] = []

    def note(frame: Frame, trouble: str | None, lock: Lock) -> None:
        assert frame.name in camera.names
        told.append((trouble, lock.controls))

    watcher.watch(GAME, reader(), lambda _: {"ExposureTime": 4_000.0})
    for _ in range(2):
        watcher.calibrate({"line": TIKIS}, reader_setup_of(GAME).check, note)
    watcher.start()
    watcher._thread.join()
    assert told == [(None, {"ExposureTime": 8_000.0}), (None, {"ExposureTime": 16_000.0})]


def test_a_picture_that_cannot_be_fetched_is_left_to_the_camera() -> None:
    """It says by itself that it is lost; nothing else is named, and the next picture is read."""

    def lose() -> Frame:
        raise CameraLost("no picture")

    shots = still("001.jpg", 0, 4)
    shots[5:7] = [replace(glance, fetch=lose) for glance in shots[5:7]]
    assert [seen.status for seen in watch(shots, reader())][-1] is not Status.UNREADABLE
    assert any(seen.frame for seen in watch(shots, reader()))


def test_a_light_that_flickers_is_named_until_the_table_can_come_to_rest() -> None:
    """Bands run through the pictures, so that all seems to move; a hand that moves is none."""
    reported: list[str] = []
    calm = list(banded(0.0))
    pictures = [*calm[:6], *banded(0.15), *calm, *calm[:4]]
    shots = [glance_at(Frame(f"{at}", picture, at * 0.2)) for at, picture in enumerate(pictures)]
    watcher = Watcher(
        ScriptedCamera(shots), MotionGate(0.5), lambda _: None, report_camera=reported.append
    )
    watcher.watch(GAME, reader())
    watcher.start()
    watcher._thread.join()
    assert len(reported) == 2
    assert reported[0].startswith("the light flickers, and dark bands run through the picture")
    assert reported[1] == ""
