"""The hub's pictures for docs/pictures/: a dozen tables, and a bracket of eight."""

import asyncio
import random
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import uvicorn
from playwright.sync_api import Browser
from sqlalchemy import select

from companion.apps.hub import tournaments
from companion.apps.hub.bracket import KNOCKOUT, LEAGUE
from companion.apps.hub.pages import create_app
from companion.apps.hub.presence import Change, keep_changes
from companion.apps.hub.published import Board, read
from companion.apps.hub.schema import MatchRow
from companion.apps.mqtt.topics import Topics
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from tests.hub.publishing import Table, keep
from tests.hub.visiting import House, open_house
from tests.onlookers import publish_all
from tests.tables import open_log
from tests.tapping import is_wise

NAMES: Final = ("Ann", "Bob", "Cem", "Dora", "Emil", "Fatima", "Gus", "Hana", "Ines", "Jan", "Kaya",
                "Leo", "Mia", "Nils", "Oda", "Paul", "Quirin", "Rosa", "Sven", "Tala")  # fmt: skip
PLAYED: Final = (
    ("topple", 4, 90),
    ("uno_tiki", 4, 60),
    ("tippi_toppi", 3, 400),
    ("tactiki", 2, 30),
)
SETTLED_MS: Final = 500


def play(seed: int, game: str, seats: int, moves: int) -> LiveSession:
    """Return a session that was played wisely at random for so many moves."""
    rng = random.Random(seed)
    header = open_header(game_of(game), rng.sample(NAMES, seats), {}, 0)
    live_session = LiveSession(open_log(), header)
    for _ in range(moves):
        offers = live_session.referee.offers()
        if not offers:
            break
        action = rng.choice([each for each in offers if is_wise(rng, each)] or offers)
        try:
            live_session.referee.enter(action)
        except (RulesError, ReplayError):
            continue
    return live_session


def fill(house: House, count: int) -> None:
    """Let *house* know so many tables, one of which is away."""
    now = datetime.now(UTC)
    names = [f"table-{number}" for number in range(1, count + 1)]
    for number, name in enumerate(names):
        live_session = play(number, *PLAYED[number % len(PLAYED)])
        topics = Topics("tiki", name)
        messages = asyncio.run(publish_all(live_session, topics))
        events = [each for each in messages if each.topic == topics.events]
        keep(house.database, *events, now=now)
        state = next(each.payload for each in messages if each.topic == topics.state)
        house.boards[name] = read(Board, state)
    with house.database.write() as session:
        keep_changes(session, {name: Change(is_online=True) for name in names}, now)
        keep_changes(session, {names[6]: Change(is_online=False)}, now - timedelta(minutes=12))


def draw(house: House) -> None:
    """Begin a league, which ends, and a tournament of eight that is under way."""
    now = datetime.now(UTC)
    with house.database.write() as session:
        tournaments.begin(session, "Thursday league", LEAGUE, NAMES[:5], now - timedelta(days=1))
        cup = tournaments.begin(session, "Friday cup", KNOCKOUT, NAMES[:8], now)
        matches = [
            *session.scalars(
                select(MatchRow.id)
                .where(MatchRow.tournament_id == cup.id)
                .order_by(MatchRow.round, MatchRow.place)
            )
        ]
        for match, winner in zip(matches, "15", strict=False):
            tournaments.decide(session, match, winner)
        tournaments.assign(session, matches[2], "table-1", now - timedelta(hours=1))
        tournaments.assign(session, matches[3], "table-5", now)
    final = Table("table-1", players=("Gus", "Bob"), mark="cup", session=7)
    keep(house.database, final.event([3, 5], at=now), now=now)


@contextmanager
def serving(house: House) -> Iterator[str]:
    """Give the address of the pages of *house*."""
    settings = uvicorn.Config(create_app(house.site), port=0, log_level="error")
    server = uvicorn.Server(settings)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        house.site.close()
        server.should_exit = True
        thread.join(10)


def take(browser: Browser, keep_picture: Callable[[bytes, Path], None], folder: Path) -> None:
    """Take both pictures into *folder*."""
    with tempfile.TemporaryDirectory() as scratch, open_house(Path(scratch)) as house:
        with ThreadPoolExecutor(1) as beside:  # Playwright has the loop of this thread
            beside.submit(fill, house, 12).result()
        draw(house)
        house.refresh()
        shots = (("hub-tables", "/", "dark"), ("hub-bracket", "/tournament", "light"))
        with serving(house) as url:
            for name, path, scheme in shots:
                page = browser.new_page(
                    viewport={"width": 1920, "height": 1080},
                    color_scheme="dark" if scheme == "dark" else "light",
                    locale="en",
                )
                page.goto(url + path)
                page.wait_for_timeout(SETTLED_MS)
                keep_picture(page.screenshot(), folder / f"{name}.png")
                page.close()
