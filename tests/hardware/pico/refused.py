"""What refuses a Pico's drive, and in how many words."""

import os
from collections.abc import Callable


def assert_one_line(error: object, *words: str) -> None:
    """Check that *error* is one line which says all of *words*."""
    assert len(str(error).splitlines()) == 1
    for word in words:
        assert word in str(error)


def failing(number: int) -> Callable[..., None]:
    """Return a call that the kernel refuses."""

    def fail(*words: object) -> None:
        del words
        raise OSError(number, os.strerror(number))

    return fail
