"""A companion that runs on this machine, and what a command asks it."""

import http.client
import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

from companion import PROGRAM
from companion.cli.failure import Failure
from companion.config import Config, log_path
from companion.web.http.reach import ALL_IPV4, EVERYWHERE

WAIT_S: Final = 1.0


def companion_at(config: Config) -> str:
    """Return the address at which a companion with these settings answers on this machine."""
    host = config.web.host
    return "127.0.0.1" if host in (ALL_IPV4, EVERYWHERE) else host


def require_rest(config: Config, holders: Callable[[str], tuple[str, ...]]) -> None:
    """Raise Failure if a companion runs with these settings: its lights are left alone.

    holders: returns the programs that have a file open.
    """
    host, port = companion_at(config), config.web.port
    try:
        socket.create_connection((host, port), timeout=WAIT_S).close()
    except OSError:
        if PROGRAM not in holders(str(log_path(config))):
            return
    raise Failure("the companion is running, and its lights are left alone; stop it first")


def kept_key(log: Path) -> str:
    """Return the key that the companion keeps beside its log."""
    file = log.with_suffix(".keys.json")
    try:
        return str(json.loads(file.read_text(encoding="utf-8"))["host"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it contains no key"
        raise Failure(
            f"a companion answers, but its key is not in {file} ({reason}); name the --config or"
            " --log that it was started with, or give the --key in the address that it printed"
        ) from None


def exchange(
    host: str,
    port: int,
    key: str,
    path: str,
    form: dict[str, str] | None = None,
    *,
    within_s: float,
) -> tuple[int, bytes]:
    """Return status and body of the answer at *path*, to the *form* that is posted if there is one.

    Raises OSError or HTTPException if none comes.
    """
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json"}
    if form is not None:
        headers["Content-Type"] = "application/x-www-form-urlencoded"
    connection = http.client.HTTPConnection(host, port, timeout=within_s)
    try:
        method, body = ("GET", None) if form is None else ("POST", urlencode(form))
        connection.request(method, path, body, headers)
        reply = connection.getresponse()
        return reply.status, reply.read()
    finally:
        connection.close()
