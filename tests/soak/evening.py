"""One game at the real daemon, played to its end by random taps while things go wrong."""

import random
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from tests.bare_rules import Bare, read_rows
from tests.soak.house import KEY, CannotStart, House
from tests.soak.tally import Tally
from tests.tapping import SHORT, chosen, forms_in, secret_of
from tests.web.filled_forms import action_of
from tests.web.games import seats_of

MAX_STEPS: Final = 1500
ANSWER_S: Final = 60.0
"""Whoever sits at the table is answered within so many seconds, whatever others do."""
NAMED_S: Final = 60.0
"""A camera that stalls is named by then."""
BACK_S: Final = 60.0
"""So soon a camera that sends pictures again is watched again."""
CROWD: Final = 60
TROUBLED_TAPS: Final = 3
NONSENSE: Final = 12
PATHS: Final = (
    "/", "/desk", "/seat", "/enter", "/choose", "/undo", "/instead", "/correct", "/invite", "/new",
    "/pause", "/api/tell", "/api/state", "/join/nobody", "/desk/correct/1", "/desk/correct/99999",
    "/table-is-right", "/game-is-right", "/idol", "/live", "/display.png", "/nowhere",
)  # fmt: skip
WORDS: Final = ("", "0", "-1", "9" * 50, "up1 nani", "undo", "\0", "é", "../..", "{}", "true")


class Unanswered(RuntimeError):
    """The daemon does not answer who sits at the table."""


@dataclass
class Evening:
    """A game of *game* in *house*, by chance.

    kept: the rows of the log that the people know to be there.  secrets: what seats have entered.
    ordeal_share: how often something goes wrong between two taps.  most_ordeals: after so many
        nothing does any more.
    """

    house: House
    game: str
    rng: random.Random
    tally: Tally
    kept: list[dict[str, Any]] = field(default_factory=list)
    secrets: list[tuple[int, str]] = field(default_factory=list)
    ordeal_share: float = 0.15
    most_ordeals: int = MAX_STEPS
    round: int = 0
    _coming: list[Callable[[], None]] = field(default_factory=list)

    def play(self) -> None:
        """Begin the game, play it to its end, and judge what the log holds."""
        with httpx.Client(timeout=ANSWER_S) as self.host:
            self._begin()
            for _ in range(MAX_STEPS):
                state = self._state()
                if state["is_over"]:
                    self.tally.ended += 1
                    break
                if state["round"] != self.round:
                    self.round = state["round"]
                    self._keep_secrets()
                if self.most_ordeals and self.rng.random() < self.ordeal_share:
                    self.most_ordeals -= 1
                    self._suffer()
                    continue
                self._tap(state)
            else:
                self.tally.note("stuck", f"{self.game} did not end")
            self._judge_end()
            for seat in self.seats:
                seat.close()

    def _suffer(self) -> None:
        """Let one thing go wrong; each once before any comes again."""
        if not self._coming:
            self._coming = [
                self._kill,
                self._stop,
                self._fill_disk,
                self._damage,
                self._crowd,
                self._send_nonsense,
                *((self._stall_camera,) if self.house.camera else ()),
            ]
            self.rng.shuffle(self._coming)
        self._coming.pop()()

    # What people do.

    def _begin(self) -> None:
        self.house.start()
        assert self._get(f"/?key={KEY}").status_code == 303
        players = seats_of(self.game)
        names = {f"name{seat}": f"Player {seat}" for seat in range(players)}
        form = {
            "step": "start",
            "game": self.game,
            "players": str(players),
            **names,
            **SHORT.get(self.game, {}),
        }
        assert self._post("/new", form) == 303
        self.seats = [httpx.Client(timeout=ANSWER_S) for _ in range(players)]
        desk = self._get("/desk").text
        for number, seat in enumerate(self.seats):
            link = desk.split(f'data-link-seat="{number}"')[1].split('href="')[1].split('"')[0]
            assert seat.post(link).status_code == 303
        self._learn()

    def _tap(self, state: dict[str, Any]) -> None:
        """Take something that is offered; answer what is asked; at times take something back."""
        desk = self._get("/desk").text
        if state["question"]:
            form = next(form for form in forms_in(desk) if form.path == "/choose")
            answers = [each for each in form.choices["choice"] if each != "none"]
            self._enter("/choose", {**form.fields, "choice": self.rng.choice(answers)})
            return
        if self.rng.random() < 0.02 and (
            undo := [form for form in forms_in(desk) if form.path == "/undo"]
        ):
            self._enter("/undo", undo[0].fields)
            return
        choice = chosen(self.rng, desk)
        if choice is None:
            self.tally.note("stuck", f"{self.game}: nothing is offered: {state['waiting_for']}")
            raise Unanswered("nothing is offered")
        self._enter("/enter", choice[1])
        self._look_for_secrets()

    def _enter(self, path: str, form: dict[str, str]) -> None:
        status = self._post(path, form)
        self.tally.taps += 1
        if status == 303:
            self._learn()
        elif status != 409:
            self.tally.note("broken", f"{path} {action_of(form)} got {status}")

    def _keep_secrets(self) -> None:
        """Let every seat enter its secret, if the game has any."""
        for number, seat in enumerate(self.seats):
            for form in forms_in(seat.get(f"{self.house.url}/seat").text):
                if form.path == "/seat":
                    sent = secret_of(self.rng, form)
                    answer = seat.post(f"{self.house.url}/seat", data=form.fields | sent)
                    if answer.status_code == 303:
                        self.secrets.append((number, " ".join(sent.values())))
        self._learn()

    def _look_for_secrets(self) -> None:
        """Count what another seat's page or a stranger's shows before the table does."""
        shown = " ".join(
            row.get("action", "") for row in self.kept if row["type"] in ("move", "observed")
        )
        pages = [(-1, httpx.get(self.house.url, timeout=ANSWER_S).text)]
        number = self.rng.randrange(len(self.seats))
        pages.append((number, self.seats[number].get(f"{self.house.url}/seat").text))
        for owner, secret in self.secrets:
            for reader, html in pages:
                forms = (secret, secret.replace(" ", ", "))
                if reader != owner and secret not in shown and any(each in html for each in forms):
                    self.tally.note("leaked", f"{self.game}: {secret} of {owner} to {reader}")

    # What goes wrong.

    def _kill(self) -> None:
        """Kill the daemon in the middle of a tap, and start it again."""
        self.tally.kills += 1
        choice = chosen(self.rng, self._get("/desk").text)
        if choice is not None:
            answered: list[int] = []
            sender = threading.Thread(target=self._send_quietly, args=(choice[1], answered))
            sender.start()
            time.sleep(self.rng.random() * 0.01)
            self.house.kill()
            sender.join()
            self._come_back(answered == [303])
        else:
            self.house.kill()
            self._come_back()

    def _send_quietly(self, form: dict[str, str], answered: list[int]) -> None:
        with suppress(httpx.HTTPError):
            cookies = dict(self.host.cookies)
            answer = httpx.post(
                f"{self.house.url}/enter", data=form, cookies=cookies, timeout=ANSWER_S
            )
            answered.append(answer.status_code)

    def _stop(self) -> None:
        """Stop the daemon as the system does, with a page open, and start it again."""
        self.tally.stops += 1
        with httpx.stream("GET", f"{self.house.url}/live?page=board", timeout=ANSWER_S):
            status = self.house.stop()
        if status != 0:
            self.tally.note("broken", f"a stop ended with {status}")
        if self.house.log.with_name(f"{self.house.log.name}-wal").exists():
            self.tally.note("broken", "a stop left the journal behind")
        self._come_back()

    def _fill_disk(self) -> None:
        """Let the disk be full for some taps; each is kept or refused, and then all goes on."""
        self.tally.full_disks += 1
        self.house.fill_disk()
        for _ in range(TROUBLED_TAPS):
            choice = chosen(self.rng, self._get("/desk").text)
            if choice is None:
                break
            status = self._post("/enter", choice[1])
            if status == 303:
                self._learn()
            elif status not in (409, 503):
                self.tally.note("broken", f"a full disk got {status}")
        self.house.empty_disk()
        if not self._comes(ANSWER_S, lambda: not self._log_is_lost()):
            self.tally.note("stuck", "the log did not come back with the space")
        if self.rng.random() < 0.5:
            self.house.kill()
            self._come_back()
        self._learn()

    def _log_is_lost(self) -> bool:
        return any(words.startswith("the log: ") for words in self._state()["warnings"])

    def _damage(self) -> None:
        """Damage the log of a stopped daemon: it is the same game, or is refused in one line."""
        self.tally.damages += 1
        self.house.kill()
        self.house.save_log()
        where = self.house.damage_log(self.rng)
        try:
            self.house.start()
        except CannotStart as refused:
            lines = refused.said.strip().splitlines()
            if refused.status != 1 or len(lines) != 1 or "tiki log recover" not in lines[0]:
                self.tally.note("broken", f"noise in {where} said: {refused.said[-300:]}")
            self.tally.refused += 1
        else:
            rows = self._rows()
            if rows != self.kept:
                counts = f"{len(self.kept)} rows became {len(rows)}"
                self.tally.note("lost", f"{self.game}: noise in {where}: {counts}")
            self.house.kill()
        self.house.restore_log()
        self._come_back()

    def _crowd(self) -> None:
        """Let many connect and send half a request: the table is answered all the same."""
        self.tally.crowds += 1
        sockets: list[socket.socket] = []
        try:
            for number in range(CROWD):
                stranger = socket.socket()
                stranger.settimeout(1.0)
                sockets.append(stranger)
                stranger.bind((f"127.0.0.{self.rng.randint(2, 9)}", 0))
                with suppress(OSError):
                    stranger.connect(("127.0.0.1", self.house.port))
                    half = (b"", b"GET / HTTP/1.1\r\nHost: tiki", b"POST /enter HTTP/1.1\r\n")
                    stranger.sendall(half[number % len(half)])
            self._get("/")
        finally:
            for stranger in sockets:
                stranger.close()

    def _send_nonsense(self) -> None:
        """Let strangers, seats and the host send what no page would."""
        self.tally.nonsense += 1
        for _ in range(NONSENSE):
            visitor = self.rng.choice([self.host, *self.seats, None])
            names = ("action", "mark", "seat", "seq", "choice", "players", "part0", "sensor")
            form = {name: self.rng.choice(WORDS) for name in names if self.rng.random() < 0.5}
            path = self.rng.choice(PATHS)
            method = "POST" if path not in ("/live", "/api/state") else "GET"
            status = self._send(visitor, method, path, form)
            if status >= 500:
                self.tally.note("broken", f"{method} {path} {form} got {status}")
        # What the host says counts, nonsense or not: a pause, a new link, a take-back.
        if self._state()["paused"]:
            self._post("/pause", {"paused": "0"})
        self._rejoin()
        self._learn()

    def _send(
        self, visitor: httpx.Client | None, method: str, path: str, form: dict[str, str]
    ) -> int:
        url = self.house.url + path
        if path in ("/live", "/new"):
            return 0  # a stream has no end; another game is another evening
        data = form if method == "POST" else None
        if visitor is None:
            return httpx.request(method, url, data=data, timeout=ANSWER_S).status_code
        return visitor.request(method, url, data=data).status_code

    def _stall_camera(self) -> None:
        """Let the camera's stream stall: that is named, the game goes on, and it comes back."""
        assert self.house.camera is not None
        self.tally.stalls += 1
        self.house.camera.stalled.set()
        if not self._comes(NAMED_S, self._camera_is_lost):
            self.tally.note("stuck", "a stalled camera was not named")
        self._tap(self._state())
        self.house.camera.stalled.clear()
        if not self._comes(BACK_S, lambda: not self._camera_is_lost()):
            self.tally.note("stuck", "the camera did not come back")

    def _camera_is_lost(self) -> bool:
        return any(words.startswith("the camera: ") for words in self._state()["warnings"])

    def _comes(self, within_s: float, is_so: Callable[[], bool]) -> bool:
        """Return whether something comes true in time."""
        until = time.monotonic() + within_s
        while not is_so():
            if time.monotonic() > until:
                return False
            time.sleep(0.1)
        return True

    def _rejoin(self) -> None:
        """Let everyone whose link was replaced join again."""
        desk = self._get("/desk").text
        for number, seat in enumerate(self.seats):
            piece = desk.split(f'data-link-seat="{number}"')
            if len(piece) > 1 and 'class="link"' in piece[1].split("</li>")[0]:
                link = piece[1].split('href="')[1].split('"')[0]
                seat.post(link)

    # What is judged.

    def _come_back(self, is_kept: bool = False) -> None:
        """Start the daemon again and compare what it has with what the people know."""
        try:
            self.house.start()
        except CannotStart as refused:
            self.tally.note("lost", f"no start: {refused}")
            raise
        rows = self._rows()
        if rows[: len(self.kept)] != self.kept:
            self.tally.note("lost", f"{self.game}: {len(self.kept)} rows became {len(rows)}")
        if is_kept and len(rows) == len(self.kept):
            self.tally.note("lost", f"{self.game}: a tap that was answered is not there")
        self.kept = rows

    def _learn(self) -> None:
        """Take note of what the log holds: nothing that was known may have gone."""
        rows = self._rows()
        if rows[: len(self.kept)] != self.kept:
            self.tally.note("lost", f"{self.game}: known rows are not there any more")
        self.kept = rows

    def _rows(self) -> list[dict[str, Any]]:
        return read_rows(self.house.log)[1]

    def _judge_end(self) -> None:
        """Compare the log with the rules alone, and what the daemon has said with silence."""
        state, rows = self._state(), self._rows()
        if state["is_over"] and not any(row["type"] in ("corrected", "adopted") for row in rows):
            outcome = Bare(read_rows(self.house.log)[0], rows).outcome()
            scores = tuple(player["score"] for player in state["players"])
            if scores != outcome.scores:
                self.tally.note("wrong", f"{self.game}: {scores}, by the rules {outcome.scores}")
        if "Traceback" in self.house.said.read_text(errors="replace"):
            self.tally.note("broken", f"{self.game}: a traceback in {self.house.said}")

    # The wire.

    def _get(self, path: str) -> httpx.Response:
        try:
            return self.host.get(self.house.url + path)
        except httpx.HTTPError as error:
            self.tally.note("stuck", f"{path} was not answered: {error!r}")
            raise Unanswered(path) from None

    def _post(self, path: str, form: dict[str, str]) -> int:
        try:
            return self.host.post(self.house.url + path, data=form).status_code
        except httpx.HTTPError as error:
            self.tally.note("stuck", f"{path} was not answered: {error!r}")
            raise Unanswered(path) from None

    def _state(self) -> dict[str, Any]:
        found: dict[str, Any] = self._get("/api/state").json()
        return found
