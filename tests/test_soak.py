"""A short soak, and that its judges notice what they are there for."""

import random
from pathlib import Path
from typing import Final

import pytest

from tests.soak.evening import Evening
from tests.soak.house import House
from tests.soak.tally import FAULTS, Tally

ORDEALS: Final = 6
"""Each kind once."""


def play(folder: Path, game: str, kind: type[Evening] = Evening, seed: int = 1) -> Tally:
    """Return what came of one evening in *folder*, at which everything goes wrong soon."""
    house, tally = House(folder), Tally()
    try:
        kind(house, game, random.Random(seed), tally, ordeal_share=0.3, most_ordeals=ORDEALS).play()
    finally:
        house.kill()
    return tally


@pytest.mark.parametrize("game", ["tiki_topple", "tactiki", "uno_tiki"])
@pytest.mark.slow
def test_nothing_is_lost_stuck_leaked_or_wrong(game: str, tmp_path: Path) -> None:
    """Killed, stopped, without space, damaged, crowded and pestered, a game comes to its end."""
    tally = play(tmp_path, game)
    assert tally.is_clean, tally.notes
    assert tally.ended == 1
    assert min(tally.kills, tally.stops, tally.full_disks, tally.damages, tally.crowds) >= 1


class Forgetful(Evening):
    """An evening whose people remember a row that the log never had."""

    def _begin(self) -> None:
        super()._begin()
        self.kept = [*self.kept, {"seq": 99, "type": "move"}]


class Careless(Evening):
    """An evening at which a secret stands in plain view."""

    def _begin(self) -> None:
        super()._begin()
        self.secrets = [(0, "Player 1")]


@pytest.mark.parametrize(("kind", "fault"), [(Forgetful, "lost"), (Careless, "leaked")])
@pytest.mark.slow
def test_a_fault_is_counted(kind: type[Evening], fault: str, tmp_path: Path) -> None:
    """What is lost or leaked does not pass as clean."""
    tally = play(tmp_path, "topple", kind)
    assert getattr(tally, fault)
    assert not tally.is_clean


def test_every_fault_spoils_a_tally() -> None:
    """None of them is counted in vain, and each stands in the table."""
    assert Tally().is_clean
    for fault in FAULTS:
        tally = Tally()
        tally.note(fault, "something")
        assert not tally.is_clean
        assert fault in tally.table()
