"""Who everyone waits for in UNO Tiki, and for what."""

from collections.abc import Sequence

from companion.games.uno_tiki.words import WANTS
from companion.language.message import Message, listed, say
from companion.rules.uno_tiki import State
from companion.rules.uno_tiki.naming import FACES


def expected(state: State) -> int | None:
    """Return who plays, spins, chooses, discards or counts."""
    match state.phase:
        case "over":
            return None
        case "count":
            return state.match.counted.index(None)
        case "discard" | "draw":
            return state.target
    return state.seat


def wants(state: State, players: Sequence[str]) -> Message | None:
    """Return what is waited for, in a sentence; None once the game is over."""
    seat = expected(state)
    if seat is None:
        return None
    if state.phase == "choose":
        either = listed([players[place] for place in state.between], "or")
        return say("{player} chooses: {either}", player=players[seat], either=either)
    if state.phase == "discard":
        face = FACES[state.idol[-1]]
        return say("{player} may discard cards: {face}", player=players[seat], face=face)
    return WANTS[state.phase](players[seat])
