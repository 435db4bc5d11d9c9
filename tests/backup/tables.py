"""A table on disk with all that it keeps, and the commands that save and restore it."""

import atexit
import json
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from companion.cli import main
from companion.session.log import Log
from companion.web.http.keys import Keys
from tests.referee.played import play
from tests.soak.house import PROGRAM

LOG: Final = "games.db"
SETTINGS: Final = "[sensors]\nrest_s = 1.5\n"


def lay_out(folder: Path) -> Path:
    """Write a finished game, and one that is on, with everything beside them; return the log."""
    return shutil.copytree(_table(), folder, dirs_exist_ok=True) / LOG


@cache
def _table() -> Path:
    """Play that game once, for all to copy; return its folder."""
    folder = Path(tempfile.mkdtemp(prefix="tiki-table-"))
    atexit.register(shutil.rmtree, folder)
    path = folder / LOG
    with Log(path) as log:
        live_session = play("tiki_topple", 1, log=log)
        live_session.renew(live_session.header, "the host began a new game")
        Keys(None, log.beside("keys.json"))
    (folder / "games.lessons.json").write_text(json.dumps({"sectors": None, "index_deg": 7.0}))
    (folder / "games.topple.colours.jpg").write_bytes(b"picture")
    (folder / "games.topple.colours.json").write_text("{}")
    for learned in ("games.topple@0badcafe.colours", "games.camera@0badcafe.lens", "games.camera"):
        (folder / f"{learned}.json").write_text("{}")
    (folder / "games.table.json").write_text('{"is_set_up": true, "language": "es"}')
    (folder / "games.wifi.json").write_text('{"name": "Tiki-7K4M", "password": "k7m4px2h9d"}')
    (folder / "games.mqtt.json").write_text('{"newest": "1-4"}')
    (folder / "games.frames").mkdir()
    (folder / "games.frames" / "1-4.jpg").write_bytes(b"a kept picture")
    (folder / "tiki.toml").write_text(SETTINGS)
    return folder


def tiki(*words: object) -> int:
    """Run a command in this process, and return its exit status."""
    return main(list(map(str, words)))


def start(*words: object, first: str = "") -> "subprocess.Popen[str]":
    """Run a command in a process of its own; *first*: what its Python does before."""
    command = [sys.executable, "-c", f"{first}\n{PROGRAM}", *map(str, words)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=Path.cwd()
    )


def contents(folder: Path) -> dict[str, bytes]:
    """Return all files below *folder*."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
