"""The documents: their examples run, their links lead somewhere, their commands exist."""

import doctest
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from companion.cli import build_parser
from companion.config import BadConfig, parse_config
from companion.referee.moments import Moment
from companion.referee.notices import Ask, Illegal, Result, Waiting
from companion.session.events import KINDS

ROOT = Path(__file__).parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")])
TASKS = {"demo", "test", "check", "bench", "lock", "fresh"}


def links_of(page: Path) -> list[str]:
    """Return the relative links and pictures of *page*."""
    found = re.findall(r"\]\(([^)#\s]+)\)", page.read_text())
    return [link for link in found if "://" not in link]


def settings_of(page: Path) -> list[str]:
    """Return the settings in the examples of *page*."""
    return re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)


def commands_of(page: Path) -> list[list[str]]:
    """Return the words of each `./run ...` line in the shell examples of *page*."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [shlex.split(line)[1:] for line in lines if line.startswith("./run ")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """A relative link names a file or folder of the repository."""
    for link in links_of(page):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_python_example_runs(page: Path) -> None:
    """What stands after >>> gives what stands below it."""
    failed, _ = doctest.testfile(str(page), module_relative=False)
    assert failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_setting_exists(page: Path) -> None:
    """What the examples set can be set, and to that."""
    for settings in settings_of(page):
        parse_config(tomllib.loads(settings))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_exists(page: Path) -> None:
    """The word after ./run is a task of the script or a command of tiki."""
    help_text = build_parser().format_help()
    for words in commands_of(page):
        assert words[0] in TASKS or re.search(rf"^    {words[0]} ", help_text, re.MULTILINE), words


def test_the_checks_of_the_documents_can_fail(tmp_path: Path) -> None:
    """A dead link, a wrong example, an unknown command and an unknown setting are seen."""
    page = tmp_path / "page.md"
    page.write_text(
        "[a](nowhere.md)\n\n>>> 1 + 1\n3\n\n```sh\n./run fly  # up\n```\n```toml\nx=1\n```\n"
    )
    assert links_of(page) == ["nowhere.md"]
    assert doctest.testfile(str(page), module_relative=False, verbose=False).failed == 1
    assert commands_of(page) == [["fly"]]
    assert settings_of(page) == ["x=1\n"]
    with pytest.raises(BadConfig):
        test_every_setting_exists(page)


def test_every_kind_of_event_is_documented() -> None:
    """docs/events.md has a row for each entry and each notice."""
    rows = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs" / "events.md").read_text(), re.MULTILINE)
    notices = {kind.type for kind in (Ask, Illegal, Moment, Result, Waiting)} | {"seat", "state"}
    assert set(rows) == set(KINDS) | notices
