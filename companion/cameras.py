"""Which camera watches the table: as the settings say, or as the host has chosen on a page.

What was chosen is kept beside the log, by the name under which a webcam comes back.
"""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from hashlib import blake2b
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import cv2
from msgspec.structs import replace

from companion.config import CameraConfig
from companion.files import write_whole
from companion.language.message import Message, message_of, say, without_stop
from companion.table.phone_words import explain_phone
from companion.table.virtual_words import explain_virtual
from companion.table.watcher import Watcher
from vision.capture.camera import Camera, Shot
from vision.capture.camera_list import FoundCamera, find_cameras, list_video_cameras
from vision.capture.device import CameraLost, DeviceSettings, Kind
from vision.capture.frame import Frame
from vision.capture.live_camera import LiveCamera
from vision.capture.phone_camera import PhoneCamera
from vision.capture.switched_camera import SwitchedCamera, wait_for_glance
from vision.capture.virtual_camera import VirtualCamera
from vision.geometry.lens import Lens

if TYPE_CHECKING:
    from companion.config.devices import Source

LOOK_S: Final = 3.0
"""While there is no camera, one is looked for so often."""
WAIT_S: Final = 1.5
"""The camera that watches gives its next picture within that."""
SMALL_PX: Final = 240
"""How wide the small picture is by which people tell one camera from another."""
MAX_ADDRESS_CHARS: Final = 500
PHONE: Final = "phone"
"""The source of a camera that is a phone; its device tells one phone and lens from another."""
ANY_PHONE: Final = FoundCamera(PHONE, PHONE, say("a phone"))
"""Until one has sent a picture."""
SCHEMES: Final = ("rtsp", "rtsps", "http", "https")
NO_ADDRESS: Final = say(
    "That is not a camera’s address. It begins with rtsp:// or http://; the camera’s manual has it."
)


class CannotChoose(ValueError):
    """A camera that cannot be chosen; one sentence says why."""


def device_of(config: CameraConfig) -> DeviceSettings:
    """Return the camera that the settings name."""
    kind: Kind = "video" if config.source == "video" else "picamera2"
    size_px = config.width_px, config.height_px
    return DeviceSettings(kind, config.device, *size_px, lens=config.lens)


def told_lens(config: CameraConfig) -> Lens | None:
    """Return the lens that the settings tell, None if it is to be measured."""
    return Lens(config.hfov_deg, 0.0) if config.hfov_deg else None


def rig_of(camera: FoundCamera | CameraConfig) -> str:
    """Return the name under which a camera's calibrations are kept; it tells no password."""
    return blake2b(f"{camera.source} {camera.device}".encode(), digest_size=4).hexdigest()


def parse_address(text: str) -> FoundCamera:
    """Return the network camera at an address that somebody typed; raises CannotChoose."""
    device = text.strip()
    try:
        address = urlsplit(device)
        is_one = address.scheme in SCHEMES and bool(address.hostname) and address.port != 0
    except ValueError:
        is_one = False
    is_plain = device.isprintable() and " " not in device and len(device) <= MAX_ADDRESS_CHARS
    if not (is_one and is_plain):
        raise CannotChoose(NO_ADDRESS)
    name = DeviceSettings("video", device).name.removeprefix("camera ")
    return FoundCamera("video", device, name)


def pick_camera(found: Sequence[FoundCamera], chosen: FoundCamera | None) -> FoundCamera | None:
    """Return which of the *found* watches: the *chosen* one, else the first.

    A chosen one that is not here is waited for: another would see another table.
    """
    if chosen is None:
        return found[0] if found else None
    same = [each for each in found if each.source == chosen.source]
    # Raspberry Pi cameras are numbered anew when another is connected; their names stay.
    by_name = [each for each in same if each.name == chosen.name and each.source == "picamera2"]
    by_device = [each for each in same if each.device == chosen.device]
    return next(iter(by_name + by_device), chosen)


class CameraChooser:
    """Finds the cameras that are here, and lets one of them watch the table.

    config: how a camera is opened.  file: where the choice is kept, None for nowhere.
    post: takes what is to be done from any thread to the event loop, where all but `picture` is
    called.
    on_take: called with the name of the camera that watches from now on; see `rig_of`.
    on_news: called when there is something else to be shown.
    phone: takes the pictures of the phone whose page was opened last, if one was.
    current: the camera that watches, None while there is none.  trying: the one that is opened to
    take its place.  trouble: why the last one did not, in a sentence, or "".
    """

    def __init__(
        self,
        config: CameraConfig,
        file: Path | None,
        post: Callable[[Callable[[], None]], None],
        on_take: Callable[[str], None],
        on_news: Callable[[], None] = lambda: None,
    ) -> None:
        self.camera = SwitchedCamera()
        self.phone = self._tried_phone = PhoneCamera()
        self.is_phone_only = config.source == PHONE
        self.current: FoundCamera | None = None
        self.trying: FoundCamera | None = None
        self.trouble: Message | str = ""
        self._config = config
        self._file = file
        self._chosen = _load(file)
        self._post = post
        self._on_take = on_take
        self._on_news = on_news
        self._modules: tuple[FoundCamera, ...] = ()
        self._numbers = count(1)
        self._opening = threading.Lock()
        self._watcher: Watcher | None = None

    def start(self, watcher: Watcher) -> None:
        """Look for a camera until there is one, and let *watcher* watch it."""
        self._watcher = watcher
        threading.Thread(target=self._look, name="cameras", daemon=True).start()

    @property
    def found(self) -> tuple[FoundCamera, ...]:
        """All cameras that are here now, the Raspberry Pi's first; and the one that watches."""
        found, current = () if self.is_phone_only else self._list(), self.current
        if current is None or rig_of(current) in map(rig_of, found):
            return found
        return (*found, current)

    def _list(self) -> tuple[FoundCamera, ...]:
        return self._modules + list_video_cameras()

    def is_current(self, camera: FoundCamera) -> bool:
        """Return whether it is *camera* that watches."""
        return self.current is not None and rig_of(camera) == rig_of(self.current)

    @property
    def is_asking(self) -> bool:
        """Whether the host should look at the list: none watches, or nobody has chosen yet."""
        if self.current is None or self.trying is not None or self.trouble:
            return True
        return self._chosen is None and len(self.found) > 1

    def choose(self, camera: FoundCamera) -> None:
        """Let *camera* watch once it gives a picture; until then the present one does.

        Raises CannotChoose.
        """
        if self.trying is not None:
            raise CannotChoose(
                say("{camera} is being tried; wait a moment.", camera=self.trying.name)
            )
        self.trouble = ""
        if self.is_current(camera):
            self._keep(camera)
            self._on_news()
            return
        self.trying = camera
        if camera.source == PHONE:  # its pictures may come before the thread begins
            self._tried_phone = self._new_phone()
        threading.Thread(target=self._try, args=(camera,), name="cameras", daemon=True).start()
        self._on_news()

    def meet_phone(self, camera: FoundCamera, page: str) -> None:
        """Take pictures of *page*, just opened on the phone *camera*, which watches from then on.

        Raises CannotChoose.
        """
        present = self.camera.present
        if self.is_current(camera) and isinstance(present, PhoneCamera):
            self.phone = present
        else:
            if self.trying is None or rig_of(self.trying) != rig_of(camera):
                self.choose(camera)
            self.phone = self._tried_phone
        self.phone.begin(page)

    def _new_phone(self) -> PhoneCamera:
        return PhoneCamera(explain_phone, self._config.rate_hz, numbers=self._numbers)

    def picture(self, camera: FoundCamera) -> bytes | None:
        """Return a small JPEG of what *camera* sees now; from any thread, may take seconds.

        None where it would be disturbed by that.
        Raises CameraLost.
        """
        if self.is_current(camera) and self._watcher is not None:
            frame = self._watcher.live_view.look(0, WAIT_S).frame
            return None if frame is None else _small(frame)
        if "://" in camera.device or camera.source == PHONE:
            return None
        with self._opening:  # one after the other: they may share a cable
            if self.trying == camera or self.camera.closed.is_set():
                return None
            opened = self._open(camera)
            shots = opened.shots()  # whose picture is fetched before they come to their end
            try:
                return _small(wait_for_glance(shots).fetch())
            finally:
                opened.close()

    def _open(self, camera: FoundCamera) -> Camera:
        if camera.source == PHONE:
            return self._new_phone()
        source: Source = "picamera2" if camera.source == "picamera2" else "video"
        config = replace(self._config, source=source, device=camera.device)
        return LiveCamera(device_of(config), config.rate_hz, numbers=self._numbers)

    def _look(self) -> None:
        """Look for a camera, in a thread of its own."""
        if self.is_phone_only:
            chosen = self._chosen
            known = chosen if chosen is not None and chosen.source == PHONE else ANY_PHONE
            self._post(partial(self._take_first, known))
            return
        listed = find_cameras()  # once: nobody plugs a Raspberry Pi's own in while it runs
        self._modules = tuple(each for each in listed if each.source == "picamera2")
        while not self.camera.closed.is_set() and self.current is None:
            camera = pick_camera(self.found, self._chosen)
            if camera is not None:
                self._post(partial(self._take_first, camera))
                return
            self.camera.closed.wait(LOOK_S)

    def _take_first(self, camera: FoundCamera) -> None:
        if self.current is None:
            opened = self._open(camera)
            self._take(camera, opened, opened.shots())

    def _try(self, camera: FoundCamera) -> None:
        """Open *camera* beside the present one, in a thread of its own."""
        with self._opening:
            opened = self._tried_phone if camera.source == PHONE else self._open(camera)
            shots = opened.shots()
            try:
                wait_for_glance(shots)
            except CameraLost as error:
                opened.close()
                self._post(partial(self._give_up, camera, message_of(error)))
                return
        self._post(partial(self._succeed, camera, opened, shots))

    def _give_up(self, camera: FoundCamera, reason: str) -> None:
        self.trying = None
        self.trouble = say(
            "{camera} cannot be used: {reason}.", camera=camera.name, reason=without_stop(reason)
        )
        self._on_news()

    def _succeed(self, camera: FoundCamera, opened: Camera, shots: Iterator[Shot]) -> None:
        self.trying = None
        self._keep(camera)
        self._take(camera, opened, shots)

    def _take(self, camera: FoundCamera, opened: Camera, shots: Iterator[Shot]) -> None:
        is_first, self.current = self.current is None, camera
        self.camera.put(opened, shots)
        if is_first and self._watcher is not None:
            self._watcher.start()
        self._on_take(rig_of(camera))
        self._on_news()

    def _keep(self, camera: FoundCamera) -> None:
        self._chosen = camera
        if self._file is None:
            return
        kept = {"source": camera.source, "device": camera.device, "name": camera.name}
        try:
            write_whole(self._file, json.dumps(kept).encode())
        except OSError as error:
            self.trouble = say(
                "{camera} is used until the companion stops, but your choice cannot be saved:"
                " {reason}.",
                camera=camera.name,
                reason=error.strerror or str(error),
            )


def open_chooser(
    config: CameraConfig,
    file: Path | None,
    post: Callable[[Callable[[], None]], None],
    on_take: Callable[[str], None],
    on_news: Callable[[], None],
) -> CameraChooser | None:
    """Return what finds the camera; None where the settings say which it is."""
    if config.source not in ("auto", PHONE):
        return None
    return CameraChooser(config, file, post, on_take, on_news)


def open_virtual(config: CameraConfig) -> VirtualCamera | None:
    """Return what takes the pictures of a virtual table; None where the table is a real one."""
    if config.source != "virtual":
        return None
    return VirtualCamera(explain_virtual, config.rate_hz)


def start_watching(watcher: Watcher | None, chooser: CameraChooser | None) -> None:
    """Let *watcher* begin at once, or as soon as *chooser* has a camera for it."""
    if watcher is not None and chooser is not None:
        chooser.start(watcher)
    elif watcher is not None:
        watcher.start()


def _load(file: Path | None) -> FoundCamera | None:
    """Return the camera that was chosen, None if none was or the file is spoilt."""
    try:
        kept = json.loads(file.read_bytes()) if file is not None else {}
        camera = FoundCamera(str(kept["source"]), str(kept["device"]), str(kept["name"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return camera if camera.source in ("picamera2", "video", PHONE) and camera.device else None


def _small(frame: Frame) -> bytes:
    height, width = frame.picture.shape[:2]
    size_px = (SMALL_PX, max(1, round(height * SMALL_PX / width)))
    small = cv2.resize(frame.picture, size_px, interpolation=cv2.INTER_AREA)
    return bytes(cv2.imencode(".jpg", small)[1].tobytes())
