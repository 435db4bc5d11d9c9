"""QR codes for pages: a phone opens an address by looking at another screen."""

from functools import lru_cache
from typing import Final

import segno
from markupsafe import Markup

MAX_QR_CODES: Final = 64
"""Kept, since a code takes as long as all the rest of a page, and links seldom change."""


@lru_cache(maxsize=MAX_QR_CODES)
def qr_code(address: str, label: str) -> Markup:
    """Return *address* as a QR code; *label*: what is read aloud instead."""
    code = segno.make(address, error="l", micro=False)
    # segno escapes the label; all else in the drawing are numbers.
    return Markup(code.svg_inline(omitsize=True, svgclass="qr", light="#fff", title=label))  # noqa: S704
