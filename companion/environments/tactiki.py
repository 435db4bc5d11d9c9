"""TacTiki as an environment: ranks are dealt at random, and clashes follow from them."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any, Final

from companion.environments.environment import GameEnvironment, flags, wrapped
from companion.rules import tactiki
from companion.rules.protocol import Spoken
from companion.rules.tactiki import HOME, RANKS, SIDES
from companion.rules.tactiki.pieces import PIECES, SIZE

LEVELS: Final = 2 * PIECES
"""So high a column may be: all pieces could stand on one field."""
STEPS: Final = ((-1, 0), (1, 0), (0, -1), (0, 1))
NOBODY: Final = (0,) * (1 + len(RANKS))


def _actions() -> Iterator[str]:
    fields = [(row, column) for row in range(SIZE) for column in range(SIZE)]
    for row, column in fields:
        for down, right in STEPS:
            if (row + down, column + right) in fields:
                yield f"move {row}{column} {row + down}{column + right}"
    for home in HOME:
        for column in range(SIZE):
            yield from (f"back {home}{column} {rank}" for rank in RANKS)
    yield "draw"


class TacTikiEnvironment(GameEnvironment):
    """TacTiki for two.

    Numbers: of each field, row by row, and each of 20 levels from the bottom up: 1 for an own
    piece, 2 for the other side's, 0 for none, and for each rank whether the piece may have it, for
    all that the seat may know; how many own defeated pieces of each rank there are, and how many of
    the other side's; whether this is the second move of a turn; turns without anything decisive;
    whether a draw may be claimed; the seat.
    """

    rules: Spoken[Any, Any] = tactiki
    actions = tuple(_actions())

    def draw_setup(self, rng: Random) -> dict[str, Any]:
        """Return the ranks of both sides."""
        ranks = list(RANKS * 2)
        return {"ranks": {side: rng.sample(ranks, PIECES) for side in SIDES}}

    def encode(self, view: Mapping[str, Any], seat: int) -> list[int]:
        """Return the numbers for *view*."""
        side, other = SIDES[seat], SIDES[1 - seat]
        found: list[int] = []
        for row in view["cells"]:
            for pieces in row:
                for piece in pieces:
                    found.append(1 if piece["side"] == side else 2)
                    found += flags(piece["ranks"], RANKS)
                found += NOBODY * (LEVELS - len(pieces))
        defeated = view["defeated"]
        return [
            *found,
            *flags(defeated[side], RANKS),
            len(defeated[other]),
            view["moved"],
            view["quiet"],
            int(view["claim"]),
            seat,
        ]


def raw_env(seats: int = 2, **more: Any) -> TacTikiEnvironment:
    """Return the bare environment; *more*: as for `GameEnvironment`."""
    return TacTikiEnvironment(seats, **more)


def env(seats: int = 2, **more: Any) -> Any:
    """Return the environment, in which an illegal action loses; *more*: as for `raw_env`."""
    return wrapped(raw_env(seats, **more))
