"""Files on a Pico's drive: whole or not at all, code.py last, nothing of anybody else's lost."""

import errno
import json
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from hardware.pico import installation
from hardware.pico.drive import BadDrive
from hardware.pico.installation import Report, compare, install, read_manifest
from tests.hardware.pico.drives import circuitpy
from tests.hardware.pico.refused import assert_one_line, failing

OLD = {
    "boot.py": b"boot 1\n",
    "code.py": b"code 1\n",
    "idol.py": b"idol 1\n",
    "gone.py": b"gone 1\n",
    "lib/neopixel.py": b"neopixel\n",
}
NEW = {
    "boot.py": b"boot 1\n",
    "code.py": b"code 2\n",
    "idol.py": b"idol 2\n",
    "keys.py": b"keys 2\n",
    "lib/neopixel.py": b"neopixel\n",
}
HELLO = b'print("Hello World!")\n'


def there(folder: Path) -> dict[str, bytes]:
    """Return all files on the drive but those that CircuitPython made, and the manifest."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name not in ("boot_out.txt", "settings.toml", "tiki.json")
    }


@pytest.fixture
def drive(tmp_path: Path) -> Path:
    """Return a drive as CircuitPython makes it."""
    return circuitpy(tmp_path / "CIRCUITPY")


@pytest.fixture
def writes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of what is written from now on."""
    names: list[str] = []
    real = installation._write

    def write(folder: Path, name: str, data: bytes) -> None:
        names.append(name)
        real(folder, name, data)

    monkeypatch.setattr(installation, "_write", write)
    return names


def test_a_fresh_drive_gets_everything_and_keeps_what_was_there(
    drive: Path, writes: list[str]
) -> None:
    """code.py is written last, and the one that was there has another name."""
    done = install(drive, OLD, "1")
    assert set(done.written) == set(OLD)
    assert done.kept == (("code.py", "code.py.bak"),)
    assert writes == [
        "code.py.bak", "tiki-install.json", "boot.py", "idol.py", "gone.py", "lib/neopixel.py",
        "code.py", "tiki.json",
    ]  # fmt: skip
    assert there(drive) == {**OLD, "code.py.bak": HELLO}
    assert read_manifest(drive).version == "1"
    assert compare(drive, OLD).complete


def test_only_what_differs_is_written_and_what_is_no_longer_needed_goes(
    drive: Path, writes: list[str]
) -> None:
    """A flash wears; doing it again does nothing at all."""
    install(drive, OLD, "1")
    (drive / "mine.txt").write_bytes(b"mine")
    del writes[:]
    assert install(drive, NEW, "2") == Report(("idol.py", "keys.py", "code.py"), ("gone.py",), ())
    assert writes == ["tiki-install.json", "idol.py", "keys.py", "code.py", "tiki.json"]
    assert there(drive) == {**NEW, "code.py.bak": HELLO, "mine.txt": b"mine"}
    del writes[:]
    assert install(drive, NEW, "2") == Report((), (), ())
    assert writes == []
    assert install(drive, {**NEW, "idol.py": b"idol 3\n"}, "2").written == ("idol.py", "code.py")


def test_what_the_owner_changed_is_kept_under_another_name(drive: Path) -> None:
    """A module, a second code.py, and what would be taken in place of ours; a number if need be."""
    install(drive, OLD, "1")
    (drive / "code.py").write_bytes(b"my own")
    (drive / "idol.py").write_bytes(b"my idol")
    (drive / "code.txt").write_bytes(b"my text")
    (drive / "neopixel.mpy").write_bytes(b"of another bundle")
    (drive / "gone.py").write_bytes(b"my gone")
    done = install(drive, NEW, "2")
    assert set(done.kept) == {
        ("code.py", "code.py.bak2"),
        ("idol.py", "idol.py.bak"),
        ("code.txt", "code.txt.bak"),
        ("neopixel.mpy", "neopixel.mpy.bak"),
    }
    assert there(drive) == {
        **NEW,
        "code.py.bak": HELLO,
        "code.py.bak2": b"my own",
        "idol.py.bak": b"my idol",
        "code.txt.bak": b"my text",
        "neopixel.mpy.bak": b"of another bundle",
        "gone.py": b"my gone",
    }


class Killed(BaseException):
    """The process is killed: nothing of it runs any more."""


@pytest.fixture(params=["whole", "torn", "empty"])
def kill_at(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[int], None]]:
    """Return what sets before which change of the drive the process is killed; 0 for never.

    What has not reached the drive yet is there in whole, in part, or as an empty file.
    """
    left = 0
    share = {"whole": 1.0, "torn": 0.5, "empty": 0.0}[request.param]

    def counted(real: Callable[..., Any]) -> Callable[..., Any]:
        def change(*words: Any, **options: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                if isinstance(words[0], int) and stat.S_ISREG(os.fstat(words[0]).st_mode):
                    with suppress(OSError):  # one that is only read
                        os.ftruncate(words[0], int(os.fstat(words[0]).st_size * share))
                raise Killed
            return real(*words, **options)

        return change

    monkeypatch.setattr(Path, "unlink", counted(Path.unlink))
    monkeypatch.setattr(os, "fsync", counted(lambda _: None))  # nobody pulls a plug here

    def kill(number: int) -> None:
        nonlocal left
        left = number

    yield kill
    left = 0


def test_an_install_that_is_killed_anywhere_is_repaired_by_doing_it_again(
    tmp_path: Path, kill_at: Callable[[int], None]
) -> None:
    """At every change of the drive: code.py never stands beside modules that are not its own."""
    for number in range(1, 100):
        folder = circuitpy(tmp_path / str(number))
        kill_at(0)
        install(folder, OLD, "1")
        kill_at(number)
        try:
            install(folder, NEW, "2")
        except Killed:
            assert_never_half(folder)
        else:
            break
        kill_at(0)
        assert install(folder, NEW, "2").kept == ()
        assert there(folder) == {**NEW, "code.py.bak": HELLO}
        assert compare(folder, NEW).complete
    assert 20 < number < 99


def test_what_is_not_ours_outlives_an_install_that_is_killed_anywhere(
    tmp_path: Path, kill_at: Callable[[int], None]
) -> None:
    """The first one, which finds a code.py and a module of the owner's own."""
    for number in range(1, 100):
        folder = circuitpy(tmp_path / str(number))
        (folder / "idol.py").write_bytes(b"my idol")
        kill_at(number)
        try:
            install(folder, NEW, "2")
        except Killed:
            kill_at(0)
            install(folder, NEW, "2")
        else:
            break
        found = there(folder)
        assert {name: found[name] for name in NEW} == NEW
        assert {HELLO, b"my idol"} <= set(found.values())
    assert 20 < number < 99


def assert_never_half(folder: Path) -> None:
    """Check that code.py, if it is there and not cut short, has all modules of its own version."""
    found = there(folder)
    for files in (OLD, NEW):
        if found.get("code.py") == files["code.py"]:
            assert {name: found.get(name) for name in files} == files
            return
    assert found.get("code.py", b"") in (NEW["code.py"][:3], b"")


def test_the_check_for_halves_can_fail(drive: Path) -> None:
    """New modules beside the old code.py."""
    install(drive, OLD, "1")
    assert_never_half(drive)
    for name in ("idol.py", "code.py"):
        (drive / name).write_bytes(NEW["idol.py"])
        with pytest.raises(AssertionError):
            assert_never_half(drive)


def test_after_a_kill_another_version_still_knows_what_is_ours(
    tmp_path: Path, kill_at: Callable[[int], None]
) -> None:
    """Killed twice, on the way to two versions, nothing of ours is taken for the owner's."""
    third = {name: data.replace(b"2", b"3") for name, data in NEW.items()}
    for number in range(1, 40, 3):
        folder = circuitpy(tmp_path / str(number))
        kill_at(0)
        install(folder, OLD, "1")
        for files, version, when in ((NEW, "2", number), (third, "3", number // 2 + 1)):
            kill_at(when)
            try:
                install(folder, files, version)
            except Killed:
                continue
        kill_at(0)
        install(folder, third, "3")
        assert there(folder) == {**third, "code.py.bak": HELLO}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (b"", "empty"),
        (b"\xff", "no text"),
        (b"[]", "a list"),
        (b'{"version": 1, "files": {}, "changing": []}', "a number"),
        (b'{"version": "1", "files": [], "changing": []}', "another list"),
        (b'{"version": "1", "files": {}, "changing": ["../a.py"]}', "outside, too"),
        (b'{"version": "1", "files": {"a.py": 3}, "changing": []}', "a digest that is none"),
        (b'{"version": "1", "files": {"../a.py": "0"}, "changing": []}', "outside"),
        (b'{"version": "1", "files": {"/a.py": "0"}, "changing": []}', "anywhere"),
        (b"[" * 50_000, "deep"),
    ],
)
def test_a_damaged_manifest_counts_as_none(drive: Path, text: bytes, what: str) -> None:
    """Then what differs is taken for the owner's, and kept."""
    assert what
    install(drive, OLD, "1")
    (drive / "tiki.json").write_bytes(text)
    assert read_manifest(drive).version == ""
    done = install(drive, NEW, "2")
    assert ("idol.py", "idol.py.bak") in done.kept
    assert json.loads((drive / "tiki.json").read_bytes())["version"] == "2"
    assert compare(drive, NEW).complete


def test_a_manifest_never_has_a_file_removed_outside_the_drive(drive: Path) -> None:
    """Whoever wrote it: the drive may come from anywhere."""
    outside = drive.parent / "outside.py"
    outside.write_bytes(b"precious")
    digest = installation.digest_of(b"precious")
    (drive / "tiki.json").write_text(
        json.dumps({"version": "1", "files": {"../outside.py": digest}, "changing": []})
    )
    (drive / "tiki-install.json").write_text(
        json.dumps({"version": "1", "files": {}, "changing": ["../outside.py"]})
    )
    install(drive, NEW, "2")
    assert outside.exists()


@pytest.mark.parametrize("free", [0, 512, 2048, 5119])
def test_a_full_drive_is_named_with_what_lacks_and_the_largest_files(
    drive: Path, free: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is written."""
    for name, size in (("song.wav", 300_000), ("lib/big.mpy", 20_000), ("a.txt", 9), ("b", 10)):
        (drive / name).write_bytes(b"x" * size)
    before = there(drive)
    monkeypatch.setattr(installation, "free_bytes", lambda _: (free, 512))
    with pytest.raises(BadDrive) as refused:
        install(drive, OLD, "1")
    # Five files, journal and manifest, of one unit or two each, and one unit for names.
    lacking = f"{512 * 10 - free:,} bytes more"
    largest = "(song.wav has 300,000, lib/big.mpy has 20,000, b has 10)"
    assert_one_line(refused.value, "is full", lacking, largest, "delete")
    assert there(drive) == before
    monkeypatch.setattr(installation, "free_bytes", lambda _: (512 * 10, 512))
    install(drive, OLD, "1")


def test_a_drive_that_became_full_meanwhile_is_named(
    drive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And doing it again repairs it."""
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing(errno.ENOSPC))
        with pytest.raises(BadDrive) as refused:
            install(drive, OLD, "1")
    assert_one_line(refused.value, "is full", "delete")
    install(drive, OLD, "1")
    assert compare(drive, OLD).complete


def failing_to_write(number: int) -> Callable[..., Any]:
    """Return an open that the kernel refuses for writing."""
    real = Path.open

    def open_it(path: Path, mode: str = "r", **options: Any) -> Any:
        if "w" in mode:
            raise OSError(number, os.strerror(number))
        return real(path, mode, **options)

    return open_it


@pytest.mark.parametrize(
    ("number", "word"), [(errno.EROFS, "read-only"), (errno.EACCES, "is not writable")]
)
def test_a_drive_that_may_not_be_written_is_named(
    drive: Path, number: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing has changed."""
    before = there(drive)
    monkeypatch.setattr(Path, "open", failing_to_write(number))
    with pytest.raises(BadDrive) as refused:
        install(drive, OLD, "1")
    assert_one_line(refused.value, str(drive), word)
    assert there(drive) == before


def test_a_drive_that_goes_while_it_is_copied_is_named(
    drive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its folder is then empty."""
    real, count = os.fsync, 0

    def vanish(handle: int) -> None:
        nonlocal count
        count += 1
        if count == 6:
            (drive / "boot_out.txt").unlink()
            raise OSError(errno.EIO, "Input/output error")
        real(handle)

    monkeypatch.setattr(os, "fsync", vanish)
    with pytest.raises(BadDrive) as refused:
        install(drive, OLD, "1")
    assert_one_line(refused.value, "gone", "plug the Pico in again", "repaired")


def test_what_does_not_read_back_is_named(drive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worn flash, or a bad cable."""
    monkeypatch.setattr(installation, "_read_anew", lambda _: b"something else")
    with pytest.raises(BadDrive) as refused:
        install(drive, OLD, "1")
    assert_one_line(refused.value, "does not read back", "cable")


def test_a_folder_where_a_file_must_be_is_named(drive: Path) -> None:
    """It is not removed."""
    (drive / "idol.py").mkdir()
    with pytest.raises(BadDrive) as refused:
        install(drive, OLD, "1")
    assert_one_line(refused.value, "idol.py is a folder")
