"""A Pico's firmware is renewed on the kernel's own FAT, and the power is cut."""

import pwd
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from hardware.pico.installation import compare, install, read_manifest
from tests.evenings import topple_evening
from tests.hardware.pico.drives import BOOT_OUT
from tests.hil.inside.drive import FOLDER, cut, formatted, mounted
from tests.hil.inside.house import TIKI, USER, as_user
from tests.hil.inside.table import wired

CUTS: Final = 60
PATIENCE_S: Final = 120.0
FOREIGN: Final = b"kept through every cut\n" * 100
OLDER: Final = "0.1.0"


def type_in(folder: Path, word: str) -> str:
    """Type `tiki pico WORD` as the user of the Pi, and return what it says."""
    file, said = folder / "tiki.toml", folder / "said"
    evening = topple_evening(253, seats=2, target=8)
    file.write_text(wired(folder, evening, "tilt_0", "idol_a", "idol_b", "undo", board="pico"))
    with said.open("w") as out:
        process = as_user(TIKI, "pico", word, "--config", str(file), out=out)
        assert process.wait(PATIENCE_S) == 0, said.read_text()
    return said.read_text()


def files_on_drive() -> dict[str, bytes]:
    """Return the firmware that is there."""
    return {name: (FOLDER / name).read_bytes() for name in read_manifest(FOLDER).files}


def is_whole(files: Mapping[str, bytes]) -> bool:
    """Return whether the drive has all of *files*."""
    return not compare(FOLDER, files).differing


@pytest.mark.timeout(600)
def test_a_cut_update_never_starts_half_a_firmware(folder: Path) -> None:
    """All files are renewed; after whichever sector it is cut, doing it again completes it.

    What is not ours is there after each cut.  CircuitPython starts code.py; an empty one is none.
    """
    uid = pwd.getpwnam(USER).pw_uid
    empty = formatted(folder)
    with mounted(empty, uid) as made:
        (FOLDER / "boot_out.txt").write_text(
            BOOT_OUT.format(version="9.2.1", board="Pico", name="raspberry_pi_pico"), newline=""
        )
        (FOLDER / "music.txt").write_bytes(FOREIGN)
        type_in(folder, "install")
        newer = files_on_drive()
        older = {name: data + b"# of another version\n" for name, data in newer.items()}
        install(FOLDER, older, OLDER)
    before = cut(empty, made)
    with mounted(before, uid) as written:
        assert is_whole(older)
        assert f"{len(newer)} files of firmware" in type_in(folder, "update")
        assert is_whole(newer)
    assert len(written) > CUTS
    ends = sorted(random.Random(1).sample(range(len(written)), CUTS))
    torn = 0
    for end in ends:
        with mounted(cut(before, written[:end]), uid):
            code = FOLDER / "code.py"
            is_torn = not code.exists() or not code.read_bytes()
            assert is_torn or is_whole(older) or is_whole(newer), end
            torn += is_torn
            assert (FOLDER / "music.txt").read_bytes() == FOREIGN, end
            install(FOLDER, newer, "1.0.0")
            assert is_whole(newer), end
    assert torn > CUTS // 2
