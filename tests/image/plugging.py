"""A game that loses its power again and again, and the claim that it is always found again."""

import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import httpx

from tests.claims import Claims
from tests.image.container import Container
from tests.image.judge import DOINGS, Known, Row, doing, faults, scores
from tests.image.machine import Machine, PowerGone
from tests.image.phone import Phone
from tests.image.service import Service

GAME, NAMES, TARGET = "topple", ("Ann", "Bob"), "9999"
"""A game that does not end before the last pull."""
UP_S: Final = 240.0
HEARD_S: Final = 30.0
PLAY_S: Final = 15.0
PRESS_SHARE, FALL_SHARE = 0.1, 0.05


class Evening:
    """One game on *machine*; the seed of *rng* decides all but how fast the machine is.

    boots_s: by start, the time from power to page.  pulls: how often the plug was pulled.
    heard: how often a press or a fall on a wire was heard.
    """

    def __init__(self, machine: Machine | Container, claims: Claims, rng: random.Random) -> None:
        self._machine, self._claims, self._rng = machine, claims, rng
        self.known = Known()
        self.boots_s: list[float] = []
        self.pulls = self.heard = 0
        self._key = ""

    def wire(self) -> str:
        """Wire the table, which is on, look at it, and return the host's key."""
        service = Service(self._machine)
        service.change(*self._machine.wires)
        service.stop()  # the doctor opens the wires itself
        said, claim = service.doctor(), self._claims.claim
        wrong = {name: line for name, line in said.items() if line.startswith("failed")}
        claim(f"tiki doctor fails nowhere in {len(said)} lines", said and not wrong, wrong or said)
        for name in self._machine.doctors:
            line = said.get(name, "nothing")
            claim(f"of the {name} it says {line}", line.startswith("ok: "))
        service.restart(UP_S)
        return service.key()

    def begin(self, key: str) -> None:
        """Start the game at the table, which is on, play, and pull the plug."""
        self._key = key
        phone = self._phone()
        phone.log_in()
        phone.begin(GAME, NAMES, target=TARGET)
        self._play_and_pull(phone, PLAY_S)

    def start_and_pull(self) -> None:
        """Give it power, judge what is there, play on, and pull the plug at some instant."""
        while self._rng.random() < self._machine.early_share:
            self._machine.power_up()
            after_s = self._rng.uniform(0.0, max(self.boots_s, default=UP_S / 8))
            time.sleep(after_s)
            self._lose_power(f"{after_s:.1f} s after it came back")
        phone = self.start()
        self._play_and_pull(phone, self._rng.uniform(0.0, PLAY_S))

    def start(self) -> Phone:
        """Give it power and judge what is there; return a phone that follows the game from here."""
        self._machine.power_up()
        phone = self._phone()
        phone.wait_until(lambda _: True, UP_S, "the page")
        self.boots_s.append(self._machine.since_power_s)
        self._judge(phone)
        phone.log_in()
        return phone

    # What is judged.

    def _judge(self, phone: Phone) -> None:
        """Compare the game that is there with what people know of it."""
        header, rows = phone.record()
        wrong = faults(self.known, rows)
        if header["game"] != GAME:
            wrong.append(f"lost: {GAME}; {header['game']} is there")
        if not wrong:
            wrong += self._wrong_scores(phone, header, rows)
        known, more = len(self.known.shown), len(rows) - len(self.known.shown)
        claim = self._claims.claim
        claim(
            f"up after {self.boots_s[-1]:.0f} s with all {known} rows that were shown"
            + (f", and {more} that were under way" if more > 0 else ""),
            not wrong,
            "; ".join(wrong),
        )
        service = Service(self._machine)
        now = f"{service.shown('ActiveState')} {service.shown('NRestarts')} {service.failed_units}"
        claim(
            "the service is active, never restarted, and no unit has failed",
            now == "active 0 ",
            now,
        )
        self.known = phone.known = Known(rows)

    def _wrong_scores(self, phone: Phone, header: Row, rows: list[Row]) -> list[str]:
        """Return what the page has that the rules do not make of *rows*."""
        try:
            true = scores(header, rows)
        except ValueError as error:
            return [str(error)]
        shown = tuple(player["score"] for player in phone.state()["players"])
        return [] if shown == true else [f"the page has {shown}, by the rules it is {true}"]

    # What people do.

    def _phone(self) -> Phone:
        return Phone(f"http://127.0.0.1:{self._machine.port}", self._key, self.known)

    def _play_and_pull(self, phone: Phone, play_s: float) -> None:
        """Play for so long; then the power is gone, whatever is going on."""
        phone.follow()
        instant = threading.Timer(play_s, self._machine.cut)
        instant.start()
        with suppress(httpx.HTTPError, PowerGone):
            while (
                self._machine.is_on
            ):  # else what is still under way would be forgotten for the next
                self._play(phone)
        instant.join()
        phone.put_away()
        self._lose_power(f"after {play_s:.1f} s of play, {len(self.known.shown)} rows known")

    def _lose_power(self, when: str) -> None:
        self.pulls += 1
        lost = self._machine.pull(self._rng)
        print(f"   pull {self.pulls}: {when}; {lost}", flush=True)

    def _play(self, phone: Phone) -> None:
        """Tap, or let a wire speak; each is heard before the next."""
        done = (doing(row) for row in reversed(self.known.shown) if row["type"] in DOINGS)
        last = next(done, "")
        chance = self._rng.random()
        if chance < PRESS_SHARE and last.startswith("place"):
            self._sense(phone, "undo", self._machine.undo)
        elif chance < PRESS_SHARE + FALL_SHARE and last.startswith("roll"):
            self._sense(phone, "topple", self._machine.topple)
            self._machine.set_up()
        else:
            phone.tap(self._rng)

    def _sense(self, phone: Phone, words: str, move: Callable[[], None]) -> None:
        """Let a wire say *words*, and wait until the page shows that, and not another row."""
        phone.begin_doing(words)
        move()
        heard = phone.wait_until_shown(HEARD_S, lambda: self._machine.is_on)
        self.heard += heard
        if not heard and self._machine.is_on:
            self._claims.claim(f"'{words}' on its wire is heard", False, self.known)
