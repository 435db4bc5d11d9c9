"""A table at which a camera is set up: its pictures, its page, and what was learned."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.referee.live_session import LiveSession
from companion.registry import recordings
from companion.table.reader_calibration import ReaderCalibration
from companion.table.readers import reader_setup_of
from companion.table.table_setup import TableSetup
from companion.table.watcher import Watcher
from tests.web.serving import Served, served
from vision.capture.camera import Shot, Unadapting
from vision.capture.device import CameraLost
from vision.capture.frame import Frame, Picture, load_frame
from vision.capture.motion_gate import MotionGate
from vision.capture.preview_frame import glance_at

PERIOD_S = 0.1


def picture_of(game: str, name: str = "000.jpg") -> Picture:
    """Return a picture of the recording of *game* that ships."""
    return load_frame(recordings()[game] / name).picture


def truth_of(game: str, name: str) -> dict[str, Any]:
    """Return what truly lies there."""
    rows = (recordings()[game] / "truth.jsonl").read_text("utf-8").splitlines()
    found: dict[str, Any] = next(
        row["truth"] for row in map(json.loads, rows) if row["frame"] == name
    )
    return found


class StandingCamera(Unadapting):
    """A camera that shows the same picture until it is given another; None: it is lost."""

    def __init__(self, picture: Picture | None) -> None:
        self.picture = picture
        self.is_closed = False
        self.newest = ""

    def shots(self) -> Iterator[Shot]:
        """Yield what it shows."""
        count = 0
        while not self.is_closed:
            time.sleep(PERIOD_S)
            count += 1
            if self.picture is None:
                yield CameraLost("camera 0 gives no picture; plug it in")
            else:
                self.newest = f"live-{count:06}"
                yield glance_at(Frame(self.newest, self.picture, time.monotonic()))

    def close(self) -> None:
        """End."""
        self.is_closed = True


class SetTable:
    """A camera over a table, and where its lessons are kept.

    observations: what the watcher posted.
    """

    def __init__(self, live_session: LiveSession, picture: Picture | None, folder: Path) -> None:
        self.live_session = live_session
        self.loop: asyncio.AbstractEventLoop | None = None
        self.camera = StandingCamera(picture)
        self.log = folder / "games.db"
        self.watcher = Watcher(self.camera, MotionGate(0.3), self._observe)
        self.calibration = ReaderCalibration(self.watcher, live_session, self.log, self._post)
        self.setup = TableSetup(self.watcher.live_view, self.calibration)
        self.observations: list[Any] = []
        game = live_session.header.game
        reader = reader_setup_of(game).open_reader(self.calibration.table_of(game))
        self.watcher.watch(game, reader)

    def begin(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to watch; what is learned is told on *loop*."""
        self.loop = loop
        self.watcher.start()

    def _post(self, act: Callable[[], None]) -> None:
        assert self.loop is not None
        self.loop.call_soon_threadsafe(act)

    def _observe(self, observation: Any) -> None:
        self.observations.append(observation)

    def close(self) -> None:
        """Take the camera away."""
        self.watcher.close()


@contextmanager
def set_table(
    make_session: Callable[[], LiveSession], picture: Picture | None, folder: Path
) -> Iterator[tuple[Served, SetTable]]:
    """Serve a session whose table is seen as *picture*."""
    made: list[SetTable] = []

    def make() -> LiveSession:
        live_session = make_session()
        made.append(SetTable(live_session, picture, folder))
        return live_session

    with served(make) as house:
        (table,) = made
        table.begin(house.loop)
        house.pub.app.state.site.table.table_setup = table.setup
        try:
            yield house, table
        finally:
            table.close()
