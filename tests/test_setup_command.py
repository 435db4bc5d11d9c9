"""`tiki setup`: the same steps in a terminal, beside a running companion or with one of its own."""

import io
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.table.table_look import TableLook
from tests.tables import sit_down
from tests.web.serving import Served
from tests.web.setting_up import picture_of, set_table
from tests.web.visitors import HOST_KEY


def ask(house: Served, *more: str) -> int:
    """Return the exit status of `tiki setup` beside the companion of *house*."""
    return main(["setup", "--port", str(house.port), "--key", HOST_KEY, *more])


def test_a_running_companion_is_set_up_step_by_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is seen, what lies there, and what came of it; a number that is none is asked again."""
    monkeypatch.setattr("sys.stdin", io.StringIO("7\n1\n"))
    with set_table(lambda: sit_down(line=None), picture_of("tiki_topple"), tmp_path) as (house, _):
        assert ask(house) == 0
    told = capsys.readouterr().out
    for words in (
        "A companion runs already; its game goes on.",
        f"http://127.0.0.1:{house.port}/desk/set-up",
        "Setting up the camera for Tiki Topple.",
        "yes  corner at the top left",
        "] bright enough",
        "1  All nine tikis in this order",
        "The camera is calibrated for this table.",
        "Hookipa and Eepo look most alike under this lamp",
    ):
        assert words in told
    assert told.count("Its number, and Enter [1-1]:") == 2


def test_what_is_wrong_is_said_until_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table is dark; once somebody switches the lamp on, the steps go on by themselves."""
    picture = picture_of("tiki_topple")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    dark = (picture * 0.2).astype(picture.dtype)
    with set_table(lambda: sit_down(line=None), dark, tmp_path) as (house, table):
        assert ask(house, "--look") == 1
        look, seen = table.setup.look, list[TableLook]()

        def look_and_mend(*given: Any, **more: Any) -> TableLook:
            seen.append(look(*given, **more))
            if len(seen) == 3:
                table.camera.picture = picture
            return seen[-1]

        monkeypatch.setattr(table.setup, "look", look_and_mend)
        assert ask(house) == 1
        assert not any(each.is_ready for each in seen[:3])
    told = capsys.readouterr().out
    assert told.index("Too dark; switch a lamp on.") < told.index("The picture is good")
    assert told.endswith("The camera was not calibrated.\n")


def test_a_wrong_key_and_a_missing_camera_are_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And exit status 1."""
    with set_table(lambda: sit_down(line=None), None, tmp_path) as (house, _):
        assert main(["setup", "--port", str(house.port), "--key", "wrong"]) == 1
        assert capsys.readouterr().err.startswith("tiki: Only the host can do that.")
        house.pub.app.state.site.table.table_setup = None
        assert ask(house) == 1
    told = capsys.readouterr().err
    assert told.startswith("tiki: No camera is set up, so you enter moves by hand.")
    assert told.count("\n") == 1


def test_without_a_companion_one_runs_meanwhile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its addresses are printed, and it is gone afterwards."""
    settings = tmp_path / "tiki.toml"
    settings.write_text('[camera]\nsource = "none"\n[web]\nport = 0\n')
    status = main(["setup", "--config", str(settings), "--log", str(tmp_path / "games.db")])
    told = capsys.readouterr()
    assert status == 1
    assert "For the host, who can change the game: http://" in told.out
    assert told.err.startswith("tiki: No camera is set up")
