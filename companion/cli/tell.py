"""`tiki tell ACTION`: enter an action in a running companion, from a terminal or a program."""

import argparse
import http.client
import json
import socket
from pathlib import Path
from typing import Any, Final

from companion.cli.asking import companion_at, exchange, kept_key
from companion.cli.failure import Failure
from companion.cli.settings import read_settings
from companion.config import log_path

WAIT_S: Final = 5.0


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "tell",
        help="enter an action in a running companion: tiki tell 'place 22 pink'",
        description="Enters one action in the running companion, written as in docs/rules/,"
        " or 'undo' or 'pause'. When table and game differ, 'adopt 1' goes on"
        " from the table, with seat 1 to move, and 'lead-back' shows place by"
        " place how to put the table back. With --sensor it operates simulated"
        " sensors: 'topple', 'knock', 'spin 137 1.5', 'press uno 1'.",
    )
    parser.add_argument("words", nargs="+", metavar="ACTION")
    parser.add_argument("--sensor", action="store_true", help="as if a sensor had reported it")
    parser.add_argument(
        "--config", type=Path, metavar="FILE", help="the settings that the companion runs with"
    )
    parser.add_argument("--port", type=int, metavar="N", help="where its pages are served")
    parser.add_argument(
        "--log", metavar="FILE", help="where its game is saved; the key is stored beside it"
    )
    parser.add_argument("--key", help="the host's key, as in the address that it printed")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Send it, and print what came of it."""
    config = read_settings(arguments.config)
    port = config.web.port if arguments.port is None else arguments.port
    if not 0 < port <= 65535:
        raise Failure(f"{port} is not a port number; use the one that tiki run printed: --port N")
    log = Path(arguments.log) if arguments.log else log_path(config)
    host = companion_at(config)
    _require_companion(host, port)
    key = arguments.key or config.web.key or kept_key(log)
    form = {"sensor" if arguments.sensor else "action": " ".join(arguments.words)}
    answer = _post(host, port, key, form)
    print(answer["told"])
    if answer.get("next"):
        print(f"Next: {answer['next']}.")
    return 0


def _require_companion(host: str, port: int) -> None:
    """Raise Failure if nobody serves there: then no key is needed either."""
    try:
        socket.create_connection((host, port), timeout=WAIT_S).close()
    except OSError as error:
        raise _nobody(host, port, error.strerror or str(error)) from None


def _nobody(host: str, port: int, reason: str) -> Failure:
    return Failure(
        f"no companion answers on {host} port {port} ({reason}); start it with tiki run, or name"
        " its port: --port N"
    )


def _post(host: str, port: int, key: str, form: dict[str, str]) -> dict[str, Any]:
    """Return the companion's answer; raises Failure with its own words if it refuses."""
    try:
        status, body = exchange(host, port, key, "/api/tell", form, within_s=WAIT_S)
        answer = json.loads(body)
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise _nobody(host, port, str(error)) from None
    if status == 403:
        raise Failure(f"{answer['error']} Give the host's key with --key")
    if status != 200:
        raise Failure(str(answer["error"]))
    found: dict[str, Any] = answer
    return found
