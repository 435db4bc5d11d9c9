"""From pictures to scores: recordings through the whole pipeline."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.cli import main
from tests.recordings import SHIPPED, retell, true_moves
from vision.capture.frame import Picture, load_frame

Lines = list[dict[str, Any]]


def replay(capsys: pytest.CaptureFixture[str], folder: Path, status: int = 0) -> Lines:
    """Return the JSON lines of `tiki replay`, having checked its exit status."""
    assert main(["replay", str(folder), "--json"]) == status
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def of_type(lines: Lines, *kinds: str) -> Lines:
    """Return the lines of the types *kinds*."""
    return [line for line in lines if line["type"] in kinds]


def assert_moves(lines: Lines, expected: Sequence[tuple[int, str]]) -> None:
    """Check that the accepted moves are *expected*, each in one of the forms still open."""
    moves = of_type(lines, "move")
    forms = [(move["seat"], [move["action"], *move.get("also", [])]) for move in moves]
    assert len(forms) == len(expected), (forms, expected)
    for (seat, actions), (true_seat, true_action) in zip(forms, expected, strict=True):
        assert seat == true_seat
        assert true_action in actions


def test_the_shipped_round_is_refereed_to_its_true_scores(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every move in order, no wrong one and no secret told on the way, and the true scores."""
    lines = replay(capsys, SHIPPED)
    assert_moves(lines, true_moves())
    assert of_type(lines, "illegal", "ask", "undo") == []
    assert_no_secret_before_the_reveal(lines)
    result = lines[-1]
    description = json.loads((SHIPPED / "session.json").read_text())
    assert result["type"] == "result"
    assert result["scores"] == description["replay"]["final_scores"]
    assert result["moves"] == len(true_moves())
    assert (result["winners"], result["ended_by"]) == (None, None)
    assert result["round_ended_by"] == "TT-9"


def assert_no_secret_before_the_reveal(lines: Lines) -> None:
    """Check that a tiki of a secret card is named in moves and lines alone until the reveal."""
    reveal = next(at for at, line in enumerate(lines) if line["type"] == "observed")
    for line in lines[:reveal]:
        assert "card" not in json.dumps(line)
        assert line["type"] in {"secret", "move", "waiting", "resolved"}
        if line["type"] == "secret":
            assert set(line) == {"type", "seq", "seat", "round", "at"}


def test_the_checks_can_fail() -> None:
    """The helpers above refuse a missing, a wrong and an extra move, and a secret told early."""
    told: Lines = [{"type": "secret", "seat": 0, "card": "nani"}, {"type": "observed"}]
    with pytest.raises(AssertionError):
        assert_no_secret_before_the_reveal(told)
    lines: Lines = [{"type": "move", "seat": 0, "action": "up1 nani"}]
    assert_moves(lines, [(0, "up1 nani")])
    for expected in ([], [(1, "up1 nani")], [(0, "up2 nani")], [(0, "up1 nani"), (1, "up1 nui")]):
        with pytest.raises(AssertionError):
            assert_moves(lines, expected)


def test_a_line_that_was_not_told_is_observed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Without start_line the first nine tikis are the start."""
    lines = replay(capsys, retell(tmp_path, ["001.jpg", "002.jpg", "003.jpg"], start_line=None))
    observed, *_ = of_type(lines, "observed")
    assert observed["action"].startswith("line nani hookipa lokahi eepo")
    assert_moves(lines, true_moves()[:1])


def test_a_take_back_on_the_table_is_an_undo(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The first move is put back and then made again: it counts once."""
    frames = ["001.jpg", "003.jpg", "001.jpg", "003.jpg", "005.jpg"]
    lines = replay(capsys, retell(tmp_path, frames))
    assert [line["type"] for line in of_type(lines, "move", "undo")] == [
        "move", "undo", "move", "move",
    ]  # fmt: skip
    assert lines[-1]["moves"] == 2


def test_a_line_that_no_move_explains_is_told_once_and_waited_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A picture from much later in the game is no move; the game goes on from the true line."""
    frames = ["001.jpg", "003.jpg", "040.jpg", "040.jpg", "003.jpg", "005.jpg"]
    lines = replay(capsys, retell(tmp_path, frames))
    (illegal,) = of_type(lines, "illegal")
    assert illegal["frame"] == "003.jpg"
    assert illegal["slots"]
    assert_moves(lines, true_moves()[:2])


def test_two_quick_moves_are_taken_when_the_third_is_seen(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The settled picture between two moves is missing: first illegal with the pair, then taken."""
    frames = ["001.jpg", "003.jpg", "005.jpg", "010.jpg", "012.jpg"]
    lines = replay(capsys, retell(tmp_path, frames))
    (illegal,) = of_type(lines, "illegal")
    assert illegal["candidates"]
    assert_moves(lines, true_moves()[:5])


def test_a_missing_and_a_broken_frame_are_named_and_the_rest_is_played(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Exit status 1 and one line for each; no move is lost.

    Nor without truth.jsonl, the kinds of frames and the outcome.
    """
    frames = [f"{number:03}.jpg" for number in range(1, 52)]
    folder = retell(tmp_path, frames, final_line=None, final_scores=None, end_reason=None)
    (folder / "002.jpg").unlink()
    whole = (folder / "004.jpg").read_bytes()
    (folder / "004.jpg").write_bytes(whole[: len(whole) // 2])
    assert main(["replay", str(folder), "--json"]) == 1
    captured = capsys.readouterr()
    lines = [json.loads(line) for line in captured.out.splitlines()]
    assert_moves(lines, true_moves())
    complaints = captured.err.splitlines()
    assert len(complaints) == 2
    assert "002.jpg" in complaints[0]
    assert "004.jpg" in complaints[1]


def from_another_side(picture: Picture, _frame: int) -> Picture:
    """Return what a camera at the opposite side of the table sees."""
    return np.ascontiguousarray(picture[::-1, ::-1])


def bumped(picture: Picture, frame: int) -> Picture:
    """Return what a camera sees that is knocked askew in the middle of the game."""
    if frame < 25:
        return picture
    height, width = picture.shape[:2]
    turned = cv2.getRotationMatrix2D((width / 2, height / 2), 4.0, 1.0)
    turned[:, 2] += (20, -10)
    moved = cv2.warpAffine(picture, turned, (width, height), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, np.uint8)


def at_dusk(picture: Picture, frame: int) -> Picture:
    """Return the table as the window's light fades and the lamp's warm light is left."""
    share = 1.0 - 0.5 * frame / 51
    light = np.array([share * share, share, 1.0 - 0.8 * (1.0 - share)])
    return np.asarray(picture * light, np.uint8)


@pytest.mark.parametrize("change", [from_another_side, bumped, at_dusk])
@pytest.mark.slow
def test_the_round_comes_out_whatever_becomes_of_camera_and_light(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, change: Callable[[Picture, int], Picture]
) -> None:
    """Every move, no wrong one, no false alarm."""
    folder = retell(tmp_path, [f"{number:03}.jpg" for number in range(1, 52)])
    for frame in range(52):
        path = folder / f"{frame:03}.jpg"
        changed = change(load_frame(path).picture, frame)
        cv2.imwrite(str(path), changed, [cv2.IMWRITE_JPEG_QUALITY, 88])
    lines = replay(capsys, folder)
    assert_moves(lines, true_moves())
    assert of_type(lines, "illegal", "ask", "undo") == []


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text[:100], "is not valid JSON"),
        (lambda _: None, "has no session.json"),
        (lambda text: text.replace('"000.jpg"', '"none.jpg"'), "the calibration frame"),
        (lambda text: text.replace('"game": "tiki_topple"', '"game": "chess"'), "is for chess"),
        (
            lambda text: text.replace('"001.jpg"', '"../../etc/passwd"'),
            "is not a file name in this folder",
        ),
    ],
    ids=["cut", "gone", "no calibration", "another game", "elsewhere"],
)
def test_a_spoilt_recording_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, spoil: Any, words: str
) -> None:
    """What is wrong, where; status not zero; no traceback and nothing on standard output."""
    folder = retell(tmp_path, ["001.jpg"])
    said = folder / "session.json"
    spoilt = spoil(said.read_text())
    said.unlink()
    if spoilt is not None:
        said.write_text(spoilt)
    assert main(["replay", str(folder), "--json"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("tiki: ")
    assert words in line


@pytest.mark.parametrize(
    "replay_keys",
    [
        {"players": ["red"]},
        {"players": None},
        {"secret_cards": [{"top9": "kapu"}]},
        {"secret_cards": [["kapu", "kapu", "nui"]] * 4},
        {"cards_each": ["toast"]},
        {"first_player": 9},
        {"start_line": ["nani"]},
        {"start_line": "nani"},
        {"players": [1, 2, 3, 4], "cards_each": 7},
    ],
)
def test_a_nonsensical_game_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, replay_keys: dict[str, Any]
) -> None:
    """Whatever `replay` says, the answer is one line."""
    folder = retell(tmp_path, ["001.jpg"], **replay_keys)
    assert main(["replay", str(folder)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "session.json, 'replay': " in line


def test_single_pictures_are_no_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A folder without `replay` says what to do instead."""
    folder = retell(tmp_path, ["001.jpg"])
    description = json.loads((folder / "session.json").read_text())
    del description["replay"]
    (folder / "session.json").write_text(json.dumps(description))
    assert main(["replay", str(folder)]) == 1
    assert "try tiki read" in capsys.readouterr().err


START = "line nani hookipa lokahi eepo kapu nui wikiwiki huhu akamai"


def test_what_was_said_between_pictures_is_entered_at_its_time(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Before the first picture, and by a hand or a sensor in between; pictures show the rest."""
    told = [{"after_frame": "002.jpg", "told": "up2 eepo"}]  # that no picture shows
    sensors = [{"after_frame": "000.jpg", "fact": START}]
    frames = ["001.jpg", "003.jpg", "008.jpg"]
    folder = retell(tmp_path, frames, start_line=None, sensors=sensors, told=told)
    lines = replay(capsys, folder)
    assert_moves(lines, true_moves()[:3])
    assert of_type(lines, "ask", "undo") == []
    (follow,) = of_type(lines, "illegal")  # the table has to follow what was entered
    assert follow["message"].startswith("Now correct the table")
    entered = [line.get("by", "") for line in of_type(lines, "observed", "move")]
    assert entered == ["sensor", "", "hand", ""]


def test_what_was_said_is_printed_though_no_picture_follows(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """After the calibration picture, which is all that there is."""
    sensors = [{"after_frame": "000.jpg", "fact": START}]
    folder = retell(tmp_path, [], start_line=None, sensors=sensors)
    (started,) = of_type(replay(capsys, folder), "observed")
    assert started["by"] == "sensor"


def test_what_cannot_be_entered_yet_waits_until_it_can(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """TT-8: nobody's first card is Toast, so what was said too early is taken in the next lap."""
    told = [{"after_frame": "001.jpg", "told": "toast akamai"}]
    folder = retell(tmp_path, ["001.jpg", "003.jpg", "005.jpg", "008.jpg", "010.jpg"], told=told)
    assert_moves(replay(capsys, folder), [*true_moves()[:4], (0, "toast akamai")])


def test_what_can_never_be_entered_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A line each, with the reason that stood last; what the pictures showed counts."""
    told = [
        {"after_frame": "001.jpg", "told": "toast nani"},
        {"after_frame": "002.jpg", "told": "fly me"},
    ]
    folder = retell(tmp_path, ["001.jpg", "003.jpg"], told=told)
    assert main(["replay", str(folder), "--json"]) == 1
    captured = capsys.readouterr()
    assert_moves([json.loads(line) for line in captured.out.splitlines()], true_moves()[:1])
    first, second = captured.err.splitlines()
    assert first.startswith("tiki: 'toast nani', said after 001.jpg, was refused: ")
    assert second.startswith("tiki: 'fly me', said after 002.jpg, was refused: ")
