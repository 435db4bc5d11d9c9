"""The radio as NetworkManager has it, asked over D-Bus.

https://networkmanager.dev/docs/api/latest/ has the names and numbers.  The own Wi-Fi is a
connection that is never written to disk and is bound to this process's place on the bus: it ends
when the companion does, however that ends, and known networks are joined again.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final, TypeAlias

from companion.wifi.radio import (
    ADDRESS,
    PREFIX_BITS,
    Choice,
    Credentials,
    Network,
    NoRadio,
    NotJoined,
    Reason,
    Security,
    Situation,
)

NAME: Final = "org.freedesktop.NetworkManager"
PATH: Final = "/org/freedesktop/NetworkManager"
BUS: Final = "org.freedesktop.DBus"
BUS_PATH: Final = "/org/freedesktop/DBus"
PROPERTIES: Final = "org.freedesktop.DBus.Properties"
SETTINGS: Final = f"{NAME}.Settings"
CONNECTION: Final = f"{NAME}.Settings.Connection"
DEVICE: Final = f"{NAME}.Device"
WIRELESS: Final = f"{NAME}.Device.Wireless"
ACTIVE: Final = f"{NAME}.Connection.Active"
ACCESS_POINT: Final = f"{NAME}.AccessPoint"

WIFI: Final = "802-11-wireless"
NETWORKS: Final = (WIFI, "802-3-ethernet", "bluetooth", "bond", "gsm", "team", "vlan")
"""The types of connections that are a network; a tunnel, a bridge or the loopback is none."""
WIFI_DEVICE: Final = 2
CAN_BE_ACCESS_POINT: Final = 0x40
UNMANAGED, UNAVAILABLE, ADDRESSING, ACTIVATED, FAILED = 10, 20, 70, 100, 120
"""States of a device."""
ACTIVE_ACTIVATED: Final = 2
NEEDS_ENCRYPTION: Final = 0x1
WITH_PASSWORD, WITH_SAE = 0x100, 0x400
"""Of an access point's flags."""
OWN_ID: Final = "tiki-own-wifi"
CALL_S: Final = 10.0
OPENING_S: Final = 20.0
SCAN_S: Final = 10.0
STEP_S: Final = 0.25
_REASONS: Final[Mapping[int, Reason]] = {
    **dict.fromkeys((7, 8), "password"),
    53: "absent",
    **dict.fromkeys((5, 6, 15, 16, 17), "address"),
}
"""Why a device has failed, as far as people can do something about it."""

Values: TypeAlias = dict[str, Any]
Sections: TypeAlias = dict[str, dict[str, tuple[str, Any]]]


class NetworkManager:
    """The first radio of this machine that can be an access point.

    bus: the address of the bus.
    """

    def __init__(self, bus: str = "SYSTEM") -> None:
        self._bus_address = bus
        self._bus: Any = None
        self._opened: Any = None
        self._device = ""
        self._own = ""

    async def situation(self) -> Situation:
        """Return how the table stands."""
        device = await self._radio()
        is_connected = is_open = False
        for path in await self._get(PATH, NAME, "ActiveConnections"):
            with suppress(NoRadio):  # it may have ended meanwhile
                active = await self._all(path, ACTIVE)
                is_up = active["State"] == ACTIVE_ACTIVATED
                if path == self._own:
                    is_open = is_up
                elif is_up and active["Type"] in NETWORKS:
                    is_connected = True
        known = set() if is_connected else await self._known()
        seen = {name for name, *_ in await self._seen(device)} if known else set()
        return Situation(is_connected, is_open, bool(known), bool(known & seen) and not is_open)

    async def scan(self) -> tuple[Network, ...]:
        """Return the networks in sight, the strongest first."""
        device = await self._radio()
        before = await self._get(device, WIRELESS, "LastScan")
        with suppress(NoRadio):  # it refuses while it looks by itself
            await self._call(device, WIRELESS, "RequestScan", "a{sv}", {})
        for _ in range(round(SCAN_S / STEP_S)):
            if await self._get(device, WIRELESS, "LastScan") != before:
                break
            await asyncio.sleep(STEP_S)
        found: dict[str, Network] = {}
        for name, strength, security in await self._seen(device):
            if name not in found or strength > found[name].strength:
                found[name] = Network(name, strength, security)
        return tuple(sorted(found.values(), key=lambda network: -network.strength))

    async def open(self, credentials: Credentials) -> None:
        """Open a Wi-Fi of the table's own."""
        device = await self._radio()
        options = {"persist": ("s", "volatile"), "bind-activation": ("s", "dbus-client")}
        self._own = (await self._activate(_own_settings(credentials), device, options))[1]
        for _ in range(round(OPENING_S / STEP_S)):
            await asyncio.sleep(STEP_S)
            if await self._get(self._own, ACTIVE, "State") == ACTIVE_ACTIVATED:
                return
        raise NoRadio("NetworkManager opens no access point; see journalctl -u NetworkManager")

    async def close(self) -> None:
        """Close it."""
        own, self._own = self._own, ""
        if own:
            with suppress(NoRadio):  # it is closed already
                await self._call(PATH, NAME, "DeactivateConnection", "o", own)

    async def join(self, choice: Choice, limit_s: float) -> None:
        """Join a network and keep it, or raise NotJoined."""
        device = await self._radio()
        if not choice.is_hidden:
            await self.scan()
        async with self._states(device) as states:
            try:
                kept, _ = await self._activate(
                    _settings_of(choice), device, {"persist": ("s", "disk")}
                )
            except NoRadio:
                raise NotJoined("refused") from None
            reason = await _outcome(states, limit_s)
        if reason is not None:
            with suppress(NoRadio):
                await self._call(kept, CONNECTION, "Delete")
            raise NotJoined(reason)

    async def aclose(self) -> None:
        """Leave the bus, and with it end the own Wi-Fi."""
        opened, self._opened, self._bus = self._opened, None, None
        self._device = self._own = ""
        if opened is not None:
            for leave in (partial(opened.__aexit__, None, None, None), opened.conn.close):
                with suppress(OSError, EOFError):  # the bus has left already
                    await leave()

    async def _radio(self) -> str:
        """Return the path of the radio's device; raises NoRadio, with what to do."""
        if self._device:
            with suppress(NoRadio):  # it was pulled out, or NetworkManager has started anew
                await self._check(self._device)
                return self._device
        self._device = ""
        for path in (await self._call(PATH, NAME, "GetDevices"))[0]:
            if await self._get(path, DEVICE, "DeviceType") == WIFI_DEVICE:
                await self._check(path)
                self._device = str(path)
                return self._device
        raise NoRadio("this machine has no Wi-Fi")

    async def _check(self, path: str) -> None:
        state = await self._get(path, DEVICE, "State")
        if state == UNMANAGED:
            raise NoRadio("NetworkManager leaves the Wi-Fi of this machine to another program")
        if state == UNAVAILABLE:
            raise NoRadio("the Wi-Fi is switched off; set the country in raspi-config")
        if not await self._get(path, WIRELESS, "WirelessCapabilities") & CAN_BE_ACCESS_POINT:
            raise NoRadio("the Wi-Fi of this machine cannot be an access point")

    async def _known(self) -> set[str]:
        """Return the names of the networks that are joined by themselves."""
        found = set()
        for path in (await self._call(f"{PATH}/Settings", SETTINGS, "ListConnections"))[0]:
            with suppress(NoRadio):  # it may be gone meanwhile
                sections = (await self._call(path, CONNECTION, "GetSettings"))[0]
                wireless = {key: value for key, (_, value) in sections.get(WIFI, {}).items()}
                joins = sections["connection"].get("autoconnect", ("b", True))[1]
                if wireless and joins and wireless.get("mode", "infrastructure") != "ap":
                    found.add(_text(wireless["ssid"]))
        return found

    async def _seen(self, device: str) -> list[tuple[str, int, Security]]:
        """Return name, strength and security of each access point in sight."""
        found = []
        for path in (await self._call(device, WIRELESS, "GetAllAccessPoints"))[0]:
            with suppress(NoRadio):  # it may be out of sight meanwhile
                values = await self._all(path, ACCESS_POINT)
                if (name := _text(values["Ssid"])) and values["Mode"] == WIFI_DEVICE:
                    found.append((name, int(values["Strength"]), _security(values)))
        return found

    async def _activate(
        self, sections: Sections, device: str, options: dict[str, tuple[str, str]]
    ) -> tuple[str, str]:
        """Add a connection and begin to use it; return its path, and that of its use."""
        kept, active, _ = await self._call(
            *(PATH, NAME, "AddAndActivateConnection2", "a{sa{sv}}ooa{sv}"),
            *(sections, device, "/", options),
        )
        return kept, active

    @asynccontextmanager
    async def _states(self, device: str) -> AsyncIterator["asyncio.Queue[tuple[int, int]]"]:
        """Yield a queue of a device's states to come, each with its reason."""
        from jeepney import MatchRule  # noqa: PLC0415 - see _connected

        heard = {"type": "signal", "interface": DEVICE, "member": "StateChanged", "path": device}
        bus = await self._connected()
        messages: asyncio.Queue[Any] = asyncio.Queue()
        # The bus knows by which name a signal was sent, its message does not.
        asked = MatchRule(**heard, sender=NAME).serialise()
        with bus.filter(MatchRule(**heard), queue=messages):
            await self._call(BUS_PATH, BUS, "AddMatch", "s", asked, name=BUS)
            try:
                yield messages
            finally:
                with suppress(NoRadio):  # with the bus, its rules are gone
                    await self._call(BUS_PATH, BUS, "RemoveMatch", "s", asked, name=BUS)

    async def _get(self, path: str, interface: str, name: str) -> Any:
        return (await self._call(path, PROPERTIES, "Get", "ss", interface, name))[0][1]

    async def _all(self, path: str, interface: str) -> Values:
        found = (await self._call(path, PROPERTIES, "GetAll", "s", interface))[0]
        return {name: value for name, (_, value) in found.items()}

    async def _call(
        self,
        path: str,
        interface: str,
        method: str,
        signature: str = "",
        *values: Any,
        name: str = NAME,
    ) -> Any:
        """Return what NetworkManager answers, or another of that *name*; raises NoRadio."""
        from jeepney import DBusAddress, DBusErrorResponse, new_method_call  # noqa: PLC0415
        from jeepney.io.common import RouterClosed  # noqa: PLC0415
        from jeepney.wrappers import unwrap_msg  # noqa: PLC0415

        bus = await self._connected()
        target = DBusAddress(path, name, interface)
        message = new_method_call(target, method, signature or None, values)
        try:
            return unwrap_msg(await asyncio.wait_for(bus.send_and_get_reply(message), CALL_S))
        except DBusErrorResponse as error:
            raise NoRadio(f"NetworkManager says {error.name}: {error.data}") from None
        except (OSError, EOFError, RouterClosed, TimeoutError) as error:
            await self.aclose()
            raise NoRadio(f"NetworkManager does not answer ({type(error).__name__})") from None

    async def _connected(self) -> Any:
        """Return the bus; raises NoRadio."""
        if self._bus is not None:
            return self._bus
        try:
            # Loaded only now: most tables have a network, or no radio.
            from jeepney.io.asyncio import open_dbus_router  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise NoRadio(f"the package {error.name} is missing") from None
        opened = open_dbus_router(self._bus_address)
        try:
            self._bus = await asyncio.wait_for(opened.__aenter__(), CALL_S)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            raise NoRadio(f"there is no D-Bus ({type(error).__name__})") from None
        self._opened = opened
        return self._bus


async def _outcome(states: "asyncio.Queue[Any]", limit_s: float) -> Reason | None:
    """Return why a network was not joined, None once it was; *states* as they are signalled."""
    latest = 0
    try:
        async with asyncio.timeout(limit_s):
            while True:
                latest, _, reason = (await states.get()).body
                if latest == ACTIVATED:
                    return None
                if latest == FAILED:
                    return _REASONS.get(reason, "refused")
    except TimeoutError:
        return "address" if latest >= ADDRESSING else "refused"


def _text(ssid: bytes) -> str:
    return bytes(ssid).decode("utf-8", "replace")


def _security(values: Values) -> Security:
    flags = values["WpaFlags"] | values["RsnFlags"]
    if flags & WITH_PASSWORD:
        return "password"
    if flags & WITH_SAE:
        return "sae"
    return "other" if flags or values["Flags"] & NEEDS_ENCRYPTION else "open"


def _own_settings(credentials: Credentials) -> Sections:
    address = {"address": ("s", ADDRESS), "prefix": ("u", PREFIX_BITS)}
    return {
        "connection": {"id": ("s", OWN_ID), "type": ("s", WIFI), "autoconnect": ("b", False)},
        WIFI: {
            "ssid": ("ay", credentials.name.encode()),
            "mode": ("s", "ap"),
            "band": ("s", "bg"),
        },
        f"{WIFI}-security": {
            "key-mgmt": ("s", "wpa-psk"),
            "psk": ("s", credentials.password),
            "proto": ("as", ["rsn"]),
            "pairwise": ("as", ["ccmp"]),
            "group": ("as", ["ccmp"]),
            "pmf": ("i", 1),  # none: with it, a Raspberry Pi's radio turns some phones away
        },
        "ipv4": {"method": ("s", "shared"), "address-data": ("aa{sv}", [address])},
        "ipv6": {"method": ("s", "disabled")},
    }


def _settings_of(choice: Choice) -> Sections:
    sections: Sections = {
        "connection": {"id": ("s", choice.name), "type": ("s", WIFI), "autoconnect": ("b", True)},
        WIFI: {
            "ssid": ("ay", choice.name.encode()),
            "mode": ("s", "infrastructure"),
            "hidden": ("b", choice.is_hidden),
        },
    }
    if choice.password:
        management = "sae" if choice.security == "sae" else "wpa-psk"
        sections[f"{WIFI}-security"] = {
            "key-mgmt": ("s", management),
            "psk": ("s", choice.password),
        }
    return sections
