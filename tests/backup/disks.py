"""Commands on disks of their own: small ones, read-only ones, and a root that is read-only."""

import os
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


def command(setup: str, *words: object, then: str = "", program: str = PROGRAM) -> list[str]:
    """Return how to run `tiki` with *words* once *setup*, lines of a shell, has mounted disks.

    then: a line that is run afterwards.  program: what Python runs instead of `tiki`.
    """
    if not _can():
        pytest.skip("this kernel lets nobody mount anything in a namespace of their own")
    run = shlex.join([sys.executable, "-c", program, *map(str, words)])
    if then:
        return [*NAMESPACE, "sh", "-ec", f"{setup}\n{run} || code=$?\n{then}\nexit $code"]
    return [*NAMESPACE, "sh", "-ec", f"{setup}\nexec {run}"]


def run(
    setup: str, *words: object, then: str = "", program: str = PROGRAM
) -> "subprocess.CompletedProcess[str]":
    """Run `tiki` so, to its end."""
    return subprocess.run(
        command(setup, *words, then=then, program=program),
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def small_disk(folder: Path, kib: int) -> str:
    """Return what mounts an empty disk of *kib* KiB at *folder*."""
    return f"mount -t tmpfs -o size={kib}k tiki {shlex.quote(str(folder))}"


def read_only(folder: Path) -> str:
    """Return what lets nobody write below *folder*."""
    at = shlex.quote(str(folder))
    return f"mount --bind {at} {at} && mount -o remount,bind,ro {at}"


def all_but(folder: Path) -> str:
    """Return what lets nobody write anywhere but below *folder*."""
    at = shlex.quote(str(folder))
    keep = f"mount --bind {at} {at}"
    # Whatever is mounted apart from the root, such as memory for shared pictures, is read-only too.
    others = (
        "for at in $(findmnt -rno TARGET | grep -v '^/proc\\|^/sys\\|^/dev$'); do"
        f" [ $at = {at} ] || mount -o remount,bind,ro $at; done"
    )
    return f"{keep}\n{others}"
