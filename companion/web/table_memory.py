"""What a table remembers beside its games: its language, and what its host has chosen once."""

import json
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from companion.files import write_whole
from companion.language.catalogue import DEFAULT, LANGUAGES


class Season(msgspec.Struct, frozen=True):
    """A span of days that the host has named; *first* and *last*, ISO 8601, belong to it."""

    name: str
    first: str
    last: str


class TableMemory:
    """What people have told the companion about their table, kept in a small file.

    file: None keeps nothing; one that is missing or spoilt is begun anew.
    is_set_up: whether the table needs no welcome, where the file does not say.
    keeps_people: whether the results of the people who play are counted; nobody's are unless the
        host wants it.
    seasons: those that the host has named.
    """

    def __init__(self, file: Path | None = None, *, is_set_up: bool = True) -> None:
        self._file = file
        self.language, self.is_set_up = DEFAULT, is_set_up
        self.keeps_people = False
        self.seasons: tuple[Season, ...] = ()
        if file is None:
            return
        try:
            self._read(json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, KeyError, TypeError, RecursionError, AttributeError):
            with suppress(OSError):  # a full disk keeps nobody from playing
                self.keep()

    def keep(
        self,
        *,
        language: str | None = None,
        is_set_up: bool | None = None,
        keeps_people: bool | None = None,
        seasons: Iterable[Season] | None = None,
    ) -> None:
        """Remember what is given; raises OSError, and it counts until the companion stops."""
        self.language = self.language if language is None else language
        self.is_set_up = self.is_set_up if is_set_up is None else is_set_up
        self.keeps_people = self.keeps_people if keeps_people is None else keeps_people
        self.seasons = self.seasons if seasons is None else tuple(seasons)
        if self._file is not None:
            kept: dict[str, Any] = {"language": self.language, "is_set_up": self.is_set_up}
            if self.keeps_people:
                kept["keeps_people"] = True
            if self.seasons:
                kept["seasons"] = msgspec.to_builtins(self.seasons)
            write_whole(self._file, json.dumps(kept).encode())

    def _read(self, kept: dict[str, Any]) -> None:
        """Take what the file has; raises what comes of one that is spoilt."""
        self.is_set_up = bool(kept["is_set_up"])
        self.language = kept["language"] if kept["language"] in LANGUAGES else DEFAULT
        self.keeps_people = kept.get("keeps_people") is True
        with suppress(msgspec.ValidationError):
            self.seasons = msgspec.convert(kept.get("seasons", ()), tuple[Season, ...])
