"""The file of a backup: a zip with a manifest, and a seal over every byte of it.

The manifest says of each member how long it is and its SHA-256. The zip's comment, at the very end
of the file, has the SHA-256 of all that stands before it: what no member's sum covers, such as the
zip's own tables, cannot be altered unnoticed either. It guards against accidents, not forgery.
"""

import hashlib
import os
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO, Final

import msgspec

from companion.files import PIECE_BYTES, begin_private, copy_summed

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
SETTINGS: Final = "settings.toml"
LOG: Final = "games.db"
SEAL: Final = b"tiki backup, sha256 "
DIGEST_CHARS: Final = 64
MAX_MANIFEST_BYTES: Final = 16 << 20

ENDINGS: Final = (
    "camera.json",
    "keys.json",
    "lessons.json",
    "mqtt.json",
    "table.json",
    "wifi.json",
)
"""Of the files that a table keeps beside its log."""
PHOTOGRAPHED_CARDS: Final = "games.cards.json"
"""A member of older backups that no table reads any more: it is left out of what is restored."""
LEARNED: Final = ("colours.jpg", "colours.json", "lens.json")
"""The same of what it has learned of a game, behind the name of the camera if that has one."""
_NAME: Final = re.compile(
    rf"{re.escape(SETTINGS)}|{re.escape(PHOTOGRAPHED_CARDS)}"
    rf"|games\.(db|{'|'.join(map(re.escape, ENDINGS))}"
    rf"|([\w@+-]+\.)?({'|'.join(map(re.escape, LEARNED))})|frames/\d+-\d+\.jpg)"
)
"""What a member may be called; it never leads out of the folder that it is restored to."""


class BadBackup(ValueError):
    """A file is no backup, or not as it was written; one line with the remedy."""


class Member(msgspec.Struct, frozen=True):
    """One file in a backup; *bytes*: its length."""

    name: str
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup says of itself.

    version: of the companion that wrote it.  schema: of the log's tables.  made_at: ISO 8601.
    sessions, entries: how much the log holds.
    """

    format: int
    version: str
    schema: int
    made_at: str
    sessions: int
    entries: int
    members: tuple[Member, ...] = ()

    def member(self, name: str) -> Member | None:
        """Return the member *name*, None if it is not in it."""
        return next((member for member in self.members if member.name == name), None)


def write_archive(target: Path, files: Mapping[str, Path], manifest: Manifest) -> Manifest:
    """Write *files*, by their names as members, and *manifest* to *target*, on the disk at last.

    Only its owner may read it, as far as the disk knows owners.  Returns the manifest with the
    members.  Raises OSError.
    """
    begin_private(target)
    found = []
    with target.open("r+b") as raw:
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, path in files.items():
                with path.open("rb") as source, archive.open(name, "w", force_zip64=True) as member:
                    found.append(Member(name, *copy_summed(source, member)))
            manifest = msgspec.structs.replace(manifest, members=tuple(found))
            archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest)))
            archive.comment = SEAL + b"0" * DIGEST_CHARS
        size = raw.seek(0, os.SEEK_END)
        seal = _digest_of(raw, size - DIGEST_CHARS)
        raw.seek(size - DIGEST_CHARS)
        raw.write(seal)
        raw.flush()
        os.fsync(raw.fileno())
        # Read back from the disk, not from memory, as far as the kernel lets go of it.
        os.posix_fadvise(raw.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    return manifest


def read_manifest(path: Path) -> Manifest:
    """Return what the backup at *path* says of itself, once its seal is found whole.

    Raises BadBackup or OSError.
    """
    _check_seal(path)
    try:
        with zipfile.ZipFile(path) as archive, archive.open(MANIFEST) as file:
            text = file.read(MAX_MANIFEST_BYTES)
            names = [name for name in archive.namelist() if name != MANIFEST]
        known = msgspec.json.decode(text)
        if isinstance(known, dict) and isinstance(known.get("format"), int):
            _check_format(path, known)
        manifest = msgspec.convert(known, Manifest)
    except (zipfile.BadZipFile, KeyError, msgspec.MsgspecError, ValueError) as error:
        if isinstance(error, BadBackup):
            raise
        raise _unusable(path) from None
    members = [member.name for member in manifest.members]
    if names != members or len({*names}) != len(names) or LOG not in names:
        raise _unusable(path)
    if not all(map(_NAME.fullmatch, names)):
        raise _unusable(path)
    return manifest


def extract(path: Path, member: Member, target: Path) -> None:
    """Write *member* of the backup at *path* to *target*; raises BadBackup or OSError."""
    begin_private(target)
    try:
        with (
            zipfile.ZipFile(path) as archive,
            archive.open(member.name) as source,
            target.open("wb") as file,
        ):
            found = copy_summed(source, file, member.bytes)
            file.flush()
            os.fsync(file.fileno())
    except (zipfile.BadZipFile, KeyError, EOFError):
        raise _altered(path) from None
    if found != (member.bytes, member.sha256):
        raise _altered(path)


def _check_seal(path: Path) -> None:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size < len(SEAL) + DIGEST_CHARS:
            raise _unusable(path)
        file.seek(size - len(SEAL) - DIGEST_CHARS)
        seal = file.read()
        if not seal.startswith(SEAL):
            raise _unusable(path)
        if _digest_of(file, size - DIGEST_CHARS) != seal[len(SEAL) :]:
            raise _altered(path)


def _check_format(path: Path, known: dict[str, object]) -> None:
    if known["format"] != FORMAT:
        raise BadBackup(
            f"{path} was made by tiki {known.get('version')} (format {known['format']}, this one"
            f" reads {FORMAT}); update the companion"
        )


def _unusable(path: Path) -> BadBackup:
    return BadBackup(f"{path} is not a backup, or its end is missing; name another file")


def _altered(path: Path) -> BadBackup:
    return BadBackup(f"{path} has changed since it was written; use another backup")


def _digest_of(file: BinaryIO, size: int) -> bytes:
    """Return the SHA-256 of the first *size* bytes of *file*."""
    digest = hashlib.sha256()
    file.seek(0)
    while size and (piece := file.read(min(size, PIECE_BYTES))):
        digest.update(piece)
        size -= len(piece)
    return digest.hexdigest().encode()
