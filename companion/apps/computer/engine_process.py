"""The process that searches for moves: `python -m companion.apps.computer.engine_process`.

Each task comes on the standard input and is answered on the standard output, as `engine` writes
them. It ends with its input.
"""

import os
import pickle
import signal
import sys
from typing import BinaryIO, Final

from companion.apps.computer.engine import LENGTH
from companion.players import choose

NICENESS: Final = 19
"""The lowest priority: pages and eyes come first."""


def serve(tasks: BinaryIO, answers: BinaryIO) -> None:
    """Answer *tasks* until they end."""
    while message := _read(tasks):
        task = pickle.loads(message)  # noqa: S301 (of the companion itself)
        what = task.game, task.seen, task.seat, task.level, task.seed
        choice = choose(*what, tilt_deg=task.tilt_deg)
        answer = pickle.dumps(choice)
        answers.write(LENGTH.pack(len(answer)) + answer)
        answers.flush()


def _read(tasks: BinaryIO) -> bytes:
    """Return the next message, b"" at the end."""
    head = tasks.read(LENGTH.size)
    return tasks.read(*LENGTH.unpack(head)) if len(head) == LENGTH.size else b""


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the companion ends it
    os.nice(NICENESS)
    serve(sys.stdin.buffer, sys.stdout.buffer)
