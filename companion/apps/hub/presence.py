"""Which tables are there, and whether two have one name; see `companion.apps.mqtt.naming`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy.orm import Session

from companion.apps.hub.published import Availability, Claim
from companion.apps.hub.schema import TableRow
from companion.apps.hub.store import find_tables

ANSWER: Final = timedelta(seconds=10)
"""A table that is asked for its name answers within 3 s."""
ONLINE: Final = "online"


@dataclass(slots=True)
class _Heard:
    """What was heard of a table.  instance: who is online under its name, "" if nobody is."""

    instance: str = ""
    replaced: str = ""
    asked_by: str = ""
    asked_at: datetime | None = None


@dataclass(slots=True)
class Change:
    """What is to be kept of a table; None: nothing new."""

    is_online: bool | None = None
    instance: str = ""
    twin: bool = False


@dataclass(slots=True)
class Presence:
    """Hears tables come, go, and ask each other for their name.

    heard: of which tables, since the connection to the broker began.
    """

    heard: set[str] = field(default_factory=set)
    _tables: dict[str, _Heard] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin with another connection."""
        self.heard.clear()

    def claim(self, table: str, claim: Claim, now: datetime) -> None:
        """Hear that another companion asks for the name of *table*."""
        found = self._tables.setdefault(table, _Heard())
        found.asked_by, found.asked_at = claim.instance, now

    def availability(self, table: str, said: Availability, now: datetime) -> Change:
        """Hear that *table* came or went; return what is new."""
        self.heard.add(table)
        found = self._tables.setdefault(table, _Heard())
        if said.state != ONLINE:
            # What one says of itself is not said of another that has taken the name.
            if said.instance in ("", found.instance):
                found.instance = found.replaced = ""
            return Change(is_online=False, instance=said.instance)
        twin = said.instance != "" and (
            said.instance == found.replaced or self._defends(found, said.instance, now)
        )
        if said.instance != found.instance:
            found.replaced, found.instance = found.instance, said.instance
        return Change(is_online=True, instance=said.instance, twin=twin)

    def _defends(self, found: _Heard, instance: str, now: datetime) -> bool:
        """Return whether *instance* answers to another one that has asked for its name."""
        is_answer = found.asked_at is not None and now - found.asked_at <= ANSWER
        defends = is_answer and found.asked_by not in ("", instance)
        if defends:
            found.asked_at = None
        return defends


def keep_changes(session: Session, changes: Mapping[str, Change], now: datetime) -> None:
    """Keep which tables came and went, and since when."""
    tables = find_tables(session, changes, now)
    for name, change in changes.items():
        _keep_change(tables[name], change, now)


def _keep_change(table: TableRow, change: Change, now: datetime) -> None:
    if change.is_online is not None and change.is_online != table.is_online:
        table.is_online, table.since = change.is_online, now
    if change.is_online:
        table.instance = change.instance
    if change.twin:
        table.twin_at = now
