"""`tiki read --card` and `tiki evaluate` on photographs of single cards."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from rendering.drawn import COLOURS, Design, draw_card
from rendering.prints import draw_ground


def write_photo(path: Path, symbol: str | None, colour: str = "red") -> None:
    """Write the photograph of a card on wood into *path*; None: of the table alone."""
    random = np.random.default_rng(2)
    picture = draw_ground(random, 500, (0.5, 0.35, 0.2), 0.05)
    if symbol is not None:
        card = draw_card(symbol, COLOURS[colour], Design(symbol=30.0), random)
        picture[80 : 80 + card.shape[0], 140 : 140 + card.shape[1]] = card
    cv2.imwrite(str(path), picture)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a red 7, a card of another deck, a table and a broken file."""
    write_photo(tmp_path / "a.jpg", "7")
    write_photo(tmp_path / "b.jpg", "draw2")
    write_photo(tmp_path / "c.jpg", None)
    (tmp_path / "d.jpg").write_bytes(b"no picture")
    return tmp_path


def test_read_card_prints_one_line_for_each_picture(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A card named, a card that is not of the deck, no card, no picture; exit status 1 for that."""
    assert main(["read", "--card", str(folder)]) == 1
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert [line["file"] for line in lines] == ["a.jpg", "b.jpg", "c.jpg", "d.jpg"]
    assert [line["status"] for line in lines] == ["ok", "unknown", "no_card", "unreadable"]
    assert lines[0]["card"] == {"color": "red", "symbol": "7"}
    assert 0.9 <= lines[0]["confidence"] <= 1.0
    assert lines[0]["ms"] > 0
    assert [line["card"] for line in lines[1:]] == [None] * 3
    assert set(lines[0]) == {"file", "status", "card", "confidence", "ms"}
    assert lines[1]["reason"].endswith(".")
    assert len(printed.err.splitlines()) == 1


def label(folder: Path, **labels: tuple[str, str]) -> None:
    """Write a labels.jsonl that says what each picture shows."""
    lines = [
        json.dumps({"file": f"{name}.jpg", "color": colour, "symbol": symbol})
        for name, (colour, symbol) in labels.items()
    ]
    (folder / "labels.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_evaluate_counts_photographs_of_cards(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One right, two that are no card of the deck and not taken for one."""
    label(folder, a=("red", "7"), b=("red", "draw2"), c=("none", "empty"))
    assert main(["evaluate", str(folder)]) == 0
    row = capsys.readouterr().out.splitlines()[2]
    assert row.startswith("| 1 | 1 (100.0%) | 0 | 0 | 0 | 2 | 0 |")


def test_evaluate_notices_a_wrong_card(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its exit status tells, and --faults names the picture; one that is unreadable counts too."""
    label(folder, a=("red", "8"), d=("red", "1"))
    assert main(["evaluate", str(folder), "--faults"]) == 1
    printed = capsys.readouterr().out
    assert "| 1 | 0 (0.0%) | 1 |" in printed
    assert "a.jpg: red 8, read as red 7" in printed
    assert "1 pictures could not be decoded" in printed


def test_evaluate_refuses_labels_that_are_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line with the file and the line's number."""
    (folder / "labels.jsonl").write_text('{"color": "red"}\n', encoding="utf-8")
    assert main(["evaluate", str(folder)]) == 1
    assert "labels.jsonl, line 1" in capsys.readouterr().err
