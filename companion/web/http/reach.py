"""Where phones reach the pages: by the owner's word, or else by the machine's addresses of now."""

import asyncio
import ipaddress
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from companion.language.message import Message, say
from companion.listeners import Listeners
from companion.web.http.avahi import local_name
from companion.web.http.guard import HOME_NAMES, host_name
from companion.web.http.own_addresses import IPV6, IPV6_LINK_LOCAL, OwnAddress, own_addresses

ALL_IPV4: Final = "0.0.0.0"  # noqa: S104 - compared, not bound
EVERYWHERE: Final = "::"
"""What a server listens on to be reached by all addresses, IPv4 and IPv6."""
LOOK_S: Final = 5.0
"""So often addresses are looked for: it takes a Pi some milliseconds."""

LOCAL_ONLY: Final = say(
    "No phone can reach this companion yet. Set host = “::” under [web] in the settings."
)
NO_NETWORK: Final = say(
    "This table is in no network, so no phone can reach it. Connect it to a Wi-Fi or by a cable;"
    " this page changes by itself then."
)
IPV6_ONLY: Final = say(
    "The network of this table has IPv6 alone, by which the companion is not served. Set host ="
    " “::” under [web] in the settings."
)


@dataclass(frozen=True, slots=True)
class Place:
    """Where phones reach the pages.

    url: with nothing behind host and port.  link: by which network, "" if that is not known.
    """

    url: str
    link: str = ""

    @property
    def name(self) -> str:
        """The address as people type it: browsers add http:// by themselves."""
        return self.url.removeprefix("http://")


class Reach:
    """Where phones reach the pages that are served on *host* and *port*.

    host: an address of this machine, or ALL_IPV4 or EVERYWHERE.  configured: by the owner's word,
    "" for the machine's own addresses, which change.  find: returns those of now.
    places: the likeliest first.  obstacle: why there are none, in a sentence; or "".
    on_change: is told when the places have become others.
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = 0,
        configured: str = "",
        find: Callable[[], tuple[OwnAddress, ...]] = own_addresses,
    ) -> None:
        self.port, self.configured = port, configured
        self._host, self._find = host, find
        self.on_change: Listeners[[]] = Listeners()
        self.places: tuple[Place, ...] = ()
        self.obstacle = ""
        self.look()

    @property
    def here(self) -> str:
        """The address for whoever sits at this machine."""
        host = "127.0.0.1" if self._host in (ALL_IPV4, EVERYWHERE) else self._host
        return url_of(host, self.port)

    @property
    def address(self) -> str:
        """The address that phones are likeliest to reach, "" if there is none."""
        return self.places[0].url if self.places else ""

    @property
    def url(self) -> str:
        """The same; where there is none, the address that only this machine reaches."""
        return self.address or self.configured or self.here

    @property
    def by_name(self) -> str:
        """The address by the machine's name, which not every phone finds; "" if it has none."""
        name = "" if self.configured else local_name(urlsplit(self.address).hostname or "")
        return url_of(name, self.port) if name else ""

    @property
    def is_cut_off(self) -> bool:
        """Whether phones could come if only there were a network."""
        return self.obstacle not in ("", LOCAL_ONLY)

    def look(self) -> None:
        """Look for the addresses of now, and tell of it if they are others than before."""
        found = self._look()
        if found != (self.places, self.obstacle):
            self.places, self.obstacle = found
            self.on_change.tell()

    async def watch(self) -> None:
        """Look again and again, forever."""
        while True:
            await asyncio.sleep(LOOK_S)
            self.look()

    def _look(self) -> tuple[tuple[Place, ...], str]:
        """Return the places of now, or why there are none."""
        if self.configured:
            found = reaches_phones(self.configured)
            return ((Place(self.configured),), "") if found else ((), LOCAL_ONLY)
        if self._host not in (ALL_IPV4, EVERYWHERE):
            own = url_of(self._host, self.port)
            return ((Place(own),), "") if reaches_phones(own) else ((), LOCAL_ONLY)
        addresses = self._find()
        fitting = [
            each
            for each in addresses
            if each.rank != IPV6_LINK_LOCAL and (each.rank != IPV6 or self._host == EVERYWHERE)
        ]
        places = (Place(url_of(str(each.ip), self.port), each.link) for each in fitting)
        return tuple(places), "" if fitting else _obstacle(addresses)


def told_apart(places: Sequence[Place]) -> tuple[Place, ...]:
    """Return *places*, each with its link only if there are several.

    >>> told_apart([Place("http://192.168.1.5:8321", "Wi-Fi")])
    (Place(url='http://192.168.1.5:8321', link=''),)
    """
    return tuple(places) if len(places) > 1 else tuple(Place(each.url) for each in places)


def _obstacle(addresses: tuple[OwnAddress, ...]) -> Message:
    """Return why no phone can open any of *addresses*."""
    if not addresses:
        return NO_NETWORK
    if addresses[0].rank == IPV6:
        return IPV6_ONLY
    return say(
        "This table has only the address {address} ({interface}), which no browser can open."
        " Connect it to a network with a router.",
        address=addresses[0].ip,
        interface=addresses[0].interface,
    )


def url_of(host: str, port: int) -> str:
    """Return the address of *port* at *host*.

    >>> url_of("192.168.1.7", 8321), url_of("fd00::7", 8321)
    ('http://192.168.1.7:8321', 'http://[fd00::7]:8321')
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def reaches_phones(url: str) -> bool:
    """Return whether *url* leads here from other machines, too; "" leads nowhere.

    >>> reaches_phones("http://tiki.local:8321"), reaches_phones("http://[::1]:8321")
    (True, False)
    """
    host = urlsplit(url).hostname or "localhost"
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return host != "localhost" and not host.endswith(".localhost")
    is_bare = isinstance(ip, ipaddress.IPv4Address) or not ip.is_link_local
    return is_bare and not ip.is_loopback and not ip.is_unspecified


def address_come_by(connection: HTTPConnection, names: Collection[str] = ()) -> str:
    """Return the address by which a browser came, "" if it may be one for this machine alone.

    names: that the owner has given to the companion.
    """
    base = str(connection.base_url).rstrip("/")
    name = host_name(connection.url.netloc)
    is_known = name in names or name.endswith(HOME_NAMES) or _is_ip(name)
    return base if reaches_phones(base) and (is_known or not _is_from_here(connection)) else ""


def _is_from_here(connection: HTTPConnection) -> bool:
    """Return whether a browser of this machine asks: what it is called may be known here alone."""
    client, server = connection.client, connection.scope.get("server")
    if client is None:
        return False
    is_loopback = _is_ip(client.host) and ipaddress.ip_address(client.host).is_loopback
    return is_loopback or (server is not None and client.host == server[0])


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
