"""The board of TacTiki as people and cameras see it: fields by name, columns by height and top."""

from collections.abc import Hashable
from functools import cache, lru_cache
from typing import Final

from companion.games.columns import MAX_SEEN_HEIGHT
from companion.referee.game import EMPTY, Table
from companion.rules import tactiki
from companion.rules.tactiki import SIDES, Clash, Column, State
from companion.rules.tactiki.pieces import SIZE

FIELDS: Final = SIZE * SIZE


@cache
def content(height: int, seat: int) -> str:
    """Return what a field shows with *height* pieces, one of *seat* on top.

    >>> content(3, 1)
    'tac 3'
    """
    return f"{SIDES[seat]} {min(height, MAX_SEEN_HEIGHT)}" if height else EMPTY


@lru_cache(maxsize=4096)
def content_of(column: Column) -> str:
    """Return what a field shows on which *column* stands."""
    return content(len(column), column[-1] & 1) if column else EMPTY


def table_of(state: State) -> Table:
    """Return what every field shows, row by row."""
    return tuple(map(content_of, state.columns))


@lru_cache(maxsize=4096)
def _sides(column: Column) -> str:
    return "".join(str(piece & 1) for piece in column)


def ruling_of(state: State) -> Hashable:
    """Return what matters to the people, whichever pieces of a side stand where."""
    return (
        state.phase,
        state.seat,
        state.moved,
        " ".join(map(_sides, state.columns)),
        *map(len, state.pools),
        state.ended_by,
        state.claim,
    )


def key_of(state: State) -> Hashable:
    """Return what is equal for states from which play continues alike.

    Pieces of one side that have met nobody and whose rank is unknown are as good as each other. In
    which order pieces have met tells nothing, nor does that in which positions occurred.
    """
    marked = {
        piece
        for fact in state.facts
        for piece in ((fact.attacker, fact.defender) if isinstance(fact, Clash) else (fact.piece,))
    }

    def alike(columns: tuple[Column, ...]) -> Hashable:
        return tuple(
            tuple(
                piece if piece in marked or state.ranks[piece & 1][piece >> 1] else -1 - (piece & 1)
                for piece in column
            )
            for column in columns
        )

    seen = tuple(sorted(state.seen))
    facts = frozenset(state.facts)
    return state._replace(columns=(), seen=(), facts=()), alike(state.columns), seen, facts


text_of: Final = cache(tactiki.format_action)
"""The text of an action, cached."""
