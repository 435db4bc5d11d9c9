"""A daemon without its server, in the middle of a game."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.config import load_config
from companion.daemon import Daemon
from tests.referee.entering import tell
from tests.unharmed import play_on
from tests.web.games import FIRST


@contextmanager
def running(settings: Path, game: str) -> Iterator[Daemon]:
    """Run a daemon without its server, in the middle of *game*."""
    daemon = Daemon(load_config(settings))
    try:
        daemon._switch_to(game)
        rng = random.Random(4)
        tell(daemon.live_session, *FIRST.get(game, ()))
        for _ in range(3):
            play_on(daemon.live_session, rng)
        yield daemon
    finally:
        daemon.rig.close()
        daemon.log.close()
        daemon._listener.close()
