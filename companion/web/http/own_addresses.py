"""This machine's addresses of now, by which phones in its networks reach it.

Linux is asked for the addresses, and says in /sys what kind of link each interface is (if.h,
if_arp.h).  Left out is what leads to no phone in the room: tunnels, since whoever is in a VPN is
elsewhere, and networks that only this machine has, such as Docker's.
"""

import array
import contextlib
import fcntl
import socket
import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from typing import Final, TypeAlias

from companion.language.message import say

IpAddress: TypeAlias = IPv4Address | IPv6Address

ROOT: Final = Path("/")
SIOCGIFCONF: Final = 0x8912
MAX_IPV4: Final = 64
IFREQ_BYTES: Final = 16 + max(16, struct.calcsize("LLHBBB0L"))
"""struct ifreq: a name, and the largest that stands behind it, a sockaddr or an ifmap."""
IFF_UP: Final = 0x1
IFF_POINTOPOINT: Final = 0x10
ARPHRD_ETHER: Final = 1
"""Cable and Wi-Fi alike; most tunnels are something else, without such addresses."""
NOT_CONNECTED: Final = ("down", "lowerlayerdown", "notpresent", "dormant")
IFA_F_UNFIT: Final = 0x01 | 0x08 | 0x20 | 0x40
"""Temporary, a duplicate, deprecated, not yet tried: a code leads there tomorrow, too."""
WIFI: Final = say("Wi-Fi")
CABLE: Final = say("cable")
USB: Final = say("USB")
LINKS: Final[tuple[str, ...]] = (WIFI, CABLE, USB)
"""As phones are likeliest to be reached; all else is called as Linux does."""
IPV4, IPV6, IPV4_LINK_LOCAL, IPV6_LINK_LOCAL = range(4)
"""From what every phone opens to what no browser does (a zone cannot stand in a URL)."""


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """An address of this machine.

    interface: as Linux calls it.  link: what people call it, such as "Wi-Fi" or "cable".
    """

    interface: str
    ip: IpAddress
    link: str

    @property
    def rank(self) -> int:
        """How well phones can open it: IPV4 is best, IPV6_LINK_LOCAL not at all."""
        if isinstance(self.ip, IPv4Address):
            return IPV4_LINK_LOCAL if self.ip.is_link_local else IPV4
        return IPV6_LINK_LOCAL if self.ip.is_link_local else IPV6


def own_addresses(root: Path = ROOT) -> tuple[OwnAddress, ...]:
    """Return those that phones may reach, Wi-Fi first; of each interface what they open best.

    A link-local one is there only where there is no other.  root: of the file system.
    """
    interfaces = root / "sys/class/net"
    # Where there is hardware, all else is inside the machine; a container has nothing else.
    has_hardware = any(map(_is_hardware, interfaces.glob("*")))
    found: dict[str, list[OwnAddress]] = defaultdict(list)
    pairs: list[tuple[str, IpAddress]] = [*_ipv4(), *_ipv6(root)]
    for name, ip in pairs:
        interface = interfaces / name
        if not ip.is_loopback and _is_shared(interface) and has_hardware == _is_hardware(interface):
            found[name].append(OwnAddress(name, ip, _link(interface)))
    chosen = [each for addresses in found.values() for each in _best(addresses)]
    worst = max(IPV6, min((each.rank for each in chosen), default=IPV4))
    return tuple(sorted((each for each in chosen if each.rank <= worst), key=_order))


def _order(address: OwnAddress) -> tuple[int, str, bytes]:
    return (*LINKS, address.link).index(address.link), address.interface, address.ip.packed


def _best(addresses: list[OwnAddress]) -> list[OwnAddress]:
    """Return those of an interface that phones open best; of IPv6 the one that stays longest."""
    best = min(each.rank for each in addresses)
    found = [each for each in addresses if each.rank == best]
    if best == IPV4:
        return found
    # A provider changes what the world can see; what begins with fd is the home's own.
    return sorted(found, key=lambda each: (not each.ip.is_private, each.ip.packed))[:1]


def _ipv4() -> Iterator[tuple[str, IPv4Address]]:
    """Yield interface and address of all that are up; see netdevice(7)."""
    found = array.array("B", bytes(MAX_IPV4 * IFREQ_BYTES))
    place, size = found.buffer_info()
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            answer = fcntl.ioctl(asking, SIOCGIFCONF, struct.pack("iP", size, place))
    except OSError:  # no Linux
        return
    for at in range(0, struct.unpack("iP", answer)[0], IFREQ_BYTES):
        name = found[at : at + 16].tobytes().partition(b"\0")[0].decode()
        yield name.partition(":")[0], IPv4Address(found[at + 20 : at + 24].tobytes())


def _ipv6(root: Path) -> Iterator[tuple[str, IPv6Address]]:
    """Yield interface and address of those that stay."""
    for line in _read(root / "proc/net/if_inet6").splitlines():
        digits, _, _, _, flags, name = line.split()
        if not int(flags, 16) & IFA_F_UNFIT:
            yield name, IPv6Address(bytes.fromhex(digits))


def _is_shared(interface: Path) -> bool:
    """Return whether phones may be at the other end; *interface*: its folder in /sys."""
    if not interface.exists():  # /sys is of another namespace, or hidden
        return True
    flags = int(_read(interface / "flags") or "0", 16)
    is_bridge = (interface / "bridge").exists()
    return (
        bool(flags & IFF_UP)
        and not flags & IFF_POINTOPOINT
        and _read(interface / "type") == str(ARPHRD_ETHER)
        and _read(interface / "operstate") not in NOT_CONNECTED
        and not (interface / "tun_flags").exists()
        and "DEVTYPE=wwan" not in _read(interface / "uevent")
        and (not is_bridge or _is_hardware(interface))
    )


def _is_hardware(interface: Path) -> bool:
    """Return whether *interface* is hardware, or a bridge, VLAN or the like on top of some."""
    lower = (interface.parent / each.name[len("lower_") :] for each in interface.glob("lower_*"))
    return (interface / "device").exists() or any(map(_is_hardware, lower))


def _link(interface: Path) -> str:
    name = interface.name
    if name.startswith("wl") or "DEVTYPE=wlan" in _read(interface / "uevent"):
        return WIFI
    if name.startswith("usb"):
        return USB
    return CABLE if name.startswith("e") else name


def _read(file: Path) -> str:
    with contextlib.suppress(OSError):
        return file.read_text().strip()
    return ""
