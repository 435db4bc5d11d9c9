"""High Speed rounds of Tippi Toppi, and a clock that goes when it is told to."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from companion.referee.countdown import Countdown
from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.referee.entering import tell
from tests.tables import NAMES, open_log

LAYS = ("lay green7", "lay orange7", "lay pink2", "lay pink3")
GOALS = ("goal sum pink 4", "goal sum all 28", "goal count green 4", "goal only green orange")
FIVE_MINUTES = 300


@dataclass
class Clock:
    """A clock that goes when it is told to; it also dates the log."""

    now_s: float = 1000.0

    def __call__(self) -> float:
        """Return the time of a stopwatch."""
        return self.now_s

    def date(self) -> str:
        """Return the time of day."""
        return datetime.fromtimestamp(self.now_s, UTC).isoformat(timespec="milliseconds")


@dataclass
class Fast:
    """A session of Tippi Toppi in High Speed, and its clock."""

    live_session: LiveSession
    clock: Clock

    def do(self, *actions: str) -> None:
        """Enter *actions* as the pages do."""
        tell(self.live_session, *actions)
        self.live_session.changed()

    def wait(self, seconds: float) -> None:
        """Let time go by, as the daemon does."""
        for _ in range(round(seconds * 2)):
            self.clock.now_s += 0.5
            self.live_session.tick()

    def left(self) -> int | None:
        """Return what the clock shows."""
        return self.live_session.countdown.seconds_left


def sit_fast(path: Path | str = ":memory:", clock: Clock | None = None) -> Fast:
    """Return the session that a start of the companion makes of the log at *path*."""
    clock = clock or Clock()
    log = open_log(path, clock.date)
    header = open_header(game_of("tippi_toppi"), NAMES[:3], {"high_speed": True}, 0)
    return Fast(LiveSession(log, header, countdown=Countdown(clock)), clock)
