"""The documented followers come through a restart and a full companion: none misses anything.

The overlay and the programs of docs/api.md and docs/bots, before a real daemon: directly, and
behind the proxies of docs/network.md.
"""

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Browser

from companion.referee.live_session import LiveSession
from companion.rules.tiki_topple import TIKIS
from companion.web.api.openapi import PLACE
from companion.web.http.connections import Limits
from tests.conftest import CHROMIUM
from tests.proxies import NAME, PROXIES, settings_behind, skip_without, trusted
from tests.running import free_port
from tests.soak.house import KEY, QUIET, House
from tests.tables import sit_down
from tests.web.api_examples import blocks, elsewhere, write_overlay
from tests.web.firefox import Firefox, firefox, running_firefox
from tests.web.serving import Served, served

DIRECT: Final = "direct"
WAYS: Final = (DIRECT, *PROXIES)
AWAY_S: Final = 6.0
"""So long nobody answers: each follower tries again meanwhile, and more than once."""
AFTER_S: Final = 3.0
"""What would come twice has come by then."""
DEADLINE_S: Final = 90.0
BOTS: Final = Path(__file__).parents[2] / "docs" / "bots"
FOUND: Final = f"""
import socket
found = socket.getaddrinfo
socket.getaddrinfo = lambda host, *more, **named: found(
    "127.0.0.1" if host == {NAME!r} else host, *more, **named
)
"""
"""What lets Python find the proxies' name on this machine."""
LISTED: Final = "[...document.querySelectorAll('li')].map((each) => each.textContent)"
SCORES: Final = "document.querySelector('p').textContent"
Tab = Callable[[str], Any]
"""Answers what an expression in JavaScript is on a page."""
Browsing = Callable[[str], Tab]
"""Opens a page."""


@dataclass
class Table:
    """A daemon with a game, and what its host does.

    address: by which followers come.  certificate: what they have to trust, None for nothing.
    """

    house: House
    address: str
    certificate: Path | None = None

    def ask(self, path: str, **form: str) -> Any:
        """Return what the companion answers to the host, directly."""
        with httpx.Client(base_url=self.house.url, timeout=DEADLINE_S) as host:
            headers = {"Authorization": f"Bearer {KEY}"}
            answer = host.post(path, data=form, headers=headers) if form else host.get(path)
            assert answer.status_code == 200, answer.text
            return answer.json()

    def enter(self, times: int) -> None:
        """Enter something that the rules allow, so many *times*."""
        for _ in range(times):
            legal = self.ask("/api/v1/legal")
            action = "chance" if legal["chance"] else legal["actions"][0]["action"]
            self.ask("/api/v1/tell", action=action)

    def told(self) -> list[str]:
        """Return all that has been entered, as followers list it."""
        record = self.house.url + "/api/v1/games/1/record"
        lines = httpx.get(record, timeout=DEADLINE_S).text.splitlines()
        entries = [json.loads(line) for line in lines]
        return [f"{each['type']} {each['action']}" for each in entries if "action" in each]

    def restart(self, *, killed: bool = False) -> None:
        """Stop the daemon, and start it a while later."""
        self.house.kill() if killed else self.house.stop()
        time.sleep(AWAY_S)
        self.house.start()

    def scores(self) -> str:
        """Return the points and whose turn it is, as the overlay shows them."""
        players = self.ask("/api/v1/state")["players"]
        return "   ".join(
            f"{'▶ ' if each['is_turn'] else ''}{each['name']} {each['score']}" for each in players
        )


@contextmanager
def table(
    folder: Path, way: str, game: str, players: Sequence[str], origin: str = ""
) -> Iterator[Table]:
    """Run a daemon with *game* that followers reach by *way*; pages from *origin* may read."""
    if way != DIRECT:
        skip_without(way)
    house, port = House(folder), free_port()
    house.port = port
    config = folder / "tiki.toml"
    text = settings_behind(config.read_text(), port).replace(f"options = {QUIET}", "options = {}")
    text = text.replace('game = "auto"', f'game = "{game}"')
    text = text.replace('["Red", "Blue", "Yellow", "Green"]', str([*players]))
    config.write_text(text.replace("origins = []", f"origins = {[origin] if origin else []}"))
    with ExitStack() as stack:
        stack.callback(house.kill)
        house.start()
        if way == DIRECT:
            yield Table(house, house.url)
            return
        (folder / way).mkdir()
        at, certificate = stack.enter_context(PROXIES[way](folder / way, port))
        trusted(at, certificate)
        yield Table(house, f"https://{NAME}:{at}", certificate)


def await_that(is_so: Callable[[], bool], what: Callable[[], object]) -> None:
    """Wait until it *is_so*; if it never comes, *what* there is instead is told."""
    deadline_s = time.monotonic() + DEADLINE_S
    while not is_so():
        assert time.monotonic() < deadline_s, what()
        time.sleep(0.1)


def assert_told(listed: Callable[[], list[str]], expected: list[str]) -> None:
    """Fail unless all that is *expected* comes to be listed, in order, and nothing twice."""
    await_that(lambda: len(listed()) >= len(expected), lambda: (listed(), expected))
    time.sleep(AFTER_S)
    assert listed() == expected


@pytest.fixture
def chromium_tabs(browser: Browser) -> Iterator[Browsing]:
    """Open pages in a Chromium that finds the proxies' name here and trusts them."""
    arguments = ["--no-sandbox", f"--host-resolver-rules=MAP {NAME} 127.0.0.1"]
    with browser.browser_type.launch(executable_path=str(CHROMIUM), args=arguments) as found:

        def open_tab(url: str) -> Tab:
            page = found.new_page(ignore_https_errors=True)
            page.goto(url)
            return page.evaluate

        yield open_tab


@pytest.fixture(scope="module")
def firefox_here(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Run one Firefox for all tests that find one."""
    if firefox() is None:
        pytest.skip("firefox is missing: sudo apt install firefox-esr")
    with running_firefox(tmp_path_factory.mktemp("firefox"), NAME) as found:
        yield found


@pytest.fixture
def firefox_tabs(firefox_here: Firefox) -> Iterator[Browsing]:
    """Open pages in Firefox; each is left by the next."""

    def open_tab(url: str) -> Tab:
        firefox_here.open(url)
        return firefox_here.ask

    yield open_tab
    firefox_here.open("about:blank")


def follow_through_a_restart(folder: Path, way: str, open_tab: Browsing) -> None:
    """Check that the overlay lists once what happens before, in and after a restart."""
    pages = folder / "pages"
    pages.mkdir()
    with (
        elsewhere(pages) as origin,
        table(folder, way, "topple", ("Ann", "Bob"), origin) as evening,
    ):
        evening.enter(2)
        before = len(evening.told())
        write_overlay(pages / "index.html", evening.address)
        ask = open_tab(f"{origin}/")
        await_that(lambda: ask(SCORES) == evening.scores(), lambda: ask(SCORES))
        evening.enter(3)
        assert_told(lambda: ask(LISTED), evening.told()[before:])
        evening.restart()
        evening.enter(3)
        assert_told(lambda: ask(LISTED), evening.told()[before:])
        evening.enter(2)
        assert_told(lambda: ask(LISTED), evening.told()[before:])
        assert ask(SCORES) == evening.scores()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow(keep=["nginx"])
def test_the_overlay_in_chromium(chromium_tabs: Browsing, way: str, tmp_path: Path) -> None:
    """It goes on after a restart, also where the proxy has refused it meanwhile."""
    follow_through_a_restart(tmp_path, way, chromium_tabs)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow(keep=["direct"])
def test_the_overlay_in_firefox(firefox_tabs: Browsing, way: str, tmp_path: Path) -> None:
    """It goes on after a restart, also where nobody has listened meanwhile."""
    follow_through_a_restart(tmp_path, way, firefox_tabs)


def follow_a_full_companion(folder: Path, open_tab: Browsing) -> None:
    """Check that the overlay, turned away from a full companion, comes back and misses nothing."""
    with elsewhere(folder) as origin, served(sit_down, origins=[origin]) as house:
        write_overlay(folder / "index.html", house.url.rstrip("/"))
        ask = open_tab(f"{origin}/")
        await_that(lambda: "▶ Ann" in ask(SCORES), lambda: ask(SCORES))
        house.do(partial(play, "up1 nani"))
        turned_away = fill(house)
        house.do(partial(play, "up1 nui"))
        await_that(lambda: len(turned_away) > 2, lambda: turned_away)
        house.server.gate._limits = Limits()
        assert_told(lambda: ask(LISTED), ["move up1 nani", "move up1 nui"])
        assert "▶ Cem" in ask(SCORES)


def play(action: str, live_session: LiveSession) -> None:
    """Enter *action* at the table, and let pages and programs know."""
    live_session.referee.enter(action)
    live_session.changed()


def fill(house: Served) -> list[str]:
    """Have no room for anybody, also not for who is there; return a list of who is turned away."""
    gate, turned_away = house.server.gate, list[str]()
    admit = gate.admit

    def watch(guest: Any, host: str) -> bool:
        is_let_in = admit(guest, host)
        if not is_let_in:
            turned_away.append(host)
        return is_let_in

    def empty(_: Any) -> None:
        gate._limits = Limits(0, 0, 0)
        gate.admit = watch  # type: ignore[method-assign]
        gate.close_all()

    house.do(empty)
    return turned_away


def test_the_overlay_of_a_full_companion_in_chromium(
    chromium_tabs: Browsing, tmp_path: Path
) -> None:
    """A 503 is no end."""
    follow_a_full_companion(tmp_path, chromium_tabs)


@pytest.mark.slow
def test_the_overlay_of_a_full_companion_in_firefox(firefox_tabs: Browsing, tmp_path: Path) -> None:
    """A 503 is no end."""
    follow_a_full_companion(tmp_path, firefox_tabs)


@contextmanager
def program(
    evening: Table, folder: Path, name: str, text: str, *words: str
) -> Iterator[Callable[[], list[str]]]:
    """Run the Python *text*; give what it has printed.  It must still run at the end."""
    said, errors = folder / f"{name}.txt", folder / f"{name}-errors.txt"
    with said.open("w") as out, errors.open("w") as wrong:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", FOUND + text, *words],
            stdout=out,
            stderr=wrong,
            env={**os.environ, "SSL_CERT_FILE": str(evening.certificate or "")},
        )
    try:
        yield lambda: said.read_text().splitlines()
        assert process.poll() is None, errors.read_text()
    finally:
        process.kill()
        process.wait()


def seat_links(evening: Table) -> list[str]:
    """Return the links of all seats, as the host gives them out."""
    with httpx.Client(base_url=evening.house.url, timeout=DEADLINE_S) as host:
        host.get(f"/?key={KEY}")
        keys = re.findall(r"/join/([\w-]+)", host.get("/desk").text)
    return [f"{evening.address}/join/{key}" for key in dict.fromkeys(keys)]


@pytest.mark.parametrize("killed", [False, True], ids=["stopped", "killed"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.slow(keep=["stopped-nginx", "nginx-killed", "direct-killed"])
def test_the_programs(way: str, tmp_path: Path, killed: bool) -> None:
    """The follower lists everything once, and both bots play on, each its own turns."""
    example = blocks("python")[1]
    with ExitStack() as stack:
        evening = stack.enter_context(table(tmp_path, way, "tiki_topple", ("Ann", "Bob", "Cem")))
        run = stack.enter_context
        evening.ask("/api/v1/tell", action=" ".join(("line", *TIKIS)))
        follower = example.replace(PLACE, evening.address)
        listed = run(program(evening, tmp_path, "follower", follower))
        bots, links = ("tiki_topple_bot.py", "random_bot.py"), seat_links(evening)
        cards = (("nani", "huhu", "nui"), ())
        for bot, link, card in zip(bots, links[:2], cards, strict=True):
            run(program(evening, tmp_path, bot, (BOTS / bot).read_text(), link, *card))

        def is_the_hosts_turn(entries: int) -> bool:
            return evening.ask("/api/v1/legal")["turn"] == 2 and len(evening.told()) >= entries

        await_that(lambda: is_the_hosts_turn(3), evening.told)
        assert_told(listed, evening.told())
        evening.restart(killed=killed)
        evening.enter(1)
        await_that(lambda: is_the_hosts_turn(6), evening.told)
        assert_told(listed, evening.told())
