"""The Pico's drive: found, mounted, and what it says about its board."""

import errno
from pathlib import Path

import pytest

from hardware.pico.drive import BadDrive, Board, Volume, explain, read_board
from tests.hardware.pico.drives import circuitpy, volumes
from tests.hardware.pico.refused import assert_one_line


def test_the_check_of_one_line_can_fail() -> None:
    """Two lines and a missing word are refused."""
    assert_one_line("no drive", "drive")
    for error in ("no\ndrive", "no"):
        with pytest.raises(AssertionError):
            assert_one_line(error, "drive")


def test_a_drive_is_found_by_its_label_where_it_is_mounted(tmp_path: Path) -> None:
    """Its folder may have spaces; without a drive there is none."""
    folder = circuitpy(tmp_path / "my media" / "CIRCUITPY")
    found = volumes(tmp_path, {"CIRCUITPY": folder}).find("CIRCUITPY")
    assert found == Volume(tmp_path / "sda1", folder)
    assert volumes(tmp_path / "other", {}).find("CIRCUITPY") is None


def test_a_drive_without_a_link_is_found_by_the_name_of_its_folder(tmp_path: Path) -> None:
    """As in a container, which does not see the labels."""
    folder = circuitpy(tmp_path / "CIRCUITPY")
    there = volumes(tmp_path, {"CIRCUITPY": folder})
    (tmp_path / "by-label" / "CIRCUITPY").unlink()
    assert there.find("CIRCUITPY") == Volume(tmp_path / "sda1", folder)
    assert there.find("RPI-RP2") is None


def test_what_is_left_mounted_of_a_drive_that_has_gone_is_not_taken_for_it(tmp_path: Path) -> None:
    """As where the bootloader's was mounted by hand, and CIRCUITPY came as the same device."""
    (tmp_path / "mnt").mkdir()
    there = volumes(tmp_path, {"CIRCUITPY": tmp_path / "mnt"})
    assert there.find("CIRCUITPY") == Volume(tmp_path / "sda1", None)
    (tmp_path / "mnt" / "INFO_UF2.TXT").touch()
    assert there.find("CIRCUITPY", "INFO_UF2.TXT") == Volume(tmp_path / "sda1", tmp_path / "mnt")


def test_a_machine_without_such_lists_has_no_drives(tmp_path: Path) -> None:
    """As a Mac, where --drive names the folder."""
    there = volumes(tmp_path, {})
    (tmp_path / "mounts").unlink()
    assert there.find("CIRCUITPY") is None


def test_two_picos_are_named(tmp_path: Path) -> None:
    """With their devices, and what to do."""
    one, two = circuitpy(tmp_path / "CIRCUITPY"), circuitpy(tmp_path / "CIRCUITPY1")
    there = volumes(tmp_path, {"CIRCUITPY": one, "CIRCUITPY1": two})
    with pytest.raises(BadDrive) as refused:
        there.find("CIRCUITPY")
    assert_one_line(refused.value, "2 drives", "sda1", "sdb1", "--drive")


def udisksctl(root: Path, folder: Path) -> None:
    """Have a udisksctl that mounts the drive at *folder* and notes what it was asked."""
    device = root / "sda1"
    script = root / "udisksctl"
    script.write_text(
        f'#!/bin/sh\necho "$*" >>{root}/asked\n'
        f'[ ! -e {root}/locked ] || {{ echo "Not authorized" >&2; exit 1; }}\n'
        f'case $1 in mount) echo "{device} {folder} vfat rw 0 0" >>{root}/mounts ;; esac\n'
    )
    script.chmod(0o755)


def test_a_drive_that_is_not_mounted_is_mounted_meanwhile(tmp_path: Path) -> None:
    """And unmounted at the end, so that it may be unplugged."""
    there = volumes(tmp_path, {}, plugged=("CIRCUITPY",))
    folder = circuitpy(tmp_path / "run" / "CIRCUITPY")
    udisksctl(tmp_path, folder)
    volume = there.find("CIRCUITPY")
    assert volume == Volume(tmp_path / "sda1", None)
    with there.opened(volume) as opened:
        assert opened == folder
    asked = (tmp_path / "asked").read_text().splitlines()
    assert [each.split()[0] for each in asked] == ["mount", "unmount"]
    assert all(each.endswith(f"--block-device {tmp_path}/sda1") for each in asked)


@pytest.mark.parametrize("lacks", ["program", "right", "effect"])
def test_where_it_cannot_be_mounted_the_command_is_said(tmp_path: Path, lacks: str) -> None:
    """Without udisksctl, without the right, and if it was of no use."""
    there = volumes(tmp_path, {}, plugged=("CIRCUITPY",))
    if lacks != "program":
        udisksctl(tmp_path, tmp_path / "CIRCUITPY")
        (tmp_path / "locked").touch()
    if lacks == "effect":
        (tmp_path / "udisksctl").write_text("#!/bin/sh\n")
    volume = there.find("CIRCUITPY")
    assert volume
    with pytest.raises(BadDrive) as refused, there.opened(volume):
        pytest.fail("it is not mounted")
    mount = f"sudo mount -o uid=$(id -u) {tmp_path}/sda1 /mnt"
    assert_one_line(refused.value, "not mounted", mount, "sudo umount /mnt")


def test_a_mounted_drive_is_left_as_it_is(tmp_path: Path) -> None:
    """Whoever mounted it unmounts it."""
    folder = circuitpy(tmp_path / "CIRCUITPY")
    there = volumes(tmp_path, {"CIRCUITPY": folder})
    volume = there.find("CIRCUITPY")
    assert volume
    with there.opened(volume) as opened:
        assert opened == folder


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("raspberry_pi_pico", "9.0.0"),
        ("raspberry_pi_pico_w", "9.2.0-beta.1"),
        ("raspberry_pi_pico2", "10.0.3"),
        ("raspberry_pi_pico2_w", "9.2.1"),
    ],
)
def test_every_pico_with_a_new_circuitpython_will_do(
    tmp_path: Path, name: str, version: str
) -> None:
    """What boot_out.txt says is read."""
    board = read_board(circuitpy(tmp_path / "CIRCUITPY", version, name))
    assert board == Board(version, name)
    assert board.trouble == ""


def test_another_board_and_an_old_circuitpython_are_named(tmp_path: Path) -> None:
    """With what would do, and where to get it."""
    board = read_board(circuitpy(tmp_path / "a", name="adafruit_feather_rp2040"))
    assert_one_line(board.trouble, "adafruit_feather_rp2040", "Pico 2 W")
    board = read_board(circuitpy(tmp_path / "b", version="8.2.9"))
    page = "https://circuitpython.org/board/raspberry_pi_pico/"
    assert_one_line(board.trouble, "8.2.9 is too old", page, "BOOTSEL", "--circuitpython")


def test_a_folder_that_is_no_drive_is_named(tmp_path: Path) -> None:
    """One that is not there, one without boot_out.txt, and one that says nothing in it."""
    for folder, word in ((tmp_path / "no", "is not a folder"), (tmp_path, "has no boot_out.txt")):
        with pytest.raises(BadDrive) as refused:
            read_board(folder)
        assert_one_line(refused.value, str(folder), word, "--drive")
    for text in (b"", b"Board ID:raspberry_pi_pico", b"\xff\x00 CircuitPython 9.2.1 on 2024"):
        (tmp_path / "boot_out.txt").write_bytes(text)
        with pytest.raises(BadDrive) as refused:
            read_board(tmp_path)
        assert_one_line(refused.value, "does not say", "plug it in again")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, ("read-only", "fsck.vfat -a", "boot.py", "os.rename")),
        (errno.EACCES, ("is not writable for you", "sudo umount")),
        (errno.EPERM, ("is not writable for you",)),
        (errno.ENOSPC, ("full", "delete")),
        (errno.EIO, ("cannot be read or written", "plug it in again", "fsck.vfat -a")),
        (errno.ENODEV, ("gone", "plug the Pico in again")),
    ],
)
def test_each_error_has_its_remedy(tmp_path: Path, number: int, words: tuple[str, ...]) -> None:
    """A drive that has gone is gone, whatever the kernel calls it."""
    folder = circuitpy(tmp_path / "CIRCUITPY")
    error = OSError(number, "Some reason")
    assert_one_line(explain(error, folder), str(folder), *words)
    (folder / "boot_out.txt").unlink()
    assert_one_line(explain(error, folder), "gone", "Some reason")
