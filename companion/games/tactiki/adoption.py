"""A table of TacTiki that the people adopt, though no turn explains it."""

from collections.abc import Iterator

from companion.games.columns import rearrange
from companion.games.tactiki.board import FIELDS, content_of, table_of
from companion.language.message import say
from companion.referee.game import EMPTY
from companion.rules.base import InvalidAction
from companion.rules.tactiki import SIDES, TRIBES, Column, State, resumed
from companion.rules.tactiki.pieces import PIECES, Piece
from companion.rules.tactiki.state import Removed
from companion.session.events import TableAdopted


def adopt(state: State, adopted: TableAdopted) -> State:
    """Return *state* with the adopted columns, and as much of the ranks as is still known.

    What left the table is defeated, and what came to it came from the defeated. A piece that alone
    of its side was lifted and put down keeps its rank; where several may have changed places,
    nothing is known of any rank from then on. Raises InvalidAction.
    """
    if state.phase not in ("move", "clash"):
        raise InvalidAction(say("the game is over"))
    if adopted.seat not in (0, 1):
        raise InvalidAction(say("it can only be TIKI’s turn or TAC’s"))
    moved = _Rearrangement(state.columns)
    for place in range(FIELDS):
        content = adopted.table[place] if place < len(adopted.table) else EMPTY
        if content is not None and content != content_of(state.columns[place]):
            moved.change(place, content)
    for side, lifted in enumerate(moved.lifted):
        if len(moved.wanted_of(side)) > len(lifted) + len(state.pools[side]):
            raise InvalidAction(say("{side} does not have that many pieces", side=TRIBES[side]))
    after = _with_known(state, moved) if moved.is_plain else _with_unknown(state, moved)
    found = resumed(after, adopted.seat)
    if table_of(found) != adopted.table:
        raise InvalidAction(say("the pieces of this game cannot make that position"))
    return found


class _Rearrangement:
    """What was lifted and put down to change *columns*.

    left: the columns without what was lifted.  lifted: by side, the pieces taken off.
    wanted: fields on which pieces are missing, bottom first, with the side of each; None for one
        under another, whose side nobody sees.
    """

    def __init__(self, columns: tuple[Column, ...]) -> None:
        self.columns = columns
        self.left = list(columns)
        self.lifted: tuple[list[Piece], list[Piece]] = ([], [])
        self.wanted: list[tuple[int, int | None]] = []

    def change(self, place: int, content: str) -> None:
        """Let *place* show *content*."""
        column = self.columns[place]
        name, _, digits = content.partition(" ")
        height, side = int(digits or 0), SIDES.index(name) if name in SIDES else -1
        sides = [piece & 1 for piece in column]
        kept, missing = rearrange(sides, height, side)
        for piece in column[kept:]:
            self.lifted[piece & 1].append(piece)
        self.left[place] = column[:kept]
        self.wanted += [(place, side if more == missing - 1 else None) for more in range(missing)]

    def wanted_of(self, side: int) -> list[int]:
        """Return the fields that want a piece of *side* on top."""
        return [place for place, each in self.wanted if each == side]

    @property
    def is_plain(self) -> bool:
        """Whether it is certain which piece went where."""
        return all(
            None not in (each for _, each in self.wanted)
            and (not (places := self.wanted_of(side)) or len(lifted) == len(places) == 1)
            for side, lifted in enumerate(self.lifted)
        )


def _with_known(state: State, moved: _Rearrangement) -> State:
    """Return *state* with each lifted piece where its side wants one, or else defeated."""
    left = list(moved.left)
    pools = [list(pool) for pool in state.pools]
    facts = list(state.facts)
    for side, lifted in enumerate(moved.lifted):
        wanted = moved.wanted_of(side)
        for place, piece in zip(wanted, lifted, strict=False):
            left[place] = (*left[place], piece)
        for piece in lifted[len(wanted) :]:
            pools[side].append(state.ranks[side][piece >> 1])
            facts.append(Removed(state.turns, piece))
    return state._replace(
        columns=tuple(left),
        pools=(tuple(sorted(pools[0])), tuple(sorted(pools[1]))),
        facts=tuple(facts),
    )


def _with_unknown(state: State, moved: _Rearrangement) -> State:
    """Return *state* with its pieces numbered anew, of whose ranks nothing is known."""
    spare = [
        len(lifted) + len(pool) for lifted, pool in zip(moved.lifted, state.pools, strict=True)
    ]
    sides = [[piece & 1 for piece in column] for column in moved.left]
    for side in (0, 1):
        spare[side] -= len(moved.wanted_of(side))
    for place, top in moved.wanted:
        if top is not None:
            sides[place].append(top)
            continue
        fuller = 0 if spare[0] >= spare[1] else 1
        spare[fuller] -= 1
        if spare[fuller] < 0:
            raise InvalidAction(say("there are not that many pieces"))
        sides[place].append(fuller)
    numbers = (_numbers(0), _numbers(1))
    columns = tuple(tuple(next(numbers[side]) for side in column) for column in sides)
    gone = [tuple(numbers[side]) for side in (0, 1)]
    return state._replace(
        columns=columns,
        pools=((0,) * len(gone[0]), (0,) * len(gone[1])),
        ranks=((0,) * PIECES, (0,) * PIECES),
        facts=tuple(Removed(state.turns, piece) for piece in (*gone[0], *gone[1])),
    )


def _numbers(side: int) -> Iterator[Piece]:
    return iter([side + 2 * k for k in range(PIECES)])
