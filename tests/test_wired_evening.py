"""Whole evenings on imagined pins: every fall, press and spin comes as edges on a wire.

The daemon is the real one, with gpiozero, its drivers and its pages; only what hangs on the pins
and buses is moved by a test.
"""

import contextlib
import threading
from pathlib import Path

import gpiozero
import pytest
from luma.core.interface.serial import i2c

from companion.cli import main
from companion.devices.calibration import load_calibrations
from companion.session.events import SpinObserved
from companion.session.log import Log
from hardware import buttons, header, panels
from hardware.chips import FakeChips
from tests.evenings import assert_won, settings, topple_evening, uno_evening
from tests.hardware.pin_factories import failing, install
from tests.hardware.recorders import Socket
from tests.wired_tables import (
    at_home,
    page,
    play,
    tap_in,
    teach,
    teach_seats,
    wait_for,
)
from tests.wires import FIRST_DEG, HeaderBench

TOPPLE, UNO = 36, 9
AIM = "the idol: has lost its zero position; point it at Ann and confirm that on the host’s desk"
UNPLUGGED = (
    "display: ssd1306: nothing answers at 0x3C on /dev/i2c-1; check its four wires, and the"
    " address: i2cdetect -y 1 lists what is there"
)
CHATTERS = f"done_3: {buttons.CHATTERS}"
BUTTONS = ("me_0", "me_1", "me_2", "uno_0", "uno_1", "uno_2", "uno_3", "undo", "pause")


@pytest.mark.slow
def test_an_evening_of_uno_tiki_on_wires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats taught by pointing, then every spin as two wires' edges: the people's scores.

    After a restart half-way the idol is aimed once, and its seats are still known.
    """
    evening, bench = uno_evening(UNO, 4, 50), HeaderBench.built(monkeypatch)
    text = bench.wired(settings(evening), "idol_a", "idol_b", *BUTTONS).replace(
        "rest_s = 0.8", "rest_s = 0.4"
    )
    half = len(evening.steps) // 2
    with at_home(tmp_path, text) as house:
        warned = wait_for(house, lambda board: board["warnings"])
        assert "has not been calibrated" in warned["warnings"][0]
        teach_seats(house, bench, 4)
        assert house.ask("/api/state")["warnings"] == []
        play(house, bench, evening.steps[:half])
    bench.power_up()
    with at_home(tmp_path, text) as house:
        warnings = wait_for(house, lambda board: board["warnings"])["warnings"]
        assert warnings == [AIM]
        bench.point_at(FIRST_DEG)
        assert teach(house, "idol", "aim").startswith("The idol is calibrated for 4 seats.")
        assert_won(play(house, bench, evening.steps[half:]), evening)
    with Log(tmp_path / "game.db") as log:
        spins = [entry.event for entry in log.entries(1) if isinstance(entry.event, SpinObserved)]
    assert len(spins) == sum(words.startswith("spin") for _, words in evening.steps)
    assert all(spin.trusted for spin in spins)
    taught = load_calibrations(tmp_path / "game.db").sectors
    assert taught is not None
    assert sorted(taught.angles_deg) == [0, 1, 2, 3]


def test_a_silent_wire_costs_the_evening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the tilt's wire cut its falls are not heard: the comparison above can fail."""
    evening, bench = topple_evening(TOPPLE), HeaderBench.built(monkeypatch)
    fall = evening.steps.index(("sensor", "topple"))
    with at_home(tmp_path, bench.wired(settings(evening), "tilt_0", *BUTTONS)) as house:
        play(house, bench, evening.steps[:fall])
        monkeypatch.setattr(bench, "shake", lambda _: None)
        monkeypatch.setattr("tests.wired_tables.DEADLINE_S", 2.0)
        with pytest.raises(AssertionError):
            play(house, bench, evening.steps[fall:])
        with pytest.raises(AssertionError):
            assert_won(house.ask("/api/state"), evening)


@pytest.mark.filterwarnings("ignore:Image.Image.getdata:DeprecationWarning")
@pytest.mark.slow
def test_what_goes_wrong_is_named_and_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A button that chatters for ever and a display unplugged in mid-game, to the true scores."""
    evening, bench, socket = topple_evening(TOPPLE), HeaderBench.built(monkeypatch), Socket()
    monkeypatch.setattr(panels, "i2c", lambda address, **_: i2c(bus=socket, address=address))
    text = bench.wired(settings(evening), "tilt_0", "done_3", *BUTTONS).replace(
        '[display]\nkind = "fake"', '[display]\nkind = "ssd1306"'
    )
    over = threading.Event()

    def chatter() -> None:
        level = False
        while not over.wait(0.004):
            level = not level
            bench.drive("done_3", level)

    loose = threading.Thread(target=chatter)
    with at_home(tmp_path, text) as house, contextlib.ExitStack() as ending:
        loose.start()
        ending.callback(loose.join)
        ending.callback(over.set)
        half = len(evening.steps) // 2
        play(house, bench, evening.steps[:half])
        socket.record.wait_for(lambda _: socket.lit)
        socket.plugged = False
        board = wait_for(house, lambda board: len(board["warnings"]) == 2)
        assert not board["winners"]
        assert sorted(board["warnings"]) == [UNPLUGGED, CHATTERS]
        assert all(warning in page(house) for warning in board["warnings"])
        assert_won(play(house, bench, evening.steps[half:]), evening)
        socket.plugged = True
        wait_for(house, lambda board: len(board["warnings"]) == 1)
        socket.record.wait_for(lambda _: socket.lit)


def test_without_permission_the_game_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The pins are refused: named with the remedy on page and in JSON; all is tapped in instead."""
    install(monkeypatch, "lgpio", failing(RuntimeError("can not open gpiochip")))
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(header, "CHIPS", tmp_path)
    monkeypatch.setattr("hardware.header.KernelChips", lambda _: FakeChips())
    monkeypatch.setattr("hardware.header.os.access", lambda *_: False)  # root may read anything
    evening = topple_evening(31)
    text = HeaderBench().wired(settings(evening), "tilt_0", *BUTTONS).replace('"mock"', '"lgpio"')
    with at_home(tmp_path, text) as house:
        (warning,) = wait_for(house, lambda board: board["warnings"])["warnings"]
        assert warning == (
            f"pins: lgpio found no pins: no permission for {tmp_path}/gpiochip0; sudo usermod -aG"
            " gpio $USER, then log in again"
        )
        assert warning in page(house)
        assert_won(tap_in(house, evening), evening)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("tilt_0 = true", "tilt_0 = 23", "pins.tilt_0 and pins.done_0 are both on GPIO23"),
        ("tilt_0 = true", "tilt_0 = 33", "pins.tilt_0 is 33, and there is no GPIO33; if you mean"),
        ('[lights]\nkind = "fake"\npin = true', '[lights]\nkind = "neopixel"\npin = 21',
         "pins.me_3 and lights.pin are both on GPIO21"),
    ],
)  # fmt: skip
def test_wrong_pins_are_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, words: str
) -> None:
    """One line that names file, keys and pin, and exit status 1."""
    text = HeaderBench().wired(settings(topple_evening(31)), "tilt_0", "done_0", "me_3")
    assert old in text
    file = tmp_path / "tiki.toml"
    file.write_text(text.replace(old, new))
    assert main(["run", "--config", str(file), "--port", "0"]) == 1
    said = capsys.readouterr().err
    assert f"{file}: {words}" in said
    assert len(said.splitlines()) == 1


def test_the_installed_gpiozero_is_the_one_that_is_imagined() -> None:
    """The bench's pins are gpiozero's own, moved from outside."""
    bench = HeaderBench()
    button = gpiozero.InputDevice(23, pull_up=True, pin_factory=bench.factory)
    assert not button.is_active
    bench.drive("done_0", True)
    assert button.is_active
    bench.factory.close()
