"""The set-up script, as far as it can be tried without installing anything anew."""

import shutil
import subprocess
from pathlib import Path

import pytest

from companion.cli import MODULES
from tests import conftest

ROOT = Path(__file__).parent.parent


def run(*words: str, folder: Path = ROOT, **settings: str) -> "subprocess.CompletedProcess[str]":
    """Run ./run from *folder* with *settings* in the environment."""
    return subprocess.run(
        [str(ROOT / "run"), *words],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **settings},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_script_lists_its_tasks() -> None:
    """./run alone says what there is."""
    done = run()
    assert done.returncode == 0
    for task in ("cad", "demo", "test", "check", "bench", "soak", "mutate", "fresh", "hil", "pi"):
        assert f"./run {task}" in done.stdout
    listed = done.stdout.partition("tiki command:")[2].partition(";")[0]
    assert listed.replace(",", " ").split() == [word for each in MODULES.values() for word in each]


def test_an_old_python_is_refused_in_one_line(tmp_path: Path) -> None:
    """The version that was found, the one that is needed, and how to name another."""
    old = tmp_path / "python3"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.9.2" && exit\nexit 1\n')
    old.chmod(0o755)
    done = run("--version", PYTHON=str(old))
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed, Python 3.9.2 was found" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("3.14.1", "tried with Python 3.11 to 3.13, and could not be installed for Python 3.14.1"),
        ("3.13.5", "is there a network? Try again: nothing is lost"),
    ],
)
def test_packages_that_cannot_be_installed_are_one_line(
    bare: Path, version: str, told: str
) -> None:
    """A Python that is newer than any that was tried is named as the cause, with the remedy."""
    stand_in(bare / "bin" / "python3", f'[ "$1" != --version ] || echo "Python {version}"')
    stand_in(bare / ".venv" / "bin" / "python", "exit 1")
    done = bare_run(bare, "demo")
    assert done.returncode == 1
    setting_up, *lines = done.stderr.splitlines()
    assert setting_up.startswith("Setting up .venv")
    assert len(lines) == 1
    assert told in lines[0]
    assert ("PYTHON=/path/to/python3.13 ./run" in lines[0]) == (version == "3.14.1")


def stand_in(path: Path, *lines: str) -> None:
    """Write a shell script of *lines*."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """Return a copy of ./run on a machine without Chromium, where nothing is really installed.

    What "apt-get" is told stands in the file asked; what it installs is a libatomic. It fails
    without a file mirror, and at the headless shell if there is a file no-shell.
    """
    for tool in ("cat", "cksum", "dirname"):
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / tool).symlink_to(str(shutil.which(tool)))
    shutil.copy(ROOT / "run", tmp_path)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "locks", tmp_path / "locks")
    stand_in(tmp_path / "bin" / "python3", '[ "$1" != --version ] || echo "Python 3.11.2"')
    stand_in(tmp_path / "bin" / "id", f"cat {tmp_path}/user")
    asked = tmp_path / "asked"
    stand_in(
        tmp_path / "bin" / "apt-get",
        f'echo "$*" >>{asked}',
        f'case "$*" in *shell*) [ ! -e {tmp_path}/no-shell ] || exit 100 ;; esac',
        f'[ "$1" = update ] || [ ! -e {tmp_path}/mirror ] || : >{tmp_path}/libatomic',
        f"[ -e {tmp_path}/mirror ]",
    )
    stand_in(tmp_path / ".venv" / "bin" / "python", 'case $* in *pytest*) echo "tests: $*" ;; esac')
    packages = tmp_path / ".venv" / "lib" / "python3.11" / "site-packages"
    stand_in(packages / "playwright" / "driver" / "node", f"[ -e {tmp_path}/libatomic ]")
    (tmp_path / "user").write_text("0\n")
    return tmp_path


def bare_run(bare: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run ./run with *words* where nothing but what stands in *bare* is there."""
    return subprocess.run(
        [str(bare / "run"), *words],
        env={"PATH": str(bare / "bin")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_rules_are_compiled_once_for_each_state_of_them(bare: Path) -> None:
    """With the mypy that is there, or one of its own; then not until they have changed."""
    asked, python = bare / "python-asked", bare / ".venv" / "bin" / "python"
    note = f'case "$*" in *companion.compiled*|*compiler*) echo "$*" >>{asked} ;; esac'
    no_mypy = 'case "$PYTHONPATH $*" in " -m companion.compiled") exit 3 ;; esac'
    stand_in(bare / ".venv" / "bin" / "tiki", "exit 0")
    stand_in(python, note, no_mypy)
    assert bare_run(bare, "demo").returncode == 0
    first, installed, second = asked.read_text().splitlines()
    assert (first, second) == ("-m companion.compiled",) * 2
    assert f"--target {bare}/.venv/.compiler --require-hashes -r locks/compiler.txt" in installed
    assert bare_run(bare, "demo").returncode == 0
    assert len(asked.read_text().splitlines()) == 3
    stand_in(python, note)
    assert bare_run(bare, "compile").returncode == 0
    (bare / "companion" / "rules" / "pebbles").mkdir(parents=True)
    (bare / "companion" / "compiled").mkdir()
    for path in ("rules/pebbles/play.py", "compiled/__init__.py"):
        (bare / "companion" / path).write_text("one = 1\n")
    assert bare_run(bare, "demo").returncode == 0
    assert asked.read_text().splitlines()[3:] == ["-m companion.compiled"] * 2


def test_without_a_mypy_the_rules_are_played_as_they_are_written(bare: Path) -> None:
    """A line says so, and what was asked for goes on."""
    stand_in(bare / ".venv" / "bin" / "tiki", "echo played")
    stand_in(
        bare / ".venv" / "bin" / "python",
        'case "$*" in *companion.compiled*) exit 3 ;; *compiler*) exit 1 ;; esac',
    )
    done = bare_run(bare, "demo")
    assert done.stdout == "played\n"
    assert done.stderr.splitlines()[-1].startswith("The rules are not compiled: mypy could not be")


def set_up(bare: Path, word: str = "some") -> tuple[str, list[str]]:
    """Return what ./run test *word* says before the tests run, and what apt-get was told."""
    done = bare_run(bare, "test", word)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"tests: -m pytest -n 3 --dist loadfile --durations 10 {word}\n"
    asked = bare / "asked"
    return done.stderr, asked.read_text().splitlines() if asked.exists() else []


SHELL = "chromium-headless-shell"
REMEDY = f"sudo apt install {SHELL} libatomic1"
HOW = f"The browser tests will be skipped. To have them: {REMEDY}\n"


def test_root_gets_what_the_browser_tests_lack(bare: Path) -> None:
    """The headless shell and libatomic both, once."""
    (bare / "mirror").touch()
    said, asked = set_up(bare)
    assert f"Installing {SHELL} libatomic1 for the browser tests ..." in said
    assert HOW not in said
    assert asked == ["update -qq", f"install -y -qq --no-install-recommends {SHELL} libatomic1"]


def test_only_what_is_missing_is_installed(bare: Path) -> None:
    """With the shell there, libatomic alone; with both, nothing."""
    (bare / "mirror").touch()
    stand_in(bare / "bin" / SHELL)
    assert set_up(bare)[1][1:] == ["install -y -qq --no-install-recommends libatomic1"]
    (bare / "asked").unlink()
    said, asked = set_up(bare)
    assert asked == []
    assert "browser" not in said


@pytest.mark.parametrize("user", ["0", "1000"])
def test_where_it_cannot_be_installed_one_line_says_how(bare: Path, user: str) -> None:
    """Without a mirror, or without the right, the tests run all the same."""
    (bare / "user").write_text(f"{user}\n")
    said, asked = set_up(bare)
    assert HOW in said
    assert asked == (["update -qq"] if user == "0" else [])


def test_where_there_is_no_shell_chromium_is_installed(bare: Path) -> None:
    """As on Raspberry Pi OS, which has its own."""
    (bare / "mirror").touch()
    (bare / "no-shell").touch()
    said, asked = set_up(bare)
    assert asked[-1] == "install -y -qq --no-install-recommends chromium libatomic1"
    assert HOW not in said


@pytest.mark.parametrize("user", ["0", "1000"])
def test_chromium_itself_will_do(bare: Path, user: str) -> None:
    """Where the shell cannot be installed, one line says what would be quicker."""
    (bare / "user").write_text(f"{user}\n")
    (bare / "libatomic").touch()
    stand_in(bare / "bin" / "chromium")
    said, asked = set_up(bare)
    assert said.splitlines()[-1] == (
        f"The browser tests use chromium. To have them in half the time: sudo apt install {SHELL}"
    )
    assert HOW not in said
    assert asked == (["update -qq"] if user == "0" else [])


def test_the_quicker_browser_is_taken(tmp_path: Path) -> None:
    """The headless shell before Chromium; with neither, Chromium is what is missing."""
    quicker, usual = tmp_path / SHELL, tmp_path / "chromium"
    assert conftest.browser_of((quicker, usual)) == usual
    usual.touch()
    assert conftest.browser_of((quicker, usual)) == usual
    quicker.touch()
    assert conftest.browser_of((quicker, usual)) == quicker


def test_the_slow_tests_get_openscad(bare: Path) -> None:
    """It is installed for them, once; else one line says how; the quick ones do without.

    Broker and database are, too, each set by itself.
    """
    stand_in(bare / "bin" / SHELL)
    (bare / "libatomic").touch()
    said, asked = set_up(bare, "--slow")
    assert "will be skipped. To have them: sudo apt install openscad\n" in said
    assert asked == ["update -qq"] * len(asked)
    (bare / "mirror").touch()
    said, asked = set_up(bare, "--slow")
    assert "skipped" not in said
    assert "install -y -qq --no-install-recommends openscad" in asked
    stand_in(bare / "bin" / "openscad")
    done = len(asked)
    assert not any("openscad" in line for line in set_up(bare, "--slow")[1][done:])
    done = len((bare / "asked").read_text().splitlines())
    assert len(set_up(bare)[1]) == done


def test_a_node_that_cannot_start_is_named_with_the_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is one that is not there, and a missing Chromium."""
    node = tmp_path / "node"
    monkeypatch.setattr(conftest, "CHROMIUM", ROOT / "run")
    monkeypatch.setenv("PLAYWRIGHT_NODEJS_PATH", str(node))
    assert conftest.no_browser() == (
        f"Playwright's node cannot start (No such file or directory): {REMEDY}"
    )
    stand_in(node, 'echo "$0: libatomic.so.1: cannot open" >&2', "exit 127")
    assert conftest.no_browser() == (
        f"Playwright's node cannot start (libatomic.so.1: cannot open): {REMEDY}"
    )
    stand_in(node, "echo v26")
    assert conftest.no_browser() is None
    monkeypatch.setattr(conftest, "CHROMIUM", tmp_path / "chromium")
    assert conftest.no_browser() == f"chromium is missing: {REMEDY}"


@pytest.mark.parametrize("word", ["--lock lowest", "--lock=lowest"])
def test_another_lock_is_tried_in_an_environment_of_its_own(bare: Path, word: str) -> None:
    """The usual one keeps its packages; the words after it are the tests'."""
    stand_in(bare / "bin" / SHELL)
    (bare / "libatomic").touch()
    usual, other = bare / ".venv", bare / ".venv-lowest"
    shutil.copytree(usual, other)
    stand_in(other / "bin" / "python", f'echo "$*" >>{bare}/told')
    stand_in(usual / "bin" / "python", "exit 9")
    done = bare_run(bare, "test", *word.split(), "some")
    assert done.returncode == 0, done.stderr
    assert "Setting up .venv-lowest (dev), once ..." in done.stderr
    told = (bare / "told").read_text().splitlines()
    assert "locks/dev-lowest.txt" in told[0]
    assert told[-1] == "-m pytest -n 3 --dist loadfile --durations 10 some"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("sarge", "there is no lock 'sarge' to test with; --lock bookworm or --lock lowest will"),
        ("", "there is no lock '' to test with; --lock bookworm or --lock lowest will do"),
        ("lowest", "the lock lowest is for Python 3.11, Python 3.13.1 was found; set PYTHON="),
    ],
)
def test_a_lock_that_cannot_be_tried_is_refused_in_one_line(
    tmp_path: Path, name: str, told: str
) -> None:
    """One that is not there, and one whose packages another Python does not get."""
    newer = tmp_path / "python3"
    newer.write_text('#!/bin/sh\n[ "$1" = --version ] && echo "Python 3.13.1" && exit\nexit 1\n')
    newer.chmod(0o755)
    done = run("test", "--lock", name, PYTHON=str(newer))
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["fresh", "sarge"], "fresh knows bookworm and trixie, not sarge"),
        (["fresh", "trixie"], "only root can make a bare Debian; try: sudo ./run fresh"),
    ],
)
def test_what_fresh_cannot_do_is_said_in_one_line(
    tmp_path: Path, words: list[str], told: str
) -> None:
    """Another Debian, and another user than root."""
    stand_in(tmp_path / "id", "echo 1000")
    done = run(*words, PATH=f"{tmp_path}:/usr/bin:/bin")
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("words", "user", "told"),
    [
        (["--slow"], 0, "hil knows --keep and --rebuild, not --slow; ./run hil --help lists all"),
        (
            ["topple", "spin"],
            0,
            "hil takes one PATTERN, not also spin; join them: './run hil \"topple",
        ),
        ([], 1000, "only root can make a machine's file system; try: sudo ./run hil"),
    ],
)
def test_what_hil_cannot_do_is_said_in_one_line(
    tmp_path: Path, words: list[str], user: int, told: str
) -> None:
    """An unknown word, two patterns, and another user than root."""
    stand_in(tmp_path / "id", f"echo {user}")
    done = run("hil", *words, PATH=f"{tmp_path}:/usr/bin:/bin")
    assert done.returncode == 1
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("is_debian", "told"),
    [
        (False, "these are missing: qemu-system-x86"),
        (True, "could not be installed: qemu-system-x86"),
    ],
)
def test_hil_without_its_tools_says_what_to_install(
    tmp_path: Path, is_debian: bool, told: str
) -> None:
    """Where apt can install them that is tried first; either way each package is named."""
    for tool in ("cat", "dirname", "tail"):
        (tmp_path / tool).symlink_to(str(shutil.which(tool)))
    stand_in(tmp_path / "git")  # as in a clone
    stand_in(tmp_path / "id", "echo 0")
    if is_debian:
        stand_in(tmp_path / "apt-get", "exit 100")
    done = subprocess.run(
        ["/bin/sh", str(ROOT / "tests" / "hil" / "hil.sh")],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 1
    assert told in done.stderr.splitlines()[-1]
    assert "squashfs-tools" in done.stderr.splitlines()[-1]
    assert not (tmp_path / ".cache").exists()
