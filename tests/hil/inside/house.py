"""The daemon as its people meet it: started by an unprivileged user, asked through its pages."""

import html
import io
import json
import os
import pwd
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlencode

from PIL import Image

from hardware.lights import Strip

USER: Final = "pi"
KEY: Final = "a-long-evening"
TIKI: Final = "/opt/tiki/.venv/bin/tiki"
START_S: Final = 180.0
DEADLINE_S: Final = 30.0


class _Stay(urllib.request.HTTPRedirectHandler):
    """Leaves an answer that leads elsewhere as it is."""

    def redirect_request(self, *_: Any) -> None:
        """Follow nothing."""


def as_user(*command: str, out: Any) -> "subprocess.Popen[str]":
    """Start *command* as the user of the Pi, with that user's groups."""
    who = pwd.getpwnam(USER)
    return subprocess.Popen(
        command,
        stdout=out,
        stderr=subprocess.STDOUT,
        text=True,
        user=who.pw_uid,
        group=who.pw_gid,
        extra_groups=os.getgrouplist(USER, who.pw_gid),
        cwd=who.pw_dir,
        env={"HOME": who.pw_dir, "PATH": "/usr/local/bin:/usr/bin", "LC_ALL": "C.UTF-8"},
    )


class House:
    """A daemon that runs.

    url: of its pages.  said: the file of what it has said.
    """

    def __init__(self, url: str, said: Path, process: "subprocess.Popen[str]") -> None:
        self.url = url
        self.said = said
        self._process = process
        self._opener = urllib.request.build_opener(_Stay)

    def read(self, path: str, form: dict[str, Any] | None = None) -> bytes:
        """Return the answer at *path*, to the host's *form* if one is given."""
        data = urlencode(form).encode() if form else None
        request = urllib.request.Request(self.url + path, data, {"Authorization": f"Bearer {KEY}"})
        return _read(request)

    def ask(self, path: str, form: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the JSON answer at *path*."""
        found: dict[str, Any] = json.loads(self.read(path, form))
        return found

    def record(self) -> list[dict[str, Any]]:
        """Return the record of the newest game, line by line."""
        newest = max(game["number"] for game in self.ask("/api/v1/games")["games"])
        text = self.read(f"/api/v1/games/{newest}/record").decode()
        return [json.loads(line) for line in text.splitlines()]

    def tell(self, action: str) -> None:
        """Tap *action* in."""
        self.ask("/api/v1/tell", {"action": action})

    def state(self) -> dict[str, Any]:
        """Return the scoreboard."""
        return self.ask("/api/v1/state")

    def display(self) -> Image.Image:
        """Return the picture of the score display as the pages have it, 128 x 64 bits."""
        picture = Image.open(io.BytesIO(self.read("/api/v1/display.png")))
        return picture.convert("1").resize((128, 64), Image.Resampling.NEAREST)

    def lights(self) -> Strip:
        """Return the light strip as the pages have it."""
        page = self.read("/?view=maker").decode()
        found = re.findall(r'data-rgb="(\d+) (\d+) (\d+)"', page)
        return tuple((int(red), int(green), int(blue)) for red, green, blue in found)

    @contextmanager
    def hung(self) -> Iterator[None]:
        """Let it hang, as on a computer that stands still; in the end it goes on."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def wait_for(
        self,
        wanted: Callable[[dict[str, Any]], object],
        within_s: float = DEADLINE_S,
        look_s: float = 0.1,
    ) -> dict[str, Any]:
        """Return the scoreboard once *wanted* holds of it; it is looked at every *look_s*."""
        deadline = time.monotonic() + within_s
        while not wanted(board := self.state()):
            assert time.monotonic() < deadline, f"{board}\n{self.said.read_text()}"
            time.sleep(look_s)
        return board

    def calibrate(self, device: str, press: str) -> str:
        """Press a button of a calibration on the host's desk; return what the desk says next."""
        form = urlencode({"lesson": device, "press": press}).encode()
        headers = {"Cookie": self._cookie()}
        request = urllib.request.Request(f"{self.url}/teach", form, headers)
        text = html.unescape(_read(request).decode())
        found = re.search(rf'data-lesson="{device}".*?<p data-step>(.*?)</p>', text, re.DOTALL)
        assert found, text
        return found[1]

    def _cookie(self) -> str:
        try:
            reply = self._opener.open(f"{self.url}/?key={KEY}", timeout=DEADLINE_S)
        except urllib.request.HTTPError as error:  # it leads to the page without the key
            reply = error
        return str(reply.headers["set-cookie"]).partition(";")[0]


def _read(request: urllib.request.Request) -> bytes:
    """Return what is answered; a refusal fails with its words."""
    try:
        with urllib.request.urlopen(request, timeout=DEADLINE_S) as reply:
            found: bytes = reply.read()
            return found
    except urllib.request.HTTPError as error:
        page = error.read().decode()
        words = re.sub(r"<(style|script).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL)
        raise AssertionError(f"{error.code} {html.unescape(' '.join(words.split()))}") from None


@contextmanager
def at_home(folder: Path, text: str) -> Iterator[House]:
    """Run the installed companion on the settings *text*, and stop it as Ctrl-C does."""
    file, said = folder / "tiki.toml", folder / "said"
    file.write_text(text)
    with said.open("w") as out:
        process = as_user(TIKI, "run", "--config", str(file), "--port", "0", out=out)
    try:
        yield House(_address(said, process), said, process)
    finally:
        process.terminate()
        try:
            status = process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
    assert status == 0, f"the companion ended with {status}: {said.read_text()}"


def _address(said: Path, process: "subprocess.Popen[str]") -> str:
    deadline = time.monotonic() + START_S
    while not (found := re.search(r"everybody: \S+:(\d+)\b", said.read_text())):
        assert process.poll() is None, said.read_text()
        assert time.monotonic() < deadline, said.read_text()
        time.sleep(0.1)
    return f"http://127.0.0.1:{found[1]}"
