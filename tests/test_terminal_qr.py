"""The host's address in a terminal, for a phone to look at."""

import io
import re
import sys
from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from companion.cli.addresses import print_addresses
from companion.cli.terminal_qr import terminal_qr
from companion.web.http.reach import Reach

ADDRESS = "http://192.168.1.7:8321/?key=abcdefghijklmnopqrstuv"
CELL_PX = 8


class Terminal(io.StringIO):
    """A standard output that may be a terminal."""

    def __init__(self, letters: str = "utf-8", *, is_terminal: bool = True) -> None:
        super().__init__()
        self._letters, self._is_terminal = letters, is_terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The letters that it has."""
        return self._letters

    def isatty(self) -> bool:
        """Return whether somebody looks at it."""
        return self._is_terminal


def halves(drawn: str) -> Iterator[list[bool]]:
    """Yield the rows of cells, two a line, each white or not."""
    for line in re.sub(r"\x1b\[[\d;]*m", "", drawn).splitlines():
        yield [letter in "█▀" for letter in line]
        yield [letter in "█▄" for letter in line]


def read_by_a_phone(drawn: str) -> str:
    """Return what a phone reads off a terminal that shows *drawn*."""
    cells = np.array(list(halves(drawn)), np.uint8) * 255
    picture = cells.repeat(CELL_PX, 0).repeat(CELL_PX, 1)
    found, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    return found


def test_a_phone_reads_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """White on black, whatever the terminal's own colours are, and small enough for any."""
    monkeypatch.setattr(sys, "stdout", Terminal())
    drawn = terminal_qr(ADDRESS)
    assert read_by_a_phone(drawn) == ADDRESS
    lines = drawn.splitlines()
    assert len(lines) <= 24
    assert all(line.startswith("\x1b[97;40m") and line.endswith("\x1b[0m") for line in lines)
    assert max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines) <= 80


def test_the_reading_of_the_tests_can_fail() -> None:
    """Half a code is none."""
    assert read_by_a_phone("█▀▄\n" * 20) == ""


@pytest.mark.parametrize("letters", ["ascii", "latin-1", "no-such-letters"])
def test_a_terminal_that_cannot_draw_it_gets_none(
    monkeypatch: pytest.MonkeyPatch, letters: str
) -> None:
    """The address stands there all the same."""
    monkeypatch.setattr(sys, "stdout", Terminal(letters))
    assert terminal_qr(ADDRESS) == ""


def shown(reach: Reach, terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what is shown of *reach* when the companion starts."""
    monkeypatch.setattr(sys, "stdout", terminal)
    print_addresses(reach, "abc")
    return terminal.getvalue()


def test_only_a_terminal_gets_it_and_only_where_phones_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither a file or the system's journal, nor where this machine alone is served."""
    reach = Reach(configured="http://192.168.1.7:8321")
    assert "camera here" in shown(reach, Terminal(), monkeypatch)
    assert "camera here" not in shown(reach, Terminal(is_terminal=False), monkeypatch)
    assert "camera here" not in shown(Reach("127.0.0.1", 8321), Terminal(), monkeypatch)
