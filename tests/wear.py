"""What a game writes: the bytes that the daemon gives to the disk, beside those of its events.

A card wears out by what is written to it. Counted are two things. *given*: `write_bytes` of the
daemon's /proc/PID/io, the pages of files that it has changed. *written*: what the block device of
an ext4 of its own takes, with the file system's own journal, by /sys/block/*/stat; only as root.
"""

import contextlib
import json
import random
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.registry import GAMES
from tests.bare_rules import read_rows
from tests.soak.evening import Evening
from tests.soak.house import House
from tests.soak.tally import Tally

DISK_BYTES: Final = 64 << 20
SECTOR_BYTES: Final = 512
SEED: Final = 7


@dataclass(frozen=True, slots=True)
class Wear:
    """What one game has cost.

    entries: in its log.  events: bytes of their JSON.  given: by the daemon.  written: to its disk,
    None where nobody counts it.
    """

    entries: int
    events: int
    given: int
    written: int | None


def measure(house: House, game: str, written: Callable[[], int] | None) -> Wear:
    """Play *game* to its end by taps at the daemon of *house*, which runs.

    written: returns how many bytes the disk of its log has taken so far.
    """
    tally = Tally()
    before_given, before = given(house), written() if written else 0
    evening = Evening(house, game, random.Random(SEED), tally, ordeal_share=0.0)
    evening.play()
    assert tally.is_clean, tally.notes
    spent, after = given(house) - before_given, written() if written else 0
    rows = read_rows(house.log)[1]
    size = sum(len(json.dumps(row)) for row in rows)
    return Wear(len(rows), size, spent, after - before if written else None)


@contextlib.contextmanager
def running(folder: Path) -> Iterator[House]:
    """Yield a house whose daemon runs, with its log in *folder*."""
    house = House(folder)
    try:
        house.start()
        yield house
    finally:
        house.kill()


def given(house: House) -> int:
    """Return how many bytes the daemon has given to disks so far."""
    lines = Path(f"/proc/{house.pid}/io").read_text().splitlines()
    return int(dict(line.split(": ") for line in lines)["write_bytes"])


@contextlib.contextmanager
def disk() -> Iterator[tuple[Path, Callable[[], int] | None]]:
    """Make an ext4 of one's own if that is allowed; yield a folder on it, and what counts."""
    with tempfile.TemporaryDirectory(prefix="tiki-wear-", dir="/var/tmp") as name:
        image, folder = Path(name) / "disk.img", Path(name) / "disk"
        folder.mkdir()
        image.touch()
        with image.open("r+b") as file:
            file.truncate(DISK_BYTES)
        made = subprocess.run(["mkfs.ext4", "-q", image], check=False, capture_output=True)
        mount = ["mount", "-o", "loop", str(image), str(folder)]
        if made.returncode or subprocess.run(mount, check=False, capture_output=True).returncode:
            yield folder, None
            return
        try:
            yield folder, lambda: _sectors(folder) * SECTOR_BYTES
        finally:
            subprocess.run(["umount", str(folder)], check=True)


def _sectors(folder: Path) -> int:
    subprocess.run(["sync", "-f", str(folder)], check=True)
    device = subprocess.run(
        ["findmnt", "-no", "SOURCE", str(folder)], check=True, capture_output=True, text=True
    ).stdout.strip()
    return int(Path(f"/sys/block/{Path(device).name}/stat").read_text().split()[6])


def bench(row: Callable[[str, str, str], None]) -> None:
    """Print what a game of each kind writes."""
    with disk() as (folder, written):
        for game in GAMES:
            place = folder / game
            place.mkdir()
            with running(place) as house:
                found = measure(house, game, written)
            total = found.given if found.written is None else found.written
            row(f"wear, {game}: written / the events' JSON", f"{total / found.events:.0f}", "")
            row("  that is, KB in this game", f"{total / 1000:.0f}", f"{found.entries} entries")
            row("  file pages that the daemon changed, KB", f"{found.given / 1000:.0f}", "")
