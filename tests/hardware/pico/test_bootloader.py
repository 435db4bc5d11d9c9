"""CircuitPython put onto a Pico in its bootloader."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hardware.pico import bootloader
from hardware.pico.bootloader import CHIPS, find_waiting, put_circuitpython, read_uf2
from hardware.pico.drive import BadDrive, Volume
from tests.hardware.pico.drives import bootloader as boot_drive
from tests.hardware.pico.drives import circuitpy, uf2, volumes
from tests.hardware.pico.refused import assert_one_line, failing

RP2040, RP2350 = CHIPS
RISC_V = 0xE48BFF5A
SAMD21 = 0x68ED2B88


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return CircuitPython for a Pico, as far as a bootloader can tell."""
    path = tmp_path / "circuitpython.uf2"
    path.write_bytes(uf2())
    return path


def becomes_circuitpy(root: Path, after: int = 3) -> Callable[[float], None]:
    """Return a sleep during which the drive becomes CIRCUITPY, when called so often."""
    calls = 0

    def sleep(seconds: float) -> None:
        nonlocal calls
        assert 0 < seconds < 2
        calls += 1
        if calls == after:
            folder = circuitpy(root / "CIRCUITPY")
            (root / "by-label" / "RPI-RP2").unlink()
            volumes(root, {"CIRCUITPY": folder})

    return sleep


def test_the_file_is_copied_and_the_drive_awaited(tmp_path: Path, file: Path) -> None:
    """What comes back is the drive that the Pico then is."""
    folder = boot_drive(tmp_path / "RPI-RP2")
    there = volumes(tmp_path, {"RPI-RP2": folder})
    waiting = find_waiting(there)
    assert waiting
    assert waiting.chip is RP2040
    found = put_circuitpython(file, there, sleep=becomes_circuitpy(tmp_path))
    assert found == Volume(tmp_path / "sda1", tmp_path / "CIRCUITPY")
    assert (folder / "CIRCUITPY.UF2").read_bytes() == file.read_bytes()


def test_a_drive_that_goes_before_it_has_answered_is_as_it_should_be(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Pico restarts with the last block, whatever the kernel still wanted of its drive."""
    there = volumes(tmp_path, {"RPI-RP2": boot_drive(tmp_path / "RPI-RP2")})
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    assert put_circuitpython(file, there, sleep=becomes_circuitpy(tmp_path)).folder


def test_a_drive_that_never_comes_back_is_named(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With how it went, and what to do."""
    there = volumes(tmp_path, {"RPI-RP2": boot_drive(tmp_path / "RPI-RP2")})
    monkeypatch.setattr(os, "fsync", failing(errno.EIO))
    waited: list[float] = []
    with pytest.raises(BadDrive) as refused:
        put_circuitpython(file, there, sleep=waited.append)
    assert sum(waited) == bootloader.WAIT_S
    assert_one_line(refused.value, "no drive CIRCUITPY", "60 s", "Input/output error", "BOOTSEL")


@pytest.mark.parametrize(
    ("data", "chip"),
    [
        (uf2(), RP2040),
        (uf2(0xE48BFF59), RP2350),
        (uf2(0xE48BFF59, first=0xE48BFF57), RP2350),
    ],
)
def test_the_chip_of_a_file_is_read(file: Path, data: bytes, chip: bootloader.Chip) -> None:
    """A Pico 2's file may begin with a block that is for no chip."""
    file.write_bytes(data)
    assert read_uf2(file) == (data, chip)


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "not a UF2 file, or it was cut short"),
        (b"PK\x03\x04" * 128, "block 0 is not a block"),
        (uf2()[:-100], "cut short"),
        (uf2(count=5)[:-512], "cut short"),
        (uf2()[:-4] + b"xxxx", "block 2 is not a block"),
        (uf2(RISC_V), "a board other"),
        (uf2(SAMD21), "a board other"),
        (uf2(first=SAMD21), "a board other"),
        (uf2(0xE48BFF57), "a board other"),
    ],
)
def test_a_file_that_will_not_do_is_named(file: Path, data: bytes, word: str) -> None:
    """With where to get one that will."""
    file.write_bytes(data)
    with pytest.raises(BadDrive) as refused:
        read_uf2(file)
    assert_one_line(refused.value, str(file), word, "https://circuitpython.org/board/")


def test_a_file_that_is_not_there_or_too_large_is_named(tmp_path: Path) -> None:
    """A folder too."""
    large = tmp_path / "large.uf2"
    with large.open("wb") as target:
        target.truncate(1 << 30)
    for path, word in ((large, "too large"), (tmp_path / "no", "No such file"), (tmp_path, "dir")):
        with pytest.raises(BadDrive) as refused:
            read_uf2(path)
        assert_one_line(refused.value, str(path), word)


def test_a_file_for_the_other_chip_is_refused(tmp_path: Path, file: Path) -> None:
    """Nothing is copied."""
    folder = boot_drive(tmp_path / "RP2350", "RP2350")
    there = volumes(tmp_path, {"RP2350": folder})
    with pytest.raises(BadDrive) as refused:
        put_circuitpython(file, there, sleep=failing(0))
    assert_one_line(refused.value, "is for an RP2040", "has an RP2350", "raspberry_pi_pico2_w/")
    assert not (folder / "CIRCUITPY.UF2").exists()


def test_without_a_bootloader_it_is_said_how_to_get_there(tmp_path: Path, file: Path) -> None:
    """With BOOTSEL; a folder that is no bootloader's is named."""
    there = volumes(tmp_path, {})
    assert find_waiting(there) is None
    with pytest.raises(BadDrive) as refused:
        put_circuitpython(file, there)
    assert_one_line(refused.value, "no Pico is in its bootloader", "BOOTSEL")
    with pytest.raises(BadDrive) as refused:
        put_circuitpython(file, there, tmp_path)
    assert_one_line(refused.value, str(tmp_path), "INFO_UF2.TXT", "BOOTSEL")
    (tmp_path / "INFO_UF2.TXT").write_text("UF2 Bootloader\nBoard-ID: SAMD21G18A-Feather-v0\n")
    with pytest.raises(BadDrive) as refused:
        put_circuitpython(file, there, tmp_path)
    assert_one_line(refused.value, "names no Pico")


def test_a_second_pico_beside_it_is_named(tmp_path: Path, file: Path) -> None:
    """Whose drive would be taken for that of the first."""
    drives = {"RPI-RP2": boot_drive(tmp_path / "a"), "CIRCUITPY": circuitpy(tmp_path / "b")}
    with pytest.raises(BadDrive) as refused:
        put_circuitpython(file, volumes(tmp_path, drives))
    assert_one_line(refused.value, "two Picos", "unplug")


def test_a_bootloader_that_may_not_be_written_is_named(
    tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one that another user has mounted."""
    there = volumes(tmp_path, {"RPI-RP2": boot_drive(tmp_path / "RPI-RP2")})
    real = Path.open

    def refuse(path: Path, mode: str = "r", **options: object) -> object:
        if mode == "wb":
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, mode, **options)  # type: ignore[call-overload]

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadDrive) as refused:
        put_circuitpython(file, there)
    assert_one_line(refused.value, "is not writable for you")


def test_what_to_do_with_a_waiting_pico_is_one_line(tmp_path: Path) -> None:
    """Both pages of its chip, and the command."""
    there = volumes(tmp_path, {"RP2350": boot_drive(tmp_path / "RP2350", "RP2350")})
    waiting = find_waiting(there)
    assert waiting
    assert_one_line(
        waiting.next_step, "raspberry_pi_pico2/ or", "raspberry_pi_pico2_w/", "--circuitpython"
    )
