"""Counts of rendered bumps: what was noticed is counted, and so are a missed and a false one."""

import json
import shutil
from pathlib import Path

import pytest

from rendering.bumped import BUMPS, PLAYED, lay_table
from tests.training.unrendered import pretend_to_render
from tests.vision.rendered_bumps import LOOKS_BEFORE, Tally, main

pytestmark = pytest.mark.slow

GAME = "tippi_toppi"
STILL = 8


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Return a table of which flat pictures with tiles are drawn."""
    folder = tmp_path / f"000-{GAME}"
    pretend_to_render(folder, lay_table(GAME, folder, 0))
    return folder


def test_bumps_are_noticed_and_still_pictures_are_not(table: Path) -> None:
    """Of tiles on a plain table all bumps are found; what moved is not claimed there."""
    tally = Tally()
    tally.try_table(table, STILL)
    noticed = sum(tally.counts[f"noticed in picture {look}"] for look in (1, 2))
    assert tally.counts["bumps"] == noticed == BUMPS
    assert tally.counts["still pictures"] == STILL + BUMPS * LOOKS_BEFORE
    assert tally.counts["false alarms"] == tally.counts["missed"] == 0
    assert tally.told == {"camera as either": BUMPS // 2, "board as either": BUMPS // 2}
    assert not tally.lost


def test_what_is_missed_or_falsely_told_is_counted(table: Path) -> None:
    """A bump whose picture shows nothing of it is missed; a still one that moved is an alarm."""
    bumped = table / f"{1 + PLAYED:04d}.png"
    shutil.copyfile(table / f"{2 + PLAYED:04d}.png", table / "0001.png")
    shutil.copyfile(table / "0000.png", bumped)
    tally = Tally()
    tally.try_table(table, STILL)
    assert tally.counts["missed"] == tally.counts["missed over 5 mm"] == 1
    assert tally.counts["false alarms"] > 0
    assert any(line.startswith(f"missed: {table.name} {bumped.name} board") for line in tally.lost)
    assert any(line.startswith("false alarm: ") for line in tally.lost)


def test_pictures_that_are_not_rendered_are_left_out(
    table: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those that are there count."""
    (table / f"{1 + PLAYED:04d}.png").unlink()
    words = ["rendered_bumps", str(table.parent), "--still", "2"]
    monkeypatch.setattr("sys.argv", words)
    main()
    told = capsys.readouterr().out
    assert f"'bumps': {BUMPS - 1}," in told
    assert told.endswith("nothing missed\n")


def test_a_folder_without_tables_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Instead of counts of nothing."""
    monkeypatch.setattr("sys.argv", ["rendered_bumps", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    assert f"{tmp_path}: no table is laid there" in capsys.readouterr().err


def test_a_table_says_what_a_recording_says(table: Path) -> None:
    """Its mat is read as any other's; its pictures are named."""
    told = json.loads((table / "table.json").read_text("utf-8"))
    assert told["session"]["image"] == {"width": 768, "height": 432, "hfov_deg": 66.0}
    assert len(told["shots"]) == 1 + PLAYED + BUMPS
