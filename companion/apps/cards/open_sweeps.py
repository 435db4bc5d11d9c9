"""The sweeps of a table that are under way: in memory alone, few, and soon forgotten."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from companion.language.message import say
from companion.web.forms import Refused
from vision.cards.sweep import Sweep

Kind = Literal["hand", "card"]

MAX_SWEEPS: Final = 12
"""At a table: ten seats, the host, and one to spare."""
SILENCE_S: Final = 60.0
"""After so long without a picture a sweep is forgotten."""
GONE: Final = say(
    "These pictures were forgotten: for a minute none came, or another device has begun to"
    " photograph. Start again."
)


@dataclass(slots=True)
class OpenSweep:
    """What one phone has shown so far.

    sender: the seat that has opened it, None for the host.  kind: a whole hand, or one card.
    seat: whose hand it is.  size: of the last picture.  heard_s: when that came.
    is_reading: whether it is being read.  last_sum: its hash, since a frozen picture counts once.
    """

    sender: int | None
    kind: Kind
    seat: int | None
    sweep: Sweep
    heard_s: float
    size: tuple[int, int] = (0, 0)
    is_reading: bool = False
    last_sum: int | None = None


class OpenSweeps:
    """Those of one table by their keys, which nobody can guess.

    clock: seconds of a clock that never goes back.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[str, OpenSweep] = {}

    def begin(self, sender: int | None, kind: Kind, seat: int | None, count: int) -> str:
        """Return the key of a new sweep; one that *sender* has begun before is given up.

        seat: whose hand it is.  count: how many cards it has.
        """
        self._forget()
        for key in [key for key, each in self._open.items() if each.sender == sender]:
            del self._open[key]
        while len(self._open) >= MAX_SWEEPS:
            del self._open[min(self._open, key=lambda key: self._open[key].heard_s)]
        key = secrets.token_urlsafe(16)
        self._open[key] = OpenSweep(sender, kind, seat, Sweep(count), self._clock())
        return key

    def find(self, key: str, sender: int | None) -> OpenSweep:
        """Return the sweep with that *key* if *sender* has begun it; raises Refused."""
        self._forget()
        found = self._open.get(key)
        if found is None or found.sender != sender:
            raise Refused(410, GONE)
        found.heard_s = self._clock()
        return found

    def _forget(self) -> None:
        now_s = self._clock()
        self._open = {
            key: each for key, each in self._open.items() if now_s - each.heard_s < SILENCE_S
        }
