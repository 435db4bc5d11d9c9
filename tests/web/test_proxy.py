"""Behind a proxy that speaks TLS with browsers: the real daemon, and a small proxy before it."""

import asyncio
import contextlib
import json
import re
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Final

import httpx

from companion.config import Config, load_config
from companion.daemon import Daemon
from companion.web.http.attempts import PER_SOURCE
from tests.web.serving import DEADLINE_S

NAME: Final = "tiki.pub.example"
ADDRESS: Final = f"https://{NAME}"
KEY: Final = "the-key-of-this-table"


class Proxy:
    """Passes requests on as usual proxies do, one on each connection.

    told: the headers that it adds.  keeps_host: whether it passes on the Host header.
    """

    def __init__(self, port: int, told: Sequence[str], *, keeps_host: bool = True) -> None:
        self._port, self._told, self._keeps_host = port, told, keeps_host

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Pass one request on, and all that comes back as it comes."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        first, *lines = head.strip().split("\r\n")
        dropped = ("connection:",) if self._keeps_host else ("connection:", "host:")
        kept = [line for line in lines if not line.lower().startswith(dropped)]
        if not self._keeps_host:
            kept.append(f"Host: 127.0.0.1:{self._port}")
        sent = "\r\n".join((first, *kept, *self._told, "Connection: close", "", ""))
        from_daemon, to_daemon = await asyncio.open_connection("127.0.0.1", self._port)
        to_daemon.write(sent.encode("latin-1"))
        ways = [
            asyncio.create_task(_pipe(*way)) for way in ((reader, to_daemon), (from_daemon, writer))
        ]
        _, others = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for each in others:
            each.cancel()
        for writing in (writer, to_daemon):
            writing.close()
            with contextlib.suppress(ConnectionError):
                await writing.wait_closed()


async def _pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    while data := await source.read(4096):
        target.write(data)
        await target.drain()


@dataclass
class House:
    """A daemon, and the port of the proxy before it."""

    daemon: Daemon
    port: int

    def browser(self, cookie: str = "", **headers: str) -> httpx.Client:
        """Return a browser that reaches the proxy by its name; cookies are kept by hand.

        A browser sends secure cookies through TLS alone, which this one only claims to speak.
        """
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return httpx.Client(
            base_url=f"http://127.0.0.1:{self.port}",
            headers={"host": NAME, **({"cookie": cookie} if cookie else {}), **given},
            timeout=DEADLINE_S,
        )

    def straight(self) -> httpx.Client:
        """Return a browser that reaches the daemon itself."""
        return httpx.Client(base_url=self.daemon.reach.here, timeout=DEADLINE_S)

    def let_in(self) -> str:
        """Return the host's cookie."""
        answer = self.browser().get("/", params={"key": KEY})
        assert (answer.status_code, answer.headers["location"]) == (303, "/welcome")
        return answer.headers["set-cookie"].partition(";")[0]


@contextmanager
def behind_proxy(
    folder: Path, web: str, told: Sequence[str] = (), *, keeps_host: bool = True
) -> Iterator[House]:
    """Run a daemon with the settings *web*, and a proxy before it; stop both in the end."""
    file = folder / "tiki.toml"
    file.write_text(
        f'[web]\nhost = "127.0.0.1"\nport = 0\nkey = "{KEY}"\n{web}\n'
        f'[camera]\nsource = "none"\n[log]\nfile = "{folder / "game.db"}"\n'
    )
    ready: Future[House] = Future()

    async def run() -> None:
        daemon = Daemon(load_config(file))
        up = asyncio.Event()
        serving = asyncio.create_task(daemon.run(up.set))
        await up.wait()
        port = daemon.reach.port
        proxy = Proxy(port, told, keeps_host=keeps_host)
        front = await asyncio.start_server(proxy.pass_on, "127.0.0.1", 0)
        ready.set_result(House(daemon, front.sockets[0].getsockname()[1]))
        await serving
        front.close()

    thread = threading.Thread(target=asyncio.run, args=(run(),))
    thread.start()
    house = ready.result(DEADLINE_S)
    try:
        yield house
    finally:
        house.daemon.stop()
        thread.join(DEADLINE_S)
        assert not thread.is_alive()


def test_a_table_is_hosted_and_joined_through_a_proxy(tmp_path: Path) -> None:
    """Key, forms, seats' links and live pages, all at the address that the settings name."""
    with behind_proxy(tmp_path, f'address = "{ADDRESS}"') as house:
        assert house.daemon.reach.url == ADDRESS
        cookie = house.let_in()
        with house.browser(cookie, origin=ADDRESS) as host:
            desk = host.get("/desk")
            links = re.findall(r'href="([^"]*/join/[^"]*)"', unescape(desk.text))
            assert links
            assert all(link.startswith(f"{ADDRESS}/join/") for link in links)
            assert host.post("/invite", data={"seat": "0"}).status_code == 303
            with host.stream("GET", "/live?page=desk") as live:
                lines = live.iter_lines()
                data = next(line for line in lines if line.startswith("data: "))
            assert "seats" in json.loads(data.removeprefix("data: "))
        with house.browser(origin=ADDRESS) as phone:
            joined = phone.post(links[1].removeprefix(ADDRESS))
        assert joined.status_code == 303
        assert "Secure" in joined.headers["set-cookie"]
        with house.browser(cookie, origin="https://evil.example") as foreign:
            assert foreign.post("/invite", data={"seat": "0"}).status_code == 403


def test_without_its_name_in_the_settings_it_is_not_answered(tmp_path: Path) -> None:
    """Or any site could point a name here."""
    with behind_proxy(tmp_path, "") as house:
        assert house.browser().get("/").status_code == 421


def test_a_name_and_a_proxy_that_is_believed_do_too(tmp_path: Path) -> None:
    """By X-Forwarded-Proto it is known that cookies are for TLS alone."""
    told = ("X-Forwarded-Proto: https",)
    web = f'names = ["{NAME}"]\nproxies = ["127.0.0.1"]'
    with behind_proxy(tmp_path, web, told) as house:
        answer = house.browser().get("/", params={"key": KEY})
        assert answer.status_code == 303
        assert "Secure" in answer.headers["set-cookie"]
        cookie = answer.headers["set-cookie"].partition(";")[0]
        with house.browser(cookie, origin=ADDRESS) as host:
            assert host.post("/invite", data={"seat": "0"}).status_code == 303


def test_a_proxy_that_sends_a_host_of_its_own(tmp_path: Path) -> None:
    """The address in the settings tells our own forms from others."""
    with behind_proxy(tmp_path, f'address = "{ADDRESS}"', keeps_host=False) as house:
        with house.browser(house.let_in(), origin=ADDRESS) as host:
            assert host.post("/invite", data={"seat": "0"}).status_code == 303
        with house.browser(house.let_in(), origin="https://evil.example") as foreign:
            assert foreign.post("/invite", data={"seat": "0"}).status_code == 403


def test_wrong_keys_count_for_whom_the_proxy_speaks(tmp_path: Path) -> None:
    """One guest who guesses keeps no other guest out."""
    web = f'address = "{ADDRESS}"\nproxies = ["127.0.0.1"]'
    with behind_proxy(tmp_path, web) as house:
        with house.browser(x_forwarded_for="10.0.0.1") as guest:
            tried = [guest.get("/?key=guess").status_code for _ in range(PER_SOURCE.burst + 1)]
        assert tried == [403] * PER_SOURCE.burst + [429]
        with house.browser(x_forwarded_for="10.0.0.2") as other:
            assert other.get("/", params={"key": KEY}).status_code == 303


def test_nobody_else_is_believed(tmp_path: Path) -> None:
    """Who sends a proxy's headers is neither another guest for each guess nor on TLS."""
    with behind_proxy(tmp_path, "") as house, house.straight() as guest:
        headers = {"x-forwarded-proto": "https"}
        cookie = guest.get("/", params={"key": KEY}, headers=headers).headers["set-cookie"]
        assert "Secure" not in cookie
        tried = [
            guest.get("/?key=guess", headers={"x-forwarded-for": f"10.0.0.{number}"}).status_code
            for number in range(PER_SOURCE.burst + 1)
        ]
        assert tried == [403] * PER_SOURCE.burst + [429]


def test_at_home_nothing_has_to_be_set() -> None:
    """No proxy, no names, the machine's own address."""
    web = Config().web
    assert (web.address, web.names, web.proxies) == ("", (), ())
