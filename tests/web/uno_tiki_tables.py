"""A round of UNO Tiki at whose end hands are counted."""

from typing import Any

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.referee.entering import tell
from tests.tables import NAMES, open_log

TO_COUNT = (
    "turn tiki-draw4", "turn red-7",
    "play red-1", "draw", "pass", "draw", "pass", "play red-2", "draw", "pass", "draw", "pass",
    "play red-3", "draw", "pass", "draw", "pass", "play red-4", "draw", "pass", "draw", "pass",
    "play red-5", "draw", "pass", "draw", "pass", "play red-6", "uno 1", "draw", "pass", "draw",
    "pass", "play red-9",
)  # fmt: skip


def counting(**options: Any) -> LiveSession:
    """Return a game of three in which Bob has no cards left and the others have thirteen."""
    header = open_header(game_of("uno_tiki"), NAMES[:3], options, 0)
    live_session = LiveSession(open_log(), header)
    tell(live_session, *TO_COUNT)
    return live_session
