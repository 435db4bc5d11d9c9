"""The virtual table of TacTiki: two tribes of ten, each with its rank below its foot."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from companion.rules import tactiki
from companion.rules.tactiki.pieces import HOME, PIECES, RANKS, SIDES, SIZE
from companion.table.readers import usual_table
from companion.table.virtual_set import (
    Laid,
    Lying,
    Slot,
    VirtualSet,
    columns_of,
    in_cells,
)

KIND: Final = "figure"
ASIDE_MM: Final = 78.0
"""How far beyond the tiles' middles the defeated stand; TIKI's to the left."""


class TacTikiSet(VirtualSet):
    """A board with 5 x 5 fields, and twenty figures."""

    @property
    def _places(self) -> list[tuple[float, float]]:
        return [(cell["x"], cell["y"]) for row in self.layout["cells"] for cell in row]

    @property
    def slots(self) -> Sequence[Slot]:
        """The middles of the fields."""
        reach = 0.45 * self.layout["field_mm"]
        return [Slot(x, y, reach, (KIND,)) for x, y in self._places]

    def start(self, seats: int, random: Random) -> list[Laid]:
        """Return two figures on each start field, the ranks in any order (TA-2)."""
        del seats
        columns: list[list[str]] = [[] for _ in range(SIZE * SIZE)]
        for seat, side in enumerate(SIDES):
            for c in range(SIZE):
                columns[HOME[seat] * SIZE + c] = [side, side]
        return self._figures(columns, random)

    def lay(self, reading: Mapping[str, Any], random: Random) -> list[Laid]:
        """Return the columns of a reading, and aside whoever is in none of them."""
        return self._figures(columns_of(reading["cells"], SIDES), random)

    def _figures(self, columns: Sequence[Sequence[str]], random: Random) -> list[Laid]:
        ranks = {side: _ranks(random) for side in SIDES}
        places, pieces = self._places, []
        for (x, y), column in zip(places, columns, strict=True):
            pieces += [self._figure(side, x, y, ranks[side], random) for side in column]
        for side, x in zip(SIDES, (-ASIDE_MM, self.width + ASIDE_MM), strict=True):
            pieces += [
                self._figure(side, x, 70.0 + 32.0 * (at % 7), ranks[side], random)
                for at in range(len(ranks[side]))
            ]
        return pieces

    def _figure(self, side: str, x: float, y: float, ranks: list[int], random: Random) -> Laid:
        figure = self.layout["figure"]
        rank = ranks.pop() if ranks else random.choice(RANKS)
        return Laid(
            KIND,
            side,
            (figure["width"], figure["width"], figure["height"]),
            x + random.gauss(0, 1.0),
            y + random.gauss(0, 1.0),
            turn=random.uniform(0, 360),
            mark=str(rank),
            owner=SIDES.index(side),
            pitch=figure["stack_pitch"],
        )

    def lies(
        self, pieces: Iterable[Lying], *, idol_deg: float = 0.0, fallen: bool = False
    ) -> dict[str, Any]:
        """Return the columns, bottom first."""
        del idol_deg, fallen
        columns = in_cells(pieces, KIND, self._places, 0.5 * self.layout["field_mm"])
        return {"cells": [columns[SIZE * r : SIZE * (r + 1)] for r in range(SIZE)]}


def _ranks(random: Random) -> list[int]:
    """Return what a tribe's figures have below them, shuffled."""
    ranks = [rank for rank in RANKS for _ in range(PIECES // len(RANKS))]
    random.shuffle(ranks)
    return ranks


VIRTUAL_SET: Final = TacTikiSet(tactiki.NAME, usual_table)
