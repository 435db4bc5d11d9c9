"""The installed command in a process of its own, and its refusals in one line."""

import subprocess
import sys
from pathlib import Path

TIKI = Path(sys.executable).with_name("tiki")


def tiki(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run the installed command in a process of its own."""
    return subprocess.run(
        [str(TIKI), *words], capture_output=True, text=True, timeout=60, check=False
    )


def assert_one_line(error: str, *words: str) -> None:
    """Check that *error* is one line of ours which says all of *words*."""
    assert len(error.splitlines()) == 1, error
    assert error.startswith("tiki: ")
    for word in words:
        assert word in error
