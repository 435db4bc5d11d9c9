"""A phone in the table's home network: what it is shown, and what is tapped in on it."""

import json
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import httpx

from tests.image.judge import DOINGS, Known, Row, fits
from tests.image.machine import NoAnswer
from tests.tapping import chosen
from tests.web.filled_forms import action_of

ANSWER_S: Final = 60.0
LOOK_S: Final = 0.1


class Phone:
    """The host's phone at the table whose page is at *url*.

    key: the host's, "" for a phone that only watches.  known: what it knows of the game in play.
    """

    def __init__(self, url: str, key: str, known: Known) -> None:
        self.known = known
        self._lock = threading.Lock()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.Client(base_url=url, timeout=ANSWER_S, headers=headers)
        self._key = key
        self._is_away = False
        self._follower: threading.Thread | None = None

    # What it is shown.

    def state(self) -> dict[str, Any]:
        """Return the scoreboard."""
        found: dict[str, Any] = self._client.get("/api/v1/state").raise_for_status().json()
        return found

    def wait_until(
        self, wanted: Callable[[dict[str, Any]], object], within_s: float, what: str
    ) -> dict[str, Any]:
        """Return the scoreboard once *wanted* holds of it; raises NoAnswer."""
        deadline_s = time.monotonic() + within_s
        board: object = "no answer"
        while time.monotonic() < deadline_s:
            with suppress(httpx.HTTPError):
                board = found = self.state()
                if wanted(found):
                    return found
            time.sleep(LOOK_S)
        raise NoAnswer(f"{what} did not come within {within_s:.0f} s: {board}"[:2000])

    def record(self) -> tuple[Row, list[Row]]:
        """Return the newest game's header and its rows."""
        games = self._client.get("/api/v1/games").raise_for_status().json()["games"]
        newest = max(game["number"] for game in games)
        answer = self._client.get(f"/api/v1/games/{newest}/record").raise_for_status()
        header, *rows, _ = map(json.loads, answer.text.splitlines())
        return header, rows

    def follow(self) -> None:
        """Let its page come alive: what it shows from now on is known."""
        is_there = threading.Event()
        self._follower = threading.Thread(target=self._follow, args=(is_there,), daemon=True)
        self._follower.start()
        if not is_there.wait(ANSWER_S):
            raise NoAnswer("the stream of events did not begin")

    def _follow(self, is_there: threading.Event) -> None:
        with (
            suppress(httpx.HTTPError),
            self._client.stream("GET", "/api/v1/events", timeout=ANSWER_S) as stream,
        ):
            for line in stream.iter_lines():
                if self._is_away:
                    return
                if line.startswith("data:"):
                    is_there.set()
                    self._show(json.loads(line.removeprefix("data:")))

    def _show(self, event: Any) -> None:
        if not isinstance(event, dict) or "seq" not in event or event.get("type") == "state":
            return
        with self._lock:
            self.known.shown.append(event)
            if event["type"] not in DOINGS:
                return
            if self.known.answered and fits(self.known.answered[0], event):
                del self.known.answered[0]
            elif fits(self.known.under_way, event):
                self.known.under_way = ""

    # What is tapped in.

    def log_in(self) -> None:
        """Open the host's address."""
        if self._client.get(f"/?key={self._key}").status_code != 303:
            raise NoAnswer("the host's key is not taken")

    def begin(self, game: str, names: tuple[str, ...], **options: str) -> None:
        """Start another game on the host's page."""
        form = {"step": "start", "game": game, "players": str(len(names)), **options}
        form |= {f"name{seat}": name for seat, name in enumerate(names)}
        answer = self._client.post("/new", data=form)
        if answer.status_code != 303:
            raise NoAnswer(f"no new game: {answer.status_code} {answer.text[:500]}")

    def tap(self, rng: random.Random) -> bool:
        """Take something that the host's page offers; return whether it was accepted."""
        choice = chosen(rng, self._client.get("/desk").raise_for_status().text)
        if choice is None:
            raise NoAnswer("the page offers nothing")
        action = action_of(choice[1])
        return self.tell(action, "/enter", choice[1])

    def tell(self, action: str, path: str, form: dict[str, str]) -> bool:
        """Send *form*, which says *action*; return whether it was accepted."""
        self.begin_doing(action)
        status = self._client.post(path, data=form).status_code
        with self._lock:
            if status not in (200, 303):
                self.known.under_way = ""
                return False
            if self.known.under_way:  # nothing was shown of it yet
                self.known.under_way = ""
                self.known.answered.append(action)
        return True

    def begin_doing(self, action: str) -> None:
        """Take note that *action* is being done, here or at the table."""
        with self._lock:
            self.known.under_way = action

    def wait_until_shown(self, within_s: float, is_on: Callable[[], bool]) -> bool:
        """Return whether what is under way was shown in time, and while the table *is_on*."""
        deadline_s = time.monotonic() + within_s
        while self.known.under_way and time.monotonic() < deadline_s and is_on():
            time.sleep(LOOK_S)
        return not self.known.under_way

    def put_away(self) -> None:
        """Let it be; its connections end."""
        self._is_away = True
        if self._follower is not None:
            self._follower.join(ANSWER_S)
        self._client.close()
