"""Games on the header's wires: tilt, buttons and encoder through gpio-sim, lgpio and gpiozero."""

from pathlib import Path

import pytest

from tests.evenings import assert_won, topple_evening, uno_evening
from tests.hil.inside import panel
from tests.hil.inside.house import at_home
from tests.hil.inside.table import calibrate_seats, play, wired
from tests.hil.inside.wires import KernelBench
from tests.wires import FIRST_DEG

BUTTONS = ("me_0", "me_1", "uno_0", "uno_1", "uno_2", "undo", "pause")


@pytest.mark.usefixtures("oled")
def test_a_topple_is_scored(folder: Path, bench: KernelBench) -> None:
    """Falls of a bouncing ball switch, sways and bouncing buttons: the people's own scores.

    The OLED shows what the page says it shows, other scores at the end than at the beginning;
    pulled out, it is named, and plugged in again it is lit.
    """
    evening = topple_evening(253, seats=2, target=8)
    assert [words for _, words in evening.steps].count("topple") == 2
    with at_home(folder, wired(folder, evening, "tilt_0", *BUTTONS)) as house:
        assert house.state()["warnings"] == []
        panel.wait_until(lambda: panel.shown().getbbox(), "the display stays dark")
        first = panel.shown()
        assert_won(play(house, bench, evening.steps), evening)
        panel.wait_until(
            lambda: panel.shown().tobytes() == house.display().tobytes(), "it shows something else"
        )
        assert panel.shown().tobytes() != first.tobytes()
        assert house.state()["warnings"] == []
        panel.plug(there=False)
        (warning,) = house.wait_for(lambda board: board["warnings"])["warnings"]
        assert warning.startswith("display: ssd1306: nothing answers at 0x3C on /dev/i2c-1")
        panel.plug(there=True)
        house.wait_for(lambda board: not board["warnings"])
        panel.wait_until(lambda: panel.shown().tobytes() == house.display().tobytes(), "stays dark")


def test_a_spin_is_arbitrated(folder: Path, bench: KernelBench) -> None:
    """Seats calibrated by pointing, then every spin as edges of two wires: the people's scores."""
    evening = uno_evening(9, seats=3, target=20)
    assert sum(words.startswith("spin") for _, words in evening.steps) == 3
    with at_home(folder, wired(folder, evening, "idol_a", "idol_b", *BUTTONS)) as house:
        warned = house.wait_for(lambda board: board["warnings"])
        assert "has not been calibrated" in warned["warnings"][0]
        calibrate_seats(house, bench, 3)
        assert house.state()["warnings"] == []
        assert_won(play(house, bench, evening.steps), evening)


def test_a_cut_wire_costs_the_spin(folder: Path, bench: KernelBench) -> None:
    """With one wire of the encoder cut no seat is named: the comparison above can fail."""
    evening = uno_evening(9, seats=3, target=20)
    spin = next(words for _, words in evening.steps if words.startswith("spin"))
    with at_home(folder, wired(folder, evening, "idol_a", "idol_b", *BUTTONS)) as house:
        calibrate_seats(house, bench, 3)
        before = house.state()["history"]
        bench.cut("idol_b")
        bench.spin_to(FIRST_DEG, float(spin.split()[2]))
        bench.wait("idol")
        assert house.state()["history"] == before
