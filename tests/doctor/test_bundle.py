"""The support bundle: what helps to find a fault is in it, and nothing that is a secret."""

import asyncio
import io
import json
import re
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest

from companion.apps.doctor.bundle import (
    MAX_GAMES,
    MAX_PICTURES,
    REMOVED,
    bundle_of,
    games_of,
    pictures_of,
    saved_games,
    settings_of,
)
from companion.apps.doctor.checkup import WHILE_RUNNING
from companion.apps.doctor.examination import CHECKS, Check
from companion.apps.doctor.verdict import failed, ok
from companion.cli import main
from companion.config import Config, frames_folder, parse_config
from companion.daemon import Daemon
from companion.session.log import Log
from companion.web.http.keys import Keys
from tests.referee.played import play
from tests.tables import sit_down
from tests.untranslated import NAMED, Marked, untranslated
from tests.web.visitors import open_pub

KEY = "Grandmother-7-cats"
CAMERA = "rtsp://anna:wintergarden@192.168.1.9/stream"
PASSWORD = "p@ss/w0rd"
CHECKED = [Check("board", ok("a Pi"))]


def config_of(folder: Path) -> Config:
    """Return settings with a key and a camera's password in them."""
    return parse_config(
        {
            "hub": {"database": f"postgresql://ann:{PASSWORD}@db.local/tiki"},
            "web": {"key": KEY, "port": 0, "host": "127.0.0.1"},
            "camera": {"source": "video", "device": CAMERA},
            "log": {"file": str(folder / "games.db")},
        }
    )


def save_games(path: Path) -> list[str]:
    """Save a finished game and one that is on, and return all that is secret of them."""
    with Log(path) as log:
        finished = play("tiki_topple", 1, log=log)
        finished.renew(play("tactiki", 1, 0).header, "another game")
        for seat, ranks in enumerate(("1 1 2 2 3 3 4 4 5 5", "5 5 4 4 3 3 2 2 1 1")):
            finished.referee.enter_secret(seat, f"ranks {seat} {ranks}")
        finished.referee.enter("move 42 32")
        keys = Keys(None, path.with_suffix(".keys.json"))
        keys.open_seats(2, 2)
        links = [keys.invitation(seat) for seat in (0, 1)]
        return [keys.host, *(link for link in links if link), "1 1 2 2 3 3", "5 5 4 4 3 3"]


def files_of(data: bytes) -> dict[str, str]:
    """Return the files of a bundle as text."""
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        assert found.testzip() is None
        return {name: found.read(name).decode("latin-1") for name in found.namelist()}


def assert_no_secret(files: dict[str, str], *secrets: str) -> None:
    """Fail if one of *secrets*, a key or a password is in *files*."""
    for secret in (KEY, "wintergarden", "anna:", "p@ss", "w0rd", *secrets):
        for name, text in files.items():
            assert secret not in text, f"{secret} is in {name}"


def test_no_secret_is_in_a_bundle(tmp_path: Path) -> None:
    """Neither a key, nor a password, nor a link, nor what only one seat may know."""
    config = config_of(tmp_path)
    secrets = save_games(tmp_path / "games.db")
    files = files_of(bundle_of(config, CHECKED, [*saved_games(tmp_path / "games.db")]))
    assert_no_secret(files, *secrets)
    settings = json.loads(files["settings.json"])
    assert settings["web"]["key"] == REMOVED
    assert settings["camera"]["device"] == f"rtsp://{REMOVED}@192.168.1.9/stream"
    assert settings["hub"]["database"] == f"postgresql://{REMOVED}@db.local/tiki"
    assert settings["web"]["port"] == 0
    assert json.loads(files["doctor.json"])[0]["name"] == "board"
    assert {"games/1.jsonl", "games/2.jsonl", "README.txt", "versions.json"} <= {*files}
    assert '"move 42 32"' in files["games/2.jsonl"]
    assert not [name for name in files if name.startswith("frames/")]


def test_the_check_for_secrets_can_fail() -> None:
    """A key that is left in is seen."""
    with pytest.raises(AssertionError, match="is in settings"):
        assert_no_secret({"settings.json": json.dumps({"key": KEY})})


def test_every_setting_that_is_called_a_secret_is_removed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also one that only comes with a later version, at any depth; empty ones stay empty."""
    settings: dict[str, Any] = {
        "mqtt": {"host": "broker", "username": "anna", "password": "wintergarden", "topics": ["a"]},
        "deep": [{"api_token": "xyz", "url": "mqtts://anna:xyz@broker:8883"}],
        "web": {"key": ""},
    }
    monkeypatch.setattr("companion.apps.doctor.bundle.msgspec.to_builtins", lambda _: settings)
    assert settings_of(Config()) == {
        "mqtt": {"host": "broker", "username": REMOVED, "password": REMOVED, "topics": ["a"]},
        "deep": [{"api_token": REMOVED, "url": f"mqtts://{REMOVED}@broker:8883"}],
        "web": {"key": ""},
    }


def test_pictures_are_in_it_only_if_that_is_agreed_to(tmp_path: Path) -> None:
    """And then the newest of them."""
    folder = tmp_path / "games.frames"
    assert [*pictures_of(folder)] == []
    folder.mkdir()
    for number in range(MAX_PICTURES + 3):
        (folder / f"1-{number}.jpg").write_bytes(b"\xff\xd8 a picture")
    (folder / "notes.txt").write_text("mine")
    found = [*pictures_of(folder)]
    assert len(found) == MAX_PICTURES
    files = files_of(bundle_of(Config(), CHECKED, [], found))
    assert sum(name.startswith("frames/") for name in files) == MAX_PICTURES
    assert "mine" not in "".join(files.values())


def test_a_log_that_cannot_be_read_is_said_in_the_bundle(tmp_path: Path) -> None:
    """Missing, in use, or with a game of another version: the rest is there all the same."""
    path = tmp_path / "games.db"
    assert "no game has been saved" in dict(saved_games(path))["games/none.txt"].decode()
    with Log(path) as log:
        log.open_session({"game": "chess", "players": [], "options": {}})
        for _ in range(MAX_GAMES + 1):
            log.open_session(sit_down().header.to_json())
        assert len([*games_of(log)]) == MAX_GAMES
        assert "in use by another tiki" in dict(saved_games(path))["games/none.txt"].decode()
    with Log(tmp_path / "other.db") as log:
        log.open_session({"game": "chess", "players": [], "options": {}})
        assert "chess" in dict(games_of(log))["games/1.txt"].decode()


def test_the_command_writes_a_private_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the settings that it is given; it overwrites nothing."""
    monkeypatch.setattr("companion.cli.doctor.consult", lambda *_: CHECKED)
    settings, target = tmp_path / "tiki.toml", tmp_path / "support.zip"
    settings.write_text(f'[web]\nkey = "{KEY}"\n[log]\nfile = "{tmp_path / "games.db"}"\n')
    secrets = save_games(tmp_path / "games.db")
    folder = frames_folder(tmp_path / "games.db")
    folder.mkdir()
    (folder / "1-1.jpg").write_bytes(b"\xff\xd8 a picture")
    words = ["doctor", "--config", str(settings), "--bundle", str(target)]
    assert main(words) == 0
    assert f"{target} was written" in capsys.readouterr().err
    assert target.stat().st_mode & 0o777 == 0o600
    files = files_of(target.read_bytes())
    assert_no_secret(files, *secrets, "a picture")
    assert main(words) == 1
    assert capsys.readouterr().err == f"tiki: {target} exists already; name a new file\n"
    target.unlink()
    assert main([*words, "--with-frames"]) == 0
    assert "frames/1-1.jpg" in files_of(target.read_bytes())
    capsys.readouterr()
    assert main(["doctor", "--with-frames"]) == 1
    assert "--with-frames is for a bundle" in capsys.readouterr().err
    assert main([*words[:-1], str(tmp_path / "nowhere" / "x.zip")]) == 1
    assert "cannot be written" in capsys.readouterr().err


class Attending:
    """A doctor who finds a full disk and nothing else."""

    checks = ("power", "disk")

    async def examine(self, names: Collection[str]) -> tuple[Check, ...]:
        """Return what is found."""
        found = {"power": ok("5.1 V"), "disk": failed("no space", "sudo apt clean")}
        return tuple(Check(name, found[name]) for name in self.checks if name in names)

    async def make_bundle(self, *, with_pictures: bool) -> bytes:
        """Return what stands for a file."""
        return b"with pictures" if with_pictures else b"without"


def test_the_host_sees_what_the_doctor_finds_and_runs_one_check_again() -> None:
    """With the remedies, and what the companion says of its devices; nobody else does."""
    live_session = sit_down()
    live_session.report("the idol", "it does not answer")
    pub = open_pub(live_session, checkup=Attending)
    host = pub.host()
    assert 'href="/desk/doctor"' in host.get("/desk").text
    page = host.get("/desk/doctor")
    assert page.headers["cache-control"] == "no-store"
    for words in ("it does not answer", "5.1 V", "no space", "sudo apt clean", "not in order"):
        assert words in page.text
    one = host.get("/desk/doctor?check=disk").text
    assert "sudo apt clean" in one
    assert "5.1 V" not in one
    assert host.get("/desk/doctor?check=nose").status_code == 404
    for visitor in (pub.stranger(), pub.player(0)):
        assert visitor.get("/desk/doctor").status_code == 403
    assert open_pub(sit_down()).host().get("/desk/doctor").status_code == 409


def test_the_desk_has_a_button_for_the_host_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is in the file; the pictures have a box of their own, empty at first."""
    pub = open_pub(sit_down(), checkup=Attending)
    host = pub.host()
    page = host.get("/desk").text
    assert re.search(r'<input type="checkbox" name="frames" value="yes" id="support-frames">', page)
    answer = host.get("/desk/support")
    assert (answer.status_code, answer.content) == (200, b"without")
    assert answer.headers["content-disposition"] == 'attachment; filename="tiki-support.zip"'
    assert answer.headers["cache-control"] == "no-store"
    assert host.get("/desk/support?frames=yes").content == b"with pictures"
    for visitor in (pub.stranger(), pub.player(0)):
        assert visitor.get("/desk/support").status_code == 403
    assert open_pub(sit_down()).host().get("/desk/support").status_code == 409
    monkeypatch.setattr("companion.language.speech.language_of", lambda _: Marked())
    (panel,) = re.findall(
        r'<section class="panel" id="support">.*?</section>', host.get("/desk").text, re.DOTALL
    )
    assert list(untranslated(panel, NAMED)) == []


def test_the_running_companion_makes_one_too(tmp_path: Path) -> None:
    """While it plays, with what is wrong with its devices, and without disturbing them."""
    config = parse_config(
        {
            "web": {"key": KEY, "port": 0, "host": "127.0.0.1"},
            "camera": {"source": "none"},
            "log": {"file": str(tmp_path / "games.db")},
            "table": {"game": "topple"},
        }
    )
    daemon = Daemon(config)
    daemon.live_session.report("the idol", "it does not answer")

    async def ask() -> bytes:
        running = asyncio.create_task(daemon.run())
        try:
            assert daemon.table.checkup is not None
            return await daemon.table.checkup().make_bundle(with_pictures=False)
        finally:
            daemon.stop()
            await running

    files = files_of(asyncio.run(ask()))
    assert_no_secret(files, daemon.keys.host)
    assert {each["name"] for each in json.loads(files["doctor.json"])} == {*WHILE_RUNNING}
    assert {*WHILE_RUNNING} < {*CHECKS}
    assert json.loads(files["troubles.json"]) == ["the idol: it does not answer"]
    assert "games/1.jsonl" in files
