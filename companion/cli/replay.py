"""`tiki replay DIR`: a recording through the whole pipeline, as fast as possible."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from companion.cli.failure import Failure
from companion.film.prompting import Prompter
from companion.games import GAMES, game_of
from companion.recording import (
    BadRecording,
    Recording,
    Said,
    load_actions,
    load_recording,
    load_script,
    replay_header,
)
from companion.referee.narrator import narrate
from companion.referee.notices import notice_to_json
from companion.referee.sitting import Sitting
from companion.rules.base import RulesError
from companion.session.history import ReplayError
from companion.session.log import Log
from companion.watching.eyes import look, open_reader


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
        entered = arguments.entered or not GAMES[recording.game].is_watched
        make_steps = _entering(recording) if entered else _watching(recording, script)
    except BadRecording as error:
        raise Failure(str(error)) from None
    if entered and not arguments.entered:
        print(
            f"tiki: the camera does not watch {game_of(recording.game).title} yet: pictures are"
            " ignored, and the actions of the recording are entered",
            file=sys.stderr,
        )
    with Log(":memory:") as log:
        sitting = Sitting(log, header, secrets)
        troubles = told = 0
        for trouble in make_steps(sitting):
            if trouble:
                troubles += 1
                print(f"tiki: {' '.join(trouble.split())}", file=sys.stderr)
            news = [item.body for item in sitting.feed.since(told)]
            told = sitting.feed.newest
            for body in news:
                if body["type"] != "result":  # which is printed once, at the end
                    _print(body, sitting, arguments.json)
        _print(notice_to_json(sitting.referee.result()), sitting, arguments.json)
    return 1 if troubles else 0


def _watching(
    recording: Recording, script: Sequence[Said]
) -> Callable[[Sitting], Iterator[str | None]]:
    """Return how the pictures are looked at, and what was said between them entered."""
    reader = open_reader(recording)

    def steps(sitting: Sitting) -> Iterator[str | None]:
        sitting.on_belief.append(reader.believe)
        prompter = Prompter(sitting, script)
        if recording.calibration:
            prompter.pass_frame(recording.calibration[0])
        for name in recording.frames:
            observation, trouble = look(reader, recording.path(name))
            sitting.observe(observation)
            yield trouble
            prompter.pass_frame(name)
            yield None
        yield from prompter.left()

    return steps


def _entering(recording: Recording) -> Callable[[Sitting], Iterator[str | None]]:
    """Return how the actions are entered."""
    actions = load_actions(recording)

    def steps(sitting: Sitting) -> Iterator[str | None]:
        for action in actions:
            try:
                sitting.referee.enter(action)
            except (RulesError, ReplayError) as error:
                yield f"{recording.folder / 'session.json'}, {action!r}: {error}"
                return
            yield None

    return steps


def _print(body: dict[str, Any], sitting: Sitting, as_json: bool) -> None:
    if as_json:
        print(json.dumps(body, ensure_ascii=False), flush=True)
    elif text := narrate(body, sitting.game, sitting.header.players):
        print(text, flush=True)
