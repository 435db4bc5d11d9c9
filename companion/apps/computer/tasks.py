"""What the search is given: a seat's own view of the game in play, or of a moment before."""

from math import cos, radians, sin
from typing import Any

from companion.apps.computer.engine import Task
from companion.referee.live_session import LiveSession
from vision.observation import Tilted


def task_of(live_session: LiveSession, seat: int, level: str, state: Any = None) -> Task:
    """Return the task to choose for *seat*, which has the turn, with what that seat knows alone.

    state: of a moment of this round; None for now.
    """
    game, session = live_session.game, live_session.session
    tilt_deg = _tilt_deg(live_session) if state is None else None
    state = session.state if state is None else state
    secret = session.history.secrets.get((game.round_number(state), seat))
    if secret is not None and seat not in game.secrets_entered(state):
        entered = game.rules.parse_action(secret)
        state = state if game.is_kept(entered) else game.rules.apply(state, entered)
    seed = hash((session.number, session.next_seq))
    return Task(game.name, game.rules.seen_by(state, seat), seat, level, seed, tilt_deg)


def _tilt_deg(live_session: LiveSession) -> tuple[float, float] | None:
    """Return how the board was seen to lean last: to the right and towards the near edge."""
    seen = live_session.referee.side_observations.newest(Tilted)
    if seen is None or seen.has_toppled:
        return None
    towards = radians(seen.towards_deg)
    return seen.deg * sin(towards), -seen.deg * cos(towards)


def knows_enough(live_session: LiveSession, seat: int, state: Any = None) -> bool:
    """Return whether all cards are known that *seat* may choose from; *state*: see `task_of`."""
    state = live_session.session.state if state is None else state
    return "" not in live_session.game.own_hand(state, seat)


def words_of(live_session: LiveSession, action: str) -> str:
    """Return *action* in words, as everyone may read it."""
    game = live_session.game
    return game.words(game.public(action), live_session.header.players)
