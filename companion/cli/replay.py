"""`tiki replay DIR`: a recording through the whole pipeline, as fast as it goes."""

import argparse
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from companion.cli.failure import Failure
from companion.eyes import look, reader_for
from companion.recording import BadRecording, load_recording, replay_header
from companion.referee.narrator import narrate
from companion.referee.notices import notice_to_json
from companion.referee.sitting import Sitting
from companion.session.log import Log


def add_parser(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command to *commands*."""
    parser = commands.add_parser(
        "replay", help="referee a recording, as fast as it goes", description=__doc__
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="a folder with a session.json")
    parser.add_argument("--json", action="store_true", help="events as JSON lines, the result last")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print what happened; exit status 1 if a picture was missing or broken."""
    try:
        recording = load_recording(arguments.folder)
        header, secrets = replay_header(recording)
        reader = reader_for(recording)
    except BadRecording as error:
        raise Failure(str(error)) from None
    with Log(":memory:") as log:
        sitting = Sitting(log, header, secrets)
        troubles = told = 0
        for name in recording.frames:
            sight, trouble = look(reader, recording.path(name))
            if trouble:
                troubles += 1
                print(f"tiki: {trouble}", file=sys.stderr)
            sitting.observe(sight)
            news = [item.body for item in sitting.feed.since(told)]
            told = sitting.feed.newest
            # The result is printed once, when the frames end.
            _print((body for body in news if body["type"] != "result"), sitting, arguments.json)
        result = notice_to_json(sitting.referee.result())
        _print([result], sitting, arguments.json)
    return 1 if troubles else 0


def _print(news: Iterable[dict[str, Any]], sitting: Sitting, as_json: bool) -> None:
    for body in news:
        if as_json:
            print(json.dumps(body, ensure_ascii=False), flush=True)
        elif text := narrate(body, sitting.header.players):
            print(text, flush=True)
