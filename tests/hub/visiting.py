"""Browsers at the hub's pages, for tests."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.apps.hub.database import Database
from companion.apps.hub.hub import read_overview
from companion.apps.hub.pages import create_app
from companion.apps.hub.published import Board
from companion.apps.hub.site import HubSite
from companion.web.http.keys import Keys
from tests.hub.publishing import open_database
from tests.web.visitors import Visitor

HOST_KEY = "the-host's-key"


@dataclass
class House:
    """A hub's pages without a broker.  boards: the tables' scoreboards."""

    database: Database
    site: HubSite
    boards: dict[str, Board]
    troubles: dict[str, str]

    def stranger(self) -> Visitor:
        """Return a browser that has never been here."""
        return Visitor(create_app(self.site))

    def host(self) -> Visitor:
        """Return the host's browser."""
        found = self.stranger()
        assert found.get(f"/?key={HOST_KEY}").status_code == 303
        return found

    def refresh(self) -> None:
        """Show what is in the database."""
        self.site.show(read_overview(self.database, self.boards))


@contextmanager
def open_house(folder: Path) -> Iterator[House]:
    """Give the pages of an empty hub; its database is closed afterwards."""
    troubles: dict[str, str] = {}
    with closing(open_database(folder)) as database:
        house = House(database, HubSite(database, Keys(HOST_KEY), lambda: troubles), {}, troubles)

        async def reload() -> None:
            await asyncio.to_thread(house.refresh)

        house.site.reload = reload
        yield house
