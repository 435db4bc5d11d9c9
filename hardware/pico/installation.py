"""What is on a Pico's drive, and how it becomes what it should be.

Each file is written whole or not at all, and only if it differs.  While anything changes there is
no code.py, which is what CircuitPython starts: so half of an update never runs, and doing it again
completes it.  A manifest says what on the drive is ours; of anything else no more is changed than
its name, and that only if it is in the way of ours.
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
CODE: Final = "code.py"
_RIVAL: Final = "code.txt"
"""What CircuitPython starts in place of code.py, if it is there."""
_LIB: Final = "lib/"
_PART: Final = ".part"
_KEPT: Final = ".bak"
_NAMED: Final = 3
_MAX_MANIFEST_BYTES: Final = 65_536
_OURS: Final = re.compile(r"(?:\w+/){0,2}\w+\.py", re.ASCII)
"""Names that a manifest may have: of Python files on the drive, and nowhere else."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was put on a drive.

    version: of the firmware, "" if none is there.  files: the SHA-256 of each, by its name.
    before: the same of what these were to replace, in case that was interrupted.
    """

    version: str = ""
    files: Mapping[str, str] = field(default_factory=dict)
    before: Mapping[str, str] = field(default_factory=dict)

    def owns(self, name: str, digest: str) -> bool:
        """Return whether a file of that name and SHA-256 is ours."""
        return digest in (self.files.get(name), self.before.get(name))

    def to_bytes(self) -> bytes:
        """Return it as it is kept."""
        told = {"version": self.version, "files": self.files, "before": self.before}
        return (json.dumps(told, indent=1, sort_keys=True) + "\n").encode()


def read_manifest(folder: Path) -> Manifest:
    """Return what was put on the drive in *folder*; an empty one if that cannot be told."""
    try:
        with (folder / MANIFEST).open("rb") as source:
            told = json.loads(source.read(_MAX_MANIFEST_BYTES))
        names = {**told["files"], **told["before"]}
        texts = (told["version"], *names, *names.values())
        if not all(isinstance(each, str) for each in texts) or not all(map(_OURS.fullmatch, names)):
            return Manifest()
        return Manifest(told["version"], told["files"], told["before"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return Manifest()


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


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of *data* in hex digits."""
    return hashlib.sha256(data).hexdigest()


def compare(folder: Path, files: Mapping[str, bytes]) -> Installed:
    """Return how the drive in *folder* compares with *files*; raises BadDrive if it is gone."""
    manifest = read_manifest(folder)
    differing, strangers = [], []
    for name, data in files.items():
        there = _digest_at(folder, name)
        if there != digest_of(data):
            differing.append(name)
            if there and not manifest.owns(name, there):
                strangers.append(name)
    strangers += [
        name
        for name in _rivals(files)
        if (there := _digest_at(folder, name)) and not manifest.owns(name, there)
    ]
    obsolete = [
        name
        for name in sorted({*manifest.files, *manifest.before} - set(files))
        if manifest.owns(name, _digest_at(folder, name))
    ]
    return Installed(manifest.version, tuple(differing), tuple(obsolete), tuple(strangers))


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
    there, noted = compare(folder, files), read_manifest(folder)
    digests = {name: digest_of(data) for name, data in files.items()}
    if there.complete and (noted.version, noted.files) == (version, digests):
        return Report((), (), ())
    manifest = Manifest(version, digests, _before(folder, there))
    names = [name for name in files if name in there.differing and name != CODE]
    try:
        _tidy(folder, files, noted)
        _require_space(folder, files, there, manifest)
        kept = [(name, _set_aside(folder, name)) for name in there.strangers]
        _write(folder, MANIFEST, manifest.to_bytes())
        if names or CODE in there.differing:
            _hold(folder, files[CODE])
        for name in there.obsolete:
            (folder / name).unlink(missing_ok=True)
        for name in names:
            _write(folder, name, files[name])
        if not (folder / CODE).exists():
            _write(folder, CODE, files[CODE])
    except OSError as error:
        raise explain(error, folder) from None
    written = (*names, CODE) if CODE in there.differing else tuple(names)
    return Report(written, there.obsolete, tuple(kept))


def _before(folder: Path, there: Installed) -> dict[str, str]:
    """Return the digests of what will change and is ours, so that it stays known as ours."""
    changing = {*there.differing, *there.obsolete} - set(there.strangers)
    digests = {name: _digest_at(folder, name) for name in changing}
    return {name: digest for name, digest in digests.items() if digest}


def _tidy(folder: Path, files: Mapping[str, bytes], noted: Manifest) -> None:
    """Remove what an interrupted install had begun to write, but for a code.py that is whole."""
    for name in {*files, *noted.files, *noted.before, MANIFEST}:
        draft = folder / (name + _PART)
        if draft.exists() and not (name == CODE and draft.read_bytes() == files[CODE]):
            draft.unlink()


def _hold(folder: Path, code: bytes) -> None:
    """Keep CircuitPython from starting what is on the drive until all of it is there."""
    path = folder / CODE
    if path.exists() and path.read_bytes() == code:
        path.replace(path.with_name(CODE + _PART))  # it comes back without being written again
    else:
        path.unlink(missing_ok=True)
    _settle(folder)


def _set_aside(folder: Path, name: str) -> str:
    """Give a file that is not ours another name, and return that."""
    number, new = 1, name + _KEPT
    while os.path.lexists(folder / new):
        number += 1
        new = f"{name}{_KEPT}{number}"
    (folder / name).rename(folder / new)
    return new


def _write(folder: Path, name: str, data: bytes) -> None:
    """Write a file whole or not at all, and see that the drive really has it."""
    path = folder / name
    draft = path.with_name(path.name + _PART)
    if not path.parent.exists():
        path.parent.mkdir(parents=True)
        _settle(folder)
    if not draft.exists() or draft.read_bytes() != data:
        with draft.open("wb") as target:
            target.write(data)
            target.flush()
            os.fsync(target.fileno())
    draft.replace(path)
    _settle(path.parent)
    if _read_anew(path) != data:
        raise BadDrive(
            f"{path} does not read back as it was written; the Pico's memory or its cable is bad:"
            " try another cable, without a hub, then run it again"
        )


def _read_anew(path: Path) -> bytes:
    """Return the bytes of a file from the drive itself, not from the computer's memory."""
    with path.open("rb") as source:
        if hasattr(os, "posix_fadvise"):
            os.posix_fadvise(source.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
        return source.read()


def _settle(folder: Path) -> None:
    """Have the names in *folder* on the drive itself."""
    with suppress(PermissionError):  # as Windows answers, which writes them at once
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _require_space(
    folder: Path, files: Mapping[str, bytes], there: Installed, manifest: Manifest
) -> None:
    """Raise BadDrive if the drive would become full on the way."""
    free, cluster = free_bytes(folder)
    ours = {*files, MANIFEST, *there.obsolete}
    old = {name: _size(folder / name) for name in ours if name not in there.strangers}

    def rounded(size: int) -> int:
        return -(-size // cluster) * cluster

    missing = {(folder / name).parent for name in files} - {folder}
    needed = peak = cluster * sum(not each.exists() for each in missing)
    needed -= rounded(old[CODE]) if CODE in there.differing and CODE in old else 0
    steps = [(MANIFEST, len(manifest.to_bytes()))]
    steps += [(name, len(files[name])) for name in there.differing if name != CODE]
    steps += [(CODE, len(files[CODE]))] if CODE in there.differing else []
    for name, size in steps:
        peak = max(peak, needed + rounded(size) + cluster)  # one more for its name
        needed += rounded(size) - (rounded(old.get(name, 0)) if name != CODE else 0)
    if peak > free:
        raise BadDrive(
            f"the drive {folder} is full: {peak - free:,} bytes more are needed; delete what you do"
            f" not need on it{_largest(folder, {*ours, BOOT_OUT})}, then run it again"
        )


def free_bytes(folder: Path) -> tuple[int, int]:
    """Return how many bytes are free on the drive, and of which units files are made."""
    if not hasattr(os, "statvfs"):  # Windows
        import shutil  # noqa: PLC0415 - elsewhere it would be of no use

        return shutil.disk_usage(folder).free, 512
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
