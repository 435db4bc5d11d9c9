"""`tiki run`: the daemon. `tiki record`: the same, and records what it sees and receives.

`tiki demo`: the same on an included recording, printing each move.
"""

import argparse
import asyncio
import faulthandler
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from companion.apps.backup.schedule import BackupSchedule
from companion.cli import replay
from companion.cli.addresses import print_addresses, print_changes
from companion.cli.console import set_up_console
from companion.cli.failure import Failure
from companion.cli.settings import read_settings
from companion.cli.signals import StopRequest
from companion.closing import end_tasks
from companion.config import BadConfig, CameraConfig, Config, TableConfig, override
from companion.daemon import Daemon
from companion.files import NoScratch, scratch_folder
from companion.film.recorder import CannotRecord, Recorder
from companion.language.message import say
from companion.recording import BadRecording
from companion.referee.narrator import narrate
from companion.registry import GAMES, game_of, recordings, with_mats
from companion.rules.base import RulesError
from companion.service import ServiceManager, report
from companion.session.log import LogError
from companion.supervision import Job, begin_jobs
from companion.web.http.server import CannotStart
from vision.capture.camera_list import find_cameras

RECORDED: Final = Config()
VIRTUAL: Final = Config(
    table=TableConfig(players=("Ann", "Bob")),
    camera=CameraConfig(source="virtual", rate_hz=10.0),
)
"""Of a table in the browser: two play, whatever the game, until the host says otherwise."""


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the three commands to *commands*."""
    parser = commands.add_parser(
        "run",
        help="watch a table and serve its pages",
        description="Runs the companion. Without a config it uses the camera that is connected; if"
        " there are several, the host chooses one on a phone. It simulates lights and display, so"
        " it works on any machine. The host sets up the table on a phone.",
    )
    _add_arguments(parser)
    parser.add_argument(
        "--record", type=Path, metavar="DIR", help="record the table, see tiki record"
    )
    parser.set_defaults(run=run)
    parser = commands.add_parser(
        "record",
        help="watch a table and record it",
        description="Like tiki run, and also records into a new folder what tiki replay can play:"
        " a picture of each table that came to rest, what people entered and what sensors reported."
        " Hidden cards and ranks that seats enter for themselves are left out.",
    )
    parser.add_argument("record", type=Path, metavar="DIR", help="a folder, new or empty")
    _add_arguments(parser)
    parser.set_defaults(run=run)
    parser = commands.add_parser(
        "demo",
        help="watch a recorded game being refereed",
        description="Plays a recorded game with the live page and prints each move. Without a"
        " terminal it plays at full speed and prints the result.",
    )
    shipped = list(recordings())
    parser.add_argument(
        "game",
        nargs="?",
        choices=list(GAMES),
        default=shipped[0],
        metavar="GAME",
        help=f"{', '.join(shipped)}; default: the first",
    )
    parser.add_argument("--port", type=int, metavar="N", help="where the pages are served")
    parser.add_argument(
        "--play",
        action="store_true",
        help="play it yourself, on a table in the browser that the real eyes judge",
    )
    parser.set_defaults(run=demo)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what both `run` and `record` take."""
    parser.add_argument("--config", type=Path, metavar="FILE", help="settings (deploy/tiki.toml)")
    parser.add_argument("--game", choices=list(GAMES), metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--replay", type=Path, metavar="DIR", help="a recording as the camera")
    parser.add_argument("--port", type=int, metavar="N", help="where the pages are served")
    parser.add_argument("--log", metavar="FILE", help="where the game is saved")
    parser.add_argument(
        "--frame-s", type=float, metavar="S", help="seconds for which each recorded frame is shown"
    )
    parser.add_argument(
        "--with-secrets",
        action="store_true",
        help="also record what seats enter for themselves; anyone who has the folder can read it",
    )


def run(arguments: argparse.Namespace) -> int:
    """Serve until stopped."""
    arguments.stop.defer()
    config = read_settings(arguments.config)
    config = _as_asked(config, arguments, is_recorded=bool(arguments.record))
    if arguments.with_secrets and not arguments.record:
        raise Failure("--with-secrets is for a recording; name its folder with --record")
    daemon = _start(config, arguments.record, with_secrets=arguments.with_secrets)
    words = []
    if daemon.live_session.resumed:
        words.append("The unfinished game has been resumed.")
    if arguments.record:
        words.append(f"The table is being recorded in {arguments.record}. Stop with Ctrl-C.")
    return _serve(daemon, arguments.stop, words, settings=arguments.config)


def daemon_of(config: Config, arguments: argparse.Namespace) -> Daemon:
    """Return the daemon of `tiki run` with the same *arguments*, not yet started.

    Raises Failure.
    """
    return _start(_as_asked(config, arguments))


def _as_asked(
    config: Config, arguments: argparse.Namespace, *, is_recorded: bool = False
) -> Config:
    """Return *config* with *arguments*.

    is_recorded: whether the table is to be recorded; where "auto" finds no camera, that is tried
        with the recording that is included.
    """
    if is_recorded and config.camera.source == "auto" and not find_cameras():
        config = replace(config, camera=CameraConfig(source="recording"))
    return _overridden(config, arguments)


def demo(arguments: argparse.Namespace) -> int:
    """Show an included recording: live with a terminal, fast without one."""
    if arguments.play:
        return play(arguments)
    shipped = recordings()
    if arguments.game not in shipped:
        raise Failure(
            f"there is no recording of {arguments.game}; tiki demo can show {', '.join(shipped)}"
        )
    shown = shipped[arguments.game]
    if not sys.stdout.isatty():
        return replay.run(argparse.Namespace(folder=shown, json=False, entered=False))
    arguments.stop.defer()
    print(f"A recorded game of {game_of(arguments.game).title}, refereed live. Stop with Ctrl-C.")
    try:
        with scratch_folder("demo") as folder:
            given = argparse.Namespace(
                replay=shown, port=arguments.port, log=f"{folder}/demo.db", frame_s=None, game=None
            )
            daemon = _start_demo(given)
            asked: list[int] = []

            def play_instead() -> None:
                asked.append(daemon.reach.port)
                daemon.stop()

            daemon.table.play_instead = play_instead
            status = _serve(daemon, arguments.stop, narrate_events=True)
            for port in asked:
                status = _play(arguments, folder, port, daemon.keys.host)
            return status
    except NoScratch as error:
        raise Failure(str(error)) from None


def play(arguments: argparse.Namespace) -> int:
    """Serve a virtual table until stopped, with a terminal or without one."""
    arguments.stop.defer()
    if not GAMES[arguments.game].has_mat:
        raise Failure(
            f"{game_of(arguments.game).title} has no mat, so no camera sees it; tiki demo --play"
            f" can lay {', '.join(with_mats())}"
        )
    try:
        with scratch_folder("demo") as folder:
            return _play(arguments, folder, arguments.port)
    except NoScratch as error:
        raise Failure(str(error)) from None


def _play(arguments: argparse.Namespace, folder: Path, port: int | None, key: str = "") -> int:
    """Serve a virtual table at *port*, to whose host *key* belongs already if there is one."""
    given = argparse.Namespace(port=port, log=f"{folder}/played.db", game=None)
    daemon = _start_demo(given, replace(VIRTUAL, web=replace(VIRTUAL.web, key=key)))
    daemon.spot(arguments.game)
    words = (
        "Open it in a browser with WebGL, and drag the pieces. Stop with Ctrl-C.",
        f"The table, for the host: {daemon.reach.url}/?key={daemon.keys.host}",
    )
    return _serve(daemon, arguments.stop, words, narrate_events=True)


def _start_demo(given: argparse.Namespace, config: Config = RECORDED) -> Daemon:
    try:
        return _start(_overridden(config, given))
    except Failure:
        if given.port is not None:
            raise
        # The demo should start even if something else uses the port.
        given.port = 0
        return _start(_overridden(config, given))


def _overridden(config: Config, arguments: argparse.Namespace) -> Config:
    given = (
        ("--port", "web.port", arguments.port),
        ("--log", "log.file", arguments.log),
        ("--frame-s", "camera.frame_s", getattr(arguments, "frame_s", None)),
    )
    try:
        for said, setting, value in given:
            if value is not None:
                config = override(config, setting, value, said)
    except BadConfig as error:
        raise Failure(str(error)) from None
    if arguments.game:
        options = config.table.options_of(arguments.game)
        table = replace(config.table, game=arguments.game, options=options, rounds=0)
        config = replace(config, table=table)
    if getattr(arguments, "replay", None):
        camera = replace(config.camera, source="recording", folder=str(arguments.replay))
        config = replace(config, camera=camera)
    return config


def _start(config: Config, record: Path | None = None, *, with_secrets: bool = False) -> Daemon:
    try:
        recorder = Recorder(record, with_secrets=with_secrets) if record else None
        return Daemon(config, recorder=recorder)
    except (CannotStart, CannotRecord, LogError, BadRecording, RulesError, OSError) as error:
        raise Failure(str(error)) from None


def _serve(
    daemon: Daemon,
    stop: StopRequest,
    words: Sequence[str] = (),
    *,
    narrate_events: bool = False,
    settings: Path | None = None,
) -> int:
    """Say where the pages are, and *words*; serve until a signal comes or nobody reads on.

    settings: their file, which is backed up, too.
    """
    set_up_console()
    manager = ServiceManager()
    if manager.is_there:
        # Whoever reads the journal learns where a process hung that the watchdog has ended.
        faulthandler.enable()

    def end() -> None:
        manager.tell("STOPPING=1", "STATUS=The game is being saved")
        daemon.stop()

    stop.call(end)
    reach, key = daemon.reach, daemon.keys.host
    try:
        print_addresses(reach, key, *words)
    except OSError:
        daemon.stop()
    print_changes(reach, key, daemon.stop)

    async def serve() -> list[str]:
        stuck, status = partial(_stuck, daemon), partial(_status, daemon)
        jobs: dict[str, Job] = {
            say("the report to systemd"): partial(report, manager, reach.here, stuck, status)
        }
        if narrate_events:
            jobs[say("what the terminal shows")] = partial(_narrate, daemon)
        else:
            jobs[say("making backups")] = partial(_back_up, daemon, settings)
        tasks = begin_jobs(jobs, daemon.live_session.report)
        try:
            return await daemon.run()
        finally:
            await end_tasks(tasks)

    stop.hangs = bool(asyncio.run(serve()))
    return 0


def _stuck(daemon: Daemon) -> str:
    return daemon.watcher.stuck if daemon.watcher is not None else ""


def _status(daemon: Daemon) -> str:
    """Return in one line what is played, where its page is, and what is wrong."""
    live_session = daemon.live_session
    troubles = live_session.troubles
    words = f"{game_of(live_session.header.game).title} at {daemon.reach.url}"
    return f"{words}; {len(troubles)} to see to: {'; '.join(troubles)}" if troubles else words


async def _back_up(daemon: Daemon, settings: Path | None) -> None:
    """Make the backups that the settings ask for."""
    live_session = daemon.live_session

    was_over = False

    def attend() -> None:
        nonlocal was_over
        outcome = live_session.game.rules.outcome(live_session.session.state)
        if outcome is not None and not was_over:
            schedule.end_game()
        was_over = outcome is not None

    schedule = BackupSchedule(
        daemon.config.backup,
        lambda: Path(daemon.log.path),
        settings,
        lambda trouble: live_session.report("the backup", trouble),
    )
    with live_session.on_change.heard_by(attend):
        await schedule.run()


async def _narrate(daemon: Daemon) -> None:
    """Print events and notices as they come."""
    try:
        async for item in daemon.live_session.feed.follow(0):
            body: dict[str, Any] = item.body
            if body["type"] == "closed" and daemon.config.camera.source == "virtual":
                pass  # the host has begun another game
            elif body["type"] == "closed":
                print("The recording has ended. The page stays up until you press Ctrl-C.")
            elif body["type"] != "waiting":
                live_session = daemon.live_session
                print(narrate(body, live_session.game, live_session.header.players))
            sys.stdout.flush()
    except OSError:  # the terminal is gone
        daemon.stop()
