"""Nothing is compiled on a Raspberry Pi: each locked package has a wheel, by the lock's hashes."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

LOCKS = Path(__file__).parent.parent / "locks"
GLIBC = range(17, 37)
"""Bookworm has glibc 2.36; wheels are named by the oldest that they run with."""
PLATFORMS = ("manylinux2014_aarch64", *(f"manylinux_2_{each}_aarch64" for each in GLIBC))
WANTED = (
    ("runtime", "3.11"),
    ("runtime", "3.13"),
    ("bookworm", "3.11"),
    ("pico", "3.11"),
    ("pico", "3.13"),
    ("hub", "3.11"),
    ("hub", "3.13"),
)
"""Bookworm has Python 3.11, trixie 3.13; the lock of bookworm's numpy is for bookworm alone."""

pytestmark = pytest.mark.slow


def requirements(lock: str) -> Iterator[str]:
    """Yield each package of a lock with its hashes."""
    yield from re.findall(r"^\S(?:.*\\\n)*.*$", lock, re.MULTILINE)


def resolve(lock: str, python: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Look up the wheels of *lock* for *python* on 64-bit arm; nothing is installed."""
    (folder / "lock.txt").write_text(lock)
    words = ["install", "--dry-run", "--no-deps", "--only-binary", ":all:", "--require-hashes"]
    for each in PLATFORMS:
        words += ["--platform", each]
    words += ["--implementation", "cp", "--python-version", python, "--target", str(folder / "no")]
    words += ["--requirement", str(folder / "lock.txt"), "--report", str(folder / "report.json")]
    return subprocess.run(
        [sys.executable, "-m", "pip", *words], capture_output=True, text=True, check=False
    )


def without_wheel(lock: str, python: str, folder: Path) -> list[str]:
    """Return the packages of *lock* that have no such wheel, each with pip's reason."""
    if resolve(lock, python, folder).returncode == 0:
        return []
    found = []
    for each in requirements(lock):
        done = resolve(each, python, folder)
        if done.returncode:
            reason = next((line for line in done.stderr.splitlines() if "ERROR" in line), "?")
            found.append(f"{each.split()[0]}: {reason}")
    return found


@pytest.mark.parametrize(("name", "python"), WANTED)
def test_every_package_has_a_wheel_for_the_pi(name: str, python: str, tmp_path: Path) -> None:
    """Each is pure Python, or built for aarch64."""
    lock = (LOCKS / f"{name}.txt").read_text()
    assert without_wheel(lock, python, tmp_path) == []
    report = json.loads((tmp_path / "report.json").read_text())
    files = [each["download_info"]["url"].rsplit("/", 1)[1] for each in report["install"]]
    assert files
    assert [each for each in files if not each.endswith(("-any.whl", "aarch64.whl"))] == []


def test_the_check_can_fail(tmp_path: Path) -> None:
    """What is there for 32-bit systems only is named; so is a file that the lock does not know."""
    lock = (LOCKS / "runtime.txt").read_text()
    (compiled,) = (each for each in requirements(lock) if each.startswith("rpi-ws281x"))
    compiled = re.sub(r";[^\\]*", "", compiled, count=1)
    (other,) = (each for each in requirements(lock) if each.startswith("h11"))
    other = re.sub(r"[0-9a-f]{64}", "0" * 64, other)
    found = without_wheel(f"{compiled}\n{other}\n", "3.13", tmp_path)
    assert [each.split("==")[0] for each in found] == ["rpi-ws281x", "h11"]
