"""What a camera may see next in TacTiki: one move, a whole turn, a piece that comes back.

Each attack may go in every way that the ranks allow, as far as they are known (TA-8, TA-14).
"""

from collections.abc import Hashable, Iterator, Set
from functools import lru_cache
from typing import Final

from companion.games.tactiki.board import ruling_of, table_of, text_of
from companion.referee.game import Play
from companion.rules import tactiki
from companion.rules.tactiki import Clashed, Lookahead, Moved, Reincarnated, State, lookahead_of
from companion.rules.tactiki.pieces import RESULTS

_CLASHES: Final = {result: text_of(Clashed(result)) for result in RESULTS}


@lru_cache(maxsize=64)
def plays_of(state: State) -> tuple[Play, ...]:
    """Return all that may happen next and be seen, each end of it once.

    A turn there and back again is not seen: people enter it. Nor may it excuse who plays when it is
    not their turn.
    """
    if state.phase != "move":
        return ()
    before = table_of(state)
    return tuple(
        Play(state.seat, texts, table, ruling_of(after))
        for texts, after in turns_of(state)
        if (table := table_of(after)) != before
    )


def first_moves(state: State) -> Iterator[State]:
    """Yield what stands after each first move that a second one has to follow (TA-5)."""
    for _, _, after in _moves(state, lookahead_of(state)):
        if _goes_on(after):
            yield after


def _goes_on(state: State) -> bool:
    return state.phase == "move" and state.moved == 1


def turns_of(state: State) -> Iterator[tuple[tuple[str, ...], State]]:
    """Yield what may be done from *state* on in this turn, and where that ends."""
    ahead = lookahead_of(state)
    before = len(state.facts)
    known: set[Hashable] = set()
    done: set[Moved] = set()
    final: set[Moved] = set()  # after these no second move follows, at least if an attack goes well
    for first, texts, middle in _moves(state, ahead):
        yield texts, middle
        done.add(first)
        if not _goes_on(middle):
            final.add(first)
            continue
        for _, more, after in _moves(middle, ahead, done - final, first):
            # In which order pieces have met within a turn tells nothing.
            end = (after.columns, frozenset(after.facts[before:]))
            if end not in known:
                known.add(end)
                yield (*texts, *more), after
    if not state.moved:
        for action in tactiki.legal_actions(state):
            if isinstance(action, Reincarnated):
                yield (text_of(action),), tactiki.apply(state, action)


def _moves(
    state: State,
    ahead: Lookahead,
    done: Set[Moved] = frozenset(),
    first: Moved | None = None,
) -> Iterator[tuple[Moved, tuple[str, ...], State]]:
    """Yield every move with every way in which its attack may go, as texts, and what follows.

    done: moves after which all others have been tried: where they have nothing to do with *first*,
        the move before *state*, it is the same to make them after it.
    """
    for move in tactiki.legal_actions(state):
        if not isinstance(move, Moved):
            continue
        if first and move in done and not _touch(first, move):
            continue
        text, after = text_of(move), tactiki.apply(state, move)
        if after.phase == "clash":
            for results, end in ahead.outcomes(after):
                yield move, (text, *(_CLASHES[result] for result in results)), end
        else:
            yield move, (text,), after


def _touch(one: Moved, other: Moved) -> bool:
    return (
        one.source == other.source
        or one.source == other.target
        or one.target == other.source
        or one.target == other.target
    )
