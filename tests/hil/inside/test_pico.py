"""A game on a Pico: its firmware at the end of a USB cable that is pulled and put back.

Its lights are Adafruit's driver's on the firmware's own VM; the strip is what leaves the data pin.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.scenes.palette import DARK, SCENES
from hardware.pico.simulation import SimulatedPico
from tests.evenings import Evening, assert_won, topple_evening
from tests.hil.inside.cable import HOST, MICROPYTHON, Cable
from tests.hil.inside.house import House, at_home
from tests.hil.inside.panel import wait_until
from tests.hil.inside.table import play, replaced, wired
from tests.hil.inside.wires import PicoBench

GONE = "pico: no Pico is plugged in: plug its cable into a USB socket"
ROLES = ("tilt_0", "me_0", "me_1", "undo", "pause")
LIGHTS = ('[lights]\nkind = "fake"', '[lights]\nkind = "neopixel"')
AT_REST = (DARK,) * 9
REST_S = 20.0
"""The Pico waits 2 s; a busy computer may let this machine stand still meanwhile."""


def settings(folder: Path, evening: Evening) -> str:
    """Return settings for *evening* with switches, buttons and lights on a Pico."""
    return replaced(wired(folder, evening, *ROLES, board="pico"), LIGHTS)


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[SimulatedPico]:
    """Yield a Pico that is on, and in no socket."""
    with SimulatedPico(tmp_path, micropython=MICROPYTHON) as found:
        yield found


@pytest.fixture
def cable(pico: SimulatedPico) -> Iterator[Cable]:
    """Yield its cable, which is in, and in the end out."""
    found = Cable(pico)
    yield found
    found.pull()


def is_shown(house: House, pico: SimulatedPico) -> bool:
    """Return whether the strip shows what the pages say that it shows, and is lit."""
    return pico.pixels == house.lights() != AT_REST


def test_a_topple_is_scored_through_a_cable_that_is_pulled(
    folder: Path, pico: SimulatedPico, cable: Cable
) -> None:
    """The tower falls while the cable is out, and is heard of later: the people's own scores.

    The lights show the turn, ask who made it fall, and show the winner; they rest while the cable
    is out.
    """
    evening, bench = topple_evening(253, seats=2, target=8), PicoBench(pico)
    fall = evening.steps.index(("sensor", "topple"))
    with at_home(folder, settings(folder, evening)) as house:
        house.wait_for(lambda board: not board["warnings"])
        wait_until(lambda: is_shown(house, pico), "the lights do not show the turn")
        board = play(house, bench, evening.steps[:fall])
        cable.pull()
        house.wait_for(lambda board: GONE in str(board["warnings"]))
        assert not HOST.exists()
        pico.wait_for_pixels(AT_REST, REST_S)
        bench.topple()
        bench.wait("tilt")
        assert house.state()["history"] == board["history"]
        cable.plug_in()
        wait_until(lambda: SCENES["ask"] in pico.pixels, "the lights do not ask who did it")
        house.wait_for(lambda new: new["history"] != board["history"] or new["question"])
        house.wait_for(lambda board: not board["warnings"])
        bench.set_up()
        assert_won(play(house, bench, evening.steps[fall + 1 :]), evening)
        assert house.state()["warnings"] == []
        wait_until(lambda: is_shown(house, pico), "the lights do not show the winner")
        assert SCENES["won"] in pico.pixels


@pytest.mark.usefixtures("cable")
def test_the_lights_rest_while_the_companion_is_silent(folder: Path, pico: SimulatedPico) -> None:
    """Its port is still open, but nothing comes; then it goes on, and they are as before."""
    evening = topple_evening(253, seats=2, target=8)
    PicoBench(pico)  # on which the tower stands
    with at_home(folder, settings(folder, evening)) as house:
        house.wait_for(lambda board: not board["warnings"])
        wait_until(lambda: is_shown(house, pico), "the lights do not show the turn")
        shown = pico.pixels
        with house.hung():
            pico.wait_for_pixels(AT_REST, REST_S)
        pico.wait_for_pixels(shown, REST_S)
