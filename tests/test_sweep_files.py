"""`tiki evaluate` on the pictures of a phone that is moved across hands, and how they are made."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from rendering.hand_printers import make_printer
from rendering.hand_scenes import make_grounds
from rendering.hand_sweeps import LONG_PX, PICTURES, render_sweep
from tests.vision.hands import draw_hand
from training.hand_rehearsal import list_judging
from vision.cards.sweep import Sweep

HAND = (("red", "7"), ("blue", "skip"), ("yellow", "3"))


def write_sweep(folder: Path, cards: tuple[tuple[str, str], ...]) -> None:
    """Write two pictures of HAND and a label that says *cards*."""
    for name, step in (("a.png", 105), ("b.png", 115)):
        cv2.imwrite(str(folder / name), draw_hand(HAND, (step, 0)))
    label = {
        "pictures": ["a.png", "b.png"],
        "cards": [{"color": colour, "symbol": symbol} for colour, symbol in cards],
    }
    (folder / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")


def test_evaluate_counts_hands_named_in_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All three are sure after the second picture."""
    write_sweep(tmp_path, HAND)
    assert main(["evaluate", str(tmp_path)]) == 0
    assert (
        capsys.readouterr()
        .out.splitlines()[2]
        .startswith("| 1 | 1 (100.0%) | 3 | 3 (100.0%) | 0 |")
    )


def test_evaluate_notices_a_card_that_is_not_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its exit status tells, and --faults names it."""
    write_sweep(tmp_path, (*HAND[:2], ("green", "1")))
    assert main(["evaluate", str(tmp_path), "--faults"]) == 1
    assert "not there: yellow 3; not named: green 1" in capsys.readouterr().out


def test_a_picture_that_is_missing_ends_the_evaluation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line with its path."""
    write_sweep(tmp_path, HAND)
    (tmp_path / "b.png").unlink()
    assert main(["evaluate", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "b.png" in line


def test_a_rendered_sweep_moves_across_one_hand() -> None:
    """Every picture is as large as a page sends it, and no two show the same."""
    random = np.random.default_rng(4)
    printer, grounds = make_printer(random, list_judging(None)), make_grounds(random, 1)
    scene = render_sweep(random, printer, grounds, 7, "fan")
    assert len(scene.pictures) == PICTURES
    assert len(scene.cards) == Sweep(7).count
    assert {max(picture.shape) for picture in scene.pictures} == {LONG_PX}
    first, last = (cv2.resize(scene.pictures[at], (64, 64)) for at in (0, -1))
    assert np.abs(first.astype(int) - last).mean() > 4
