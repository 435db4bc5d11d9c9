"""A camera over a table that is being set up."""

from collections.abc import Callable, Mapping
from pathlib import Path
from queue import Queue
from typing import Any, Self

from companion.referee.live_session import LiveSession
from companion.table.reader_calibration import CalibrationResult, ReaderCalibration
from companion.table.readers import reader_setup_of
from companion.table.table_setup import TableSetup
from companion.table.watcher import Watcher
from tests.web.setting_up import StandingCamera
from vision.capture.camera import Camera
from vision.capture.frame import Picture
from vision.capture.motion_gate import MotionGate
from vision.geometry.lens import Lens
from vision.observation import Observation, Status

PATIENCE_S = 150.0


class Table:
    """A camera over the table of a game, and the event loop that its lessons are told on."""

    def __init__(
        self,
        live_session: LiveSession,
        picture: Picture,
        folder: Path,
        camera: Camera | None = None,
        told: Lens | None = None,
    ) -> None:
        self.acts: Queue[Callable[[], None]] = Queue()
        self.seen: Queue[Observation] = Queue()
        self.live_session = live_session
        self.moved_at = ""
        self.game = live_session.header.game
        self.camera = StandingCamera(picture)
        self.watcher = Watcher(camera or self.camera, MotionGate(0.2), self.seen.put)
        self.log = folder / "games.db"
        self.calibration = ReaderCalibration(
            self.watcher, live_session, self.log, self.acts.put, "cam", told=told
        )
        self.setup = TableSetup(self.watcher.live_view, self.calibration)

    def __enter__(self) -> Self:
        reader = reader_setup_of(self.game).open_reader(self.calibration.table_of(self.game))
        self.watcher.watch(self.game, reader)
        self.watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.watcher.close()

    def learn(self, truth: Mapping[str, Any], **fit: Any) -> CalibrationResult:
        """Learn *truth*, and return what came of it."""
        lessons: list[CalibrationResult] = []
        self.setup.learn(truth, lessons.append, **fit)
        while not lessons:
            self.acts.get(timeout=PATIENCE_S)()
        return lessons[0]

    def reads(self, reading: Mapping[str, Any]) -> bool:
        """Return whether the table at rest is read as *reading*, once it is read at all."""
        self.seen.queue.clear()
        while True:
            found = self.seen.get(timeout=PATIENCE_S)
            if found.status is Status.OK and found.frame > self.moved_at:
                return found.reading == reading

    def show(self, picture: Picture) -> None:
        """Let something else lie on the table from now on."""
        self.camera.picture = picture
        self.moved_at = self.camera.newest


def name_place(place: int, content: str | None) -> str:
    """Return what lies in a place of no particular game."""
    return f"{content} in {place}"
