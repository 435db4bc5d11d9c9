"""The running table, as whoever runs it hands it to its pages."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from companion.devices.calibration import DeviceCalibration
from companion.referee.live_session import LiveSession
from companion.web.http.keys import Keys
from companion.web.http.reach import Reach
from companion.web.http.server import HomeTls
from companion.web.table_memory import TableMemory
from companion.wifi.own_wifi import OwnWifi
from hardware.output_devices import OutputDevices
from hardware.sectors import Sectors

if TYPE_CHECKING:
    from companion.cameras import CameraChooser  # as the next
    from companion.table.instant_replay import InstantReplay
    from companion.table.table_setup import TableSetup  # whose eyes the hub's pages never need
    from vision.capture.virtual_camera import VirtualCamera

Calibrate: TypeAlias = Callable[[Mapping[str, Any], Callable[[str | None], None]], None]
"""Calibrates the reader with the next still picture, which shows the given table; reports, on the
event loop, None when that is done or else what went wrong."""


class Finding(Protocol):
    """What a check found: its name, and what it says."""

    def to_json(self) -> dict[str, str]:
        """Return its name, status, detail, and the remedy if it has failed."""


class Checkup(Protocol):
    """Examines the machine of a running companion.

    checks: the names of what it can look at.
    """

    checks: Sequence[str]

    async def examine(self, names: Collection[str]) -> Sequence[Finding]:
        """Return what the checks of *names* say, in the order of *checks*."""

    async def make_bundle(self, *, with_pictures: bool) -> bytes:
        """Return a support bundle, a ZIP file, with pictures if that is agreed to."""


@dataclass
class RunningTable:
    """The game in play, and all that people can do around it.

    reach: where phones reach the companion, beside the addresses by which browsers come.
    names: further host names by which it may be reached, beside addresses, names of the home and
        the one that is configured.
    origins: of pages from elsewhere that may read what programs may.
    calibrate: see `Calibrate`; None where nothing is to be learned.
    simulate: operates simulated sensors by words, and raises ValueError with the known ones; None
        where the sensors are real.
    kept_frame: returns the JPEG that an entry of a session rested on, by both numbers; None if
        none is kept.
    replay: plays falls back; None where no camera watches.
    checkup: returns who examines the machine; None where nobody does.
    table_setup: sets the camera up; None where there is none.
    cameras: lets the host choose one; None where the settings say which it is.
    virtual_camera: takes the pictures of a virtual table; None where the table is a real one.
    play_instead: puts a virtual table in the place of the film that is shown, with the same pages;
        None where a real table is watched.
    tls: serves the pages over TLS, too; None where only others do.
    own_wifi: the Wi-Fi that the table opens where it is in no network; None if it opens none.
    idol_sectors: the circle around the idol at a table of so many seats; None where it is not
        asked whether the idol is fair.
    calibrations: by name, of the devices that can be calibrated.
    usual: the options with which this table plays the game of a name.
    memory: what the table remembers beside its games.
    has_own_screen: whether a browser on this machine can be told from all others: behind a proxy
        everybody seems to be on it, see docs/decisions/0326-let-the-room-join.md.
    """

    live_session: LiveSession
    keys: Keys
    outputs: OutputDevices
    reach: Reach = field(default_factory=Reach)
    names: Collection[str] = ()
    origins: Collection[str] = ()
    calibrate: Calibrate | None = None
    simulate: Callable[[str], None] | None = None
    kept_frame: Callable[[int, int], bytes | None] = lambda _session, _seq: None
    replay: "InstantReplay | None" = None
    checkup: Callable[[], Checkup] | None = None
    table_setup: "TableSetup | None" = None
    cameras: "CameraChooser | None" = None
    virtual_camera: "VirtualCamera | None" = None
    play_instead: Callable[[], None] | None = None
    tls: HomeTls | None = None
    own_wifi: OwnWifi | None = None
    idol_sectors: Callable[[int], Sectors] | None = None
    calibrations: Mapping[str, DeviceCalibration] = field(default_factory=dict)
    usual: Callable[[str], Mapping[str, Any]] = lambda _game: {}
    memory: TableMemory = field(default_factory=TableMemory)
    has_own_screen: bool = False
