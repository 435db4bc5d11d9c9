"""Tables of Tiki Topple: a line to begin from, and a round played out."""

from typing import Any, Final

from companion.rules import tiki_topple as game
from tests.rules.texts import Texts

_TEXTS: Final = Texts(game)
after, refused, listed = _TEXTS.after, _TEXTS.refused, _TEXTS.listed
START = ["nani", "huhu", "wikiwiki", "nui", "lokahi", "akamai", "kapu", "eepo", "hookipa"]


def table(seats: int = 4, options: dict[str, Any] | None = None, **setup: Any) -> game.State:
    """Return a game about to begin from START."""
    return game.initial(seats, options, {"line": START, **setup})


def play_out(state: game.State) -> game.State:
    """Return the end of the round: everyone plays the first card listed."""
    rounds = len(state.rounds)
    while state.phase == "play" and len(state.rounds) == rounds:
        state = game.apply(state, game.legal_actions(state)[0])
    return state
