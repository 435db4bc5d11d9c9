"""The frame keeper: the picture that each decision rested on, kept in a bounded folder.

Only where the owner asks for it. A thread of its own writes, so that a slow or full disk does not
delay the game; what cannot be written is missing, and the game goes on.
"""

import queue
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2

from companion.config import Config, frames_folder
from companion.files import PRIVATE, write_whole
from companion.referee.live_session import LiveSession
from companion.session.events import (
    ChanceObserved,
    Entry,
    MoveAccepted,
    MoveUndone,
    TableAdopted,
)
from companion.table.watcher import Watcher
from vision.capture.frame import Frame, encode

JPEG_QUALITY: Final = 75
"""With a colour for each pixel, as large as 80 with one for each four."""
MAX_WIDTH_PX: Final = 1280
"""Wider pictures are scaled down: pieces can be told apart, and three times as many fit."""
MAX_RECENT: Final = 6
"""So many pictures are remembered until the referee has judged what they show."""
MAX_WAITING: Final = 8
"""So many wait to be written; on a disk that is slower than the game, others are left out."""
CLOSE_TIMEOUT_S: Final = 2.0
MEGABYTE: Final = 1_000_000
_NAME: Final = re.compile(r"\d{1,9}-\d{1,9}\.jpg")


class FrameKeeper:
    """Keeps pictures in *folder*, one for each entry of the log that rested on one.

    max_frames, max_mb: how many at most, and how many megabytes; the oldest go first.
    report: called from the writing thread with what is wrong with the folder, "" when all is well.
    """

    def __init__(
        self,
        folder: Path,
        max_frames: int,
        max_mb: float,
        report: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._folder = folder
        self._max_frames, self._max_bytes = max_frames, int(max_mb * MEGABYTE)
        self._report = report
        self._trouble = ""
        self._lock = threading.Lock()
        self._recent: OrderedDict[str, Frame] = OrderedDict()
        self._waiting: queue.Queue[tuple[Path, Frame] | None] = queue.Queue(MAX_WAITING)
        self._thread = threading.Thread(target=self._write_all, name="frames", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is left, but do not wait for long."""
        try:
            self._waiting.put(None, timeout=CLOSE_TIMEOUT_S)
        except queue.Full:
            return
        self._thread.join(CLOSE_TIMEOUT_S)

    def see(self, frame: Frame) -> None:
        """Remember *frame* for a while; called in the watcher's thread."""
        with self._lock:
            self._recent[frame.name] = frame
            while len(self._recent) > MAX_RECENT:
                self._recent.popitem(last=False)

    def follow(self, live_session: LiveSession) -> None:
        """Keep what the entries of *live_session* rest on from now on; on the event loop."""
        live_session.on_entry.add(lambda entry: self.note(live_session.session.number, entry))

    def note(self, session: int, entry: Entry) -> None:
        """Have the picture written that *entry* rests on, if it does and the picture is known."""
        event = entry.event
        if not isinstance(event, MoveAccepted | ChanceObserved | MoveUndone | TableAdopted):
            return
        with self._lock:
            frame = self._recent.get(event.frame) if event.frame else None
        if frame is not None:
            try:
                self._waiting.put_nowait((self._path(session, entry.seq), frame))
            except queue.Full:
                return

    def picture(self, session: int, seq: int) -> bytes | None:
        """Return the JPEG that entry *seq* of *session* rested on, None if it is not kept."""
        try:
            return self._path(session, seq).read_bytes()
        except OSError:
            return None

    def _path(self, session: int, seq: int) -> Path:
        return self._folder / f"{session}-{seq}.jpg"

    # In a thread of its own.

    def _write_all(self) -> None:
        while (job := self._waiting.get()) is not None:
            path, frame = job
            trouble = ""
            try:
                self._write(path, frame)
            except (OSError, cv2.error) as error:
                reason = getattr(error, "strerror", None) or error
                trouble = f"{self._folder} cannot be written ({reason}); the game goes on without"
            if trouble != self._trouble:
                self._trouble = trouble
                self._report(trouble)

    def _write(self, path: Path, frame: Frame) -> None:
        self._folder.mkdir(mode=PRIVATE | 0o100, parents=True, exist_ok=True)
        data = encode(frame.picture, JPEG_QUALITY, MAX_WIDTH_PX)
        self._make_room(len(data), path)
        write_whole(path, data)

    def _make_room(self, size: int, path: Path) -> None:
        """Remove the oldest pictures until one of *size* bytes may be added at *path*."""
        found = []
        for file in self._folder.iterdir():
            if file != path and _NAME.fullmatch(file.name):
                state = file.stat()
                found.append((state.st_mtime_ns, state.st_size, file))
        found.sort()
        count, total = len(found) + 1, sum(each[1] for each in found) + size
        for _, bytes_there, file in found:
            if count <= self._max_frames and total <= self._max_bytes:
                return
            file.unlink(missing_ok=True)
            count, total = count - 1, total - bytes_there


def open_keeper(
    config: Config,
    log: Path,
    watcher: Watcher | None,
    live_session: LiveSession,
    report: Callable[[str], None],
) -> FrameKeeper | None:
    """Return who keeps the pictures that decisions rest on, None if the owner has not asked for it.

    log: beside which the folder lies.
    """
    history = config.history
    if watcher is None or not history.frames:
        return None
    keeper = FrameKeeper(frames_folder(log), history.max_frames, history.max_mb, report)
    watcher.on_read = keeper.see
    keeper.follow(live_session)
    return keeper
