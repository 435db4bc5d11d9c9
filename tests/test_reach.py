"""Where phones reach the pages, and who is told of it."""

import asyncio
import json
import socket
import sys
from collections.abc import Sequence
from ipaddress import ip_address

import pytest
from starlette.requests import HTTPConnection

from companion.apps.mqtt.discovery import Discovery, components_of, discovery_messages
from companion.apps.mqtt.topics import Topics
from companion.cli.addresses import print_changes
from companion.web import address_notice
from companion.web.address_notice import follow_reach
from companion.web.http import reach as reaching
from companion.web.http.own_addresses import OwnAddress
from companion.web.http.reach import LOCAL_ONLY, NO_NETWORK, Reach, address_come_by
from companion.web.http.server import listen, reach_of
from tests.tables import sit_down

WIFI = OwnAddress("wlan0", ip_address("192.168.1.5"), "Wi-Fi")
CABLE = OwnAddress("eth0", ip_address("10.0.0.7"), "cable")
IPV6 = OwnAddress("eth0", ip_address("fd00::7"), "cable")


class Networks:
    """The addresses of a machine, which change."""

    def __init__(self, *addresses: OwnAddress) -> None:
        self.addresses = addresses
        self.reach = Reach("::", 8321, find=lambda: self.addresses)

    def change(self, *addresses: OwnAddress) -> None:
        """Have others from now on."""
        self.addresses = addresses
        self.reach.look()

    @property
    def urls(self) -> list[str]:
        """Where phones reach it."""
        return [place.url for place in self.reach.places]


def test_places_are_those_of_now() -> None:
    """Each change is told of once, and nothing is told of what stays."""
    networks, told = Networks(), list[Sequence[str]]()
    networks.reach.on_change.add(lambda: told.append(networks.urls))
    assert (networks.reach.obstacle, networks.reach.is_cut_off) == (NO_NETWORK, True)
    assert (networks.reach.address, networks.reach.url) == ("", "http://127.0.0.1:8321")
    for _ in range(2):
        networks.change(WIFI, IPV6)
    networks.change()
    assert told == [["http://192.168.1.5:8321", "http://[fd00::7]:8321"], []]


def test_by_ipv4_alone_no_ipv6_address_is_named() -> None:
    """And where there is no other, what to set."""
    assert Reach("0.0.0.0", 1, find=lambda: (WIFI, IPV6)).address == "http://192.168.1.5:1"
    alone = Reach("0.0.0.0", 1, find=lambda: (IPV6,))
    assert (alone.address, alone.is_cut_off) == ("", True)
    assert "host = “::”" in alone.obstacle


def test_what_is_configured_alone_counts() -> None:
    """A name, or one address; of this machine alone there is nothing to be read by phones."""
    name = Reach("::", 1, "https://tiki.example.org", find=lambda: (WIFI,))
    assert [place.url for place in name.places] == ["https://tiki.example.org"]
    assert Reach("10.0.0.7", 1, find=lambda: (WIFI,)).address == "http://10.0.0.7:1"
    for local in (Reach("127.0.0.1", 1), Reach("::1", 1), Reach("::", 1, "http://localhost:1")):
        assert (local.places, local.obstacle, local.is_cut_off) == ((), LOCAL_ONLY, False)


def came_by(host: str, peer: str = "192.168.1.20", server: str = "192.168.1.5") -> str:
    """Return the address by which others find what a browser at *peer* has found at *host*."""
    headers = [(b"host", host.encode())]
    scope = {
        "type": "http", "method": "GET", "path": "/", "query_string": b"", "scheme": "http",
        "root_path": "", "server": (server, 8321), "client": (peer, 4711), "headers": headers,
    }  # fmt: skip
    return address_come_by(HTTPConnection(scope), ["tiki.example.org"])


@pytest.mark.parametrize(
    ("host", "peer"),
    [
        ("192.168.1.5:8321", "192.168.1.20"),
        ("192.168.1.5:8321", "192.168.1.5"),
        ("tiki:8321", "192.168.1.20"),
        ("tiki.local:8321", "127.0.0.1"),
        ("tiki.example.org", "127.0.0.1"),
        ("[fd00::7]:8321", "fd00::9"),
    ],
)
def test_others_come_by_what_a_browser_came_by(host: str, peer: str) -> None:
    """An address, or a name that a network knows."""
    assert came_by(host, peer) == f"http://{host}"


@pytest.mark.parametrize(
    ("host", "peer"),
    [
        ("127.0.0.1:8321", "127.0.0.1"),
        ("127.0.1.1:8321", "127.0.0.1"),
        ("localhost:8321", "127.0.0.1"),
        ("tiki.localhost:8321", "127.0.0.1"),
        ("[::1]:8321", "::1"),
        ("0.0.0.0:8321", "127.0.0.1"),
        ("raspberrypi:8321", "127.0.0.1"),
        ("raspberrypi:8321", "192.168.1.5"),
        ("localhost.localdomain:8321", "127.0.0.1"),
        ("[fe80::7]:8321", "fe80::9%eth0"),
        ("localhost:8321", "192.168.1.20"),
    ],
)
def test_what_this_machine_alone_knows_leads_nobody_here(host: str, peer: str) -> None:
    """Loopback, its own name as /etc/hosts has it, and what needs a zone."""
    assert came_by(host, peer) == ""


def test_the_room_is_told_of_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages change each time; a network that comes back as it was is not spoken of."""
    monkeypatch.setattr(reaching, "LOOK_S", 0.01)
    live_session, networks, said = sit_down(), Networks(), list[str]()
    live_session.on_transient_notice.add(lambda notice: said.append(notice.words))

    async def follow() -> None:
        changed = asyncio.Event()
        live_session.on_change.add(changed.set)
        task = asyncio.create_task(follow_reach(networks.reach, live_session))
        await asyncio.sleep(0)
        for addresses in ((WIFI,), (), (WIFI,), (WIFI, CABLE)):
            changed.clear()
            networks.addresses = addresses
            await changed.wait()
        task.cancel()

    asyncio.run(asyncio.wait_for(follow(), 30.0))
    assert said == [
        "Phones reach the table at 192.168.1.5:8321.",
        "Phones reach the table at Wi-Fi 192.168.1.5:8321, cable 10.0.0.7:8321.",
    ]
    assert address_notice.named(networks.reach.places)


def test_a_change_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """With the host's address; nobody reads on where that fails."""
    networks, stopped = Networks(), list[int]()
    print_changes(networks.reach, "abc", lambda: stopped.append(1))
    networks.change(WIFI)
    assert "to the host" not in capsys.readouterr().out
    networks.change(WIFI, CABLE)
    printed = capsys.readouterr().out
    assert "http://192.168.1.5:8321/?key=abc (Wi-Fi), http://10.0.0.7:8321/?key=abc" in printed
    networks.change()
    assert NO_NETWORK in capsys.readouterr().out
    assert not stopped


def test_nobody_reads_what_is_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the companion ends, as at its start."""
    networks, stopped = Networks(), list[int]()
    print_changes(networks.reach, "abc", lambda: stopped.append(1))

    def refuse(_text: str) -> int:
        raise BrokenPipeError

    monkeypatch.setattr(sys.stdout, "write", refuse)
    networks.change(WIFI)
    assert stopped == [1]


def test_home_assistant_has_the_address_of_now() -> None:
    """Its link to the pages is none while there is no network."""
    networks, topics = Networks(), Topics("tiki", "bar")
    discovery = Discovery(is_on=True, url=lambda: networks.reach.address)

    def url() -> str | None:
        components = components_of(topics, 1, discovery)
        (message,) = discovery_messages(topics, discovery, components, {})
        found: str | None = json.loads(message.payload)["device"].get("configuration_url")
        return found

    assert url() is None
    networks.change(WIFI)
    assert url() == "http://192.168.1.5:8321"


def test_everywhere_is_both_kinds_of_address() -> None:
    """On one port, each by a socket of its own, so that no address is disguised as another."""
    with listen("::", 0) as listener:
        if listener.twin is None:
            pytest.skip("this machine has no IPv6")
        port = listener.getsockname()[1]
        assert listener.twin.getsockname()[:2] == ("::", port)
        assert reach_of(listener).port == port
        for family, host in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")):
            with socket.socket(family) as browser:
                browser.connect((host, port))
    assert listener.twin.fileno() == -1
