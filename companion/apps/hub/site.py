"""What all pages of the hub share."""

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, cast

from jinja2 import Environment
from starlette.requests import HTTPConnection, Request

from companion.apps.hub.database import Database, DatabaseTrouble
from companion.apps.hub.overview import Overview
from companion.language.message import say
from companion.web.forms import Refused
from companion.web.http.keys import HOST_COOKIE, Keys
from companion.web.shell import FOLDER as WEB_FOLDER
from companion.web.shell import templates
from companion.web.site import House, Visitor
from companion.web.times import THEN, time_of, timed

FOLDER: Final = Path(__file__).parent


class HubSite(House):
    """The pages' matter: an overview that is replaced whenever something is new.

    troubles: returns what is wrong with broker and database, in words.
    counts: returns how many events have come since the hub began, by what became of them.
    address: where browsers reach the hub by the owner's word, "" for where they ask.
    reload: reads the overview anew and shows it.
    """

    title = "Tiki Hub"

    def __init__(
        self,
        database: Database,
        keys: Keys,
        troubles: Callable[[], Mapping[str, str]] = dict,
        address: str = "",
    ) -> None:
        super().__init__(keys)
        self.database = database
        self.reload: Callable[[], Awaitable[None]] = _no_reload
        self.counts: Callable[[], Mapping[str, int]] = dict
        self.troubles, self.address = troubles, address
        self.overview = Overview()
        self._environment = templates([FOLDER / "templates", WEB_FOLDER / "templates"])
        self._environment.filters["timed"] = timed
        self._environment.globals |= {"time_of": time_of, "THEN": THEN, "round_of": round_of}

    def show(self, overview: Overview) -> None:
        """Show *overview* from now on."""
        self.overview = overview
        self.notifier.notify()

    def visitor(self, connection: HTTPConnection) -> Visitor:
        """Return who is asking."""
        is_host = self.keys.is_host(connection.cookies.get(HOST_COOKIE))
        return Visitor((), is_host=is_host, seat=None, claim=None)

    def environment(self) -> Environment:
        """Return the templates of all pages."""
        return self._environment

    def regions(
        self, visitor: Visitor, place: str, view: str, more: Callable[[], Mapping[str, Any]]
    ) -> Mapping[str, str]:
        """Return the pieces of the page *place*, made once for all who see the same.

        view: which of its kind.  more: returns what it is made of beside what all pages have.
        """

        def make() -> dict[str, str]:
            tables = self.overview.tables
            values = {
                "place": place,
                "visitor": visitor,
                "troubles": tuple(dict.fromkeys(self.troubles().values())),
                "online": sum(table.is_online for table in tables),
                "count": len(tables),
                **more(),
            }
            return {
                name: self.render(f"region_hub_{name}.html", **values) for name in ("head", place)
            }

        return self.once((place, view, visitor.is_host), make)


async def _no_reload() -> None:
    pass


def site_of(request: Request) -> HubSite:
    """Return the site that the request came to."""
    return cast("HubSite", request.app.state.site)


def unkept(trouble: DatabaseTrouble) -> Refused:
    """Return that the database refuses, in a sentence for the host."""
    return Refused(503, say("That could not be saved: {reason}.", reason=str(trouble)))


def round_of(number: int, rounds: int, matches: int) -> str:
    """Return what the round of a knockout is called.

    >>> round_of(1, 3, 4), round_of(2, 3, 2), round_of(3, 3, 1), round_of(1, 4, 8)
    ('Quarter-finals', 'Semi-finals', 'Final', 'Last 16')
    """
    match rounds - number:
        case 0:
            return say("Final")
        case 1:
            return say("Semi-finals")
        case 2:
            return say("Quarter-finals")
    return say("Last {number}", number=2 * matches)
