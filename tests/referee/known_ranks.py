"""TacTiki with known ranks, played until the referee has to ask."""

import random

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from tests.tables import open_log

RANKS = (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)


def known_ranks(seed: int) -> LiveSession:
    """Return a session of TacTiki at which both sides have entered their ranks."""
    rng = random.Random(seed)
    live_session = LiveSession(open_log(), open_header(game_of("tactiki"), ("Ann", "Bob"), {}, 0))
    for seat in (0, 1):
        ranks = rng.sample(RANKS, len(RANKS))
        live_session.referee.enter_secret(seat, f"ranks {seat} {' '.join(map(str, ranks))}")
    return live_session


def play_until_asked(live_session: LiveSession, seed: int) -> str:
    """Enter random moves, and returns wherever one is possible, without saying of which piece."""
    rng, referee = random.Random(seed), live_session.referee
    for _ in range(400):
        offers = referee.offers()
        backs = [offer for offer in offers if offer.startswith("back")]
        action = rng.choice(backs or offers)
        referee.enter(action)
        if referee.question:
            return action
    raise AssertionError("nothing was ever asked")
