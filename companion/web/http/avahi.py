"""The machine's name in the home network, as avahi gives it out by mDNS: tiki.local.

Avahi calls a second machine of one name tiki-2.local, so it is asked, and not the machine.
"""

import socket
from pathlib import Path
from typing import Final

AVAHI: Final = Path("/run/avahi-daemon/socket")
ANSWER_S: Final = 0.3
"""It knows its own name at once; others' it looks for in the network."""
MAX_ANSWER_BYTES: Final = 1024


def local_name(ip: str, avahi: Path = AVAHI) -> str:
    """Return the name under which this machine's address *ip* is given out, "" if it has none."""
    try:
        with socket.socket(socket.AF_UNIX) as asking:
            asking.settimeout(ANSWER_S)
            asking.connect(str(avahi))
            asking.sendall(f"RESOLVE-ADDRESS {ip}\n".encode())
            answer = asking.recv(MAX_ANSWER_BYTES).decode(errors="replace").split()
    except OSError:  # there is no avahi, or it does not answer
        return ""
    # "+", the interface's number, the kind of address, the name; or "-", a number and why not.
    is_found = len(answer) == 4 and answer[0] == "+" and answer[3].endswith(".local")
    return answer[3] if is_found else ""
