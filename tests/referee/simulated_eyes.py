"""Simulated eyes: evidence made up from a true table, with faults.

Places are doubtful, read as something else that might well lie there, or hidden.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from companion.referee.game import EMPTY, Play, Table
from vision.observation import HIDDEN, Evidence, Observation, Reason, Status

Troubles: TypeAlias = Mapping[int, tuple[str, str]]
"""By place, how it is troubled, and what it is taken for."""
_OTHER: Final = "something else"
_SHARES: Final[dict[str, Callable[[str, str], dict[str, float]]]] = {
    "": lambda name, other: {name: 0.95, other: 0.05},
    "doubtful": lambda name, other: {name: 0.6, other: 0.4},
    "mistaken": lambda name, other: {name: 0.3, other: 0.7},
    "hidden": lambda name, other: {name: 0.05, other: 0.05, HIDDEN: 0.9},
}


@dataclass(frozen=True, slots=True)
class Faults:
    """How often what goes wrong, each a probability from 0 to 1.

    doubtful, mistaken, hidden: of a place in a picture.  lost: of a settled picture.
    unseen_arm: of the arm before it.  cheat: of an illegal table before a play.
    back: of a play taken back.  entered: of something entered that no picture shows.
    """

    doubtful: float = 0.0
    mistaken: float = 0.0
    hidden: float = 0.0
    lost: float = 0.0
    unseen_arm: float = 0.0
    cheat: float = 0.0
    back: float = 0.0
    entered: float = 0.15


@dataclass(frozen=True, slots=True)
class SimulatedEyes:
    """Eyes with *faults*, by chance."""

    rng: random.Random
    faults: Faults

    def find_troubles(self, table: Table, plays: Sequence[Play]) -> Troubles:
        """Return which places of *table* are troubled, and what of *plays* they are taken for."""
        found: dict[int, tuple[str, str]] = {}
        faults = self.faults
        for place in range(len(table)):
            chance = self.rng.random()
            others = [each.table[place] for each in plays] + [EMPTY, _OTHER]
            other = self.rng.choice([name for name in others if name and name != table[place]])
            if chance < faults.mistaken:
                found[place] = ("mistaken", other)
            elif chance < faults.mistaken + faults.doubtful:
                found[place] = ("doubtful", other)
            elif chance < faults.mistaken + faults.doubtful + faults.hidden:
                found[place] = ("hidden", other)
        return found


def look(table: Table, known: Table, troubles: Troubles) -> Observation:
    """Return a picture of *table*; *known*: what lay there when it was last believed."""
    places, unchanged = [], []
    for place, content in enumerate(table):
        name = content or EMPTY
        how, other = troubles.get(place, ("", _OTHER))
        places.append(Evidence(_SHARES[how](name, other)))
        same = 0.95 if name == (known[place] or EMPTY) else 0.05
        unchanged.append(0.5 if how == "hidden" else same)
    return Observation(
        "",
        Status.UNSETTLED if troubles else Status.OK,
        tuple(places),
        reason=Reason.UNCLEAR if troubles else None,
        unchanged=tuple(unchanged),
    )
