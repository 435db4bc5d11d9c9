"""A real Home Assistant, in a Debian of its own: started, killed, and asked what it shows."""

import json
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any, Final, NamedTuple

import httpx

from tests.running import free_port

PROGRAM: Final = "/srv/hass/bin/hass"
PYTHON: Final = "/srv/hass/bin/python"
CONFIG: Final = "/srv/config"
"""As the Debian has them."""
ENVIRONMENT: Final = {
    "HOME": "/root", "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
}  # fmt: skip
START_S: Final = 90.0
ANSWER_S: Final = 20.0
LOOK_S: Final = 0.05
CLIENT: Final = "http://127.0.0.1/"
SETTINGS: Final = """
http:
  server_host: 127.0.0.1
  server_port: {port}
api:
logger:
  default: warning
counter:
  flashes:
template:
  - light:
      name: shelf
      turn_on:
        - action: counter.increment
          target:
            entity_id: counter.flashes
      turn_off: []
automation: !include automations.yaml
"""
"""A light that counts how often it flashes."""


class NoAnswer(Exception):
    """Home Assistant did not do what it was asked for; the message says what."""


class Change(NamedTuple):
    """A state that has changed; *state* is "" where the entity has gone."""

    entity: str
    state: str
    attributes: Mapping[str, Any]


def seconds_until(condition: Callable[[], object], limit_s: float) -> float:
    """Return after how many seconds *condition* held, infinity if it did not within *limit_s*."""
    began_s = time.monotonic()
    while True:
        spent_s = time.monotonic() - began_s
        with suppress(httpx.HTTPError):
            if condition():
                return spent_s
        if spent_s > limit_s:
            return inf
        time.sleep(LOOK_S)


class HomeAssistant:
    """Home Assistant of the Debian at *tree*, whose settings are in *folder*/config.

    automations: as a file of its settings.  changes: all that it has told of states.
    """

    def __init__(self, tree: Path, folder: Path, automations: str) -> None:
        self._tree, self._said = tree, folder / "home-assistant.log"
        self.port, self.changes = free_port(), list[Change]()
        self._process: subprocess.Popen[bytes] | None = None
        self._client = httpx.Client(base_url=f"http://127.0.0.1:{self.port}", timeout=ANSWER_S)
        self._refresh = ""
        config = folder / "config"
        (config / "configuration.yaml").write_text(SETTINGS.format(port=self.port))
        (config / "automations.yaml").write_text(automations)

    @property
    def versions(self) -> str:
        """Which Home Assistant and which Python it is."""
        words = "import homeassistant.const as c, platform as p; print(c.__version__, 'on Python',"
        return self._run(PYTHON, "-c", f"{words} p.python_version())").strip()

    def _run(self, *words: str) -> str:
        command = ["chroot", str(self._tree), *words]
        done = subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, text=True)
        return done.stdout

    # Whether it runs.

    def start(self) -> float:
        """Start it, and return how many seconds it took; raises NoAnswer."""
        with self._said.open("ab") as said:
            self._process = subprocess.Popen(
                ["chroot", self._tree, PROGRAM, "--config", CONFIG, "--skip-pip"],
                env=ENVIRONMENT,
                stdout=said,
                stderr=said,
            )
        took_s = seconds_until(self._is_up, START_S)
        if took_s > START_S:
            raise NoAnswer(f"Home Assistant did not start: {self._said.read_text()[-2000:]}")
        return took_s

    def _is_up(self) -> bool:
        """Return whether all of it runs; before anybody is its user, whether it answers."""
        if not self._refresh:
            return self._client.get("/api/onboarding").status_code == 200
        self._log_in(grant_type="refresh_token", refresh_token=self._refresh)
        if self._client.get("/api/config").json()["state"] != "RUNNING":
            return False
        threading.Thread(target=self._follow, daemon=True).start()
        return True

    def stop(self) -> None:
        """End it, as its own restart does."""
        assert self._process
        self._process.terminate()
        self._process.wait(START_S)

    def kill(self) -> None:
        """Kill it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    # Who uses it.

    def welcome(self) -> None:
        """Make its first user, and be that from now on."""
        user = {"name": "Ann", "username": "ann", "password": "tangaroa", "language": "en"}
        answer = self._client.post("/api/onboarding/users", json={"client_id": CLIENT, **user})
        code = answer.raise_for_status().json()["auth_code"]
        self._log_in(grant_type="authorization_code", code=code)
        threading.Thread(target=self._follow, daemon=True).start()

    def _log_in(self, **words: str) -> None:
        answer = self._client.post("/auth/token", data={"client_id": CLIENT, **words})
        found = answer.raise_for_status().json()
        self._refresh = found.get("refresh_token", self._refresh)
        self._token = str(found["access_token"])
        self._client.headers["Authorization"] = f"Bearer {self._token}"

    def add_broker(self, port: int) -> None:
        """Add the MQTT integration, as its pages do; raises NoAnswer."""
        flows = "/api/config/config_entries/flow"
        flow = self._client.post(flows, json={"handler": "mqtt"}).raise_for_status().json()
        broker = {"broker": "127.0.0.1", "port": port}
        answer = self._client.post(f"{flows}/{flow['flow_id']}", json=broker)
        if answer.json().get("type") != "create_entry":
            raise NoAnswer(f"the MQTT integration is not added: {answer.text}")

    # What it shows.

    def _follow(self) -> None:
        """Note all changes of states until it ends."""
        headers = dict(self._client.headers)
        url = f"http://127.0.0.1:{self.port}/api/stream?restrict=state_changed"
        with (
            suppress(httpx.HTTPError),
            httpx.stream("GET", url, headers=headers, timeout=None) as stream,
        ):
            for line in stream.iter_lines():
                if not line.startswith("data: {"):
                    continue
                told = json.loads(line.removeprefix("data: "))["data"]
                new = told["new_state"] or {"state": "", "attributes": {}}
                self.changes.append(Change(told["entity_id"], new["state"], new["attributes"]))

    def states(self) -> dict[str, Change]:
        """Return what it shows, by entity."""
        found = self._client.get("/api/states").raise_for_status().json()
        return {
            each["entity_id"]: Change(each["entity_id"], each["state"], each["attributes"])
            for each in found
        }

    def of_mqtt(self) -> list[str]:
        """Return the entities of the MQTT integration, sorted."""
        words = {"template": "{{ integration_entities('mqtt') | tojson }}"}
        answer = self._client.post("/api/template", json=words).raise_for_status()
        return sorted(answer.json())

    def press(self, button: str) -> None:
        """Press a button."""
        words = {"entity_id": button}
        self._client.post("/api/services/button/press", json=words).raise_for_status()

    def complaints(self) -> list[str]:
        """Return what it has said of MQTT that is a warning or worse."""
        lines = self._said.read_text(errors="replace").splitlines()
        return [line for line in lines if "mqtt" in line and ("WARN" in line or "ERROR" in line)]
