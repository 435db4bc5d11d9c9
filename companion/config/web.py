"""Where the pages are served, and under which names."""

import ipaddress
import re
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from companion.validation import Misfit, show

MIN_KEY_CHARS: Final = 12
MIN_KEY_DIFFERENT: Final = 6
"""Docs/decisions/0314 computes how long such a key takes to guess."""
_KEY: Final = re.compile(r"[A-Za-z0-9._~-]*")
"""What neither an address nor a header has to write in another way."""
_NAME: Final = re.compile(r"(?=.{1,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.IGNORECASE)
_ADDRESS: Final = re.compile(
    r"https?://(?P<name>[^/:@?#\[\]]+|\[[0-9a-f:]+\])(:\d{1,5})?", re.IGNORECASE
)


class WebConfig(msgspec.Struct, frozen=True):
    """Where the pages are served.

    host: "::" is the home network by IPv4 and IPv6, "0.0.0.0" by IPv4 alone, "127.0.0.1" this
    machine alone.  Whoever opens the page may look; changing the game takes the key that the
    companion prints when it starts.
    port: 0 takes one that is free, and so for tls_port, where they are served over TLS once the
    host has asked for that.  key: "" makes one at the first start and keeps it with the log.
    address: as browsers have it, where that is not this machine's own, behind a proxy for instance.
    names: by which browsers may reach it, beside those of *address* and of a home network.
    origins: of pages from elsewhere that may read the addresses for programs, such as an overlay.
    proxies: whose word counts for where a request comes from: their addresses or networks.
    """

    host: str = "::"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8321
    tls_port: Annotated[int, Meta(ge=0, le=65535)] = 8443
    key: str = ""
    address: str = ""
    names: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()


def check_web(web: WebConfig) -> None:
    """Raise Misfit if a key can be guessed, or an address or a name is none."""
    _check_key(web.key)
    found = _ADDRESS.fullmatch(web.address)
    if web.address and not (found and _is_name(found["name"])):
        raise Misfit(
            f"web.address is {show(web.address)}; it must be like 'https://tiki.example.org',"
            " with nothing behind the name but perhaps a port"
        )
    for name in web.names:
        if not _NAME.fullmatch(name):
            raise Misfit(
                f"web.names has {show(name)}; it must be a name alone, like 'tiki.example.org',"
                " without http:// and port"
            )
    for origin in web.origins:
        found = _ADDRESS.fullmatch(origin)
        if not (found and _is_name(found["name"])):
            raise Misfit(
                f"web.origins has {show(origin)}; it must be like 'http://localhost:3000', with"
                " nothing behind the name but perhaps a port"
            )
    for proxy in web.proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise Misfit(
                f"web.proxies has {show(proxy)}; it must be the address of a proxy, like"
                " '127.0.0.1', or a network, like '192.168.1.0/24'"
            ) from None


def _is_name(name: str) -> bool:
    if not name.startswith("["):
        return _NAME.fullmatch(name) is not None
    try:
        ipaddress.IPv6Address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _check_key(key: str) -> None:
    is_strong = len(key) >= MIN_KEY_CHARS and len(set(key)) >= MIN_KEY_DIFFERENT
    if key and not (is_strong and _KEY.fullmatch(key)):
        # Without the key: what a terminal shows may be kept.
        raise Misfit(
            f"web.key can be guessed or has a character that an address cannot; it must have at"
            f" least {MIN_KEY_CHARS} letters, digits or - . _ ~ with {MIN_KEY_DIFFERENT} different"
            " ones among them; 'key = \"\"' has one made"
        )
