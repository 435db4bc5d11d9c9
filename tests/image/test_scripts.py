"""The scripts that build and start the machines of `./run image-test` and `./run pi`."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
SCRIPTS = sorted(
    [*(TESTS / "image").rglob("*.sh"), *(TESTS / "pi").rglob("*.sh"), TESTS / "hil" / "parts.sh"]
)


@pytest.mark.skipif(shutil.which("shellcheck") is None, reason="sudo apt install shellcheck")
@pytest.mark.parametrize("script", SCRIPTS, ids=lambda each: each.name)
def test_scripts_are_plain_sh(script: Path) -> None:
    """Shellcheck has nothing to say."""
    done = subprocess.run(
        ["shellcheck", "-x", script], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.stdout == ""
