"""QR codes (ISO/IEC 18004) for short addresses, so that a phone joins by looking at another.

Bytes only, versions 1 to 5, error correction level L: up to 106 characters, in one block.
"""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import Final, TypeAlias

Modules: TypeAlias = tuple[tuple[bool, ...], ...]
"""Rows from the top; True is dark."""

# By version: bytes of data, bytes of error correction, for level L (table 9 of the standard).
SIZES: Final = {1: (19, 7), 2: (34, 10), 3: (55, 15), 4: (80, 20), 5: (108, 26)}
LEVEL_AND_MASK: Final = 0b01000  # level L, mask 0: dark where row + column is even
FORMAT_MASK: Final = 0b101010000010010
FORMAT_DIVISOR: Final = 0b10100110111
FIELD: Final = 0x11D  # x^8 + x^4 + x^3 + x^2 + 1, of the Reed-Solomon code
QUIET: Final = 4  # light modules that must surround the code


class TooLong(ValueError):
    """A text that does not fit into the largest code made here."""


def encode(text: str) -> Modules:
    """Return the QR code of *text* without its quiet margin; raises TooLong.

    >>> len(encode("http://192.168.1.7:8000"))
    25
    """
    message = text.encode()
    for version, (room, spare) in SIZES.items():
        if len(message) + 2 <= room:  # four bits of mode, eight of length, four of end
            words = _padded(message, room)
            return _Canvas(17 + 4 * version).drawn(words + _correction(words, spare))
    raise TooLong(f"{len(message)} bytes; a code holds {SIZES[5][0] - 2} at most")


def to_path(modules: Modules) -> tuple[str, int]:
    """Return an SVG path of the dark modules, and how wide and high it is with its margin."""
    steps = []
    for row, line in enumerate(modules):
        column = QUIET
        for dark, run in groupby(line):
            width = len(list(run))
            if dark:
                steps.append(f"M{column} {row + QUIET}h{width}v1h-{width}z")
            column += width
    return "".join(steps), len(modules) + 2 * QUIET


def _padded(message: bytes, room: int) -> bytes:
    bits = f"0100{len(message):08b}" + "".join(f"{byte:08b}" for byte in message) + "0000"
    words = bytes(int(bits[at : at + 8], 2) for at in range(0, len(bits), 8))
    return words + bytes((0xEC, 0x11)[at % 2] for at in range(room - len(words)))


@cache
def _times(one: int, other: int) -> int:
    """Multiply in the field of 256 elements."""
    product = 0
    while other:
        if other & 1:
            product ^= one
        one = one << 1 ^ (FIELD if one & 0x80 else 0)
        other >>= 1
    return product


def _correction(words: bytes, spare: int) -> bytes:
    """Return the *spare* bytes of Reed-Solomon error correction for *words*."""
    divisor, root = [1], 1
    for _ in range(spare):
        longer = [*divisor, 0]
        for at, factor in enumerate(divisor):
            longer[at + 1] ^= _times(factor, root)
        divisor, root = longer, _times(root, 2)
    rest = [*words, *[0] * spare]
    for at in range(len(words)):
        lead = rest[at]
        for step, factor in enumerate(divisor):
            rest[at + step] ^= _times(factor, lead)
    return bytes(rest[len(words) :])


class _Canvas:
    """A square of modules; what belongs to the fixed patterns is told apart from the data."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._dark: dict[tuple[int, int], bool] = {}

    def drawn(self, words: bytes) -> Modules:
        """Return the finished code with *words* in it."""
        size = self._size
        for row, column in ((0, 0), (0, size - 7), (size - 7, 0)):
            self._finder(row, column)
        for at in range(8, size - 8):
            self._dark[6, at] = self._dark[at, 6] = at % 2 == 0
        if size > 21:
            self._alignment(size - 7)
        self._format()
        bits = "".join(f"{word:08b}" for word in words)
        for at, (row, column) in enumerate(list(self._free())):
            bit = at < len(bits) and bits[at] == "1"
            self._dark[row, column] = bit ^ ((row + column) % 2 == 0)
        return tuple(
            tuple(self._dark[row, column] for column in range(size)) for row in range(size)
        )

    def _finder(self, top: int, left: int) -> None:
        for row in range(-1, 8):
            for column in range(-1, 8):
                place = (top + row, left + column)
                if min(place) >= 0 and max(place) < self._size:
                    ring = max(abs(row - 3), abs(column - 3))
                    self._dark[place] = ring not in (2, 4)

    def _alignment(self, middle: int) -> None:
        for row in range(-2, 3):
            for column in range(-2, 3):
                self._dark[middle + row, middle + column] = max(abs(row), abs(column)) != 1

    def _format(self) -> None:
        rest = LEVEL_AND_MASK << 10
        for shift in range(14, 9, -1):
            if rest >> shift & 1:
                rest ^= FORMAT_DIVISOR << shift - 10
        code = (LEVEL_AND_MASK << 10 | rest) ^ FORMAT_MASK
        size = self._size
        down = [*range(6), 7, 8, *range(size - 7, size)]
        for at, row in enumerate(down):  # the lowest bit at the top
            self._dark[row, 8] = bool(code >> at & 1)
        for at, column in enumerate((*range(size - 1, size - 9, -1), 7, *range(5, -1, -1))):
            self._dark[8, column] = bool(code >> at & 1)
        self._dark[size - 8, 8] = True

    def _free(self) -> Iterator[tuple[int, int]]:
        """Yield the places for data: up and down in columns of two, from the right."""
        upwards = True
        for pair in range(self._size - 1, 0, -2):
            right = pair - (pair <= 6)  # the column of the timing pattern is left out
            rows = range(self._size - 1, -1, -1) if upwards else range(self._size)
            for row in rows:
                for column in (right, right - 1):
                    if (row, column) not in self._dark:
                        yield row, column
            upwards = not upwards
