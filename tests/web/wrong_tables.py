"""Tables that are wrong, of every game: left by no move, or by one that people took back."""

from collections.abc import Mapping
from typing import Final

from companion.referee.live_session import LiveSession
from tests.referee.entering import sit, tell
from tests.referee.fast_rounds import LAYS
from tests.tables import see_table, sit_down

GOALS: Final = (
    "goal run 4 any",
    "goal double green purple",
    "goal only green orange",
    "goal sum all 28",
)
BEGUN: Final[Mapping[str, tuple[str, ...]]] = {
    "topple": ("roll 3", "place 20 pink", "roll 6", "place 21 yellow"),
    "tippi_toppi": (*LAYS, *GOALS, "play pink4 2"),
    "uno_tiki": ("turn red-7", "play red-5"),
    "tactiki": ("move 40 30",),
    "tiki_topple": ("up1 lokahi",),
    "hops": ("hop 22 21",),
}
WRONG: Final[Mapping[str, Mapping[int, str]]] = {
    "tiki_topple": {0: "nui", 8: "lokahi"},
    "tactiki": {12: "tac 3", 20: "empty"},
    "topple": {3: "pink 4", 10: "empty"},
    "tippi_toppi": {0: "pink 4", 3: "green 6"},
    "uno_tiki": {0: "blue-2", 1: "tiki-draw4"},
    "hops": {12: "blue 3", 0: "empty"},
}
"""What lies where it cannot."""


def begun(game: str) -> LiveSession:
    """Return a session of *game* after a move or two, which its camera has seen."""
    live_session = sit_down(2) if game == "tiki_topple" else sit(game, seats=2)
    live_session.observe(see_table("0.jpg", live_session.game.shown(live_session.session.state)))
    tell(live_session, *BEGUN.get(game, ()))
    live_session.observe(see_table("1.jpg", live_session.game.shown(live_session.session.state)))
    return live_session


def wrong_table(game: str) -> LiveSession:
    """Return a session of *game* whose camera sees what no move explains."""
    live_session = begun(game)
    table = list(live_session.game.shown(live_session.session.state))
    for place, content in WRONG[game].items():
        table[place] = content
    live_session.observe(see_table("2.jpg", table))
    return live_session


def right_after_undo(game: str) -> LiveSession:
    """Return a session of *game* whose people took a move back that still lies there."""
    live_session = begun(game)
    live_session.referee.undo()
    return live_session
