"""`tiki replay DIR`: a recording through the whole pipeline, as fast as possible."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.cli.failure import Failure
from companion.film.prompting import Prompter
from companion.recording import (
    BadRecording,
    EnteredAction,
    Recording,
    load_actions,
    load_recording,
    load_script,
    replay_header,
)
from companion.referee.live_session import LiveSession
from companion.referee.narrator import narrate
from companion.referee.notices import notice_to_json
from companion.registry import GAMES, game_of
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from companion.session.log import Log
from companion.table.reader_opening import open_reader
from companion.table.readers import read_picture


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "replay", help="referee a recording as fast as possible", description=__doc__
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder with a session.json")
    parser.add_argument("--json", action="store_true", help="events as JSON lines, the result last")
    parser.add_argument(
        "--entered",
        action="store_true",
        help="ignore the pictures and take the game's actions as if people had entered them",
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what happened; exit status 1 if a picture or an action could not be taken."""
    try:
        recording = load_recording(arguments.folder)
        header, secrets = replay_header(recording)
        script = load_script(recording)
        played = GAMES[recording.game]
        entered = arguments.entered or not played.is_watched
        make_steps = _entering(recording) if entered else _watching(recording, script)
    except BadRecording as error:
        raise Failure(str(error)) from None
    if entered and not arguments.entered and played.has_mat:
        print(
            f"tiki: the camera does not watch {game_of(recording.game).title} yet: pictures are"
            " ignored, and the actions of the recording are entered",
            file=sys.stderr,
        )
    with Log(":memory:") as log:
        live_session = LiveSession(log, header, secrets)
        troubles = last_number = 0
        for trouble in make_steps(live_session):
            if trouble:
                troubles += 1
                print(f"tiki: {' '.join(trouble.split())}", file=sys.stderr)
            news = [item.body for item in live_session.feed.since(last_number)]
            last_number = live_session.feed.newest
            for body in news:
                if body["type"] != "result":  # which is printed once, at the end
                    _print(body, live_session, arguments.json)
        _print(notice_to_json(live_session.referee.result()), live_session, arguments.json)
    return 1 if troubles else 0


def _watching(
    recording: Recording, script: Sequence[EnteredAction]
) -> Callable[[LiveSession], Iterator[str | None]]:
    """Return how the pictures are looked at, and what was said between them entered."""
    reader = open_reader(recording)

    def steps(live_session: LiveSession) -> Iterator[str | None]:
        live_session.on_accepted_frame.add(reader.set_reference)
        prompter = Prompter(live_session, script)
        if recording.calibration:
            prompter.pass_frame(recording.calibration[0])
            yield None
        for name in recording.frames:
            observation, trouble = read_picture(reader, recording.path(name))
            live_session.observe(observation)
            yield trouble
            prompter.pass_frame(name)
            yield None
        yield from prompter.not_entered()

    return steps


def _entering(recording: Recording) -> Callable[[LiveSession], Iterator[str | None]]:
    """Return how the actions are entered."""
    actions = load_actions(recording)

    def steps(live_session: LiveSession) -> Iterator[str | None]:
        for action in actions:
            try:
                live_session.referee.enter(action)
            except (RulesError, ReplayError) as error:
                yield f"{recording.folder / 'session.json'}, {action!r}: {error}"
                return
            yield None

    return steps


def _print(body: dict[str, Any], live_session: LiveSession, as_json: bool) -> None:
    if as_json:
        print(json.dumps(body, ensure_ascii=False), flush=True)
    elif text := narrate(body, live_session.game, live_session.header.players):
        print(text, flush=True)
