"""The name and the password of the table's own Wi-Fi: made once, and kept beside the log."""

import secrets
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from companion.config import WifiConfig
from companion.files import write_whole
from companion.wifi.radio import Credentials

LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""None that looks like another one."""
NAME_CHARS: Final = 4
PASSWORD_CHARS: Final = 10
"""Some 49 bits: whoever has recorded how a phone joined tries for decades."""


def credentials_of(config: WifiConfig, file: Path | None) -> Credentials:
    """Return name and password as *config* has them, else as *file* has, else new ones.

    file: None keeps nothing, and what cannot be written is new at each start.
    """
    kept = _read(file) if file is not None else None
    if kept is None:
        kept = Credentials(f"Tiki-{_random(NAME_CHARS).upper()}", _random(PASSWORD_CHARS))
        if file is not None and not (config.name and config.password):
            with suppress(OSError):  # a full disk keeps nobody from playing
                write_whole(file, msgspec.json.encode(kept))
    return Credentials(config.name or kept.name, config.password or kept.password)


def _read(file: Path) -> Credentials | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=Credentials)
    except (OSError, msgspec.MsgspecError):
        return None


def _random(count: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(count))
