"""The virtual table of Topple: a board that balances, the discs beside it, and a die."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any, Final

from companion.rules import topple
from companion.rules.topple.board import COLOURS, PIECES
from companion.table.readers import usual_table
from companion.table.virtual_set import (
    Balance,
    Laid,
    Lying,
    Size,
    Slot,
    VirtualSet,
    columns_of,
    in_cells,
    supply,
)

KIND: Final = "disc"
SIDE: Final = 5
DIE_MM: Final = 16.0
ASIDE_MM: Final = 72.0
"""How far beyond the tiles' middles the supplies lie."""
TALL: Final = 4
"""So many discs of a supply lie on each other at most."""


class ToppleSet(VirtualSet):
    """A balance board, twelve discs of each colour, and a die."""

    @cached_property
    def balance(self) -> Balance:
        """The balance board."""
        board = self.layout["balance"]
        return Balance(board["x"], board["y"], board["size"], board["top_height"])

    @property
    def _places(self) -> list[tuple[float, float]]:
        board = self.balance
        spots = self.layout["balance"]["spots"]
        return [(board.x + spot["x"], board.y + spot["y"]) for row in spots for spot in row]

    @property
    def slots(self) -> Sequence[Slot]:
        """The spots of the board."""
        reach = 0.45 * self.layout["balance"]["pitch"]
        return [Slot(x, y, reach, (KIND,)) for x, y in self._places]

    def start(self, seats: int, random: Random) -> list[Laid]:
        """Return the empty board, and all discs beside it."""
        del seats
        return self._discs([[] for _ in range(SIDE * SIDE)], random)

    def lay(self, reading: Mapping[str, Any], random: Random) -> list[Laid]:
        """Return the columns of a reading on the board, and the other discs beside it."""
        if "cells" not in reading:
            return self.start(0, random)
        return self._discs(columns_of(reading["cells"], COLOURS), random)

    def _discs(self, columns: Sequence[Sequence[str]], random: Random) -> list[Laid]:
        size, pieces = self._size, []
        left = dict.fromkeys(COLOURS, PIECES)
        for (x, y), column in zip(self._places, columns, strict=True):
            for colour in column:
                left[colour] = left.get(colour, 0) - 1
                at = x + random.gauss(0, 0.8), y + random.gauss(0, 0.8)
                pieces.append(Laid(KIND, colour, size, *at, turn=random.uniform(0, 360)))
        for number, colour in enumerate(COLOURS):
            x = (-ASIDE_MM, self.width + ASIDE_MM)[number % 2]
            y = self.height / 2 - 100.0 + 110.0 * (number // 2)
            pieces += supply(KIND, [colour] * max(0, left[colour]), size, (x, y), TALL)
        die = Laid(
            "die",
            {"faces": list(range(1, 7)), "shows": random.randint(1, 6)},
            (DIE_MM, DIE_MM, DIE_MM),
            self.width / 2 + 95.0,
            self.height + 10.0,
            turn=random.uniform(0, 360),
        )
        return [*pieces, die]

    @property
    def _size(self) -> Size:
        disc = self.layout["disc"]
        return disc["diameter"], disc["diameter"], disc["height"]

    def lies(
        self, pieces: Iterable[Lying], *, idol_deg: float = 0.0, fallen: bool = False
    ) -> dict[str, Any]:
        """Return the columns on the board, bottom first; or that they have fallen."""
        del idol_deg
        if fallen:
            return {"toppled": True}
        standing = [piece for piece in pieces if piece.rides is not None]
        columns = in_cells(standing, KIND, self._places, 0.5 * self.layout["balance"]["pitch"])
        return {"cells": [columns[SIDE * r : SIDE * (r + 1)] for r in range(SIDE)]}


VIRTUAL_SET: Final = ToppleSet(topple.NAME, usual_table)
