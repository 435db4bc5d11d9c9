"""The trial of the networks: that it passes here, and notices what counts otherwise."""

from pathlib import Path

import numpy as np
import pytest

from vision import inference_check
from vision.columns.model import MODELS


def test_networks_count_here_as_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """All that ship are asked; the answers are written down in `vision.inference_check`."""
    assert inference_check.main() == 0
    names = {path.stem for path in MODELS.glob("*.onnx")}
    assert names == set(inference_check.ANSWERS)
    said = capsys.readouterr().out
    assert said.startswith(f"{len(names)} networks, a board full each in ")
    assert said.count("\n") == 1


def test_one_that_counts_otherwise_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By as little as a hundredth, by another number of answers, or because nobody knows it."""
    true = dict(inference_check.ANSWERS)
    assert inference_check.find_odd(true) == []
    assert inference_check.find_odd(
        {**true, "discs": (true["discs"][0] + 0.02, true["discs"][1])}
    ) == ["discs"]
    assert inference_check.find_odd({**true, "discs": true["discs"][:1]}) == ["discs"]
    assert inference_check.find_odd({**true, "stranger": (0.0,)}) == ["stranger"]
    monkeypatch.setitem(inference_check.ANSWERS, "symbols", (9.0,))
    assert inference_check.main() == 1
    assert capsys.readouterr().out == "symbols give different results from other computers\n"


def test_each_part_of_an_answer_counts() -> None:
    """Two parts that change places change the number."""
    answer = np.arange(12, dtype=np.float32).reshape(3, 4)
    swapped = answer[:, [1, 0, 2, 3]]
    assert (
        abs(inference_check.checksum(answer) - inference_check.checksum(swapped))
        > inference_check.TOLERANCE
    )


def test_what_is_no_network_is_said(tmp_path: Path) -> None:
    """A file that was cut off raises, which makes the trial fail."""
    broken = tmp_path / "broken.onnx"
    broken.write_bytes((MODELS / "discs.onnx").read_bytes()[:5000])
    with pytest.raises(Exception, match="broken"):
        inference_check.run_network(broken)
