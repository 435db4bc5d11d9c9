"""Whole evenings on a Pico: the real firmware at the end of a cable, which is pulled and put back.

The daemon is the real one, and finds a serial port; only what hangs on the Pico is moved.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from threading import Timer
from typing import Any

import pytest

from companion.session.events import SpinObserved
from companion.session.log import Log
from tests.evenings import assert_won, settings, topple_evening, uno_evening
from tests.pico_wires import PicoBench
from tests.wired_tables import (
    House,
    at_home,
    page,
    play,
    teach,
    teach_seats,
    wait_for,
)
from tests.wires import FIRST_DEG

TOPPLE, UNO = 36, 9
BUTTONS = ("me_0", "me_1", "me_2", "uno_0", "uno_1", "uno_2", "uno_3", "undo", "pause")
RESTARTED = "idol: The Pico has restarted, so steps may have been missed. The zero is no longer"
AIM = "the idol: has lost its zero position; point it at Ann and confirm that on the host’s desk"


@pytest.fixture
def bench() -> Iterator[PicoBench]:
    """Yield a bench on a Pico of its own."""
    with PicoBench.built() as bench:
        yield bench


def gone(bench: PicoBench) -> str:
    """Return how begins what is said of a Pico that is not there."""
    return f"pico: nothing is plugged in at {bench.pico.port}: plug the Pico in"


def wait_for_warnings(house: House, *warnings: str) -> None:
    """Wait until those that begin so, and no others, are shown."""

    def are_shown(board: dict[str, Any]) -> bool:
        shown = sorted(board["warnings"])
        return len(shown) == len(warnings) and all(map(str.startswith, shown, sorted(warnings)))

    wait_for(house, are_shown)


@pytest.mark.slow
def test_an_evening_of_topple_on_a_pico(tmp_path: Path, bench: PicoBench) -> None:
    """The tower falls while the cable is out, the Pico restarts, and the scores are the true ones.

    The fall is heard as soon as the cable is back.
    """
    evening = topple_evening(TOPPLE)
    text = bench.wired(settings(evening), "tilt_0", "idol_a", "idol_b", *BUTTONS)
    fall = evening.steps.index(("sensor", "topple"))
    with at_home(tmp_path, text) as house:
        board = play(house, bench, evening.steps[:fall])
        bench.pico.unplug()
        wait_for_warnings(house, gone(bench))
        assert gone(bench) in page(house)
        bench.topple()
        time.sleep(2.0)
        assert house.ask("/api/state")["history"] == board["history"]
        bench.pico.plug_in()
        wait_for(house, lambda new: new["history"] != board["history"] or new["question"])
        wait_for_warnings(house)
        bench.set_up()
        half = (fall + 1 + len(evening.steps)) // 2
        play(house, bench, evening.steps[fall + 1 : half])
        bench.pico.restart()
        board = play(house, bench, evening.steps[half:])
        assert_won(board, evening)
        wait_for_warnings(house)
        assert "wins!" in page(house)


@pytest.mark.slow
def test_an_evening_of_uno_tiki_on_a_pico(tmp_path: Path, bench: PicoBench) -> None:
    """Every spin is counted, also the one during which the cable is out.

    The idol turns while the companion is started anew, and its zero is still known; after a restart
    of the Pico it is aimed once.
    """
    evening = uno_evening(UNO, 4, 50)
    text = bench.wired(settings(evening), "idol_a", "idol_b", *BUTTONS).replace(
        "rest_s = 0.8", "rest_s = 0.4"
    )
    half = len(evening.steps) // 2
    pulled = next(
        place
        for place, (_, words) in enumerate(evening.steps)
        if words.startswith("spin") and place > half // 2
    )
    with at_home(tmp_path, text) as house:
        wait_for(house, lambda board: board["warnings"])
        teach_seats(house, bench, 4)
        wait_for_warnings(house)
        play(house, bench, evening.steps[:pulled])
        for after_s, act in ((0.3, bench.pico.unplug), (1.0, bench.pico.plug_in)):
            Timer(after_s, act).start()
        play(house, bench, evening.steps[pulled:half])
        wait_for_warnings(house)
    bench.turn(1.3)
    with at_home(tmp_path, text) as house:
        wait_for_warnings(house)
        third = (half + len(evening.steps)) // 2
        play(house, bench, evening.steps[half:third])
        bench.pico.restart()
        wait_for_warnings(house, RESTARTED, AIM)
        bench.point_at(FIRST_DEG)
        assert teach(house, "idol", "aim").startswith("The idol is calibrated for 4 seats.")
        assert_won(play(house, bench, evening.steps[third:]), evening)
        wait_for_warnings(house)
    with Log(tmp_path / "game.db") as log:
        spins = [entry.event for entry in log.entries(1) if isinstance(entry.event, SpinObserved)]
    assert len(spins) == sum(words.startswith("spin") for _, words in evening.steps)
    assert all(spin.trusted for spin in spins)


def test_a_pico_may_come_later(tmp_path: Path, bench: PicoBench) -> None:
    """What is missing is named; plugged in it works, without a new start of the companion.

    A tower that lies by then has not been seen to fall.
    """
    evening = topple_evening(TOPPLE)
    bench.pico.unplug()
    bench.drive("tilt_0", True)
    with at_home(tmp_path, bench.wired(settings(evening), "tilt_0", "undo")) as house:
        wait_for_warnings(house, gone(bench))
        bench.pico.plug_in()
        wait_for_warnings(house, "tilt: reports that the tower has fallen")
        bench.set_up()
        wait_for_warnings(house)
        board = play(house, bench, [*evening.steps[:2], ("sensor", "press undo")])
        assert len(board["history"]) == 1
