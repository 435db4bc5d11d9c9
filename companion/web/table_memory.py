"""What a table remembers beside its games: its language, and what its host has chosen once."""

import json
from collections.abc import Iterable, Mapping
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
    films_falls: whether the camera keeps what led to a fall.
    turn_limits_s: of each game whose turns are timed, after how long a turn there is a sign; 0 for
        none.
    """

    def __init__(self, file: Path | None = None, *, is_set_up: bool = True) -> None:
        self._file = file
        self.language, self.is_set_up = DEFAULT, is_set_up
        self.keeps_people = self.films_falls = False
        self.seasons: tuple[Season, ...] = ()
        self.turn_limits_s: dict[str, int] = {}
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
        films_falls: bool | None = None,
        turn_limits_s: Mapping[str, int] | None = None,
    ) -> None:
        """Remember what is given; raises OSError, and it counts until the companion stops."""
        self.language = self.language if language is None else language
        self.is_set_up = self.is_set_up if is_set_up is None else is_set_up
        self.keeps_people = self.keeps_people if keeps_people is None else keeps_people
        self.seasons = self.seasons if seasons is None else tuple(seasons)
        self.films_falls = self.films_falls if films_falls is None else films_falls
        self.turn_limits_s = dict(self.turn_limits_s if turn_limits_s is None else turn_limits_s)
        if self._file is not None:
            chosen = {
                "keeps_people": self.keeps_people,
                "seasons": msgspec.to_builtins(self.seasons),
                "films_falls": self.films_falls,
                "turn_limits_s": self.turn_limits_s,
            }
            kept = {"language": self.language, "is_set_up": self.is_set_up}
            kept |= {name: value for name, value in chosen.items() if value}
            write_whole(self._file, json.dumps(kept).encode())

    def turn_limit_s(self, game: str) -> int | None:
        """Return after how long a turn of *game* there is a sign, None where none is timed."""
        return self.turn_limits_s.get(game)

    def _read(self, kept: dict[str, Any]) -> None:
        """Take what the file has; raises what comes of one that is spoilt."""
        self.is_set_up = bool(kept["is_set_up"])
        self.language = kept["language"] if kept["language"] in LANGUAGES else DEFAULT
        self.keeps_people = kept.get("keeps_people") is True
        self.films_falls = kept.get("films_falls") is True
        limits = kept.get("turn_limits_s", {}).items()
        self.turn_limits_s = {str(game): int(limit_s) for game, limit_s in limits}
        with suppress(msgspec.ValidationError):
            self.seasons = msgspec.convert(kept.get("seasons", ()), tuple[Season, ...])
