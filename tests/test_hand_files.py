"""`tiki read --hand` and `tiki evaluate` on photographs of hands."""

import json
from pathlib import Path

import cv2
import pytest

from companion.cli import main
from tests.vision.hands import draw_hand
from training.hand_rehearsal import list_judging, make_rehearsal

HAND = (("red", "7"), ("blue", "skip"), ("yellow", "3"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a hand, a table without one and a broken file."""
    cv2.imwrite(str(tmp_path / "a.png"), draw_hand(HAND, (105, 0)))
    cv2.imwrite(str(tmp_path / "b.png"), draw_hand((), (0, 0)))
    (tmp_path / "c.jpg").write_bytes(b"no picture")
    return tmp_path


def label(folder: Path, **hands: tuple[tuple[str, str], ...]) -> None:
    """Write a labels.jsonl that says what each picture shows."""
    lines = [
        json.dumps(
            {"file": name.replace("_", "."), "cards": [{"color": c, "symbol": s} for c, s in hand]}
        )
        for name, hand in hands.items()
    ]
    (folder / "labels.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")


def test_read_hand_prints_one_line_for_each_picture(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """All cards with their places, and their points; exit status 1 for what is no picture."""
    assert main(["read", "--hand", str(folder)]) == 1
    printed = capsys.readouterr()
    lines = [json.loads(line) for line in printed.out.splitlines()]
    assert [line["status"] for line in lines] == ["ok", "no_card", "unreadable"]
    assert [(card["color"], card["symbol"]) for card in lines[0]["cards"]] == list(HAND)
    assert lines[0]["points"] == 30
    assert lines[0]["impossible"] == []
    assert lines[1]["points"] is None
    assert {frozenset(line) for line in lines} == {
        frozenset(("file", "status", "cards", "points", "impossible", "ms"))
    }
    assert len(printed.err.splitlines()) == 1


def test_a_card_too_many_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is one red 0 in the deck."""
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), draw_hand((("red", "0"), ("red", "0"), ("blue", "4")), (105, 0)))
    assert main(["read", "--hand", str(path)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert line["impossible"] == [{"color": "red", "symbol": "0", "seen": 2, "possible": 1}]


def test_evaluate_counts_hands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One hand named whole; nothing wrong."""
    label(folder, a_png=HAND)
    assert main(["evaluate", str(folder)]) == 0
    assert (
        capsys.readouterr()
        .out.splitlines()[2]
        .startswith("| 1 | 1 (100.0%) | 3 | 3 (100.0%) | 0 | 0 | 0 | 0 |")
    )


def test_evaluate_notices_wrong_and_missing_cards(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its exit status tells, and --faults names picture and cards."""
    label(folder, a_png=(("red", "8"), HAND[1], HAND[2], ("red", "1")), c_jpg=HAND)
    assert main(["evaluate", str(folder), "--faults"]) == 1
    printed = capsys.readouterr().out
    assert "| 1 | 0 (0.0%) | 4 | 2 (50.0%) | 1 | 0 | 2 | 0 |" in printed
    assert "a.png: 0 unknown; not there: red 7; not named: red 1, red 8" in printed
    assert "1 pictures could not be decoded" in printed


def test_evaluate_refuses_labels_that_are_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line with the file and the line's number."""
    (folder / "labels.jsonl").write_text('{"file": "a.png", "cards": [1]}\n', encoding="utf-8")
    assert main(["evaluate", str(folder)]) == 1
    assert "labels.jsonl, line 1" in capsys.readouterr().err


@pytest.mark.slow
def test_a_rehearsal_is_the_same_each_time(tmp_path: Path) -> None:
    """Its labels say what each photograph shows, and its pictures can be decoded."""
    for name in ("one", "other"):
        make_rehearsal(tmp_path / name, list_judging(None), 1, 2)
    texts = [(tmp_path / name / "labels.jsonl").read_bytes() for name in ("one", "other")]
    assert texts[0] == texts[1]
    for text in texts[0].splitlines():
        line = json.loads(text)
        pictures = [(tmp_path / name / line["file"]).read_bytes() for name in ("one", "other")]
        assert pictures[0] == pictures[1]
        assert cv2.imread(str(tmp_path / "one" / line["file"])) is not None
        assert line["cards"]
