"""What a table keeps beside its log, and what each of it is called in a backup."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from companion.apps.backup.archive import ENDINGS, LEARNED, LOG
from companion.config import frames_folder
from companion.session.spare import journal_of, spare_of

_STEM: Final = Path(LOG).stem
_FRAMES: Final = f"{_STEM}.frames"


def companions(log: Path, *, with_frames: bool) -> dict[str, Path]:
    """Return the files that belong to *log*, beside itself, by their names in a backup.

    with_frames: whether the kept pictures of the table are among them.
    """
    found = {f"{_STEM}.{ending}": log.with_suffix(f".{ending}") for ending in ENDINGS}
    for ending in LEARNED:
        for path in sorted(log.parent.glob(f"*{ending}")):
            middle = path.name.removeprefix(f"{log.stem}.").removesuffix(ending)
            if path.name.startswith(f"{log.stem}.") and middle.count(".") <= 1:
                found[f"{_STEM}.{middle}{ending}"] = path
    if with_frames:
        for path in sorted(frames_folder(log).glob("*-*.jpg")):
            found[f"{_FRAMES}/{path.name}"] = path
    return {name: path for name, path in found.items() if path.is_file()}


def place_of(name: str, log: Path) -> Path:
    """Return where the member *name* of a backup belongs, beside *log*."""
    if name == LOG:
        return log
    if name.startswith(f"{_FRAMES}/"):
        return frames_folder(log) / name.removeprefix(f"{_FRAMES}/")
    return log.with_suffix(name.removeprefix(_STEM))


def group_of(log: Path) -> Iterator[Path]:
    """Yield what is there of the table: log, journal, spare, and all that belongs to them."""
    parts = (log, journal_of(log), spare_of(log))
    for path in (*parts, *companions(log, with_frames=False).values(), frames_folder(log)):
        if path.exists():
            yield path
