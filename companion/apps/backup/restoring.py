"""Restoring a backup: verified as a whole, unpacked beside its place, and put there by renaming.

What was there is kept under another name. Until all is unpacked nothing has changed, and where a
renaming fails those before it are taken back.
"""

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Final

from companion.apps.backup.archive import (
    LOG,
    PHOTOGRAPHED_CARDS,
    SETTINGS,
    Manifest,
    Member,
    extract,
)
from companion.apps.backup.making import check_backup, explained, scratching
from companion.apps.backup.snapshot import take_snapshot
from companion.apps.backup.table_files import group_of, place_of
from companion.files import scratch_folder, sync_folder
from companion.session.log_errors import LogError
from companion.session.log_place import is_in_use

NOTHING_RESTORED: Final = "nothing was restored"


class CannotRestore(OSError):
    """Nothing was restored; one line with the remedy."""


@dataclass(slots=True)
class Restored:
    """What a restore has done.

    manifest: of the backup.  kept: what was there before, under its new names.
    """

    manifest: Manifest
    kept: list[Path] = field(default_factory=list)


def restore(
    backup: Path, log: Path, settings: Path | None = None, *, replaces: bool = False
) -> Restored:
    """Put all that is in *backup* in its place: the games at *log*, the rest beside them.

    settings: where the settings go; None leaves them out.  replaces: whether games or settings that
    the backup lacks may be put aside.  PHOTOGRAPHED_CARDS are left out.
    Raises CannotRestore, LogError or BadBackup, and nothing has changed then.
    """
    with scratch_folder("backup") as folder:
        with explained(backup, CannotRestore, NOTHING_RESTORED):
            manifest = check_backup(backup, folder)
        is_later = False
        if log.exists():
            with explained(log, CannotRestore, NOTHING_RESTORED), scratching(folder):
                is_later = _guard(backup, manifest, log, folder, replaces=replaces)
    with explained(log, CannotRestore, NOTHING_RESTORED):
        log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        swap = _Swap(backup, _stamp(log, settings))
        try:
            for member in manifest.members:
                if member.name == PHOTOGRAPHED_CARDS:
                    continue
                if member.name != SETTINGS:
                    swap.unpack(member, place_of(member.name, log), log.parent)
                elif settings is not None:
                    swap.unpack_settings(member, settings, log.parent, replaces=replaces)
            # Kept pictures are those of the games; the same games go on with them.
            old = (path for path in group_of(log) if is_later or not path.is_dir())
            swap.put_aside(old, log)
            swap.finish()
        except BaseException:
            swap.take_back()
            raise
    return Restored(manifest, swap.kept)


def _guard(backup: Path, manifest: Manifest, log: Path, folder: Path, *, replaces: bool) -> bool:
    """Return whether *log* has what the backup lacks; raises CannotRestore if it must not go."""
    if is_in_use(log):
        raise CannotRestore(f"{log} is in use by a running tiki; stop that one first")
    unpacked, present = folder / LOG, folder / "present.db"
    extract(backup, next(each for each in manifest.members if each.name == LOG), unpacked)
    try:
        take_snapshot(log, present)
        missing = _missing(present, unpacked)
    except (LogError, sqlite3.Error):
        missing = "is damaged, or not a log of this version"
    else:
        missing = missing and f"has {missing} that the backup lacks"
    if missing and not replaces:
        raise CannotRestore(
            f"{log} {missing}; --replace puts the backup there, and keeps what is there now under"
            " another name"
        )
    return bool(missing)


def _missing(present: Path, backup: Path) -> str:
    """Return which games the log *present* has, or has more of, than *backup*; "" for none."""
    with contextlib.closing(sqlite3.connect(present)) as db:
        db.execute("ATTACH ? AS backup", (str(backup),))
        # The checksum of a last entry covers all before it in its game, and every header before.
        (games,) = db.execute(
            "SELECT count(*) FROM main.tail AS here WHERE here.seq > 0 AND NOT EXISTS ("
            " SELECT 1 FROM backup.entry AS there WHERE there.session = here.session"
            " AND there.seq = here.seq AND there.sum = here.sum)"
        ).fetchone()
    if not games:
        return ""
    return "a game, or moves of one," if games == 1 else f"{games} games, or moves of them,"


def _stamp(*places: Path | None) -> str:
    """Return what is added to the names of what is put aside; nothing there has it yet."""
    day = f"before-{datetime.now(UTC):%Y%m%d}"
    folders = {place.parent for place in places if place is not None}
    names = (day if number == 1 else f"{day}-{number}" for number in count(1))
    return next(
        name for name in names if not any(list(folder.glob(f"*-{name}.*")) for folder in folders)
    )


class _Swap:
    """Files that were unpacked beside their places, until all go there at once.

    stamp: stands in the names of what was there before.
    """

    def __init__(self, backup: Path, stamp: str) -> None:
        self._backup = backup
        self._stamp = stamp
        self._drafts: dict[Path, Path] = {}
        self._aside: list[tuple[Path, Path]] = []
        self._done: list[tuple[Path, Path]] = []

    @property
    def kept(self) -> list[Path]:
        """What was there before, under its new names."""
        return [new for _, new in self._aside]

    def unpack(self, member: Member, place: Path, folder: Path) -> None:
        """Unpack *member*, which belongs at *place*, in *folder* for now; raises OSError."""
        draft = folder / f"{place.name}.part"
        self._drafts[place] = draft
        extract(self._backup, member, draft)
        _own(draft)

    def unpack_settings(self, member: Member, place: Path, games: Path, *, replaces: bool) -> None:
        """Unpack the settings; others that are at *place* are put aside.  Raises OSError.

        They are for whoever owned those there, or has the folder *games*.
        """
        if not place.parent.is_dir():
            raise CannotRestore(f"there is no folder {place.parent} for the settings; make it")
        self.unpack(member, place, place.parent)
        draft = self._drafts[place]
        if not place.exists():
            _own(draft, like=games)
            return
        _own(draft, like=place)
        draft.chmod(stat.S_IMODE(place.stat().st_mode))  # a service may have to read it
        if place.read_bytes() == draft.read_bytes():
            self._drafts.pop(place).unlink()
        elif replaces:
            self.put_aside([place], place)
        else:
            raise CannotRestore(
                f"{place} has other settings than the backup; --replace keeps them under another"
                " name, and without --config they stay as they are"
            )

    def put_aside(self, paths: Iterable[Path], whole: Path) -> None:
        """Let *paths* be renamed in `finish`: what is named after *whole* with the stamp in it."""
        for path in paths:
            name = path.name.replace(whole.stem, f"{whole.stem}-{self._stamp}", 1)
            self._aside.append((path, path.with_name(name)))

    def finish(self) -> None:
        """Rename all, the log last: what has none is no table yet.  Raises OSError."""
        drafts = sorted(self._drafts.items(), key=lambda each: each[0].suffix == ".db")
        for old, new in [*self._aside, *((draft, place) for place, draft in drafts)]:
            if not new.parent.exists():
                new.parent.mkdir(mode=0o700)
                _own(new.parent)
            old.rename(new)
            self._done.append((old, new))
        for folder in {place.parent for place in self._drafts}:
            sync_folder(folder)

    def take_back(self) -> None:
        """Undo what was renamed, and remove what was unpacked."""
        with contextlib.suppress(OSError):
            for old, new in reversed(self._done):
                new.rename(old)
        for draft in self._drafts.values():
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)


def _own(path: Path, like: Path | None = None) -> None:
    """Let *path* belong to whoever has *like*, or the folder that it is in, where root restores."""
    if os.geteuid() == 0:
        owner = (like or path.parent).stat()
        os.chown(path, owner.st_uid, owner.st_gid)
