"""The wire between the Pi and the Pico: frames, and the messages in them; docs/wire.md explains it.

The same file runs under CircuitPython on the Pico and under CPython on the Pi, so it imports
nothing that either lacks.

A frame is one line of ASCII, `$7 key 3 1 1250000*4B054E13`: a start mark, its number, a word, the
word's fields, a checksum (CRC-32 as in zlib, of what stands between the marks) and a line feed.
"""

import binascii

PROTOCOL = 1
"""Raised whenever the two ends of different versions would misunderstand each other."""
LIMIT = 240
"""The longest frame in bytes, its line feed included."""
LIGHTS_PER_FRAME = 32
USUAL_ORDER = "GRB"
"""In which lights take their colours until `order` tells another."""

FROM_PI = {
    "hello": "i",  # protocol
    "ping": "i",  # number of the last event received in order; all up to it may be forgotten
    "resend": "i",  # number of the event from which all are to be sent again
    "light": "ih",  # the first light, and red, green, blue of it and those behind it
    "order": "t",  # in which the lights take their colours, such as GRB
    "show": "",  # what came in by `light` is to be shown
    "restart": "",
}
"""What the Pi says: each word, and the kinds of its fields: i a number, h hex digits, t a text."""
FROM_PICO = {
    "hello": "ittttttt",  # protocol, firmware, board, boot, keys, idol, lights, reason of the start
    "pong": "iihiii",  # microseconds, newest event, levels, position, lost edges, garbled frames
    "ok": "",
    "no": "t",  # why not
    "key": "iii",  # key, whether it is closed, microseconds
    "turn": "ii",  # position in steps, microseconds
}
"""What the Pico says.  `key` and `turn` are events, with numbers of their own; everything else has
the number of the frame that it answers."""
EVENTS = ("key", "turn")

_START = b"$"
_END = b"\n"
_SUM = b"*"
_SUM_DIGITS = 8


class BadMessage(ValueError):
    """A word that is not known, or fields that do not fit it."""


def encode(number: int, word: str, *fields: "int | str") -> bytes:
    """Return the frame of a message.  A text is never empty and has no spaces; "-" is for none."""
    body = " ".join([str(number), word] + [str(field) for field in fields]).encode()
    frame = b"%s%s%s%08X%s" % (_START, body, _SUM, binascii.crc32(body), _END)
    if len(frame) > LIMIT:
        raise BadMessage(f"{word}: {len(frame)} bytes, more than a frame holds")
    return frame


def decode(line: bytes) -> "tuple[int, str, tuple[str, ...]] | None":
    """Return number, word and fields of a *line* without its line feed; None if it is no frame.

    Whatever stands before the last start mark is skipped: it is what is left of a torn frame.
    """
    start = line.rfind(_START)
    end = len(line) - _SUM_DIGITS - 1
    if start < 0 or end <= start or len(line) - start >= LIMIT or line[end : end + 1] != _SUM:
        return None
    body = line[start + 1 : end]
    if line[end + 1 :] != b"%08X" % binascii.crc32(body):
        return None
    try:
        parts = body.decode().split(" ")
    except UnicodeError:
        return None
    if len(parts) < 2 or parts[0][:1] == "-" or not _is_number(parts[0]):
        return None
    return int(parts[0]), parts[1], tuple(parts[2:])


def check(word: str, fields: "tuple[str, ...]", known: "dict[str, str]") -> None:
    """Raise BadMessage if *known*, `FROM_PI` or `FROM_PICO`, has no such message."""
    if word not in known:
        raise BadMessage("unknown")
    kinds = known[word]
    if len(kinds) != len(fields):
        raise BadMessage("fields")
    for kind, field in zip(kinds, fields):  # noqa: B905 - CircuitPython's zip knows no strict
        if kind == "i" and not _is_number(field):
            raise BadMessage("number")
        if kind == "h" and not _is_hex(field):
            raise BadMessage("hex")


def is_order(text: str) -> bool:
    """Return whether lights may take their colours so: R, G and B once each, with or without W."""
    return sorted(text) in (["B", "G", "R"], ["B", "G", "R", "W"])


def _is_number(text: str) -> bool:
    digits = text[1:] if text[:1] == "-" else text
    return 0 < len(digits) <= 16 and all(digit in "0123456789" for digit in digits)


def _is_hex(text: str) -> bool:
    return len(text) % 2 == 0 and all(digit in "0123456789ABCDEF" for digit in text)


class Reader:
    """Turns bytes, however they were cut, into frames.

    bad: how many lines were no frame.
    """

    def __init__(self) -> None:
        self.bad = 0
        self._line = b""

    def feed(self, data: bytes) -> "list[tuple[int, str, tuple[str, ...]]]":
        """Take *data*, and return the frames that are complete with it."""
        lines = (self._line + data).split(_END)
        self._line = lines.pop()[-LIMIT:]  # of a line without end nothing else can be a frame
        frames = []
        for line in lines:
            frame = decode(line)
            if frame:
                frames.append(frame)
            elif line:
                self.bad += 1
        return frames
