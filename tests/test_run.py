"""The set-up script, as far as it can be tried without installing anything anew."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*words: str, folder: Path = ROOT, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run ./run from *folder* with *settings* in the environment."""
    return subprocess.run(
        [str(ROOT / "run"), *words],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **settings},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_script_lists_its_tasks() -> None:
    """./run alone says what there is."""
    done = run()
    assert done.returncode == 0
    for task in ("demo", "test", "check", "bench"):
        assert f"./run {task}" in done.stdout


def test_an_old_python_is_refused_in_one_line(tmp_path: Path) -> None:
    """The version that was found, the one that is needed, and how to name another."""
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit\nexit 1\n')
    old.chmod(0o755)
    done = run("--version", PYTHON=str(old))
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed, Python 3.9.2 was found" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("lock", ["runtime", "dev", "bookworm"])
def test_every_package_in_a_lock_has_its_hashes(lock: str) -> None:
    """Nothing is installed unchecked, and the build back end is in the lock too."""
    text = (ROOT / "locks" / f"{lock}.txt").read_text()
    entries = [entry for entry in text.replace("\\\n", " ").splitlines() if entry.strip()]
    assert all("--hash=sha256:" in entry for entry in entries)
    assert any(entry.startswith("setuptools==") for entry in entries)


def test_the_developers_lock_has_the_users_versions() -> None:
    """What the tests run on is what users get."""

    def versions(lock: str) -> set[str]:
        text = (ROOT / "locks" / f"{lock}.txt").read_text()
        return {line.split()[0] for line in text.splitlines() if "==" in line}

    assert versions("runtime") <= versions("dev")
