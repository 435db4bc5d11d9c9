"""What libcamera's virtual camera lacks of a Raspberry Pi's, added to picamera2 as it is loaded.

- Colours: the Pi's image processor delivers what is asked for; this camera knows NV12 alone.
- Exposure, gain and white balance: it has none, so none are reported or set.
- A pace: it fills a picture as soon as it gets a buffer; a sensor takes `RATE_HZ`.
- A raw stream, and buffers in one piece: picamera2 looks for both before it begins.

All else is picamera2's and libcamera's own: cameras found, buffers, requests, threads, closing.
"""

import importlib.abc
import importlib.util
import mmap
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

RATE_HZ = 5.0
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


def _pace(request: Any) -> None:
    """Let buffers go back no faster than a sensor fills them."""
    release = request.release
    due_s = time.monotonic()

    def paced(self: Any) -> None:
        nonlocal due_s
        if self.ref_count == 1 and self.picam2.started:
            time.sleep(max(0.0, due_s - time.monotonic()))
            due_s = max(due_s, time.monotonic() - 1 / RATE_HZ) + 1 / RATE_HZ
        release(self)

    request.release = paced


def _complete(loaded: ModuleType) -> None:
    """Add to the module `NAME` what the virtual camera lacks."""
    from picamera2.allocators import LibcameraAllocator
    from picamera2.request import CompletedRequest

    camera: Any = loaded.Picamera2
    configure, capture, metadata, controls, begin = (
        camera.configure,
        camera.capture_array,
        camera.capture_metadata,
        camera.set_controls,
        camera.__init__,
    )

    def start(self: Any, *words: Any, **named: Any) -> None:
        begin(self, *words, **named)
        self.allocator = LibcameraAllocator(self.camera)
        self.allocator.sync = _Pieces

    def configure_in_nv12(self: Any, wanted: dict[str, Any]) -> None:
        assert wanted["main"]["format"] == "RGB888"
        configure(self, wanted | {"main": wanted["main"] | {"format": "NV12"}})

    def capture_in_colour(self: Any, name: str) -> Any:
        import cv2

        return cv2.cvtColor(capture(self, name), cv2.COLOR_YUV2BGR_NV12)

    def set_known(self: Any, wanted: Mapping[str, Any]) -> None:
        known = self.camera_controls
        controls(self, {name: value for name, value in wanted.items() if name in known})

    camera._get_raw_modes = lambda _: [{"format": "NV12", "size": (1536, 864)}]
    camera.__init__ = start
    camera.configure = configure_in_nv12
    camera.capture_array = capture_in_colour
    camera.capture_metadata = lambda self: SENSOR | metadata(self)
    camera.set_controls = set_known
    _pace(CompletedRequest)


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
