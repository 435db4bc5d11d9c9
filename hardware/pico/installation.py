"""What is on a Pico's drive, and how it becomes what it should be.

Only what differs is written.  While anything changes there is no code.py, which is what is started:
so half of an update never runs, and doing it again completes it.  A manifest says what on the drive
is ours, and a journal what an install is changing; of anything else no more is changed than its
name, and that only if it is in the way of ours.

The drive is FAT, which has no journal of its own and whose renames are no single step: cut short,
one leaves an empty file, or two names for one file's blocks.  So nothing is renamed.  The old file
of ours goes and then the new one is written, its blocks before the name that leads to them; what is
not ours is copied, and goes when the copy is there.
"""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hardware.pico.drive import BOOT_OUT, BadDrive, explain

MANIFEST: Final = "tiki.json"
JOURNAL: Final = "tiki-install.json"
"""There from before the first change of an install until after its last."""
CODE: Final = "code.py"
_RIVAL: Final = "code.txt"
"""What CircuitPython starts in place of code.py, if it is there."""
_LIB: Final = "lib/"
_KEPT: Final = ".bak"
_NAMED: Final = 3
_MAX_MANIFEST_BYTES: Final = 65_536
_OURS: Final = re.compile(r"(?:\w+/){0,2}\w+\.py", re.ASCII)
"""Names that a manifest may have: of Python files on the drive, and nowhere else."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was put on a drive, or is being put there.

    version: of the firmware, "" if none is there.  files: the SHA-256 of each, by its name.
    changing: names of those that an install has begun to write or remove.
    """

    version: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    changing: tuple[str, ...] = ()

    def to_bytes(self) -> bytes:
        """Return it as it is kept."""
        told = {"version": self.version, "files": self.files, "changing": self.changing}
        return (json.dumps(told, indent=1, sort_keys=True) + "\n").encode()


def read_manifest(folder: Path, name: str = MANIFEST) -> Manifest:
    """Return what was put on the drive in *folder*; an empty one if that cannot be told."""
    try:
        with (folder / name).open("rb") as source:
            told = json.loads(source.read(_MAX_MANIFEST_BYTES))
        names = (*told["files"], *told["changing"])
        texts = (told["version"], *names, *told["files"].values())
        if not all(isinstance(each, str) for each in texts) or not all(map(_OURS.fullmatch, names)):
            return Manifest()
        return Manifest(told["version"], told["files"], tuple(told["changing"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Manifest()


@dataclass(frozen=True, slots=True)
class _Ownership:
    """What on the drive in *folder* is ours, by the two notes that are there."""

    manifest: Manifest
    journal: Manifest

    @classmethod
    def of(cls, folder: Path) -> "_Ownership":
        return cls(read_manifest(folder), read_manifest(folder, JOURNAL))

    @property
    def names(self) -> set[str]:
        return {*self.manifest.files, *self.journal.files, *self.journal.changing}

    def owns(self, name: str, digest: str) -> bool:
        """Return whether a file of that name and SHA-256 is ours; one that is empty may be."""
        known = (self.manifest.files.get(name), self.journal.files.get(name), _EMPTY)
        return digest in known or name in self.journal.changing


@dataclass(frozen=True, slots=True)
class Installed:
    """How a drive compares with what should be on it.

    version: of the firmware that is there, "" if none.  differing: names of files that are missing
    or different.  obsolete: files of ours that are no longer needed.  strangers: what is not ours
    where a file of ours must be.
    """

    version: str
    differing: tuple[str, ...]
    obsolete: tuple[str, ...]
    strangers: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether nothing is to be done."""
        return not (self.differing or self.obsolete or self.strangers)


@dataclass(frozen=True, slots=True)
class Report:
    """What has been done: names of files written and removed, old and new names of those kept."""

    written: tuple[str, ...]
    removed: tuple[str, ...]
    kept: tuple[tuple[str, str], ...]


_EMPTY: Final = hashlib.sha256().hexdigest()


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of *data* in hex digits."""
    return hashlib.sha256(data).hexdigest()


def compare(folder: Path, files: Mapping[str, bytes]) -> Installed:
    """Return how the drive in *folder* compares with *files*; raises BadDrive if it is gone."""
    ownership = _Ownership.of(folder)
    differing, strangers = [], []
    for name, data in files.items():
        there = _digest_at(folder, name)
        if there != digest_of(data):
            differing.append(name)
            if there and not ownership.owns(name, there):
                strangers.append(name)
    strangers += [
        name
        for name in _rivals(files)
        if (there := _digest_at(folder, name)) and not ownership.owns(name, there)
    ]
    obsolete = [
        name
        for name in sorted(ownership.names - set(files))
        if (there := _digest_at(folder, name)) and ownership.owns(name, there)
    ]
    version = ownership.manifest.version
    return Installed(version, tuple(differing), tuple(obsolete), tuple(strangers))


def _rivals(files: Mapping[str, bytes]) -> Iterator[str]:
    """Yield the names of files that CircuitPython would take in place of *files*."""
    yield _RIVAL
    for name in files:
        if name.startswith(_LIB):
            module = name.removeprefix(_LIB).removesuffix(".py")
            yield from (f"{module}.py", f"{module}.mpy")  # what lies at the top comes first


def _digest_at(folder: Path, name: str) -> str:
    """Return the SHA-256 of a file, "" if there is none."""
    try:
        return digest_of((folder / name).read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except IsADirectoryError:
        raise BadDrive(
            f"{folder / name} is a folder, where a file must be; give it another name"
        ) from None
    except OSError as error:
        raise explain(error, folder) from None


def install(folder: Path, files: Mapping[str, bytes], version: str) -> Report:
    """Make the drive in *folder* have *files*, code.py last, and nothing else of ours.

    files: their bytes by name, code.py among them.  Raises BadDrive with the remedy; whatever had
    been done by then, doing it again completes it.
    """
    there, noted = compare(folder, files), _Ownership.of(folder)
    wanted = Manifest(version, {name: digest_of(data) for name, data in files.items()})
    if there.complete and noted == _Ownership(wanted, Manifest()):
        return Report((), (), ())
    changing = {*there.differing, *there.obsolete, *noted.journal.changing, CODE}
    journal = Manifest(version, wanted.files, tuple(sorted(changing))).to_bytes()
    names = [name for name in files if name in there.differing and name != CODE]
    try:
        _require_space(folder, files, there, len(journal))
        # Before the journal, which would have them for ours.
        kept = [(name, _set_aside(folder, name)) for name in there.strangers]
        if not (folder / JOURNAL).exists() or (folder / JOURNAL).read_bytes() != journal:
            _write(folder, JOURNAL, journal)
        for name in (CODE, *there.obsolete):
            _remove(folder, name)
        for name in names:
            _write(folder, name, files[name])
        _write(folder, CODE, files[CODE])
        _write(folder, MANIFEST, wanted.to_bytes())
        _remove(folder, JOURNAL)
    except OSError as error:
        raise explain(error, folder) from None
    return Report((*names, CODE), there.obsolete, tuple(kept))


def _set_aside(folder: Path, name: str) -> str:
    """Give a file that is not ours another name, and return that."""
    number, new = 1, name + _KEPT
    while os.path.lexists(folder / new):
        number += 1
        new = f"{name}{_KEPT}{number}"
    _write(folder, new, (folder / name).read_bytes())
    _remove(folder, name)
    return new


def _remove(folder: Path, name: str) -> None:
    path = folder / name
    if path.exists():
        path.unlink()
        _settle(path.parent)


def _write(folder: Path, name: str, data: bytes) -> None:
    """Write a file that is not there yet, or no longer, and see that the drive really has it."""
    path = folder / name
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
        _settle(folder)
    _remove(folder, name)
    with path.open("wb") as target:
        target.write(data)
        target.flush()
        _settle(path.parent)  # takes the blocks, before the next line has its name lead to them
        os.fsync(target.fileno())
    if _read_anew(path) != data:
        raise BadDrive(
            f"{path} does not read back as it was written; the Pico's memory or its cable is bad:"
            " try another cable, without a hub, then run it again"
        )


def _read_anew(path: Path) -> bytes:
    """Return the bytes of a file from the drive itself, not from the computer's memory."""
    with path.open("rb") as source:
        if hasattr(os, "posix_fadvise"):  # a Mac has none
            os.posix_fadvise(source.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return source.read()


def _settle(folder: Path) -> None:
    """Have the names in *folder* on the drive itself, and which blocks of it are taken."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _require_space(
    folder: Path, files: Mapping[str, bytes], there: Installed, journal_bytes: int
) -> None:
    """Raise BadDrive if the drive would become full on the way."""
    free, cluster = free_bytes(folder)
    ours = {*files, MANIFEST, JOURNAL, *there.obsolete}

    def rounded(size: int) -> int:
        return -(-size // cluster) * cluster

    def old(name: str) -> int:
        return 0 if name in there.strangers else rounded(_size(folder / name))

    aside = max((rounded(_size(folder / name)) for name in there.strangers), default=0)
    missing = {(folder / name).parent for name in files} - {folder}
    needed = cluster * sum(not each.exists() for each in missing)
    needed += rounded(journal_bytes) - old(JOURNAL)
    peak = needed
    needed -= old(CODE) + sum(map(old, there.obsolete))
    for name in there.differing:
        if name != CODE:
            needed += rounded(len(files[name])) - old(name)
            peak = max(peak, needed)
    # The manifest is somewhat shorter than the journal.
    needed += rounded(len(files[CODE])) + max(0, rounded(journal_bytes) - old(MANIFEST))
    lacking = max(peak, needed, aside) + cluster - free  # one more for names
    if lacking > 0:
        raise BadDrive(
            f"the drive {folder} is full: {lacking:,} bytes more are needed; delete what you do not"
            f" need on it{_largest(folder, {*ours, BOOT_OUT})}, then run it again"
        )


def free_bytes(folder: Path) -> tuple[int, int]:
    """Return how many bytes are free on the drive, and of which units files are made."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize, found.f_frsize


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _largest(folder: Path, ours: set[str]) -> str:
    """Return the largest files that are not *ours*, for a message; "" if there are none."""
    sizes = sorted(
        ((size, name) for name, size in _all_files(folder) if name not in ours), reverse=True
    )
    told = ", ".join(f"{name} has {size:,}" for size, name in sizes[:_NAMED] if size)
    return f" ({told})" if told else ""


def _all_files(folder: Path) -> Iterator[tuple[str, int]]:
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place) / name
            with suppress(OSError):
                yield path.relative_to(folder).as_posix(), path.stat().st_size
