"""Games for tests that end as they should in a few entries: score sheets."""

from collections.abc import Callable, Sequence

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.session.session import Header
from tests.tables import open_log


def sheet_header(names: Sequence[str], colours: Sequence[str] = ()) -> Header:
    """Return what opens a score sheet for *names*."""
    return open_header(game_of("score_sheet"), tuple(names), {}, 0, colours=colours)


def enter_result(live_session: LiveSession, points: Sequence[int]) -> None:
    """Let a score sheet end with *points*, by seat."""
    for seat, each in enumerate(points):
        live_session.referee.enter(f"points {seat} {each}")
    live_session.referee.enter("end")


def result(names: Sequence[str], points: Sequence[int] = (3, 9)) -> Callable[[], LiveSession]:
    """Return what makes a score sheet for *names* that ended with *points*."""

    def make() -> LiveSession:
        live_session = LiveSession(open_log(), sheet_header(names))
        enter_result(live_session, points)
        return live_session

    return make
