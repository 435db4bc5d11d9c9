"""NetworkManager's D-Bus interface without NetworkManager, on a bus of its own.

As much of it as the companion uses, by https://networkmanager.dev/docs/api/latest/: one radio, one
cable, and networks as they are told.  What the real one refuses is refused: an unknown setting, a
password of the wrong length.
"""

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

from jeepney import DBusAddress, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.asyncio import open_dbus_connection
from jeepney.low_level import HeaderFields

from companion.wifi.radio import Network, Reason

NM: Final = "org.freedesktop.NetworkManager"
ROOT: Final = "/org/freedesktop/NetworkManager"
CABLE, RADIO = f"{ROOT}/Devices/1", f"{ROOT}/Devices/2"
KINDS: Final = {
    "id": "s", "type": "s", "autoconnect": "b", "ssid": "ay", "mode": "s", "band": "s",
    "hidden": "b", "key-mgmt": "s", "psk": "s", "proto": "as", "pairwise": "as", "group": "as",
    "pmf": "i", "method": "s", "address-data": "aa{sv}",
}  # fmt: skip
"""Of each setting that is known, its type on the bus."""
FAILED: Final[dict[Reason, int]] = {"password": 7, "absent": 53, "address": 5, "refused": 11}
FLAGS: Final = {"open": 0, "password": 0x100, "sae": 0x400, "other": 0x200}
POLICY: Final = """
<busconfig><type>session</type><listen>unix:path={path}</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>
"""


@asynccontextmanager
async def private_bus(folder: Path) -> AsyncIterator[str]:
    """Yield the address of a bus that nobody else is on."""
    path = folder / "bus"
    (folder / "bus.conf").write_text(POLICY.format(path=path))
    command = ("dbus-daemon", f"--config-file={folder / 'bus.conf'}", "--nofork", "--print-address")
    daemon = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    assert daemon.stdout is not None
    try:
        assert await daemon.stdout.readline()
        yield f"unix:path={path}"
    finally:
        daemon.terminate()
        await daemon.wait()


class FakeNetworkManager:
    """One that answers on *bus*.

    networks: in sight, each with its password.  troubles: why those of these names fail.
    hangs: whether none ever gives an address.  state: of the radio's device.
    capabilities: of the radio.  cabled: whether a cable is in.
    connections: the settings that are kept, by path.  active: those in use, by path: their type,
    state, connection, and who has to stay on the bus for it.
    """

    def __init__(self, networks: dict[Network, str]) -> None:
        self.networks = networks
        self.troubles: dict[str, Reason] = {}
        self.state, self.capabilities, self.cabled = 30, 0x40, False
        self.connections: dict[str, dict[str, dict[str, Any]]] = {}
        self.active: dict[str, tuple[str, int, str, str]] = {}
        self.hangs = False
        self._scans = 0
        self._number = itertools.count(1)
        self._bus: Any = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def serve(self, bus: str) -> None:
        """Answer until cancelled."""
        self._bus = await open_dbus_connection(bus)
        async with self._bus:
            await self._bus.send(message_bus.RequestName(NM))
            await self._bus.send(message_bus.AddMatch("member='NameOwnerChanged'"))
            while True:
                await self._hear(await self._bus.receive())

    async def _hear(self, message: Any) -> None:
        fields = message.header.fields
        if message.header.message_type == MessageType.signal:
            if fields[HeaderFields.member] == "NameOwnerChanged" and not message.body[2]:
                self._leave(message.body[0])
        elif message.header.message_type == MessageType.method_call:
            words = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", fields[HeaderFields.member])
            try:
                answer = getattr(self, f"_{words.lower()}")(message, *message.body)
            except (KeyError, ValueError) as error:
                told = f"{NM}.{type(error).__name__}", "s", (str(error),)
                await self._bus.send(new_error(message, *told))
            else:
                await self._bus.send(new_method_return(message, *answer))

    def _leave(self, name: str) -> None:
        for path, (*_, holder) in list(self.active.items()):
            if holder == name:
                self._end(path)

    def _end(self, path: str) -> None:
        kind, _, connection, holder = self.active.pop(path)
        if holder:  # which are volatile here
            del self.connections[connection]
        if kind == "802-11-wireless":
            self.state = 30

    # ---- what is asked ----

    def _get_devices(self, _: Any) -> tuple[str, Any]:
        return "ao", ([CABLE, RADIO],)

    def _request_scan(self, _: Any, options: dict[str, Any]) -> tuple[str, Any]:
        assert options == {}
        if any(kind == "802-11-wireless" and holder for kind, *_, holder in self.active.values()):
            raise ValueError("an access point cannot scan")
        self._later(lambda: setattr(self, "_scans", self._scans + 1))
        return "", ()

    def _get_all_access_points(self, _: Any) -> tuple[str, Any]:
        return "ao", ([f"{ROOT}/AccessPoint/{at}" for at, _ in enumerate(self.networks)],)

    def _list_connections(self, _: Any) -> tuple[str, Any]:
        return "ao", (list(self.connections),)

    def _get_settings(self, message: Any) -> tuple[str, Any]:
        kept = self.connections[message.header.fields[HeaderFields.path]]
        shown = {name: dict(values) for name, values in kept.items()}
        shown.get("802-11-wireless-security", {}).pop("psk", None)
        return "a{sa{sv}}", (shown,)

    def _delete(self, message: Any) -> tuple[str, Any]:
        del self.connections[message.header.fields[HeaderFields.path]]
        return "", ()

    def _deactivate_connection(self, _: Any, path: str) -> tuple[str, Any]:
        self._end(path)
        return "", ()

    def _get(self, message: Any, interface: str, name: str) -> tuple[str, Any]:
        return "v", (self._properties(message, interface)[name],)

    def _get_all(self, message: Any, interface: str) -> tuple[str, Any]:
        return "a{sv}", (self._properties(message, interface),)

    def _add_and_activate_connection2(
        self, message: Any, sections: Any, device: str, _: str, options: Any
    ) -> tuple[str, Any]:
        assert device == RADIO
        self._check(sections)
        for path in [path for path, (kind, *_) in self.active.items() if kind.startswith("802-11")]:
            self._end(path)
        number = next(self._number)
        kept, active = f"{ROOT}/Settings/{number}", f"{ROOT}/ActiveConnection/{number}"
        self.connections[kept] = sections
        is_bound = options.get("bind-activation") == ("s", "dbus-client")
        assert is_bound == (options["persist"] == ("s", "volatile"))
        holder = message.header.fields[HeaderFields.sender] if is_bound else ""
        self.active[active] = ("802-11-wireless", 1, kept, holder)
        self._later(lambda: self._activate(active))
        return "ooa{sv}", (kept, active, {})

    # ---- what is behind it ----

    def _check(self, sections: Any) -> None:
        for section, values in sections.items():
            for name, (kind, value) in values.items():
                if KINDS.get(name) != kind:
                    raise ValueError(f"{section}.{name} has the type {kind}")
                if name == "psk" and not 8 <= len(value) <= 64:
                    raise ValueError(f"{section}.psk: property is invalid")

    def _activate(self, path: str) -> None:
        kind, _, kept, holder = self.active[path]
        sections = self.connections[kept]
        name = bytes(sections["802-11-wireless"]["ssid"][1]).decode()
        if sections["802-11-wireless"]["mode"][1] == "ap":
            states, reason = [40, 50, 70, 100], None
        else:
            states, reason = self._outcome(name, sections)
        for state in states:
            self._signal(state, 0)
        if reason is not None:
            self._signal(120, FAILED[reason])
            self._signal(30, 0)
            del self.active[path]
        elif states[-1] == 100:
            self.active[path] = (kind, 2, kept, holder)

    def _outcome(self, name: str, sections: Any) -> tuple[list[int], Reason | None]:
        known = {network.name: (network, word) for network, word in self.networks.items()}
        security = sections.get("802-11-wireless-security", {})
        if self.hangs:
            return [40, 50, 70], None
        if name in self.troubles:
            return [40, 50, 70], self.troubles[name]
        if name not in known:
            return [40, 50], "absent"
        network, password = known[name]
        wanted = {"open": None, "password": ("s", "wpa-psk"), "sae": ("s", "sae")}
        if security.get("key-mgmt") != wanted.get(network.security):
            return [40, 50], "refused"
        if security.get("psk", ("s", ""))[1] != password:
            return [40, 50, 60], "password"
        return [40, 50, 70, 90, 100], None

    def _signal(self, state: int, reason: int) -> None:
        before, self.state = self.state, state
        sender = DBusAddress(RADIO, NM, f"{NM}.Device")
        told = new_signal(sender, "StateChanged", "uuu", (state, before, reason))
        self._later(lambda: self._send(told))

    def _send(self, message: Any) -> None:
        task = asyncio.create_task(self._bus.send(message))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _later(self, act: Callable[[], None]) -> None:
        asyncio.get_running_loop().call_later(0.02, act)

    def _properties(self, message: Any, interface: str) -> dict[str, tuple[str, Any]]:
        path = message.header.fields[HeaderFields.path]
        if path == ROOT:
            return {"ActiveConnections": ("ao", [*self.active, *self._cables()])}
        match interface.removeprefix(f"{NM}."):
            case "Device":
                state = self.state if path == RADIO else 100
                return {"DeviceType": ("u", 2 if path == RADIO else 1), "State": ("u", state)}
            case "Device.Wireless":
                scanned = ("x", self._scans)
                return {"LastScan": scanned, "WirelessCapabilities": ("u", self.capabilities)}
            case "Connection.Active":
                kind, state, *_ = (self.active | self._cables())[path]
                return {"Type": ("s", kind), "State": ("u", state)}
            case "AccessPoint":
                network = list(self.networks)[int(path.rpartition("/")[2])]
                return {
                    "Ssid": ("ay", network.name.encode()),
                    "Mode": ("u", 2),
                    "Strength": ("y", network.strength),
                    "Flags": ("u", int(network.security != "open")),
                    "WpaFlags": ("u", 0),
                    "RsnFlags": ("u", FLAGS[network.security]),
                }
        raise KeyError(interface)

    def _cables(self) -> dict[str, tuple[str, int, str, str]]:
        """Return what is always there, and the cable."""
        found = {f"{ROOT}/ActiveConnection/lo": ("loopback", 2, "", "")}
        if self.cabled:
            found[f"{ROOT}/ActiveConnection/eth0"] = ("802-3-ethernet", 2, "", "")
        return found


@asynccontextmanager
async def served(manager: FakeNetworkManager, folder: Path) -> AsyncIterator[str]:
    """Yield the address of a bus on which *manager* answers."""
    async with private_bus(folder) as bus:
        task = asyncio.create_task(manager.serve(bus))
        await asyncio.sleep(0.1)
        try:
            yield bus
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
