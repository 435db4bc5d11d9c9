"""Which of a machine's addresses lead phones to it."""

from ipaddress import ip_address
from pathlib import Path

import pytest

from companion.web.http import own_addresses
from companion.web.http.own_addresses import own_addresses as found

UP, TUNNEL = "0x1003", "0x10d1"
ETHER, NONE, PPP = "1", "65534", "512"


class Links:
    """A /sys of interfaces, and their addresses."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root, self._ipv4 = root, list[tuple[str, object]]()
        self.proc = root / "proc/net/if_inet6"
        self.proc.parent.mkdir(parents=True)
        self.proc.touch()
        monkeypatch.setattr(own_addresses, "_ipv4", lambda: iter(self._ipv4))

    def add(
        self,
        name: str,
        *ips: str,
        flags: str = UP,
        kind: str = ETHER,
        has: str = "",
        said: str = "",
    ) -> None:
        """Add an interface; *has*: files and folders that it has there.  said: of its kind."""
        folder = self.root / "sys/class/net" / name
        folder.mkdir(parents=True)
        (folder / "flags").write_text(f"{flags}\n")
        (folder / "type").write_text(f"{kind}\n")
        (folder / "operstate").write_text("unknown\n")
        (folder / "uevent").write_text(f"{said}\nINTERFACE={name}\n")
        for each in has.split():
            (folder / each).mkdir()
        self._ipv4 += [(name, ip_address(ip)) for ip in ips if ":" not in ip]
        for ip in ips:
            if ":" in ip:
                self.add_ipv6(name, ip)

    def add_ipv6(self, name: str, ip: str, flags: str = "80") -> None:
        """Add an address as Linux lists it."""
        with self.proc.open("a") as file:
            file.write(f"{ip_address(ip).packed.hex()} 02 40 00 {flags} {name:>8}\n")

    def found(self) -> list[str]:
        """Return what is found, each by its network."""
        return [f"{each.link} {each.ip}" for each in found(self.root)]


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Links:
    """Return a machine with a Wi-Fi and a socket for a cable."""
    links = Links(tmp_path, monkeypatch)
    links.add("lo", "127.0.0.1", "::1", flags="0x9", kind="772")
    links.add("wlan0", "192.168.1.5", "fe80::5", has="device", said="DEVTYPE=wlan")
    return links


def test_what_leads_elsewhere_is_left_out(links: Links) -> None:
    """A VPN of whatever kind, a modem, and what is inside the machine."""
    links.add("wg0", "10.8.0.2", flags="0x91", kind=NONE)
    links.add("tailscale0", "100.64.0.7", flags=TUNNEL, kind=NONE, has="tun_flags")
    links.add("tap0", "10.9.0.2", has="tun_flags")
    links.add("ppp0", "10.64.0.1", flags="0x10d1", kind=PPP)
    links.add("wwan0", "10.65.0.1", has="device", said="DEVTYPE=wwan")
    links.add("docker0", "172.17.0.1", has="bridge lower_veth1", said="DEVTYPE=bridge")
    links.add("veth1")
    links.add("dummy0", "192.168.99.1")
    links.add("eth0", "192.168.2.9", flags="0x1002", has="device")
    assert links.found() == ["Wi-Fi 192.168.1.5"]


def test_what_stands_on_hardware_counts(links: Links) -> None:
    """A bridge with a cable in it, a VLAN, a cable of USB."""
    links.add("eth0", has="device")
    links.add("br0", "10.0.0.7", has="bridge lower_eth0")
    links.add("eth0.5", "10.0.5.7", has="lower_eth0")
    links.add("usb0", "192.168.7.2", has="device")
    assert links.found() == [
        "Wi-Fi 192.168.1.5",
        "cable 10.0.5.7",
        "USB 192.168.7.2",
        "br0 10.0.0.7",
    ]


def test_an_unplugged_cable_does_not_count(links: Links) -> None:
    """Its address stays for a while."""
    links.add("eth0", "10.0.0.7", has="device")
    assert links.found() == ["Wi-Fi 192.168.1.5", "cable 10.0.0.7"]
    (links.root / "sys/class/net/eth0/operstate").write_text("down\n")
    assert links.found() == ["Wi-Fi 192.168.1.5"]


def test_of_ipv6_one_address_that_stays(links: Links) -> None:
    """The home's own before a provider's; none that is temporary, old or a duplicate."""
    links.add("eth0", has="device")
    for ip, flags in (
        ("fe80::7", "80"),
        ("2a02:8071::7", "00"),
        ("fd00::1", "01"),
        ("fd00::2", "20"),
        ("fd00::3", "08"),
        ("fd00::4", "40"),
        ("fd00::7", "80"),
    ):
        links.add_ipv6("eth0", ip, flags)
    assert links.found() == ["Wi-Fi 192.168.1.5", "cable fd00::7"]


def test_link_local_addresses_are_the_last_resort(tmp_path: Path, links: Links) -> None:
    """Where one network gives addresses, those of another that gives none are left out."""
    links.add("eth0", "169.254.7.7", "fe80::7", has="device")
    assert links.found() == ["Wi-Fi 192.168.1.5"]
    (tmp_path / "sys/class/net/wlan0/operstate").write_text("down\n")
    assert links.found() == ["cable 169.254.7.7"]


def test_a_machine_without_hardware_has_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container; and where /sys is hidden, all but its own."""
    links = Links(tmp_path, monkeypatch)
    links.add("eth0", "10.0.3.7")
    assert links.found() == ["cable 10.0.3.7"]
    (tmp_path / "sys/class/net").rename(tmp_path / "hidden")
    assert links.found() == ["cable 10.0.3.7"]
