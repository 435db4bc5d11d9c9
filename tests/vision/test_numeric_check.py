"""The trial of libraries and networks: that it passes here, and notices what counts otherwise."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision import numeric_check


def test_networks_count_here_as_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    """All that ship are asked; the answers are written down in `vision.numeric_check`."""
    assert numeric_check.main() == 0
    names = {path.stem for path in numeric_check.MODELS.glob("*.onnx")}
    assert names == set(numeric_check.ANSWERS)
    said = capsys.readouterr().out
    assert said.startswith(f"{len(names)} networks, a board full each in ")
    assert said.count("\n") == 1


def test_one_that_counts_otherwise_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By as little as a hundredth, by another number of answers, or because nobody knows it."""
    true = dict(numeric_check.ANSWERS)
    assert numeric_check.find_odd(true) == []
    assert numeric_check.find_odd(
        {**true, "discs": (true["discs"][0] + 0.02, true["discs"][1])}
    ) == ["discs"]
    assert numeric_check.find_odd({**true, "discs": true["discs"][:1]}) == ["discs"]
    assert numeric_check.find_odd({**true, "stranger": (0.0,)}) == ["stranger"]
    monkeypatch.setitem(numeric_check.ANSWERS, "symbols", (9.0,))
    assert numeric_check.main() == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("wrong results from networks (symbols) on this processor: ")
    assert line.endswith(numeric_check.name_processor())
    assert numeric_check.find_odd_networks(numeric_check.QUICK) == []
    monkeypatch.setitem(numeric_check.ANSWERS, numeric_check.QUICK[0], (9.0,))
    assert numeric_check.find_odd_networks(numeric_check.QUICK) == list(numeric_check.QUICK)


def test_each_part_of_an_answer_counts() -> None:
    """Two parts that change places change the number."""
    answer = np.arange(12, dtype=np.float32).reshape(3, 4)
    swapped = answer[:, [1, 0, 2, 3]]
    assert (
        abs(numeric_check.checksum(answer) - numeric_check.checksum(swapped))
        > numeric_check.TOLERANCE
    )


def test_what_is_no_network_is_said(tmp_path: Path) -> None:
    """A file that was cut off raises, which makes the trial fail."""
    broken = tmp_path / "broken.onnx"
    broken.write_bytes((numeric_check.MODELS / "discs.onnx").read_bytes()[:5000])
    with pytest.raises(Exception, match="broken"):
        numeric_check.run_network(broken)


def spoiled(right: Callable[..., Any], *, by: float) -> Callable[..., Any]:
    """Return a function that gives *right*'s first result with one number wrong *by* so much."""

    def compute(*given: Any, **named: Any) -> Any:
        found = right(*given, **named)
        first = np.array(found[0] if isinstance(found, tuple) else found)
        first.flat[-1] += np.asarray(by).astype(first.dtype)
        return (first, *found[1:]) if isinstance(found, tuple) else first

    return compute


class Wrong(np.ndarray[Any, Any]):
    """Numbers whose products overflow, as with routines for a processor that this is not."""

    def __matmul__(self, other: Any) -> Any:
        product = np.asarray(self) @ np.asarray(other)
        return np.where(np.arange(product.size).reshape(product.shape) == 5, np.inf, product)


def test_numpy_and_opencv_compute_rightly_here() -> None:
    """With every lock that the tests are run with."""
    assert numeric_check.find_faulty_libraries() == []


def test_a_numpy_that_multiplies_wrongly_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By one number of a product; nothing else is then said of the networks."""
    indices = np.indices
    monkeypatch.setattr(np, "indices", lambda shape: indices(shape).view(Wrong))
    assert numeric_check.find_faulty_libraries() == ["numpy"]
    assert numeric_check.main() == numeric_check.FAULTY
    said = capsys.readouterr().out
    assert said == f"wrong results from numpy on this processor: {numeric_check.name_processor()}\n"


@pytest.mark.parametrize("name", ["findHomography", "perspectiveTransform", "warpPerspective"])
def test_an_opencv_that_computes_wrongly_is_named(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a homography, by a point, or by one level of a picture; or because it raises."""
    monkeypatch.setattr(cv2, name, spoiled(getattr(cv2, name), by=1.0))
    assert numeric_check.find_faulty_libraries() == ["OpenCV"]

    def fail(*_: Any, **__: Any) -> None:
        raise cv2.error

    monkeypatch.setattr(cv2, name, fail)
    assert numeric_check.find_faulty_libraries() == ["OpenCV"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("processor\t: 0\nmodel name\t: A good one\n", "A good one"),
        ("CPU implementer\t: 0x41\nCPU part\t: 0xd08\n" * 4, "implementer 0x41 part 0xd08"),
        ("", ""),
    ],
)
def test_a_processor_is_named(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it calls itself; on Arm by numbers; by its kind where the system says nothing."""
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: text)
    monkeypatch.setattr("platform.machine", lambda: "aarch64")
    assert numeric_check.name_processor() == (name if "good" in name else f"aarch64 {name}".strip())
