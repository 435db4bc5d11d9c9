"""What is claimed of what a command tries, and whether it was so."""

import time
from typing import Final

SHOWN_CHARS: Final = 300


class Claims:
    """Tells each claim in a line as it is tried, and counts; *word* is what is after ./run.

    ok, failed: how many were so, and were not.
    """

    def __init__(self, word: str) -> None:
        self._word = word
        self.ok = self.failed = 0
        self._start_s = time.monotonic()

    def claim(self, words: str, is_so: object, instead: object = "") -> bool:
        """Claim *words*, which are so if *is_so*; *instead* is told if they are not."""
        if is_so:
            self.ok += 1
            print(f"ok: {words}", flush=True)
        else:
            self.failed += 1
            told = " ".join(str(instead).split())[:SHOWN_CHARS]
            print(f"NOT ok: {words}{f': {told}' if told else ''}", flush=True)
        return bool(is_so)

    @property
    def closing(self) -> str:
        """Return the last line."""
        took_s = time.monotonic() - self._start_s
        return f"{self._word}: {self.ok} ok, {self.failed} failed ({took_s:.0f} s)"
