"""Games in the middle, as pages show them: fallen, asked, doubted, with many names."""

import random
from collections.abc import Callable

from companion.referee.live_session import LiveSession
from companion.referee.opening import open_header
from companion.registry import game_of
from companion.rules.tiki_topple import TIKIS
from tests.enterable import enterable
from tests.referee.entering import TO_SPIN, handle, sit, tell, tower
from tests.tables import NAMES, open_log, see, sit_down
from tests.web.games import open_game
from tests.web.wrong_tables import right_after_undo, wrong_table

FALLEN = ("roll 3", "place 20 pink", "roll 6", "place 21 yellow")
BIG_HAND = (
    "turn tiki-discard-yellow",
    "turn wild-spin",
    "colour yellow",
    "play yellow-reverse-spin",
)


def asked() -> LiveSession:
    """Return a game of Topple whose tower fell between two turns."""
    live_session = sit("topple", *FALLEN, seats=4)
    handle(live_session, tower("topple"))
    return live_session


def gathering() -> LiveSession:
    """Return UNO Tiki before it begins, as many players as there may be, two with long names."""
    names = (*NAMES, "Eve", "Finn", "Gus", "Hal", "Wilhelmina Josephine", "Jonathan-Maximilian")
    return LiveSession(open_log(), open_header(game_of("uno_tiki"), names, {}, 0))


def ten() -> LiveSession:
    """Return a game of UNO Tiki with as many players as there may be, two with long names."""
    live_session = gathering()
    tell(live_session, *TO_SPIN)
    return live_session


def toasted() -> LiveSession:
    """Return a game of Tiki Topple at the end of a round, six tikis toasted and one card shown."""
    live_session = sit_down(4)
    tell(live_session, "up1 lokahi", "up1 nani", "up1 wikiwiki", "up2 kapu")
    for _ in range(6):
        tell(live_session, f"toast {live_session.session.state.line[-1]}")
    tell(live_session, "card 0 nani huhu nui")
    return live_session


def doubted() -> LiveSession:
    """Return a game of Tiki Topple whose line is wrong, unless two moved quickly."""
    live_session = sit_down(4)
    live_session.observe(see("1", ("nani", "lokahi", "hookipa", *TIKIS[3:])))
    return live_session


def in_the_middle(game: str, turns: int = 25) -> LiveSession:
    """Return a session of *game* with as many as may play, after some random turns."""
    live_session, rng = open_game(game, len(NAMES)), random.Random(4)
    for _ in range(turns):
        tell(live_session, rng.choice(enterable(live_session)))
    return live_session


SCENES: dict[str, Callable[[], LiveSession]] = {
    "topple": lambda: sit("topple", *FALLEN, "roll 6", seats=4),
    "topple of two": lambda: sit("topple", "roll 3", seats=2),
    "asked": asked,
    "cards": lambda: sit("uno_tiki", *BIG_HAND[:3], seats=4),
    "spin": lambda: sit("uno_tiki", *BIG_HAND, seats=4),
    "between": lambda: sit("uno_tiki", *TO_SPIN, "spin between 1 2"),
    "ten": ten,
    "long names": lambda: LiveSession(
        open_log(), open_header(game_of("topple"), ("Wilhelmina Josephine", "Bob"), {}, 0)
    ),
    "tactiki": lambda: in_the_middle("tactiki"),
    "tippi toppi": lambda: in_the_middle("tippi_toppi"),
    "line": lambda: sit_down(4),
    "no line": lambda: sit_down(4, line=None),
    "toasted": toasted,
    "doubted": doubted,
    "wrong stacks": lambda: wrong_table("topple"),
    "wrong cards": lambda: wrong_table("uno_tiki"),
    "stacks to correct": lambda: right_after_undo("tactiki"),
}
