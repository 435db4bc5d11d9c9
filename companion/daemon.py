"""The daemon: the one place that names every part and ties them together."""

import asyncio
import contextlib
import logging
import socket
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn

from companion.colours import keep_colours, recall_colours
from companion.config import CameraConfig, Config, log_path, table_header
from companion.eyes import reader_for
from companion.fairness import weigh_spins
from companion.recording import Recording, frames_left, load_recording, replay_header
from companion.referee.moments import LASTING, Moment
from companion.referee.sitting import Sitting
from companion.rig import Rig
from companion.scenes import is_lively, perform
from companion.senses import Senses
from companion.session.events import ChanceObserved, Entry, SessionClosed
from companion.session.log import Log, LogError
from companion.watcher import Watcher
from companion.web.app import create_app
from companion.web.desk import lessons_of
from companion.web.keys import Keys
from companion.web.scoreboard import read_scoreboard
from hardware.facts import Fact
from vision.camera import Camera, PiCamera, RecordedCamera, VideoCamera
from vision.frame import Frame
from vision.line import LineReader
from vision.settle import Gate
from vision.sight import Sight

BUNDLED: Final = Path(__file__).parent / "recordings" / "tiki_topple"
BEAT_S: Final = 0.5
MOMENT_S: Final = 8.0
"""How long a moment is shown that nobody has to answer: time to look up, read and laugh."""
logger = logging.getLogger(__name__)


class CannotStart(Exception):
    """A part without which the daemon is of no use; says which, why and what to do."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where the pages are: for people on this machine and, if served there, on the network."""

    here: str
    network: str | None


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; raises CannotStart if that is not possible."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
        listener.listen()
    except OSError as error:
        listener.close()
        reason = "is in use" if error.errno == 98 else f"cannot be opened ({error.strerror})"
        raise CannotStart(
            f"port {port} on {host} {reason}; stop the other program, or choose another: --port N"
        ) from None
    return listener


def address_of(listener: socket.socket) -> Address:
    """Return where *listener* can be reached."""
    host, port = listener.getsockname()[:2]
    if host not in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        return Address(f"http://{host}:{port}", None)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has; nothing is sent
            network = f"http://{probe.getsockname()[0]}:{port}"
        except OSError:
            network = None
    return Address(f"http://127.0.0.1:{port}", network)


class _Server(uvicorn.Server):
    """A server that ends the open streams first, since each would keep it from stopping."""

    def __init__(self, settings: uvicorn.Config, end_streams: Callable[[], None]) -> None:
        super().__init__(settings)
        self._end_streams = end_streams
        self._loop: asyncio.AbstractEventLoop | None = None

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().serve(sockets)

    def stop(self) -> None:
        """Serve nobody any more; called on the server's loop."""
        self._end_streams()
        self.should_exit = True

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._end_streams)


def _warn(trouble: str | None) -> None:
    if trouble:
        logger.warning("%s", trouble)


class Daemon:
    """All parts of one table, from camera to page.

    recording: shown instead of a camera if the config says so.
    Raises CannotStart, LogError or BadRecording before anything has been started.
    """

    def __init__(self, config: Config, recording: Recording | None = None) -> None:
        self.config = config
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: _Server | None = None
        self._actions: deque[Callable[[], None]] = deque()
        self._advice: dict[str, str] = {}
        self._listener = listen(config.web.host, config.web.port)
        self.address = address_of(self._listener)
        try:
            self._set_up(config, recording)
        except BaseException:
            self._listener.close()
            raise

    def _set_up(self, config: Config, recording: Recording | None) -> None:
        path = log_path(config)
        if config.camera.source == "recording" and recording is None:
            recording = load_recording(Path(config.camera.folder or BUNDLED))
        self._log_path = path
        secrets: Sequence[str | None] = ()
        if recording is None:
            header, reader = table_header(config.table), LineReader()
        else:
            header, secrets = replay_header(recording)
            reader = reader_for(recording)
        if not config.log.file:
            path.parent.mkdir(parents=True, exist_ok=True)
        self.log = Log(path)
        self.sitting = Sitting(self.log, header, secrets)
        if recording is not None and self.sitting.header != header:
            self.sitting.renew(header, "another recording was shown", secrets)
        elif self.sitting.header.game != header.game:
            self.sitting.renew(header, "another game was chosen in the settings")
        self.keys = Keys(config.web.key or None, path.with_suffix(".keys.json"))
        self.senses = Senses(self.sitting)
        self.watcher = self._watcher(config.camera, reader, recording)
        self.rig = Rig(config, path, lambda: self.sitting.header.players, self._hear)
        can_learn = self.watcher is not None and recording is None
        self.app = create_app(
            self.sitting,
            self.keys,
            self.rig.hands,
            address=self.address.network or self.address.here,
            learn=self.learn if can_learn else None,
            pretend=self.rig.pretended.pretend if self.rig.pretended else None,
            weigh=lambda spins, seats: weigh_spins(spins, self.rig.sectors(seats)),
            lessons=self.rig.lessons,
        )

    @property
    def host_url(self) -> str:
        """The address that makes a browser the host's."""
        return f"{self.address.network or self.address.here}/?key={self.keys.host}"

    async def run(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """Serve until the process is told to stop."""
        self._loop = asyncio.get_running_loop()
        self.sitting.on_entry.append(self._learn_from)
        self.sitting.on_moment.append(self._let_pass)
        self.sitting.on_change.append(self._attend)
        for _ in tuple(self._actions):  # told before anybody could listen
            self._loop.call_soon(self._act)
        settings = uvicorn.Config(
            self.app, log_level="warning", access_log=False, timeout_graceful_shutdown=3
        )
        self._server = _Server(settings, self.app.state.site.close)
        lights = asyncio.create_task(self._light())
        if self.watcher is not None:
            self.watcher.start()
        self.rig.start()
        self._attend()
        on_ready()
        try:
            await self._server.serve(sockets=[self._listener])
        finally:
            lights.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await lights
            if self.watcher is not None:
                await asyncio.to_thread(self.watcher.close)
            await asyncio.to_thread(self.rig.close)
            self.log.close()
            self._listener.close()

    def stop(self) -> None:
        """Let `run` come to its end; called from any thread."""
        if self._server is not None:
            self._call(self._server.stop)

    def _watcher(
        self, config: CameraConfig, reader: LineReader, recording: Recording | None
    ) -> Watcher | None:
        """Return who watches the table; nobody does where no camera is named."""
        if config.source == "none":
            return None
        self._taught = recording is not None or recall_colours(self._log_path, reader)
        camera = self._camera(config, recording)
        return Watcher(camera, reader, Gate(config.settle_s), self._post)

    def _camera(self, config: CameraConfig, recording: Recording | None) -> Camera:
        size_px = (config.width_px, config.height_px)
        if recording is not None:
            frames = frames_left(recording, self.sitting.session.entries)
            paths = [recording.path(name) for name in frames]
            return RecordedCamera(paths, config.frame_s, config.rate_hz, self._end_recording)
        if config.source == "video":
            device = int(config.device) if config.device.isdecimal() else config.device
            return VideoCamera(device, *size_px, config.rate_hz)
        return PiCamera(*size_px, config.rate_hz)

    def _post(self, sight: Sight) -> None:
        """Take a sight from the watcher's thread to the event loop."""
        self._call(partial(self.sitting.observe, sight))

    def _hear(self, fact: Fact) -> None:
        """Take a fact from a sensor's thread to the event loop."""

        def hear() -> None:
            try:
                self.senses.hear(fact)
            except LogError as error:
                logger.warning("%s", error)
                self.sitting.report("the log", str(error))

        self._call(hear)

    def _let_pass(self, moment: Moment) -> None:
        """Let *moment* be over after a while, unless somebody has to answer it."""
        if self._loop is not None and moment.kind not in LASTING:
            self._loop.call_later(MOMENT_S, self.sitting.forget, moment)

    def _end_recording(self) -> None:
        """Close the session when the frames end, so that the next start shows them from the first.

        Called from the watcher's thread.
        """

        def close() -> None:
            self.sitting.session.append(SessionClosed("the recording has ended"))
            self.sitting.changed()

        self._call(close)

    def _attend(self) -> None:
        """Let the devices keep up with the table, and the table know what they want."""
        self.rig.attend()
        wanted = lessons_of(self.app.state.site)
        for name, lesson in self.rig.lessons.items():
            advice = lesson.step.urgent if name in wanted else ""
            if advice != self._advice.get(lesson.device, ""):
                self._advice[lesson.device] = advice
                self.sitting.report(lesson.device, advice)

    def _call(self, action: Callable[[], None]) -> None:
        self._actions.append(action)
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop has ended; nobody listens any more
                self._loop.call_soon_threadsafe(self._act)

    def _act(self) -> None:
        """Do the oldest thing that another thread has asked for, unless it is done already."""
        if self._actions:
            self._actions.popleft()()

    async def _light(self) -> None:
        """Keep lights and display in step with the game, and let them blink where they must."""
        changed = asyncio.Event()
        self.sitting.on_change.append(changed.set)
        beat = 0
        while True:
            board = read_scoreboard(self.sitting)
            perform(self.rig.hands, board, beat)
            beat += 1
            changed.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), BEAT_S if is_lively(board) else None)

    def _learn_from(self, entry: Entry) -> None:
        """Let the eyes learn this set's colours from the first starting line that was seen."""
        event = entry.event
        if (
            self.watcher is None
            or self._taught
            or not isinstance(event, ChanceObserved)
            or event.frame is None
        ):
            return
        kind, *line = event.action.split()
        if kind == "line":
            self.learn(line, _warn)

    def learn(self, line: Sequence[str], told: Callable[[str | None], None]) -> None:
        """Learn this set's colours from the next quiet picture, in which *line* stands.

        told: called on the event loop with None, or with what went wrong.
        """
        assert self.watcher is not None

        def finish(frame: Frame, trouble: str | None) -> None:
            if trouble is None:
                self._taught = True
                try:
                    keep_colours(self._log_path, frame, line)
                except OSError as error:
                    trouble = f"the colours are learned, but cannot be kept: {error}"
            self._call(partial(told, trouble))

        self.watcher.teach(line, finish)
