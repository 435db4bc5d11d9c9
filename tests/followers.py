"""Many followers of one table: how late the last of them hears of a change, and what they cost."""

import random
import re
import selectors
import socket
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from typing import Final

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.session.log import Log
from tests.enterable import enterable
from tests.running import Child, child
from tests.tables import NAMES

KEY: Final = "a-key-for-followers"
SETTINGS: Final = f"[camera]\nsource = 'none'\n[web]\nkey = '{KEY}'\n"
MOVES: Final = 40
"""An evening's game: the desk lists what it was, to be corrected."""
CHANGES: Final = 12
ASKED: Final = 30
STREAMS: Final = 200
SETTLE_S: Final = 3.0
"""After its start the companion loads the templates of all pages."""
IDLE_S: Final = 10.0
DEADLINE_S: Final = 60.0
REGIONS: Final = b"event: regions"
HOSTS: Final = ("127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4")
"""Followers come from several addresses, as phones do; no one address may have too many."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """Seconds from a change until a lone follower hears of it, and the last of a crowd."""

    alone_s: float
    last_s: float
    processor_s: float


def play(log: Path, game: str, moves: int = MOVES) -> None:
    """Begin *game* in *log* with random *moves*."""
    rng = random.Random(7)
    with Log(log) as opened:
        played = game_of(game)
        seats = min(played.seats[-1], len(NAMES))
        header = open_header(played, NAMES[:seats], {}, 0, ())
        live_session = LiveSession(opened, header)
        for _ in range(10 * moves):
            if len(live_session.session.history.acts) >= moves:
                break
            offered = enterable(live_session)
            usual = [each for each in offered if each.split()[0] not in ("topple", "toast")]
            if not offered or played.rules.outcome(live_session.session.state):
                break
            live_session.referee.enter(rng.choice(usual or offered))


@contextmanager
def table(game: str = "topple") -> Iterator[Child]:
    """Run a companion in the middle of *game*."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tiki.toml").write_text(SETTINGS)
        play(folder / "game.db", game)
        with child(folder, "--config", str(folder / "tiki.toml")) as tiki:
            yield tiki


def host_cookie(tiki: Child) -> str:
    """Return what the host's browser holds."""
    found = re.search(r"set-cookie: ([^;]+)", tiki.ask(f"/?key={KEY}"))
    assert found
    return found[1]


def request(cookie: str, path: str, method: str = "GET", body: str = "") -> str:
    """Return a request of the host, whose browser holds *cookie*."""
    return (
        f"{method} {path} HTTP/1.1\nHost: tiki.local\nCookie: {cookie}\n"
        f"Content-Type: application/x-www-form-urlencoded\nContent-Length: {len(body)}\n\n{body}"
    )


def follow(tiki: Child, pages: Sequence[str]) -> list[socket.socket]:
    """Open a stream for each of *pages*, and return them when each has had its first pieces."""
    cookie = host_cookie(tiki)
    streams = [
        tiki.send(request(cookie, f"/live?page={page}"), HOSTS[at % len(HOSTS)])
        for at, page in enumerate(pages)
    ]
    hear(streams)
    drain(streams)
    return streams


def hear(streams: Sequence[socket.socket]) -> list[float]:
    """Return when each of *streams* has told something new."""
    heard: list[float] = []
    with selectors.DefaultSelector() as waiting:
        for stream in streams:
            waiting.register(stream, selectors.EVENT_READ)
        deadline_s = time.monotonic() + DEADLINE_S
        while waiting.get_map():
            assert time.monotonic() < deadline_s, f"{len(waiting.get_map())} heard nothing"
            for key, _ in waiting.select(1.0):
                assert isinstance(key.fileobj, socket.socket)
                if REGIONS in key.fileobj.recv(1 << 20):
                    heard.append(time.monotonic())
                    waiting.unregister(key.fileobj)
    return heard


def drain(streams: Sequence[socket.socket], quiet_s: float = 0.5) -> None:
    """Read what comes until nothing has come for *quiet_s*."""
    with selectors.DefaultSelector() as waiting:
        for stream in streams:
            waiting.register(stream, selectors.EVENT_READ)
        while found := waiting.select(quiet_s):
            for key, _ in found:
                assert isinstance(key.fileobj, socket.socket)
                key.fileobj.recv(1 << 20)


def change(tiki: Child, cookie: str, number: int) -> float:
    """Pause the game, or go on; return when that was asked for."""
    began_s = time.monotonic()
    tiki.send(request(cookie, "/pause", "POST", f"paused={number % 2}"))
    return began_s


def lateness(tiki: Child, pages: Sequence[str], changes: int = CHANGES) -> Lateness:
    """Return how late followers of *pages* hear of a change, the medians of several."""
    numbers, cookie = count(), host_cookie(tiki)

    def hears(streams: Sequence[socket.socket]) -> float:
        spent = []
        for number in islice(numbers, changes):
            began_s = change(tiki, cookie, number)
            spent.append(max(hear(streams)) - began_s)
            drain(streams)
        return statistics.median(spent)

    alone = follow(tiki, pages[:1])
    alone_s = hears(alone)
    crowd = alone + follow(tiki, pages[1:])
    before_s = processor_s(tiki)
    last_s = hears(crowd)
    spent_s = (processor_s(tiki) - before_s) / changes
    for stream in crowd:
        stream.close()
    return Lateness(alone_s, last_s, spent_s)


def page_s(tiki: Child, path: str) -> float:
    """Return the processor time that one answer takes, the mean of several."""
    cookie = host_cookie(tiki)
    before_s = processor_s(tiki)
    for _ in range(ASKED):
        stream = tiki.send(request(cookie, path).replace("HTTP/1.1", "HTTP/1.0"))
        while stream.recv(1 << 20):
            pass
        stream.close()
    return (processor_s(tiki) - before_s) / ASKED


def processor_s(tiki: Child) -> float:
    """Return how long the processor has worked for *tiki*."""
    fields = Path(f"/proc/{tiki.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / 100


def resident_mb(tiki: Child) -> float:
    """Return the memory that *tiki* uses."""
    pages = int(Path(f"/proc/{tiki.process.pid}/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def bench(row: Callable[[str, str, str], None]) -> None:
    """Print the figures, each by *row*: its name, its value, and what is aimed at."""
    with table() as tiki:
        time.sleep(SETTLE_S)
        board_s, desk_s = page_s(tiki, "/"), page_s(tiki, "/desk")
        row("the desk, asked for again / the board", f"{desk_s / board_s:.1f}", "<= 2")
        row("  that is, processor ms of each in this run", f"{1000 * desk_s:.1f}", "")
        found = lateness(tiki, ["desk"] * 50 + ["board"] * 20)
        row("50 desks, 20 boards: the last hears / one alone", ratio(found), "")
        row("  that is, seconds after the change in this run", f"{found.last_s:.3f}", "<= 0.3")
        row("  processor ms for each change", f"{1000 * found.processor_s:.0f}", "")
    with table() as tiki:
        time.sleep(SETTLE_S)
        before_mb = resident_mb(tiki)
        idle = idle_share(tiki)
        streams = [
            tiki.send(request("", "/api/events"), HOSTS[at % len(HOSTS)]) for at in range(STREAMS)
        ]
        for stream in streams:
            stream.recv(1 << 20)
        more_kb = 1000 * (resident_mb(tiki) - before_mb) / STREAMS
        row(f"{STREAMS} event streams, memory of each", f"{more_kb:.0f} kB", "")
        share = f"{idle_share(tiki):.1%}"
        row(f"{STREAMS} event streams, nothing moving", share, f"of one core; {idle:.1%} without")


def idle_share(tiki: Child) -> float:
    """Return the share of a core that *tiki* uses while nothing happens."""
    before_s = processor_s(tiki)
    time.sleep(IDLE_S)
    return (processor_s(tiki) - before_s) / IDLE_S


def ratio(found: Lateness) -> str:
    """Return how much later the last of a crowd hears than one alone."""
    return f"{found.last_s / found.alone_s:.1f}"
