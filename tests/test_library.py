"""The rules as a library: installed with no extra, they play, and nothing else comes along."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.cli import main

ROOT = Path(__file__).parent.parent
PACKED = ("companion", "firmware", "hardware", "vision")
FILES = ("pyproject.toml", "README.md", "LICENSE")
PLAYED = """
import importlib.util, random
from importlib import import_module

for game in ("tiki_topple", "tactiki", "topple", "tippi_toppi", "uno_tiki"):
    rules, rng = import_module(f"companion.rules.{game}"), random.Random(1)
    state = rules.initial(2)
    for _ in range(300):
        actions = rules.legal_actions(state)
        if not actions:
            break
        state = rules.apply(state, rng.choice(actions))
    print(game, rules.view(state, 0)["phase"])
print([name for name in ("cv2", "numpy", "msgspec") if importlib.util.find_spec(name)])
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a fresh environment into which the wheel was installed, with no extra."""
    folder = tmp_path_factory.mktemp("library")
    source = folder / "source"
    for name in PACKED:
        # What only a table shows is left out, so that packing is quick.
        ignored = shutil.ignore_patterns("__pycache__", "*.onnx", "*.jpg", "*.jpeg")
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    built = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source)]
    subprocess.run(built, check=True)
    (wheel,) = folder.glob("*.whl")
    place = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    python = place / "bin" / "python"
    # Without an index: whatever it asked for beside itself could not be found.
    installed = [*pip, "--python", str(python), "install", "--no-index", str(wheel)]
    subprocess.run(installed, check=True)
    return place


def run(library: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run a program of the environment *library*, far from the source."""
    command = [str(library / "bin" / words[0]), *words[1:]]
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=library, env=bare
    )


def test_the_rules_need_no_other_package(library: Path) -> None:
    """All five games are played at random; no OpenCV and no numpy is there."""
    done = run(library, "python", "-c", PLAYED)
    assert (done.returncode, done.stderr) == (0, "")
    *games, packages = done.stdout.splitlines()
    assert len(games) == 5
    assert packages == "[]"


@pytest.mark.parametrize("words", [("run",), ("demo",), ("--help",), ("rules", "topple")])
def test_a_command_that_needs_more_names_the_extra(library: Path, words: tuple[str, ...]) -> None:
    """In one line, with what to type."""
    done = run(library, "tiki", *words)
    assert (done.returncode, done.stdout) == (1, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith("tiki: the package ")
    assert line.endswith("pip install 'tiki-companion[table]'")


def test_the_version_needs_no_other_package(library: Path) -> None:
    """`tiki --version` answers."""
    done = run(library, "tiki", "--version")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_module_of_our_own_is_no_missing_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """That is a defect, and stays one."""

    def build_parser(_: str) -> None:
        raise ModuleNotFoundError("No module named 'companion.lost'", name="companion.lost")

    monkeypatch.setattr("companion.cli.build_parser", build_parser)
    with pytest.raises(ModuleNotFoundError):
        main(["run"])
