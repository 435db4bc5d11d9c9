"""The trial of the networks: that it passes here, and notices what counts otherwise."""

from pathlib import Path

import numpy as np
import pytest

from vision import trial
from vision.model import MODELS


def test_networks_count_here_as_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """All that ship are asked; the answers are written down in `vision.trial`."""
    assert trial.main() == 0
    names = {path.stem for path in MODELS.glob("*.onnx")}
    assert names == set(trial.ANSWERS)
    said = capsys.readouterr().out
    assert said.startswith(f"{len(names)} networks, asked about a board full in ")
    assert said.count("\n") == 1


def test_one_that_counts_otherwise_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By as little as a hundredth, by another number of answers, or because nobody knows it."""
    true = dict(trial.ANSWERS)
    assert trial.find_odd(true) == []
    assert trial.find_odd({**true, "discs": (true["discs"][0] + 0.02, true["discs"][1])}) == [
        "discs"
    ]
    assert trial.find_odd({**true, "discs": true["discs"][:1]}) == ["discs"]
    assert trial.find_odd({**true, "stranger": (0.0,)}) == ["stranger"]
    monkeypatch.setitem(trial.ANSWERS, "symbols", (9.0,))
    assert trial.main() == 1
    assert capsys.readouterr().out == "symbols count otherwise than on other computers\n"


def test_each_part_of_an_answer_counts() -> None:
    """Two parts that change places change the number."""
    answer = np.arange(12, dtype=np.float32).reshape(3, 4)
    swapped = answer[:, [1, 0, 2, 3]]
    assert abs(trial.weigh_answer(answer) - trial.weigh_answer(swapped)) > trial.TOLERANCE


def test_what_is_no_network_is_said(tmp_path: Path) -> None:
    """A file that was cut off raises, which makes the trial fail."""
    broken = tmp_path / "broken.onnx"
    broken.write_bytes((MODELS / "discs.onnx").read_bytes()[:5000])
    with pytest.raises(Exception, match="broken"):
        trial.ask(broken)
