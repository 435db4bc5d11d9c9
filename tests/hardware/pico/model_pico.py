"""A Pico in a few lines, made from docs/wire.md alone, and a cable that does its worst."""

from typing import Final

from firmware.wire import FROM_PI, PROTOCOL, BadMessage, Reader, check, encode

KEYS: Final = (5, 8, 9)
KEPT: Final = 256
RESEND_S: Final = 0.3


class ModelPico:
    """The Pico's end of the protocol.

    log: every event since its start, (word, fields).  clock_s: what its clock is ahead of the Pi's.
    """

    def __init__(self, boot: str = "0000000A", clock_s: float = -5.0, protocol: int = PROTOCOL):
        self.boot = boot
        self.clock_s = clock_s
        self.protocol = protocol
        self.log: list[tuple[str, tuple[int, ...]]] = []
        self.closed = [False] * len(KEYS)
        self.position = 0
        self.lost = 0
        self._known = 0
        self._unsent = 1
        self._named_s = 0.0
        self._reader = Reader()
        self._answers: list[bytes] = []
        self._greeting = b""
        self._greeted = False

    @property
    def levels(self) -> dict[int, bool]:
        """How its contacts stand, by GP number."""
        return dict(zip(KEYS, self.closed, strict=True))

    def move(self, key: int, now_s: float) -> None:
        """Let *key* change."""
        self.closed[key] = not self.closed[key]
        if len(self.log) - self._known == KEPT:
            self.lost += 1
        else:
            self.log.append(("key", (key, int(self.closed[key]), self._micro(now_s))))

    def turn(self, steps: int, now_s: float) -> None:
        """Turn the idol."""
        self.position += steps
        if len(self.log) - self._known < KEPT:
            self.log.append(("turn", (self.position, self._micro(now_s))))

    def unplugged(self) -> None:
        """Drop what was said and heard in part."""
        self._reader = Reader()
        self._answers.clear()
        self._greeting = b""
        self._greeted = False

    def forget(self, number: int) -> None:
        """Keep only events beyond *number*, as after another program's ping."""
        self._known = max(self._known, number)

    def say(self, now_s: float) -> bytes:
        """Return what it says now."""
        said, self._greeting = self._greeting, b""
        if self._greeted:
            if self._unsent > len(self.log) and now_s - self._named_s > RESEND_S:
                self._named_s = now_s
                self._unsent = self._known + 1
            for number in range(max(self._unsent, self._known + 1), len(self.log) + 1):
                word, fields = self.log[number - 1]
                said += encode(number, word, *fields)
            self._unsent = len(self.log) + 1
        answers, self._answers = self._answers, []
        return said + b"".join(answers)

    def hear(self, data: bytes, now_s: float) -> None:
        """Take *data* from the Pi."""
        for number, word, fields in self._reader.feed(data):
            try:
                check(word, fields, FROM_PI)
            except BadMessage as error:
                self._answers.append(encode(number, "no", f"{error}:{word}"))
                continue
            if word == "hello":
                self._greeted = True
                self._unsent = self._known + 1
                self._greeting = encode(
                    number, "hello", self.protocol, "1.0", "model", self.boot,
                    ",".join(map(str, KEYS)), "2,3", "-", "power",
                )  # fmt: skip
            elif word == "ping":
                if self._known < int(fields[0]) <= len(self.log):
                    self._known = int(fields[0])
                    self._named_s = now_s
            elif word == "resend":
                self._unsent = max(int(fields[0]), self._known + 1)
            if word in ("hello", "ping"):
                levels = sum(closed << key for key, closed in enumerate(self.closed))
                self._answers.append(
                    encode(
                        number, "pong", self._micro(now_s), len(self.log), f"{levels:02X}",
                        self.position, self.lost, self._reader.bad,
                    )
                )  # fmt: skip
            else:
                self._answers.append(encode(number, "ok"))

    def _micro(self, now_s: float) -> int:
        return int((now_s + self.clock_s) * 1e6)
