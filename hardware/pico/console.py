"""What the Pico's console says: why a firmware that does not answer has stopped."""

import termios
import time
from collections.abc import Iterable
from contextlib import closing
from typing import Final

from hardware.pico.ports import PRODUCT, NoPico, PortInfo, is_pico, open_port

LISTEN_S: Final = 4.0
"""A firmware that fails at once tells it every 3 s or so."""
_LINES: Final = 3
_MAX_BYTES: Final = 16_384
_ENDS: Final = (b"Code done running", b"Press any key")


def find_console(ports: Iterable[PortInfo]) -> str:
    """Return the node of the one Pico's console, "" if there is none or nobody can tell.

    CircuitPython calls its interface "CircuitPython CDC control", and that of the data "CDC2".
    """
    nodes = [
        port.device
        for port in ports
        if (port.product == PRODUCT or is_pico(port))
        and "CDC" in (port.interface or "")
        and "CDC2" not in (port.interface or "")
    ]
    return nodes[0] if len(nodes) == 1 else ""


def listen(node: str, for_s: float = LISTEN_S) -> tuple[str, ...]:
    """Return the last lines that the console at *node* says within *for_s*.

    There are none if it says nothing, or if another program has it.
    """
    said = b""
    end_s = time.monotonic() + for_s
    try:
        with closing(open_port(node)) as port:
            while time.monotonic() < end_s and not any(each in said for each in _ENDS):
                said = (said + port.read(max(1, port.in_waiting)))[-_MAX_BYTES:]
    except (NoPico, OSError, termios.error):  # gone meanwhile: what it said until then counts
        pass
    for each in _ENDS:
        said = said.partition(each)[0]
    text = "".join(
        letter if letter.isprintable() or letter == "\n" else " "
        for letter in said.decode(errors="replace")
    )
    return tuple(line.strip() for line in text.splitlines() if line.strip())[-_LINES:]
