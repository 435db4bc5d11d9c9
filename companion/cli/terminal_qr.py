"""A QR code for a terminal, from which a phone reads an address."""

import io
import sys
from typing import Final

import segno

WHITE_ON_BLACK: Final = "\033[97;40m"
"""A code is drawn in these whatever colours the terminal has: few phones read it inverted."""
PLAIN: Final = "\033[0m"


def terminal_qr(address: str) -> str:
    """Return *address* as lines for a terminal; "" where its letters cannot draw them.

    Two rows of the code are one line of half blocks.
    """
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, compact=True)
    lines = [f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in drawn.getvalue().splitlines() if line]
    found = "\n".join(lines)
    try:
        found.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ""
    return found
