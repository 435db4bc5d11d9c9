"""What a radio promises: the fake one and NetworkManager's, on a bus of its own, keep it alike."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

import pytest

from companion.wifi.fake_radio import FakeRadio
from companion.wifi.network_manager import NetworkManager
from companion.wifi.radio import Choice, Credentials, Network, NoRadio, NotJoined, Radio
from tests.wifi.fake_network_manager import FakeNetworkManager, private_bus, served

OWN: Final = Credentials("Tiki-7K4M", "k7m4px2h9d")
HOME, CAFE, OLD, NEW = (
    Network("Home", 60),
    Network("Café 2", 80, "open"),
    Network("Office", 20, "other"),
    Network("New", 40, "sae"),
)
HOUSE: Final = {HOME: "eight or more", CAFE: "", OLD: "", NEW: "only by WPA3"}
House: TypeAlias = FakeRadio | FakeNetworkManager
Play: TypeAlias = Callable[[Radio, Any], Awaitable[None]]

needs_bus = pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="needs Debian's dbus-daemon")
pytestmark = needs_bus


@asynccontextmanager
async def radio_of(kind: str, folder: Path) -> AsyncIterator[tuple[Radio, Any]]:
    """Yield a radio, and the house that it is in."""
    if kind == "fake":
        fake = FakeRadio(dict(HOUSE))
        yield fake, fake
        return
    house = FakeNetworkManager(dict(HOUSE))
    async with served(house, folder) as bus:
        manager = NetworkManager(bus)
        try:
            yield manager, house
        finally:
            await manager.aclose()


@pytest.fixture(params=["fake", "network_manager"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Play], None]:
    """Return what plays a part with a radio."""

    def play(part: Play) -> None:
        async def run() -> None:
            async with asyncio.timeout(20), radio_of(request.param, tmp_path) as (radio, house):
                await part(radio, house)

        asyncio.run(run())

    return play


def test_networks_are_listed_by_strength(kept: Callable[[Play], None]) -> None:
    """Each once, with what it asks for."""

    async def part(radio: Radio, _: House) -> None:
        assert await radio.scan() == (CAFE, HOME, NEW, OLD)

    kept(part)


def test_the_own_wifi_opens_and_closes(kept: Callable[[Play], None]) -> None:
    """It is no network that the table is in; to close it twice does no harm."""

    async def part(radio: Radio, _: House) -> None:
        assert not (await radio.situation()).is_open
        await radio.open(OWN)
        found = await radio.situation()
        assert (found.is_open, found.is_connected, found.knows_any) == (True, False, False)
        await radio.close()
        await radio.close()
        assert not (await radio.situation()).is_open

    kept(part)


@pytest.mark.parametrize(
    "choice",
    [
        Choice("Home", "eight or more"),
        Choice("Café 2"),
        Choice("New", "only by WPA3", "sae"),
        Choice("Home", "eight or more", is_hidden=True),
    ],
)
def test_a_network_is_joined_and_known(kept: Callable[[Play], None], choice: Choice) -> None:
    """From the own Wi-Fi, too."""

    async def part(radio: Radio, _: House) -> None:
        await radio.open(OWN)
        await radio.close()
        await radio.join(choice, 5.0)
        assert (await radio.situation()).is_connected

    kept(part)


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        (Choice("Home", "not the password"), "password"),
        (Choice("Nowhere", "eight or more"), "absent"),
        (Choice("Café 2"), "address"),
    ],
)
def test_what_is_not_joined_is_said_and_not_kept(
    kept: Callable[[Play], None], choice: Choice, reason: str
) -> None:
    """Why it was not, and nothing of it will be tried again."""

    async def part(radio: Radio, house: House) -> None:
        house.troubles["Café 2"] = "address"
        with pytest.raises(NotJoined) as caught:
            await radio.join(choice, 5.0)
        assert caught.value.reason == reason
        found = await radio.situation()
        assert (found.is_connected, found.knows_any) == (False, False)

    kept(part)


def test_a_known_network_is_in_sight(kept: Callable[[Play], None]) -> None:
    """While the own Wi-Fi is open, the radio cannot see it, but knows it."""

    async def part(radio: Radio, house: House) -> None:
        await radio.join(Choice("Home", "eight or more"), 5.0)
        await radio.open(OWN)
        found = await radio.situation()
        assert (found.is_connected, found.knows_any, found.sees_known) == (False, True, False)
        house.networks = {}
        await radio.close()
        assert not (await radio.situation()).sees_known

    kept(part)


def test_a_cable_is_a_network(kept: Callable[[Play], None]) -> None:
    """Also while the own Wi-Fi is open."""

    async def part(radio: Radio, house: House) -> None:
        await radio.open(OWN)
        house.cabled = True
        assert (await radio.situation()).is_connected

    kept(part)


def played(part: Callable[[FakeNetworkManager, str], Awaitable[None]], folder: Path) -> None:
    """Play a part with NetworkManager alone."""

    async def run() -> None:
        house = FakeNetworkManager(dict(HOUSE))
        async with asyncio.timeout(20), served(house, folder) as bus:
            await part(house, bus)

    asyncio.run(run())


def test_the_own_wifi_ends_with_the_companion(tmp_path: Path) -> None:
    """However that ends: it is bound to its place on the bus, and on no disk."""

    async def part(house: FakeNetworkManager, bus: str) -> None:
        manager = NetworkManager(bus)
        await manager.open(OWN)
        assert len(house.connections) == 1
        await manager.aclose()
        await asyncio.sleep(0.2)
        assert (house.active, house.connections) == ({}, {})

    played(part, tmp_path)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"state": 10}, "leaves the Wi-Fi of this machine to another program"),
        ({"state": 20}, "is switched off"),
        ({"capabilities": 0x2}, "cannot be an access point"),
    ],
)
def test_a_radio_of_no_use_says_why(tmp_path: Path, given: dict[str, int], words: str) -> None:
    """In one line with what to do."""

    async def part(house: FakeNetworkManager, bus: str) -> None:
        for name, value in given.items():
            setattr(house, name, value)
        manager = NetworkManager(bus)
        with pytest.raises(NoRadio, match=words):
            await manager.situation()
        await manager.aclose()

    played(part, tmp_path)


def test_what_takes_too_long_is_told(tmp_path: Path) -> None:
    """A network that leaves the table without an address for ever is given up."""

    async def part(house: FakeNetworkManager, bus: str) -> None:
        house.hangs = True
        manager = NetworkManager(bus)
        with pytest.raises(NotJoined) as caught:
            await manager.join(Choice("Home", "eight or more"), 0.5)
        assert caught.value.reason == "address"
        assert house.connections == {}
        await manager.aclose()

    played(part, tmp_path)


def test_without_networkmanager_it_is_said(tmp_path: Path) -> None:
    """No bus, and a bus without it."""

    async def run() -> None:
        nowhere = NetworkManager(f"unix:path={tmp_path}/none")
        with pytest.raises(NoRadio, match="there is no D-Bus"):
            await nowhere.situation()
        async with private_bus(tmp_path) as bus:
            manager = NetworkManager(bus)
            with pytest.raises(NoRadio, match="ServiceUnknown"):
                await manager.situation()
            await manager.aclose()

    asyncio.run(run())


def test_a_networkmanager_that_starts_anew_is_found_again(tmp_path: Path) -> None:
    """Whatever it answered before; until then it is said that it does not answer."""

    async def run() -> None:
        house = FakeNetworkManager(dict(HOUSE))
        manager = NetworkManager(f"unix:path={tmp_path}/bus")
        async with asyncio.timeout(20), served(house, tmp_path):
            await manager.situation()
        (tmp_path / "bus").unlink(missing_ok=True)
        with pytest.raises(NoRadio):
            await manager.situation()
        async with asyncio.timeout(20), served(house, tmp_path):
            assert not (await manager.situation()).is_connected
            await manager.aclose()

    asyncio.run(run())
