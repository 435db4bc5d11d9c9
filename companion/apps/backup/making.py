"""Making a backup: gathered, written under another name, read back, and only then in its place."""

import contextlib
import errno
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from companion import __version__
from companion.apps.backup.archive import (
    FORMAT,
    LOG,
    SETTINGS,
    BadBackup,
    Manifest,
    extract,
    read_manifest,
    write_archive,
)
from companion.apps.backup.snapshot import take_snapshot
from companion.apps.backup.table_files import companions
from companion.files import FREE_SCRATCH, NoScratch, scratch_folder, sync_folder
from companion.session.log import utc_now
from companion.session.log_errors import LogError
from companion.session.recovery import check
from companion.session.schema import SCHEMA

_DATED: Final = re.compile(r"tiki-\d{8}-\d{6}\.zip")
ABANDONED_S: Final = 24 * 3600.0
"""A draft of this age is of a backup that a power cut ended."""
NOTHING_MADE: Final = "no backup was made"
_FULL: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class CannotBackUp(OSError):
    """No backup was made; one line with the remedy."""


def dated_name(now: datetime | None = None) -> str:
    """Return the name of a backup in a folder of many: they sort by age."""
    return f"tiki-{now or datetime.now(UTC):%Y%m%d-%H%M%S}.zip"


def dated_backups(folder: Path) -> list[Path]:
    """Return the backups in *folder* that have names with dates, the oldest first."""
    return sorted(path for path in folder.glob("tiki-*.zip") if _DATED.fullmatch(path.name))


def prune_backups(folder: Path, keep: int) -> None:
    """Remove all but the newest *keep* backups with dates in *folder*, and what was cut short.

    Raises OSError.
    """
    for old in dated_backups(folder)[:-keep]:
        old.unlink()
    for draft in folder.glob("tiki-*.zip.part"):
        is_old = time.time() - draft.stat().st_mtime > ABANDONED_S
        if _DATED.fullmatch(draft.stem) and is_old:
            draft.unlink()


def make_backup(log: Path, settings: Path | None, target: Path, *, frames: bool) -> Manifest:
    """Write all of the table of *log* to *target*, verified; return its manifest.

    settings: the file of the settings, None if there is none.  frames: whether the kept pictures
    are in it.  Raises CannotBackUp, LogError or BadBackup, and there is no new file then.
    """
    if target.exists():
        raise CannotBackUp(f"{target} exists already; name a new file, or a folder")
    if not target.parent.is_dir():
        raise CannotBackUp(
            f"there is no folder {target.parent}; make it, or plug in and mount the disk that it is"
            " on"
        )
    draft = target.with_name(f"{target.name}.part")
    try:
        with scratch_folder("backup") as folder:
            with scratching(folder):
                extent = take_snapshot(log, folder / LOG)
            files = {LOG: folder / LOG, **companions(log, with_frames=frames)}
            if settings is not None:
                files[SETTINGS] = settings
            made = Manifest(FORMAT, __version__, SCHEMA, utc_now(), extent.sessions, extent.entries)
            with explained(target, CannotBackUp, NOTHING_MADE), _named_when_lost(files):
                made = write_archive(draft, files, made)
                check_backup(draft, folder)
                draft.replace(target)
                sync_folder(target.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
        raise
    return made


@contextlib.contextmanager
def scratching(folder: Path) -> Iterator[None]:
    """Raise NoScratch if the disk of *folder*, for what is temporary, is full."""
    try:
        yield
    except OSError as error:
        if error.errno not in _FULL:
            raise
        raise NoScratch(f"{folder.parent}, for temporary files, is full; {FREE_SCRATCH}") from None


@contextlib.contextmanager
def explained(path: Path, kind: type[OSError], lead: str) -> Iterator[None]:
    """Raise what the disk of *path* refuses as *kind*, in one line that begins with *lead*."""
    try:
        yield
    except OSError as error:
        if error.errno is None:  # it is one of ours, and says all
            raise
        raise kind(f"{lead}: {explain(error, path)}") from None


def check_backup(path: Path, folder: Path) -> Manifest:
    """Return the manifest of the backup at *path* once every byte and every checksum is verified.

    folder: where the log may be unpacked meanwhile.  Raises BadBackup or OSError.
    """
    manifest = read_manifest(path)
    if manifest.schema > SCHEMA:
        raise BadBackup(
            f"{path} was made by tiki {manifest.version}, whose saved games have format"
            f" {manifest.schema}, and this one reads {SCHEMA}; update the companion"
        )
    trial = folder / "checked"
    for member in manifest.members:
        with scratching(folder):
            extract(path, member, trial)
        if member.name == LOG:
            _check_log(path, trial, manifest)
        trial.unlink()
    return manifest


def _check_log(path: Path, log: Path, manifest: Manifest) -> None:
    try:
        extent = check(log)
    except LogError as error:
        words = str(error).replace(str(log), "the saved games")
        raise BadBackup(f"{path} cannot be used: {words}") from None
    if (extent.sessions, extent.entries) != (manifest.sessions, manifest.entries):
        raise BadBackup(f"{path} does not contain the games that it lists; use another backup")


def explain(error: OSError, path: Path) -> str:
    """Return what is wrong with the disk of *path*, and the remedy."""
    match error.errno:
        case number if number in _FULL:
            return f"the disk of {path} is full; free some space on it, or name another folder"
        case errno.EROFS:
            return f"the disk of {path} is read-only; name another folder"
        case errno.EACCES | errno.EPERM:
            where = error.filename or path
            return f"this user may not use {where}; name another folder, or run this as its owner"
        case errno.ENOENT | errno.EIO | errno.ENODEV | errno.ENXIO | errno.ESTALE:
            return (
                f"the disk of {path} is gone or broken ({error.strerror}); plug it in again, or"
                " name another folder"
            )
        case _:
            return f"{path}: {error.strerror or error}; name another folder"


@contextlib.contextmanager
def _named_when_lost(files: dict[str, Path]) -> Iterator[None]:
    """Take a file that vanished meanwhile for what it is: the table is being changed."""
    try:
        yield
    except FileNotFoundError as error:
        if error.filename and Path(error.filename) in files.values():
            raise CannotBackUp(
                f"{NOTHING_MADE}: {error.filename} was removed meanwhile; try again"
            ) from None
        raise
