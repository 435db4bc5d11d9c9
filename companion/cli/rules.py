"""`tiki rules GAME`: a game's rules on stdin and stdout, a JSON object per line."""

import argparse
import sys
from typing import BinaryIO, Final

from companion.cli.closed_pipe import ended_by_reader
from companion.registry import GAMES, game_of
from companion.rules.protocol import MAX_LINE_CHARS, Conversation

MAX_LINE_BYTES: Final = 4 * MAX_LINE_CHARS  # UTF-8 needs at most four bytes for a character


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `rules` to the parsers of `tiki`."""
    parser = subparsers.add_parser(
        "rules",
        help="play or check a game from another program, one JSON object per line",
        description=(
            "Answers each line on stdin with one line on stdout; docs/rules/ describes them."
        ),
    )
    _add_arguments(parser)
    parser.set_defaults(run=run)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", choices=sorted(GAMES), help="the game to play")


def run(args: argparse.Namespace) -> int:
    """Answer stdin line by line until it ends; return the exit status."""
    game = game_of(args.game)
    conversation = Conversation(game.rules, game.usual_options())
    try:
        converse(conversation, sys.stdin.buffer, sys.stdout.buffer)
    except KeyboardInterrupt:
        return 130
    return 0


def converse(conversation: Conversation, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line of *requests* on *answers*, at once; bytes that are no UTF-8 too."""
    while line := _read_line(requests):
        answers.write(conversation.answer(line).encode() + b"\n")
        answers.flush()


def _read_line(requests: BinaryIO) -> bytes:
    """Return the next line; of one too long only a beginning that is too long as well."""
    line = rest = requests.readline(MAX_LINE_BYTES + 2)
    while len(rest) == MAX_LINE_BYTES + 2 and not rest.endswith(b"\n"):
        rest = requests.readline(MAX_LINE_BYTES + 2)
    return line


def main() -> int:
    """Run the command alone: `python -m companion.cli.rules GAME`."""
    parser = argparse.ArgumentParser(prog="tiki rules", description=__doc__)
    _add_arguments(parser)
    return run(parser.parse_args())


if __name__ == "__main__":
    with ended_by_reader():
        sys.exit(main())
