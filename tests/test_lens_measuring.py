"""The lens measured at set-up, with a tile that is tilted before a table's camera."""

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from companion.cli.setup_lens import offer_measuring
from companion.table.camera_lens import load_lens, save_lens
from companion.table.lens_measuring import LensMeasuring
from tests.set_up_tables import Table
from tests.vision.held_tiles import HeldTile, wave
from tests.web.games import open_game
from tests.web.setting_up import StandingCamera, picture_of, truth_of
from vision.capture.camera import Shot
from vision.geometry.held_tile import ENOUGH_ERROR
from vision.geometry.lens import Lens, parse_lens

GAME, TRUE_DEG = "topple", 66.0
PATIENCE_S = 90.0


class Waved(StandingCamera):
    """A camera before which a tile is tilted: the next way with every picture that is fetched."""

    def __init__(self) -> None:
        super().__init__(picture_of(GAME))
        self._table = picture_of(GAME)
        self._ways: Iterator[HeldTile] = wave(49, 5, 100)

    def wave(self) -> None:
        """Tilt it the next way."""
        self.picture = next(self._ways).draw(self._table, TRUE_DEG)

    def shots(self) -> Iterator[Shot]:
        """Yield what it shows."""
        for shot in super().shots():
            self.wave()
            yield shot


def measure(table: Table, measuring: LensMeasuring) -> list[str]:
    """Measure, and return all that is said."""
    said: list[str] = []
    measuring.begin(lambda: said.extend(measuring.report.words))
    while measuring.report.is_going_on:
        table.acts.get(timeout=PATIENCE_S)()
    return said


def test_a_tilted_tile_tells_the_lens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept for all games, and the table is learned anew by it."""
    monkeypatch.setattr("companion.table.live_view.MIN_GAP_S", 0.0)
    monkeypatch.setattr("companion.table.lens_measuring.TIME_S", PATIENCE_S)
    save_lens(tmp_path / "games.db", "cam", Lens(75.0, 0.3))
    with Table(open_game(GAME), picture_of(GAME), tmp_path, Waved()) as table:
        calibration, measuring = table.calibration, table.setup.measuring
        offered = [measuring.is_offered]
        said = measure(table, measuring)
        offered.append(measuring.is_offered)
        assert offered == [True, False]
        known = calibration.lens
        assert known is not None
        assert known.error <= ENOUGH_ERROR
        assert known.hfov_deg == pytest.approx(TRUE_DEG, abs=0.7)
        for game in (GAME, "tactiki"):
            assert parse_lens(calibration.table_of(game)) == Lens(
                round(known.hfov_deg, 3), round(known.error, 4), known.k1
            )
    kept = load_lens(tmp_path / "games.db", "cam")
    assert kept is not None
    assert kept.hfov_deg == pytest.approx(known.hfov_deg, abs=0.001)
    assert "Good. Now tilt it another way." in said
    assert "Measured: the camera’s view is 66 degrees wide, to within 1 per cent." in said[-1]


def test_nothing_is_measured_where_no_tile_is_held(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was known stays, and it is said what was missing."""
    monkeypatch.setattr("companion.table.lens_measuring.TIME_S", 1.0)
    picture = np.full_like(picture_of(GAME), 120)
    save_lens(tmp_path / "games.db", "cam", Lens(75.0, 0.3))
    with Table(open_game(GAME), picture, tmp_path) as table:
        said = measure(table, table.setup.measuring)
        assert table.calibration.lens == Lens(75.0, 0.3)
        assert table.setup.measuring.is_offered
    assert said[-1].startswith(
        "Time is up, and nothing was measured. The whole tile must be in view."
    )


def test_a_learned_table_relies_on_a_measured_lens(tmp_path: Path) -> None:
    """What its four tiles tell is less."""
    save_lens(tmp_path / "games.db", "cam", Lens(66.3, 0.008))
    with Table(open_game(GAME), picture_of(GAME), tmp_path) as table:
        assert table.learn(truth_of(GAME, "000.jpg")).lens == Lens(66.3, 0.008)
        assert table.calibration.lens == Lens(66.3, 0.008)


def test_a_terminal_measures_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If it is offered, and the host agrees; each new sentence is printed once."""
    monkeypatch.setattr("companion.cli.setup_lens.PAUSE_S", 0.0)
    begun: list[str] = []
    states = [
        {"lens": {"offered": False, "measuring": True, "words": ["Tilt it."]}},
        {"lens": {"offered": False, "measuring": True, "words": ["Tilt it."]}},
        {"lens": {"offered": False, "measuring": False, "words": ["Measured."]}},
    ]
    offered = {"lens": {"offered": True, "measuring": False, "words": []}}
    monkeypatch.setattr("sys.stdin", io.StringIO("n\ny\n"))
    for state in (states[2], offered, offered):
        offer_measuring(state, lambda: begun.append("yes"), lambda: states.pop(0))
    assert begun == ["yes"]
    told = capsys.readouterr().out
    assert told.count("Tilt it.\n") == 1
    assert told.endswith("Measured.\n")
