"""`tiki --version`: its build, and whether there is a newer release where it was cloned from."""

import shutil
import subprocess
from pathlib import Path

import pytest

from companion import __version__
from companion.cli import main, version
from companion.cli.version import Build, describe_newer, read_build, without_password


def git(*words: str) -> None:
    """Run git without anybody's settings."""
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org")
    subprocess.run(["git", *who, *words], check=True, capture_output=True)


@pytest.fixture
def releases(tmp_path: Path) -> Path:
    """Return a repository with a first release and a draft."""
    if shutil.which("git") is None:
        pytest.skip("sudo apt install git")
    folder = tmp_path / "origin"
    git("init", "--quiet", str(folder))
    git("-C", str(folder), "commit", "--quiet", "--allow-empty", "-m", "companion: begin")
    for tag in ("v0.0.9", "v9.9.9rc1", "draft"):
        git("-C", str(folder), "tag", tag)
    return folder


def test_a_newer_release_is_named(releases: Path) -> None:
    """By number, not by letter; what is no release is none."""
    assert describe_newer(str(releases)) == f"There is no newer release at {releases}."
    for tag in ("v9.9.0", "v9.10.0"):
        git("-C", str(releases), "tag", tag)
    assert describe_newer(str(releases)).startswith("9.10.0 is newer")


def test_an_installed_copy_knows_its_build(
    releases: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """As deploy/install.sh has written it; without one, there is nothing to ask."""
    told = tmp_path / "build.txt"
    monkeypatch.setattr(version, "BUILD", told)
    told.write_text(f"1a2b3c4d of 2026-11-28\n{releases}\n")
    assert main(["--version", "--newer"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"tiki {__version__}, commit 1a2b3c4d of 2026-11-28",
        f"There is no newer release at {releases}.",
    ]
    told.write_text("")
    assert read_build() == Build("", "")
    assert main(["--version"]) == 0
    assert main(["--version", "--newer"]) == 1
    said = capsys.readouterr()
    assert said.out == f"tiki {__version__}\n" * 2
    assert said.err.startswith("tiki: this copy does not know where it was cloned from")


def test_who_does_not_answer_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, without a password."""
    told = tmp_path / "build.txt"
    monkeypatch.setattr(version, "BUILD", told)
    told.write_text("1a2b3c4d of 2026-11-28\nhttp://ann:secret@127.0.0.1:1/tiki.git\n")
    assert main(["--version", "--newer"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("tiki: http://127.0.0.1:1/tiki.git does not answer git")


def test_a_path_is_shown_as_it_is() -> None:
    """Only addresses can hold a password."""
    assert without_password("/srv/tiki.git") == "/srv/tiki.git"
    assert without_password("git@example.org:tiki.git") == "git@example.org:tiki.git"
