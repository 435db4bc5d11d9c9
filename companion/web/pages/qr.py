"""QR codes for pages: a phone opens an address by looking at another screen."""

from functools import lru_cache
from typing import Final

import segno
from markupsafe import Markup

from companion.language.speech import translated

MAX_QR_CODES: Final = 64
"""Kept, since a code takes as long as all the rest of a page, and links seldom change."""


def qr_code(address: str, label: str) -> Markup:
    """Return *address* as a QR code; *label*: what is read aloud instead, in the reader's words."""
    return _drawn(address, str(translated(label)))


@lru_cache(maxsize=MAX_QR_CODES)
def _drawn(address: str, label: str) -> Markup:
    code = segno.make(address, error="l", micro=False)
    # segno escapes the label; all else in the drawing are numbers.
    return Markup(code.svg_inline(omitsize=True, svgclass="qr", light="#fff", title=label))  # noqa: S704
