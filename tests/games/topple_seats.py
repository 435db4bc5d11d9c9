"""Players at a game of Topple, for tests."""

from typing import Any

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.tables import NAMES, open_log


def seat(seats: int = 3, **options: Any) -> LiveSession:
    """Return a session with these *options*, in which Ann begins."""
    header = open_header(game_of("topple"), NAMES[:seats], options, 0)
    return LiveSession(open_log(), header)
