"""The watcher: a thread that turns the camera's pictures into observations.

It is the one place where the reader's thread meets the event loop: observations cross
over by `post`, which must be safe to call from any thread.
"""

import logging
import queue
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from companion.referee.game import Table
from companion.watching.eyes import Reader, find_games
from vision.capture.camera import Camera, Shot
from vision.capture.frame import Frame
from vision.capture.motion_gate import Motion, MotionGate
from vision.observation import Observation, Reason, Status

LOOK_AGAIN_S: Final = 1.0
LONGEST_S: Final = 60.0
"""A still table that the referee does not believe is looked at again after LOOK_AGAIN_S, and then
after twice as long each time, up to LONGEST_S."""

logger = logging.getLogger(__name__)

Check: TypeAlias = Callable[[Frame, Mapping[str, Any]], str | None]
"""Returns why a frame cannot be a calibration picture, None if it may be; see `eyes.Eyes`."""
Taught: TypeAlias = Callable[[Frame, str | None], None]
"""Told, in the watcher's thread, the picture that was learned from, and what went wrong or None."""


Order: TypeAlias = tuple[str, Reader | None, Callable[[Reader], None]]
"""What to watch for, who reads it, and what is to be done with the reader first."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The known table to calibrate with."""

    truth: Mapping[str, Any]
    check: Check
    told: Taught


class Watcher:
    """Watches one camera and posts an observation whenever something is to be said.

    A table that came to rest is read until the referee accepts what it shows. Where the corner
    tiles of another game lie, that is told too.
    spotted: called with the name of the game whose tiles are in view instead of those watched for.
    """

    def __init__(
        self,
        camera: Camera,
        gate: MotionGate,
        post: Callable[[Observation], None],
        spotted: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._camera = camera
        self._gate = gate
        self._post = post
        self._spotted = spotted
        self._game = ""
        self._reader: Reader | None = None
        self._orders: queue.SimpleQueue[Order] = queue.SimpleQueue()
        self._lessons: queue.SimpleQueue[Lesson] = queue.SimpleQueue()
        self._beliefs: queue.SimpleQueue[tuple[str, Table]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)
        self._said: Reason | None = None
        self._told = ""
        self._read_s: float | None = None
        self._done = False
        self._looked, self._believed = "", ""
        self._wait_s = LOOK_AGAIN_S
        self._newest: Frame | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and wait until the camera is free."""
        self._camera.close()
        self._thread.join(timeout=5.0)

    def watch(
        self, game: str, reader: Reader | None, prepare: Callable[[Reader], None] = lambda _: None
    ) -> None:
        """Watch for *game* from now on; without a *reader* only other games' tiles are told.

        prepare: run with the reader first, in the watcher's thread: calibrating may take seconds.
        """
        self._orders.put((game, reader, prepare))

    def teach(self, truth: Mapping[str, Any], check: Check, told: Taught) -> None:
        """Calibrate with the next still picture, which shows *truth*."""
        self._lessons.put(Lesson(truth, check, told))

    def believe(self, frame: str, table: Table) -> None:
        """Let the reader know that the picture *frame* shows *table*; see `Reader.believe`."""
        self._beliefs.put((frame, table))

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
        while not self._orders.empty():
            self._game, self._reader, prepare = self._orders.get()
            if self._reader is not None:
                prepare(self._reader)
            self._said, self._told = None, ""
            self._begin_anew()
        while not self._beliefs.empty():
            frame, table = self._beliefs.get()
            self._believed = frame
            if self._reader is not None:
                self._reader.believe(frame, table)
        if not isinstance(shot, Frame):
            logger.warning("%s", shot)
            self._say(Observation("", Status.UNREADABLE, reason=Reason.PICTURE))
            return
        self._newest = shot
        if self._gate.feed(shot) is Motion.MOVING:
            self._begin_anew()
            self._say(Observation(shot.name, Status.UNSETTLED, reason=Reason.MOTION))
            return
        self._learn(shot)
        if self._done or (self._looked and self._looked == self._believed):
            return
        if self._read_s is not None:
            if shot.taken_s - self._read_s < self._wait_s:
                return
            self._wait_s = min(2.0 * self._wait_s, LONGEST_S)
        self._read_s = shot.taken_s
        self._look(shot)

    def _begin_anew(self) -> None:
        """Look at the table as soon as it is at rest."""
        self._done, self._read_s, self._looked, self._wait_s = False, None, "", LOOK_AGAIN_S

    def _look(self, frame: Frame) -> None:
        observation = self._reader.read(frame) if self._reader is not None else None
        self._done, self._looked = observation is None, frame.name
        if observation is None or observation.status is Status.NO_MAT:
            self._look_for_tiles(frame)
        if observation is not None:
            self._say(observation)

    def _look_for_tiles(self, frame: Frame) -> None:
        """Tell once which other game's tiles are in view, if they are of one alone."""
        found = find_games(frame.picture)
        spotted = found[0] if len(found) == 1 else ""
        if spotted not in ("", self._game, self._told):
            self._spotted(spotted)
        self._told = spotted

    def _learn(self, frame: Frame) -> None:
        while not self._lessons.empty():
            lesson = self._lessons.get()
            trouble = self._trouble_with(lesson, frame)
            if trouble is None:
                self._begin_anew()
            lesson.told(frame, trouble)

    def _trouble_with(self, lesson: Lesson, frame: Frame) -> str | None:
        """Learn *lesson* from *frame*; return why not, if that cannot be."""
        if self._reader is None:
            return "no eyes watch this game"
        if trouble := lesson.check(frame, lesson.truth):
            return trouble
        try:
            self._reader.calibrate(frame, lesson.truth)
        except ValueError as error:
            return str(error)
        return None

    def _say(self, observation: Observation) -> None:
        if self._reader is None:
            return  # nobody waits for a table that is not read
        # Every arm seen counts, and so does every look at the places.
        is_new = observation.reason is None or observation.reason is not self._said
        if is_new or observation.arms or observation.places or observation.facts:
            self._said = observation.reason
            self._post(observation)
