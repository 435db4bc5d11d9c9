"""Everybody whose name is in a log, finished games or not, with what a new game takes over."""

from collections.abc import Iterator
from typing import NamedTuple

from companion.apps.people.names import is_somebody
from companion.apps.statistics.past_games import person_key
from companion.session.log import Log, LogError
from companion.session.session import Header

MAX_LOOKED_AT = 200
"""So many of the newest games are searched for names that a new game offers."""


class Known(NamedTuple):
    """Somebody: the name as it was written last, and the colour chosen last, "" for none."""

    key: str
    name: str
    colour: str


def known_people(log: Log, most: int | None = None) -> list[Known]:
    """Return everybody who sat in one of the newest *most* games, by name; None searches all."""
    found: dict[str, Known] = {}
    for header in _headers(log, most):
        for seat, name in enumerate(header.players):
            if not header.is_computer(seat) and is_somebody(name):
                key, colour = person_key(name), "".join(header.colours[seat : seat + 1])
                known = found.setdefault(key, Known(key, " ".join(name.split()), colour))
                if colour and not known.colour:
                    found[key] = known._replace(colour=colour)
    return sorted(found.values())


def _headers(log: Log, most: int | None) -> Iterator[Header]:
    """Yield the headers that can be read, the newest first."""
    for number in sorted(log.opened(), reverse=True)[:most]:
        try:
            yield Header.from_json(log.header(number))
        except LogError:
            continue
