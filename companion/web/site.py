"""What all pages of one companion share."""

import asyncio
import contextlib
import io
import re
import zlib
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from jinja2 import Environment
from starlette.datastructures import QueryParams
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from companion.devices.calibration import DeviceCalibration
from companion.language.speech import spoken
from companion.referee.live_session import LiveSession
from companion.referee.past import PastGames
from companion.registry import folder_of
from companion.scoreboard import Scoreboard, read_scoreboard
from companion.session.session import Session
from companion.web.http.attempts import CODES_IN_ALL, CODES_PER_SOURCE, WrongKeys
from companion.web.http.keys import HOST_COOKIE, SCREEN_COOKIE, SEAT_COOKIE, Claim, Keys
from companion.web.http.pending_screens import PendingScreens
from companion.web.http.streams import ChangeNotifier
from companion.web.shell import FOLDER, page_of, templates
from companion.web.table_memory import TableMemory
from hardware.output_devices import OutputDevices

if TYPE_CHECKING:
    from companion.referee.put_away import PutAway
    from companion.table.table_setup import TableSetup
    from companion.web.pages.idol import AssessFairness

T = TypeVar("T")
R = TypeVar("R", bound=Response)

PORT: Final = re.compile(r":\d*$", re.ASCII)
LOOPBACK: Final = ("127.0.0.1", "::1")
FORWARDED: Final = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""What a proxy adds; one that adds nothing is named in the settings."""
PNG_SCALE: Final = 4
"""Page pixels for each pixel of the display, so that they stay square and sharp."""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is asking: the host, someone at a seat, both, or a bystander.

    address: under which a phone reaches the companion, as far as is known.
    is_screen: whether the browser is a screen of the table, where all in the room see it.
    screen_cookie: what it holds if it has asked to be one of the table's screens, "" if not.
    is_own_screen: whether it runs on the companion's own machine; a screen of the table too.
    view: how the scoreboard is wanted, see `pages.VIEWS`.
    """

    address: str
    is_host: bool
    seat: int | None
    claim: Claim | None
    is_screen: bool = False
    screen_cookie: str = ""
    is_own_screen: bool = False
    view: str = ""


Calibrate: TypeAlias = Callable[[Mapping[str, Any], Callable[[str | None], None]], None]
"""Calibrates the reader with the next still picture, which shows the given table; reports, on the
event loop, None when that is done or else what went wrong."""


Simulate: TypeAlias = Callable[[str], None]
"""Operates simulated sensors by words; raises ValueError with the known ones."""


KeptFrame: TypeAlias = Callable[[int, int], bytes | None]
"""Returns the JPEG that an entry of a session rested on, by both numbers; None if none is kept."""


def no_frame(session: int, seq: int) -> bytes | None:
    """Return that no picture is kept."""
    del session, seq
    return None


class Site:
    """The session in play with everything that its pages need.

    calibrate: see `Calibrate`; None where nothing is to be learned.  calibration_status: what came
        of it, in words.
    simulate: see `Simulate`; None where the sensors are real.
    assess_fairness: tests whether the idol is fair; None where there is no idol.
    calibrations: by name, of the devices that can be calibrated.
    usual: the options with which this table plays the game of a name.
    address: where phones reach the companion, such as "http://192.168.1.7:8000"; None if that is
        only known from the requests themselves.
    memory: what the table remembers beside its games.
    has_own_screen: whether a browser on this machine can be told from all others: behind a proxy
        everybody seems to be on it, see docs/decisions/0326-let-the-room-join.md.
    table_setup: sets the camera up; None where there is none.  lesson: what came of learning the
        table there, in sentences.  is_learning: whether that goes on.  has_learned: whether it
        has gone well.  corners: that were dragged
        for it, as the page sent them, until it is learned.
    spotted: the game whose corner tiles were seen last, "" if none were.
    staying: of the next session, the seat before of each seat whose phone stays.
    put_away: how sessions stood that were put away, which cannot change any more.
    templates: what has been loaded of them, by game.  past_games: those of the log.
    kept_frame: see `KeptFrame`.
    make_bundle: see `companion.web.pages.support`; None where there is none.
    """

    def __init__(
        self,
        live_session: LiveSession,
        keys: Keys,
        outputs: OutputDevices,
        address: str | None,
        calibrate: Calibrate | None = None,
        simulate: Simulate | None = None,
        assess_fairness: "AssessFairness | None" = None,
        calibrations: Mapping[str, DeviceCalibration] = MappingProxyType({}),
        usual: Callable[[str], Mapping[str, Any]] = lambda _: {},
        memory: TableMemory | None = None,
        *,
        has_own_screen: bool = False,
    ) -> None:
        self.usual = usual
        self.memory = memory or TableMemory()
        self.has_own_screen = has_own_screen
        self.spotted = ""
        self.staying: Mapping[int, int] = {}
        self.wrong_codes = WrongKeys(CODES_PER_SOURCE, CODES_IN_ALL)
        self.screens = PendingScreens()
        self.put_away: dict[int, PutAway | None] = {}
        self.live_session = live_session
        self.keys = keys
        self.wrong_keys = WrongKeys()
        self.past_games = PastGames(live_session)
        self.kept_frame: KeptFrame = no_frame
        self.make_bundle: Callable[[bool], Awaitable[bytes]] | None = None
        self.outputs = outputs
        self.address = address
        self.calibrate = calibrate
        self.simulate = simulate
        self.assess_fairness = assess_fairness
        self.calibrations = calibrations
        self.calibration_status = ""
        self.table_setup: TableSetup | None = None
        self.lesson: tuple[str, ...] = ()
        self.is_learning = False
        self.has_learned = False
        self.corners = ""
        self.notifier = ChangeNotifier()
        self._session = 0
        self._moves_before: int | None = None
        self._seats_trouble = ""
        self._board: tuple[int, Scoreboard] | None = None
        self._made: dict[Hashable, Any] = {}
        self._settled: dict[Hashable, Any] = {}
        self._settled_at = (0, 0)
        self.templates: dict[str, Environment] = {}
        live_session.on_change.append(self._changed)
        outputs.strip.followers.append(self.notifier.notify)
        outputs.display.followers.append(self.notifier.notify)
        self._changed()

    def board(self) -> Scoreboard:
        """Return the scoreboard as it stands."""
        if self._board is None or self._board[0] != self.notifier.count:
            self._board = (self.notifier.count, read_scoreboard(self.live_session))
            self._made = {}
        return self._board[1]

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what *make* returns, made once for all who ask with *key* between two changes.

        In each language anew.
        """
        self.board()
        return _made_once(self._made, (spoken(), key), make)

    def once_an_entry(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what *make* makes of the log alone, made once until the log has another entry."""
        session = self.live_session.session
        if self._settled_at != (session.number, session.next_seq):
            self._settled_at, self._settled = (session.number, session.next_seq), {}
        return _made_once(self._settled, (spoken(), key), make)

    def visitor(self, connection: HTTPConnection) -> Visitor:
        """Return who is asking, judged again each time: a seat may have been given to another."""
        cookies = connection.cookies
        found = self.keys.seat(cookies.get(SEAT_COOKIE))
        return Visitor(
            address=self.address or str(connection.base_url).rstrip("/"),
            is_host=self.keys.is_host(cookies.get(HOST_COOKIE)),
            seat=found[0] if found else None,
            claim=found[1] if found else None,
            is_screen=(own := self._is_own_screen(connection))
            or self.keys.is_screen(cookies.get(SCREEN_COOKIE)),
            screen_cookie=cookies.get(SCREEN_COOKIE, ""),
            is_own_screen=own,
            view=QueryParams(connection.scope.get("query_string", b"")).get("view", ""),
        )

    def _is_own_screen(self, connection: HTTPConnection) -> bool:
        """Return whether a browser of this machine asks, and nobody on behalf of another."""
        client, headers = connection.client, connection.headers
        return (
            self.has_own_screen
            and client is not None
            and client.host in LOOPBACK
            and PORT.sub("", headers.get("host", "")) in ("localhost", "[::1]", *LOOPBACK)
            and not any(name in headers for name in FORWARDED)
        )

    def render(self, template: str, **values: Any) -> str:
        """Return *template* filled in, the game's own if it has one; *values* are escaped."""
        return self._environment().get_template(template).render(values)

    async def load_templates(self) -> None:
        """Load what the pages are made of before somebody asks for them, also after a new game."""
        begun = asyncio.Event()
        begun.set()

        def begin(_game: str) -> None:
            begun.set()

        self.live_session.on_game.append(begin)
        try:
            while await begun.wait():
                begun.clear()
                environment = self._environment()
                for name in environment.list_templates(["html"]):
                    with contextlib.suppress(OSError):  # whoever asks for the page is told
                        # In a thread: on a Pi each takes as long as a page should.
                        await asyncio.to_thread(environment.get_template, name)
        finally:
            self.live_session.on_game.remove(begin)

    def _environment(self) -> Environment:
        game = self.live_session.header.game
        if game not in self.templates:
            self.templates[game] = templates([folder_of(game) / "templates", FOLDER / "templates"])
        return self.templates[game]

    def regions(self, names: Sequence[str], values: Mapping[str, Any]) -> dict[str, str]:
        """Return the pieces of a page that change while it is open, by name."""
        return {name: self.render(f"region_{name}.html", **values) for name in names}

    def page(
        self,
        template: str,
        regions: Mapping[str, str],
        status: int = 200,
        **values: Any,
    ) -> HTMLResponse:
        """Return a whole page with its *regions* in it."""
        return page_of(self._environment(), template, regions, status, **values)

    def display_png(self) -> bytes:
        """Return what the score display shows, as a PNG."""
        picture = self.outputs.display.face
        size = (picture.width * PNG_SCALE, picture.height * PNG_SCALE)
        target = io.BytesIO()
        picture.resize(size).save(target, "PNG", optimize=True)
        return target.getvalue()

    def display_mark(self) -> str:
        """Return a short text that changes with what the score display shows."""
        return f"{zlib.crc32(self.outputs.display.face.tobytes()):08x}"

    def close(self) -> None:
        """Let go of the session and the output devices, and end every open stream."""
        if self._changed in self.live_session.on_change:
            self.live_session.on_change.remove(self._changed)
        for device in (self.outputs.strip, self.outputs.display):
            if self.notifier.notify in device.followers:
                device.followers.remove(self.notifier.notify)
        self.notifier.close()

    def _changed(self) -> None:
        self._keep_seats()
        self.notifier.notify()

    def _keep_seats(self) -> None:
        """Open the seats of another session; on a full disk, save them as soon as there is room."""
        trouble, session = "", self.live_session.session
        moves = count_moves(session)
        try:
            if session.number != self._session:
                self._moves_before = moves
                self._session, staying, self.staying = session.number, self.staying, {}
                header = session.header
                self.wrong_codes.begin()
                self.keys.open_seats(session.number, len(header.players), staying, header.resumes)
            elif self._moves_before is not None and moves > self._moves_before:
                self._moves_before = None
                self.keys.end_code()
            else:
                self.keys.save()
        except OSError as error:
            reason = error.strerror or error
            trouble = f"they cannot be saved ({reason}); after a restart every phone joins again"
        if trouble != self._seats_trouble:
            self._seats_trouble = trouble
            self.live_session.report("the seats' links", trouble)


def count_moves(session: Session[Any, Any]) -> int:
    """Return how many moves of players count; with the first nobody is waited for any more."""
    return sum(act.seat is not None for act in session.history.acts)


def _made_once(made: dict[Hashable, Any], key: Hashable, make: Callable[[], T]) -> T:
    if key not in made:
        made[key] = make()
    return cast("T", made[key])


def unstored(answer: R) -> R:
    """Return *answer* so that no browser stores it: it has a key, or what one seat alone may see.

    A shared computer must not bring it back.
    """
    answer.headers["Cache-Control"] = "no-store"
    return answer


def site_of(request: Request) -> Site:
    """Return the site that the request came to."""
    return cast("Site", request.app.state.site)
