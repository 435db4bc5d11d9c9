"""A whole table with wires, for tests: the real daemon on a bench, the hands, and what they find.

The daemon is the real one, with its drivers and its pages; only what hangs on the wires is moved.
"""

import asyncio
import html
import json
import re
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from companion.config import load_config
from companion.daemon import Daemon
from tests.evenings import KEY, Evening
from tests.wires import FIRST_DEG, Bench

DEADLINE_S = 60.0


@dataclass
class House:
    """A daemon that runs."""

    url: str

    def ask(self, path: str, form: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the JSON answer at *path*, to the host's *form* if one is given."""
        data = urllib.parse.urlencode(form).encode() if form else None
        request = urllib.request.Request(self.url + path, data, {"Authorization": f"Bearer {KEY}"})
        with urllib.request.urlopen(request, timeout=DEADLINE_S) as reply:
            found: dict[str, Any] = json.load(reply)
            return found


@contextmanager
def at_home(folder: Path, text: str) -> Iterator[House]:
    """Run a daemon on the config *text*, and stop it in the end."""
    file = folder / "tiki.toml"
    log = f'[log]\nfile = "{folder / "game.db"}"'
    file.write_text(text.replace('[log]\nfile = ""', log).replace("port = 8321", "port = 0"))
    ready = threading.Event()
    found: list[Daemon] = []

    def run() -> None:
        daemon = Daemon(load_config(file))
        found.append(daemon)
        asyncio.run(daemon.run(ready.set))

    thread = threading.Thread(target=run)
    thread.start()
    assert ready.wait(DEADLINE_S)
    (daemon,) = found
    try:
        yield House(daemon.reach.here)
    finally:
        daemon.stop()
        thread.join(DEADLINE_S)
        assert not thread.is_alive()


def host_headers(house: House) -> dict[str, str]:
    """Return the headers of the host's browser, which the key lets in."""
    answer = httpx.get(f"{house.url}/?key={KEY}")
    return {"Cookie": answer.headers["set-cookie"].partition(";")[0]}


def page(house: House, path: str = "/") -> str:
    """Return the words of a page."""
    request = urllib.request.Request(house.url + path, None, host_headers(house))
    with urllib.request.urlopen(request, timeout=DEADLINE_S) as reply:
        return html.unescape(reply.read().decode())


def teach(house: House, lesson: str, press: str) -> str:
    """Press a button of a lesson, and return what the desk says next."""
    form = urllib.parse.urlencode({"lesson": lesson, "press": press}).encode()
    request = urllib.request.Request(f"{house.url}/teach", form, host_headers(house))
    text = ""
    deadline = time.monotonic() + DEADLINE_S
    while not text:
        try:
            with urllib.request.urlopen(request, timeout=DEADLINE_S) as reply:
                text = html.unescape(reply.read().decode())
        except urllib.error.HTTPError as error:  # a busy machine hears late that the idol rests
            if "turning" not in error.read().decode() or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
    found = re.search(rf'data-lesson="{lesson}".*?<p data-step>(.*?)</p>', text, re.DOTALL)
    assert found
    return found[1]


def wait_for(house: House, wanted: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """Return the scoreboard once *wanted* holds of it."""
    deadline = time.monotonic() + DEADLINE_S
    while not wanted(board := house.ask("/api/state")):
        assert time.monotonic() < deadline, board
        time.sleep(0.02)
    return board


def teach_seats(house: House, bench: Bench, seats: int) -> None:
    """Point the idol at each seat in turn, as the desk asks."""
    teach(house, "idol", "teach")
    for seat in range(seats):
        bench.point_at(FIRST_DEG + seat * 360 / seats)
        teach(house, "idol", f"point {seat}")


def sense(house: House, bench: Bench, words: str) -> None:
    """Let the wires say what *words* do, and wait until the companion has heard what counts."""
    before = house.ask("/api/state")
    match words.split():
        case ["spin", _, turns] if before["game"] == "topple":
            bench.turn(float(turns))
            return
        case ["spin", deg, turns]:
            bench.spin(float(deg), float(turns))
        case _:
            if not bench.act(words):
                return
    told = ("history", "question")
    wait_for(house, lambda board: [board[key] for key in told] != [before[key] for key in told])
    if words == "topple":
        bench.set_up()


def play(house: House, bench: Bench, steps: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """Let the people tap and the wires speak; return the scoreboard afterwards."""
    for kind, words in steps:
        if kind == "tell":
            house.ask("/api/tell", {"action": words})
        else:
            sense(house, bench, words)
    return house.ask("/api/state")


def tap_in(house: House, evening: Evening) -> dict[str, Any]:
    """Tap in an evening of Topple without a sensor; return the scoreboard afterwards."""
    for kind, words in evening.steps:
        if kind == "tell":
            house.ask("/api/tell", {"action": words})
        elif words == "press undo":
            house.ask("/api/tell", {"action": "undo"})
        elif words.startswith("press me"):
            house.ask("/api/tell", {"action": words.replace("press me", "knock")})
    return house.ask("/api/state")
