"""A phone's DHCP client, as much of it as is needed: takes a lease, and sets address and names."""

import random
import socket
import struct
import subprocess
import sys
from pathlib import Path

DISCOVER, REQUEST, ACKNOWLEDGED = 1, 3, b"\x05"
COOKIE = b"\x63\x82\x53\x63"
REQUESTED, KIND, SERVER, ROUTER, NAMES = 50, 53, 54, 3, 6
"""Options, by RFC 2132."""


def options(answer: bytes) -> dict[int, bytes]:
    """Return the options of an answer."""
    found, at = {}, 240
    while answer[at] != 255:
        found[answer[at]] = answer[at + 2 : at + 2 + answer[at + 1]]
        at += 2 + answer[at + 1]
    return found


def main(device: str) -> None:
    """Take a lease on *device*, and print it."""
    mac = bytes.fromhex(Path(f"/sys/class/net/{device}/address").read_text().replace(":", ""))
    channel = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, device.encode())
    channel.bind(("", 68))
    channel.settimeout(4)
    number = random.getrandbits(32)

    def ask(kind: int, more: bytes = b"") -> bytes:
        head = struct.pack("!4BIHH16x16s192x", 1, 1, 6, 0, number, 0, 0x8000, mac)
        body = bytes([KIND, 1, kind]) + more + bytes([55, 2, ROUTER, NAMES, 255])
        channel.sendto(head + COOKIE + body, ("255.255.255.255", 67))
        return channel.recv(1500)

    offer = ask(DISCOVER)
    mine, server = offer[16:20], options(offer)[SERVER]
    wanted = bytes([REQUESTED, 4]) + mine + bytes([SERVER, 4]) + server
    given = options(ask(REQUEST, wanted))
    assert given[KIND] == ACKNOWLEDGED
    address, router = socket.inet_ntoa(mine), socket.inet_ntoa(given[ROUTER][:4])
    subprocess.run(["ip", "addr", "add", f"{address}/24", "dev", device], check=True)
    subprocess.run(["ip", "route", "replace", "default", "via", router, "dev", device], check=True)
    folder = Path("/etc/netns/phone")
    folder.mkdir(parents=True, exist_ok=True)
    names = socket.inet_ntoa(given.get(NAMES, given[ROUTER])[:4])
    (folder / "resolv.conf").write_text(f"nameserver {names}\n")
    print(address)


if __name__ == "__main__":
    main(sys.argv[1])
