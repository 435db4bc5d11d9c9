"""An install on a real file system that is full, and on the one that a Pico has: FAT."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware.pico.drive import BadDrive
from hardware.pico.installation import compare, free_bytes, install
from hardware.pico.release import Wiring, released_files
from tests.hardware.pico.drives import circuitpy
from tests.hardware.pico.refused import assert_one_line

FILES = released_files(Wiring((5, 8), (2, 3), (22, 9)))
SIZE_KIB = 1024
"""What a Pico has for its drive: half of its flash of 2 MiB."""


@contextmanager
def mounted(folder: Path, *words: str) -> Iterator[Path]:
    """Mount something at *folder* meanwhile; skips, with the kernel's reason, if it cannot."""
    folder.mkdir()
    done = subprocess.run(["mount", *words, folder], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"cannot mount {' '.join(words)}: {done.stderr.strip().splitlines()[0]}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@pytest.fixture(params=["tmpfs", "vfat"])
def drive(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Yield a drive as large as a Pico's, as CircuitPython makes it."""
    folder = tmp_path / "CIRCUITPY"
    if request.param == "tmpfs":
        words = ("-t", "tmpfs", "-o", f"size={SIZE_KIB}k", "tmpfs")
    else:
        image = tmp_path / "image"
        with image.open("wb") as target:
            target.truncate(SIZE_KIB * 1024)
        if shutil.which("mkfs.vfat") is None:
            pytest.skip("mkfs.vfat is missing: sudo apt install dosfstools")
        subprocess.run(["mkfs.vfat", "-n", "CIRCUITPY", image], check=True, capture_output=True)
        words = ("-t", "vfat", "-o", "loop", str(image))
    with mounted(folder, *words):
        circuitpy(folder)
        yield folder


@pytest.mark.slow
def test_what_was_reckoned_is_enough_and_not_much_less_would_be(drive: Path) -> None:
    """Filled but for what is said to lack, the drive is full; with that much more it is not."""
    free, _ = free_bytes(drive)
    filler = drive / "song.wav"
    filler.write_bytes(b"x" * (free - 8192))
    with pytest.raises(BadDrive) as refused:
        install(drive, FILES, "1")
    assert_one_line(refused.value, "is full", "song.wav has", "bytes more are needed")
    lacking = int(
        str(refused.value).partition(" bytes more")[0].rpartition(" ")[2].replace(",", "")
    )
    os.truncate(filler, filler.stat().st_size - lacking - 4096)
    install(drive, FILES, "1")
    assert compare(drive, FILES).complete
    room, cluster = free_bytes(drive)
    assert room <= 4096 + cluster * (len(FILES) + 2)


@pytest.mark.slow
def test_an_update_needs_no_room_for_what_it_replaces(drive: Path) -> None:
    """Twenty times over, with every file changed, on a drive that has room for little more."""
    install(drive, FILES, "0")
    free, cluster = free_bytes(drive)
    largest = max(map(len, FILES.values()))
    (drive / "song.wav").write_bytes(b"x" * (free - 4 * max(largest, cluster)))
    for number in range(20):
        files = {name: data + f"# {number}\n".encode() for name, data in FILES.items()}
        install(drive, files, str(number))
        assert compare(drive, files).complete
