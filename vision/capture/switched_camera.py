"""A camera in whose place another one is put while pictures are taken."""

import threading
import time
from collections.abc import Iterator

from vision.capture.camera import Camera, Shot
from vision.capture.colour_origin import ColourOrigin
from vision.capture.device import CameraLost
from vision.capture.exposure_lock import Controls, Lock
from vision.capture.lens_prior import LensPrior
from vision.capture.live_camera import STALL_S
from vision.capture.preview_frame import PreviewFrame
from vision.capture.sensor_mode import LostView


class SwitchedCamera:
    """Is whichever camera was put here last; one has to be before its shots are asked for.

    closed: set once no pictures are wanted any more.
    """

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._camera: Camera | None = None
        self._shots: Iterator[Shot] = iter(())
        self.closed = threading.Event()

    @property
    def lock(self) -> Lock:
        """What it is held at."""
        return Lock() if self._camera is None else self._camera.lock

    @property
    def lens(self) -> LensPrior | None:
        """What is known of its lens."""
        return None if self._camera is None else self._camera.lens

    @property
    def lost_view(self) -> LostView | None:
        """What its pictures lack of its view."""
        return None if self._camera is None else self._camera.lost_view

    @property
    def origin(self) -> ColourOrigin | None:
        """How the colours of its pictures come."""
        return None if self._camera is None else self._camera.origin

    @property
    def present(self) -> Camera | None:
        """The camera that was put here last, None before one was."""
        return self._camera

    def put(self, camera: Camera, shots: Iterator[Shot]) -> None:
        """Let *camera* take over with its *shots*, of which some may have been taken.

        The one before is closed; from any thread.
        """
        with self._changing:
            before, self._camera, self._shots = self._camera, camera, shots
            if self.closed.is_set():
                camera.close()
        if before is not None:
            before.close()

    def shots(self) -> Iterator[Shot]:
        """Yield what the present camera shows until `close`; nothing of one that is replaced."""
        last: Iterator[Shot] | None = None
        while not self.closed.is_set() and last is not self._shots:
            last = self._shots
            for shot in last:
                if last is self._shots:
                    yield shot

    def adapt(self) -> bool:
        """Let it adapt to the table."""
        return self._camera is not None and self._camera.adapt()

    def hold(self, controls: Controls) -> None:
        """Hold it at *controls*."""
        if self._camera is not None:
            self._camera.hold(controls)

    def hurry(self, rate_hz: float) -> None:
        """Let it give at least so many glances a second."""
        if self._camera is not None:
            self._camera.hurry(rate_hz)

    def close(self) -> None:
        """Stop taking pictures."""
        with self._changing:
            self.closed.set()
            if self._camera is not None:
                self._camera.close()


def wait_for_glance(shots: Iterator[Shot]) -> PreviewFrame:
    """Return the first glance of a camera that was just opened; it may be slow.

    Raises CameraLost if it gives none.
    """
    began_s, stalled = time.monotonic(), False
    for shot in shots:
        if isinstance(shot, PreviewFrame):
            return shot
        if stalled or time.monotonic() - began_s < STALL_S:
            raise CameraLost(*shot.args)
        stalled = True
    raise CameraLost("the camera was closed before it gave a picture; try again")
