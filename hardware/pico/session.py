"""The Pi's end of the protocol in docs/wire.md: no port, no thread and no clock of its own."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event
from typing import Final, NamedTuple, TypeAlias

from firmware.wire import EVENTS, FROM_PICO, PROTOCOL, BadMessage, Reader, check, encode
from hardware.pico.time_map import TimeMap

PING_S: Final = 0.1
RESEND_S: Final = 0.5
"""What is not answered by then is said again."""
PATIENCE: Final = 3
"""Greetings that may go unanswered; they are counted, as time alone may only show that the Pi was
busy itself."""
MAX_RESEND_REQUESTS: Final = 10
"""Events that are still missing after so many requests are given up."""
BURST: Final = 8
"""So many questions follow each other at once, until the Pico's clock is known well."""
BASE: Final = 3
"""Of these so many, before any event is dated."""
LATE_S: Final = 0.3
"""An answer that took longer says too little of the time."""
_MICRO: Final = 1e-6
_REMEMBERED: Final = 64


class Hello(NamedTuple):
    """What a Pico says of itself.

    boot: another at each of its starts.  keys: the GP numbers of its contacts.  idol: those of the
    encoder, A and B, or none.  lights: such as 22x9, nine lights at GP22, or "-".
    """

    protocol: int
    firmware: str
    board: str
    boot: str
    keys: tuple[int, ...]
    idol: tuple[int, ...]
    lights: str
    reason: str


class Greeted(NamedTuple):
    """The Pico has answered; *resumed* if it is the one known, and has not restarted since."""

    hello: Hello
    resumed: bool


class Keyed(NamedTuple):
    """The contact at GP *pin* has closed or opened, at *at_s* of the Pi's clock."""

    pin: int
    closed: bool
    at_s: float


class Turned(NamedTuple):
    """The idol has come to *position*, in steps clockwise since the Pico's start."""

    position: int
    at_s: float


class Settled(NamedTuple):
    """All is known that happened until *at_s*; so it stood then.

    closed: the contacts, by GP number.  lost: edges that the Pico has lost since its start.
    fresh: nothing is known of what was before.
    """

    closed: dict[int, bool]
    position: int
    lost: int
    fresh: bool
    at_s: float


Happening: TypeAlias = Greeted | Keyed | Turned | Settled


class _Pong(NamedTuple):
    newest: int
    levels: int
    position: int
    lost: int
    at_s: float


@dataclass(eq=False, slots=True)
class Command:
    """Something that the Pico is to do.

    answered: set with the answer, or when it has been given up.
    refusal: why it was not done; None until then, "" if it was.
    """

    word: str
    fields: tuple[int | str, ...] = ()
    answered: Event = field(default_factory=Event)
    refusal: str | None = None
    numbers: list[int] = field(default_factory=list)
    due_s: float = 0.0


class Session:
    """What the Pi says to one Pico, and what it makes of the answers.

    first: the first frame's number; a random one keeps apart the answers to whoever was here
    before.  Events come exactly once and in order, however the bytes between were cut, garbled or
    doubled, and whatever connections came and went, as long as the Pico does not restart.

    hello: what the Pico says of itself, None until it has.  greeted: whether it has answered on
    this connection, and speaks the same protocol.  greetings: how often it was greeted since it
    last answered; more than PATIENCE, and it is somebody else, or silent.
    """

    def __init__(self, first: int = 1) -> None:
        self.hello: Hello | None = None
        self.greeted = False
        self.greetings = 0
        self._strange = 0
        self._numbers = itertools.count(first)
        self._reader = Reader()
        self._times = TimeMap()
        self._asked: dict[int, float] = {}
        self._hello_due_s = self._ping_due_s = self._resend_due_s = 0.0
        self._spoke_s = 0.0
        self._taken = 0
        self._based = False
        self._behind = -1
        self._resend_requests = 0
        self._resend_is_due = False
        self._pong: _Pong | None = None
        self._command: Command | None = None

    @property
    def rubbish(self) -> int:
        """How many lines were no frame of a Pico, since the connection began."""
        return self._reader.bad + self._strange

    @property
    def based(self) -> bool:
        """Whether it is known how the Pico's contacts stood at some time since its start."""
        return self._based

    @property
    def taken(self) -> int:
        """The newest event that was received in order."""
        return self._taken

    def connect(self, now_s: float) -> None:
        """Begin on a new connection."""
        self._reader = Reader()
        self._strange = 0
        self._asked.clear()
        self._command = None
        self.greetings = 0
        self._greet(now_s)

    def command(self, command: Command) -> None:
        """Have *command* done; another one that is still under way is forgotten."""
        self._command = command

    def due(self, now_s: float) -> bytes:
        """Return what is to be said now."""
        if self.greeted and now_s - self._spoke_s > RESEND_S:
            self._greet(now_s)  # not a ping: it may have restarted
        if not self.greeted:
            if now_s < self._hello_due_s:
                return b""
            self._hello_due_s = now_s + RESEND_S
            self.greetings += 1
            return self._ask("hello", PROTOCOL, now_s)
        said = b""
        if now_s >= self._ping_due_s:
            self._ping_due_s = now_s + PING_S
            said += self._ask("ping", self._taken, now_s)
        if self._resend_is_due:
            self._resend_is_due = False
            said += encode(next(self._numbers), "resend", self._taken + 1)
        command = self._command
        if command and now_s >= command.due_s:
            command.due_s = now_s + RESEND_S
            command.numbers.append(next(self._numbers))
            said += encode(command.numbers[-1], command.word, *command.fields)
        return said

    def receive(self, data: bytes, now_s: float) -> Iterator[Happening]:
        """Take *data*, however it was cut, and yield what it tells, in order."""
        for number, word, fields in self._reader.feed(data):
            try:
                check(word, fields, FROM_PICO)
            except BadMessage:
                self._strange += 1
                continue
            if word in EVENTS:
                yield from self._take_event(number, word, fields, now_s)
            elif word == "hello":
                yield from self._take_hello(number, fields, now_s)
            elif word == "pong":
                yield from self._take_pong(number, fields, now_s)
            else:
                self._take_answer(number, fields)

    def _greet(self, now_s: float) -> None:
        self.greeted = False
        self._hello_due_s = now_s
        self._pong = None

    def _ask(self, word: str, what: int, now_s: float) -> bytes:
        number = next(self._numbers)
        self._asked[number] = now_s
        if len(self._asked) > _REMEMBERED:
            del self._asked[next(iter(self._asked))]
        return encode(number, word, what)

    def _take_hello(self, number: int, fields: tuple[str, ...], now_s: float) -> Iterator[Greeted]:
        hello = _read_hello(fields)
        if number not in self._asked or hello is None:
            self._strange += hello is None
            return
        resumed = self.hello is not None and self.hello.boot == hello.boot
        if not resumed:
            self._times = TimeMap()
            self._based = False
            self._taken = self._resend_requests = 0
        self.hello = hello
        self.greeted = hello.protocol == PROTOCOL
        self._spoke_s = now_s
        yield Greeted(hello, resumed)

    def _take_pong(self, number: int, fields: tuple[str, ...], now_s: float) -> Iterator[Settled]:
        asked_s = self._asked.pop(number, None)
        if asked_s is None or not self.greeted or now_s - asked_s > LATE_S:
            return
        micro_s, newest, position, lost = (int(fields[place]) for place in (0, 1, 3, 4))
        if not self._times.learn(asked_s, now_s, micro_s * _MICRO):
            self._greet(now_s)
            return
        self._spoke_s = now_s
        self.greetings = 0
        if self._times.answers < BURST:
            self._ping_due_s = now_s
        at_s = min(self._times.to_pi(micro_s * _MICRO), now_s)
        pong = _Pong(newest, int(fields[2] or "0", 16), position, lost, at_s)
        if not self._based and self._times.answers < BASE:
            return
        if not self._based:
            self._based = True
            self._taken = newest
            yield self._settle(pong, fresh=True)
        elif newest == self._taken:
            yield self._settle(pong, fresh=False)
        elif newest < self._taken:
            self._greet(now_s)  # it has restarted
        else:
            self._pong = pong  # what is still on its way may make it true
            if self._behind == self._taken:
                self._miss(now_s)
            self._behind = self._taken

    def _take_event(
        self, number: int, word: str, fields: tuple[str, ...], now_s: float
    ) -> Iterator[Happening]:
        if not (self.greeted and self._based and self._times.answers) or number <= self._taken:
            return
        if number > self._taken + 1:
            self._miss(now_s)
            return
        self._taken = number
        self._resend_requests = 0
        at_s = min(self._times.to_pi(int(fields[-1]) * _MICRO), now_s)
        if word == "turn":
            yield Turned(int(fields[0]), at_s)
        elif self.hello and int(fields[0]) in range(len(self.hello.keys)):
            yield Keyed(self.hello.keys[int(fields[0])], fields[1] == "1", at_s)
        pong = self._pong
        if pong and pong.newest == number:
            self._pong = None
            yield self._settle(pong, fresh=False)

    def _take_answer(self, number: int, fields: tuple[str, ...]) -> None:
        command = self._command
        if command and number in command.numbers:
            self._command = None
            command.refusal = fields[0] if fields else ""
            command.answered.set()

    def _miss(self, now_s: float) -> None:
        if now_s < self._resend_due_s:
            return
        self._resend_due_s = now_s + RESEND_S
        self._resend_requests += 1
        self._resend_is_due = self._resend_requests <= MAX_RESEND_REQUESTS
        # The Pico has them no longer: another program had it in between.
        if not self._resend_is_due:
            self._based = False
            self._resend_requests = 0

    def _settle(self, pong: _Pong, *, fresh: bool) -> Settled:
        keys = self.hello.keys if self.hello else ()
        closed = {pin: bool(pong.levels >> place & 1) for place, pin in enumerate(keys)}
        return Settled(closed, pong.position, pong.lost, fresh, pong.at_s)


def _read_hello(fields: tuple[str, ...]) -> Hello | None:
    protocol, firmware, board, boot, keys, idol, lights, reason = fields
    try:
        return Hello(
            int(protocol), firmware, board, boot, _numbers(keys), _numbers(idol), lights, reason
        )
    except ValueError:
        return None


def _numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(int(number) for number in text.split(","))
