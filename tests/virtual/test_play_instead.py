"""From the film of the demo to the table in the browser, by a button on the page."""

import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

WAIT_S = 90.0
KEY = re.compile(r"http://[^/]+:(\d+)/(\?key=[\w-]+)")
DEMO = "import sys; from companion.cli import main; sys.exit(main(sys.argv[1:]))"


@contextmanager
def demo_in_a_terminal(*words: str) -> Iterator[str]:
    """Run `tiki demo` in a terminal; yields the address with the host's key."""
    own, its = pty.openpty()
    said = bytearray()

    def read() -> None:
        with suppress(OSError):  # the terminal is gone
            while part := os.read(own, 4096):
                said.extend(part)

    command = [sys.executable, "-c", DEMO, "demo", *words]
    process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its)
    os.close(its)
    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        until_s = time.monotonic() + WAIT_S
        while (found := KEY.search(said.decode())) is None:
            assert time.monotonic() < until_s, said.decode()
            time.sleep(0.1)
        yield f"http://127.0.0.1:{found[1]}/{found[2]}"
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(WAIT_S)
        reader.join(WAIT_S)
        os.close(own)


def ask(url: str, method: str, path: str, cookie: str = "") -> tuple[int, str, str]:
    """Return status, text and cookie of an answer."""
    address = urlsplit(url)
    line = HTTPConnection(address.hostname or "", address.port, timeout=WAIT_S)
    own = f"http://{address.netloc}"
    sent = {"Cookie": cookie, "Origin": own, "Content-Type": "application/x-www-form-urlencoded"}
    line.request(method, path, "" if method == "POST" else None, sent)
    answer = line.getresponse()
    text, given = answer.read().decode(), answer.getheader("Set-Cookie") or ""
    line.close()
    return answer.status, text, given.split(";")[0]


@pytest.mark.timeout(300)
def test_a_button_on_the_films_page_lays_a_table_to_play_at() -> None:
    """The host's alone: the same address and key then lead to the table, at another log."""
    with demo_in_a_terminal("tactiki", "--port", "0") as url:
        _, _, cookie = ask(url, "GET", f"/?{urlsplit(url).query}")
        button = 'action="/virtual/begin"'
        assert button in ask(url, "GET", "/", cookie)[1]
        assert button not in ask(url, "GET", "/")[1]
        assert ask(url, "POST", "/virtual/begin")[0] == 403
        assert ask(url, "GET", "/virtual", cookie)[0] == 404
        status, page, _ = ask(url, "POST", "/virtual/begin", cookie)
        assert (status, urlsplit(url).query in page) == (200, True)
        until_s = time.monotonic() + WAIT_S
        while True:
            try:
                status, page, _ = ask(url, "GET", "/virtual")
            except OSError:
                status = 0
            if status == 200:
                break
            assert time.monotonic() < until_s
            time.sleep(0.3)
        assert "TacTiki" in page
        status, _, cookie = ask(url, "GET", f"/?{urlsplit(url).query}")
        assert (status, bool(cookie)) == (303, True)
        assert ask(url, "POST", "/virtual/begin", cookie)[0] == 409
