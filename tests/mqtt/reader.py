"""A reader as docs/mqtt.md describes it: drops what it has had, and notices what it has missed."""

import json
from dataclasses import dataclass, field
from typing import Any

from companion.referee.feed import Position, entry_id
from companion.registry import game_of
from companion.session.events import public_json
from companion.session.log import Log
from companion.session.session import Header


@dataclass
class Reader:
    """What one reader knows of one table: it keeps the newest id.

    entries: session, number and event of each, in order.  doubles: how many it has dropped.
    missed: before which ids something is missing.
    """

    newest: str = ""
    entries: list[tuple[int, int, dict[str, Any]]] = field(default_factory=list)
    doubles: int = 0
    missed: list[str] = field(default_factory=list)
    _place: tuple[int, int] = (0, 0)

    def take(self, payload: bytes) -> None:
        """Take one message of the topic `events`."""
        found = json.loads(payload)
        place = (found["session"], found["seq"])
        if place <= self._place:
            self.doubles += 1
            return
        if found["after"] != self.newest:
            self.missed.append(found["id"])
        self.newest, self._place = found["id"], place
        self.entries.append((*place, found["event"]))

    def ids(self) -> list[tuple[int, int]]:
        """Return the places in the log of all that it knows."""
        return [(session, seq) for session, seq, _ in self.entries]


def logged(log: Log, first: int = 1) -> list[tuple[int, int, dict[str, Any]]]:
    """Return what a reader should know of *log*, from session number *first* on."""
    return [
        (
            number,
            entry.seq,
            public_json(entry, game_of(Header.from_json(log.header(number)).game).public),
        )
        for number in sorted(log.opened())
        if number >= first
        for entry in log.entries(number)
    ]


def ids_of(log: Log, session: int) -> list[str]:
    """Return the ids of the entries of a session."""
    return [entry_id(Position(session, each.seq), each.at) for each in log.entries(session)]
