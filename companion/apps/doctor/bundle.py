"""The support bundle: one file with all that helps to find a fault, and with no secret in it.

Settings without keys and passwords, versions, the doctor's findings, and of the games what everyone
may know. Pictures only if the owner agrees: they may show hands and people.
"""

import io
import json
import platform
import re
import sqlite3
import sys
import zipfile
from collections.abc import Collection, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any, Final

import msgspec

from companion import __version__
from companion.apps.doctor.examination import Check
from companion.config import Config
from companion.referee.game_record import record_of
from companion.referee.past import open_course
from companion.session.log import Log, LogError

REMOVED: Final = "(removed)"
SECRET_NAMES: Final = re.compile(r"key|pass|secret|token|credential|user", re.IGNORECASE)
"""What a setting is called whose value nobody else may see."""
_IN_ADDRESS: Final = re.compile(r"//\S+@")
"""A name and a password in an address, as of a camera: rtsp://NAME:PASSWORD@192.168.1.9.  The
password may have what an address should not."""
PACKAGES: Final = (
    "msgspec", "starlette", "uvicorn", "sse-starlette", "jinja2", "babel", "numpy",
    "opencv-python-headless", "opencv-python", "onnxruntime", "pillow", "gpiozero", "luma.core",
    "luma.oled", "luma.led_matrix", "paho-mqtt", "psycopg", "pyserial", "reportlab", "segno",
    "sqlalchemy",
)  # fmt: skip
MAX_GAMES: Final = 5
MAX_PICTURES: Final = 20
READ_ME: Final = """\
A support bundle of Tiki Companion, to send to whoever helps you.

versions.json    the companion, Python, and what they run on
settings.json    the settings; keys, passwords and names of accounts are removed
doctor.json      what tiki doctor says of the machine
troubles.json    what the running companion says is wrong, if it was asked
games/           the newest games as records: players' names, and what everyone may know of the play
frames/          pictures of the table, only if you agreed to it

Hidden cards and ranks, the host's key and the seats' links are not in it.
"""


def settings_of(config: Config) -> dict[str, Any]:
    """Return all settings, those that are secret replaced by a word."""
    found: dict[str, Any] = _without_secrets(msgspec.to_builtins(config))
    return found


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            name: REMOVED if SECRET_NAMES.search(str(name)) and of else _without_secrets(of)
            for name, of in value.items()
        }
    if isinstance(value, list | tuple):
        return [_without_secrets(each) for each in value]
    return _IN_ADDRESS.sub(f"//{REMOVED}@", value) if isinstance(value, str) else value


def versions() -> dict[str, Any]:
    """Return what runs here; nothing that tells whose machine it is."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return {
        "companion": __version__,
        "python": sys.version,
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "sqlite": sqlite3.sqlite_version,
        "packages": found,
    }


def games_of(log: Log) -> Iterator[tuple[str, bytes]]:
    """Yield name and record of the newest games, with what everyone may know of them."""
    opened = log.opened()
    for number in sorted(opened, reverse=True)[:MAX_GAMES]:
        try:
            record = record_of(open_course(log, number), opened[number])
        except LogError as error:
            yield f"games/{number}.txt", f"{error}\n".encode()
            continue
        lines = (f"{json.dumps(line, ensure_ascii=False)}\n" for line in record.lines())
        yield f"games/{number}.jsonl", "".join(lines).encode()


def saved_games(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the same of the log at *path*, or why that cannot be; the log is not changed."""
    if not path.exists():
        yield "games/none.txt", f"There is no {path}: no game has been saved.\n".encode()
        return
    try:
        with Log(path, is_changed=False) as log:
            yield from games_of(log)
    except LogError as error:
        yield "games/none.txt", f"{error}\n".encode()


def pictures_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of the newest pictures in *folder*, as far as they can be read."""
    try:
        files = sorted(folder.glob("*.jpg"), key=lambda file: file.stat().st_mtime_ns)
    except OSError:
        return
    for file in files[-MAX_PICTURES:]:
        try:
            yield f"frames/{file.name}", file.read_bytes()
        except OSError:
            continue


def bundle_of(
    config: Config,
    checks: Collection[Check],
    games: Collection[tuple[str, bytes]],
    pictures: Collection[tuple[str, bytes]] = (),
    troubles: Collection[str] = (),
) -> bytes:
    """Return the bundle as a ZIP file.

    games, pictures: see `games_of` and `pictures_of`.  troubles: of a running companion.
    """
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as found:
        found.writestr("README.txt", READ_ME)
        for name, thing in (
            ("versions", versions()),
            ("settings", settings_of(config)),
            ("doctor", [check.to_json() for check in checks]),
            ("troubles", list(troubles)),
        ):
            text = json.dumps(thing, indent=2, ensure_ascii=False)
            found.writestr(f"{name}.json", _IN_ADDRESS.sub(f"//{REMOVED}@", text))
        for name, data in (*games, *pictures):
            found.writestr(name, data)
    return target.getvalue()
