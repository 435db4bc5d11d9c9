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

from companion.language.message import message_of
from companion.referee.game import Table
from companion.table.camera_choice import describe_lost_view
from companion.table.heartbeat import Heartbeat
from companion.table.instant_replay import FILM_RATE_HZ, InstantReplay
from companion.table.live_view import LiveView
from companion.table.picture_faults import describe_fault
from companion.table.readers import Reader, find_games
from vision.capture.camera import Camera, Shot
from vision.capture.colour_origin import ColourOrigin
from vision.capture.device import CameraLost
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.flicker import FlickerWatch
from vision.capture.frame import Frame
from vision.capture.light_watch import LightWatch
from vision.capture.motion_gate import Motion, MotionGate
from vision.capture.preview_frame import PreviewFrame
from vision.capture.sensor_mode import LostView
from vision.geometry.lens import Lens
from vision.observation import Observation, Reason, Status

MIN_REREAD_S: Final = 1.0
MAX_REREAD_S: Final = 60.0
"""A still table that the referee does not believe is looked at again after MIN_REREAD_S, and then
after twice as long each time, up to MAX_REREAD_S."""
LOOKS_AT_LIGHT: Final = 2
"""So often a still table is looked at once its light has changed: the second look confirms it."""

logger = logging.getLogger(__name__)

TruthCheck: TypeAlias = Callable[[Frame, Mapping[str, Any]], str | None]
"""Returns why a frame cannot be a calibration picture, None if it may be; see `ReaderSetup`."""
OnCalibrated: TypeAlias = Callable[[Frame, str | None, Lock], None]
"""Told, in the watcher's thread, the picture that was learned from, what went wrong or None, and
what the camera was held at."""


WatchOrder: TypeAlias = tuple[str, Reader | None, Callable[[Reader], Controls]]
"""What to watch for, who reads it, and what is to be done with the reader first, which returns what
the camera has to be held at for it."""


@dataclass(frozen=True, slots=True)
class CalibrationRequest:
    """The known table to calibrate with."""

    truth: Mapping[str, Any]
    check: TruthCheck
    on_calibrated: OnCalibrated
    reopen: Callable[[], Reader] | None = None


class Watcher:
    """Watches one camera and posts an observation whenever something is to be said.

    A table that came to rest is read until the referee accepts what it shows, and again after the
    camera was lost or the light on it has changed. Where the corner tiles of another game lie, that
    is told too.
    spotted: called with the name of the game whose tiles are in view instead of those watched for.
    on_read: called with every picture that is about to be read.
    live_view: hands pictures on to whoever sets the camera up.
    replay: keeps what led to a fall, where the host has asked for that.
    report_camera: called with what is wrong with the camera, and with "" when pictures come again.
    All are called in the watcher's thread.
    """

    def __init__(
        self,
        camera: Camera,
        gate: MotionGate,
        post: Callable[[Observation], None],
        spotted: Callable[[str], None] = lambda _: None,
        report_camera: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._camera = camera
        self._report_camera = report_camera
        self._camera_trouble = ""
        self._logged_view: LostView | None = None
        self._heartbeat = Heartbeat()
        self._reported_trouble = ""
        self._gate = gate
        self._flickers = FlickerWatch()
        self._light, self._looks_due = LightWatch(), 0
        self._post = post
        self._spotted = spotted
        self.live_view = LiveView()
        self.replay = InstantReplay()
        self.on_read: Callable[[Frame], None] = lambda _: None
        self._game = ""
        self._reader: Reader | None = None
        self._orders: queue.SimpleQueue[WatchOrder] = queue.SimpleQueue()
        self._calibration_requests: queue.SimpleQueue[CalibrationRequest] = queue.SimpleQueue()
        self._beliefs: queue.SimpleQueue[tuple[str, Table]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._watch, name="watcher", daemon=True)
        self._last_reason: Reason | None = None
        self._spotted_game = ""
        self._read_s: float | None = None
        self._done = False
        self._read_frame, self._accepted_frame = "", ""
        self._has_adapted = False
        self._wait_s = MIN_REREAD_S

    def start(self) -> None:
        """Begin to watch."""
        self._thread.start()

    def close(self) -> None:
        """Stop, and wait until the camera is free."""
        self._camera.close()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    def watch(
        self, game: str, reader: Reader | None, prepare: Callable[[Reader], Controls] = lambda _: {}
    ) -> None:
        """Watch for *game* from now on; without a *reader* only other games' tiles are told.

        prepare: run with the reader first, in the watcher's thread: calibrating may take seconds;
            returns what the camera has to be held at for what was learned, nothing for what it is.
        """
        self._orders.put((game, reader, prepare))

    def calibrate(
        self,
        truth: Mapping[str, Any],
        check: TruthCheck,
        on_calibrated: OnCalibrated,
        reopen: Callable[[], Reader] | None = None,
    ) -> None:
        """Calibrate with the next still picture, which shows *truth*.

        reopen: opens the reader to be calibrated and used from then on; None for the present one.
        """
        self._calibration_requests.put(CalibrationRequest(truth, check, on_calibrated, reopen))

    def set_reference(self, frame: str, table: Table) -> None:
        """Let the reader take *table* for what *frame* shows; see `Reader.set_reference`."""
        self._beliefs.put((frame, table))

    def new_trouble(self) -> str | None:
        """Return what keeps pictures from being judged now, "" for nothing; None for no change."""
        trouble = self._heartbeat.trouble
        if trouble == self._reported_trouble:
            return None
        self._reported_trouble = trouble
        return trouble

    @property
    def lens(self) -> Lens | None:
        """What the model of the camera tells of its lens, None if nothing; from any thread."""
        prior = self._camera.lens
        return None if prior is None else Lens(prior.hfov_deg, prior.relative_error)

    @property
    def lost_view(self) -> LostView | None:
        """What the camera's pictures lack of its view, None if nothing; from any thread."""
        return self._camera.lost_view

    @property
    def origin(self) -> ColourOrigin | None:
        """How the colours of the camera's pictures come, None if unknown; from any thread."""
        return self._camera.origin

    @property
    def stuck(self) -> str:
        """What only a restart ends, in one line, "" while camera and reader come on.

        A camera that is lost and named is not stuck.  From any thread.
        """
        return self._heartbeat.stuck

    def _watch(self) -> None:
        self._heartbeat.end()
        try:
            self._handle_shots()
        except Exception as error:
            logger.exception("The camera is no longer being watched")
            self._heartbeat.die(error)
        else:
            self._heartbeat.stop()

    def _handle_shots(self) -> None:
        for shot in self._camera.shots():
            self._heartbeat.begin()
            try:
                self._handle_shot(shot)
            except CameraLost:
                pass  # while the picture was fetched; the camera says so by itself
            except Exception as error:  # one bad picture must not end the evening
                logger.exception("A picture could not be judged; the next one will be")
                self._heartbeat.fail(error)
            self._heartbeat.end()

    def _handle_shot(self, shot: Shot) -> None:
        while not self._orders.empty():
            self._game, self._reader, prepare = self._orders.get()
            self._heartbeat.learn()
            if self._reader is not None and (controls := prepare(self._reader)):
                self._camera.hold(controls)
            self._last_reason, self._spotted_game = None, ""
            self._reset()
        while not self._beliefs.empty():
            frame, table = self._beliefs.get()
            self._accepted_frame = frame
            if self._reader is not None:
                self._reader.set_reference(frame, table)
        trouble = self._describe_flicker() if isinstance(shot, PreviewFrame) else message_of(shot)
        self._note_camera(trouble)
        self._note_view()
        self.live_view.offer(shot)
        if not isinstance(shot, PreviewFrame):
            self._post_if_new(Observation("", Status.UNREADABLE, reason=Reason.PICTURE))
            return
        if self._gate.feed(shot) is Motion.MOVING:
            self._flickers.look(shot.luma)
            self._reset()
            self._post_if_new(Observation(shot.name, Status.UNSETTLED, reason=Reason.MOTION))
            self.replay.take(shot)
            self._camera.hurry(FILM_RATE_HZ if self.replay.is_on else 0.0)
            return
        self._camera.hurry(0.0)
        self._flickers.restart()
        self._calibrate(shot)
        if self._light.has_changed(shot.luma):
            self._reset()
            self._looks_due = LOOKS_AT_LIGHT
        if self._is_settled:
            return
        if self._read_s is not None:
            if shot.taken_s - self._read_s < self._wait_s:
                return
            self._wait_s = min(2.0 * self._wait_s, MAX_REREAD_S)
        self._read_s, self._looks_due = shot.taken_s, self._looks_due - 1
        self._light.note(shot.luma)
        self._read(shot.fetch())

    @property
    def _is_settled(self) -> bool:
        """Whether there is nothing left to be read, as long as nothing changes."""
        is_accepted = self._read_frame != "" and self._read_frame == self._accepted_frame
        return self._looks_due <= 0 and (self._done or is_accepted)

    def _describe_flicker(self) -> str:
        """Return whether it is only the light that moves, so that the table never comes to rest."""
        found = self._flickers.found
        return "" if found is None else describe_fault(found)

    def _note_camera(self, trouble: str) -> None:
        """Report what is new about the camera; after a loss the table may have changed."""
        if trouble == self._camera_trouble:
            return
        self._camera_trouble = trouble
        self._report_camera(trouble)
        if trouble:
            logger.warning("%s", trouble)
        else:
            self._reset()

    def _note_view(self) -> None:
        """Log what is new about the camera's view."""
        if self.lost_view != self._logged_view:
            self._logged_view = self.lost_view
            if self._logged_view is not None:
                logger.warning("%s", describe_lost_view(self._logged_view))

    def _reset(self) -> None:
        """Look at the table as soon as it is at rest."""
        self._done, self._read_s, self._read_frame, self._wait_s = False, None, "", MIN_REREAD_S

    def _read(self, frame: Frame) -> None:
        if self._reader is not None:
            self.on_read(frame)
        observation = self._reader.read(frame) if self._reader is not None else None
        self._done, self._read_frame = observation is None, frame.name
        if observation is None or observation.status is Status.NO_MAT:
            self._look_for_tiles(frame)
        if observation is not None:
            self._post_if_new(observation)
        self._heartbeat.succeed()

    def _look_for_tiles(self, frame: Frame) -> None:
        """Tell once which other game's tiles are in view, if they are of one alone."""
        found = find_games(frame)
        spotted = found[0] if len(found) == 1 else ""
        if spotted not in ("", self._game, self._spotted_game):
            self._spotted(spotted)
        self._spotted_game = spotted

    def _calibrate(self, glance: PreviewFrame) -> None:
        """Carry out what is to be learned; a camera that has to adapt first does so meanwhile."""
        while not self._calibration_requests.empty():
            if not self._has_adapted and self._camera.adapt():
                self._has_adapted = True
                return
            self._has_adapted = False
            self._heartbeat.learn()
            frame = glance.fetch()  # before the request is taken: the camera may be lost here
            request = self._calibration_requests.get()
            trouble = self._try_calibration(request, frame)
            if trouble is None:
                self._reset()
            request.on_calibrated(frame, trouble, self._camera.lock)

    def _try_calibration(self, request: CalibrationRequest, frame: Frame) -> str | None:
        """Learn *request* from *frame*; return why not, if that cannot be."""
        if self._reader is None:
            return "this game is not read by a camera"
        try:
            if trouble := request.check(frame, request.truth):
                return trouble
            reader = self._reader if request.reopen is None else request.reopen()
            reader.calibrate(frame, request.truth)
        except ValueError as error:
            return error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
        self._reader = reader
        return None

    def _post_if_new(self, observation: Observation) -> None:
        if self._reader is None:
            return  # nobody waits for a table that is not read
        self.replay.note(observation)
        # Every arm seen counts, and so does every look at the places.
        is_new = observation.reason is None or observation.reason is not self._last_reason
        if is_new or observation.arms or observation.places or observation.facts:
            self._last_reason = observation.reason
            self._post(observation)


def warn_of(trouble: str | None) -> None:
    """Log what went wrong while the camera was calibrated, if anything did."""
    if trouble:
        logger.warning("%s", trouble)
