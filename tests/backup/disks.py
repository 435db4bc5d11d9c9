"""Commands on disks of their own: small ones, read-only ones, and a root that is read-only."""

import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.running import ROOT
from tests.soak.house import PROGRAM

NAMESPACE: Final = ("unshare", "--map-root-user", "--mount")
"""A view of the file system of one's own, without being root."""


@cache
def _can() -> bool:
    try:
        return (
            subprocess.run([*NAMESPACE, "true"], check=False, capture_output=True).returncode == 0
        )
    except OSError:
        return False


def command(setup: str, *words: object) -> list[str]:
    """Return how to run `tiki` with *words* once *setup*, lines of a shell, has mounted disks."""
    if not _can():
        pytest.skip("this kernel lets nobody mount anything in a namespace of their own")
    program = shlex.join([sys.executable, "-B", "-c", PROGRAM, *map(str, words)])
    return [*NAMESPACE, "sh", "-ec", f"{setup}\n{program} || exit $?"]


def run(setup: str, *words: object) -> "subprocess.CompletedProcess[str]":
    """Run `tiki` so, to its end."""
    return subprocess.run(
        command(setup, *words), check=False, capture_output=True, text=True, cwd=ROOT, timeout=60
    )


def small_disk(folder: Path, kib: int) -> str:
    """Return what mounts an empty disk of *kib* KiB at *folder*."""
    return f"mount -t tmpfs -o size={kib}k tiki {shlex.quote(str(folder))}"


def read_only(folder: Path) -> str:
    """Return what lets nobody write below *folder*."""
    at = shlex.quote(str(folder))
    return f"mount --bind {at} {at} && mount -o remount,bind,ro {at}"
