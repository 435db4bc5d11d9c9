"""A board of Topple that the people adopt, though no placement explains it."""

from collections import Counter

from companion.games.columns import rearrange
from companion.language.message import say
from companion.referee.game import EMPTY
from companion.rules.base import InvalidAction
from companion.rules.topple import State, colour_words, resumed
from companion.session.events import TableAdopted


def adopt(state: State, adopted: TableAdopted) -> State:
    """Return *state* with the adopted stacks, no points for them, and the die to be rolled.

    Colours under a top that nobody sees are those that were taken off elsewhere, as far as they
    go. Raises InvalidAction.
    """
    if state.phase not in ("roll", "place"):
        raise InvalidAction(say("no round is in progress"))
    if adopted.seat not in state.players:
        raise InvalidAction(say("that player is not in the game"))
    cells, lifted = list(state.cells), Counter[int]()
    wanted: list[tuple[int, int, int]] = []
    for spot, column in enumerate(state.cells):
        content = adopted.table[spot] if spot < len(adopted.table) else EMPTY
        if content is None:
            continue
        height, colour = _parsed(state, content)
        kept, missing = rearrange(column, height, colour)
        lifted.update(column[kept:])
        cells[spot] = column[:kept]
        if missing:
            wanted.append((spot, missing, colour))
            lifted[colour] -= 1
    for spot, missing, colour in wanted:
        for _ in range(missing - 1):
            under = next((each for each, copies in lifted.items() if copies > 0), colour)
            lifted[under] -= 1
            cells[spot] = (*cells[spot], under)
        cells[spot] = (*cells[spot], colour)
    return resumed(state, tuple(cells), adopted.seat)


def _parsed(state: State, content: str) -> tuple[int, int]:
    """Return height and top colour of *content*, -1 for none; raises InvalidAction."""
    name, _, digits = content.partition(" ")
    if not digits:
        return 0, -1
    if name not in state.options.colours:
        raise InvalidAction(
            say("there are no {colour} pieces in this game", colour=colour_words(name))
        )
    return int(digits), state.options.colours.index(name)
