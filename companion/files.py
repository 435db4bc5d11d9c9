"""Files of the companion: written whole or not at all, and for its own user alone to read."""

import contextlib
import errno
import glob
import hashlib
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

PRIVATE: Final = 0o600
"""The mode of a file that only its owner may read: secrets, and pictures of people's homes."""

OTHERS: Final = 0o077
"""All that anybody but its owner may do with a file."""

PIECE_BYTES: Final = 1 << 16
"""How much of a large file is held at once."""
FREE_SCRATCH: Final = "free some space, or let the variable TMPDIR name another folder"


class NoScratch(OSError):
    """There is no room for what is temporary; one line with the remedy."""


def write_whole(path: Path, data: bytes) -> None:
    """Write *data* to *path* so that a file cut short by a power cut is never seen.

    Nobody but this user may read it.  Raises OSError, and the old file is still there.
    """
    draft = path.with_name(path.name + ".part")
    try:
        _write_synced(draft, data)
        draft.replace(path)
    except OSError:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise


def _write_synced(path: Path, data: bytes) -> None:
    begin_private(path)
    with path.open("wb") as target:
        target.write(data)
        target.flush()
        os.fsync(target.fileno())


def begin_private(path: Path) -> None:
    """Put an empty file that only this user may read at *path*; what was there goes.

    Raises OSError.
    """
    path.unlink(missing_ok=True)
    path.touch(mode=PRIVATE, exist_ok=False)


def copy_summed(source: IO[bytes], target: IO[bytes], most: int | None = None) -> tuple[int, str]:
    """Copy all of *source*; return how many bytes that was, and their SHA-256.

    most: soon after so many it is enough.  Raises OSError.
    """
    digest, size = hashlib.sha256(), 0
    while (most is None or size <= most) and (piece := source.read(PIECE_BYTES)):
        target.write(piece)
        digest.update(piece)
        size += len(piece)
    return size, digest.hexdigest()


def sync_folder(folder: Path) -> None:
    """See to it that the names in *folder* are on the disk; raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:  # which disks of other machines say: they do it themselves
            raise
    finally:
        os.close(descriptor)


def scratch_places() -> Iterator[Path]:
    """Yield the folders that may have room for what is temporary, the usual one first.

    Memory comes after it: where the card has gone read-only, /tmp mostly lies on it.
    """
    with contextlib.suppress(OSError):
        yield Path(tempfile.gettempdir())
    in_memory = (os.environ.get("XDG_RUNTIME_DIR"), "/dev/shm")  # noqa: S108 - made by mkdtemp there
    yield from (Path(name) for name in in_memory if name)


@contextlib.contextmanager
def scratch_folder(purpose: str) -> Iterator[Path]:
    """Make a folder for what is temporary, this user's alone, *purpose* in its name.

    Raises NoScratch.
    """
    reason = "there is no folder for them"
    for place in scratch_places():
        try:
            folder = tempfile.TemporaryDirectory(prefix=f"tiki-{purpose}-", dir=place)
        except OSError as error:
            reason = error.strerror or str(error)
            continue
        with folder as name:
            yield Path(name)
        return
    raise NoScratch(f"there is no room for temporary files ({reason}); {FREE_SCRATCH}")


def make_private(*paths: Path) -> None:
    """Let nobody but their owner read or write *paths*, as far as they exist and are this user's.

    What the owner may do stays as it is.
    """
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode & OTHERS:
                path.chmod(mode & ~OTHERS)
        except OSError:  # not there, another user's, or on a disk without modes: the doctor says so
            continue


def private_patterns(log: Path) -> tuple[str, ...]:
    """Return the names, as patterns, of what is kept in *log* and beside it: for one user alone."""
    name, stem = glob.escape(log.name), glob.escape(log.stem)
    beside = (
        "camera.json",
        "keys.json",
        "lessons.json",
        "mqtt.json",
        "results.json",
        "tls.pem",
        "wifi.json",
        "*colours.jpg",
        "*colours.json",
        "*lens.json",
        "frames",
    )
    parts = (f"{name}{ending}" for ending in ("", "-wal", "-shm", "-spare"))
    return (*parts, *(f"{stem}.{each}" for each in beside))


def make_table_private(log: Path) -> None:
    """Let nobody but its owner read *log* and what is kept beside it; see `make_private`."""
    for pattern in private_patterns(log):
        make_private(*log.parent.glob(pattern))
