"""`tiki --version`: which companion this is, of which build, and whether there is a newer release.

A clone asks git for its build; an installed copy was told by deploy/install.sh, in `BUILD`. Where
releases are, too, is known from the clone alone, and is asked only when somebody wants to know.
"""

import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from companion import __version__
from companion.cli.failure import Failure

PACKAGE: Final = Path(__file__).parents[1]
BUILD: Final = PACKAGE / "build.txt"
"""Two lines: the commit with its day, and the address that it was cloned from."""
RELEASE: Final = re.compile(r"refs/tags/v(\d+)\.(\d+)\.(\d+)$", re.MULTILINE)
ASK_S: Final = 20.0
"""As long is waited for the answer from elsewhere."""
NEWER: Final = "--newer"


class Build(NamedTuple):
    """Where this companion comes from.

    commit: such as "1a2b3c4d of 2026-11-28"; "" if nobody knows.  origin: for git; "" likewise.
    """

    commit: str
    origin: str


def read_build() -> Build:
    """Return what an installed copy was told, or else what the clone says."""
    if BUILD.exists():
        commit, origin, *_ = [*BUILD.read_text("utf-8").splitlines(), "", ""]
        return Build(commit, origin)
    if not (PACKAGE.parent / ".git").exists():
        return Build("", "")
    at = ("-C", str(PACKAGE.parent))
    newest = _git(*at, "log", "-1", "--format=%h of %cs")
    return Build(newest or "", _git(*at, "remote", "get-url", "origin") or "")


def print_version(words: Iterable[str]) -> None:
    """Print the version; with `NEWER` among *words* also whether there is a newer release.

    Raises Failure if that cannot be told.
    """
    build = read_build()
    print(f"tiki {__version__}" + (f", commit {build.commit}" if build.commit else ""))
    if NEWER in words:
        print(describe_newer(build.origin))


def describe_newer(origin: str) -> str:
    """Return whether *origin* has a newer release; raises Failure if it cannot be asked."""
    if not origin:
        raise Failure(
            "this copy does not know where it was cloned from, so it cannot look for a"
            " newer release; look where you got it"
        )
    where = without_password(origin)
    told = _git("ls-remote", "--tags", "--refs", "--", origin, "v*")
    if told is None:
        raise Failure(
            f"{where} does not answer git; is there a network? `git ls-remote {where}` says more"
        )
    newest = max((numbers(found) for found in RELEASE.findall(told)), default=())
    if newest <= numbers(__version__.split(".")):
        return f"There is no newer release at {where}."
    name = ".".join(map(str, newest))
    return f"{name} is newer, at {where}: `git pull`, then what docs/install.md says of upgrades."


def numbers(parts: Iterable[str]) -> tuple[int, ...]:
    """Return *parts* of a version as numbers, which compare as versions do."""
    return tuple(int(part) for part in parts)


def without_password(origin: str) -> str:
    """Return the address *origin* as it may be shown: without a user's name or password."""
    parts = urlsplit(origin)
    if not parts.hostname:
        return origin
    port = f":{parts.port}" if parts.port else ""
    return parts._replace(netloc=parts.hostname + port).geturl()


def _git(*words: str) -> str | None:
    """Return what git answers, None if it cannot."""
    try:
        return subprocess.run(  # noqa: S603 - our own words, and the clone's own address
            ["git", *words],  # noqa: S607
            capture_output=True,
            text=True,
            timeout=ASK_S,
            check=True,
            stdin=subprocess.DEVNULL,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None
