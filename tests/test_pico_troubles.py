"""A Pico that is not there, or not ours: named with the remedy, and the game goes on."""

from pathlib import Path

import pytest
from serial.tools import list_ports

from companion.cli import main
from tests.evenings import assert_won, settings, topple_evening
from tests.pico_wires import PicoBench
from tests.wired_tables import at_home, page, play, tap_in, wait_for
from tests.wires import wired

EVENING = topple_evening(31)
WIRES = ("tilt_0", "idol_a", "idol_b", "done_0", "me_0", "undo")


def on_pico(port: str = "") -> str:
    """Return the settings of an evening whose wires end at a Pico, which is at *port*."""
    text = wired(settings(EVENING), f'board = "pico"\nport = "{port}"\n', *WIRES)
    return text.replace('[lights]\nkind = "fake"', '[lights]\nkind = "neopixel"')


@pytest.mark.timeout(120)
def test_a_pico_that_is_not_found_is_named_while_the_game_is_won(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One warning, on page and in JSON; everything is tapped in instead."""
    monkeypatch.setattr(list_ports, "comports", list)
    words = "pico: no Pico is plugged in: plug its cable into a USB socket"
    with at_home(tmp_path, on_pico()) as house:
        (warning,) = wait_for(house, lambda board: board["warnings"])["warnings"]
        assert warning.startswith(words)
        assert warning in page(house)
        assert_won(tap_in(house, EVENING), EVENING)
        assert house.ask("/api/state")["warnings"] == [warning]


@pytest.mark.timeout(120)
def test_a_pico_that_knows_other_wires(tmp_path: Path) -> None:
    """What it does not know is named by role and pin; the rest of it works."""
    with PicoBench.built() as bench:
        text = on_pico(str(bench.pico.port)).replace("undo = true", "undo = 26")
        with at_home(tmp_path, text) as house:
            (warning,) = wait_for(house, lambda board: board["warnings"])["warnings"]
            assert warning.startswith("pico: the Pico was set up for other wires and does not know")
            assert "undo at GP26" in warning
            board = play(house, bench, EVENING.steps[1:6])
            bench.topple()
            told = ("history", "question")
            wait_for(house, lambda new: [new[key] for key in told] != [board[key] for key in told])


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('board = "pico"\n', 'board = "header"\n', "pins.port is '/dev/ttyACM0', but pins.board"),
        ("idol_b = true", "idol_b = 9", "pins.idol_a and pins.idol_b are 2 and 9; a Pico counts"),
        ("undo = true", "undo = 23", "pins.undo is 23, and there is no GP23"),
        ("undo = true", "undo = true\nidol_index = true", "pins.idol_index has no use on a Pico"),
        ("undo = true", "undo = 5", "pins.tilt_0 and pins.undo are both on GP5 (physical pin 7)"),
        ("pin = true", "pin = 23", "lights.pin is 23, and there is no GP23"),
    ],
)
def test_wrong_settings_are_refused_before_anything_starts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, words: str
) -> None:
    """One line that names file, keys and pin, and exit status 1."""
    text = on_pico("/dev/ttyACM0")
    assert old in text
    file = tmp_path / "tiki.toml"
    file.write_text(text.replace(old, new, 1))
    assert main(["run", "--config", str(file), "--port", "0"]) == 1
    said = capsys.readouterr().err
    assert f"{file}: {words}" in said
    assert len(said.splitlines()) == 1
