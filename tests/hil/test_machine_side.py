"""What the tests in the machine lean on, tried without it."""

import time
from pathlib import Path

import pytest

from companion.games import recordings
from tests.hil import conftest
from tests.hil.inside import film, panel, table, wires
from tests.wires import ROLE


@pytest.fixture
def header(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder as gpio-sim has one, with a file for each wire."""
    for number in range(28):
        (tmp_path / f"sim_gpio{number}").mkdir()
    monkeypatch.setattr(wires, "lines", lambda: tmp_path)
    return tmp_path


def pull(header: Path, role: str) -> str:
    """Return how the wire of *role* is held."""
    return (header / f"sim_gpio{ROLE[role].header}" / "pull").read_text()


def test_a_closed_switch_ties_its_wire_to_ground(header: Path) -> None:
    """A button when it is pressed, a ball switch while the tower stands; a cut wire never."""
    bench = wires.KernelBench()
    assert pull(header, "tilt_0") == "pull-down"
    bench.drive("tilt_0", True)
    bench.drive("undo", True)
    assert (pull(header, "tilt_0"), pull(header, "undo")) == ("pull-up", "pull-down")
    bench.cut("undo")
    bench.drive("undo", True)
    assert pull(header, "undo") == "pull-up"


@pytest.mark.usefixtures("header")
def test_words_that_no_evening_has_fail() -> None:
    """Else a step of an evening could be passed over in silence."""
    with pytest.raises(AssertionError, match="dance 3"):
        wires.KernelBench().act("dance 3")


def test_an_idol_that_is_late_never_catches_up(header: Path) -> None:
    """The time from one edge to the next is never shorter than a turning mass would have it."""
    bench = wires.KernelBench()
    start_s = time.monotonic()
    bench.drive("idol_a", True, start_s - 1.0)
    bench.drive("idol_b", True, start_s - 0.95)
    assert time.monotonic() - start_s >= 0.05
    assert pull(header, "idol_b") == "pull-down"


def test_the_panel_shows_its_memory_while_it_is_lit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A byte is a column of eight, its lowest bit on top, as in the SSD1306's data sheet."""
    monkeypatch.setattr(panel, "FOLDER", tmp_path)
    (tmp_path / "memory").write_bytes(bytes(128 + 3) + b"\x82" + bytes(1024 - 132))
    (tmp_path / "lit").write_text("Y\n")
    shown = panel.shown()
    lit = [(x, y) for x in range(128) for y in range(64) if shown.getpixel((x, y))]
    assert lit == [(3, 9), (3, 15)]
    (tmp_path / "lit").write_text("N\n")
    assert panel.shown().getbbox() is None


def test_what_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A panel that stays dark fails the test, in words."""
    monkeypatch.setattr(panel, "PATIENCE_S", 0.0)
    with pytest.raises(AssertionError, match="stays dark"):
        panel.wait_until(lambda: False, "stays dark")


def test_a_picture_has_the_moves_that_it_is_the_first_to_show() -> None:
    """One, several, or none."""
    moves = film.moves_of(recordings()["tactiki"])
    assert moves["001.jpg"] == []
    assert moves["003.jpg"] == ["move 42 41"]
    assert moves["007.jpg"] == ["move 03 02", "move 01 02"]


def test_a_setting_that_is_not_in_the_example_is_not_changed_in_silence() -> None:
    """Else a test would run on other settings than it says."""
    assert table.replaced("port = 8321", ("8321", "0")) == "port = 0"
    with pytest.raises(AssertionError, match="prot"):
        table.replaced("port = 8321", ("prot = 8321", "port = 0"))


def test_outside_the_machine_its_tests_are_not_collected() -> None:
    """They would fail for want of its devices."""
    assert conftest.collect_ignore == ([] if conftest.MACHINE.exists() else ["inside"])
