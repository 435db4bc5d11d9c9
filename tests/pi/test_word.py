"""What `./run pi` says where it cannot go on."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "pi" / "pi.sh"
TOOLS = ("debootstrap", "mksquashfs", "git")


def stand_in(path: Path, *lines: str) -> None:
    """Write a shell script of *lines*."""
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """Return a folder of programs of a machine whose user is root and which has all tools."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in (
        "awk",
        "cat",
        "cksum",
        "cut",
        "date",
        "dirname",
        "flock",
        "grep",
        "mkdir",
        "rm",
        "sed",
        "tail",
    ):
        (folder / tool).symlink_to(str(shutil.which(tool)))
    for tool in TOOLS:
        stand_in(folder / tool)
    stand_in(folder / "id", "echo 0")
    stand_in(folder / "apt-get", "echo http://mirror.example/debian/")
    return folder


def pi(bin_folder: Path, *words: str, source: str | None = None) -> str:
    """Return the one line with which `./run pi` ends on that machine, having failed.

    source: the script, if not as it is.
    """
    script = ["-c", source, str(SCRIPT)] if source else [str(SCRIPT)]
    done = subprocess.run(
        ["/bin/sh", *script, *words],
        env={"PATH": str(bin_folder), "HOME": str(bin_folder.parent)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--fast"], "pi knows --cpu, --every, --rebuild and --write, not --fast; ./run pi --help"),
        (["--cpu", "max"], "--cpu takes a53, a72 or a76, not max"),
        (["--cpu"], "--cpu takes a53, a72 or a76, not nothing"),
        (["--every", "0"], "--every takes a number from 1, not 0"),
        (["--every", "third"], "--every takes a number from 1, not third"),
    ],
)
def test_words_that_it_does_not_know(bin_folder: Path, words: list[str], told: str) -> None:
    """They are named, with those that it takes."""
    assert told in pi(bin_folder, *words)


def test_another_user_than_root(bin_folder: Path) -> None:
    """Who is told how to be root."""
    stand_in(bin_folder / "id", "echo 1000")
    assert pi(bin_folder).endswith(
        "only root can make a Debian for another processor; try: sudo ./run pi"
    )


@pytest.mark.parametrize("is_debian", [True, False])
def test_tools_that_are_missing(bin_folder: Path, is_debian: bool) -> None:
    """Each package is named; on a Debian it was tried to install them."""
    (bin_folder / "mksquashfs").unlink()
    stand_in(bin_folder / "apt-get", "exit 100")
    if not is_debian:
        (bin_folder / "apt-get").unlink()
    told = "Try: apt install squashfs-tools" if is_debian else "they are Debian's packages"
    assert told in pi(bin_folder)


@pytest.mark.parametrize(
    ("release", "told"),
    [
        (None, "http://mirror.example/debian/ cannot be reached; is there a network? Try again"),
        ("Architectures: all amd64 i386", "has no Debian 13 for arm64; name a mirror that has in"),
    ],
)
def test_a_mirror_without_arm64(bin_folder: Path, release: str | None, told: str) -> None:
    """One that cannot be reached is another matter than one that has only other processors."""
    helper = bin_folder / "apt-helper"
    stand_in(helper, "exit 1" if release is None else f'echo "{release}" >"$3"')
    source = SCRIPT.read_text().replace("/usr/lib/apt/apt-helper", str(helper))
    assert str(helper) in source
    assert told in pi(bin_folder, source=source)


def test_a_kernel_that_runs_no_foreign_programs(bin_folder: Path, tmp_path: Path) -> None:
    """As in many containers: QEMU is no use there."""
    stand_in(bin_folder / "mount", "exit 32")
    source = SCRIPT.read_text().replace("/proc/sys/fs/binfmt_misc", str(tmp_path / "binfmt"))
    source = source.replace("\nbuild\n", f"\nemulator={tmp_path}\n")
    assert str(tmp_path) in source
    told = pi(bin_folder, source=source)
    assert "this kernel runs no programs of another processor (binfmt_misc is missing" in told


def test_two_at_once(bin_folder: Path, tmp_path: Path) -> None:
    """The second is told of the first, whose QEMU it would take away."""
    cache = tmp_path / ".cache" / "tiki" / "pi"
    cache.mkdir(parents=True)
    lock = ["flock", str(cache / "running"), "cat"]
    with subprocess.Popen(lock, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdin
        assert first.stdout
        first.stdin.write(b"held\n")
        first.stdin.flush()
        assert first.stdout.readline() == b"held\n"
        assert "another ./run pi is going on; try again when it has ended" in pi(bin_folder)
        first.stdin.close()
