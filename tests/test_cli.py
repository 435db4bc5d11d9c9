"""The command line as people meet it."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion import __version__
from companion.cli import MODULES, build_parser, main
from tests.commands import TIKI, assert_one_line, tiki
from tests.recordings import SHIPPED, retell
from tests.running import ROOT


def test_the_check_of_one_line_can_fail() -> None:
    """A traceback, a foreign line and a missing word are refused."""
    assert_one_line("tiki: no such file\n", "no such")
    for error in ("Traceback\ntiki: no\n", "error: no\n", "tiki: no\n"):
        with pytest.raises(AssertionError):
            assert_one_line(error, "such")


def test_the_version_is_told_without_loading_the_rest() -> None:
    """`tiki --version` prints the version and its build, and nothing else."""
    done = tiki("--version")
    assert done.returncode == 0
    assert re.fullmatch(rf"tiki {re.escape(__version__)}(, commit \w+ of [\d-]+)?\n", done.stdout)


def test_running_loads_neither_other_commands_nor_what_no_wire_needs() -> None:
    """A Pi is slow to start and short of memory."""
    code = (
        "import sys; from companion.cli import build_parser; build_parser('run');"
        "print(*sorted({'companion.cli.evaluate', 'companion.apps.doctor', 'gpiozero',"
        " 'onnxruntime'} & set(sys.modules)))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert loaded.strip() == ""


@pytest.mark.parametrize("module", MODULES)
def test_each_command_is_known_by_its_word(module: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Its own help comes, whether the others are loaded or not."""
    for word in MODULES[module]:
        with pytest.raises(SystemExit) as ended:
            main([word, "--help"])
        assert ended.value.code == 0
        help_text = capsys.readouterr().out
        assert help_text.startswith(f"usage: tiki {word}")
        assert "%%" not in help_text
    subparsers = build_parser()._subparsers
    assert subparsers
    choices = next(iter(subparsers._group_actions)).choices
    assert choices is not None
    assert list(choices) == [each for words in MODULES.values() for each in words]


def test_a_wrong_command_is_answered_with_the_right_ones(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit status 2, the commands named."""
    with pytest.raises(SystemExit) as ended:
        main(["rpelay"])
    assert ended.value.code == 2
    assert "replay" in capsys.readouterr().err


def test_the_demo_without_a_terminal_plays_fast_and_ends(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It prints the result and returns 0."""
    assert main(["demo"]) == 0
    said, trouble = capsys.readouterr()
    assert said.splitlines()[-1] == "So far: Red 5, Blue 0, Yellow 0, Green 5"
    assert trouble == ""


@pytest.mark.parametrize(
    ("command", "lines", "unbuffered"),
    [
        (f"{TIKI} replay {SHIPPED}", 1, ""),
        (f"{TIKI} print --help", 0, ""),  # fits into what Python keeps back until its end
        (f"{TIKI} --version", 0, "1"),
        (f"{sys.executable} -m hardware.cad --list", 1, "1"),
        (f"{sys.executable} -m hardware.cad --list", 0, ""),
    ],
)
def test_a_reader_that_goes_away_is_no_error(command: str, lines: int, unbuffered: str) -> None:
    """`tiki replay ... | head -1` ends quietly, and so does what lists much or little."""
    reader = f"head -{lines}" if lines else "true"
    done = subprocess.run(
        ["bash", "-c", f"{command} | (exec {reader}); echo ${{PIPESTATUS[0]}} >&2"],
        cwd=ROOT,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert len(done.stdout.splitlines()) == lines
    assert done.stderr.strip() in ("0", f"{128 + signal.SIGPIPE}")


def read(
    capsys: pytest.CaptureFixture[str], *paths: Path, status: int = 0
) -> list[dict[str, object]]:
    """Return the JSON lines of `tiki read`, having checked its exit status."""
    assert main(["read", *map(str, paths)]) == status
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_a_session_is_read_one_line_a_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Every picture of the folder, in order, in the documented form."""
    lines = read(capsys, retell(tmp_path, ["001.jpg", "002.jpg"]))
    assert [line["file"] for line in lines] == ["000.jpg", "001.jpg", "002.jpg"]
    assert lines[1]["status"] == "ok"
    assert lines[1]["reading"] == {
        "line": ["nani", "hookipa", "lokahi", "eepo", "kapu", "nui", "wikiwiki", "huhu", "akamai"]
    }
    assert set(lines[1]) == {"file", "status", "reading", "confidence", "ms"}
    assert (lines[2]["status"], lines[2]["reason"]) == ("unsettled", "hand")


def test_what_is_doubtful_is_told_with_what_it_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    """Of each place in doubt the likeliest first, in the words of a reading; never all classes."""
    (line,) = read(capsys, SHIPPED / "002.jpg")
    doubtful = line["doubtful"]
    assert isinstance(doubtful, list)
    assert doubtful
    for place in doubtful:
        assert set(place) == {"slot", "candidates"}
        likely = list(place["candidates"].values())
        assert 1 <= len(likely) <= 3
        assert likely == sorted(likely, reverse=True)
        assert sum(likely) <= 1.01
    assert any(place["candidates"].get("hidden", 0.0) > 0.5 for place in doubtful)


def test_a_single_picture_of_a_session_is_read_with_its_colours(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Its folder's calibration counts, and its name is as it was given."""
    (line,) = read(capsys, SHIPPED / "051.jpg")
    assert line["file"] == str(SHIPPED / "051.jpg")
    assert line["reading"] == {"line": ["kapu", "lokahi", "wikiwiki"]}


def test_what_cannot_be_decoded_is_said_and_the_rest_is_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Missing, empty, cut short and no picture at all: `unreadable`, exit status 1."""
    whole = (SHIPPED / "001.jpg").read_bytes()
    (tmp_path / "a.jpg").write_bytes(b"")
    (tmp_path / "b.jpg").write_bytes(whole[:50_000])
    (tmp_path / "c.jpg").write_text("not a picture")
    shutil.copy(SHIPPED / "001.jpg", tmp_path / "d.jpg")
    lines = read(capsys, tmp_path, tmp_path / "missing.jpg", status=1)
    assert [line["status"] for line in lines[:3]] == ["unreadable"] * 3
    assert lines[3]["status"] != "unreadable"
    assert lines[4]["status"] == "unreadable"


def test_nothing_to_read_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An empty folder is no success."""
    assert main(["read", str(tmp_path)]) == 1
    assert_one_line(capsys.readouterr().err, str(tmp_path), "neither")


@pytest.mark.slow
def test_the_evaluation_counts_what_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    """All settled frames of the shipped recording are read, none wrongly, no hand believed."""
    assert main(["evaluate", str(SHIPPED), "--pictures"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert [cell.strip() for cell in last.strip("|").split("|")][:8] == [
        "all", "", "23", "23 (100.0%)", "0", "0", "28", "0",
    ]  # fmt: skip


def test_the_evaluation_notices_wrong_readings(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With two truths exchanged and a hand called settled, the figures and the status say so."""
    folder = retell(tmp_path, ["001.jpg", "003.jpg", "002.jpg"])
    rows = [json.loads(text) for text in (SHIPPED / "truth.jsonl").read_text().splitlines()]
    rows[2] = {**rows[2], "kind": "settled", "truth": {"settled": True, "line": []}}
    wrong = [
        {**rows[0], "frame": "000.jpg"},
        {**rows[3], "frame": "001.jpg"},
        {**rows[1], "frame": "002.jpg", "kind": "occluded"},
        {**rows[2], "frame": "003.jpg"},
    ]
    (folder / "truth.jsonl").write_text("\n".join(map(json.dumps, wrong)))
    assert main(["evaluate", str(folder), "--pictures", "--faults"]) == 1
    printed = capsys.readouterr().out
    assert "001.jpg: read" in printed
    assert "002.jpg: occluded, but believed" in printed
    assert "003.jpg: settled, but hand: slot " in printed
    assert " hidden" in printed


@pytest.mark.parametrize("words", [[], ["--altered", "1-2"]])
def test_a_table_that_cannot_be_taught_counts_as_not_read(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]
) -> None:
    """One session whose calibration picture shows nothing does not stop the others."""
    for name in ("blank", "good"):
        folder = tmp_path / name
        folder.mkdir()
        first, second = (SHIPPED / "truth.jsonl").read_text().splitlines()[:2]
        (folder / "truth.jsonl").write_text(f"{first}\n{second}\n")
        session = json.loads((SHIPPED / "session.json").read_text())
        session["frames"] = [{"frame": "000.jpg"}, {"frame": "001.jpg"}]
        (folder / "session.json").write_text(json.dumps(session))
        for frame in ("000.jpg", "001.jpg"):
            (folder / frame).write_bytes((SHIPPED / frame).read_bytes())
    cv2.imwrite(str(tmp_path / "blank" / "000.jpg"), np.full((720, 1280, 3), 90, np.uint8))
    assert main(["evaluate", str(tmp_path), "--pictures", *words]) == 1
    printed = capsys.readouterr().out
    assert "blank: the calibration frame: 000.jpg: too few corner tiles in view" in printed
    total = next(line for line in printed.splitlines() if line.startswith("| all"))
    cells = [cell.strip() for cell in total.strip("|").split("|")]
    once = 1 + (2 if words else 1)
    assert int(cells[2]) == once
    assert int(cells[4]) >= 1


def test_altered_pictures_are_evaluated_untimed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Each picture counts once a number, and a fault says by which it was altered."""
    folder = retell(tmp_path, ["001.jpg", "002.jpg"])
    (folder / "truth.jsonl").write_text((SHIPPED / "truth.jsonl").read_text().splitlines()[0])
    (folder / "000.jpg").write_bytes((SHIPPED / "000.jpg").read_bytes())
    row = json.loads((folder / "truth.jsonl").read_text())
    lie = {**row, "kind": "settled", "truth": {**row["truth"], "line": []}}
    (folder / "truth.jsonl").write_text(json.dumps(lie))
    words = ["--pictures", "--altered", "7-9", "--faults"]
    assert main(["evaluate", str(folder), *words]) == 1
    printed = capsys.readouterr().out
    cells = [cell.strip() for cell in printed.splitlines()[2].strip("|").split("|")]
    assert cells[2] == "3"
    assert int(cells[5]) > 0
    assert cells[-2:] == ["-", "-"]
    assert re.search(r"000\.jpg, altered by [789]: read", printed)


@pytest.mark.parametrize("given", ["9", "9-7", "1-x", "1-2000000"])
def test_numbers_to_alter_by_are_two(capsys: pytest.CaptureFixture[str], given: str) -> None:
    """What was given, and what would do."""
    with pytest.raises(SystemExit):
        main(["evaluate", str(SHIPPED), "--altered", given])
    said = capsys.readouterr().err.splitlines()[-1]
    assert given in said
    assert "1-20" in said


def test_a_folder_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """One line, exit status 1."""
    for word in ("evaluate", "replay"):
        assert main([word, "/nowhere"]) == 1
        assert_one_line(capsys.readouterr().err, "/nowhere")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--config", "/nowhere.toml"], "/nowhere.toml"),
        (["--replay", "/nowhere"], "/nowhere"),
        (["--port", "70000"], "0 to 65535"),
        (["--frame-s", "0"], "0.05"),
        (["--log", "/nowhere/games.db", "--port", "0"], "/nowhere/games.db"),
    ],
)
def test_the_daemon_does_not_start_on_bad_words(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    """One line says which word is wrong."""
    assert main(["run", *words]) == 1
    assert_one_line(capsys.readouterr().err, said)


def test_a_port_in_use_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The port, and how to choose another."""
    with socket.create_server(("0.0.0.0", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["run", "--port", str(port), "--log", str(tmp_path / "x.db")]) == 1
    assert_one_line(capsys.readouterr().err, f"port {port}", "--port N")
