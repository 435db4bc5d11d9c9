"""The rules in machine code: they play as they are written, and no others are ever used."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion import compiled
from companion.compiled import __main__ as compiling
from tests.rules.tables import TABLES

ROOT = Path(__file__).parents[2]
WHOLE_GAMES = ("test_tactiki_plainly.py", "test_tippi_toppi_plainly.py", "test_every_game.py")
"""The tests of whole games, beside plain readings of the clauses and in every state."""


def python(build: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run Python where the rules are those of *build*."""
    return subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, compiled.VARIABLE: build, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def is_compiled() -> None:
    """Skip where nothing is compiled."""
    if not compiled.folder().is_dir():
        pytest.skip("the rules are not compiled here: ./run compile")


@pytest.mark.usefixtures("is_compiled")
def test_compiled_rules_play_like_those_that_are_written() -> None:
    """In random games at every table the same is legal, with the same results."""
    plain, other = (
        json.loads(python(build, "-m", "tests.rules.transcripts", "2", "250").stdout)
        for build in ("plain", "compiled")
    )
    assert len(plain) == len(TABLES)
    assert other == plain


@pytest.mark.usefixtures("is_compiled")
@pytest.mark.slow
def test_compiled_rules_pass_the_tests_of_whole_games() -> None:
    """They are the same tests, unchanged."""
    paths = [f"tests/rules/{name}" for name in WHOLE_GAMES]
    done = python("compiled", "-m", "pytest", "-q", "-p", "no:cacheprovider", *paths)
    assert done.returncode == 0, done.stdout


@pytest.mark.usefixtures("is_compiled")
def test_what_is_compiled_is_what_is_imported() -> None:
    """And by itself, where nobody asks for the rules as they are written."""
    for build, suffix in (("plain", ".py"), ("compiled", ".so"), ("", ".so")):
        for name in compiled.sources():
            told = f"import {name} as module; print(module.__file__)"
            if name.endswith(".play"):
                assert python(build, "-c", told).stdout.strip().endswith(suffix)


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an environment with nothing in it; what is to be imported from there is forgotten."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    return tmp_path


def test_what_was_compiled_of_other_rules_is_not_used(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder has the name of what it was compiled from."""
    monkeypatch.delenv(compiled.VARIABLE)
    finders = list(sys.meta_path)
    (elsewhere / "compiled-rules" / "cpython-311-of-yesterday").mkdir(parents=True)
    compiled.use()
    assert sys.meta_path == finders
    compiled.folder().mkdir()
    compiled.use()
    assert len(sys.meta_path) == len(finders) + 1
    monkeypatch.setenv(compiled.VARIABLE, "plain")
    compiled.use()
    assert len(sys.meta_path) == len(finders) + 1


@pytest.mark.usefixtures("elsewhere")
def test_who_asks_for_compiled_rules_that_are_not_there_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With what to do."""
    monkeypatch.setenv(compiled.VARIABLE, "compiled")
    with pytest.raises(ImportError, match=r"not compiled; \./run compile does that"):
        compiled.use()


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (
            {"CC": "no-such-compiler"},
            "there is no C compiler (no-such-compiler); to have one: sudo",
        ),
        ({"CC": "false"}, "that failed; see "),
    ],
)
@pytest.mark.usefixtures("elsewhere")
def test_without_a_compiler_they_are_played_as_written(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    settings: dict[str, str],
    told: str,
) -> None:
    """One line says why, and nothing has failed."""
    monkeypatch.setattr(compiling, "build_command", lambda: ["false"])
    if told.startswith("that failed"):  # whatever is missing here
        monkeypatch.setattr(compiling, "lacking", lambda: "")
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert compiling.main([]) == 0
    *_, line = capsys.readouterr().err.splitlines()
    assert line.startswith("The rules are not compiled, and played as they are written: ")
    assert told in line
    assert not compiled.folder().is_dir()


@pytest.mark.usefixtures("elsewhere")
def test_where_only_mypy_is_missing_the_script_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """It installs it and tries again."""
    monkeypatch.setattr(compiling, "lacking", lambda: "")
    monkeypatch.setattr(compiling, "find_spec", lambda _: None)
    assert compiling.main([]) == compiling.NO_MYPYC
