"""What becomes of a command whose output nobody reads on: `tiki ... | head` is no error."""

import contextlib
import os
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def ended_by_reader() -> Iterator[None]:
    """Within this, a reader of the standard output that goes away ends the command quietly."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # Python would complain once more when it closes stdout at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
