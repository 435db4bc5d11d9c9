"""What the daemon reports to the terminal or the journal: each fault a few times, not for ever."""

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TextIO

WINDOW_S: Final = 60.0
MAX_REPEATS: Final = 3
"""So often in a window one message is shown; further ones are counted."""
MAX_RECORDS: Final = 60
"""So many records in a window are shown at all, however different."""
MAX_KINDS: Final = 500
"""So many messages are counted apart; all others are one kind."""
FORMAT: Final = "tiki: %(message)s"
_OTHERS: Final = ("", 0, "other messages")


@dataclass(slots=True)
class _Count:
    began_s: float
    shown: int = 0
    left_out: int = 0
    newest: str = ""


class Console(logging.StreamHandler[TextIO]):
    """A log handler that repeats a message a few times a minute at most.

    Messages that differ in their numbers only are the same message. What was left out is counted,
    and the count is written when its minute is over, before whatever is written next.
    """

    def __init__(
        self, stream: TextIO | None = None, now: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(stream)
        self.setFormatter(logging.Formatter(FORMAT))
        self._now = now
        self._counts: dict[tuple[str, int, str], _Count] = {}
        self._total = _Count(now())

    def emit(self, record: logging.LogRecord) -> None:
        """Write *record*, or count it."""
        now_s = self._now()
        self._forget(now_s)
        try:
            words = record.getMessage().partition("\n")[0]
        except Exception:  # noqa: BLE001 - as every handler does with what cannot be formatted
            self.handleError(record)
            return
        # Addresses in memory, ports and counts differ in messages that say the same.
        key = (record.name, record.levelno, re.sub(r"0x[0-9a-f]+|\d+", "0", words))
        if key not in self._counts and len(self._counts) >= MAX_KINDS:
            key = _OTHERS
        count = self._counts.setdefault(key, _Count(now_s))
        if count.shown < MAX_REPEATS and self._total.shown < MAX_RECORDS:
            count.shown += 1
            self._total.shown += 1
            super().emit(record)
        else:
            count.left_out += 1
            count.newest = words

    def close(self) -> None:
        """Write what has been left out, and end."""
        self._forget(float("inf"))
        super().close()

    def _forget(self, now_s: float) -> None:
        """Begin anew to count what is counted for a minute, and write what was left out."""
        if now_s - self._total.began_s >= WINDOW_S:
            self._total = _Count(now_s)
        over = [key for key, each in self._counts.items() if now_s - each.began_s >= WINDOW_S]
        others = 0
        for key in over:
            count = self._counts.pop(key)
            if not count.shown:
                others += count.left_out
            elif count.left_out:
                self._report(f"{count.newest} ({count.left_out} more like this were left out)")
        if others:
            self._report(f"{others} other messages were left out")

    def _report(self, words: str) -> None:
        super().emit(logging.LogRecord(__name__, logging.WARNING, "", 0, words, None, None))


def set_up_console(**settings: Any) -> Console:
    """Let every logger of the process report warnings through one `Console`, and return it."""
    console = Console(**settings)
    logging.basicConfig(level=logging.WARNING, handlers=[console])
    return console
