"""The examples of docs/environments.md run."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARY, PLAYED = re.findall(
    r"```python\n(.*?)```", (ROOT / "docs" / "environments.md").read_text(), re.DOTALL
)


def run(example: str) -> str:
    """Return what *example* prints."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", example],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_rules_are_played() -> None:
    """A round of Tiki Topple ends by one of its two clauses."""
    assert re.fullmatch(r"\(\d+, \d+\) TT-1[23]\n", run(LIBRARY))


def test_an_environment_is_played() -> None:
    """A whole game of three, each with its reward."""
    pytest.importorskip("pettingzoo", reason="no PettingZoo; to have it: pip install '.[play]'")
    lines = run(PLAYED).splitlines()
    assert sorted(line.split()[0] for line in lines) == ["player_0", "player_1", "player_2"]
    assert {float(line.split()[1]) for line in lines} == {1.0, -1.0}
