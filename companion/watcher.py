"""The watcher: a thread that turns the camera's pictures into sights.

It is the one place where the eyes' thread meets the event loop: sights cross over by
`post`, which must be safe to call from any thread.
"""

import logging
import queue
import threading
from collections.abc import Callable, Sequence
from typing import Final

from vision.camera import Camera, Shot
from vision.frame import Frame
from vision.layout import TIKI_TOPPLE, Layout
from vision.line import BadCalibration, LineReader
from vision.settle import Gate, Motion
from vision.sight import Reason, Sight, Status

LOOK_AGAIN_S: Final = 1.0  # a still table that could not be read is looked at this often

logger = logging.getLogger(__name__)


class Watcher:
    """Watches one camera and posts a sight whenever something is to be said.

    A table that came to rest is read once; one that cannot be read is looked at every second.
    """

    def __init__(
        self,
        camera: Camera,
        reader: LineReader,
        gate: Gate,
        post: Callable[[Sight], None],
        layout: Layout = TIKI_TOPPLE,
    ) -> None:
        self._camera = camera
        self._reader = reader
        self._layout = layout
        self._gate = gate
        self._post = post
        self._lessons: queue.SimpleQueue[Lesson] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)
        self._said: Reason | None = None
        self._read_s: float | None = None
        self._done = False
        self._newest: Frame | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and wait until the camera is free."""
        self._camera.close()
        self._thread.join(timeout=5.0)

    def teach(self, line: Sequence[str], told: Callable[[Frame, str | None], None]) -> None:
        """Learn this set's colours from the next quiet picture, in which *line* stands.

        told: called from the watcher's thread with that picture, and what went wrong or None.
        """
        self._lessons.put(Lesson(tuple(line), told))

    @property
    def newest(self) -> Frame | None:
        """The newest frame that came from the camera, for who wants to see what it sees."""
        return self._newest

    def _watch(self) -> None:
        for shot in self._camera.shots():
            try:
                self._take(shot)
            except Exception:  # one bad picture must not end the evening
                logger.exception("A picture could not be judged; the next one will be")

    def _take(self, shot: Shot) -> None:
        if not isinstance(shot, Frame):
            logger.warning("%s", shot)
            self._say(Sight("", Status.UNREADABLE, reason=Reason.PICTURE))
            return
        self._newest = shot
        if self._gate.feed(shot) is Motion.MOVING:
            self._done, self._read_s = False, None
            self._say(Sight(shot.name, Status.UNSETTLED, reason=Reason.MOTION))
            return
        self._learn(shot)
        if self._done:
            return
        if self._read_s is not None and shot.taken_s - self._read_s < LOOK_AGAIN_S:
            return
        self._read_s = shot.taken_s
        sight = self._reader.read(shot)
        self._done = sight.status is Status.OK
        self._say(sight)

    def _learn(self, frame: Frame) -> None:
        while not self._lessons.empty():
            lesson = self._lessons.get()
            trouble = self._trouble_with(lesson, frame)
            if trouble is None:
                self._done, self._read_s = False, None
            lesson.told(frame, trouble)

    def _trouble_with(self, lesson: "Lesson", frame: Frame) -> str | None:
        """Learn *lesson* from *frame*; return why not, if that cannot be."""
        # Colours under other names would make every later reading wrong, so what the default
        # colours see plainly is believed over what people meant to put there.
        seen = LineReader(self._layout).read(frame).line
        if seen is not None and seen != lesson.line:
            names = ", ".join(map(str.capitalize, seen))
            return f"the line seems to be {names}; put it in the order shown"
        try:
            self._reader.calibrate(frame, lesson.line)
        except BadCalibration as error:
            return str(error)
        return None

    def _say(self, sight: Sight) -> None:
        # Every arm seen counts, so only sights that say nothing new are kept back.
        if sight.reason is None or sight.reason is not self._said or sight.reach:
            self._said = sight.reason
            self._post(sight)


class Lesson:
    """A line that stands on the table, to learn colours from."""

    def __init__(self, line: tuple[str, ...], told: Callable[[Frame, str | None], None]) -> None:
        self.line = line
        self.told = told
