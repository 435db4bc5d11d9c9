"""The virtual table of Tiki Topple: nine tikis in a line, which a hand shoves along."""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from companion.rules import tiki_topple
from companion.rules.tiki_topple import GROUPS, TIKIS
from companion.table.readers import usual_table
from companion.table.virtual_set import Laid, Lying, Size, Slot, VirtualSet, nearest

KIND: Final = "tiki"
ASIDE_MM: Final = 70.0
"""Left of the left tiles, where what has been toasted lies."""


class TikiToppleSet(VirtualSet):
    """A board with nine slots, and the tikis."""

    is_row = True  # a line closes up

    @property
    def slots(self) -> Sequence[Slot]:
        """The slots of the line, the top one first."""
        slots = self.layout["slots"]
        return [Slot(s["x"], s["y"], min(s["w"], s["h"]) / 1.5, (KIND,), 0.0) for s in slots]

    def start(self, seats: int, random: Random) -> list[Laid]:
        """Return a line in which three tikis of one symbol follow each other (TT-2)."""
        del seats
        groups = [sorted(group) for group in GROUPS]
        random.shuffle(groups)
        for group in groups:
            random.shuffle(group)
        return self.lay({"line": [tiki for group in groups for tiki in group]}, random)

    def lay(self, reading: Mapping[str, Any], random: Random) -> list[Laid]:
        """Return the tikis of a line in their slots, and all others aside."""
        line = list(reading["line"])
        aside = [tiki for tiki in TIKIS if tiki not in line]
        slots = self.slots
        pieces = [
            self._tiki(tiki, slots[at].x, slots[at].y, random)
            for at, tiki in enumerate(line)
            if tiki is not None
        ]
        for at, tiki in enumerate(aside):
            pieces.append(self._tiki(tiki, -ASIDE_MM, slots[-1].y - 30.0 * at, random))
        return pieces

    def _tiki(self, name: str, x: float, y: float, random: Random) -> Laid:
        turn = random.gauss(0, 1.0)
        return Laid(
            KIND, name, self._size, x + random.gauss(0, 0.6), y + random.gauss(0, 0.5), turn
        )

    @property
    def _size(self) -> Size:
        piece = self.layout["piece"]
        return piece["w"], piece["h"], piece["height"]

    def lies(
        self, pieces: Iterable[Lying], *, idol_deg: float = 0.0, fallen: bool = False
    ) -> dict[str, Any]:
        """Return the line, without gaps."""
        del idol_deg, fallen
        places = [(slot.x, slot.y) for slot in self.slots]
        found: dict[int, str] = {}
        for piece in pieces:
            at = nearest(places, piece.x, piece.y, 15.0) if piece.kind == KIND else None
            if at is not None:
                found[at] = str(piece.look)
        return {"line": [found[at] for at in sorted(found)]}


VIRTUAL_SET: Final = TikiToppleSet(tiki_topple.NAME, usual_table)
