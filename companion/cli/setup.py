"""`tiki setup`: from a bare table to a learned one, step by step, in a terminal."""

import argparse
import asyncio
import http.client
import json
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from companion.cli.addresses import print_addresses
from companion.cli.asking import companion_at, exchange, kept_key
from companion.cli.failure import Failure
from companion.cli.run import daemon_of
from companion.cli.settings import read_settings
from companion.cli.setup_lens import offer_measuring
from companion.config import Config, log_path
from companion.registry import GAMES
from vision.geometry.marker_tracking import CORNER_NAMES

ANSWER_S: Final = 20.0
LEARN_S: Final = 120.0
"""A Pi Zero takes its time over a board of 25 columns, and hands may stay on the table."""
PAUSE_S: Final = 0.5


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "setup",
        help="set up the camera: what it sees, what is wrong, and its calibration",
        description="Sets up the camera for a game, step by step: says what the camera sees and"
        " what to improve, then calibrates it with what is on the table. The same steps, with the"
        " live picture, are on the host's page; its address is printed. If a companion is running"
        " already, it is used and its game goes on; otherwise one is started just for this.",
    )
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (deploy/tiki.toml)")
    parser.add_argument("--game", choices=list(GAMES), metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--port", type=int, metavar="N", help="where the pages are served")
    parser.add_argument("--log", metavar="FILE", help="where the game is saved")
    parser.add_argument("--key", help="the host's key of a companion that runs already")
    parser.add_argument(
        "--look", action="store_true", help="only say what is seen; exit status 1 on any fault"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Walk through the steps; return 0 once the table is learned."""
    config = read_settings(arguments.config)
    running = _running(config, arguments)
    if running is not None:
        return _walk(running, only_look=arguments.look)
    return _serve_meanwhile(config, arguments)


@dataclass
class Asking:
    """A companion that is asked as the host: where it is, and the host's key."""

    host: str
    port: int
    key: str

    def state(self, after: int = 0) -> dict[str, Any]:
        """Return what the newest picture shows; raises Failure with the companion's own words."""
        return self._ask(f"/set-up/state?after={after}")

    def learn(self, position: str) -> None:
        """Let the table be learned; raises Failure with the companion's own words."""
        self._ask("/set-up/learn", {"position": position})

    def measure_lens(self) -> None:
        """Let the lens be measured; raises Failure with the companion's own words."""
        self._ask("/set-up/lens", {"measure": "yes"})

    def _ask(self, path: str, form: dict[str, str] | None = None) -> dict[str, Any]:
        try:
            status, body = exchange(self.host, self.port, self.key, path, form, within_s=ANSWER_S)
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"the companion does not answer ({error})") from None
        said = body.decode("utf-8", "replace")
        if status == 303:
            return {}
        try:
            answer: dict[str, Any] = json.loads(said)
        except ValueError:
            raise Failure(said.strip() or f"the companion answered {status}") from None
        if status != 200:
            raise Failure(str(answer.get("error", said)))
        return answer


def _running(config: Config, arguments: argparse.Namespace) -> Asking | None:
    """Return the companion that runs already, None if none answers; raises Failure."""
    port = config.web.port if arguments.port is None else arguments.port
    host = companion_at(config)
    if not _answers(host, port):
        return None
    log = Path(arguments.log) if arguments.log else log_path(config)
    print("A companion runs already; its game goes on.")
    print(f"With the live picture, in the host's browser: http://{host}:{port}/desk/set-up")
    return Asking(host, port, arguments.key or config.web.key or kept_key(log))


def _serve_meanwhile(config: Config, arguments: argparse.Namespace) -> int:
    """Run a companion for as long as the steps take, and return what came of them."""
    daemon = daemon_of(config, arguments)
    reach, key = daemon.reach, daemon.keys.host
    print_addresses(reach, key, "The live picture is on the host's desk: Set up the camera.")
    asking = Asking(companion_at(daemon.config), reach.port, key)
    outcome: list[int | Failure] = []

    def walk() -> None:
        try:
            _wait_until_answering(asking)
            outcome.append(_walk(asking, only_look=arguments.look))
        except Failure as failure:
            outcome.append(failure)
        finally:
            daemon.stop()

    # The steps wait for the keyboard; the log belongs to the thread that opened it.
    walking = threading.Thread(target=walk, name="setup", daemon=True)
    asyncio.run(daemon.run(walking.start))
    walking.join(1.0)
    if not outcome:
        return 1
    if isinstance(outcome[0], Failure):
        raise outcome[0]
    return outcome[0]


def _answers(host: str, port: int) -> bool:
    connection = http.client.HTTPConnection(host, port, timeout=2.0)
    try:
        connection.request("GET", "/api/state")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def _wait_until_answering(asking: Asking) -> None:
    until_s = time.monotonic() + ANSWER_S
    while not _answers(asking.host, asking.port):
        if time.monotonic() > until_s:
            raise Failure("the companion was started, but does not answer")
        time.sleep(0.1)


def _print_look(state: dict[str, Any]) -> None:
    for corner, is_seen in zip(CORNER_NAMES, state["tiles"], strict=False):
        print(f"  {'yes' if is_seen else 'NO ':3}  corner at the {corner}")
    for name, meter in state["meters"].items():
        bar = "#" * round(20 * meter["value"])
        print(f"  {name:6} [{bar:<20}] {meter['words']}")
    if state["remark"]:
        print(state["remark"])
    print(state["sentence"])


def _walk(asking: Asking, *, only_look: bool) -> int:
    """Go on until the table is learned, or nobody answers any more; return the exit status."""
    state = _first_look(asking)
    print(f"Setting up the camera for {state['game']}.")
    _print_look(state)
    if only_look:
        return 0 if state["ready"] else 1
    while not state["ready"]:
        time.sleep(PAUSE_S)
        newer = asking.state(state["picture"])
        if newer["sentence"] != state["sentence"]:
            _print_look(newer)
        state = newer
    positions = state["positions"]
    if not positions:
        raise Failure(
            "the companion does not know yet what is on the table: start the game on the"
            " host's page, or enter there what is on the table; then run tiki setup again"
        )
    print("\nWhat is on the table now?")
    for number, position in enumerate(positions, 1):
        print(f"  {number}  {position['words']}")
    chosen = _choose(len(positions))
    if chosen is None:
        print("The camera was not calibrated.")
        return 1
    print("Take your hands away ...")
    asking.learn(positions[chosen]["name"])
    return _wait_for_lesson(asking)


def _first_look(asking: Asking) -> dict[str, Any]:
    """Return what is seen once the camera gives pictures, or why it gives none."""
    until_s = time.monotonic() + ANSWER_S
    state = asking.state()
    while not state["tiles"] and time.monotonic() < until_s:
        state = asking.state(state["picture"])
    return state


def _choose(count: int) -> int | None:
    """Return the number of what was chosen, from 0; None if nobody answers."""
    while True:
        sys.stdout.write(f"Its number, and Enter [1-{count}]: ")
        sys.stdout.flush()
        said = sys.stdin.readline()
        if not said:
            print()
            return None
        if said.strip().isdecimal() and 1 <= int(said) <= count:
            return int(said) - 1


def _wait_for_lesson(asking: Asking) -> int:
    until_s = time.monotonic() + LEARN_S
    state = asking.state()
    while state["learning"]:
        if time.monotonic() > until_s:
            raise Failure("not calibrated for two minutes: something keeps moving on the table")
        time.sleep(PAUSE_S)
        state = asking.state()
    for sentence in state["lesson"]:
        print(sentence)
    offer_measuring(state, asking.measure_lens, asking.state)
    return 0 if state["learned"] else 1
