"""Where numpy or OpenCV computes wrongly, that is said, and no table is blamed for it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.config import parse_config
from companion.daemon import Daemon
from companion.table import numeric_fault
from tests.recordings import SHIPPED
from vision import inference
from vision.numeric_check import name_processor

SENTENCE = (
    f"wrong results from numpy and OpenCV on this processor ({name_processor()}), so no picture can"
    " be read. Enter moves by hand; tiki doctor says what to do."
)


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let both libraries be found to compute wrongly."""
    monkeypatch.setattr(numeric_fault, "find_faulty_libraries", lambda: ["numpy", "OpenCV"])


def settings(tmp_path: Path, **camera: Any) -> dict[str, Any]:
    """Return the settings of a table of Tiki Topple with this *camera*."""
    return {
        "table": {"game": "tiki_topple", "players": ["Ann", "Bob"]},
        "camera": camera,
        "web": {"port": 0, "host": "127.0.0.1"},
        "log": {"file": str(tmp_path / "games.db")},
    }


@pytest.mark.parametrize("words", [["replay"], ["read"], ["evaluate"]])
@pytest.mark.usefixtures("faulty")
def test_a_command_that_reads_pictures_says_so_in_one_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """And names no tile, since nothing that it read would be true."""
    assert main([*words, str(SHIPPED)]) == 1
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"tiki: {SENTENCE}\n")


@pytest.mark.usefixtures("faulty")
def test_the_demo_says_so_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    """It has nothing to show without the pictures."""
    assert main(["demo"]) == 1
    assert capsys.readouterr().err == f"tiki: {SENTENCE}\n"


def put_away(daemon: Daemon) -> None:
    """Close what *daemon* opened without having run."""
    daemon.rig.close()
    daemon.log.close()
    daemon._listener.close()


@pytest.mark.usefixtures("faulty")
def test_a_table_is_played_without_its_camera(tmp_path: Path) -> None:
    """All pages say why; who has no camera is told nothing."""
    config = parse_config(settings(tmp_path, source="video", device="9"))
    daemon = Daemon(config)
    assert daemon.watcher is None
    assert list(daemon.live_session.troubles) == [f"the camera: {SENTENCE}"]
    put_away(daemon)
    daemon = Daemon(parse_config(settings(tmp_path, source="none")))
    assert list(daemon.live_session.troubles) == []
    put_away(daemon)


@pytest.mark.parametrize("is_right", [True, False])
def test_networks_are_tried_once_they_are_loaded(
    monkeypatch: pytest.MonkeyPatch, *, is_right: bool
) -> None:
    """A line of tikis is read without them, and they take 20 MB."""
    monkeypatch.setattr(numeric_fault, "find_odd_networks", lambda _: [] if is_right else ["discs"])
    monkeypatch.setattr(numeric_fault, "LOOK_S", 0.01)
    loaded: list[bool] = [False, False, True]
    monkeypatch.setattr(numeric_fault, "is_loaded", lambda: loaded.pop(0))
    said: list[str] = []
    asyncio.run(numeric_fault.check_networks(lambda *words: said.append(": ".join(words))))
    assert loaded == []
    assert len(said) == (0 if is_right else 1)
    assert all(each.startswith("reading: wrong results from the networks on") for each in said)


def test_networks_count_as_loaded_from_the_first_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the runtime that they need."""
    inference.load_runtime()
    assert inference.is_loaded()
    monkeypatch.delitem(__import__("sys").modules, "onnxruntime")
    assert not inference.is_loaded()
