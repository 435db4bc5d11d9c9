"""What libcamera's virtual camera lacks of a Raspberry Pi's, added to picamera2 as it is loaded.

- Colours: the Pi's image processor delivers what is asked for; this camera knows NV12 alone.
- Exposure, gain and white balance: it has none, so none are reported or set.
- Noise: what it shows is the same to the bit.
- Time: it turns to the next file after four buffers, however fast they come.  Here it gets no
  buffer back until the scene that `SCENE` names is another one; meanwhile the last picture stands.
- A raw stream, and buffers in one piece: picamera2 looks for both before it begins.

All else is picamera2's and libcamera's own: cameras found, buffers, requests, threads, closing.
"""

import importlib.abc
import importlib.util
import mmap
import random
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

SCENE = Path("/run/tiki-scene")
FILES = 2
"""Of each scene: so its last buffer is never the first of the next one."""
BUFFERS = 4
RATE_HZ = 5.0
NOISE_LEVELS = 3
PATIENCE_S = 20.0
SENSOR = {"ExposureTime": 20_000, "AnalogueGain": 1.0, "ColourGains": (1.5, 1.5)}
NAME = "picamera2.picamera2"


class _Pieces:
    """Maps a buffer of two planes, whose sizes this camera leaves at 0."""

    def __init__(self, _allocator: Any, buffer: Any, _write: bool) -> None:
        self._planes = buffer.planes

    def __enter__(self) -> mmap.mmap:
        size = self._planes[-1].offset + self._planes[-1].length
        self._memory = mmap.mmap(self._planes[0].fd, size, mmap.MAP_SHARED)
        return self._memory

    def __exit__(self, *_: object) -> None:
        self._memory.close()


class _Film:
    """Keeps the buffers of a scene until there is another one to fill them from.

    release: picamera2's own way to give a buffer back.
    """

    def __init__(self, release: Callable[[Any], None]) -> None:
        self._release = release
        self._lock = threading.RLock()
        self._kept: list[Any] = []
        self._returned = 0
        self._scene = -1
        self._picture: Any = None
        self._rng = random.Random(1)
        self._noise: Any = None

    def give_back(self, request: Any) -> None:
        """Give a buffer back, or keep it if it would be filled from the next scene."""
        with self._lock:
            is_last = request.ref_count == 1 and request.picam2.started
            if is_last and self._returned >= self._wanted() * FILES * BUFFERS:
                self._kept.append(request)
                return
            self._returned += is_last
        self._release(request)

    def take(self, camera: Any, capture: Callable[[], Any]) -> Any:
        """Return the picture of the scene that is on, in NV12."""
        wanted = self._wanted()
        if wanted == self._scene:
            time.sleep(1 / RATE_HZ)
            return self._picture
        with self._lock:
            kept, self._kept = self._kept, []
        for request in kept:
            self.give_back(request)
        until_s = time.monotonic() + PATIENCE_S
        while not self._is_on(camera, wanted):
            assert time.monotonic() < until_s, "the virtual camera gives its buffers no more"
            time.sleep(0.05)
        self._scene, self._picture = wanted, capture()
        return self._picture

    def _is_on(self, camera: Any, wanted: int) -> bool:
        """Return whether the scene is the last that was taken, and its buffers are all here."""
        with camera.lock, self._lock:
            # picamera2 itself keeps the newest one.
            are_here = len(self._kept) + len(camera.completed_requests) == BUFFERS
            return self._returned >= wanted * FILES * BUFFERS and are_here

    def add_noise(self, picture: Any) -> Any:
        """Return *picture* with noise of its own."""
        import cv2
        import numpy as np

        height, width, _ = picture.shape
        if self._noise is None:
            shape = (height + 64, width + 64, 3)
            self._noise = np.random.default_rng(1).integers(0, NOISE_LEVELS, shape, np.uint8)
        top, left = self._rng.randrange(64), self._rng.randrange(64)
        return cv2.add(picture, self._noise[top : top + height, left : left + width])

    def _wanted(self) -> int:
        return int(SCENE.read_text())


def _complete(loaded: ModuleType) -> None:
    """Add to the module `NAME` what the virtual camera lacks."""
    from picamera2.allocators import LibcameraAllocator
    from picamera2.request import CompletedRequest

    camera: Any = loaded.Picamera2
    film = _Film(CompletedRequest.release)
    configure, capture = camera.configure, camera.capture_array
    controls, begin = camera.set_controls, camera.__init__

    def start(self: Any, *words: Any, **named: Any) -> None:
        begin(self, *words, **named)
        self.allocator = LibcameraAllocator(self.camera)
        self.allocator.sync = _Pieces

    def configure_in_nv12(self: Any, wanted: dict[str, Any]) -> None:
        assert wanted["main"]["format"] == "RGB888"
        main = wanted["main"] | {"format": "NV12"}
        configure(self, wanted | {"main": main, "buffer_count": BUFFERS})

    def capture_in_colour(self: Any, name: str) -> Any:
        import cv2

        taken = film.take(self, lambda: capture(self, name))
        return film.add_noise(cv2.cvtColor(taken, cv2.COLOR_YUV2BGR_NV12))

    def set_known(self: Any, wanted: Mapping[str, Any]) -> None:
        known = self.camera_controls
        controls(self, {name: value for name, value in wanted.items() if name in known})

    def give_back(self: Any) -> None:
        film.give_back(self)

    camera._get_raw_modes = lambda _: [{"format": "NV12", "size": (1536, 864)}]
    camera.__init__ = start
    camera.configure = configure_in_nv12
    camera.capture_array = capture_in_colour
    camera.capture_metadata = lambda _: dict(SENSOR)
    camera.set_controls = set_known
    CompletedRequest.release = give_back


class _Loader(importlib.abc.Loader):
    def __init__(self, spec: ModuleSpec) -> None:
        self._loader: Any = spec.loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        _complete(module)


class _Finder(importlib.abc.MetaPathFinder):
    def find_spec(
        self, name: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != NAME:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec)
        return spec


def watch() -> None:
    """Wait for picamera2 to be loaded; Python does this at every start."""
    sys.meta_path.insert(0, _Finder())
