"""A game on a Pico: its firmware at the end of a USB cable that is pulled and put back."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.pico.simulation import SimulatedPico
from tests.evenings import assert_won, topple_evening
from tests.hil.inside.cable import HOST, MICROPYTHON, Cable
from tests.hil.inside.house import at_home
from tests.hil.inside.table import play, wired
from tests.hil.inside.wires import PicoBench

GONE = "pico: no Pico is plugged in: plug its cable into a USB socket"
ROLES = ("tilt_0", "me_0", "me_1", "undo", "pause")


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[SimulatedPico]:
    """Yield a Pico that is on, and in no socket."""
    with SimulatedPico(tmp_path, lights=None, micropython=MICROPYTHON) as found:
        yield found


@pytest.fixture
def cable(pico: SimulatedPico) -> Iterator[Cable]:
    """Yield its cable, which is in, and in the end out."""
    found = Cable(pico)
    yield found
    found.pull()


def test_a_topple_is_scored_through_a_cable_that_is_pulled(
    folder: Path, pico: SimulatedPico, cable: Cable
) -> None:
    """The tower falls while the cable is out, and is heard of later: the people's own scores."""
    evening, bench = topple_evening(253, seats=2, target=8), PicoBench(pico)
    fall = evening.steps.index(("sensor", "topple"))
    with at_home(folder, wired(folder, evening, *ROLES, board="pico")) as house:
        house.wait_for(lambda board: not board["warnings"])
        board = play(house, bench, evening.steps[:fall])
        cable.pull()
        house.wait_for(lambda board: GONE in str(board["warnings"]))
        assert not HOST.exists()
        bench.topple()
        bench.wait("tilt")
        assert house.state()["history"] == board["history"]
        cable.plug_in()
        house.wait_for(lambda new: new["history"] != board["history"] or new["question"])
        house.wait_for(lambda board: not board["warnings"])
        bench.set_up()
        assert_won(play(house, bench, evening.steps[fall + 1 :]), evening)
        assert house.state()["warnings"] == []
