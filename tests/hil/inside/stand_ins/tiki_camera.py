"""What libcamera's virtual camera lacks of a Raspberry Pi's, added to picamera2 as it is loaded.

- Colours: the Pi's image processor delivers what is asked for; this camera knows NV12 alone.
- Exposure, gain and white balance: it has none. Here what is set is reported again.
- Noise: what it shows is the same to the bit.
- Time: it turns to the next of its files after four buffers, however fast they come, and begins
  again after the last.  Here a scene is on until `SCENE` names another, and it comes at a rate.
- A raw stream with its modes, and buffers in one piece: picamera2 looks for both before it begins.
- A view: that a picture shows all of it, as Camera Module 3 says it.

All else is picamera2's and libcamera's own: cameras found, buffers, requests, threads, closing.
"""

import importlib.abc
import importlib.util
import mmap
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

SCENE = Path("/run/tiki-scene")
SCENES = Path("/run/tiki-scenes")
SMALL = (256, 144)
BUFFERS = 4
RATE_HZ = 2.0
NOISE_LEVELS = 3
TURN_S = 2.0
"""Less than the companion waits for a picture before it starts the camera anew."""
SENSOR = {"ExposureTime": 20_000, "AnalogueGain": 1.0, "ColourGains": (1.5, 1.5)}
CONTROLS = dict.fromkeys([*SENSOR, "AeEnable", "AwbEnable", "FrameDurationLimits"], (0, 1, 0))
WHOLE = (0, 0, 4608, 2592)
AREAS = {"PixelArrayActiveAreas": [WHOLE]}
MODES = tuple(
    {"size": size, "fps": fps, "crop_limits": crop, "bit_depth": 10}
    for size, fps, crop in (
        ((1536, 864), 120.13, (768, 432, 3072, 1728)),
        ((2304, 1296), 56.03, WHOLE),
        ((4608, 2592), 14.35, WHOLE),
    )
)
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
    """Lets the camera see the scene that is on: of the pictures that come, it passes others over.

    No buffer is counted or kept.  A picture is of the scene that it resembles most, and its small
    stream is what the camera delivers beside it.
    """

    def __init__(self) -> None:
        self._scenes: list[Any] = []
        self._scene = -1
        self._picture: Any = None
        self._low: Any = None
        self._noise: dict[tuple[int, ...], Any] = {}
        self._rng = random.Random(1)

    def pace(self) -> None:
        """Wait between two pictures, but not on the way to another scene."""
        if self._scene == self._wanted():
            time.sleep(1 / RATE_HZ)

    def take(self, capture: Callable[[], Any]) -> "_Seen":
        """Return what the camera delivers of the scene that is on, with noise.

        capture: takes the next request.  Where none of the scene has come in time, the scene before
        stays on.
        """
        wanted = self._wanted()
        until_s = time.monotonic() + TURN_S
        while True:
            request = capture()
            if wanted == self._scene:
                break
            taken = request.make_array("main")
            if self._shows(taken, wanted):
                self._scene, self._picture = wanted, _in_colour(taken)
                self._low = request.make_array("lores").copy()
                break
            if self._picture is not None and time.monotonic() > until_s:
                break
            request.release()
        return _Seen(request, {name: self._with_noise(of) for name, of in self._streams().items()})

    def _streams(self) -> dict[str, Any]:
        return {"main": self._picture, "lores": self._low}

    def _shows(self, taken: Any, wanted: int) -> bool:
        """Return whether *taken* resembles the scene *wanted* at least as much as any other."""
        import cv2
        import numpy as np

        if not self._scenes:
            files = sorted(SCENES.iterdir())
            self._scenes = [_small(cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)) for file in files]
        seen = _small(taken[: len(taken) * 2 // 3])
        apart = [float(np.mean(cv2.absdiff(seen, scene))) for scene in self._scenes]
        return apart[wanted] <= min(apart)

    def _with_noise(self, picture: Any) -> Any:
        """Return *picture*, in colour or in planes, with noise of its own."""
        import cv2
        import numpy as np

        height, width = picture.shape[:2]
        if picture.shape not in self._noise:
            shape = (height + 64, width + 64, *picture.shape[2:])
            drawn = np.random.default_rng(1).integers(0, NOISE_LEVELS, shape, np.uint8)
            self._noise[picture.shape] = drawn
        top, left = self._rng.randrange(64), self._rng.randrange(64)
        noise = self._noise[picture.shape][top : top + height, left : left + width]
        return cv2.add(picture, noise)

    def _wanted(self) -> int:
        return int(SCENE.read_text())


class _Seen:
    """A request of picamera2's, with the *arrays* of its streams as a Raspberry Pi gives them."""

    def __init__(self, request: Any, arrays: dict[str, Any]) -> None:
        self._request = request
        self._arrays = arrays

    def make_array(self, name: str) -> Any:
        """Return the picture of the stream *name*."""
        return self._arrays[name]

    def release(self) -> None:
        """Give the buffers back."""
        self._request.release()


def _small(luminance: Any) -> Any:
    """Return *luminance*, (height, width) uint8, small enough to be compared fast."""
    import cv2

    return cv2.resize(luminance, SMALL, interpolation=cv2.INTER_AREA)


def _in_colour(taken: Any) -> Any:
    """Return the NV12 of a JPEG file, whose levels go from 0 to 255, as blue, green, red."""
    import cv2

    rows, width = taken.shape
    height = rows * 2 // 3
    chroma = taken[height:].reshape(height // 2, width // 2, 2)
    blue, red = cv2.split(cv2.resize(chroma, (width, height)))
    return cv2.cvtColor(cv2.merge([taken[:height], red, blue]), cv2.COLOR_YCrCb2BGR)


def _complete(loaded: ModuleType) -> None:
    """Add to the module `NAME` what the virtual camera lacks."""
    from picamera2.allocators import LibcameraAllocator

    camera: Any = loaded.Picamera2
    film = _Film()
    configure, capture = camera.configure, camera.capture_request
    begin, process, known = camera.__init__, camera.process_requests, camera.camera_controls
    sensor = dict(SENSOR)

    def start(self: Any, *words: Any, **named: Any) -> None:
        begin(self, *words, **named)
        self.allocator = LibcameraAllocator(self.camera)
        self.allocator.sync = _Pieces

    def configure_in_nv12(self: Any, wanted: dict[str, Any]) -> None:
        assert wanted["main"]["format"] == "RGB888"
        assert wanted["lores"]["format"] == "YUV420"  # whose brightness lies as NV12's does
        assert wanted["controls"]["FrameDurationLimits"] == (33_333, 100_000)
        streams = {name: wanted[name] | {"format": "NV12"} for name in ("main", "lores")}
        configure(self, wanted | streams | {"buffer_count": BUFFERS, "controls": {}})

    def capture_in_colour(self: Any) -> _Seen:
        return film.take(lambda: capture(self))

    def set_sensor(_self: Any, wanted: Mapping[str, Any]) -> None:
        sensor.update({name: value for name, value in wanted.items() if name in sensor})

    def process_at_a_rate(self: Any, display: Any) -> None:
        film.pace()
        process(self, display)

    camera._get_raw_modes = lambda _: [{"format": "NV12", "size": (1536, 864)}]
    camera.__init__ = start
    camera.configure = configure_in_nv12
    camera.capture_request = capture_in_colour
    camera.camera_controls = property(lambda self: known.fget(self) | CONTROLS)
    camera.capture_metadata = lambda _: sensor | {"ScalerCrop": WHOLE}
    camera.set_controls = set_sensor
    camera.process_requests = process_at_a_rate
    _give_modes(camera)


def _give_modes(camera: Any) -> None:
    """Let *camera* have the modes of Camera Module 3; the one with the whole view is wanted."""
    create, described = camera.create_video_configuration, camera.camera_properties

    def create_for_whole_view(self: Any, *words: Any, **named: Any) -> dict[str, Any]:
        assert named["sensor"] == {"output_size": (2304, 1296), "bit_depth": 10}
        return create(self, *words, **named)  # type: ignore[no-any-return]

    camera.sensor_modes = property(lambda _: list(MODES))
    camera.create_video_configuration = create_for_whole_view
    camera.camera_properties = property(lambda self: described.fget(self) | AREAS)


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
