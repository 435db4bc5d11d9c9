"""The table's address in each network of docs/network.md, in namespaces of their own."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import pytest

from companion.web.pages.qr import qr_code
from tests.namespaces import DEADLINE_S, Namespace, Table, join, table_and_phone


@pytest.fixture
def machines() -> Iterator[tuple[Namespace, Namespace]]:
    """Give the table's machine and a phone."""
    with table_and_phone() as found:
        yield found


@contextmanager
def running(namespace: Namespace, folder: Path, more: str = "") -> Iterator[Table]:
    """Run a table, and end it."""
    table = Table(namespace, folder, more)
    try:
        yield table
    finally:
        table.stop()


def named(page: str) -> list[str]:
    """Return what the lobby of *page* names for joining."""
    return [text.strip() for text in re.findall(r'<b translate="no">([^<]*/join)</b>', page)]


def assert_leads(page: str, *addresses: str) -> None:
    """Fail unless codes and links of *page* lead to *addresses*, and nowhere else."""
    (code,) = re.findall(r'id="join-code".*?<b translate="no">(\w+)</b>', page, re.DOTALL)
    lobby = page.partition('id="join-qr"')[2].partition('id="join-code"')[0]
    assert modules(lobby) == set().union(
        *(modules(qr_code(f"{address}/join?code={code}", "")) for address in addresses)
    )
    links = {link.partition("/join/")[0] for link in re.findall(r'href="(http[^"]*)"', page)}
    assert links == set(addresses)


def modules(drawing: str) -> set[str]:
    """Return the paths of all codes in *drawing*, and the ground that they lie on."""
    return set(re.findall(r' d="([^"]*)"', drawing))


def until_desk(table: Table, *expected: str) -> str:
    """Return the desk once it names *expected*."""
    until_s = time.monotonic() + DEADLINE_S
    while named(page := table.desk()) != [*expected]:
        assert time.monotonic() < until_s, named(page)
        time.sleep(0.5)
    return page


@pytest.mark.parametrize(
    ("link", "own_ip", "phone_ip", "address"),
    [
        ("wlan0", "10.42.0.1/24", "10.42.0.9/24", "10.42.0.1:8321"),
        ("eth0", "169.254.7.7/16", "169.254.9.9/16", "169.254.7.7:8321"),
        ("wlan0", "fd00::7/64", "fd00::9/64", "[fd00::7]:8321"),
    ],
    ids=["an access point, without a way to the internet", "nobody gives addresses", "IPv6 alone"],
)
def test_the_one_address_is_named_and_answers(
    machines: tuple[Namespace, Namespace],
    tmp_path: Path,
    link: str,
    own_ip: str,
    phone_ip: str,
    address: str,
) -> None:
    """Code and links have it, and a phone in the same network finds the page there."""
    own, phone = machines
    join(own, phone, link)
    own.ip(f"addr add {own_ip} dev {link}")
    phone.ip(f"addr add {phone_ip} dev {link}")
    with running(own, tmp_path) as table:
        page = table.desk()
        assert named(page) == [f"{address}/join"]
        assert_leads(page, f"http://{address}")
        assert "code-form" in phone.get(f"http://{address}/join")


def test_the_network_comes_after_the_start(
    machines: tuple[Namespace, Namespace], tmp_path: Path
) -> None:
    """Until then words stand in the place of a code; then it is printed, shown and announced."""
    own, phone = machines
    with running(own, tmp_path) as table:
        page = table.desk()
        assert named(page) == []
        assert "This table is in no network" in page
        assert '<svg class="qr"' not in page.replace("'", '"')
        join(own, phone)
        own.ip("addr add 192.168.1.5/24 dev wlan0")
        table.wait_for(r"For the host.*: http://192\.168\.1\.5:8321/\?key=")
        page = until_desk(table, "192.168.1.5:8321/join")
        assert "This table is in no network" not in page
        assert_leads(page, "http://192.168.1.5:8321")


def test_dhcp_gives_another_address_later(
    machines: tuple[Namespace, Namespace], tmp_path: Path
) -> None:
    """The old one is nowhere any more."""
    own, phone = machines
    join(own, phone)
    own.ip("addr add 192.168.1.5/24 dev wlan0")
    own.ip("route add default via 192.168.1.1")
    with running(own, tmp_path) as table:
        assert_leads(table.desk(), "http://192.168.1.5:8321")
        own.ip("addr del 192.168.1.5/24 dev wlan0")
        own.ip("addr add 192.168.1.77/24 dev wlan0")
        phone.ip("addr add 192.168.1.9/24 dev wlan0")
        table.wait_for(r"Scoreboard.*http://192\.168\.1\.77:8321")
        page = until_desk(table, "192.168.1.77:8321/join")
        assert_leads(page, "http://192.168.1.77:8321")
        assert "192.168.1.5" not in page
        assert "code-form" in phone.get("http://192.168.1.77:8321/join")


def test_a_vpn_has_the_default_route(machines: tuple[Namespace, Namespace], tmp_path: Path) -> None:
    """Phones in the room are not in it; Docker's network is inside the machine."""
    own, phone = machines
    join(own, phone)
    own.ip("addr add 192.168.1.5/24 dev wlan0")
    own.ip("tuntap add tun0 mode tun")
    own.ip("link set tun0 up")
    own.ip("addr add 10.8.0.2/24 dev tun0")
    own.ip("route add default dev tun0")
    own.ip("link add docker0 type bridge")
    own.ip("link set docker0 up")
    own.ip("addr add 172.17.0.1/16 dev docker0")
    with running(own, tmp_path) as table:
        page = table.desk()
        assert named(page) == ["192.168.1.5:8321/join"]
        assert_leads(page, "http://192.168.1.5:8321")


def test_a_link_local_ipv6_address_is_no_code(
    machines: tuple[Namespace, Namespace], tmp_path: Path
) -> None:
    """It needs a zone, which no browser takes."""
    own, phone = machines
    join(own, phone)
    with running(own, tmp_path) as table:
        page = unescape(table.desk())
        assert named(page) == []
        assert re.search(r"only the address fe80:\S+ \(wlan0\), which no browser can open", page)


def test_there_are_several_networks(machines: tuple[Namespace, Namespace], tmp_path: Path) -> None:
    """Each has its code, with its name; who comes by one of them sees that one alone."""
    own, phone = machines
    join(own, phone)
    join(own, phone, "eth0")
    own.ip("addr add 192.168.1.5/24 dev wlan0")
    own.ip("addr add 10.0.0.7/24 dev eth0")
    with running(own, tmp_path) as table:
        table.wait_for(
            r"Scoreboard.*: http://192.168.1.5:8321 \(Wi-Fi\), http://10.0.0.7:8321 \(cable\)\n"
        )
        page = table.desk()
        assert named(page) == ["Wi-Fi 192.168.1.5:8321/join", "cable 10.0.0.7:8321/join"]
        assert_leads(page, "http://192.168.1.5:8321", "http://10.0.0.7:8321")
        assert_leads(table.desk("http://10.0.0.7:8321"), "http://10.0.0.7:8321")


def test_one_address_is_configured(machines: tuple[Namespace, Namespace], tmp_path: Path) -> None:
    """Then it alone counts: on the others nobody answers."""
    own, phone = machines
    join(own, phone)
    own.ip("addr add 192.168.1.5/24 dev wlan0")
    own.ip("addr add 192.168.1.6/24 dev wlan0")
    with running(own, tmp_path, '[web]\nhost = "192.168.1.6"') as table:
        page = table.desk("http://192.168.1.6:8321")
        assert_leads(page, "http://192.168.1.6:8321")


def test_what_leads_elsewhere_is_found() -> None:
    """The reading above can fail."""
    code = qr_code("http://10.0.0.7:8321/join?code=BCDF", "")
    page = (
        f'<div id="join-qr">{code}</div><p id="join-code"><b translate="no">BCDF</b></p>'
        '<a href="http://10.0.0.7:8321/join/x">'
    )
    assert_leads(page, "http://10.0.0.7:8321")
    with pytest.raises(AssertionError):
        assert_leads(page, "http://10.0.0.8:8321")
