"""The hub: the one module that names every part of it and connects them."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion.apps.hub.background import in_thread
from companion.apps.hub.database import Database, DatabaseTrouble, parse_url
from companion.apps.hub.overview import (
    EVENING,
    Overview,
    read_standings,
    read_tables,
    read_tournaments,
)
from companion.apps.hub.pages import create_app
from companion.apps.hub.published import Board
from companion.apps.hub.reception import EVENTS, Reception
from companion.apps.hub.site import HubSite
from companion.apps.mqtt.broker import BrokerTrouble, Refused
from companion.apps.mqtt.paho_broker import PahoBroker
from companion.closing import end_tasks
from companion.config import Config, state_folder
from companion.web.http.keys import Keys
from companion.web.http.server import Server, listen, reach_of

KEPT_S: Final = 30 * 24 * 3600
"""So long a broker keeps what comes while the hub is away."""
REFRESH_S: Final = 0.5
"""The pages show what has come within this time as one change."""
AGAIN_S: Final = 30.0
"""Some things go without anything new: a notice of two tables with one name."""
RETRY_S: Final = 2.0
READING: Final = "reading"
DATABASE_NAME: Final = "hub.db"
KEYS_NAME: Final = "hub.keys.json"


def database_of(config: Config) -> Database:
    """Return the open database that *config* names; raises DatabaseTrouble."""
    if config.hub.database:
        return Database(parse_url(config.hub.database))
    folder = state_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise DatabaseTrouble(
            f"the folder {folder} cannot be made: {error.strerror}; name a database, for example"
            " --database sqlite:////var/lib/tiki/hub.db"
        ) from None
    return Database(parse_url(f"sqlite:///{folder / DATABASE_NAME}"))


def keys_file() -> Path:
    """Return where the host's key is kept."""
    folder = state_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / KEYS_NAME


class Hub:
    """All parts of the hub, from the broker to the pages.

    Raises CannotStart, DatabaseTrouble or OSError before anything has been started.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self._listener = listen(config.web.host, config.hub.port)
        self.reach = reach_of(self._listener, config.web.address)
        try:
            self.keys = Keys(config.web.key or None, keys_file())
            self.database = database_of(config)
        except BaseException:
            self._listener.close()
            raise
        mqtt, name = config.mqtt, self.database.client_id
        self._changed = asyncio.Event()
        self.reception = Reception(
            mqtt.prefix,
            self.database,
            PahoBroker(mqtt, name, who="hub", keep_s=KEPT_S),
            PahoBroker(mqtt, f"{name}-now", who="hub"),
            self._changed.set,
        )
        self.site = HubSite(
            self.database,
            self.keys,
            lambda: self.reception.troubles,
            config.web.address,
        )
        self.site.reload = self.reload
        self.site.counts = lambda: asdict(self.reception.counts)
        app = create_app(self.site, names=config.web.names, origins=config.web.origins)
        self._server = Server(app, self._listener, config.web.proxies)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._is_stopped = False

    async def check_broker(self) -> None:
        """Raise Refused if the broker refuses: people have to change something first."""
        connection = await self.reception.states.connect()
        try:
            await connection.subscribe(f"{self.reception.prefix}/+/events")
            await self.reception.listen(connection)
        finally:
            await connection.close(tell=False)

    async def run(self, on_ready: Callable[[], None] = lambda: None) -> None:
        """Serve until told to stop; raises Refused if the broker refuses at the start."""
        self._loop = asyncio.get_running_loop()
        try:
            await self.check_broker()
        except Refused:
            self.close()
            raise
        except BrokerTrouble as trouble:  # it may come later
            self.reception.report(EVENTS, str(trouble))
        jobs = (
            self.reception.receive_events(),
            self.reception.receive_states(),
            self._refresh(),
            self.reach.watch(),
        )
        tasks = [asyncio.create_task(job) for job in jobs]
        try:
            if not self._is_stopped:
                on_ready()
                await self._server.serve()
        finally:
            await end_tasks(tasks)
            self.close()

    def close(self) -> None:
        """Let go of everything."""
        self.site.close()
        self.database.close()
        self._listener.close()

    def stop(self) -> None:
        """Let `run` come to its end; called from any thread."""
        self._is_stopped = True
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._server.stop)

    async def reload(self) -> None:
        """Read the overview and show it; raises DatabaseTrouble."""
        boards = dict(self.reception.boards)
        self.site.show(await in_thread(lambda: read_overview(self.database, boards)))

    async def _refresh(self) -> None:
        """Show what is new, forever."""
        while True:
            self._changed.clear()
            try:
                await self.reload()
            except DatabaseTrouble as trouble:
                self.reception.report(READING, str(trouble))
                self.site.notifier.notify()
                await asyncio.sleep(RETRY_S)
                self._changed.set()
            else:
                self.reception.report(READING, "")
            await asyncio.sleep(REFRESH_S)
            try:
                async with asyncio.timeout(AGAIN_S):
                    await self._changed.wait()
            except TimeoutError:
                continue


def read_overview(database: Database, boards: Mapping[str, Board]) -> Overview:
    """Return all that the pages show; raises DatabaseTrouble."""
    now = datetime.now(UTC)
    with database.read() as session:
        tables = read_tables(session, boards, now)
        return Overview(
            tables=tables,
            standings=read_standings(session),
            tonight=read_standings(session, now - EVENING),
            tournaments=read_tournaments(session),
            by_name={table.name: table for table in tables},
        )
