"""What all pages of one companion share."""

import asyncio
import contextlib
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from jinja2 import Environment
from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from companion.language.speech import spoken
from companion.referee.past import PastGames
from companion.registry import app_templates, folder_of
from companion.scoreboard import Scoreboard, read_scoreboard
from companion.web.http.attempts import ACTIONS_PER_SEAT, WrongKeys
from companion.web.http.keys import HOST_COOKIE, SCREEN_COOKIE, SEAT_COOKIE, Claim, Keys
from companion.web.http.pending_screens import PendingScreens
from companion.web.http.reach import Place, address_come_by, url_of
from companion.web.http.streams import ChangeNotifier
from companion.web.running_table import RunningTable
from companion.web.seat_links import SeatLinks
from companion.web.shell import FOLDER, page_of, templates

if TYPE_CHECKING:
    from companion.referee.put_away import PutAway

T = TypeVar("T")
R = TypeVar("R", bound=Response)

PORT: Final = re.compile(r":\d*$", re.ASCII)
LOOPBACK: Final = ("127.0.0.1", "::1")
FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""What a proxy adds; one that adds nothing is named in the settings."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is asking: the host, someone at a seat, both, or a bystander.

    places: where a phone reaches the companion, as far as is known; none if it cannot.
    came_by: the address that this browser has, which may lead nowhere from another machine.
    is_screen: whether the browser is a screen of the table, where all in the room see it.
    screen_cookie: what it holds if it has asked to be one of the table's screens, "" if not.
    is_own_screen: whether it runs on the companion's own machine; a screen of the table too.
    view: how the scoreboard is wanted, see `pages.VIEWS`.
    """

    places: tuple[Place, ...]
    is_host: bool
    seat: int | None
    claim: Claim | None
    came_by: str = ""
    is_screen: bool = False
    screen_cookie: str = ""
    is_own_screen: bool = False
    view: str = ""

    @property
    def is_at_table(self) -> bool:
        """Whether the visitor is in the room, as far as the companion can know."""
        return self.is_host or self.is_screen or self.seat is not None

    @property
    def address(self) -> str:
        """The likeliest to be reached by phones, "" if there is none."""
        return self.places[0].url if self.places else ""


@dataclass(frozen=True, slots=True)
class Learning:
    """What came of learning the table on the set-up page.

    words: in sentences.  corners: that were dragged for it, as the page sent them, until it is
    learned.
    """

    words: tuple[str, ...] = ()
    is_going_on: bool = False
    has_gone_well: bool = False
    corners: str = ""


class Made:
    """What was made once, and is kept until the mark that it was made at is another."""

    def __init__(self) -> None:
        self._mark: Hashable = None
        self._made: dict[Hashable, Any] = {}

    def once(self, mark: Hashable, key: Hashable, make: Callable[[], T]) -> T:
        """Return what *make* returns, made once for all who ask with *key* while *mark* stands."""
        if mark != self._mark:
            self._mark, self._made = mark, {}
        made = self._made
        if key not in made:
            made[key] = make()
        return cast("T", made[key])


class House(ABC):
    """What a table's site and the hub's have in common: who asks, and pages that change.

    title: its name for people.  keys: which open it.  wrong_keys: that were tried.
    notifier: tells of every change.
    """

    title = "Tiki Companion"

    def __init__(self, keys: Keys) -> None:
        self.keys = keys
        self.wrong_keys = WrongKeys()
        self.notifier = ChangeNotifier()
        self._since_change = Made()

    @abstractmethod
    def visitor(self, connection: HTTPConnection) -> Visitor:
        """Return who is asking, judged again each time."""

    @abstractmethod
    def environment(self) -> Environment:
        """Return the templates of all pages."""

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what *make* returns, made once for all who ask with *key* between two changes.

        In each language anew.
        """
        return self._since_change.once(self.notifier.count, (spoken(), key), make)

    def render(self, template: str, **values: Any) -> str:
        """Return *template* filled in; *values* are escaped."""
        return self.environment().get_template(template).render(values)

    def page(
        self, template: str, regions: Mapping[str, str], status: int = 200, **values: Any
    ) -> HTMLResponse:
        """Return a whole page with its *regions* in it."""
        return page_of(self.environment(), template, regions, status, **values)

    def close(self) -> None:
        """End every open stream."""
        self.notifier.close()


class Site(House):
    """The running table with everything that its pages need.

    live_session: the table's, which nearly every page asks for.
    actions: of programs, by seat, and how fast more may come.
    calibration_status: what came of calibrating the reader on the desk, in words.
    spotted: the game whose corner tiles were seen last, "" if none were.
    put_away: how sessions stood that were put away, which cannot change any more.
    past_games: those of the log.
    templates: what has been loaded of them, by game.
    """

    def __init__(self, table: RunningTable) -> None:
        super().__init__(table.keys)
        self.table = table
        self.live_session = table.live_session
        self.live_session.turn_limit_s = table.memory.turn_limit_s
        self.seat_links = SeatLinks(self.live_session, self.keys)
        self.screens = PendingScreens()
        self.actions = WrongKeys(ACTIONS_PER_SEAT)
        self.past_games = PastGames(self.live_session)
        self.put_away: dict[int, PutAway | None] = {}
        self.calibration_status = ""
        self.learning = Learning()
        self.spotted = ""
        self.templates: dict[str, Environment] = {}
        self._since_entry = Made()
        self.live_session.on_change.add(self._changed)
        if table.own_wifi is not None:
            table.own_wifi.on_change = self.live_session.changed
        for device in (table.outputs.strip, table.outputs.display):
            device.followers.append(self.notifier.notify)
        self._changed()

    def board(self) -> Scoreboard:
        """Return the scoreboard as it stands."""
        return self._since_change.once(
            self.notifier.count, "board", lambda: read_scoreboard(self.live_session)
        )

    def once_an_entry(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what *make* makes of the log alone, made once until the log has another entry."""
        session = self.live_session.session
        mark = (session.number, session.next_seq)
        return self._since_entry.once(mark, (spoken(), key), make)

    def read_names_anew(self) -> None:
        """Let go of all that has the names of players: the log has others now."""
        self.put_away.clear()
        self.past_games = PastGames(self.live_session)
        self._since_entry = Made()
        self.notifier.notify()

    def visitor(self, connection: HTTPConnection) -> Visitor:
        """Return who is asking: a seat may have been given to another since the last time."""
        cookies = connection.cookies
        found = self.keys.seat(cookies.get(SEAT_COOKIE))
        return Visitor(
            places=self._places(connection),
            came_by=str(connection.base_url).rstrip("/"),
            is_host=self.keys.is_host(cookies.get(HOST_COOKIE)),
            seat=found[0] if found else None,
            claim=found[1] if found else None,
            is_screen=(own := self._is_own_screen(connection))
            or self.keys.is_screen(cookies.get(SCREEN_COOKIE)),
            screen_cookie=cookies.get(SCREEN_COOKIE, ""),
            is_own_screen=own,
            view=QueryParams(connection.scope.get("query_string", b"")).get("view", ""),
        )

    def _places(self, connection: HTTPConnection) -> tuple[Place, ...]:
        """Return by which addresses others reach what this browser shows."""
        reach = self.table.reach
        if reach.configured and reach.places:
            return reach.places
        came_by = address_come_by(connection, self.table.names)
        tls, url = self.table.tls, connection.url
        if came_by and tls is not None and url.port and url.port == tls.port:
            came_by = url_of(url.hostname or "", reach.port)  # others need no encrypted page
        return (Place(came_by),) if came_by else reach.places

    def _is_own_screen(self, connection: HTTPConnection) -> bool:
        """Return whether a browser of this machine asks, and nobody on behalf of another."""
        client, headers = connection.client, connection.headers
        return (
            self.table.has_own_screen
            and client is not None
            and client.host in LOOPBACK
            and PORT.sub("", headers.get("host", "")) in ("localhost", "[::1]", *LOOPBACK)
            and not any(name in headers for name in FORWARDED)
        )

    async def load_templates(self) -> None:
        """Load what the pages are made of before somebody asks for them, also after a new game."""
        begun = asyncio.Event()
        begun.set()
        with self.live_session.on_game.heard_by(lambda _game: begun.set()):
            while await begun.wait():
                begun.clear()
                environment = self.environment()
                for name in environment.list_templates(["html"]):
                    with contextlib.suppress(OSError):  # whoever asks for the page is told
                        # In a thread: on a Pi each takes as long as a page should.
                        await asyncio.to_thread(environment.get_template, name)

    def environment(self) -> Environment:
        """Return the templates of all pages; the game's own come first."""
        game = self.live_session.header.game
        if game not in self.templates:
            folders = [folder_of(game) / "templates", FOLDER / "templates", *app_templates()]
            self.templates[game] = templates(folders)
        return self.templates[game]

    def regions(self, names: Sequence[str], values: Mapping[str, Any]) -> dict[str, str]:
        """Return the pieces of a page that change while it is open, by name."""
        return {name: self.render(f"region_{name}.html", **values) for name in names}

    def close(self) -> None:
        """Let go of the session and the output devices, and end every open stream."""
        if self.table.cameras is not None:
            self.table.cameras.phone.release()
        self.live_session.on_change.remove(self._changed)
        for device in (self.table.outputs.strip, self.table.outputs.display):
            if self.notifier.notify in device.followers:
                device.followers.remove(self.notifier.notify)
        super().close()

    def _changed(self) -> None:
        self.seat_links.follow()
        self.notifier.notify()


def unstored(answer: R) -> R:
    """Return *answer* so that no browser stores it: it has a key, or what one seat alone may see.

    A shared computer must not bring it back.
    """
    answer.headers["Cache-Control"] = "no-store"
    return answer


def house_of(request: Request) -> House:
    """Return what the request came to: a table's site, or the hub's."""
    return cast("House", request.app.state.site)


def site_of(request: Request) -> Site:
    """Return the site that the request came to."""
    return cast("Site", request.app.state.site)
