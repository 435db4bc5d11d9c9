"""Games for tests that are played at random, with second thoughts, secrets and all."""

import random
from typing import Any, Final

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from companion.session.log import Log
from tests.enterable import enterable
from tests.tables import NAMES, open_log
from tests.web.games import FIRST, seats_of

SHORT: Final[dict[str, dict[str, Any]]] = {
    "tiki_topple": {"rounds": 1, "tie": "share"},
    "tactiki": {"quiet_turns": 30, "max_turns": 60},
    "topple": {"young": True},
    "tippi_toppi": {"goals": 3},
    "uno_tiki": {"target": 1},
    "score_sheet": {"rounds": 20},
}
CARDS: Final = ("kapu nui nani", "nani eepo huhu", "lokahi kapu nui")


def secrets_of(rng: random.Random, game: str, seats: int) -> list[str | None]:
    """Return what each seat may enter for itself in the first round."""
    if game == "tactiki":
        ranks = [list("1122334455") for _ in range(seats)]
        for each in ranks:
            rng.shuffle(each)
        return [f"ranks {seat} {' '.join(of)}" for seat, of in enumerate(ranks)]
    if game == "tiki_topple":
        return [f"card {seat} {CARDS[seat]}" for seat in range(seats)]
    return [None] * seats


def play(
    game: str,
    seed: int,
    most: int = 400,
    *,
    with_secrets: bool = True,
    log: Log | None = None,
    seats: int | None = None,
) -> LiveSession:
    """Return a random game of at most *most* actions, some of them taken back or replaced."""
    rng = random.Random(seed)
    count = seats or seats_of(game)
    header = open_header(game_of(game), NAMES[:count], SHORT[game], 0)
    secrets = secrets_of(rng, game, count) if with_secrets else ()
    live_session = LiveSession(log or open_log(), header, secrets)
    for action in FIRST.get(game, ()):
        live_session.referee.enter(action)
    play_on(rng, live_session, most)
    return live_session


def play_on(rng: random.Random, live_session: LiveSession, most: int) -> None:
    """Play at random until the game is over, or *most* actions were tried."""
    referee = live_session.referee
    for _ in range(most):
        offered = enterable(live_session)
        offers = [each for each in offered if is_wise(each)] or offered
        if not offers:
            return
        chance = rng.random()
        try:
            if chance < 0.05 and referee.newest():
                referee.undo()
            elif chance < 0.08 and referee.newest():
                referee.replace(rng.choice(referee.alternatives() or offers))
            else:
                referee.enter(rng.choice(offers))
        except (RulesError, ReplayError):
            continue
        if referee.question:
            referee.choose(0)


def is_wise(action: str) -> bool:
    """Return whether somebody would do *action* who wants the game to go on for a while."""
    return action.split(maxsplit=1)[0] not in ("topple", "knock", "stuck", "time", "draw", "end")
