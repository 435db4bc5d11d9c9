"""The locks that `./run` installs from."""

import re
import tomllib
from pathlib import Path

import pytest

from hardware.pico.release import LIBRARY

ROOT = Path(__file__).parent.parent
LOCKS = ["runtime", "dev", "bookworm", "dev-bookworm", "lowest", "dev-lowest", "pico", "compiler"]


@pytest.mark.parametrize("lock", LOCKS)
def test_every_package_in_a_lock_has_its_hashes(lock: str) -> None:
    """Nothing is installed unchecked, and the build back end is in the lock too."""
    text = (ROOT / "locks" / f"{lock}.txt").read_text()
    entries = [entry for entry in text.replace("\\\n", " ").splitlines() if entry.strip()]
    assert entries
    assert all("--hash=sha256:" in entry for entry in entries)
    has_back_end = any(entry.startswith("setuptools==") for entry in entries)
    assert has_back_end or lock in ("pico", "compiler")


def versions(lock: str) -> set[str]:
    """Return the packages of a lock with their versions, name==version."""
    text = (ROOT / "locks" / f"{lock}.txt").read_text()
    return {line.split()[0] for line in text.splitlines() if "==" in line}


def plain(requirement: str) -> str:
    """Return a requirement with its name as registries spell it."""
    name, relation, version = re.split("([=>]=)", requirement, maxsplit=1)
    return re.sub(r"[-_.]+", "-", name) + relation + version


@pytest.mark.parametrize("lock", ["bookworm", "lowest"])
def test_the_other_locks_are_tried_with_their_own_versions(lock: str) -> None:
    """What is added for the tests changes nothing of what they are to try."""
    assert versions(lock) <= versions(f"dev-{lock}")
    assert versions(lock) - versions("runtime")


def test_the_oldest_versions_are_those_that_the_project_allows() -> None:
    """Each floor of pyproject.toml is what the lock `lowest` has, so that floors are tested."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = [plain(each) for each in versions("lowest")]
    for floor in map(plain, project["optional-dependencies"]["table"]):
        wanted = floor.replace(">=", "==")
        assert any(each == wanted or each.startswith(f"{wanted}.") for each in locked), floor


def test_the_developers_lock_has_the_users_versions() -> None:
    """What the tests run on is what users get, and what their Pico gets."""
    assert versions("runtime") | versions("pico") <= versions("dev")


def test_what_compiles_the_rules_is_what_checks_their_types() -> None:
    """It is installed by itself where nobody develops, in the developers' version."""
    assert any(each.startswith("mypy==") for each in versions("compiler"))
    assert versions("compiler") <= versions("dev")


def test_nothing_comes_along_with_what_the_pico_runs() -> None:
    """Blinka, with which it would run on this computer, has parts that a Pi must compile."""
    assert [each.partition("==")[0] for each in versions("pico")] == [LIBRARY]
    assert not any("blinka" in each.lower() for each in versions("runtime"))
