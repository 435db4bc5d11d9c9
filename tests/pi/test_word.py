"""What `./run pi` says: where it cannot go on, and of what came out; with stand-ins for QEMU."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "tests" / "pi" / "pi.sh"
TOOLS = ("debootstrap", "mksquashfs", "modprobe", "cpio", "xz", "git")


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
        "mktemp",
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


def start(
    bin_folder: Path, *words: str, source: str | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run `./run pi` on that machine.

    source: the script, if not as it is.
    """
    script = ["-c", source, str(SCRIPT)] if source else [str(SCRIPT)]
    return subprocess.run(
        ["/bin/sh", *script, *words],
        env={"PATH": str(bin_folder), "HOME": str(bin_folder.parent), "PYTHON": sys.executable},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def pi(bin_folder: Path, *words: str, source: str | None = None) -> str:
    """Return the one line with which `./run pi` ends on that machine, having failed."""
    done = start(bin_folder, *words, source=source)
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    return done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--fast"], "pi knows decisions, board, memory, figures, --cpu, --every, --rebuild and"),
        (["board", "figures"], "pi takes one word, not also figures; ./run pi alone does all"),
        (["board", "512"], "only memory takes a size: ./run pi memory 512"),
        (["memory", "1G"], "memory takes a number of MB, such as 512, not 1G"),
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
    source = source.replace("\nbuild\n", f"\nemulator={tmp_path} recipes={ROOT}/tests/pi\n")
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


@pytest.fixture
def built(bin_folder: Path, tmp_path: Path) -> str:
    """Return the script with all parts built, whose recipes are those in the folder recipes."""
    for tool in ("env", "sh", "tr"):
        (bin_folder / tool).symlink_to(str(shutil.which(tool)))
    stand_in(bin_folder / "nice", 'while [ "$1" != sh ]; do shift; done', 'exec "$@"')
    (tmp_path / "recipes").mkdir()
    (tmp_path / "binfmt").mkdir()
    (tmp_path / "binfmt" / "register").touch()
    conf = tmp_path / "tree" / "usr" / "share" / "qemu" / "binfmt.d" / "qemu-aarch64.conf"
    conf.parent.mkdir(parents=True)
    conf.write_text(":qemu-aarch64:M::magic:mask:/usr/bin/qemu:OPF\n")
    parts = "\n".join(f"{each}={tmp_path}" for each in ("emulator", "debian", "packages", "board"))
    source = SCRIPT.read_text().replace("\nbuild\n", f"\n{parts}\nrecipes={tmp_path}/recipes\n")
    return source.replace("/proc/sys/fs/binfmt_misc", str(tmp_path / "binfmt"))


def test_what_is_decided_there_is_compared(bin_folder: Path, tmp_path: Path, built: str) -> None:
    """QEMU is made to run programs for arm64; a companion that reads nothing has failed."""
    stand_in(tmp_path / "recipes" / "user_land.sh", ': >"$1/read"', ': >"$1/replay-topple"')
    done = start(bin_folder, "decisions", "--every", "60", source=built)
    assert done.returncode == 1
    told = (tmp_path / "binfmt" / "register").read_text()
    assert told == f":tiki-pi:M::magic:mask:{tmp_path}/tree/usr/bin/qemu-aarch64:F"
    assert "pi: topple: differs: event 1: expected " in done.stdout
    assert done.stdout.splitlines()[-1] == "pi: 0 of 5 pictures are read as on x86-64"


@pytest.mark.parametrize(
    ("console", "told", "status"),
    [
        (["[0.1] quiet", "job: all is well", "job: status 0"], "pi: all is well", 0),
        (["job: all is ill", "job: status 1"], "pi: all is ill", 1),
        (["job: status 0", "job: Out of memory: Killed process 7"], "pi: Out of memory", 1),
        (["[9.1] Kernel panic"], "", 1),
    ],
)
def test_what_a_board_says_is_said(
    bin_folder: Path, tmp_path: Path, built: str, console: list[str], told: str, status: int
) -> None:
    """And a job that failed, that was short of memory or that never ended has failed."""
    lines = "".join(f"{each}\r\n" for each in console)
    (tmp_path / "console").write_bytes(lines.encode())
    stand_in(tmp_path / "recipes" / "machine.sh", f'cat {tmp_path}/console >"$1/console"')
    done = start(bin_folder, "memory", "512", source=built)
    assert done.returncode == status, done.stderr
    assert done.stdout.startswith(told)
    assert ("pi: memory on 512 MB FAILED (see above)" in done.stderr) == bool(status)
    assert ("Kernel panic" in done.stderr) == ("Kernel panic" in lines)
