"""The outbox: which entry the broker has acknowledged last.

The log holds all that is to be sent, so nothing else has to be kept; see docs/decisions/0345.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.apps.mqtt.topics import SCHEMA
from companion.files import write_whole

SAVED_EVERY: Final = 50
"""While there is more to send, the file is written once in so many entries."""


class Outbox:
    """What a table remembers of its broker, in a small file.

    file: None keeps nothing; one that is missing or spoilt is begun anew.
    target: which broker and which topics; of another target nothing has been acknowledged.
    newest: the id of the entry that was acknowledged last, "" if none was.
    announced: what Home Assistant was told of, by name its platform.
    """

    def __init__(self, file: Path | None, target: str) -> None:
        self._file, self._target = file, target
        self._unsaved = 0
        self.newest = ""
        self.announced: dict[str, str] = {}
        if file is None:
            return
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["target"] == target:
                self.newest, self.announced = str(kept["newest"]), dict(kept["announced"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            pass

    def acknowledge(self, entry: str, *, more: bool) -> None:
        """Remember that the broker has the entry with this id; *more*: others wait to be sent."""
        self.newest = entry
        self._unsaved += 1
        if not more or self._unsaved >= SAVED_EVERY:
            self.save()

    def go_back(self, entry: str) -> None:
        """Begin after *entry* again: a reader has missed what followed it."""
        self.newest = entry
        self.save()

    def forget(self) -> None:
        """Begin anew: the log is not the one that entries were sent from."""
        self.newest = ""

    def announce(self, announced: Mapping[str, str]) -> None:
        """Remember what Home Assistant was told of, by name its platform."""
        if announced != self.announced:
            self.announced = dict(announced)
            self.save()

    def save(self) -> None:
        """Write the file.  A full disk stops nothing: entries may be sent twice after a restart."""
        self._unsaved = 0
        if self._file is None:
            return
        kept = {
            "schema": SCHEMA,
            "target": self._target,
            "newest": self.newest,
            "announced": self.announced,
        }
        with suppress(OSError):
            write_whole(self._file, json.dumps(kept).encode())
