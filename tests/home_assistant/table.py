"""A companion that publishes its table, which can be killed and started again."""

import json
import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import httpx

from tests.mqtt.mosquitto import Mosquitto
from tests.running import Child, child

KEY: Final = "tangaroa-waits-here"
TARGET: Final = "60"
"""Points at which a game of Topple ends."""
SETTINGS: Final = """
[camera]
source = "none"
[table]
game = "topple"
[web]
key = "{key}"
[mqtt]
broker = "127.0.0.1"
port = {port}
table = "bar"
discovery = true
commands = true
"""


class Table:
    """A `tiki run` whose log is in *folder*, publishing to *broker*."""

    def __init__(self, folder: Path, broker: Mosquitto) -> None:
        folder.mkdir()
        self._folder, self._file = folder, folder / "tiki.toml"
        self._file.write_text(SETTINGS.format(key=KEY, port=broker.port))
        self._stack = ExitStack()
        self._running: Child | None = None

    def start(self) -> None:
        """Start it; its pages answer as soon as this returns."""
        running = child(self._folder, "--config", str(self._file))
        self._running = self._stack.enter_context(running)

    def kill(self) -> None:
        """Kill it, if it runs."""
        if self._running is not None:
            self._running.process.kill()
            self._running = None
            self._stack.close()

    def freeze(self, *, frozen: bool) -> None:
        """Let it do nothing, connections open, as when its power or its network fails."""
        assert self._running
        self._running.process.send_signal(signal.SIGSTOP if frozen else signal.SIGCONT)

    def _client(self) -> httpx.Client:
        assert self._running
        url, headers = f"http://127.0.0.1:{self._running.port}", {"Authorization": f"Bearer {KEY}"}
        return httpx.Client(base_url=url, headers=headers, timeout=20)

    def board(self) -> dict[str, Any]:
        """Return its scoreboard."""
        with self._client() as client:
            found: dict[str, Any] = json.loads(client.get("/api/v1/state").text)
        return found

    def tell(self, action: str) -> None:
        """Enter *action* as the host."""
        with self._client() as client:
            client.post("/api/v1/tell", data={"action": action}).raise_for_status()

    def begin(self, *names: str) -> None:
        """Begin another game with these people on the host's page."""
        form = {"step": "start", "game": "topple", "players": str(len(names)), "target": TARGET}
        form |= {f"name{seat}": name for seat, name in enumerate(names)}
        with self._client() as client:
            client.get(f"/?key={KEY}")
            answer = client.post("/new", data=form)
            assert answer.status_code == 303, answer.text
